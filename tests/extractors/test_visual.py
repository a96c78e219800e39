"""The main regions of a page are kept: by their labels, or else by where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import tamis
from tamis import segmenters
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.results import Region, Segmentation
from tests.segmenters.boxes_of import page_with_boxes

PAGE = """<header>The Gazette</header><nav>Home</nav>
<main><article><h1>Floods</h1><p>The river rose.</p><aside>Read more</aside></article><section>Nice!</section></main>
<footer>Imprint</footer>"""


def divide(monkeypatch: pytest.MonkeyPatch, labels: Mapping[str, str]) -> None:
    """A segmenter that makes regions of the named elements, one inside the other as they are."""

    def tree(page: Page, start: int, end: int) -> tuple[Region, ...]:
        parts, node = [], start
        while node < end:
            name = page.name(node)
            if name in labels:
                stop = int(page.nodes.end[node])
                parts.append(Region(nodes=(node,), label=labels[name], parts=tree(page, node + 1, stop)))
                node = stop
            else:
                node += 1
        return tuple(parts)

    def segment(page: Page, method: str, **options: Any) -> Segmentation:
        return Segmentation(page=page, root=Region(nodes=(0,), parts=tree(page, 1, len(page.nodes))))

    monkeypatch.setattr(segmenters, "segment", segment)


def kept(labels: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, page: str = PAGE) -> str:
    divide(monkeypatch, labels)
    return tamis.extract(page, method="visual").text.replace("\n\n", "|")


PLAIN = {"header": "header", "nav": "navigation", "footer": "footer"}


def test_what_is_labelled_main_or_article_is_kept_less_the_clutter_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = {**PLAIN, "main": "main", "article": "article", "aside": "ad", "section": "comments"}
    assert kept(labels, monkeypatch) == "Floods|The river rose."
    assert kept({**PLAIN, "main": "main"}, monkeypatch) == "Floods|The river rose.|Read more|Nice!"
    assert kept({**PLAIN, "article": "article"}, monkeypatch) == "Floods|The river rose.|Read more"


def test_a_header_within_the_main_part_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept({"main": "main", "h1": "header"}, monkeypatch).startswith("Floods")


@pytest.mark.parametrize(("words", "is_kept"), [(9, False), (10, False), (11, True)])
def test_lists_of_links_are_main_content_where_they_are_most_of_it(
    words: int, is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for label, link in (("list", "text {}"), ("", "<a href=x>text {}</a>")):
        page = f"<main><p>{'text ' * 10}</p><ul>{link.format('text ' * (words - 1))}</ul></main>"
        found = kept({"main": "main", "ul": label}, monkeypatch, page)
        assert found.count("text") == 10 + words * is_kept


@pytest.mark.parametrize(("linked", "is_kept"), [(4, True), (5, True), (6, False)])
def test_a_region_with_too_many_links_is_a_list(linked: int, is_kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    page = f"<main><p>{'text ' * 20}</p><div><a href=x>{'link ' * linked}</a>{'rest ' * (10 - linked)}</div></main>"
    assert ("link" in kept({"main": "main", "div": ""}, monkeypatch, page)) == is_kept


def test_a_main_part_within_clutter_is_clutter(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = {"article": "main", "footer": "footer", "b": "article"}
    page = "<article>Text</article><footer><b>More articles</b></footer>"
    assert kept(labels, monkeypatch, page) == "Text"


def test_without_a_main_label_the_region_with_the_most_text_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    page = f"<nav>{'Home ' * 50}</nav><p>{'one ' * 30}</p><div>{'two ' * 3}</div><i>four</i>"
    labels = {"nav": "navigation", "p": "", "div": "list", "i": "loose"}
    assert kept(labels, monkeypatch, page) == f"{('one ' * 30).strip()}|two two two"


def test_every_block_says_in_which_region_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    divide(monkeypatch, {**PLAIN, "main": "main", "article": ""})
    found = tamis.extract(PAGE + "<p>loose</p>", method="visual")
    assert [block.reason for block in found.blocks] == [
        "region: header",
        "region: navigation",
        *["region: main > unnamed"] * 3,
        "region: main",
        "region: footer",
        "beside all regions",
    ]
    assert [block.kept for block in found.blocks] == [False, False, True, True, True, True, False, False]


def box(left: int, top: int, width: int, height: int = 100) -> str:
    return f"box='left:{left};top:{top};width:{width};height:{height}'"


SHOWN = f"""<body {box(0, 0, 1000, 1000)}><p {box(0, 0, 1000)}>{"<a href=x>menu entry</a> " * 20}</p>
<div {box(0, 100, 200, 800)}>{"left column " * 14}</div><div {box(220, 100, 560)}>{"Main text. " * 12}</div>
<div {box(220, 300, 560)}>{"More of it. " * 4}</div><div {box(220, 400, 560)}>tiny</div>
<div {box(800, 100, 200)}>right</div>"""


def test_in_the_middle_less_text_counts_as_much_as_more_at_the_edge() -> None:
    found = tamis.extract(page_with_boxes(SHOWN), method="visual", segmenter="text_nodes")
    assert found.text.startswith("Main text.")
    assert "More of it." in found.text
    assert not any(word in found.text for word in ("menu", "left", "tiny", "right"))


@pytest.mark.parametrize(("min_share", "is_kept"), [(0.0, True), (0.03, True), (0.1, False)])
def test_small_regions_of_the_column_are_kept_if_asked_for(min_share: float, is_kept: bool) -> None:
    found = tamis.extract(page_with_boxes(SHOWN), method="visual", segmenter="text_nodes", min_share=min_share)
    assert ("tiny" in found.text) == is_kept
    assert "right" not in found.text


def test_a_page_of_links_is_kept_if_there_is_nothing_else() -> None:
    page = "<ul>" + "<li><a href=x>some words</a></li>" * 5 + "</ul>"
    assert tamis.extract(page, method="visual", segmenter="one").text.count("some words") == 5


def test_nothing_is_extracted_from_a_page_without_text() -> None:
    assert tamis.extract("<div> </div>", method="visual", segmenter="one").spans == ()


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match="min_share is 2, but must be from 0 to 1"):
        tamis.extract("", method="visual", min_share=2)
    with pytest.raises(OptionError, match="unknown method in segmenters 'bsc'"):
        tamis.extract("", method="visual", segmenter="bsc")
