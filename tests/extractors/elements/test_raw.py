from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.elements.raw import (
    COLUMNS,
    MAX_RELATIVES,
    NO_ALT,
    NO_CLASSES,
    NO_ID,
    NO_IMAGE,
    nearest_headers,
    raw_features,
)
from tamis.page.model import Page

MARKUP = """<title>The title</title><meta name=description content="About it">
<div id=page class="wide  light"><h1>Big</h1>
<ol><li class=x>One <b id=y>two</b> three</li><li>four</li></ol><img src=a.png><img alt=Pic src=b.png></div>"""


def row(markup: str, selector: str, url: str | None = None) -> dict[str, str]:
    page = tamis.parse(markup, url=url)
    table = raw_features(page, np.array(page.select(selector)[:1]))
    return {name: values[0] for name, values in table.items()}


def test_all_thirty_columns_and_the_address_of_images_are_there() -> None:
    assert len(COLUMNS) == 31
    assert tuple(row(MARKUP, "li")) == COLUMNS


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("url", "https://example.org/"),
        ("title", "The title"),
        ("meta_description", "About it"),
        ("doc_dom_depth", "5"),
        ("ancestors_names", "DIV, OL"),
        ("ancestors_ids", f"page, {NO_ID}"),
        ("ancestors_classes", f"wide light, {NO_CLASSES}"),
        ("siblings_names", "LI"),
        ("siblings_ids", NO_ID),
        ("siblings_classes", NO_CLASSES),
        ("nearest_header", "Big"),
        ("normalized_top", ""),
        ("is_middle", ""),
        ("num_siblings", "1"),
        ("distance_to_root", "4"),
        ("tag_name", "LI"),
        ("element_id", NO_ID),
        ("class_name", "x"),
        ("children_names", "B"),
        ("children_ids", "y"),
        ("children_classes", NO_CLASSES),
        ("image_alt", NO_IMAGE),
        ("image_url", NO_IMAGE),
        ("rect_size", ""),
        ("num_child_elements", "1"),
        ("dom_subtree_depth", "1"),
        ("inner_text", "One two three"),
        ("child_text", "One three"),
    ],
)
def test_one_row(name: str, wanted: str) -> None:
    assert row(MARKUP, "li", "https://example.org/")[name] == wanted


def test_images_have_an_address_and_perhaps_a_description() -> None:
    assert [row(MARKUP, "img")[name] for name in ("image_alt", "image_url")] == [NO_ALT, "a.png"]
    assert [row(MARKUP, "img + img")[name] for name in ("image_alt", "image_url")] == ["Pic", "b.png"]


def test_lines_do_not_run_together() -> None:
    assert row("<div><p>a</p><p>b<br>c</p></div>", "div")["inner_text"] == "a b c"


def test_long_lists_of_siblings_are_cut() -> None:
    markup = "<ul>" + "<li>x" * (2 * MAX_RELATIVES) + "</ul>"
    assert len(row(markup, "li")["siblings_names"].split(", ")) == MAX_RELATIVES
    assert row(markup, "li")["num_siblings"] == str(2 * MAX_RELATIVES - 1)


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<h1>a</h1><div><h2>b</h2><div><p>x</p></div></div>", "b"),
        ("<h1>a</h1><h1>b</h1><div><p>x</p></div><h1>c</h1>", "b"),
        ("<div><p>x</p></div><h1>b</h1><h1>c</h1>", "b"),
        ("<h1>a</h1><p>x</p>", ""),
        ("<p>x</p>", ""),
    ],
)
def test_the_nearest_header(markup: str, wanted: str) -> None:
    assert row(markup, "p")["nearest_header"] == wanted


PIECES = st.lists(
    st.sampled_from(["<div>", "</div>", "<h2>a</h2>", "<p>b</p>", "<section>", "</section>"]), max_size=16
)


@given(PIECES)
def test_the_nearest_header_is_what_comparing_all_finds(pieces: list[str]) -> None:
    page = tamis.parse("".join(pieces))
    nodes = np.flatnonzero(page.nodes.elements)
    for node, found in zip(nodes.tolist(), nearest_headers(page, nodes).tolist(), strict=True):
        headings = [h for h in page.select("h2") if page.nodes.depth[h] < page.nodes.depth[node]]
        if not headings:
            assert found == 0
            continue
        shortest = min(_way(page, node, heading) for heading in headings)
        nearest = [heading for heading in headings if _way(page, node, heading) == shortest]
        before = [heading for heading in nearest if heading < node]
        assert found == (before[-1] if before else nearest[0])


def _way(page: Page, first: int, second: int) -> int:
    def chain(node: int) -> list[int]:
        return [node, *chain(int(page.nodes.parent[node]))] if node >= 0 else []

    one, two = chain(first), chain(second)
    return len(set(one) ^ set(two))
