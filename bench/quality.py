"""Methods beside peers on public datasets, in one run; writes the table of the README and docs/quality.md.

    python -m bench.quality --out DIR       half an hour on two cores; a rerun continues what DIR holds

Peers come with the extra ``peers``; those that are not installed are named and left out. The pages are for measuring
only: no method was tuned on them. Predictions, scores per page and an HTML report stay in DIR. Times are measured
afterwards, one system after the other on each page: the machine should have nothing else to do then.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib.metadata
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from tamis._version import VERSION
from tamis.errors import TamisError
from tamis.evaluation.datasets import open_dataset
from tamis.evaluation.evaluate import EvaluationPlan, evaluate
from tamis.evaluation.peers import PEERS
from tamis.evaluation.score import ScoreRow
from tamis.evaluation.statistics import difference_interval
from tamis.evaluation.systems import open_system

WHOLE = ("wcxb",)  # read whole, because it is reported by page type
SAMPLED = (
    "cleaneval",
    "cleanportaleval",
    "daniel_v2_1",
    "dragnet",
    "google_trends_2017",
    "ir_research_big9_chaos",
    "krdwrd_canola",
    "l3s_gn1",
    "llm_webkit_bench",
    "mozilla_readability",
    "newspaper4k_articles",
    "scrapinghub",
)
NOT_IN_MEAN = ("scrapinghub",)  # the mean is over the twelve sets that other work reports
METHODS = ("sieve", "elisa", "combine", "bte", "keep_all")
PAGES = 150  # of each sampled dataset, chosen by the hash of their ids
TIMED_PAGES = 60  # of wcxb
TURNS = 3  # per page and system, in alternation; the best counts
ROOT = Path(__file__).resolve().parent.parent
_BASE = "sieve"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = arguments.parse_args()
    peers = _installed_peers()
    rows: list[ScoreRow] = []
    for names, limit in ((WHOLE, None), (SAMPLED, PAGES)):
        out = chosen.out / ("all" if limit is None else f"sample-{limit}")
        out.mkdir(parents=True, exist_ok=True)
        plan = EvaluationPlan(
            datasets=tuple(f"public/{name}" for name in names),
            systems=(*METHODS, *peers),
            measures=("bag",),
            baseline=_BASE,
            limit=limit,
            workers=chosen.workers,
        )
        rows += evaluate(plan, out, _say_progress)
    seconds = time_systems((*METHODS, *peers))
    readme = ROOT / "README.md"
    marked = re.compile(r"(<!-- quality: begin -->\n).*(<!-- quality: end -->)", re.DOTALL)
    table = to_short_table(rows, seconds, peers)
    readme.write_text(marked.sub(rf"\g<1>{table}\g<2>", readme.read_text(encoding="utf-8")), encoding="utf-8")
    (ROOT / "docs" / "quality.md").write_text(to_page(rows, seconds, peers), encoding="utf-8")


def time_systems(names: Sequence[str]) -> dict[str, float]:
    """Seconds per page of each system, from the markup to the text, in this process."""
    systems = [open_system(name) for name in names]
    totals = dict.fromkeys(names, 0.0)
    samples = list(islice(open_dataset("public/wcxb"), TIMED_PAGES))
    for sample in samples:
        best = dict.fromkeys(names, float("inf"))
        for _ in range(TURNS):
            for system in systems:
                start = time.perf_counter()
                with contextlib.suppress(Exception):  # pages that make a system fail cost it quality, above
                    system.extract(sample)
                best[system.name] = min(best[system.name], time.perf_counter() - start)
        for name, spent in best.items():
            totals[name] += spent
    return {name: total / len(samples) for name, total in totals.items()}


def to_short_table(rows: Sequence[ScoreRow], seconds: Mapping[str, float], peers: Sequence[str]) -> str:
    """For the README: quality and time in five columns, and what they were made with."""
    means = _means(rows, lambda row: row.dataset)
    base = seconds[_BASE]
    lines = [
        "| | mean F1 | F1 on wcxb | ms per page | time against `sieve` |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {_name(system)} | {_mean(own):.3f} | {own['public/wcxb']:.3f} | {seconds[system] * 1000:.1f} "
            f"| {seconds[system] / base:.2f} |"
            for system, own in sorted(means.items(), key=lambda pair: -_mean(pair[1]))
        ),
    ]
    return "\n".join(lines) + f"\n\nMade on {_made_with(peers)}.\n"


def _made_with(peers: Sequence[str]) -> str:
    versions = ", ".join(f"{name} {importlib.metadata.version(PEERS[name].package)}" for name in peers)
    python = ".".join(map(str, sys.version_info[:2]))
    return f"{datetime.date.today().isoformat()} with Tamis {VERSION}, Python {python}; {versions}"


def to_page(rows: Sequence[ScoreRow], seconds: Mapping[str, float], peers: Sequence[str]) -> str:
    """All tables."""
    kinds = [row for row in rows if row.dataset == "public/wcxb"]
    return f"""# Quality compared with peers

Word F1 (bag of words), mean per dataset, then mean over the twelve sets; `scrapinghub` is not part of the mean. Sample:
all of wcxb, of the others {PAGES} pages by the hash of their ids. Peers in italics, with the settings their authors
recommend. Made on {_made_with(peers)}, by `python -m bench.quality --out DIR`, all systems in the same run. Nothing was
tuned on these pages. The gold of `mozilla_readability` is the output of Readability itself.

{to_markdown(rows)}
## wcxb by page type

{_means_table(kinds, lambda row: row.page_type, lambda name: name)}
## Difference to sieve

Mean difference in F1 on the same pages, sieve minus the other, with the range that holds 95 % of paired bootstrap
resamples. A difference is significant if its range excludes 0.

{_differences(rows)}
## Time

Time from HTML to text on {TIMED_PAGES} pages of wcxb, each page through all systems in turn in one process, the best of
{TURNS} turns. Only the ratios carry over to other machines.

{_times(seconds)}"""


def to_markdown(rows: Sequence[ScoreRow]) -> str:
    """One line per system, the best mean over datasets first."""
    return _means_table(rows, lambda row: row.dataset, lambda name: name.removeprefix("public/"))


def _times(seconds: Mapping[str, float]) -> str:
    lines = ["| | ms per page | against `sieve` |", "|---|---:|---:|"]
    for system, spent in sorted(seconds.items(), key=lambda pair: pair[1]):
        lines.append(f"| {_name(system)} | {spent * 1000:.1f} | {spent / seconds[_BASE]:.2f} |")
    return "\n".join(lines) + "\n"


def _means(rows: Sequence[ScoreRow], group: Callable[[ScoreRow], str]) -> dict[str, dict[str, float]]:
    """For each system the mean F1 of each group of pages."""
    scores: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        scores.setdefault(row.system, {}).setdefault(group(row), []).append(row.f1)
    return {system: {name: statistics.fmean(found) for name, found in own.items()} for system, own in scores.items()}


def _means_table(rows: Sequence[ScoreRow], group: Callable[[ScoreRow], str], shown: Callable[[str], str]) -> str:
    groups, means = sorted({group(row) for row in rows}), _means(rows, group)
    best = {name: max(own[name] for own in means.values()) for name in groups}
    lines = [
        "| | mean | " + " | ".join(map(shown, groups)) + " |",
        "|---|---:|" + "---:|" * len(groups),
    ]
    for system, own in sorted(means.items(), key=lambda pair: -_mean(pair[1])):
        cells = [f"**{own[one]:.3f}**" if own[one] == best[one] else f"{own[one]:.3f}" for one in groups]
        lines.append(f"| {_name(system)} | {_mean(own):.3f} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _mean(own: dict[str, float]) -> float:
    return statistics.fmean(value for name, value in own.items() if name.removeprefix("public/") not in NOT_IN_MEAN)


def _name(system: str) -> str:
    return f"*{system}*" if system in PEERS and system not in METHODS else f"`{system}`"


def _differences(rows: Sequence[ScoreRow]) -> str:
    scores = {(row.system, row.dataset, row.id): row.f1 for row in rows}
    systems = list(dict.fromkeys(row.system for row in rows if row.system != _BASE))
    datasets = sorted({row.dataset for row in rows})
    lines = [
        "| | " + " | ".join(name.removeprefix("public/") for name in datasets) + " |",
        "|---|" + "---:|" * len(datasets),
    ]
    for system in systems:
        cells = []
        for dataset in datasets:
            pages = [page for base, found, page in scores if base == _BASE and found == dataset]
            interval = difference_interval(
                [scores[_BASE, dataset, page] for page in pages], [scores[system, dataset, page] for page in pages]
            )
            cells.append(f"{interval.mean:+.3f} ({interval.low:+.3f} … {interval.high:+.3f})")
        lines.append(f"| {_name(system)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _installed_peers() -> list[str]:
    found = []
    for name in PEERS:
        try:
            open_system(name)
            found.append(name)
        except TamisError as error:
            print(f"left out: {error}", file=sys.stderr)
    return found


def _say_progress(name: str, done: int, total: int) -> None:
    if done == total:
        print(f"{name}: {total} pages", file=sys.stderr)


if __name__ == "__main__":
    main()
