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
from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.features import NAMES, PLACES
from tamis.extractors.sieve.model import SieveModel, load_model
from tamis.extractors.sieve.units import KIND_NAMES
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
        "groups": evidence.groups,
        "in comments": evidence.in_comments,
        "log odds, nearly": scores,
        "levelled, nearly": twin.levelled(scores, seen.blocks.words.astype(np.float64), evidence.groups),
        "page types, nearly": model.page_types.chances(summary),
        **decision(twin, seen, containers, evidence.columns[PLACES["title_match"]] - 0.5),
    }


def decision(twin: ModuleType, page: Page, containers: Containers, odds: Any) -> dict[str, Any]:
    """What a twin decides, given log odds that are the same for both."""
    blocks = page.blocks
    odds, words = odds.astype(np.float64) + np.sin(np.arange(len(blocks))), blocks.words.astype(np.float64)
    units = twin.build_units(page, containers)
    is_odd = np.arange(len(blocks)) % 2 == 1
    placed = twin.placed(odds, words, containers, is_odd, 0.5)
    unit_odds, size = twin.pooled(odds, words, units.of_block, len(units))
    is_free = np.arange(len(units)) % 3 == 0
    return {
        **{f"units.{name}": value for name, value in vars(units).items()},
        "same texts": twin.same_texts(page.text, blocks.start, blocks.end),
        "break off": twin.break_off(page.text, blocks.start, blocks.end),
        "says": twin.says(page.text, blocks.start, blocks.end, folded(blocks[0].text)),
        "ends in colon": twin.ends_in_colon(page.text, blocks.end, np.arange(len(blocks))),
        "expected words, nearly": twin.expected_words(odds, words),
        "placed, nearly": placed,
        "pooled, nearly": unit_odds,
        "words of units": size,
        "lifted, nearly": twin.lifted(unit_odds, odds, units, is_odd, is_free),
        "headed, nearly": twin.headed(unit_odds, units, is_free),
        "cut": list(twin.cut(units, unit_odds, size, np.flatnonzero(odds == odds.max()), 0.5, _NUMBERS)),
        "kept spans": twin.kept_spans(
            is_odd, blocks.leaves, blocks.first_leaf, page.nodes.text_start, page.nodes.text_end
        ),
        "best prefix": [twin.best_prefix(unit_odds, size, bias) for bias in (-1.0, 0.0, 1.0)],
    }


_DERIVED = ("ancestors", "called", "looks", "paths")  # made when they are asked for


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
    if not isinstance(theirs, np.ndarray):
        return bool(ours == theirs)
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if name.endswith("nearly"):
        return bool(np.allclose(ours, theirs, rtol=0, atol=SCORE_DIFFERENCE))
    return bool(np.array_equal(ours, theirs))
