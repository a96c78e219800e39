"""Methods beside peers on public datasets, in one run; writes the table of the README.

    python -m bench.quality --out DIR       about ten minutes on two cores; a rerun continues what DIR holds

Peers come with the extra ``peers``; those that are not installed are named and left out. The pages are for measuring
only: no method was tuned on them.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from tamis.errors import TamisError
from tamis.evaluation.evaluate import Plan, evaluate
from tamis.evaluation.peers import PEERS
from tamis.evaluation.score import Row
from tamis.evaluation.systems import open_system

DATASETS = (
    "cleaneval",
    "cleanportaleval",
    "daniel_v2_1",
    "dragnet",
    "google_trends_2017",
    "ir_research_big9_chaos",
    "krdwrd_canola",
    "l3s_gn1",
    "newspaper4k_articles",
    "scrapinghub",
    "wcxb",
)
METHODS = ("elisa", "combine", "nce", "bte", "accb", "dsc", "cetr", "lqf", "keep_all")
PAGES = 60  # of each dataset, the same ones every time
README = Path(__file__).resolve().parent.parent / "README.md"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, required=True)
    out: Path = arguments.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        datasets=tuple(f"public/{name}" for name in DATASETS),
        systems=(*METHODS, *_installed_peers()),
        limit=PAGES,
        workers=os.cpu_count() or 1,
    )
    rows = evaluate(plan, out, _say_progress)
    table = to_markdown([row for row in rows if row.measure == "bag"])
    marked = re.compile(r"(<!-- quality: begin -->\n).*(<!-- quality: end -->)", re.DOTALL)
    README.write_text(marked.sub(rf"\g<1>{table}\g<2>", README.read_text(encoding="utf-8")), encoding="utf-8")


def to_markdown(rows: Sequence[Row]) -> str:
    """One line per system, the best mean over datasets first."""
    datasets = sorted({row.dataset for row in rows})
    scores: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        scores.setdefault(row.system, {}).setdefault(row.dataset, []).append(row.f1)
    means = {
        system: {dataset: statistics.fmean(found) for dataset, found in own.items()} for system, own in scores.items()
    }
    best = {dataset: max(own[dataset] for own in means.values()) for dataset in datasets}
    lines = [
        "| | mean | " + " | ".join(dataset.removeprefix("public/") for dataset in datasets) + " | ms |",
        "|---|---:|" + "---:|" * (len(datasets) + 1),
    ]
    for system, own in sorted(means.items(), key=lambda pair: -statistics.fmean(pair[1].values())):
        cells = [f"**{own[one]:.3f}**" if own[one] == best[one] else f"{own[one]:.3f}" for one in datasets]
        name = f"*{system}*" if system in PEERS and system not in METHODS else f"`{system}`"
        seconds = statistics.median(row.seconds for row in rows if row.system == system)
        mean = statistics.fmean(own.values())
        lines.append(f"| {name} | {mean:.3f} | {' | '.join(cells)} | {seconds * 1000:.1f} |")
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
