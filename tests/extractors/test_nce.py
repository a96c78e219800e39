"""News content extraction keeps the children with few links of the node that has most of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.extractors import extract
from tamis.extractors.nce import Options, locate
from tests.trees import PAGES, Tree


def text(length: int, letter: str = "x") -> str:
    return letter * length


def link(length: int) -> str:
    return f"<a href=x>{text(length, 'l')}</a>"


MENU = f"<nav>{link(200)}</nav>"


def kept(markup: str, **options: Any) -> str:
    page = tamis.parse(markup)
    return "".join(page.text[start:end] for start, end in extract(page, "nce", **options).spans)


def link_density(node: Tree) -> float:
    return node.link_characters() / node.characters() if node.characters() else 1.0


def forest(node: Tree, limit: float) -> list[Tree]:
    """The children with few links; what is inside a link is nothing but link."""
    return [child for child in node.children if not node.href and link_density(child) <= limit]


def slow_locate(page: Tree, limit: float) -> Tree:
    """The node whose forest has most text outside links, of equals the deepest, then the first."""

    def gain(node: Tree) -> int:
        return sum(child.characters() - child.link_characters() for child in forest(node, limit))

    def with_depths(node: Tree, depth: int) -> list[tuple[Tree, int]]:
        return [(node, depth), *(pair for child in node.children for pair in with_depths(child, depth + 1))]

    found, _ = max(with_depths(page, 0), key=lambda pair: (gain(pair[0]), pair[1]))
    return found if gain(found) else page


@given(PAGES, st.sampled_from([0.1, 0.3, 0.5, 1.0]))
def test_the_forest_is_the_one_found_by_trying_all_nodes(tree: Tree, limit: float) -> None:
    page = tamis.parse(tree.markup())
    expected = slow_locate(tree, limit)
    assert locate(page, Options(max_link_density=limit)) == tree.number_of(expected)
    inside = "".join(
        node.text for part in forest(expected, limit) for node in part.in_document_order() if node.name == "#text"
    )
    assert "".join(kept(tree.markup(), max_link_density=limit).split()) == "".join(inside.split())


def test_an_article_is_kept_without_the_related_links_among_its_paragraphs() -> None:
    related = f"<ul>{f'<li>{link(20)}</li>' * 5}</ul>"
    article = f"<p>{text(300, 'a')}</p>{related}<p>{text(300, 'b')}{link(9)}</p>"
    assert kept(f"{MENU}<article>{article}</article>") == text(300, "a") + text(300, "b") + text(9, "l")


@pytest.mark.parametrize(("links", "is_kept"), [(9, True), (10, True), (11, False)])
def test_a_child_is_kept_up_to_the_limit_of_link_density(links: int, is_kept: bool) -> None:
    paragraph = f"<p>{text(100 - links, 'a')}{link(links)}</p>"
    assert kept(f"{MENU}{paragraph}<p>{text(300, 'b')}</p>").startswith("a") == is_kept


def test_of_nodes_with_the_same_text_the_deepest_is_taken() -> None:
    page = tamis.parse(f"{MENU}<div><main><section><p>one</p><p>two</p></section></main></div>")
    assert page.name(locate(page, Options())) == "section"


def test_a_page_with_few_links_is_kept_whole() -> None:
    assert kept(f"<div><p>see {link(10)}</p><p>{text(300)}</p></div>") == "see " + text(10, "l") + text(300)


def test_a_paragraph_of_links_is_lost() -> None:
    assert kept(f"{MENU}<div><p>{text(50)}{link(50)}</p><p>{text(300, 'b')}</p></div>") == text(300, "b")


def test_of_content_in_two_branches_rich_in_links_one_is_lost() -> None:
    branches = [f"<div>{MENU}<p>{text(length, letter)}</p></div>" for length, letter in ((300, "a"), (301, "b"))]
    assert kept("".join(branches)) == text(301, "b")


def test_an_anchor_without_an_address_is_no_link() -> None:
    assert kept(f"{MENU}<p><a name=x>{text(300)}</a></p>") == text(300)


@pytest.mark.parametrize("markup", ["", "<div> </div>", MENU])
def test_nothing_is_extracted_from_a_page_without_text_outside_links(markup: str) -> None:
    page = tamis.parse(markup)
    assert (locate(page, Options()), extract(page, "nce").spans) == (0, ())


@pytest.mark.parametrize("limit", [0, -0.1, 1.01, float("nan")])
def test_the_limit_is_a_share(limit: float) -> None:
    with pytest.raises(OptionError, match=f"max_link_density is {limit}, but must be above 0 and at most 1"):
        Options(max_link_density=limit)
