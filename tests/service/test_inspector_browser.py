"""The inspector in a real browser: every feature, used as a person would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")

from tamis.evaluation.serving import PageServer, running_server  # noqa: E402
from tamis.service.settings import Settings  # noqa: E402
from tests.outputs.test_attacks import ATTACKS  # noqa: E402
from tests.service.barriers import needs_axe, serious_barriers  # noqa: E402
from tests.service.running import TOKEN, running  # noqa: E402

ARTICLE = "#block-list [data-block='8']"  # the first paragraph of the example


@pytest.fixture(name="home", scope="session")
def _home(private_service: Any) -> str:
    """The address that a service prints when it starts."""
    return f"{private_service.base_url}/?token={TOKEN}"


class Inspector:
    """A tab with the inspector in it, and all that happened in it."""

    def __init__(self, browser: Any, home: str, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True, **options)
        self.home = home
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: self.faults.append(dialog.message))

    def open(self, link: str = "") -> Inspector:
        self.page.goto(self.home + link)
        return self.settle()

    def settle(self) -> Inspector:
        self.page.locator("body:not([aria-busy]) #status:has-text('blocks kept')").wait_for()
        self.page.locator("#method option:nth-child(2)").wait_for(state="attached")
        return self

    def paste(self, markup: str) -> Inspector:
        self.page.locator("#open-button").click()
        self.page.locator("#paste").fill(markup)
        self.page.locator("#open-paste button").click()
        self.page.locator("#open-dialog").wait_for(state="hidden")
        return self.settle()

    def lit_in_page(self) -> list[str]:
        texts: list[str] = self.page.evaluate(
            "() => [...document.querySelector('#sheet iframe').contentDocument.querySelectorAll('[data-lit]')]"
            ".map((text) => text.textContent)"
        )
        return texts

    def expect(self, selector: str, count: int | None = None) -> Any:
        found = self.page.locator(selector)
        if count is None:
            found.first.wait_for()
        else:
            playwright.expect(found).to_have_count(count)
        return found


@pytest.fixture(name="inspector")
def _inspector(browser: Any, home: str) -> Iterator[Inspector]:
    inspector = Inspector(browser, home)
    yield inspector
    inspector.context.close()
    assert inspector.faults == []


def test_pointing_in_one_pane_lights_up_the_others(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator(ARTICLE).hover()
    assert inspector.lit_in_page()[0].startswith("For a hundred and nine years")
    assert inspector.expect("#panel-text .lit").inner_text().startswith("For a hundred")
    page.locator("#panel-text [data-block='9']").hover()
    inspector.expect("#block-list .lit[data-block='9']")
    assert inspector.lit_in_page()[0].startswith("The crossing takes")
    place = page.frame_locator("#sheet iframe").locator("h1 tamis-text").bounding_box()
    page.mouse.move(place["x"] + 20, place["y"] + 10)
    inspector.expect("#block-list .lit[data-block='6']")
    page.mouse.move(2, 2)
    inspector.expect(".lit", 0)


def test_every_block_tells_its_score_its_features_and_why(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator(ARTICLE).click()
    details = inspector.expect("#details").inner_text()
    assert re.search(r"Kept.*score 0\.9\d", details, re.DOTALL)
    assert "probability" in details
    inspector.expect("#details .for")
    page.locator("#details summary").click()
    assert "link density" not in page.locator("#details .features").inner_text()  # it has no links
    page.locator("#block-list [data-block='1']").click()
    assert "Dropped" in page.locator("#details").inner_text()
    page.locator("#details summary").click()
    assert "link density" in page.locator("#details .features").inner_text()


def test_methods_and_options_are_switched_live(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator("#method").select_option("lqf")
    inspector.expect("#status:has-text('blocks kept'):not(:has-text('taken for'))")
    page.locator("#method").select_option("sieve")
    inspector.expect("#status:has-text('taken for')")
    before = page.locator("#block-list .kept").count()
    page.keyboard.press("Tab")
    page.locator("#options-button").click()
    page.locator("#option-bias").fill("1")
    inspector.expect("#options-count:has-text('1')")
    inspector.settle()
    assert page.locator("#block-list .kept").count() > before
    page.locator("#option-bias").fill("7")
    assert "between -1" in inspector.expect("#problem:not([hidden])").inner_text()
    page.locator("#option-bias").fill("0")
    page.locator("#option-drop").fill("article")
    inspector.expect("#problem[hidden]", 1)
    inspector.expect(f"{ARTICLE}.dropped")
    page.locator("#options button:has-text('Reset')").click()
    inspector.expect(f"{ARTICLE}.kept")


def test_two_methods_are_compared_as_a_diff(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator("#rival").select_option("keep_all")
    page.locator("#tab-compare").click()
    assert "Storm warning" in " ".join(inspector.expect("#difference .diff del").all_inner_texts())
    page.locator(".filters label:has-text('disputed')").first.click()
    assert page.locator("#block-list .block:visible").count() == page.locator("#block-list .disputed").count() > 0
    assert "keep_all keeps it" in page.locator("#block-list .disputed").first.inner_text()
    page.locator("label:has-text('a gold text')").click()
    page.locator("#gold").fill("The crossing takes eleven minutes when the wind is kind. And more.")
    scores = inspector.expect("#difference .scores").inner_text()
    assert "bag of words" in scores
    assert "And more" in " ".join(page.locator("#difference del").all_inner_texts())


def test_curves_are_drawn_and_point_at_the_page(inspector: Inspector) -> None:
    page = inspector.open("#v=curves").page
    for method, shape in (("cetr", ".dot"), ("dsc", ".line"), ("ccb", ".strip")):
        page.locator("#method").select_option(method)
        inspector.expect(f".chart {shape}")
    chart = page.locator(".curve").first
    chart.hover()
    inspector.expect(".reading:has-text('·')")
    chart.focus()
    page.keyboard.press("Home")
    for _ in range(12):
        page.keyboard.press("PageDown")
    assert chart.get_attribute("aria-valuenow") == "241"
    assert "content around" in chart.get_attribute("aria-valuetext")
    inspector.expect("#details strong")  # the block there is chosen


def test_a_block_is_shown_on_the_curve(inspector: Inspector) -> None:
    page = inspector.open("#m=ccb&v=curves").page
    page.locator("#panel-text [data-block='8']").first.hover()
    assert inspector.expect(".curve .band:not(.selected)").first.get_attribute("d")


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


def test_the_keyboard_is_enough(inspector: Inspector) -> None:
    page = inspector.open().page
    page.keyboard.press("n")
    kept = page.locator("[role=option][aria-selected=true]")
    first = int(kept.get_attribute("data-block"))
    assert "kept" in kept.get_attribute("class")
    page.keyboard.press("j")
    assert int(page.locator("[role=option][aria-selected=true]").get_attribute("data-block")) == first + 1
    page.locator("#block-list").focus()
    page.keyboard.press("ArrowUp")
    assert page.locator("#block-list").get_attribute("aria-activedescendant") == f"block-{first}"
    page.keyboard.press("End")
    assert page.locator("#block-list").get_attribute("aria-activedescendant") == "block-36"
    page.keyboard.press("Escape")
    inspector.expect("[role=option][aria-selected=true]", 0)
    page.locator("#tab-blocks").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#tab-tree").get_attribute("aria-selected") == "true"
    page.locator("[role=treeitem]").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=treeitem]").first.get_attribute("aria-expanded") == "false"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.textContent") == "head"
    page.keyboard.press("?")
    inspector.expect("#help-dialog[open] kbd")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    inspector.expect("#open-dialog[open]")


def test_a_block_is_found_in_the_tree(inspector: Inspector) -> None:
    page = inspector.open("#v=tree").page
    page.locator("#panel-text [data-block='8']").first.click()
    assert inspector.expect(".leaf.selected").inner_text().startswith("p")


def test_regions_and_boxes_light_up_with_the_blocks(inspector: Inspector) -> None:
    page = inspector.open("#v=layout").page
    inspector.expect(".layout .block-boxes rect[data-block='8'].kept")
    page.locator("#panel-text [data-block='8']").first.hover()
    inspector.expect(".layout rect.lit[data-block='8']")
    page.locator("#tab-regions").click()
    page.locator("#segmenter").select_option("text_nodes")
    page.locator(".regions .region:has-text('For a hundred and nine')").last.hover()
    inspector.expect(".layout .region-boxes rect")
    inspector.expect("#panel-text .lit")


def test_a_browser_renders_the_page_when_asked(inspector: Inspector) -> None:
    page = inspector.open("#v=layout").page
    inspector.expect("#panel-layout:has-text('Estimated')")
    page.locator("#render-button").click()
    inspector.expect("#panel-layout:has-text('As a browser shows it')")
    assert page.locator(".layout image").get_attribute("href").startswith("data:image/png;base64,")


def test_light_and_dark_follow_the_system_and_the_button(browser: Any, home: str) -> None:
    inspector = Inspector(browser, home, color_scheme="dark")
    page = inspector.open().page

    def darkness() -> int:
        return int(re.findall(r"\d+", page.evaluate("() => getComputedStyle(document.body).backgroundColor"))[0])

    assert darkness() < 60
    page.keyboard.press("t")
    assert darkness() > 200
    page.reload()
    inspector.settle()
    assert darkness() > 200
    inspector.context.close()


def test_a_phone_shows_one_pane_at_a_time(inspector: Inspector) -> None:
    inspector.page.set_viewport_size({"width": 390, "height": 844})
    page = inspector.open().page
    for name in ("structure", "output", "page"):
        page.locator(f".pane-tabs [data-pane={name}]").click()
        assert [pane for pane in ("page", "structure", "output") if page.locator(f"#{pane}").is_visible()] == [name]
    page.locator(".pane-tabs [data-pane=output]").click()
    page.locator("#panel-text [data-block]").first.click()
    assert "Kept" in inspector.expect("#details:visible").inner_text()
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390


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


STATES = {
    "compared": ("#r=bte&v=compare", "nn"),
    "curves": ("#m=cetr&r=bte&v=curves.json", "n"),
    "tree and options": ("#v=tree.facts", "np"),
    "layout": ("#v=layout.regions.markdown", "n"),
    "opening": ("", "o"),
    "shortcuts": ("", "?"),
}


@needs_axe
@pytest.mark.parametrize(
    ("scheme", "width", "states"),
    [
        ("light", 1440, ("compared", "layout", "opening")),
        ("dark", 1440, ("curves", "tree and options", "shortcuts")),
        ("light", 390, ("compared",)),
    ],
)
def test_axe_finds_no_serious_violation(
    browser: Any, home: str, scheme: str, width: int, states: Iterable[str]
) -> None:
    inspector = Inspector(browser, home, color_scheme=scheme, bypass_csp=True)
    page = inspector.page
    page.set_viewport_size({"width": width, "height": 900})
    for state in states:
        link, keys = STATES[state]
        page.goto("about:blank")
        inspector.open(link)
        for key in keys:
            page.keyboard.press(key)
        assert (state, serious_barriers(page)) == (state, [])
    inspector.context.close()
