from __future__ import annotations

import numpy as np
import pytest

from tamis.extractors.sieve.page_types import PAGE_TYPES
from tamis.training.page_types import fit_page_types

pytest.importorskip("scipy", reason="the extra train")


def test_types_are_told_apart() -> None:
    random = np.random.default_rng(0)
    kinds = [PAGE_TYPES[number % len(PAGE_TYPES)] for number in range(140)]
    summaries = [
        (np.eye(7)[PAGE_TYPES.index(kind)] * 4 + random.standard_normal(7)).astype(np.float32) for kind in kinds
    ]
    types = fit_page_types(summaries, kinds)
    guessed = [PAGE_TYPES[int(np.argmax(types.chances(summary)))] for summary in summaries]
    assert np.mean([guess == kind for guess, kind in zip(guessed, kinds, strict=True)]) > 0.9


def test_a_type_that_is_common_is_likely_when_nothing_else_is_known() -> None:
    nothing = [np.zeros(2, dtype=np.float32)] * 4
    chances = fit_page_types(nothing, ["article", "article", "article", "forum"]).chances(nothing[0])
    assert chances[PAGE_TYPES.index("article")] == pytest.approx(0.75, abs=0.01)
    assert chances[PAGE_TYPES.index("forum")] == pytest.approx(0.25, abs=0.01)
