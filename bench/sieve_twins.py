"""What the twins of sieve make of one page: arrays, and whole extractions; ``bench.twins`` runs it over many."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

import tamis
from tamis.extractors.sieve import _reference, reading
from tamis.extractors.sieve.features import NAMES
from tamis.extractors.sieve.model import SieveModel, load_model
from tamis.page.model import Page

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
    evidence = twin.read_evidence(seen, containers, model.class_names)
    words = seen.blocks.words.astype(np.float32)
    scores, summary = twin.score_columns(model.trees, model.network, evidence.columns, words, reading.TREE_SHARE)
    return {
        **{f"containers.{name}": value for name, value in vars(containers).items() if name not in _DERIVED},
        **{f"feature {name}": column for name, column in zip(NAMES, evidence.columns, strict=True)},
        "groups": evidence.groups,
        "in comments": evidence.in_comments,
        "log odds, nearly": scores,
        "levelled, nearly": twin.levelled(scores, seen.blocks.words.astype(np.float64), evidence.groups),
        "page types, nearly": model.page_types.chances(summary),
    }


_DERIVED = ("ancestors", "looks", "paths")  # made when they are asked for


def extraction(twin: ModuleType, page: Page) -> dict[str, Any]:
    """What is kept, why, and how it reads, if this twin runs."""
    with mock.patch.object(reading, "kernel", twin):
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
    if not isinstance(theirs, np.ndarray):
        return bool(ours == theirs)
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if name.endswith("nearly"):
        return bool(np.allclose(ours, theirs, rtol=0, atol=SCORE_DIFFERENCE))
    return bool(np.array_equal(ours, theirs))
