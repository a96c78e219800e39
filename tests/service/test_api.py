"""What can be asked for, and how wrong requests are answered."""

from __future__ import annotations

import base64
import json
from typing import Any

import httpx
import pytest

import tamis
from tamis import registry
from tamis.errors import TamisError
from tamis.rendering.browser import check_browser
from tamis.service.performing import perform
from tests.fetching.web import Request, Send, Web, answer

PAGE = """<html lang=en><title>Tides</title><nav><a href=/>Home</a> <a href=/n>News</a></nav>
<article><h1>Tides</h1><p>The height of the sea at Brest was written down each day for three centuries.</p>
<p>The record is one of the longest in the world, and many who study the sea use it.</p></article>
<footer><a href=/c>Contact</a></footer>"""


def _problem(found: httpx.Response, status: int) -> str:
    assert found.status_code == status, found.text
    assert found.headers["content-type"] == "application/problem+json"
    document = found.json()
    assert document["status"] == status
    assert document["type"].startswith("urn:tamis:problem:")
    assert document["title"]
    detail: str = document["detail"]
    return detail


@pytest.mark.parametrize("output", ["text", "markdown", "html", "json", "tei", "mark", "delete"])
def test_every_format_is_what_the_library_gives(service: httpx.Client, output: str) -> None:
    found = service.post("/api/extract", json={"html": PAGE, "url": "http://a.example/", "format": output})
    assert found.status_code == 200
    assert found.headers["tamis-status"] == "ok"
    expected = tamis.extract(PAGE, url="http://a.example/").render(output)
    assert (found.json() if output == "json" else found.text) == (
        json.loads(expected) if output == "json" else expected
    )


@pytest.mark.parametrize("output", ["text", "markdown", "html", "chunks"])
def test_nothing_of_a_wall_is_given(service: httpx.Client, output: str) -> None:
    found = service.post("/api/extract", json={"html": "<h1>Page not found</h1><p>Try again.</p>", "format": output})
    assert (found.status_code, found.text) == (200, "")
    assert (found.headers["tamis-status"], found.headers["tamis-wall"]) == ("empty", "error page")


def test_options_of_method_and_format_and_selectors_are_used(service: httpx.Client) -> None:
    asked = {"html": PAGE, "method": "bte", "format": "text", "drop": "h1", "output": {"max_characters": 30}}
    found = service.post("/api/extract", json={**asked, "options": {}})
    expected = tamis.extract(PAGE, method="bte", drop="h1").render("text", max_characters=30)
    assert found.text == expected


def test_pages_of_a_host_are_remembered_if_asked_for() -> None:
    pitch = "Subscribe to our newsletter and receive the most important stories of the week in your inbox every Friday."

    def ask(number: int, **asked: Any) -> str:
        parts = "".join(
            f"<p>In part {part} of story {number} the river rose in the night, and the road to the village was closed "
            f"because of it, said the mayor, who had been there {part + number} times before.</p>"
            for part in range(4)
        )
        html = f"<h1>Story {number}</h1>{parts}<div class=newsletter><p>{pitch}</p></div>"
        request = {"html": html, "url": f"http://remembered.example/{number}", "format": "text", **asked}
        values = {"operation": "extract", "content_type": "application/json"}
        return perform(values, json.dumps(request).encode())[1].decode()

    assert pitch in ask(0, site=True), "no other page is known"
    for number in range(1, 8):
        ask(number, site=True)
    assert pitch not in ask(0, site=True)
    assert pitch in ask(0)
    for hostless in (None, "page.html", "http://["):
        assert "site needs the url" in ask(0, site=True, url=hostless)


def test_a_page_may_be_the_body_itself(service: httpx.Client) -> None:
    page = "<p>Über den Dächern von Köln steht ein Turm, der seit Jahren niemandem mehr gehört."
    found = service.post(
        "/api/extract",
        params={"format": "text", "method": "keep_all", "output": '{"max_characters": 8}'},
        content=page.encode("latin-1"),
        headers={"Content-Type": "text/html; charset=ISO-8859-1"},
    )
    assert found.text == "Über den"


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"", 400, "not JSON"),
        (b"{", 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"[" * 100_000, 400, "not JSON"),
        (b'{"html": NaN}', 400, "NaN is not a number"),
        (b'{"html": ' + b"9" * 5000 + b"}", 400, "not JSON"),
        (b"[]", 422, "an object is expected"),
        (b"{}", 422, "pass html, or url"),
        (b'{"html": 3}', 422, "field html of the request is 3, but str or None is expected"),
        (b'{"html": "x", "method": "siev"}', 422, "did you mean sieve"),
        (b'{"html": "x", "method": 7}', 422, "str is expected"),
        (b'{"html": "x", "format": "docx"}', 422, "unknown format 'docx'"),
        (b'{"html": "x", "fromat": "text"}', 422, "did you mean format"),
        (b'{"html": "x", "method": "lqf", "options": {"thresold": 1}}', 422, "did you mean threshold"),
        (b'{"html": "x", "method": "lqf", "options": {"threshold": "a"}}', 422, "float"),
        (b'{"html": "x", "options": []}', 422, "dict is expected"),
        (b'{"html": "x", "options": {"page": 1}}', 422, "page"),
        (b'{"html": "x", "options": {"method": "bte"}}', 422, "method"),
        (b'{"html": "x", "output": {"linx": true}}', 422, "did you mean links"),
        (b'{"html": "x", "format": "hide", "output": {"hide_by": "ink"}}', 422, "hide_by"),
        (b'{"html": "x", "format": "mark", "output": {"links": false}}', 422, "has no options"),
        (b'{"html": "x", "keep": ":::"}', 422, ":::"),
        (b'{"url": "no address"}', 422, "no address"),
        (b'{"url": "ftp://a.example/"}', 422, "ftp"),
        (b'{"url": "file:///etc/passwd"}', 422, "file"),
        (b'{"url": "http://127.0.0.1/"}', 422, "this machine"),
        (b'{"url": "http://169.254.169.254/latest/"}', 422, "link-local"),
        (b'{"url": "http://[::1]/"}', 422, "this machine"),
        (b'{"url": "http://0x7f.1/"}', 422, "127.0.0.1"),
    ],
)
def test_wrong_requests_are_answered_with_what_to_do(
    service: httpx.Client, body: bytes, status: int, says: str
) -> None:
    found = service.post("/api/extract", content=body, headers={"Content-Type": "application/json"})
    assert says in _problem(found, status)


@pytest.mark.parametrize(
    "asked",
    [
        {"options": {"model": "/etc/passwd"}},
        {"method": "combine", "options": {"methods": ["sieve:model=/etc/passwd", "bte"]}},
    ],
)
def test_no_option_reads_a_file_of_the_service(service: httpx.Client, asked: dict[str, Any]) -> None:
    assert "files are not read" in _problem(service.post("/api/extract", json={"html": "x", **asked}), 422)
    sieve = service.get("/api/methods").json()["extractors"]["methods"]
    assert not any("model" in method["options"]["properties"] for method in sieve)


def test_a_number_that_is_no_number_of_the_machine_is_refused(service: httpx.Client) -> None:
    body = b'{"html": "x", "method": "crunch", "options": {"link_ratio": 1' + b"0" * 400 + b"}}"
    found = service.post("/api/extract", content=body, headers={"Content-Type": "application/json"})
    assert "float is expected" in _problem(found, 422)


def test_a_body_of_another_type_is_refused(service: httpx.Client) -> None:
    found = service.post("/api/extract", content=b"x", headers={"Content-Type": "application/pdf"})
    assert "application/pdf" in _problem(found, 415)


def test_unknown_places_and_methods_are_problems(service: httpx.Client) -> None:
    assert "/api/openapi.json" in _problem(service.get("/api/nothing"), 404)
    assert "GET" in _problem(service.get("/api/extract"), 405)


def test_a_detail_never_repeats_a_whole_page(service: httpx.Client) -> None:
    found = service.post("/api/extract", json={"html": PAGE, "method": "x" * 100_000})
    assert len(_problem(found, 422)) < 2_000


def test_any_bytes_give_a_result(service: httpx.Client) -> None:
    for body in (
        b"",
        b"\0" * 1000,
        bytes(range(256)) * 20,
        b"%PDF-1.7 ..." * 100,
        "\ud800".encode("utf-8", "surrogatepass"),
    ):
        found = service.post("/api/extract", content=body, headers={"Content-Type": "text/html"})
        assert found.status_code == 200
        assert found.json()["status"] in ("empty", "ok", "truncated")


def test_half_characters_can_be_asked_about(service: httpx.Client) -> None:
    body = b'{"html": "<p>a \\ud800 half", "url": "\\udfff", "method": "keep_all"}'
    found = service.post("/api/extract", content=body, headers={"Content-Type": "application/json"})
    assert found.status_code == 200


def test_methods_are_those_of_the_registry_with_their_options(service: httpx.Client) -> None:
    document = service.get("/api/methods").json()
    assert set(document) == set(registry.kinds())
    for kind, about in document.items():
        assert [method["name"] for method in about["methods"]] == list(registry.names(kind))
    assert document["extractors"]["default"] == "sieve"
    lqf = next(method for method in document["extractors"]["methods"] if method["name"] == "lqf")
    threshold = lqf["options"]["properties"]["threshold"]
    assert threshold["type"] == ["number", "null"]
    assert threshold["default"] == registry.load("extractors", "lqf").Options().threshold
    assert threshold["description"]
    text = next(method for method in document["outputs"]["methods"] if method["name"] == "text")
    assert text["options"]["properties"]["max_characters"]["type"] == ["integer", "null"]


def test_methods_are_compared_on_one_page(service: httpx.Client) -> None:
    asked: dict[str, Any] = {"html": PAGE, "methods": ["keep_all", "sieve"], "gold": tamis.extract(PAGE).text}
    rows = service.post("/api/compare", json=asked).json()["methods"]
    assert [row["method"] for row in rows] == ["sieve", "keep_all"]
    assert rows[0]["gold_bag"]["f1"] == 1.0
    assert rows[1]["gold_bag"]["recall"] == 1.0
    assert rows[1]["gold_bag"]["precision"] < 1.0
    assert rows[0]["text"] == tamis.extract(PAGE).text


def test_two_texts_are_scored(service: httpx.Client) -> None:
    scores = service.post("/api/score", json={"gold": "one two", "extracted": "one"}).json()
    assert scores["bag"] == {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3)}
    assert set(scores) == set(tamis.score("a", "a"))


def test_regions_name_their_parents(service: httpx.Client) -> None:
    found = service.post("/api/segment", json={"html": PAGE, "method": "bcs"}).json()
    regions = found["regions"]
    assert regions[0]["parent"] is None
    assert all(region["parent"] < number for number, region in enumerate(regions) if number)
    assert sum(len(region["nodes"]) for region in regions) > 0


def test_a_page_is_laid_out_by_a_browser(service: httpx.Client) -> None:
    try:
        check_browser()
    except TamisError as error:
        pytest.skip(str(error))
    found = service.post("/api/render", json={"html": PAGE, "width": 500, "screenshot": True}).json()
    assert found["width"] >= 500
    lines = [box for box in found["boxes"] if box["kind"] == "text" and box["visible"]]
    text = tamis.parse(PAGE).text
    assert any(text[slice(*box["span"])].startswith("The height of the sea") for box in lines)
    assert base64.b64decode(found["screenshot"]).startswith(b"\x89PNG")
    assert "width is 0" in _problem(service.post("/api/render", json={"html": PAGE, "width": 0}), 422)


def test_pages_are_fetched_and_know_their_address(private_service: httpx.Client, web: Web) -> None:
    web.answers["/old"] = answer("", "302 Found", location="/new")
    web.answers["/new"] = answer(PAGE.encode())
    found = private_service.post("/api/extract", json={"url": web.url("/old", "127.0.0.1")}).json()
    assert found["url"] == web.url("/new", "127.0.0.1")
    assert found["text"] == tamis.extract(PAGE).text


def _hang(_: Request, send: Send) -> None:
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>")


@pytest.mark.parametrize(
    ("told", "status", "says"),
    [
        (answer("", "302 Found", location="/page"), 422, "loop"),
        (answer("gone", "404 Not Found"), 422, "404"),
        (answer(b"%PDF", content_type="application/pdf"), 422, "application/pdf"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
            502,
            "gzip",
        ),
        (b"this is not HTTP\r\n\r\n", 502, "broke"),
        (_hang, 502, "broke"),
    ],
)
def test_servers_that_do_not_deliver_are_problems(
    private_service: httpx.Client, web: Web, told: Any, status: int, says: str
) -> None:
    web.answers["/page"] = told
    found = private_service.post("/api/extract", json={"url": web.url("/page", "127.0.0.1")})
    assert says in _problem(found, status)
    assert private_service.get("/healthz").text == "ok\n"
