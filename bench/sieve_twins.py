"""What the twins of sieve make of one page: arrays, and whole extractions; ``bench.twins`` runs it over many."""

from __future__ import annotations

import contextlib
import importlib
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

import tamis
from tamis.about.titles import folded
from tamis.extractors.sieve import _reference, choosing, copies, reading, unseen
from tamis.extractors.sieve.containers import SIGNS, Containers
from tamis.extractors.sieve.features import NAMES, PLACES
from tamis.extractors.sieve.model import SieveModel, load_model
from tamis.extractors.sieve.units import KIND_NAMES
from tamis.page.html import TAG_CODES, mask
from tamis.page.model import Page

_NUMBERS = np.arange(2 * len(KIND_NAMES)).reshape(2, -1) * 2  # of rules, for the kinds of units
SCORE_DIFFERENCE = 1e-5  # the network adds up in another order


def sieve_differences(markup: str) -> list[str]:
    """What the twins do not agree on for one page."""
    compiled = importlib.import_module("tamis.extractors.sieve._kernel")
    page, model = tamis.parse(markup), load_model("")
    ours, theirs = ({**arrays(twin, page, model), **extraction(twin, page)} for twin in (compiled, _reference))
    return [name for name, value in theirs.items() if not _same(name, ours[name], value)]


def arrays(twin: ModuleType, page: Page, model: SieveModel) -> dict[str, Any]:
    """Everything that a twin makes of a page with blocks; of a page without there is nothing."""
    seen = page.revealed()
    if not len(seen.blocks):
        return {}
    containers = twin.build_containers(seen)
    evidence = twin.read_evidence(seen, containers, model.class_names, model.word_table)
    words = seen.blocks.words.astype(np.float32)
    scores, summary = twin.score_columns(model.trees, model.network, evidence.columns, words, reading.TREE_SHARE)
    return {
        **{f"containers.{name}": value for name, value in vars(containers).items() if name not in _DERIVED},
        **{f"feature {name}": column for name, column in zip(NAMES, evidence.columns, strict=True)},
        "paths": containers.paths,
        "signs kept": containers.signs,
        "groups": evidence.groups,
        "in comments": evidence.in_comments,
        "log odds, nearly": scores,
        "levelled, nearly": twin.levelled(scores, seen.blocks.words.astype(np.float64), evidence.groups),
        "page types, nearly": np.array(twin.type_chances(model.page_types, summary)),
        **decision(twin, seen, containers, evidence.columns[PLACES["title_match"]] - 0.5),
    }


def decision(twin: ModuleType, page: Page, containers: Containers, odds: Any) -> dict[str, Any]:
    """What a twin decides, given log odds that are the same for both."""
    blocks = page.blocks
    odds, words = odds.astype(np.float64) + np.sin(np.arange(len(blocks))), blocks.words.astype(np.float64)
    units = twin.build_units(page, containers)
    numbers = np.arange(len(blocks))
    is_odd = numbers % 2 == 1
    nothing, last = np.zeros(0, dtype=np.int64), len(units) - 1
    notes = np.array([0, last // 2]), np.array([last, last])  # two marks of one note
    best, headline = twin.likeliest(page, np.flatnonzero(page.nodes.elements)[1:].tolist(), odds)
    every, numbered = np.ones(len(KIND_NAMES), dtype=np.uint8), numbers.tolist()
    says = folded(blocks[0].text)
    cases = {
        "decided": (headline, (nothing, nothing), False, False, False, 0.0),
        "decided, loose": (range(0), notes, True, True, False, 1.0),
        "decided, forum": (range(len(blocks) // 2, len(blocks)), notes, False, False, True, -1.0),
    }
    return {
        **{f"units.{name}": value for name, value in vars(units).items()},
        "same texts": twin.same_texts(page.text, blocks.start, blocks.end),
        "break off": twin.break_off(page.text, blocks.start, blocks.end),
        "says": twin.says(page.text, blocks.start, blocks.end, says),
        "long texts": twin.long_texts(page, units, every, 2, 5, 4),
        "set apart": twin.set_apart(page, containers, numbered, mask("aside", "div", "li"), ("a", "comment"), 40, 9),
        "quoted": twin.quoted(page, numbered[::2], numbered[1::2]),
        "headline again": twin.headline_again(page, units, every, headline, 8),
        "folded": twin.folded_blocks(page, numbered),
        "signs": twin.words_in(containers.names, SIGNS),
        "headline": (best, headline),
        "likely holders": [np.asarray(found) for found in twin.likely_holders(containers, odds, 0.5, TAG_CODES["div"])],
        "holders around": twin.holders_around(containers, is_odd),
        "hidden": twin.hidden_blocks(page.hidden_flags, blocks.node, odds, 0.0),
        "in comments and beside": twin.beside_content(is_odd, odds, words),
        "held back": _held_back(twin, odds, words),
        "chances, nearly": np.array(twin.chances(odds)),
        "named": twin.named(units.kind, KIND_NAMES),
        "expected words, nearly": twin.expected_words(odds, words),
        "placed, nearly": twin.placed(odds, words, containers, is_odd, 0.5),
        "placed without comments, nearly": twin.placed(odds, words, containers, None, 0.5),
        **{name: list(twin.decided(page, units, odds, words, *case, _NUMBERS, 99)) for name, case in cases.items()},
        "kept spans": twin.kept_spans(
            is_odd, blocks.leaves, blocks.first_leaf, page.nodes.text_start, page.nodes.text_end
        ),
    }


def _held_back(twin: ModuleType, odds: Any, words: Any) -> Any:
    held = odds.copy()
    twin.hold_back(held, words, len(words) // 3, 0.15, 2.0)
    return held


_DERIVED = ("ancestors", "looks", "paths", "signs")  # made when they are asked for


def extraction(twin: ModuleType, page: Page) -> dict[str, Any]:
    """What is kept, why, and how it reads, if this twin runs."""
    with contextlib.ExitStack() as stack:
        for module in (choosing, copies, reading, unseen):
            stack.enter_context(mock.patch.object(module, "kernel", twin))
        found = tamis.extract(page).shown
    return {
        "spans": found.spans,
        "rules": found.rules,
        "page type": found.page_type,
        "notes": found.notes,
        "text": found.text,
        "blocks": None if found.rules is None else [choice[:3] for choice in found.block_choices(found.rules)],
        "scores, nearly": None if found.scores is None else np.array(found.scores),
    }


def _same(name: str, ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, list) and theirs and isinstance(theirs[0], np.ndarray):
        return all(_same(name, mine, other) for mine, other in zip(ours, theirs, strict=True))
    if not isinstance(theirs, np.ndarray) or not isinstance(ours, np.ndarray):
        return bool(ours is theirs or (not isinstance(theirs, np.ndarray) and ours == theirs))
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if name.endswith("nearly"):
        return bool(np.allclose(ours, theirs, rtol=0, atol=SCORE_DIFFERENCE))
    return bool(np.array_equal(ours, theirs))
