"""Hostile pages in a real browser: nothing of them runs, and nothing is reached that the reader did not ask for."""

from __future__ import annotations

import functools
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import httpx
import pytest

from tamis.service.heads import ProxyHeads
from tamis.service.proxy import create_proxy
from tamis.service.settings import Settings
from tamis.service.treating import Treatment
from tests.browsers import launched
from tests.fetching.web import Web, answer
from tests.service import attacks
from tests.service.running import TOKEN, running

pytest.importorskip("playwright")

_SETTLE_MS = 500  # for what a page does by itself a moment after it was loaded


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched("--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1") as browser:
        yield browser


def _open(context: Any, address: str) -> tuple[Any, list[str]]:
    """A page that is open, and all that it asked for."""
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.goto(address, wait_until="domcontentloaded")
    page.mouse.move(200, 200)
    page.keyboard.press("Tab")
    return page, asked


def _fulfil(body: bytes, headers: dict[str, str], route: Any) -> None:
    route.fulfill(body=body, headers=headers)


def _address(hostile: Web, name: str) -> str:
    return hostile.url(f"/{name.replace(' ', '-')}", "127.0.0.1")


def _ran(page: Any) -> bool:
    return bool(page.evaluate("window.owned === 1"))


@pytest.fixture
def hostile(web: Web) -> Web:
    for name in attacks.ATTACKS:
        web.answers[f"/{name.replace(' ', '-')}"] = answer(attacks.page(name))
    return web


@pytest.mark.proof
def test_without_tamis_the_attacks_do_run(browser: Any, hostile: Web) -> None:
    """The other tests would see it if something ran or reached out."""
    context = browser.new_context()
    opened = {name: _open(context, _address(hostile, name))[0] for name in ("script", "frames", "style")}
    opened["script"].wait_for_timeout(_SETTLE_MS)
    assert _ran(opened["script"])
    assert {"/canary/script", "/canary/frame", "/canary/background"} <= set(hostile.paths)
    context.close()


@pytest.mark.proof
def test_reader_views_run_nothing_and_ask_the_service_alone(
    browser: Any, private_service: httpx.Client, hostile: Web
) -> None:
    home = str(private_service.base_url)
    context = browser.new_context()
    context.new_page().goto(f"{home}/read?token={TOKEN}")
    opened = {name: _open(context, f"{home}/read?url={_address(hostile, name)}") for name in attacks.ATTACKS}
    opened["script"][0].wait_for_timeout(_SETTLE_MS)
    for name, (page, asked) in opened.items():
        assert attacks.HARMLESS in page.inner_text("main"), name
        assert not _ran(page), name
        assert page.url.startswith(f"{home}/read?url="), name
        # Images are shown: by the service, which asks only for what is an image.
        assert all(url.startswith((f"{home}/read?", f"{home}/image?", "data:")) for url in asked), (name, asked)
        assert len(page.frames) == 1, name
    context.close()
    reached = {path for path in hostile.paths if "canary" in path}
    assert reached <= {"/canary/poster.png"}, reached


@pytest.fixture(scope="module")
def marking() -> Iterator[httpx.Client]:
    """A proxy that shows whole pages, and also reaches this machine."""
    settings = Settings(port=0, token="", workers=1, allow_private=True)
    make = functools.partial(create_proxy, treatment=Treatment(mode="mark"))
    with running(settings, make, http=ProxyHeads) as client:
        yield client


@pytest.mark.proof
def test_pages_through_the_proxy_run_nothing(browser: Any, marking: httpx.Client, hostile: Web) -> None:
    context = browser.new_context(proxy={"server": str(marking.base_url), "bypass": "<-loopback>"})
    opened = {name: _open(context, _address(hostile, name))[0] for name in attacks.ATTACKS}
    opened["script"].wait_for_timeout(_SETTLE_MS)
    for name, page in opened.items():
        assert attacks.HARMLESS in page.inner_text("body"), name
        assert not _ran(page), name
        assert page.url == _address(hostile, name), name
    context.close()
    looks = ("/canary/background", "/canary/inline", "/canary/font", "/canary/sheet.css", "/canary/import.css")
    shown = (*looks, "/canary/poster.png", "/canary/video.mp4", "/canary/a.mp3", "/canary/attribute")
    reached = {path for path in hostile.paths if "canary" in path}
    assert reached <= set(shown), reached


DISGUISES: dict[str, tuple[str, ...]] = {
    "none": (),
    "two": ("Content-Type: image/png", "Content-Type: text/html"),
    "two-in-one": ("Content-Type: text/plain, text/html",),
    "any": ("Content-Type: */*",),
    "unknown": ("Content-Type: unknown/unknown",),
    "xml": ("Content-Type: text/xml",),
    "graphics": ("Content-Type: image/svg+xml",),
    "no-download": ("Content-Type: text/html", 'Content-Disposition: attachment="x"'),
    "orders": (
        "Content-Type: text/html",
        'Speculation-Rules: "/canary/rules"',
        "Link: </canary/l>; rel=preload; as=style",
    ),
}


@pytest.mark.proof
def test_pages_in_disguise_run_nothing_behind_the_proxy(browser: Any, marking: httpx.Client, web: Web) -> None:
    """Browsers guess what has no type, or two, and run scripts in XML and in graphics as well."""
    html = f"<html xmlns='http://www.w3.org/1999/xhtml'><body><p>x</p>{attacks.SCRIPT}</body></html>"
    graphics = f"<svg xmlns='http://www.w3.org/2000/svg'>{attacks.SCRIPT}</svg>"
    for name, headers in DISGUISES.items():
        markup = graphics if name == "graphics" else html
        head = ("HTTP/1.1 200 OK", *headers, f"Content-Length: {len(markup)}", "Connection: close", "", markup)
        web.answers[f"/{name}"] = "\r\n".join(head).encode()
    context = browser.new_context(proxy={"server": str(marking.base_url), "bypass": "<-loopback>"})
    opened = {name: _open(context, web.url(f"/{name}", "127.0.0.1"))[0] for name in DISGUISES}
    opened["none"].wait_for_timeout(_SETTLE_MS)
    assert [name for name, page in opened.items() if _ran(page)] == []
    assert [path for path in web.paths if "canary" in path] == []
    context.close()


@pytest.mark.proof
def test_results_that_are_opened_as_pages_run_nothing(browser: Any, private_service: httpx.Client) -> None:
    context = browser.new_context(extra_http_headers={"Authorization": f"Bearer {TOKEN}"})
    opened = {}
    for output in ("html", "mark", "restructure"):
        found = private_service.post(
            "/api/extract", json={"html": attacks.page("script") + attacks.page("handlers"), "format": output}
        )
        page = opened[output] = context.new_page()
        headers = {name: found.headers[name] for name in ("content-type", "content-security-policy")}
        page.route("**/shown", functools.partial(_fulfil, found.content, headers))
        page.goto(f"{private_service.base_url}/shown")
    opened["html"].wait_for_timeout(_SETTLE_MS)
    assert [output for output, page in opened.items() if _ran(page)] == []
    context.close()


@pytest.mark.proof
def test_reports_of_an_evaluation_run_nothing(browser: Any, tmp_path: Path) -> None:
    """Whatever pages, gold texts, names of datasets, pages and page types hold."""
    pytest.importorskip("rapidfuzz")
    data = tmp_path / "<img src=x onerror='window.owned=1'>.jsonl"
    lines = [
        {"id": attack, "html": attacks.page(name), "gold": f"{attacks.HARMLESS} {escape(attack)} {attack}"}
        | {"page_type": attack, "url": f"javascript:{attack}"}
        for name, attack in attacks.ATTACKS.items()
        if name in ("script", "handlers", "links", "mutation", "frames", "title")
    ]
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = tmp_path / "report"
    command = [
        sys.executable,
        "-m",
        "tamis",
        "evaluate",
        str(data),
        "--methods",
        "sieve,keep_all",
        "--out",
        str(report),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    context = browser.new_context()
    for file in sorted(report.glob("*.html")):
        page, asked = _open(context, file.as_uri())
        for details in page.locator("details").all():
            details.evaluate("element => { element.open = true }")
        page.wait_for_timeout(_SETTLE_MS)
        assert attacks.HARMLESS in page.inner_text("body")
        assert not _ran(page)
        assert asked == [file.as_uri()]
        assert page.locator("script, iframe, object, embed, base, img[onerror], [onload], [onclick]").count() == 0
    context.close()


@pytest.mark.proof
def test_a_page_elsewhere_cannot_use_the_service_of_a_reader_who_is_signed_in(
    browser: Any, private_service: httpx.Client, web: Web
) -> None:
    home = str(private_service.base_url)
    web.answers["/evil"] = answer(f"""<body><iframe src="{home}/read"></iframe><img src="{home}/read?url={home}">
        <script>
        window.got = [];
        for (const [path, how] of [
            ["/api/extract", {{method: "POST", body: "<p>x", headers: {{"Content-Type": "text/plain"}}}}],
            ["/api/extract", {{method: "POST", mode: "no-cors", credentials: "include", body: "<p>x"}}],
            ["/api/methods", {{credentials: "include"}}],
        ]) fetch("{home}" + path, how).then(answer => answer.text()).then(text => got.push(text), () => got.push(""));
        </script>""")
    context = browser.new_context()
    context.new_page().goto(f"{home}/read?token={TOKEN}")
    before = private_service.get("/metrics").text
    page = context.new_page()
    page.goto(web.url("/evil", "127.0.0.1"))
    page.wait_for_function("window.got.length === 3")
    assert page.evaluate("window.got") == ["", "", ""]
    after = private_service.get("/metrics").text
    for line in after.splitlines():
        if line.startswith("tamis_requests_total") and "/api/" in line and 'status="200"' in line:
            assert line in before
    context.close()


@pytest.mark.proof
def test_a_name_that_is_bound_again_to_this_machine_reaches_nothing(browser: Any, service: httpx.Client) -> None:
    context = browser.new_context()
    page = context.new_page()
    for path in ("/", "/healthz", f"/read?token={TOKEN}", "/api/methods"):
        found = page.goto(f"http://rebound.example:{service.base_url.port}{path}")
        assert found.status == 421, path
    assert context.cookies() == []
    context.close()


def test_slow_clients_do_not_keep_others_waiting(service: httpx.Client) -> None:
    slow = [socket.create_connection((service.base_url.host, service.base_url.port or 80)) for _ in range(100)]
    for number, connection in enumerate(slow):
        head = "POST /api/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
        connection.sendall(head[: 20 + number % 50].encode())
    begin = time.monotonic()
    assert service.post("/api/extract", json={"html": "<p>quick", "format": "text"}).status_code == 200
    assert time.monotonic() - begin < 20
    for connection in slow:
        connection.close()


def test_an_endless_page_is_cut(private_service: httpx.Client, web: Web) -> None:
    stop = threading.Event()

    def endless(_: Any, send: Any) -> None:
        send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + attacks.HARMLESS.encode())
        while not stop.is_set() and not web.stopping.is_set():
            send(b"<!--" + b"x" * 1_000_000 + b"-->")

    web.answers["/endless"] = endless
    found = private_service.post("/api/extract", json={"url": web.url("/endless", "127.0.0.1"), "method": "keep_all"})
    stop.set()
    assert found.status_code == 200
    assert found.json()["status"] == "truncated"
    assert attacks.HARMLESS in found.json()["text"]
