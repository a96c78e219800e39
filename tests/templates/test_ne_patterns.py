"""A pattern accepts every page it was made from; text that meets a wildcard is content."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.templates import ne_patterns
from tamis.templates.ne_patterns import Node, _flat, _unflat, match, merged, page_tree
from tests.trees import PAGES, Tree


def tree(markup: str) -> Node:
    return page_tree(tamis.parse(markup))


def signs(node: Node) -> list[str]:
    """Label and sign of every node below the body."""
    found = []
    stack = [node]
    while stack:
        one = stack.pop()
        found.append(one.label + one.sign())
        stack += reversed(one.children)
    return found[found.index("body") + 1 :]


@pytest.mark.parametrize(
    ("pages", "pattern"),
    [
        (("<p>a", "<p>a"), ["p", "#text"]),
        (("<p>a", "<p>b"), ["p", "#text."]),
        (("<h1>t</h1><p>a", "<p>a"), ["h1?", "#text", "p", "#text"]),
        (("<ul><li>a<li>b</ul>", "<ul><li>c</ul>"), ["ul", "li+", "#text."]),
        (("<ul><li>a<li>b</ul>", "<ul><li>a<li>b</ul>"), ["ul", "li", "#text", "li", "#text"]),
        (("<ul><li>a<li>b</ul>", "<ul><li>a<li>c</ul>"), ["ul", "li", "#text", "li", "#text."]),
        (("<ul><li>a<li>a</ul><p>x", "<p>x"), ["ul?", "li", "#text", "li", "#text", "p", "#text"]),
        (("<h1>t</h1><p>a<p>b", "<h1>t</h1>"), ["h1", "#text", "p?", "#text", "p?", "#text"]),
        (("<p>a", "<h1>t</h1>", "<p>b<p>c<p>d"), ["p*", "#text.", "h1?", "#text"]),
    ],
)
def test_how_pages_become_a_pattern(pages: tuple[str, ...], pattern: list[str]) -> None:
    assert signs(reduce(merged, map(tree, pages))) == pattern


def test_a_menu_that_is_the_same_on_all_pages_is_template() -> None:
    menu = "<ul>" + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Sport")) + "</ul>"
    pages = [f"{menu}<p>Story {number} of the day</p>" for number in range(5)]
    assert tamis.learn_template(pages, method="ne_patterns").extract(tamis.parse(pages[2])).text == "Story 2 of the day"


def test_rows_inside_more_rows_than_are_folded_make_a_pattern_too() -> None:
    """Every element holds one that is built like itself and one without siblings: no level has rows of one length."""
    depth = 120
    assert depth > ne_patterns._MAX_FOLDS
    single = [f"{'<div>' * level}<p>x</p>{'</div>' * level}" for level in range(depth)]
    doubled = "<p>x</p>"
    for level in range(depth):
        doubled = f"<div>{doubled}{single[level]}</div>"
    pattern = merged(tree(f"<div>{single[-1]}</div>"), tree(doubled))
    assert signs(pattern)[:3] == ["div", "div+", "div+"]


@given(st.lists(PAGES, min_size=2, max_size=4))
@settings(max_examples=60)
def test_a_pattern_accepts_all_pages_it_is_made_from(pages: list[Tree]) -> None:
    trees = [tree(page.markup()) for page in pages]
    pattern = reduce(merged, trees)
    for one in trees:
        found = match(pattern, one)
        assert found.is_accepted, found.reason


@given(st.lists(PAGES, min_size=2, max_size=3))
@settings(max_examples=30)
def test_a_pattern_survives_its_flat_form(pages: list[Tree]) -> None:
    pattern = reduce(merged, [tree(page.markup()) for page in pages])
    assert _flat(_unflat(_flat(pattern))) == _flat(pattern)


def test_what_a_pattern_does_not_accept() -> None:
    pattern = merged(tree("<p>a</p><div>x</div>"), tree("<p>b</p><div>x</div>"))
    refused = {
        "missing": "<div>x</div>",
        "not foreseen": "<h2>new</h2><p>a</p><div>x</div>",
        "repeated": "<p>a</p><p>c</p><div>x</div>",
        "another": "<p>a</p><div>y</div>",
    }
    for reason, markup in refused.items():
        assert reason in match(pattern, tree(markup)).reason
    assert match(pattern, tree("<p>c</p><div>x</div>")).is_accepted


def news(number: int) -> str:
    body = "".join(
        f"<p>{f'The river of town{number} rose again and again in part {part}. ' * 6}</p>" for part in range(3)
    )
    return (
        f"<body><nav><p>Menu of the site</p></nav><h1>River rose in town{number}</h1><p class=date>Day {number}</p>"
        f"<div class=text>{body}</div><footer><p>Read more elsewhere</p></footer></body>"
    )


def test_title_and_body_of_a_page_that_was_not_seen() -> None:
    template = tamis.learn_template([news(number) for number in range(6)], method="ne_patterns")
    found = template.extract(tamis.parse(news(77)))
    assert found.notes == ()
    labels = {block.reason: block.text for block in reversed(found.blocks)}
    assert labels["title"] == "River rose in town77"
    assert labels["body"].startswith("The river of town77")
    assert labels["template"] == "Menu of the site"
    assert labels["content"] == "Day 77"


def test_a_page_that_is_not_accepted_is_cleaned_and_says_so() -> None:
    template = tamis.learn_template([news(number) for number in range(6)], method="ne_patterns")
    found = template.extract(tamis.parse(news(9).replace("<h1>", "<h2>A box</h2><h1>")))
    assert "not accepted" in found.notes[0]
    assert "A box" in found.text
    assert "Menu of the site" not in found.text
