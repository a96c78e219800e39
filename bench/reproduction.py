"""The claims of the literature on our datasets: runs every method, scores it, and writes docs/reproduction.md.

python -m bench.reproduction --work DIR     run (a few minutes; a rerun continues what DIR holds), then write
python -m bench.reproduction                only write, from docs/reproduction.csv and docs/reproduction-packages.csv

The datasets are found through $TAMIS_DATA, or in shared/data beside the project. They are for measuring only.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.reproduction_headline import TABLE
from bench.reproduction_page import PAGE, render_page
from bench.scores import AFTERWARDS, LINK_RICH, OWN, SHORT, read_scores, summarise, write_scores
from tamis import registry
from tamis.evaluation.datasets import Sample, open_dataset, take
from tamis.evaluation.run import read_predictions, run
from tamis.evaluation.score import ScoreRow, score
from tamis.evaluation.words import compare_words
from tamis.page.load import parse

PAGES = 100  # of each dataset, chosen by the hash of their ids
DATASETS = (
    "public/cleaneval",
    "public/dragnet",
    "public/l3s_gn1",
    "public/krdwrd_canola",
    "public/google_trends_2017",
    "public/cleanportaleval",
    "public/ir_research_big9_chaos",
    "public/daniel_v2_1",
    "public/newspaper4k_articles",
    "public/wcxb",
    "train/chinese_wced",
)
VARIANTS = ("lqf:threshold=0.5", "lqf:threshold=0.75", "dsc:retroactive=true", "cetr:sigma=std", "cetr:break_over=400")
"""Two thresholds of the thesis, and readings that tell why results differ."""

MEASURES = ("words", "bag", "set")
_MIN_LINK_SHARE = 0.15  # of the gold words; an encyclopaedia article has about that many
_MAX_GOLD_SHARE = 0.1  # of the words of the page
_MIN_BLOCK_WORDS = 5  # shorter blocks are found in any text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="folder for predictions")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    if chosen.work:
        systems = [*registry.names("extractors"), *VARIANTS]
        rows = list(itertools.chain.from_iterable(_rows(name, systems, chosen) for name in DATASETS))
        write_scores(OWN, summarise(sorted(rows, key=lambda row: row.dataset.startswith(AFTERWARDS))))
    PAGE.write_text(render_page(read_scores(OWN), read_scores(TABLE)), encoding="utf-8")
    return 0


def _rows(name: str, systems: Sequence[str], chosen: argparse.Namespace) -> Iterator[ScoreRow]:
    """The rows of one dataset, and once more those of pages that belong to a group."""
    dataset = open_dataset(name)
    print(f"{name}: {len(systems)} systems", file=sys.stderr, flush=True)
    summary = run(dataset, systems, chosen.work, limit=chosen.pages, workers=chosen.workers)
    samples = take(dataset, chosen.pages)
    groups = {sample.id: groups_of(sample) for sample in samples} if name.startswith("public/") else {}
    predictions = itertools.chain.from_iterable(map(read_predictions, summary.files.values()))
    for row in score(samples, predictions, MEASURES, processes=chosen.workers):
        yield row
        for group in groups.get(row.id, ()):
            yield row._replace(dataset=group)


def groups_of(sample: Sample) -> list[str]:
    """Groups of pages that no dataset is made of, but that claims are about."""
    page, gold = parse(sample.html), compare_words(sample.gold or "")
    running = f" {' '.join(gold)} "
    words = link_words = total = 0
    for block in page.blocks:
        found = compare_words(block.text)
        total += len(found)
        if len(found) >= _MIN_BLOCK_WORDS and f" {' '.join(found)} " in running:
            words += block.words
            link_words += block.link_words
    groups = {LINK_RICH: link_words >= _MIN_LINK_SHARE * max(words, 1), SHORT: len(gold) <= _MAX_GOLD_SHARE * total}
    return [name for name, is_member in groups.items() if is_member]


if __name__ == "__main__":
    sys.exit(main())
