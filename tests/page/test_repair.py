"""Raw-text elements closed at once, as XML writes them: an HTML parser takes all that follows for their text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page import _reference
from tamis.page.kernel import kernel

STORY = "<h1>Rivers</h1>" + "<p>Rain fell on the hills all night, and the river rose.</p>" * 20
RAW = ["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"]


@pytest.mark.parametrize("name", RAW)
@pytest.mark.parametrize("tag", ["<{0}/>", "<{0} src=x />", "<{0} a='b' c/>"])
def test_what_a_self_closed_element_swallowed_comes_back(name: str, tag: str) -> None:
    markup = f"<html><body><p>Before.</p>{tag.format(name)}{STORY}</body></html>"
    page = tamis.parse(markup)
    shown = [block.text for block in page.blocks]
    assert shown[:2] == ["Before.", "Rivers"]
    assert len(shown) == 22
    assert page.format == "xhtml"


def test_bytes_are_repaired_in_their_encoding() -> None:
    markup = "<meta charset=windows-1252><iframe/>" + STORY.replace("Rivers", "Flüsse")
    page = tamis.parse(markup.encode("cp1252"))
    assert page.blocks[0].text == "Flüsse"
    assert page.encoding == "windows-1252"


def test_the_source_of_a_repaired_page_is_what_was_parsed() -> None:
    page = tamis.parse(f"<iframe/>{STORY}")
    assert "<iframe></iframe>" in page.source
    assert "Rivers" in page.text
    starts = page.tokens.start[~page.tokens.is_tag]
    assert [page.text[start:end] for start, end in zip(starts, page.tokens.end[~page.tokens.is_tag], strict=True)][
        :2
    ] == ["Rivers", "Rain"]


@pytest.mark.parametrize(
    "markup",
    [
        STORY,
        f"<iframe src=x></iframe>{STORY}",
        f"<br/><img/><p/>{STORY}",
        f"{STORY}<script src=x /></script>",  # enough can be seen, nothing is missing
        f"{STORY}<textarea/>one or two words",
        "<iframe src='a>b'></iframe>",
        "<script>" + "x = '<iframe/>';" + "y = 1;" * 500 + "</script><p>One line.</p>",
    ],
)
def test_other_pages_are_read_as_browsers_read_them(markup: str) -> None:
    page = tamis.parse(markup)
    if "<iframe/>" in markup:  # only a program speaks of it; a second reading finds the same
        assert [block.text for block in page.blocks] == ["One line."]
    else:
        assert page.format == "html"


@pytest.mark.parametrize(("count", "is_repaired"), [(1, True), (9, True), (11, False)])
def test_a_swallowed_part_is_missed_when_it_is_a_tenth_of_the_page(count: int, is_repaired: bool) -> None:
    before = "<p>" + "word " * (17 * count) + "</p>"
    page = tamis.parse(f"{before}<textarea/>{'x' * 90} y")
    share = 92 / len(page.source)
    assert (share > 0.1) == is_repaired
    assert (page.format == "xhtml") == is_repaired


def test_a_page_of_little_text_is_searched_and_one_of_more_is_not() -> None:
    for size, is_repaired in ((100, False), (20_000, True)):
        page = tamis.parse(f"<p>{'word ' * 30}</p><style>{'a' * size}</style><script/><b>end</b>")
        assert (page.format == "xhtml") == is_repaired
        assert ("end" in page.text) == is_repaired


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<iframe/>", True),
        ("<IFrame src=x/>", True),
        ("<iframe src='x' / >", False),
        ("<iframe>/>", False),
        ("<iframes/>", False),
        ("<br/>", False),
        ("< iframe/>", False),
        ("<title\n/>", True),
        ("<title_/>", False),
        ("<br/><p>/><xmp x/>" + "x" * 50, True),
    ],
)
def test_self_closed_raw_elements_are_known_by_sight(markup: str, found: bool) -> None:
    assert kernel.has_self_closed_raw(markup) == found
    assert kernel.has_self_closed_raw(markup.encode()) == found


@given(
    st.lists(
        st.sampled_from(
            ["<", ">", "/>", "/", "script", "İFRAME", "tıtle", "ſtyle", "xmp", "é", "_", " ", "\xaa", "汉", "a" * 31]
        ),
        max_size=9,
    )
)
def test_self_closed_raw_elements_are_known_alike(parts: list[str]) -> None:
    markup = "".join(parts)
    assert kernel.has_self_closed_raw(markup) == _reference.has_self_closed_raw(markup)
    assert kernel.has_self_closed_raw(markup.encode()) == _reference.has_self_closed_raw(markup.encode())


def test_a_repair_keeps_the_limits() -> None:
    page = tamis.parse("<iframe/>" + "<div>" * 2000 + "deep")
    assert page.truncated
    assert "max_depth" in page.warnings[0]
    assert np.max(page.nodes.depth) <= 512


def test_the_frames_of_a_repaired_page_are_named() -> None:
    page = tamis.parse("<head><title/></head><frameset><frame src=a.html><frame src=b.html></frameset>")
    assert page.warnings == ("frameset: the content is in other pages: a.html, b.html",)


def test_what_a_framework_streams_to_the_end_of_the_page_is_shown() -> None:
    page = tamis.parse('<div hidden id="S:1a"><p>Streamed.</div><div hidden id="S:x"><p>Hidden.</div>')
    assert [block.text for block in page.blocks] == ["Streamed."]
