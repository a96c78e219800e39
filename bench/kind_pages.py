"""Refreshes what docs/distances/*.md, docs/clusterers/*.md and docs/templates/*.md take from elsewhere.

python -m bench.kind_pages

From the code come what a method's docstring says and its options, from the page of its kind (docs/distances.md and so
on) its scores, from docs/references.md its sources. A method without a page gets one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bench import citations
from bench.marks import refilled, skeleton
from bench.method_pages import about, options_table
from bench.scores import ROOT
from bench.tables import read_row
from tamis import registry

DOCS = ROOT / "docs"
PARTS = ("about", "options", "scores", "sources")
_PUBLISHED = "in the thesis"  # the head of a column that is not ours to fill


def main() -> int:
    for kind in SCORES:
        overview_path(kind).with_suffix("").mkdir(exist_ok=True)
        for name in registry.names(kind):
            file = page_path(kind, name)
            page = file.read_text(encoding="utf-8") if file.exists() else skeleton(f"`{name}`", *PARTS)
            file.write_text(refreshed(page, kind, name), encoding="utf-8")
    return 0


def page_path(kind: str, name: str) -> Path:
    return DOCS / kind / f"{name}.md"


def overview_path(kind: str) -> Path:
    """The page about all methods of a kind, with the tables that their scores come from."""
    return DOCS / f"{kind}.md"


def refreshed(page: str, kind: str, name: str) -> str:
    """A method's page with everything between its marks written anew."""
    options = registry.load(kind, name).Options
    parts = (about(name, kind), options_table(options), SCORES[kind](name), sources(kind, name))
    return refilled(page, dict(zip(PARTS, parts, strict=True)))


def distance_scores(name: str) -> str:
    threshold = registry.load("distances", name).THRESHOLD
    return _table(
        "distances",
        name,
        {
            "Dunn: each site its own CMS": "Dunn index on synthetic sites, each with its own CMS",
            "Dunn: sites share a CMS": "Dunn index on synthetic sites, some of which share a CMS",
            _PUBLISHED: "the same in the thesis, on five news sites",
            "Rand: own CMS": "single linkage to five groups, own CMS, three seeds: Rand index",
            "Rand: shared CMS": "single linkage to five groups, shared CMS, three seeds: Rand index",
            "k-median": "k-median, own CMS, mean of twenty starts and three seeds: Rand index",
            "adjusted Rand": "single linkage on 875 pages of 35 sites, at the default threshold: adjusted Rand index",
        },
    ) + ("" if threshold is None else f"\n\nThe default threshold is {threshold}.")


def clusterer_scores(name: str) -> str:
    return _table(
        "clusterers",
        name,
        {
            "on 875 pages of 35 sites: groups": "875 pages of 35 sites: groups found",
            "adjusted Rand": "adjusted Rand index",
            "purity": "mean purity",
        },
    )


def template_scores(name: str) -> str:
    return _table(
        "templates",
        name,
        {
            "text removed": "875 data pages of 35 sites: text removed",
            "values kept": "values kept",
            "cleanportaleval": "word F1 on 4 news sites (cleanportaleval)",
            "ir_research_big9_chaos": "word F1 on 36 news sites (ir_research_big9_chaos)",
        },
    )


def _table(kind: str, name: str, measures: Mapping[str, str]) -> str:
    """Values from the page of the kind, each found by the head of its column; where there is none, it says so."""
    values = {head: read_row(overview_path(kind), name, head).get(head, "") for head in measures}
    rows = [
        f"| {told} | {values[head] or 'not measured'} |"
        for head, told in measures.items()
        if head != _PUBLISHED or values[head]
    ]
    about_all = f"From [{kind}](../{kind}.md), which explains the measures."
    return "\n".join([about_all, "", "| measure | value |", "|---|---:|", *rows])


def sources(kind: str, name: str) -> str:
    """The works that a method's docstring refers to."""
    found = dict.fromkeys(citations.cited(citations.reference(kind, name), citations.works()))
    works = [f"- {work.name}. {work.rest}" for work in found if isinstance(work, citations.Work)]
    return "\n".join(works) or "The method was developed for Tamis."


SCORES: Mapping[str, Callable[[str], str]] = {
    "distances": distance_scores,
    "clusterers": clusterer_scores,
    "templates": template_scores,
}


if __name__ == "__main__":
    sys.exit(main())
