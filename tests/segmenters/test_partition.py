"""Page partitioning cuts a page where links gather."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tests.extractors.test_lp import slow_pagelets
from tests.trees import PAGES, Tree


def links(count: int) -> str:
    return "<a href=x>more</a> " * count


def names(markup: str, min_links: int) -> list[str]:
    page = tamis.parse(markup)
    found = tamis.segment(page, method="partition", min_links=min_links).root.parts
    return [page.name(part.nodes[0]) for part in found]


@pytest.mark.parametrize(
    ("min_links", "expected"),
    [(3, ["nav", "article", "footer"]), (4, ["nav", "article", "footer"]), (5, ["body"]), (1, ["a"] * 8)],
)
def test_a_child_with_enough_links_cuts_its_parent(min_links: int, expected: list[str]) -> None:
    markup = f"<nav>{links(4)}</nav><article><p>Some text.</p></article><footer>{links(4)}</footer>"
    found = names(markup, min_links)
    assert [name for name in found if name != "article" or min_links > 1] == expected


def test_text_right_below_a_cut_is_a_region_and_what_shows_nothing_is_none() -> None:
    markup = f"<nav>{links(4)}</nav>\n loose text <!-- note --><p hidden>hidden</p><nav>{links(4)}</nav>"
    assert names(markup, 3) == ["nav", "#text", "nav"]


@given(PAGES, st.integers(1, 4))
def test_regions_are_the_pagelets_that_show_something(tree: Tree, min_links: int) -> None:
    page = tamis.parse(tree.markup())
    slow = [(tree.number_of(found),) for found in slow_pagelets(tree, min_links) if found.characters()]
    assert [part.nodes for part in tamis.segment(page, method="partition", min_links=min_links).root.parts] == sorted(
        slow
    )


def test_at_least_one_link_must_be_asked_for() -> None:
    with pytest.raises(OptionError, match="min_links is 0, but must be at least 1"):
        tamis.segment("", method="partition", min_links=0)
