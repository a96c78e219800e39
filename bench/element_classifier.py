"""The element classifier measured: time of its features, and quality beside other methods on public pages.

    python -m bench.element_classifier speed                 milliseconds a page, and parsing of the same pages
    python -m bench.element_classifier quality --out DIR     word F1 per dataset beside accb and cetr; a rerun continues
    python -m bench.element_classifier boxes --out DIR       rendered boxes, estimated ones, and none; a rerun continues

``quality`` also takes ``--model FILE`` more than once, to put other models beside the shipped one: those trained
without boxes, for instance. The pages are for measuring only.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from bench.pages import load_pages
from bench.quality import SAMPLED, WHOLE
from tamis.evaluation.datasets import Sample, open_dataset
from tamis.evaluation.evaluate import EvaluationPlan, evaluate
from tamis.evaluation.score import ScoreRow
from tamis.evaluation.segment_gold import marked_pages, render_marked
from tamis.extractors.elements.features import FAMILIES, THESIS, element_features, names_of
from tamis.extractors.elements.groups import find_elements
from tamis.extractors.elements.trees import load_model
from tamis.page.layout import estimate_boxes
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.training.element_labels import in_main_blocks, labelled_by_nodes
from tamis.training.element_records import LabelledElements, make_record, read_records
from tamis.training.element_trees import DATASETS, ElementRecipe, grow, judged, page_score
from tamis.training.folds import FOLDS

SYSTEMS = ("elements", "accb", "cetr")
Given = TypeVar("Given")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=("speed", "quality", "boxes"))
    arguments.add_argument("--out", type=Path, default=Path("bench-elements"))
    arguments.add_argument("--model", action="append", default=[])
    arguments.add_argument("--pages", type=int, default=100, help="of each dataset")
    arguments.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = arguments.parse_args()
    if chosen.what == "speed":
        speed(chosen.pages)
    elif chosen.what == "boxes":
        boxes(chosen.out, chosen.workers)
    else:
        quality(chosen.out, chosen.model, chosen.pages, chosen.workers)


def speed(count: int) -> None:
    """Print the processor time of each step, as a mean over pages of the best of ten."""
    markup, origin = load_pages("train/wcxb", count)
    pages = [parse(source).revealed() for source in markup]
    boxed = [page.with_boxes(estimate_boxes(page)) for page in pages]  # makes the views that every method shares
    parsing = 1000 * statistics.fmean(_best(lambda given: parse(given).revealed(), source) for source in markup)
    steps: dict[str, tuple[Callable[[Page], object], Sequence[Page]]] = {
        "content elements": (find_elements, pages),
        "estimated boxes": (estimate_boxes, pages),
        "features of the thesis": (lambda page: element_features(page, find_elements(page), THESIS), boxed),
        "features of the shipped model": (
            lambda page: element_features(page, find_elements(page), load_model().used),
            boxed,
        ),
        "all features": (lambda page: element_features(page, find_elements(page), names_of(tuple(FAMILIES))), boxed),
    }
    print(f"{len(pages)} pages of {origin}, {statistics.fmean(len(page.nodes) for page in pages):.0f} nodes each")
    print(f"{'parsing':32} {parsing:6.2f} ms a page")
    for name, (step, given) in steps.items():
        own = 1000 * statistics.fmean(_best(step, page) for page in given)
        print(f"{name:32} {own:6.2f} ms a page, {own / parsing:.2f} of parsing")


def _best(step: Callable[[Given], object], page: Given) -> float:
    times = []
    for _ in range(10):
        begin = time.process_time()
        step(page)
        times.append(time.process_time() - begin)
    return min(times)


def quality(out: Path, models: Sequence[str], pages: int, workers: int) -> None:
    """Print word F1 of the systems on every dataset, and the mean over datasets."""
    out.mkdir(parents=True, exist_ok=True)
    systems = (*SYSTEMS, *(f"elements:model={model}" for model in models))
    datasets = tuple(f"public/{name}" for name in (*WHOLE, *SAMPLED))
    plan = EvaluationPlan(datasets=datasets, systems=systems, measures=("bag",), limit=pages, workers=workers)
    print(table(evaluate(plan, out), systems))


def boxes(work: Path, workers: int) -> None:
    """Print mean page F1 on the pages that can be shown with their style sheets, by trees that have not seen the host.

    The pages are those of Kreuzer, which belong to the training sets. Pages are rendered once and kept in the folder.
    """
    shown: dict[str, list[LabelledElements]] = {"rendered": [], "estimated": []}
    with marked_pages() as marked:
        for place in marked:
            blocks = [(block.node, block.type) for block in place.blocks]
            rendered, _ = render_marked(place, kept=work / "rendered")
            for name, page in (("rendered", rendered), ("estimated", place.parse().revealed())):
                sample = Sample(id=place.site, html=place.html, dataset=name, url=f"https://{place.site}/")
                shown[name].append(make_record(sample, labelled_by_nodes(page, in_main_blocks(page, blocks))))
    print("| learned from | rendered | estimated |\n|---|---:|---:|")
    trained = [record for name in DATASETS for record in read_records(open_dataset(name), work, workers)]
    rows = {
        "these pages, rendered": (shown["rendered"], ElementRecipe()),
        "these pages, estimated": (shown["estimated"], ElementRecipe()),
        "these pages, no boxes": (shown["estimated"], ElementRecipe(boxes="none")),
        "all training sets, estimated": (trained, ElementRecipe()),
        "all training sets, estimated, and these pages, rendered": (trained + shown["rendered"], ElementRecipe()),
    }
    for name, (records, recipe) in rows.items():
        scores: dict[str, list[float]] = {kind: [] for kind in shown}
        for fold in range(FOLDS):
            model = grow([record for record in records if record.fold != fold], recipe)
            for kind, judges in shown.items():
                scores[kind] += [page_score(record, judged(record, model)) for record in judges if record.fold == fold]
        print(f"| {name} | {' | '.join(f'{statistics.fmean(own):.3f}' for own in scores.values())} |", flush=True)


def table(rows: Sequence[ScoreRow], systems: Sequence[str]) -> str:
    """One line per dataset, one column per system."""
    datasets = list(dict.fromkeys(row.dataset for row in rows))
    means = {
        (dataset, system): statistics.fmean(row.f1 for row in rows if (row.dataset, row.system) == (dataset, system))
        for dataset in datasets
        for system in systems
    }
    lines = [f"| dataset | pages | {' | '.join(systems)} |", f"|---|---:|{'---:|' * len(systems)}"]
    for dataset in datasets:
        count = len({row.id for row in rows if row.dataset == dataset})
        lines.append(f"| {dataset} | {count} | {' | '.join(f'{means[dataset, name]:.3f}' for name in systems)} |")
    overall = [statistics.fmean(means[dataset, name] for dataset in datasets) for name in systems]
    lines.append(f"| **mean** | | {' | '.join(f'**{value:.3f}**' for value in overall)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
