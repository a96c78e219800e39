"""Snapshots made by hand, without a browser, joined to pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.page.boxes import TEXT
from tamis.page.model import Page
from tamis.rendering import join as join_module
from tamis.rendering.boxes import build_boxes
from tamis.rendering.join import join
from tamis.rendering.snapshot import STYLES, Snapshot, read_color, read_snapshot

PLAIN = {
    "color": "rgb(0, 0, 0)", "background-color": "rgba(0, 0, 0, 0)", "background-image": "none",
    "border-top-width": "0px", "border-right-width": "0px", "border-bottom-width": "0px", "border-left-width": "0px",
    "display": "block", "position": "static", "overflow-x": "visible", "overflow-y": "visible", "clip": "auto",
    "visibility": "visible", "opacity": "1", "font-size": "16px", "font-weight": "400", "font-style": "normal",
    "text-decoration-line": "none",
}  # fmt: skip


def answer(
    nodes: Sequence[tuple[int, str, str]],
    lines: Sequence[tuple[int, tuple[float, ...], int, int]] = (),
    styles: Mapping[int, Mapping[str, str]] | None = None,
    shown: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """What a browser would say. Nodes are parent, name and text; lines are node, bounds, start and length."""
    strings: list[str] = []

    def number(value: str) -> int:
        if value not in strings:
            strings.append(value)
        return strings.index(value)

    kinds = {"#document": 9, "#text": 3, "#comment": 8}
    laid_out = range(1, len(nodes))
    return {
        "strings": strings,
        "documents": [
            {
                "scrollOffsetX": 0,
                "contentWidth": 1000,
                "contentHeight": 800,
                "nodes": {
                    "parentIndex": [parent for parent, _, _ in nodes],
                    "nodeType": [kinds.get(name, 1) for _, name, _ in nodes],
                    "nodeName": [number(name) for _, name, _ in nodes],
                    "nodeValue": [number(text) if name == "#text" else -1 for _, name, text in nodes],
                    "pseudoType": {"index": [place for place, node in enumerate(nodes) if node[1].startswith("::")]},
                },
                "layout": {
                    "nodeIndex": list(laid_out),
                    "bounds": [[0, 0, 1000, 800] for _ in laid_out],
                    "styles": [
                        [number({**PLAIN, **(styles or {}).get(node, {})}[name]) for name in STYLES]
                        for node in laid_out
                    ],
                    "text": [number((shown or {}).get(node, nodes[node][2])) for node in laid_out],
                    "paintOrders": [1 for _ in laid_out],
                    "blendedBackgroundColors": [-1 for _ in laid_out],
                },
                "textBoxes": {
                    "layoutIndex": [laid_out.index(node) for node, _, _, _ in lines],
                    "bounds": [list(bounds) for _, bounds, _, _ in lines],
                    "start": [start for _, _, start, _ in lines],
                    "length": [length for _, _, _, length in lines],
                },
            }
        ],
    }


def mirrored(page: Page, *, without: frozenset[int] = frozenset()) -> tuple[Snapshot, list[int]]:
    """The page as a browser would show it, less some nodes and what is below them; and which node each one is."""
    kept: list[int] = []
    places: dict[int, int] = {}
    for node in range(len(page.nodes)):
        parent = int(page.nodes.parent[node])
        if node not in without and (node == 0 or parent in places):
            places[node] = len(kept)
            kept.append(node)
    nodes = [
        (places.get(int(page.nodes.parent[node]), -1), page.name(node).upper() if node else "#document",
         page.node_text(node))
        for node in kept
    ]  # fmt: skip
    nodes = [(parent, name.lower() if name.startswith("#") else name, text) for parent, name, text in nodes]
    return read_snapshot(answer(nodes)), kept


SOURCES = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "one", "two ", "<br>", "<ul><li>", "</ul>", "<!--c-->"]
    ),
    max_size=40,
).map("".join)


@settings(max_examples=50)
@given(SOURCES)
def test_equal_trees_are_joined_node_by_node(source: str) -> None:
    page = tamis.parse(source)
    snapshot, kept = mirrored(page)
    joined = join(snapshot, page)
    for shown, node in enumerate(kept):
        name = page.name(node)
        in_head = name == "head" or page.name(int(page.nodes.parent[node])) == "head"
        if name not in ("#comment", "#doctype") and not in_head:
            assert joined.node[shown] == node
        if name == "#text" and not in_head:
            assert joined.text_start[shown] == page.nodes.text_start[node]


@settings(max_examples=50)
@given(SOURCES, st.integers(0, 60))
def test_what_is_joined_has_the_same_name_and_text_when_something_is_missing(source: str, missing: int) -> None:
    page = tamis.parse(source)
    snapshot, _ = mirrored(page, without=frozenset({missing} - {0, 1, 2, 3}))
    joined = join(snapshot, page)
    found = [node for node in joined.node if node >= 0]
    assert len(found) == len(set(found))
    for shown, node in enumerate(joined.node):
        if node > 0 and snapshot.kind[shown] == 1:
            assert snapshot.name[shown] == page.name(node)
        if joined.text_start[shown] >= 0:
            start = joined.text_start[shown]
            assert page.text[start : start + len(snapshot.value[shown])] == snapshot.value[shown]


def test_an_element_the_page_does_not_have_costs_no_other() -> None:
    page = tamis.parse("<p>one</p><p>two</p>")
    nodes = [
        (-1, "#document", ""), (0, "HTML", ""), (1, "HEAD", ""), (1, "BODY", ""),
        (3, "P", ""), (4, "#text", "one"), (3, "ADVERT", ""), (6, "#text", "buy"), (3, "P", ""), (8, "#text", "two"),
    ]  # fmt: skip
    joined = join(read_snapshot(answer(nodes)), page)
    assert [page.name(node) if node >= 0 else None for node in joined.node] == [
        "#document", "html", "head", "body", "p", "#text", None, None, "p", "#text",
    ]  # fmt: skip


def test_a_text_cut_into_nodes_elsewhere_keeps_its_characters() -> None:
    page = tamis.parse("<p>one two three")
    nodes = [
        (-1, "#document", ""), (0, "HTML", ""), (1, "BODY", ""), (2, "P", ""),
        (3, "#text", "one "), (3, "::before", ""), (3, "#text", "two three"),
    ]  # fmt: skip
    joined = join(read_snapshot(answer(nodes)), page)
    assert [joined.text_start[shown] for shown in (4, 6)] == [0, 4]
    assert joined.node[4] == joined.node[6] == page.nodes.texts[0]


def test_texts_whose_elements_differ_are_joined_by_their_order() -> None:
    page = tamis.parse("<div><b>one</b></div><div><i>two</i></div>")
    nodes = [
        (-1, "#document", ""), (0, "HTML", ""), (1, "BODY", ""), (2, "P", ""), (3, "#text", "one"),
        (2, "P", ""), (5, "#text", "made"), (2, "P", ""), (7, "#text", "two"),
    ]  # fmt: skip
    joined = join(read_snapshot(answer(nodes)), page)
    assert [joined.text_start[shown] for shown in (4, 6, 8)] == [0, -1, 3]


def test_too_many_differences_are_left_alone(monkeypatch: Any) -> None:
    page = tamis.parse("<p>a<i></i><p>b<i></i>")
    nodes = [
        (-1, "#document", ""),
        (0, "HTML", ""),
        (1, "BODY", ""),
        (2, "UL", ""),
        (2, "P", ""),
        (4, "#text", "a"),
        (2, "OL", ""),
    ]
    snapshot = read_snapshot(answer(nodes))
    for limit, expected in ((4, -1), (5, 4)):
        monkeypatch.setattr(join_module, "_MAX_COMPARED", limit)
        found = join(snapshot, page).node[4]
        assert (found if found < 0 else page.name(found)) == (expected if expected < 0 else "p")


BODY = [(-1, "#document", ""), (0, "HTML", ""), (1, "BODY", ""), (2, "P", "")]


def lines_of(
    source: str, nodes: Sequence[tuple[int, str, str]], lines: Any, **more: Any
) -> list[tuple[str, list[float]]]:
    page = tamis.parse(source)
    boxes, _ = build_boxes(read_snapshot(answer(nodes, lines, **more)), page, (1000, 800))
    chosen = np.flatnonzero(boxes.kind == TEXT).tolist()
    return [(page.text[boxes.start[line] : boxes.end[line]], boxes.rect[line].tolist()) for line in chosen]


def test_pieces_side_by_side_are_one_line_and_others_are_not() -> None:
    nodes = [*BODY, (3, "#text", "one   two three")]
    pieces = [(4, (0, 0, 40, 20), 0, 4), (4, (40, 0, 30, 20), 6, 4), (4, (0, 20, 50, 20), 10, 5)]
    assert lines_of("<p>one   two three", nodes, pieces) == [
        ("one   two ", [0, 0, 70, 20]),
        ("three", [0, 20, 50, 40]),
    ]
    in_columns = [(4, (0, 0, 40, 20), 0, 4), (4, (500, 0, 30, 20), 6, 4)]
    assert [text for text, _ in lines_of("<p>one   two three", nodes, in_columns)] == ["one ", "two "]


def test_positions_count_characters_where_browsers_count_units() -> None:
    nodes = [*BODY, (3, "#text", "😀a😀b")]
    assert [text for text, _ in lines_of("<p>😀a😀b", nodes, [(4, (0, 0, 9, 9), 0, 3), (4, (0, 9, 9, 9), 3, 3)])] == [
        "😀a",
        "😀b",
    ]


def test_a_line_that_grew_by_capitals_ends_where_the_next_begins() -> None:
    nodes = [*BODY, (3, "#text", "aß bc")]
    pieces = [(4, (0, 0, 9, 9), 0, 3), (4, (0, 9, 9, 9), 2, 3)]
    found = lines_of("<p>aß bc", nodes, pieces, shown={4: "ASS BC"})
    assert [text for text, _ in found] == ["aß", " bc"]


def test_the_share_of_text_that_is_not_in_the_page_is_counted() -> None:
    nodes = [*BODY, (3, "#text", "here"), (2, "B", ""), (5, "#text", "elsewhere")]
    lines = [(4, (0, 0, 9, 9), 0, 4), (6, (0, 9, 9, 9), 0, 9)]
    _, lost = build_boxes(read_snapshot(answer(nodes, lines)), tamis.parse("<p>here"), (1000, 800))
    assert lost == 9 / 13


def test_visibility_is_decided_below_at_and_above_the_thresholds() -> None:
    page = tamis.parse("<p>text")
    nodes = [*BODY, (3, "#text", "text")]

    def is_visible(width: float, **style: str) -> bool:
        snapshot = read_snapshot(answer(nodes, [(4, (10, 10, width, 1), 0, 4)], {3: style}))
        return bool(build_boxes(snapshot, page, (1000, 800))[0].visible[-1])

    assert [is_visible(width) for width in (0, 1, 1.01)] == [False, False, True]
    assert [is_visible(9, opacity=value) for value in ("0", "0.009", "0.01", "1")] == [False, False, True, True]


def test_colours_are_read_in_all_forms_browsers_write() -> None:
    assert read_color("rgb(1, 2, 3)") == (1, 2, 3, 1)
    assert read_color("rgba(1, 2, 3, 0)") == (1, 2, 3, 0)
    assert read_color("color(srgb 0 0.2 1 / 0.25)") == (0, 51, 255, 0.25)
    assert read_color("oklch(0.5 0.1 200 / 0.5)")[3] == 0.5
    assert read_color("color(display-p3 1 0 0)")[3] == 1
    assert read_color("lab(50 -20 3e-5)") == (127.5, 127.5, 127.5, 1)
    assert read_color("color(srgb -1 2 none / 1e-05)") == (0, 255, 0, 1e-05)
    assert read_color("color(srgb calc(infinity) 0 0 / none)") == (0, 0, 0, 0)
    assert read_color("") == (127.5, 127.5, 127.5, 1)
