"""The headline of Gottron (2008), that ACCB has the highest mean, on his packages and on ours rebuilt from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench.claims import Claim, Part, part_verdict
from bench.gottron_claims import ALL
from bench.scores import Scores

BEST = "accb"
MEASURES = ("characters", "words", "bag", "set")
RIVALS = (BEST, "tccb", "dsc", "ccb", "bte")  # those whose packages are shown one by one
_RESAMPLES = 10_000
_SEED = 2008  # any number; fixed so that the page stays the same


def _above_all(scores: Scores, packages: Sequence[str]) -> list[bool]:
    """For each measure and each other method whether the mean of ACCB is higher."""
    return [
        scores.mean(BEST, measure=measure, datasets=packages) > scores.mean(other, measure=measure, datasets=packages)
        for measure in MEASURES
        for other in ALL
        if other != BEST
    ]


HEADLINE: Claim[Sequence[str]] = Claim(
    "headline", (Part("ACCB has a higher mean F1 than each of the other methods, by each measure", _above_all),), ""
)


def verdict(published: Scores, ours: Scores) -> str:
    """Whether the headline holds on our packages, as all claims are judged."""
    (part,) = HEADLINE.parts
    return part_verdict(part.share(published, published.datasets), part.share(ours, ours.datasets))


def first_without(scores: Scores) -> dict[str, str]:
    """For each package the method with the highest mean of words in order over all others."""
    return {
        left_out: leader(scores, [name for name in scores.datasets if name != left_out]) for left_out in scores.datasets
    }


def leader(scores: Scores, packages: Sequence[str]) -> str:
    """The method with the highest mean of words in order."""
    return max(ALL, key=lambda system: scores.mean(system, datasets=packages))


def leads(scores: Scores) -> dict[str, float]:
    """How often each method has the highest mean when packages are drawn again with replacement; most often first."""
    table = np.array([[scores.f1(name, system) for name in scores.datasets] for system in ALL])
    drawn = np.random.default_rng(_SEED).integers(0, table.shape[1], (_RESAMPLES, table.shape[1]))
    winners = np.bincount(table[:, drawn].mean(axis=2).argmax(axis=0), minlength=len(ALL)) / _RESAMPLES
    shares = {system: float(share) for system, share in zip(ALL, winners, strict=True) if share}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))
