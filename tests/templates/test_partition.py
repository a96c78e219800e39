"""Page partitioning cuts a page where links gather."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.templates._partition import links_of, pagelets
from tests.trees import PAGES, Tree


def slow_pagelets(page: Tree, min_links: int) -> list[Tree]:
    """The published algorithm: a queue that begins with the root."""
    queue, found = deque([page]), []
    while queue:
        node = queue.popleft()
        if any(child.links() >= min_links for child in node.children):
            queue.extend(node.children)
        else:
            found.append(node)
    return found


@given(PAGES, st.integers(1, 5))
def test_pagelets_are_those_of_the_published_queue(tree: Tree, min_links: int) -> None:
    expected = sorted(tree.number_of(node) for node in slow_pagelets(tree, min_links))
    assert pagelets(tamis.parse(tree.markup()), min_links).tolist() == expected


@given(PAGES, st.integers(1, 5))
def test_every_text_lies_in_exactly_one_pagelet(tree: Tree, min_links: int) -> None:
    page = tamis.parse(tree.markup())
    found = pagelets(page, min_links)
    texts = page.nodes.texts
    holders = (found <= texts[:, None]) & (texts[:, None] < page.nodes.end[found])
    assert holders.sum(axis=1).tolist() == [1] * len(texts)


@pytest.mark.parametrize(("links", "is_cut"), [(2, False), (3, True), (4, True)])
def test_a_page_is_cut_where_a_child_holds_enough_links(links: int, is_cut: bool) -> None:
    page = tamis.parse(f"<body><div>{'<a href=x>y</a>' * links}</div><p>text</p>")
    names = [page.name(node) for node in pagelets(page, 3)]
    assert names == (["head", "div", "p"] if is_cut else ["#document"])


def test_links_count_even_when_nobody_sees_them() -> None:
    page = tamis.parse("<body><div hidden><a href=x>y</a><a href=x>y</a></div><p>text</p>")
    assert [page.name(node) for node in pagelets(page, 2)] == ["head", "div", "p"]


def test_an_anchor_without_an_address_is_no_link() -> None:
    page = tamis.parse("<a name=x>no</a><a href=x>yes</a>")
    assert np.flatnonzero(links_of(page.nodes)).tolist() == [6]


def test_an_empty_page_is_one_pagelet() -> None:
    assert pagelets(tamis.parse(""), 7).tolist() == [0]
