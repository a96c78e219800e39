from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.elements.groups import GROUPS, IMAGE, find_elements, subtree_depths
from tamis.page.model import Page

TAGS = ("p", "div", "td", "li", "h2", "b", "section", "img", "table", "figcaption", "pre", "span")
MARKUP = st.lists(
    st.one_of(st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]), st.just("w ")), max_size=25
)


def found(markup: str, **options: bool) -> list[tuple[str, str]]:
    page = tamis.parse(markup)
    elements = find_elements(page, **options)
    return [
        (page.name(node), GROUPS[group])
        for node, group in zip(elements.node.tolist(), elements.group.tolist(), strict=True)
    ]


def test_each_tag_has_its_group() -> None:
    markup = (
        "<h1>a</h1><h6>b</h6><p>c</p><ul><li>d</ul><table><th>e<td>f</table>"
        "<figure><figcaption>g</figcaption></figure><pre>h</pre><div>i</div><img>"
    )
    groups = "heading heading p li cell cell caption pre div img".split()
    assert [group for _, group in found(markup)] == groups


@pytest.mark.parametrize(
    ("markup", "is_content"),
    [
        ("<div>plain <b>text</b></div>", True),
        ("<div>text <p>in a p</p></div>", False),
        ("<div>text <p> </p></div>", True),
        ("<div><b><i>two levels</i></b></div>", True),
        ("<div><b><i><u>three levels</u></i></b></div>", False),
        ("<div>outer <div>inner</div></div>", False),
        ("<div>outer <div></div></div>", True),
    ],
)
def test_a_div_that_holds_content_elements_or_is_deep_is_a_section(markup: str, is_content: bool) -> None:
    assert (found(markup)[0] == ("div", "div")) is is_content


def test_the_same_holds_for_cells() -> None:
    assert ("td", "cell") in found("<table><td>a</table>")
    assert ("td", "cell") not in found("<table><td><p>a</p></table>")


def test_an_image_makes_a_section_only_to_the_letter() -> None:
    markup = "<div>text <img src=x></div>"
    assert found(markup) == [("div", "div"), ("img", "img")]
    assert found(markup, images_make_sections=True, with_rest=False) == [("img", "img")]


def test_other_elements_are_content_whatever_they_hold() -> None:
    assert found("<ul><li>a <p>b</p></ul>") == [("li", "li"), ("p", "p")]


def test_elements_without_a_word_and_hidden_images_are_none() -> None:
    assert found("<p> </p><div></div><p hidden>a</p><img hidden><ul><li>&nbsp;</ul>") == []


def test_text_in_no_content_element_has_an_owner_too() -> None:
    markup = "<dl><dt>a<dd>b c</dl><div>loose<p>d</p></div>"
    assert found(markup) == [("dt", "rest"), ("dd", "rest"), ("div", "rest"), ("p", "p")]
    assert found(markup, with_rest=False) == [("p", "p")]


def test_words_of_a_rest_element_are_its_own() -> None:
    page = tamis.parse("<div>loose text<p>a b c</p></div><ul><li>x <p>y z</p></ul>")
    assert find_elements(page).words.tolist() == [2, 3, 3, 2]


def test_text_in_two_elements_belongs_to_the_inner_one() -> None:
    page = tamis.parse("<ul><li>outer <p>inner</p></ul>")
    elements = find_elements(page)
    assert [page.node_text(node) for node in elements.leaves(page, np.array([True, False])).tolist()] == ["outer "]
    assert [page.node_text(node) for node in elements.leaves(page, np.array([False, True])).tolist()] == ["inner"]


@given(MARKUP)
def test_every_visible_word_has_one_owner(pieces: list[str]) -> None:
    page = tamis.parse("".join(pieces))
    elements = find_elements(page)
    texts = page.nodes.visible_texts
    filled = texts[page.flow.words[texts] > 0]
    assert (elements.owner[filled] >= 0).all()
    everything = elements.leaves(page, np.ones(len(elements), dtype=np.bool_))
    assert set(filled.tolist()) <= set(everything.tolist())


@given(MARKUP)
def test_content_elements_are_what_a_walk_from_the_bottom_finds(pieces: list[str]) -> None:
    page = tamis.parse("".join(pieces))
    expected = [node for node in range(len(page.nodes)) if _is_content(page, node)]
    elements = find_elements(page, with_rest=False)
    assert elements.node[elements.group != IMAGE].tolist() == expected


@given(MARKUP)
def test_subtree_depths_are_those_of_a_walk(pieces: list[str]) -> None:
    page = tamis.parse("".join(pieces))
    depths = subtree_depths(page)
    for node in np.flatnonzero(page.nodes.elements).tolist():
        assert depths[node] == _depth(page, node)


def _below(page: Page, node: int) -> list[int]:
    return [below for below in range(node + 1, int(page.nodes.end[node])) if page.nodes.elements[below]]


def _depth(page: Page, node: int) -> int:
    return max((int(page.nodes.depth[below] - page.nodes.depth[node]) for below in _below(page, node)), default=0)


def _is_content(page: Page, node: int) -> bool:
    """The definition, read from the bottom up."""
    name = page.name(node)
    words = sum(int(count) for count in page.flow.words[node : page.nodes.end[node]])
    if name not in ("p", "div", "td", "th", "li", "h2", "figcaption", "pre") or not words:
        return False
    if name in ("div", "td", "th"):
        return _depth(page, node) <= 2 and not any(_is_content(page, below) for below in _below(page, node))
    return True
