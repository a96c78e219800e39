"""Template methods on groups of pages of one site.

    python -m bench.templates data [METHOD...]      public/swde_sample: how much text goes, which attribute values stay
    python -m bench.templates sites [METHOD...]     public/cleanportaleval and public/ir_research_big9_chaos: F1 of each
                                                    site, beside the single-page default
    python -m bench.templates train [METHOD...]     the same-host groups of train/wcxb on which the numbers were chosen
    python -m bench.templates speed                 time per page, as a ratio to the single-page default

The public pages are for measuring only, with one exception: the variants of ``slots`` were compared in view of their
results on public/swde_sample, since the training groups hardly tell them apart. Its row there is no held-out result.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

import tamis
from bench.scores import ROOT
from tamis import extractors
from tamis.evaluation import measures
from tamis.evaluation.datasets import Sample, open_dataset
from tamis.page.model import Page
from tamis.page.text import collapse
from tamis.pictures import plots
from tamis.results import Extraction, Template
from tamis.templates import MIN_PAGES

METHODS = tamis.methods("templates")
FIGURE = ROOT / "docs" / "figures" / "templates" / "data.svg"


class Group(NamedTuple):
    """The pages of one site."""

    name: str
    samples: tuple[Sample, ...]
    pages: tuple[Page, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("data", "sites", "train", "speed"))
    parser.add_argument("methods", nargs="*")
    arguments = parser.parse_args()
    chosen: Sequence[str] = arguments.methods
    if arguments.table == "data":
        print_data(chosen or METHODS)
    elif arguments.table == "speed":
        print_speed(chosen or METHODS)
    elif arguments.table == "train":
        print_scores([("train/wcxb", groups("train/wcxb", host))], chosen or ("slots", "site"))
    else:
        print_scores(
            [
                ("public/cleanportaleval", groups("public/cleanportaleval", host)),
                ("public/ir_research_big9_chaos", groups("public/ir_research_big9_chaos", year_and_site)),
            ],
            chosen or METHODS,
        )


def groups(dataset: str, key: Callable[[Sample], str]) -> list[Group]:
    """The pages of a dataset by site; sites with too few pages for a template are left out."""
    found: dict[str, list[Sample]] = {}
    for sample in open_dataset(dataset):
        found.setdefault(key(sample), []).append(sample)
    return [
        Group(name, tuple(samples), tuple(tamis.parse(sample.html, sample.url) for sample in samples))
        for name, samples in sorted(found.items())
        if len(samples) >= MIN_PAGES
    ]


def host(sample: Sample) -> str:
    """The machine a page comes from; of archived pages the one they were archived from."""
    return host_of(sample.url)


def host_of(url: str | None) -> str:
    archived = re.search(r"/web/\d+\w*/(https?://.*)", url or "")
    name = (urlsplit(archived[1] if archived else url or "").hostname or "").removeprefix("www.")
    return "" if name.endswith("archive.org") else name


def year_and_site(sample: Sample) -> str:
    """Half of the pages have no address: the site is the one that most of their links lead to."""
    site = host(sample)
    if not site:
        page = tamis.parse(sample.html)
        targets = page.attribute(np.flatnonzero(page.nodes.named("a")), "href")
        found = Counter(domain(name) for name in map(host_of, filter(None, targets)) if name)
        site = found.most_common(1)[0][0] if found else "unknown"
    return f"{sample.extra['subset']} {domain(site)}"


def domain(name: str) -> str:
    """The part of a host name that belongs to one owner; of the sites at hand only the BBC's has three parts."""
    return ".".join(name.split(".")[-3 if name.endswith(".co.uk") else -2 :])


def print_data(methods: Sequence[str]) -> None:
    sites = groups("public/swde_sample", lambda sample: f"{sample.extra['site']} {sample.extra['vertical']}")
    print(f"public/swde_sample: {sum(len(site.pages) for site in sites)} pages, {len(sites)} sites\n")
    print("| method | text removed | values kept | values lost | mean of sites: removed | kept |")
    print("|---|---:|---:|---:|---:|---:|")
    points = {}
    for method in methods:
        rows = [data_row(site, method) for site in sites]
        all_text, text, values, kept = map(sum, zip(*rows, strict=True))
        removed = statistics.fmean(1 - row[1] / row[0] for row in rows)
        points[method] = (1 - text / all_text, kept / values)
        survived = statistics.fmean(row[3] / row[2] for row in rows if row[2])
        print(
            f"| {method} | {1 - text / all_text:.1%} | {kept / values:.2%} | {values - kept} of {values} | "
            f"{removed:.1%} | {survived:.2%} |",
            flush=True,
        )
    if tuple(methods) == METHODS:
        draw(points)


def draw(points: Mapping[str, tuple[float, float]]) -> None:
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    title = "Data pages: what goes and what stays"
    FIGURE.write_text(plots.scatter(points, title, "text removed", "values kept"), encoding="utf-8")


def data_row(site: Group, method: str) -> tuple[int, int, int, int]:
    """Characters of the pages and of what is left, values that stand on the pages and those that are left."""
    template = tamis.learn_template(site.pages, method=method)
    sums = np.zeros(4, dtype=np.int64)
    for sample, page in zip(site.samples, site.pages, strict=True):
        whole, left = plain(tamis.extract(page, method="keep_all")), plain(template.extract(page))
        values = [collapse(value) for found in sample.extra["attrs"].values() for value in found]
        there = [value for value in values if value and stands_in(value, whole)]
        sums += (len(whole), len(left), len(there), sum(stands_in(value, left) for value in there))
    characters, left_over, count, kept = sums.tolist()
    return characters, left_over, count, kept


def stands_in(value: str, text: str) -> bool:
    """True if the value is there as whole words."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def plain(extraction: Extraction) -> str:
    shown = extraction.shown
    return collapse(" ".join(shown.page.text[start:end] for start, end in shown.spans))


def print_scores(datasets: Iterable[tuple[str, list[Group]]], methods: Sequence[str]) -> None:
    """F1 (bag of words) of the single-page default and of some methods, per site and in the mean over sites."""
    systems = (extractors.DEFAULT, *methods)
    for name, sites in datasets:
        print(f"{name}: {sum(len(site.pages) for site in sites)} pages, {len(sites)} sites\n")
        print(f"| site | pages | {' | '.join(systems)} |\n|---|---:|{'---:|' * len(systems)}")
        table = []
        for site in sites:
            table.append([f1(site, extraction) for extraction in runs(methods)])
            print(
                f"| {site.name} | {len(site.pages)} | {' | '.join(f'{value:.3f}' for value in table[-1])} |", flush=True
            )
        means = [statistics.fmean(column) for column in zip(*table, strict=True)]
        print(f"| **mean** | | {' | '.join(f'**{mean:.3f}**' for mean in means)} |")
        for place, method in enumerate(methods, start=1):
            ahead = sum(row[place] > row[0] + 5e-4 for row in table)
            behind = sum(row[place] < row[0] - 5e-4 for row in table)
            print(
                f"\n{method}: ahead of {extractors.DEFAULT} on {ahead} sites, behind on {behind}, equal on the others\n"
            )


Run = Callable[[Group], list[Extraction]]


def runs(methods: Sequence[str]) -> list[Run]:
    def alone(site: Group) -> list[Extraction]:
        return [tamis.extract(page) for page in site.pages]

    def with_template(method: str) -> Run:
        def run(site: Group) -> list[Extraction]:
            template = tamis.learn_template(site.pages, method=method)
            return [template.extract(page) for page in site.pages]

        return run

    return [alone, *map(with_template, methods)]


def f1(site: Group, run: Run) -> float:
    pairs = zip(site.samples, run(site), strict=True)
    return statistics.fmean(
        measures.bag_of_words(sample.gold, plain(found)).f1 for sample, found in pairs if sample.gold
    )


def print_speed(methods: Sequence[str]) -> None:
    """Learning and extracting, per page, parsing not counted; the pages are those of ten sites."""
    sites = groups("public/ir_research_big9_chaos", year_and_site)[:10]
    count = sum(len(site.pages) for site in sites)

    def seconds(work: Callable[[], object]) -> float:
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) / count

    for site in sites:
        for page in site.pages:
            tamis.extract(page)  # views are computed once for all
    alone = seconds(lambda: [tamis.extract(page) for site in sites for page in site.pages])
    print(f"{count} pages; {extractors.DEFAULT}: {alone * 1000:.2f} ms per page, parsing not counted\n")
    print(f"| method | learning, × {extractors.DEFAULT} | extracting, × {extractors.DEFAULT} |\n|---|---:|---:|")
    for method in methods:
        learned: list[Template] = []
        learning = seconds(lambda: learned.extend(tamis.learn_template(site.pages, method=method) for site in sites))  # noqa: B023
        extracting = seconds(
            lambda: [one.extract(page) for one, site in zip(learned, sites, strict=True) for page in site.pages]  # noqa: B023
        )
        print(f"| {method} | {learning / alone:.1f} | {extracting / alone:.1f} |", flush=True)


if __name__ == "__main__":
    main()
