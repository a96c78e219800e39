"""elISA: everything in a region labelled content, by rules that are written as data.

Idea:      an expert's rules name elements, conditions on their attributes, text, ancestors, descendants, links and
           place, and the label they get: content, layout, navigation, form, footer or logo. An element takes the
           first rule that fits it; a text belongs to the nearest element around it that has a label.
Reference: Vitali, Di Iorio & Campori (2004), as described by Gottron (2008), section 3.2.6.
Departs:   rules are tables in TOML instead of XML compiled to XSLT; they label elements and change nothing. Only one of
           the original 19 rules is published; it is the first of ours. Text without any labelled element around it is
           dropped; our rules label the body, so this happens only with other rule sets.
Strong at: pages that name their parts; explaining itself; being extended without programming.
Weak at:   pages whose names say nothing, or lie.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources

import numpy as np

from tamis.extractors._kept_text import block_reasons, kept_spans
from tamis.extractors.elisa.rules import LabelRule, parse_rules
from tamis.page.model import LINK, Page
from tamis.page.names import Values, parts_of_words, read_attributes, whole_words
from tamis.page.text import Bools, Floats, Ints
from tamis.results import Extraction, Labelling

# Read when the method is imported: extraction itself never touches the disk.
STARTER_RULES = resources.files("tamis.extractors.elisa").joinpath("rules.toml").read_text(encoding="utf-8")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Rules in addition to, or instead of, the starter set."""

    rules: str = ""  # the text of a rule file, which goes before the starter rules; load_rules reads one
    use_starter_rules: bool = True  # False leaves only the given rules

    def __post_init__(self) -> None:
        parse_rules(self.rules)

    @property
    def all_rules(self) -> tuple[LabelRule, ...]:
        return parse_rules(self.rules) + (parse_rules(STARTER_RULES) if self.use_starter_rules else ())


def extract(page: Page, options: Options) -> Extraction:
    rules = options.all_rules
    number = _rule_numbers(page, rules)
    number = number[page.nodes.nearest(number > 0)]
    is_content = np.array([False, *(rule.label == "content" for rule in rules)])
    return Extraction(
        page=page,
        spans=kept_spans(page, is_content[number]),
        reasons=block_reasons(page, number, ("no label", *(f"{rule.label}: {rule.name}" for rule in rules))),
    )


def label(page: Page, options: Options) -> Labelling:
    """The label of every element that a rule fits."""
    rules = options.all_rules
    numbers = _rule_numbers(page, rules)
    labelled = np.flatnonzero(numbers)
    return Labelling(
        page=page,
        labels={
            node: rules[number - 1].label
            for node, number in zip(labelled.tolist(), numbers[labelled].tolist(), strict=True)
        },
    )


def _rule_numbers(page: Page, rules: tuple[LabelRule, ...]) -> Ints:
    """For each node the number of the first rule that fits it, counted from 1; 0 where none does."""
    facts = Facts(page, rules)
    numbers = np.zeros(len(page.nodes), dtype=np.int64)
    for number, rule in enumerate(rules, start=1):
        free = np.flatnonzero(facts.named(rule.context) & (numbers == 0))
        numbers[free[_fitting(facts, rule, free)]] = number
    return numbers


def _fitting(facts: Facts, rule: LabelRule, nodes: Ints) -> Bools:
    """Which of the nodes fulfil all conditions of a rule."""
    fits = np.ones(len(nodes), dtype=np.bool_)
    if rule.inside:
        fits &= facts.below(rule.inside)[nodes]
    if rule.not_inside:
        fits &= ~facts.below(rule.not_inside)[nodes]
    if rule.holds:
        fits &= facts.above(rule.holds)[nodes]
    if rule.lacks:
        fits &= ~facts.above(rule.lacks)[nodes]
    if rule.attributes:
        fits &= facts.has_value(rule)[nodes]
    if rule.text_contains:
        fits &= facts.has_text(rule.text_contains)[nodes]
    for least, most, measure in (
        (rule.min_words, rule.max_words, "words"),
        (rule.min_link_share, rule.max_link_share, "link_share"),
        (rule.min_position, rule.max_position, "position"),
    ):
        if least is not None:
            fits &= getattr(facts, measure)[nodes] >= least
        if most is not None:
            fits &= getattr(facts, measure)[nodes] <= most
    return fits


def _places(part: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a part of a text begins and ends, overlapping places included."""
    pattern = re.compile(r"\s+".join(map(re.escape, part.lower().split())))
    found = pattern.search(text)
    while found:
        yield found.span()
        found = pattern.search(text, found.start() + 1)


@dataclass(frozen=True, eq=False)
class Facts:
    """What rules ask about the nodes of a page; an answer has an entry per node."""

    page: Page
    rules: tuple[LabelRule, ...]

    def named(self, names: tuple[str, ...]) -> Bools:
        return self.page.nodes.elements if "*" in names else self.page.nodes.named(*names)

    def below(self, names: tuple[str, ...]) -> Bools:
        """True for nodes with an ancestor of one of these names."""
        nodes = self.page.nodes
        return nodes.inside(self.named(names))[nodes.parent] & (nodes.parent >= 0)

    def above(self, names: tuple[str, ...]) -> Bools:
        """True for nodes with a descendant of one of these names."""
        named = self.named(names).astype(np.int64)
        above: Bools = self.page.nodes.totals(named) > named
        return above

    def has_value(self, rule: LabelRule) -> Bools:
        """True where an attribute of the rule holds one of its words or parts."""
        found = np.zeros(len(self.page.nodes), dtype=np.bool_)
        for name in rule.attributes:
            if rule.contains:
                found[self._attributes[name].found(parts_of_words(rule.contains))] = True
            if rule.words:
                found[self._attributes[name].found(whole_words(rule.words))] = True
        return found

    def has_text(self, parts: tuple[str, ...]) -> Bools:
        """True where the text below a node holds one of the parts, whatever white space its blanks stand for."""
        text = self.page.text.replace("\u0130", "i").lower()  # the one letter that grows when it is lower-cased
        places = np.array(sorted(span for part in parts for span in _places(part, text)), dtype=np.int64).reshape(-1, 2)
        # For each place the nearest end of all that begin there or later.
        ends = np.append(np.minimum.accumulate(places[::-1, 1])[::-1], len(self.page.text) + 1)
        nodes = self.page.nodes
        held: Bools = ends[np.searchsorted(places[:, 0], nodes.text_start)] <= nodes.text_end
        return held

    @cached_property
    def words(self) -> Ints:
        return self.page.nodes.totals(self.page.flow.words)

    @cached_property
    def link_share(self) -> Floats:
        nodes, characters = self.page.nodes, self.page.flow.characters
        link_characters = nodes.totals(characters * ((nodes.flags & LINK) != 0))
        share: Floats = link_characters / np.maximum(nodes.totals(characters), 1)
        return share

    @cached_property
    def position(self) -> Floats:
        """The share of the page's words that stand before an element; it has none of its own."""
        words = np.cumsum(self.page.flow.words)
        position: Floats = words / max(int(words[-1]), 1)
        return position

    @cached_property
    def _attributes(self) -> Mapping[str, Values]:
        asking = [rule for rule in self.rules if rule.attributes]
        context = tuple({name: None for rule in asking for name in rule.context})
        names = {name: None for rule in asking for name in rule.attributes}
        return read_attributes(self.page, np.flatnonzero(self.named(context)), names)
