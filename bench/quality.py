"""Methods beside peers on public datasets, in one run; writes the table of the README and docs/quality.md.

    python -m bench.quality --out DIR       half an hour on two cores; a rerun continues what DIR holds

Peers come with the extra ``peers``; those that are not installed are named and left out. The pages are for measuring
only: no method was tuned on them. Predictions, scores per page and an HTML report stay in DIR.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import re
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tamis._version import VERSION
from tamis.errors import TamisError
from tamis.evaluation.evaluate import Plan, evaluate
from tamis.evaluation.peers import PEERS
from tamis.evaluation.score import Row
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
ROOT = Path(__file__).resolve().parent.parent
_BASE = "sieve"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = arguments.parse_args()
    peers = _installed_peers()
    rows: list[Row] = []
    for names, limit in ((WHOLE, None), (SAMPLED, PAGES)):
        out = chosen.out / ("all" if limit is None else f"sample-{limit}")
        out.mkdir(parents=True, exist_ok=True)
        plan = Plan(
            datasets=tuple(f"public/{name}" for name in names),
            systems=(*METHODS, *peers),
            measures=("bag",),
            baseline=_BASE,
            limit=limit,
            workers=chosen.workers,
        )
        rows += evaluate(plan, out, _say_progress)
    table = to_markdown(rows)
    readme = ROOT / "README.md"
    marked = re.compile(r"(<!-- quality: begin -->\n).*(<!-- quality: end -->)", re.DOTALL)
    readme.write_text(marked.sub(rf"\g<1>{table}\g<2>", readme.read_text(encoding="utf-8")), encoding="utf-8")
    (ROOT / "docs" / "quality.md").write_text(to_page(rows, peers), encoding="utf-8")


def to_page(rows: Sequence[Row], peers: Sequence[str]) -> str:
    """All tables."""
    versions = ", ".join(f"{name} {importlib.metadata.version(PEERS[name].package)}" for name in peers)
    kinds = [row for row in rows if row.dataset == "public/wcxb"]
    return f"""# Quality beside peers

Word F1 (bag of words), mean per dataset, then mean over the twelve sets; `scrapinghub` is shown beside. Sample: all of
wcxb, of the others {PAGES} pages by the hash of their ids. Tamis {VERSION}; {versions}. Made on
{datetime.date.today().isoformat()} by `python -m bench.quality --out DIR`, all systems in the same run. Nothing was
tuned on these pages. The gold of `mozilla_readability` is the output of Readability itself.

{to_markdown(rows)}
## wcxb by page type

{_means_table(kinds, lambda row: row.page_type, lambda name: name)}
## Difference to sieve

Mean difference in F1 on the same pages, sieve minus the other, with the range that holds 95 % of paired bootstrap
resamples. A range without 0 is no accident of the sample.

{_differences(rows)}"""


def to_markdown(rows: Sequence[Row]) -> str:
    """One line per system, the best mean over datasets first."""
    return _means_table(rows, lambda row: row.dataset, lambda name: name.removeprefix("public/"))


def _means_table(rows: Sequence[Row], group: Callable[[Row], str], shown: Callable[[str], str]) -> str:
    groups = sorted({group(row) for row in rows})
    scores: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        scores.setdefault(row.system, {}).setdefault(group(row), []).append(row.f1)
    means = {system: {name: statistics.fmean(found) for name, found in own.items()} for system, own in scores.items()}
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


def _differences(rows: Sequence[Row]) -> str:
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
