"""The largest pagelet is the longest piece that links leave of a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.extractors import extract
from tamis.extractors.lp import Options, locate
from tests.trees import PAGES, Tree


def list_of_links(count: int) -> str:
    return f"<ul>{'<li><a href=x>more</a></li>' * count}</ul>"


PARAGRAPHS = "".join(f"<p>{letter * length}</p>" for letter, length in zip("abcde", (50, 90, 70, 60, 80), strict=True))
ARTICLE_WITH_RELATED_LINKS = f"<nav>{list_of_links(12)}</nav><div>{PARAGRAPHS}{list_of_links(8)}</div>"


def slow_pagelets(node: Tree, min_links: int) -> list[Tree]:
    level, found = [node], []
    while level:
        is_cut = [any(child.links() >= min_links for child in node.children) for node in level]
        found += [node for node, cut in zip(level, is_cut, strict=True) if not cut]
        level = [child for node, cut in zip(level, is_cut, strict=True) if cut for child in node.children]
    return found


@given(PAGES, st.integers(1, 4))
def test_of_equal_pagelets_the_first_in_the_published_queue_is_taken(tree: Tree, min_links: int) -> None:
    largest = max(slow_pagelets(tree, min_links), key=Tree.characters)
    assert locate(tamis.parse(tree.markup()), Options(min_links=min_links)) == tree.number_of(largest)


def test_related_links_among_the_paragraphs_leave_only_the_longest_paragraph() -> None:
    page = tamis.parse(ARTICLE_WITH_RELATED_LINKS)
    assert page.node_text(locate(page, Options())) == "b" * 90


@pytest.mark.parametrize(("min_links", "name"), [(8, "p"), (9, "div"), (11, "div"), (12, "div"), (13, "body")])
def test_more_links_are_needed_to_cut_when_the_limit_is_higher(min_links: int, name: str) -> None:
    page = tamis.parse(ARTICLE_WITH_RELATED_LINKS)
    assert page.name(locate(page, Options(min_links=min_links))) == name


def test_an_article_in_a_sub_tree_with_few_links_is_found() -> None:
    page = tamis.parse(f"<nav>{list_of_links(12)}</nav><article>{PARAGRAPHS}{list_of_links(2)}</article>")
    assert page.name(locate(page, Options())) == "article"


def test_programs_styles_and_hidden_text_have_no_size() -> None:
    code = "<script>" + "x" * 500 + "</script><style>" + "x" * 500 + "</style><p hidden>" + "x" * 500 + "</p>"
    page = tamis.parse(f"<nav>{list_of_links(12)}</nav><div>{code}</div><p>{'word ' * 40}</p>")
    assert page.name(locate(page, Options())) == "p"


def test_white_space_has_no_size() -> None:
    page = tamis.parse(f"<nav>{list_of_links(12)}</nav><div>a{' ' * 500}b</div><p>{'word ' * 40}</p>")
    assert page.name(locate(page, Options())) == "p"


def test_a_page_with_few_links_is_kept_whole() -> None:
    page = tamis.parse(f"{list_of_links(6)}<p>text</p>")
    assert extract(page, "lp").spans == extract(page, "keep_all").spans


def test_nothing_is_extracted_from_a_page_without_text() -> None:
    assert extract(tamis.parse("<div> </div>"), "lp").spans == ()


def test_at_least_one_link_must_be_asked_for() -> None:
    with pytest.raises(OptionError, match="min_links is 0, but must be at least 1"):
        Options(min_links=0)
