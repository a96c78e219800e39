from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.extractors import extract
from tamis.extractors.lqf import BLOCK_NAMES, Options

FIXTURE = '<div>aaaa<a href="#">bbbbbb</a><p>long nested text with <a href="#">one link</a> in it</p></div>'
NESTED = "long nested text with one link in it".split()


def kept(html: str, **options: Any) -> list[str]:
    """The words that are left."""
    extraction = extract(tamis.parse(html), "lqf", **options)
    return " ".join(extraction.page.text[start:end] for start, end in extraction.spans).split()


@pytest.mark.parametrize("threshold", [0.25, 0.5])
def test_a_block_above_the_threshold_loses_its_own_text_and_keeps_its_nested_blocks(threshold: float) -> None:
    assert kept(FIXTURE, threshold=threshold) == NESTED


def test_a_block_below_the_threshold_is_kept_whole() -> None:
    assert kept(FIXTURE, threshold=0.75) == ["aaaabbbbbblong", *NESTED[1:]]


def test_a_quota_at_the_threshold_is_no_link_list() -> None:
    half_linked = "<p>aaaa <a href='#'>bbbb</a></p>"
    assert kept(half_linked, threshold=0.5) == ["aaaa", "bbbb"]
    assert kept(half_linked, threshold=0.49) == []


def test_nested_blocks_do_not_change_the_quota() -> None:
    without = FIXTURE.replace("long nested text", "short")
    assert kept(without, threshold=0.5) == ["short", *NESTED[3:]]
    assert kept(without, threshold=0.6) == ["aaaabbbbbbshort", *NESTED[3:]]


def test_nested_blocks_go_with_a_discarded_block_if_asked() -> None:
    assert kept(FIXTURE, threshold=0.5, discard_nested=True) == []


def test_white_space_has_no_size() -> None:
    assert kept("<p>a   a\n\n  a <a href='#'>bbb</a></p>", threshold=0.5) == ["a", "a", "a", "bbb"]


def test_an_anchor_without_address_is_no_link() -> None:
    assert kept("<p><a name=top>chapter one</a></p>") == ["chapter", "one"]


def test_blocks_inside_a_link_are_anchor_text() -> None:
    assert kept("<a href='#'><div>card</div></a><p>text</p>") == ["text"]


def test_hidden_text_does_not_save_a_link_list() -> None:
    assert kept("<p><a href='#'>menu</a><span hidden>many hidden words in here</span></p>") == []


def test_only_the_named_elements_are_judged() -> None:
    html = "<p><a href='#'>one</a></p><h2><a href='#'>two</a></h2>"
    assert kept(html, blocks=("p",)) == ["two"]


def test_the_crunch_variant_judges_table_cells_only() -> None:
    html = "<p><a href='#'>outside</a></p><table><tr><td><a href='#'>inside</a></td><td>plain</td></tr></table>"
    assert kept(html, variant="crunch") == ["outside", "plain"]


@pytest.mark.parametrize(("link_letters", "survives"), [(35, True), (36, False)])
def test_the_crunch_variant_compares_whole_words_in_and_outside_links(link_letters: int, survives: bool) -> None:
    # 100 letters make 20 words, 35 make 7 = 0.35 * 20, and one letter more begins an eighth.
    html = f"<table><td>{'t' * 100} <a href='#'>{'l' * link_letters}</a></td></table>"
    assert bool(kept(html, variant="crunch")) is survives


def test_the_denominator_of_a_variant_can_be_changed() -> None:
    html = f"<table><td>{'t' * 100} <a href='#'>{'l' * 50}</a></td></table>"
    assert kept(html, variant="crunch") == []
    assert len(kept(html, variant="crunch", denominator="all")) == 2


LINKS = "<a href='#'>link</a> " * 4


def test_the_mantratzis_variant_needs_many_anchors_among_the_elements() -> None:
    assert kept(f"<div>{LINKS}</div>", variant="mantratzis") == []
    assert kept(f"<div>{LINKS}{'<br>' * 4}</div>", variant="mantratzis") == ["link"] * 4
    assert kept(f"<div>{LINKS}{'<br>' * 3}</div>", variant="mantratzis") == []


def test_the_mantratzis_variant_drops_nested_blocks_with_the_list() -> None:
    assert kept(f"<div>{LINKS}<div><b>x</b></div></div>", variant="mantratzis") == []


def test_nested_link_lists_pollute_a_short_text_the_more_the_weaker_the_damping() -> None:
    html = f"<div>short text <div>{LINKS * 4}</div></div>"
    assert kept(html, variant="mantratzis", damping=0.5) == []
    assert kept(html, variant="mantratzis", damping=0.05) == ["short", "text"]


@pytest.mark.parametrize(("letters", "survives"), [(4, True), (5, False)])
def test_the_mantratzis_variant_halves_the_weight_with_each_level(letters: int, survives: bool) -> None:
    # Half of 16 letters in nested links is 0.4 of the 20 that then count, exactly at the threshold.
    nested = f"<a href='#'>{'l' * letters}</a>" * 4
    assert bool(kept(f"<div>{'t' * 12}<div>{nested}</div></div>", variant="mantratzis")) is survives


@pytest.mark.parametrize(
    ("option", "value"),
    [("threshold", -0.1), ("threshold", 1.1), ("threshold", float("nan")), ("anchor_share", 2), ("damping", -1)],
)
def test_shares_lie_between_0_and_1(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"{option} is {value}, but must be from 0 to 1"):
        Options(**{option: value})


def test_words_have_at_least_one_character() -> None:
    with pytest.raises(OptionError, match="characters_per_word is 0, but must be at least 1"):
        Options(characters_per_word=0)


@pytest.mark.parametrize("name", ["#text", "paragraph", "P"])
def test_blocks_are_names_of_elements(name: str) -> None:
    with pytest.raises(OptionError, match=f"blocks has '{name}'"):
        Options(blocks=("p", name))


# A twin of the filter that follows the printed algorithms on a small tree of its own.


@dataclass(frozen=True)
class Element:
    name: str
    children: tuple[Element | str, ...]

    @property
    def is_block(self) -> bool:
        return self.name in BLOCK_NAMES

    @property
    def html(self) -> str:
        inner = "".join(child if isinstance(child, str) else child.html for child in self.children)
        return f"<{self.name} href=x>{inner}</{self.name}>"


def text_of(node: Element | str) -> str:
    if isinstance(node, str):
        return node.replace(" ", "")
    return "".join(map(text_of, node.children))


def link_quota(node: Element) -> Fraction:
    total = link = Fraction(0)
    for child in node.children:
        if isinstance(child, str):
            total += len(text_of(child))
        elif not child.is_block:
            total += len(text_of(child))
            link += len(text_of(child)) * (1 if child.name == "a" else link_quota(child))
    return link / total if total else Fraction(0)


def without_link_lists(node: Element, threshold: float, is_list: bool = False) -> list[str]:
    """The texts left below a node; ``is_list`` says it of the block that the node belongs to."""
    if node.is_block:
        is_list = link_quota(node) > threshold
    texts = []
    for child in node.children:
        if isinstance(child, Element):
            texts += without_link_lists(child, threshold, is_list)
        elif not is_list:
            texts += child.split()
    return texts


TEXTS = st.integers(1, 12).map(lambda length: f" {'x' * length} ")
ANCHORS = st.lists(TEXTS, max_size=2).map(lambda texts: Element("a", tuple(texts)))
INLINES = st.recursive(
    TEXTS | ANCHORS,
    lambda inner: st.builds(Element, st.sampled_from(["b", "span"]), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=4,
)
BLOCKS = st.recursive(
    INLINES,
    lambda inner: st.builds(Element, st.sampled_from(["div", "section"]), st.lists(inner, max_size=4).map(tuple)),
    max_leaves=12,
)
TREES = st.lists(BLOCKS, max_size=4).map(lambda children: Element("body", tuple(children)))


@given(TREES, st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
def test_the_filter_agrees_with_the_printed_recursion(tree: Element, threshold: float) -> None:
    assert kept(tree.html, threshold=threshold) == without_link_lists(tree, threshold)


def damped_counts(node: Element, damping: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Anchors, elements, anchor text and text: of the node's block that lie here, and of all blocks below it."""
    own, nested = [Fraction(0)] * 4, [Fraction(0)] * 4
    for child in node.children:
        if isinstance(child, str):
            counts = [0, 0, len(text_of(child)) * (node.name == "a"), len(text_of(child))]
            own = [a + b for a, b in zip(own, counts, strict=True)]
            continue
        own[0] += child.name == "a" and bool(text_of(child))
        own[1] += 1
        child_own, child_nested = damped_counts(child, damping)
        if child.name == "div":
            child_nested = [a + b for a, b in zip(child_own, child_nested, strict=True)]
        else:
            own = [a + b for a, b in zip(own, child_own, strict=True)]
        nested = [a + damping * b for a, b in zip(nested, child_nested, strict=True)]
    return own, nested


def without_mantratzis_lists(node: Element) -> list[str]:
    if node.name == "div":
        own, nested = damped_counts(node, Fraction("0.5"))
        anchors, elements, link_text, text = (a + b for a, b in zip(own, nested, strict=True))
        if elements and text and anchors / elements > Fraction("0.5") and link_text / text > Fraction("0.4"):
            return []
    return [
        text
        for child in node.children
        for text in (child.split() if isinstance(child, str) else without_mantratzis_lists(child))
    ]


@given(TREES)
def test_the_mantratzis_variant_agrees_with_a_recursion_over_the_tree(tree: Element) -> None:
    assert kept(tree.html, variant="mantratzis") == without_mantratzis_lists(tree)
