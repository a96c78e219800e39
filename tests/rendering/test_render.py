"""What a browser shows, at the nodes and characters it belongs to."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import OptionError, UnknownNameError
from tamis.page.boxes import ELEMENT, IMAGE, TEXT
from tamis.page.model import Page
from tamis.rendering import visit as visit_module
from tamis.rendering.browser import Browser
from tamis.rendering.render import Options, Rendering, render, render_full, render_many

FRAME = "<!doctype html><style>body{margin:0;font:16px/20px monospace}</style>"


def lines(page: Page, *, visible: bool | None = None) -> list[str]:
    assert page.boxes is not None
    chosen = page.boxes.kind == TEXT
    if visible is not None:
        chosen &= page.boxes.visible == visible
    starts, ends = page.boxes.start[chosen].tolist(), page.boxes.end[chosen].tolist()
    return [page.text[start:end] for start, end in zip(starts, ends, strict=True)]


def box(page: Page, selector: str) -> int:
    """The position of the box of an element."""
    assert page.boxes is not None
    place = int(page.boxes.of_nodes(len(page.nodes))[page.select(selector)[0]])
    assert place >= 0
    return place


def rect(page: Page, selector: str) -> list[float]:
    assert page.boxes is not None
    found: list[float] = page.boxes.rect[box(page, selector)].tolist()
    return found


def test_boxes_are_where_the_style_puts_them(browser: Browser) -> None:
    page = render(
        FRAME + "<div id=a style='width:300px;height:40px'></div>"
        "<div id=b style='position:absolute;left:500px;top:1000px;width:50px;height:30px'></div>",
        browser=browser,
    )
    assert page.boxes is not None
    assert rect(page, "#a") == [0, 0, 300, 40]
    assert rect(page, "#b") == [500, 1000, 550, 1030]
    assert (page.boxes.width, page.boxes.height, page.boxes.viewport) == (1366, 1030, (1366, 768))
    assert not page.boxes.estimated


def test_the_page_is_the_one_that_parsing_gives(browser: Browser) -> None:
    source = "<title>t</title><p>one<p>two<noscript><i>three</i></noscript><table><b>stray</b><tr><td>cell</table>"
    page, parsed = render(source, "https://example.org/a", browser=browser), tamis.parse(source)
    assert page.text == parsed.text
    assert page.nodes.parent.tolist() == parsed.nodes.parent.tolist()
    assert page.url == "https://example.org/a"
    assert lines(page) == ["one", "two", "three", "stray", "cell"]
    assert not page.warnings


def test_every_line_of_a_text_is_a_box_with_its_characters(browser: Browser) -> None:
    page = render(FRAME + "<p style='width:6ch'>one   two\n three four", browser=browser)
    assert page.boxes is not None
    assert [line.strip() for line in lines(page)] == ["one", "two", "three", "four"]
    texts = page.boxes.kind == TEXT
    assert np.unique(page.boxes.node[texts]).tolist() == page.nodes.visible_texts.tolist()
    assert page.boxes.rect[texts, 1].tolist() == sorted(set(page.boxes.rect[texts, 1].tolist()))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a  \n b", ["a  \n b"]),
        ("<pre>a\n  b</pre>", ["a\n", "  b"]),
        ("<p>😀 one<br>two 😀 three", ["😀 one", "two 😀 three"]),
        ("<p style='text-transform:uppercase'>straße  und so", ["straße  und so"]),
        ("<style>p::first-letter{font-size:40px}</style><p> 😀nce upon", ["😀", "nce upon"]),
        ("<style>p::first-letter{font-size:40px}</style><p>“Once</p><p>X</p>", ["“O", "nce", "X"]),
        ("<style>p::before{content:'made up'}</style><p>said", ["said"]),
        ("<p>a&shy;b<wbr>c", ["a\xadb", "c"]),
        ("<p dir=rtl>abc שלום def", ["abc שלום def"]),
        ("<div><template shadowrootmode=open><p>in</p><slot></slot></template>out</div>", ["in", "out"]),
        (
            "<div><template shadowrootmode=open><slot name=b></slot><slot>none</slot><slot name=c>instead</slot>"
            "</template><i slot=b>second</i></div>",
            ["none", "instead", "second"],
        ),
        ("<p>a<!-- - -->b<?c?>d", ["a", "b", "d"]),
        ("<p>кириллица и <b>ещё</b>", ["кириллица и ", "ещё"]),
    ],
)
def test_lines_are_ranges_of_the_text_of_the_page(browser: Browser, markup: str, expected: list[str]) -> None:
    page = render(FRAME + markup, browser=browser, screenshot=False)
    assert lines(page) == expected
    assert not page.warnings


def test_boxes_come_in_document_order(browser: Browser) -> None:
    markup = "<ul style='display:flex;flex-direction:row-reverse'><li>one<li>two<li>three</ul><p>four <b>five</b> six"
    page = render(FRAME + markup, browser=browser)
    assert page.boxes is not None
    places = list(zip(page.boxes.node.tolist(), page.boxes.start.tolist(), strict=True))
    assert places == sorted(places)
    assert lines(page) == ["one", "two", "three", "four ", "five", " six"]


def test_what_cannot_be_seen_is_marked(browser: Browser) -> None:
    page = render(
        FRAME + "<p>seen</p>"
        "<p style='visibility:hidden'>invisible</p>"
        "<div style='opacity:0'><p>transparent</p></div>"
        "<p style='position:absolute;left:-9999px'>far left</p>"
        "<p style='position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap'>for machines</p>"
        "<p style='position:absolute;clip:rect(0,0,0,0)'>clipped</p>"
        "<div style='height:20px;overflow:hidden'><p style='margin:0;height:20px'>top<p>below</div>"
        "<div style='height:0;overflow:hidden'><p style='position:absolute'>escapes</p></div>"
        "<p style='display:none'>no box</p>",
        browser=browser,
    )
    assert lines(page, visible=True) == ["seen", "top", "escapes"]
    assert lines(page, visible=False) == [
        "invisible", "transparent", "far left", "for machines", "clipped", "below",
    ]  # fmt: skip


def test_colours_are_blended_and_fonts_are_read(browser: Browser) -> None:
    page = render(
        FRAME + "<body style='background:#0000ff'>"
        "<div style='background:rgba(255,0,0,.5);color:#00ff00'>"
        "<p>over<b style='font:italic 700 30px serif'>bold</b></p></div>"
        "<div style='opacity:.5;background:#fff;color:#000'><u>half <span>lined</span></u></div>",
        browser=browser,
    )
    boxes = page.boxes
    assert boxes is not None
    bold = box(page, "b")
    assert boxes.background[bold].tolist() == [128, 0, 127]  # as the browser rounds
    assert boxes.color[bold].tolist() == [0, 255, 0]
    assert (boxes.font_size[bold], boxes.font_weight[bold], boxes.italic[bold]) == (30, 700, True)
    assert boxes.background[box(page, "u")].tolist() == [128, 128, 255]
    assert boxes.color[box(page, "u")].tolist() == [64, 64, 128]
    assert boxes.decorated[box(page, "span")]
    assert not boxes.decorated[bold]
    assert [page.name(int(node)) for node in boxes.node[boxes.paints]] == ["body", "div", "div"]


def test_what_is_behind_without_being_around_is_the_background(browser: Browser) -> None:
    page = render(
        FRAME + "<div style='position:absolute;top:0;left:0;width:400px;height:400px;background:#112233'></div>"
        "<p style='position:absolute;top:50px;left:50px'>on top</p>",
        browser=browser,
    )
    assert page.boxes is not None
    assert page.boxes.background[box(page, "p")].tolist() == [0x11, 0x22, 0x33]


def test_overlapping_boxes_are_told_apart_by_their_paint_order(browser: Browser) -> None:
    style = "position:absolute;left:0;top:0;width:100px;height:100px;background:#"
    page = render(
        f"<div id=a style='{style}f00;z-index:2'>a</div><div id=b style='{style}0f0;z-index:1'>b</div>", browser=browser
    )
    assert page.boxes is not None
    assert rect(page, "#a") == rect(page, "#b")
    assert page.boxes.paint_order[box(page, "#a")] > page.boxes.paint_order[box(page, "#b")]


def test_pictures_are_boxes_with_their_mean_colour(browser: Browser) -> None:
    markup = (
        FRAME + "<svg width=100 height=100 style='display:block'><rect width=100 height=50 fill='#f00'/>"
        "<rect y=50 width=100 height=50 fill='#00f'/></svg><canvas width=20 height=20></canvas><video></video>"
    )
    page = render(markup, browser=browser)
    assert page.boxes is not None
    images = page.boxes.kind == IMAGE
    assert [page.name(int(node)) for node in page.boxes.node[images]] == ["svg", "canvas", "video"]
    assert page.boxes.color[box(page, "svg")].tolist() == [128, 0, 128]
    unseen = render(markup, browser=browser, screenshot=False)
    assert unseen.boxes is not None
    assert unseen.boxes.color[box(unseen, "svg")].tolist() == [0, 0, 0]


def test_the_screenshot_shows_the_whole_page(browser: Browser) -> None:
    from PIL import Image

    rendering = render_full(
        FRAME + "<div style='height:2000px;background:#fff'></div><div style='height:100px;background:#f00'></div>",
        browser=browser,
    )
    assert rendering.screenshot is not None
    with Image.open(io.BytesIO(rendering.screenshot)) as picture:
        assert picture.size == (1366, 2100)
        assert [picture.convert("RGB").getpixel((700, y)) for y in (1990, 2010)] == [(255, 255, 255), (255, 0, 0)]
    assert render_full("<p>x", browser=browser, screenshot=False).screenshot is None


@pytest.mark.parametrize("style", ["direction:rtl", "writing-mode:vertical-rl"])
def test_a_page_that_goes_on_to_the_left_is_counted_from_its_left_edge(browser: Browser, style: str) -> None:
    from PIL import Image

    rendering = render_full(
        f"<!doctype html><html style='{style}'><body style='margin:0'>"
        "<div style='width:500px;height:90px;background:#f00'><p style='margin:0;width:500px'>x</div>",
        browser=browser,
        width=200,
        height=100,
    )
    page = rendering.page
    assert page.boxes is not None
    assert page.boxes.width == 500
    assert rect(page, "div") == [0, 0, 500, 90]
    assert lines(page, visible=True) == ["x"]
    assert rendering.screenshot is not None
    with Image.open(io.BytesIO(rendering.screenshot)) as picture:
        assert {picture.convert("RGB").getpixel((x, 80)) for x in (1, 250, 450)} == {(255, 0, 0)}


def test_a_screenshot_has_no_more_pixels_than_can_be_read(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    monkeypatch.setattr(visit_module, "_MAX_SHOT_PIXELS", 500 * 300)
    rendering = render_full("<body style='margin:0'><img style='display:block'><div style='height:400px'>", width=500,
        height=100, browser=browser)  # fmt: skip
    assert rendering.screenshot is not None
    with Image.open(io.BytesIO(rendering.screenshot)) as picture:
        assert picture.size == (500, 300)
    assert rendering.page.warnings == ("screenshot: only the first 500 x 300 of 500 x 400 pixels are shown",)


@pytest.mark.parametrize(
    "style",
    [
        "color:color(srgb -1 2 none);background:color(srgb none 0 0 / none)",
        "color:color(srgb calc(infinity) 0 0);background:rgb(from red r g b / calc(NaN))",
        "width:calc(NaN * 1px);font-size:calc(infinity * 1px);opacity:calc(NaN)",
        "position:absolute;clip:rect(auto,1e20px,auto,calc(-infinity * 1px))",
        "transform:scale(1e30) rotate(1e30deg);margin-left:-1e30px",
        "color:color(display-p3 1 0 0);background:oklch(50% .2 30 / 40%)",
    ],
)
def test_odd_values_of_styles_give_boxes_with_ordinary_numbers(browser: Browser, style: str) -> None:
    page = render(f"<p style='{style}'>text</p>", browser=browser, screenshot=False)
    assert page.boxes is not None
    assert lines(page) == ["text"]
    assert np.isfinite(page.boxes.rect).all()
    assert np.isfinite(page.boxes.font_size).all()


@pytest.mark.parametrize("moving", ["animation:move 1s infinite", "animation:move 60s forwards", "transition:all 60s"])
def test_the_same_page_gives_the_same_boxes(browser: Browser, moving: str) -> None:
    markup = (
        FRAME + "<style>@keyframes move{to{margin-left:500px;opacity:.2}}</style>"
        f"<p style='{moving}'>moving</p><marquee>to the left</marquee><p>still <b>here</b>"
    )

    def seen() -> list[object]:
        page = render(markup, browser=browser)
        assert page.boxes is not None
        return [value.tolist() for value in vars(page.boxes).values() if isinstance(value, np.ndarray)]

    assert seen() == seen()


def test_the_width_of_the_window_is_an_option(browser: Browser) -> None:
    page = render(FRAME + "<div>x", browser=browser, width=500, height=300)
    assert page.boxes is not None
    assert rect(page, "div")[2] == 500
    assert page.boxes.viewport == (500, 300)


def test_scripts_run_only_when_asked_for(browser: Browser) -> None:
    source = "<p>written</p><script>document.body.append('made'); document.querySelector('p').id = 'x'</script>"
    without = render(source, browser=browser)
    assert (without.text, lines(without)) == ("written", ["written"])
    ran = render(source, browser=browser, scripts=True)
    assert lines(ran) == ["written", "made"]
    assert ran.select("#x")


def test_what_scripts_make_late_and_in_shadows_is_joined(browser: Browser) -> None:
    source = (
        "<p>first</p><div id=host>light</div><script>setTimeout(() => {"
        "const shadow = document.querySelector('#host').attachShadow({mode: 'open'});"
        "shadow.innerHTML = '<i>dark</i><slot></slot>'}, 10)</script>"
    )
    page = render(source, browser=browser, scripts=True)
    assert lines(page) == ["first", "dark", "light"]
    assert not page.warnings


def test_a_frame_is_a_box_and_what_it_shows_is_not_part_of_the_page(browser: Browser) -> None:
    page = render(FRAME + "<iframe srcdoc='<p>inside' width=200 height=100></iframe><p>outside", browser=browser)
    assert page.boxes is not None
    assert lines(page) == ["outside"]
    assert page.boxes.kind[box(page, "iframe")] == IMAGE


def test_a_page_of_one_pixel_is_a_page(browser: Browser) -> None:
    page = render("<body style='margin:0;width:1px;height:1px'>", browser=browser, width=1, height=1)
    assert page.boxes is not None
    assert (page.boxes.width, page.boxes.height) == (1, 1)


@pytest.mark.parametrize("source", ["", b"\x00\x01\x02" * 100, "just text", "<frameset><frame src=a></frameset>"])
def test_any_source_gives_a_page_with_boxes(browser: Browser, source: str | bytes) -> None:
    page = render(source, browser=browser)
    assert page.boxes is not None
    assert (page.boxes.kind[page.boxes.visible] != TEXT).any()


def test_nesting_deeper_than_browsers_allow_loses_no_text(browser: Browser) -> None:
    page = render("<div>" * 700 + "deep <b>down</b>", browser=browser, screenshot=False)
    assert lines(page) == ["deep", "down"]


def test_many_pages_come_in_their_order_and_one_bad_one_costs_one(browser: Browser, tmp_path: Path) -> None:
    sources: list[str | Path] = ["<p>zero", tmp_path / "missing.html", *(f"<p>number {count}" for count in range(2, 6))]
    outcomes = list(render_many(sources, workers=3, browser=browser, screenshot=False))
    assert [outcome.source for outcome in outcomes] == sources
    assert "missing.html" in outcomes[1].error
    assert outcomes[1].rendering is None
    pages = [outcome.rendering for outcome in outcomes if outcome.rendering]
    assert [lines(rendering.page) for rendering in pages] == [["zero"], *([f"number {count}"] for count in range(2, 6))]
    assert all(isinstance(rendering, Rendering) for rendering in pages)


@pytest.mark.parametrize(
    "options",
    [
        {"width": 0},
        {"width": 10_001},
        {"width": 1.5},
        {"width": "wide"},
        {"height": -1},
        {"timeout_seconds": 0},
        {"timeout_seconds": float("nan")},
        {"max_elements": 0},
        {"scripts": "no"},
        {"assets": Path("/no/such")},
        {"assets": "folder"},
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        render("<p>x", **options)
    assert Options(width=10_000).width == 10_000


def test_an_unknown_option_is_answered_with_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="scripts"):
        render("<p>x", script=True)


def test_elements_and_texts_have_different_kinds(browser: Browser) -> None:
    page = render("<p>x", browser=browser)
    assert page.boxes is not None
    assert page.boxes.kind.tolist() == [ELEMENT, ELEMENT, ELEMENT, TEXT]
