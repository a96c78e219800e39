"""The largest size increase is where most text comes together."""

from __future__ import annotations

import pytest
from hypothesis import given

import tamis
from tamis.extractors import extract
from tamis.extractors.lsi import Options, locate
from tests.trees import PAGES, Tree


def text(length: int) -> str:
    return "x" * length


def boxes(*lengths: int) -> str:
    return "".join(f"<div>{text(length)}</div>" for length in lengths)


ARTICLE = f"<nav>{text(100)}</nav><main><p>{text(400)}</p><p>{text(300)}</p><p>{text(300)}</p></main>"
FOOT = f"<footer>{text(50)}</footer>"


def located(markup: str, options: Options | None = None) -> str:
    page = tamis.parse(markup)
    return page.name(locate(page, options or Options()))


def slow_locate(page: Tree) -> Tree:
    """The published algorithm."""
    largest_increase, found = 0, page
    for node in page.in_document_order():
        largest_child = 0
        for child in node.children:
            largest_child = max(largest_child, child.characters())
        increase = node.characters() - largest_child
        if largest_increase < increase:
            largest_increase, found = increase, node
    return found


@given(PAGES)
def test_the_node_is_that_of_the_published_algorithm(tree: Tree) -> None:
    assert locate(tamis.parse(tree.markup()), Options()) == tree.number_of(slow_locate(tree))


@given(PAGES)
def test_descendants_instead_of_children_make_no_difference(tree: Tree) -> None:
    def increase(node: Tree) -> int:
        _, *below = node.in_document_order()
        return node.characters() - max((descendant.characters() for descendant in below), default=0)

    largest = max(map(increase, tree.in_document_order()))
    found = list(tree.in_document_order())[locate(tamis.parse(tree.markup()), Options())]
    assert increase(found) == largest


def test_the_paragraphs_of_an_article_meet_in_its_node() -> None:
    assert located(f"{ARTICLE}{FOOT}") == "main"


def test_a_side_bar_of_many_wordy_boxes_wins_over_the_article() -> None:
    assert located(f"{ARTICLE}<aside>{boxes(*[500] * 5)}</aside>{FOOT}") == "aside"


def test_a_side_bar_of_some_wordy_boxes_brings_the_whole_body() -> None:
    assert located(f"{ARTICLE}<aside>{boxes(*[500] * 3)}</aside>{FOOT}") == "body"


@pytest.mark.parametrize(("last_boxes", "name"), [((49,), "body"), ((50,), "body"), ((50, 1), "aside")])
def test_of_equal_gains_the_first_is_taken(last_boxes: tuple[int, ...], name: str) -> None:
    """The body gains 1150 characters over its largest child, the side bar 1149, 1150 or 1151."""
    assert located(f"{ARTICLE}<aside>{boxes(*[50] * 23, *last_boxes)}</aside>{FOOT}") == name


LONG_TEXT = f"<section><p>{text(300)}</p><p>{text(300)}</p></section><div>{text(700)}</div>"


def test_a_long_text_node_is_a_node_like_any_other() -> None:
    assert located(LONG_TEXT) == "#text"


def test_texts_belong_to_their_element_when_only_elements_count() -> None:
    assert located(LONG_TEXT, Options(elements_only=True)) == "div"


def test_white_space_programs_and_hidden_text_have_no_size() -> None:
    bulk = f"<div>a{' ' * 900}b</div><script>{text(900)}</script><style>{text(900)}</style><p hidden>{text(900)}</p>"
    assert located(f"{ARTICLE}<section>{bulk}</section>") == "main"


def test_only_the_text_below_the_node_is_extracted() -> None:
    page = tamis.parse("<nav>menu</nav><main><p>first part</p><p>second part</p><p>third part</p></main>")
    extraction = extract(page, "lsi")
    assert [page.text[start:end] for start, end in extraction.spans] == ["first partsecond partthird part"]


def test_nothing_is_extracted_from_a_page_without_text() -> None:
    page = tamis.parse("<div> </div>")
    assert (locate(page, Options()), extract(page, "lsi").spans) == (0, ())
