"""The highest fanout is the longest list."""

from __future__ import annotations

from hypothesis import given

import tamis
from tamis.extractors import extract
from tamis.extractors.hf import Options, locate
from tests.trees import PAGES, Tree


def located(markup: str) -> str:
    page = tamis.parse(markup)
    return page.name(locate(page, Options()))


def slow_locate(page: Tree) -> Tree:
    most, found = 0, page
    for node in page.in_document_order():
        children = [child for child in node.children if child.characters() > 0]
        if len(children) > most:
            most, found = len(children), node
    return found


@given(PAGES)
def test_the_node_has_the_most_children_that_hold_text(tree: Tree) -> None:
    assert locate(tamis.parse(tree.markup()), Options()) == tree.number_of(slow_locate(tree))


def test_a_table_of_records_is_found() -> None:
    rows = "<tr><td>name</td><td>price</td></tr>" * 6
    assert located(f"<ul><li>a<li>b</ul><table><tbody>{rows}</tbody></table><p>text</p>") == "tbody"


def test_images_rules_and_programs_are_no_children() -> None:
    assert (
        located(f"<div>{'<img><hr><br><script>x</script>' * 9}</div><ul><li>a</li> <li>b</li> <li>c</li></ul>") == "ul"
    )


def test_of_equals_the_first_is_taken() -> None:
    assert located("<section><p>a<p>b<p>c</section><div><p>a<p>b<p>c</div>") == "section"


def test_a_menu_wins_over_an_article_with_fewer_paragraphs() -> None:
    page = tamis.parse(f"<ul>{'<li>menu' * 6}</ul><article>{'<p>a long paragraph of the article' * 5}</article>")
    assert page.name(locate(page, Options())) == "ul"
    assert [page.text[start:end] for start, end in extract(page, "hf").spans] == ["menu" * 6]


def test_a_selection_box_wins_over_everything() -> None:
    assert located(f"<select>{'<option>country' * 200}</select>{'<p>text' * 50}") == "select"


def test_nothing_is_extracted_from_a_page_without_text() -> None:
    page = tamis.parse("<div> </div>")
    assert (locate(page, Options()), extract(page, "hf").spans) == (0, ())
