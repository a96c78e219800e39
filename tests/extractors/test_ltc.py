"""The largest tag count is the largest sub-tree of repeated structure."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

import tamis
from tamis.extractors import extract
from tamis.extractors.ltc import Options, locate
from tests.trees import PAGES, Tree


def located(markup: str) -> str:
    page = tamis.parse(markup)
    return page.name(locate(page, Options()))


def is_counted(node: Tree) -> bool:
    return not node.name.startswith("#") and node.characters() > 0


def tags(node: Tree) -> int:
    return sum(map(is_counted, node.in_document_order()))


def repeats(node: Tree) -> int:
    return max(Counter(child.name for child in node.children if is_counted(child)).values(), default=0)


def slow_locate(page: Tree) -> Tree:
    most, found = -1, page
    for node in page.in_document_order():
        _, *below = node.in_document_order()
        gives_way = any(repeats(descendant) > repeats(node) for descendant in below)
        if not gives_way and tags(node) > most:
            most, found = tags(node), node
    return found


@given(PAGES)
def test_the_node_has_the_most_tags_of_those_that_do_not_give_way(tree: Tree) -> None:
    assert locate(tamis.parse(tree.markup()), Options()) == tree.number_of(slow_locate(tree))


RECORDS = "<div><h3>name</h3><p>price <b>9</b></p></div>" * 5


def test_records_rich_in_tags_win_over_a_longer_list_of_bare_ones() -> None:
    assert located(f"<ul>{'<li>menu' * 8}</ul><main>{RECORDS}</main>") == "main"


def test_a_node_gives_way_only_to_more_repetitions_below_it() -> None:
    around = "<section>{}</section>" * 3
    as_many = around.format("<p>a<p>b<p>c", "x", "x")
    one_more = around.format("<p>a<p>b<p>c<p>d", "x", "x")
    assert located(f"<main>{as_many}</main>") == "main"
    assert located(f"<main>{one_more}</main>") == "section"


def test_a_page_without_repetition_is_kept_whole() -> None:
    page = tamis.parse("<div><p>one text</p></div>")
    assert locate(page, Options()) == 0
    assert extract(page, "ltc").spans == extract(page, "keep_all").spans


def test_tags_without_text_do_not_count() -> None:
    assert located(f"<div>{'<img><i></i>' * 50}</div><ul><li>a<li>b</ul>") == "ul"


def test_a_menu_wins_over_an_article_with_fewer_tags() -> None:
    page = tamis.parse(f"<ul>{'<li><a href=x>menu</a>' * 8}</ul><article>{'<p>a long paragraph' * 5}</article>")
    assert page.name(locate(page, Options())) == "ul"
    assert [page.text[start:end] for start, end in extract(page, "ltc").spans] == ["menu" * 8]


def test_nothing_is_extracted_from_a_page_without_text() -> None:
    page = tamis.parse("<div> </div>")
    assert (locate(page, Options()), extract(page, "ltc").spans) == (0, ())
