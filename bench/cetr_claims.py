"""The order of Table 4 of Weninger, Hsu & Han (2010): eleven methods on six sources of pages."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import NamedTuple

from bench.claims import Claim, Part, ahead
from bench.scores import PUBLISHED, Cell, Scores

CETR = ("cetr_tm", "cetr_km", "cetr")
OTHERS = ("fe", "kfe", "bte", "dsc", "adsc", "lqf", "lp", "ccb")


class Sources(NamedTuple):
    """The columns of the table."""

    every: tuple[str, ...]
    english: str  # CleanEval
    chinese: str


OURS = Sources(
    every=(
        "public/cleaneval",
        "train/chinese_wced",
        "public/dragnet",
        "public/ir_research_big9_chaos",
        "public/l3s_gn1",
        "public/newspaper4k_articles",
    ),
    english="public/cleaneval",
    chinese="train/chinese_wced",
)


def published() -> tuple[Scores, Sources]:
    """Table 4; it has nothing but F1."""
    cells = {}
    with (PUBLISHED / "weninger2010.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            system = row.pop("system")
            row.pop("average")
            for source, value in row.items():
                cells[source, system, "words"] = Cell(0, 0.0, 0.0, float(value) / 100, 0.0, 0.0)
    scores = Scores(cells)
    return scores, Sources(tuple(scores.datasets), "CleanEval English", "CleanEval Chinese")


def _ahead_on_average(scores: Scores, sources: Sources, better: Sequence[str], worse: Sequence[str]) -> list[bool]:
    means = {name: scores.mean(name, datasets=sources.every) for name in (*better, *worse)}
    return [means[one] > means[other] for one in better for other in worse if one != other]


def _averages(scores: Scores, sources: Sources) -> str:
    return ", ".join(f"{name} {scores.mean(name, datasets=sources.every):.3f}" for name in CETR)


def _best_other(scores: Scores, sources: Sources) -> str:
    name = max(OTHERS, key=lambda other: scores.mean(other, datasets=sources.every))
    return f"the best other is {name}, {scores.mean(name, datasets=sources.every):.3f}"


def _best_on_english(scores: Scores, sources: Sources) -> str:
    name = max((*CETR, *OTHERS), key=lambda other: scores.f1(sources.english, other))
    return f"cetr {scores.f1(sources.english, 'cetr'):.3f}, best {name} {scores.f1(sources.english, name):.3f}"


def _on_chinese(scores: Scores, sources: Sources, names: Sequence[str]) -> str:
    return ", ".join(f"{name} {scores.f1(sources.chinese, name):.3f}" for name in names)


CLAIMS: tuple[Claim[Sources], ...] = (
    Claim(
        "T4a",
        (
            Part(
                "on average, each CETR method is above each of the eight others",
                lambda s, p: _ahead_on_average(s, p, CETR, OTHERS),
                _best_other,
            ),
        ),
        "Only FE, KFE and LP stay behind. The others are far better here than in the paper, where BTE and LQ have "
        "0.55 to 0.70 on Big 5, Myriad 40 and BBC; CETR is worse, in precision. It reads lines, and lines have "
        "become long: on `newspaper4k_articles` half of the pages have more than nine tenths of their source in "
        "lines of over 400 characters. Breaking them (`break_over=400`) brings CETR to the level of the others, "
        "0.803 on the public sets. The literal reading of σ (`sigma=std`) is worse, so that our choice of it is "
        "not the cause.",
    ),
    Claim(
        "T4b",
        (
            Part(
                "on average, KM is above TM and CETR above KM",
                lambda s, p: [
                    *_ahead_on_average(s, p, ("cetr_km",), ("cetr_tm",)),
                    *_ahead_on_average(s, p, ("cetr",), ("cetr_km",)),
                ],
                _averages,
            ),
        ),
        "The three are close, as in the paper, where KM and CETR differ by 0.003. KM recalls as much as the "
        "others and is the least precise.",
    ),
    Claim(
        "T4c",
        (
            Part(
                "on CleanEval, CETR is above the ten others",
                lambda s, p: ahead(s, (p.english,), ("cetr",), (*CETR, *OTHERS)),
                _best_on_english,
            ),
        ),
        "BTE is 0.004 above CETR, LQF and ADSC are level with it: pages of CleanEval are mostly content, and `plain` "
        "has a mean F1 of 0.910 already.",
    ),
    Claim(
        "T4d",
        (
            Part(
                "on Chinese pages, each CETR method is above each of the others",
                lambda s, p: ahead(s, (p.chinese,), CETR, OTHERS),
                lambda s, p: _on_chinese(s, p, CETR),
            ),
            Part(
                "on Chinese pages, BTE, DSC and ADSC fail (F1 below 0.2)",
                lambda s, p: [s.f1(p.chinese, name) < 0.2 for name in ("bte", "dsc", "adsc")],
                lambda s, p: _on_chinese(s, p, ("bte", "dsc", "adsc")),
            ),
        ),
        "CETR is strong on Chinese pages. LQF is ahead of all three, CCB of two. BTE, DSC and ADSC failed because "
        "Chinese words are not separated by blanks and a paragraph was one token; here every character counts as "
        "a word.",
    ),
    Claim(
        "T4e",
        (Part("on average, FE is last", lambda s, p: _ahead_on_average(s, p, (*CETR, *OTHERS), ("fe",))),),
        "As in the thesis (C4).",
    ),
)
