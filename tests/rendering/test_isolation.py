"""Nothing is in a page's reach: a listener on this machine counts what arrives, through TCP and UDP."""

from __future__ import annotations

import contextlib
import io
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tamis.rendering import browser as browser_module
from tamis.rendering import doorkeeper as doorkeeper_module
from tamis.rendering.browser import Browser
from tamis.rendering.doorkeeper import Doorkeeper
from tamis.rendering.isolation import policy
from tamis.rendering.render import render, render_full

ATTEMPTS = """
<link rel=preconnect href="{web}"><link rel=dns-prefetch href="{web}"><link rel=prefetch href="{web}/prefetch">
<link rel=preload as=image href="{web}/preload"><link rel=stylesheet href="{web}/style">
<link rel=icon href="{web}/icon">
<style>@import url({web}/import); body{{background:url({web}/background)}}
@font-face{{font-family:x;src:url({web}/font)}} p{{font-family:x}}</style>
<p>text<img src="{web}/image"><img srcset="{web}/set 1x"><input type=image src="{web}/input">
<iframe src="{web}/frame"></iframe><iframe srcdoc="<img src={web}/nested>"></iframe>
<object data="{web}/object"></object><embed src="{web}/embed"><video src="{web}/video" poster="{web}/poster"></video>
<audio src="{web}/audio" autoplay></audio><svg><image href="{web}/svg"/><use href="{web}/use#x"/></svg>
<script src="{web}/script"></script><meta http-equiv=refresh content="0;url={web}/refresh">
<script type=speculationrules>{{"prefetch":[{{"source":"list","urls":["{web}/guess"]}}]}}</script>
<script>
const attempts = [
  () => new WebSocket("ws://127.0.0.1:{port}/socket"),
  () => fetch("{web}/fetch", {{mode: "no-cors"}}).catch(() => 0),
  () => navigator.sendBeacon("{web}/beacon", "x"),
  () => new EventSource("{web}/events"),
  () => {{ const request = new XMLHttpRequest(); request.open("GET", "{web}/xhr"); request.send(); }},
  () => navigator.serviceWorker.register("/worker.js").catch(() => 0),
  () => new Worker(URL.createObjectURL(new Blob(["fetch('{web}/worker')"]))),
  () => new WebTransport("https://127.0.0.1:{port}/transport"),
  () => {{
    const servers = [{{urls: "stun:127.0.0.1:{port}"}},
      {{urls: "turn:127.0.0.1:{port}?transport=tcp", username: "a", credential: "b"}}];
    const peer = new RTCPeerConnection({{iceServers: servers}});
    peer.createDataChannel("x"); peer.createOffer().then(offer => peer.setLocalDescription(offer));
  }},
  () => Object.assign(document.createElement("a"), {{href: "{web}/download", download: "x"}}).click(),
  () => Object.assign(document.createElement("a"), {{href: "#", ping: "{web}/ping"}}).click(),
  () => {{
    const form = document.createElement("form"); form.action = "{web}/form"; form.method = "post";
    document.body.append(form); form.submit();
  }},
  () => window.open("{web}/popup"),
  () => alert("a dialogue"),
  () => {{ location = "{web}/elsewhere"; }},
];
for (const attempt of attempts) {{ try {{ attempt(); }} catch {{}} }}
</script>"""


class Listener:
    """Counts connections and packets to a port of this machine."""

    def __init__(self) -> None:
        self.arrived = 0
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        for count in (self._count_connections, self._count_packets):
            threading.Thread(target=count, daemon=True).start()

    def _count_connections(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._tcp.accept()[0].close()
                self.arrived += 1

    def _count_packets(self) -> None:
        with contextlib.suppress(OSError):
            while self._udp.recv(10):
                self.arrived += 1

    def close(self) -> None:
        for opened in (self._tcp, self._udp):
            with contextlib.suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()

    @property
    def page(self) -> str:
        return ATTEMPTS.format(web=f"http://127.0.0.1:{self.port}", port=self.port)


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


@pytest.mark.parametrize("scripts", [False, True])
@pytest.mark.parametrize("walls", ["all", "without the policy", "the last one alone"])
def test_nothing_leaves_the_browser(
    browser: Browser, listener: Listener, monkeypatch: pytest.MonkeyPatch, scripts: bool, walls: str
) -> None:
    if walls != "all":
        monkeypatch.setattr(doorkeeper_module, "policy", lambda **_: "")
    if walls == "the last one alone":
        monkeypatch.setattr(Doorkeeper, "answer", _let_through)
    page = render(listener.page, browser=browser, scripts=scripts, screenshot=False)
    assert page.boxes is not None or walls == "the last one alone"
    time.sleep(0.2)  # for what is still under way
    assert listener.arrived == 0


def test_without_the_walls_the_listener_counts(
    listener: Listener, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorkeeper_module, "policy", lambda **_: "")
    monkeypatch.setattr(Doorkeeper, "answer", _let_through)
    monkeypatch.setattr(browser_module, "FLAGS", ())
    with Browser() as open_browser:
        render(f"<p>x<img src='http://127.0.0.1:{listener.port}/'>", browser=open_browser, screenshot=False)
        _wait_until(lambda: listener.arrived > 0)
    assert listener.arrived > 0


def _wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(100):
        if condition():
            return
        time.sleep(0.1)


async def _let_through(self: Doorkeeper, route: object) -> None:
    from playwright.async_api import Route

    assert isinstance(route, Route)
    if self._is_awaited and route.request.is_navigation_request():
        self._is_awaited = False
        await route.fulfill(body=self._markup, headers={"content-type": "text/html; charset=utf-8"})
    else:
        await route.continue_()


@pytest.mark.parametrize("scripts", [False, True])
def test_a_framed_local_file_is_not_shown(browser: Browser, tmp_path: Path, scripts: bool) -> None:
    from PIL import Image

    secret = tmp_path / "secret.html"
    secret.write_text("<body style='background:#ff0000'>secret")
    frame = "width=200 height=200 style='border:0;display:block'"
    page = (
        "<body style='margin:0'>"
        f"<iframe {frame} srcdoc=\"<body style='background:#00ff00'>\"></iframe>"
        f"<iframe {frame} src='{secret.as_uri()}'></iframe>"
        f"<object {frame} data='{secret.as_uri()}'></object>"
    )
    rendering = render_full(page, browser=browser, scripts=scripts)
    assert rendering.screenshot is not None
    with Image.open(io.BytesIO(rendering.screenshot)) as picture:
        pixels = picture.convert("RGB")
        assert pixels.getpixel((100, 100)) == (0, 255, 0)  # a frame can be seen at all
        assert (255, 0, 0) not in {pixels.getpixel((x, y)) for x in range(5, 400, 5) for y in range(5, 760, 5)}


def test_a_local_file_is_refused_even_with_a_folder_of_assets(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("p{margin-left:100px}")
    page = render(
        f"<link rel=stylesheet href='{(tmp_path / 'style.css').as_uri()}'><p>x",
        browser=browser,
        assets=tmp_path,
        screenshot=False,
    )
    assert page.boxes is not None
    assert page.boxes.rect[:, 0].max() < 100


@pytest.mark.parametrize("scripts", [False, True])
def test_the_policy_names_nothing_on_the_web(scripts: bool) -> None:
    assert "http" not in policy(scripts=scripts, assets=False)
    assert ("allow-scripts" in policy(scripts=scripts, assets=True)) == scripts
