"""How pages come into the inspector in a real browser, and how results leave it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")

from tamis.evaluation.stored_web import PageServer, running_server  # noqa: E402
from tamis.service.settings import Settings  # noqa: E402
from tests.outputs.attacks import ATTACKS  # noqa: E402
from tests.service.inspector_tab import Inspector  # noqa: E402
from tests.service.running import running  # noqa: E402

pytestmark = pytest.mark.proof  # tours of the pages in a browser; test_inspector_browser.py runs every day


def test_pages_come_from_the_clipboard_a_file_and_an_address(inspector: Inspector, tmp_path: Path) -> None:
    page = inspector.open().page
    inspector.paste("<p>Pasted words, enough of them to be a sentence.</p>")
    assert page.locator("#panel-text").inner_text().startswith("Pasted words")
    file = tmp_path / "boat.html"
    file.write_bytes("<meta charset=windows-1252><p>Ein Boot fährt über den See, und es fährt zurück.".encode("cp1252"))
    page.locator("#open-button").click()
    page.locator("#file").set_input_files(file)
    inspector.expect("#panel-text:has-text('fährt über')")
    assert page.locator("#source-name").inner_text() == "boat.html"
    server: PageServer = running_server()
    with server.holding({"http://news.example/a": "<title>Fetched</title><p>A page that came over the wire.</p>"}):
        page.locator("#open-button").click()
        page.locator("#address").fill(server.address("http://news.example/a"))
        page.locator("#open-address button").click()
        inspector.expect("#panel-text:has-text('over the wire')")
    page.locator("#open-button").click()
    page.locator("#address").fill(server.address("http://news.example/missing"))
    page.locator("#open-address button").click()
    assert "404" in inspector.expect("#open-problem:not([hidden])").inner_text()
    page.locator("#address").fill("news.invalid/a")  # without a scheme, as people type it
    page.locator("#open-address button").click()
    assert "is not a URL" not in inspector.expect("#open-problem:has-text('news.invalid')").inner_text()


def test_a_page_of_a_dataset_brings_its_gold_text(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "train").mkdir()
    sample = {
        "id": "one",
        "html": "<p>The words of the page, and some more of them.</p>",
        "gold": "The words of the page",
    }
    (tmp_path / "train" / "tiny.jsonl").write_text(json.dumps(sample), encoding="utf-8")
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path))
    with running(Settings(port=0, token="", workers=1)) as client:
        inspector = Inspector(browser, f"{client.base_url}/")
        page = inspector.open().page
        page.locator("#open-button").click()
        page.locator("#dataset").select_option("train/tiny")
        inspector.expect("#sample:not([disabled])")
        page.locator("#open-dataset button").click()
        inspector.expect("#source-name:has-text('train/tiny, one')")
        page.locator("#tab-compare").click()
        assert "1.000" in inspector.expect("#difference .scores").inner_text()
        assert "d=train%2Ftiny%3A0" in page.url
        inspector.context.close()


def test_a_link_brings_back_what_was_shown(inspector: Inspector) -> None:
    page = inspector.open("#m=bte&r=cetr&v=tree.markdown").page
    inspector.paste("<p>Words in the link: <b>älter</b> than the sea.</p>")
    page.locator("#share-button").click()
    inspector.expect("#status:has-text('link is in the')")
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    inspector.settle()
    assert "älter than the sea" in page.locator("#panel-markdown").inner_text().replace("**", "")
    assert [page.locator(f"#{name}").input_value() for name in ("method", "rival")] == ["bte", "cetr"]
    assert page.locator("#tab-tree").get_attribute("aria-selected") == "true"


def test_broken_links_open_the_example(inspector: Inspector) -> None:
    page = inspector.open("#m=nothing&o={broken&z=!!&v=nowhere").page
    assert page.locator("#method").input_value() == "sieve"


def test_everything_can_be_taken_away(inspector: Inspector) -> None:
    page = inspector.open().page
    endings = {
        "Text": "txt",
        "Markdown": "md",
        "HTML": "html",
        "TEI": "xml",
        "Blocks as CSV": "csv",
        "First curve as SVG": "svg",
    }
    page.locator("#tab-curves").click()
    for name, ending in endings.items():
        page.locator("#export-button").click()
        with page.expect_download() as download:
            page.locator(f"#export-menu button:text-is('{name}')").click()
        assert download.value.suggested_filename == f"an-example.sieve.{ending}"
        assert Path(download.value.path()).stat().st_size > 100
    page.locator("#export-button").click()
    with page.expect_download() as download:
        page.locator("#export-menu button:text-is('JSON')").click()
    assert json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["method"] == "sieve"


HOSTILE_PAGE = "".join(ATTACKS).replace("evil.example", "127.0.0.1:9/evil") + (
    "<style>@import url(/evil.css); body { background: url(/evil.png) } "
    "@font-face { font-family: x; src: url(/evil.woff) } "
    "input[value^=a] { background: image-set('/evil' 1x) } .u { background: u\\72l(/evil-escaped) }</style>"
    "<p class=u>u</p><p style='background: u\\72l(/evil-attribute)'>v</p>"
    "<meta http-equiv=refresh content='0;url=/evil-refresh'>"
    "<iframe srcdoc='<script>parent.parent.evil = 1</script><img src=/evil-inner>'></iframe>"
    "<video autoplay src=/evil.mp4></video>"
    "<form action=/evil-form><input autofocus onfocus='parent.evil=1'><button>go</button></form>"
    "<a href=/evil-link target=_top ping=/evil-ping>follow me</a><link rel=stylesheet href=/evil-sheet.css>"
    "<link rel=preconnect href=https://127.0.0.1:9><object data=/evil-object></object>"
    "<svg><image href=/evil-image /></svg>"
    "<script>parent.evil = 1; top.location = '/evil-top'</script><p>" + "words of the page that are true " * 9
)


def test_hostile_pages_neither_run_nor_reach_anything(inspector: Inspector) -> None:
    page = inspector.open().page
    inspector.paste(HOSTILE_PAGE)
    page.wait_for_timeout(300)
    page.mouse.click(200, 300)
    for tab in ("text", "markdown", "json", "facts"):
        page.locator(f"#tab-{tab}").click()
    assert page.evaluate("() => window.evil") is None
    assert not [url for url in inspector.requests if "evil" in url]
    assert {re.match(r"(https?://[^/]+|\w+:)", url)[0] for url in inspector.requests} <= {  # type: ignore[index]
        *(inspector.home.partition("/?")[0], "blob:", "data:", "about:")
    }
    assert page.url.startswith(inspector.home.split("?")[0])
    frame = page.locator("#sheet iframe")
    assert frame.get_attribute("sandbox") == "allow-same-origin"
    inner = page.evaluate(
        "() => [...document.querySelector('#sheet iframe').contentDocument.querySelectorAll('*')]"
        ".flatMap((one) => [one.localName, ...one.getAttributeNames()])"
    )
    assert not {"script", "iframe", "object", "embed", "link", "svg", "href", "action", "srcdoc", "style"} & (
        set(inner) - {"style"}
    )
    assert not [name for name in inner if name.startswith("on")]
