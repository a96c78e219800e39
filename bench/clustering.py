"""Page clustering: quality on made-up sites and on public pages, thresholds, and cost up to 100,000 pages.

python -m bench.clustering               sites, swde and speed; some minutes
python -m bench.clustering sites         Gottron's experiment on the sites of the generator
python -m bench.clustering families      the same on sites from rules fixed beforehand, some of which share a system
python -m bench.clustering swde          all pages of public/swde_sample by site, without knowing how many
python -m bench.clustering redesigns     nine news sites in four years of public/ir_research_big9_chaos
python -m bench.clustering thresholds    the sweep on training pages that the usual thresholds come from
python -m bench.clustering speed         features, 10,000 pages at once, 1,000-100,000 pages one by one
python -m bench.clustering figures       draws docs/figures/clusters/*.svg
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

import tamis
from bench import clustering_figures
from tamis import distances, registry
from tamis.clusterers import k_median, minhash, single_linkage
from tamis.clusterers.representatives import site_of
from tamis.distances._structure import Hashes, mixed
from tamis.errors import InputError
from tamis.evaluation import clusterings
from tamis.evaluation.datasets import open_dataset
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.sites import redesigns
from tamis.workers import run_all

sys.path.insert(0, str(Path(__file__).parent.parent))  # the generator belongs to the tests

Value = TypeVar("Value")

MEASURES = {
    "rtdm": "RTDM",
    "tag_vector": "TV",
    "common_paths": "CP",
    "common_path_shingles": "CPS",
    "longest_common_tag_subsequence": "LCTS",
    "common_tag_sequence_shingles": "CTSS",
}
THESIS_DUNN = {"RTDM": 0.4657, "TV": 0.1031, "CP": 1.1691, "CPS": 1.2272, "LCTS": 0.6726, "CTSS": 1.2901}
THESIS_THRESHOLDS = {"CP": 0.7, "CPS": 0.6, "CTSS": 0.85}
OTHERS = ("bag_of_paths", "bottom_up", "pq_grams", "weighted_tag_frequency")
TRAINING = ("train/wcxb", "train/trafilatura_eval", "train/newspaper4k_articles")
SWEPT = (
    "common_paths",
    "common_path_shingles",
    "common_tag_sequence_shingles",
    "bag_of_paths",
    "bottom_up",
    "pq_grams",
)
PUBLIC = "public/swde_sample"
CHRONICLE = "public/ir_research_big9_chaos"
FLAT_FACTOR = 1.5  # a page among 100,000 may cost this much more than one among 1,000: more memory, fewer cache hits


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "part", nargs="?", choices=["sites", "families", "swde", "redesigns", "thresholds", "speed", "figures"]
    )
    parser.add_argument("--seed", type=int, default=0, help="of the made-up sites")
    parser.add_argument("--pages", type=int, default=20, help="of a category; the thesis has 20")
    arguments = parser.parse_args()
    parts: dict[str, Callable[[], bool]] = {
        "sites": lambda: sites(arguments.seed, arguments.pages),
        "families": lambda: families(arguments.pages),
        "swde": swde,
        "redesigns": print_redesigns,
        "thresholds": thresholds,
        "speed": speed,
        "figures": clustering_figures.draw_all,
    }
    chosen = [arguments.part] if arguments.part else ["sites", "swde", "speed"]
    held = [parts[part]() for part in chosen]
    return 0 if all(held) else 1


def sites(seed: int, pages: int) -> bool:
    """Tables 7.2 to 7.5 of the thesis, on five made-up sites."""
    from tests.sites.generator import make_corpus

    corpus = make_corpus(5, 5, pages, seed=seed)
    right = [page.site for page in corpus]
    parsed = [tamis.parse(page.html) for page in corpus]
    print(f"## Made-up sites: {len(corpus)} pages of 5 sites, seed {seed}\n")
    print("| measure | Dunn | thesis | single linkage, k=5: Rand | purity | k-median, mean of 100: Rand | seconds |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    dunn = {}
    for method, short in {**MEASURES, **dict.fromkeys(OTHERS, "")}.items():
        matrix, seconds = timed(distances.matrix, parsed, method)
        dunn[short or method] = clusterings.dunn_index(matrix, right)
        linked = single_linkage.cluster_by(matrix, single_linkage.Options(k=5)).labels
        chance = np.random.default_rng(0)
        runs = [k_median.one_run(matrix, 5, chance)[1].tolist() for _ in range(100)]
        rand = float(np.mean([clusterings.rand_index(run, right, pairs="all") for run in runs]))
        print(
            f"| {short or method} | {dunn[short or method]:.4f} | {THESIS_DUNN.get(short, '')} "
            f"| {clusterings.rand_index(linked, right, pairs='all'):.4f} "
            f"| {clusterings.mean_purity(linked, right):.4f} | {rand:.4f} | {seconds:.1f} |",
            flush=True,
        )
        if short in THESIS_THRESHOLDS:
            for threshold in (THESIS_THRESHOLDS[short], registry.load("distances", method).THRESHOLD):
                options = single_linkage.Options(distance=method, threshold=threshold)
                cut = single_linkage.cluster_by(matrix, options)
                index = clusterings.adjusted_rand_index(cut.labels, right)
                print(f"| {short} at {threshold} | | | {len(cut.groups)} groups, adjusted Rand {index:.4f} | | | |")
    order = sorted(THESIS_DUNN, key=lambda short: -dunn[short])
    published = sorted(THESIS_DUNN, key=lambda short: -THESIS_DUNN[short])
    print(f"\norder of Dunn: {' > '.join(order)}; published: {' > '.join(published)}\n")
    return order == published


def families(pages: int) -> bool:
    """The experiment of ``sites`` on corpora of three seeds, in which each site has a system or pairs share one."""
    from tests.sites.families import make_families

    seeds = range(3)
    for systems in (5, 3):
        corpora = [make_families(pages=pages, systems=systems, seed=seed) for seed in seeds]
        right = [page.site for page in corpora[0]]
        parsed = [[tamis.parse(page.html) for page in corpus] for corpus in corpora]
        sizes = [len(page.nodes) for corpus in parsed for page in corpus]
        print(
            f"## 5 sites with {systems} systems, {len(right)} pages, seeds 0-2, {np.median(sizes):.0f} nodes a page\n"
        )
        print(
            "| measure | Dunn | single linkage, k=5: Rand | usual threshold: groups | adjusted Rand | k-median: Rand |"
        )
        print("|---|---:|---:|---:|---:|---:|")
        for method, short in {**MEASURES, **dict.fromkeys(OTHERS, "")}.items():
            rows = [families_row(distances.matrix(corpus, method), method, right) for corpus in parsed]
            cells = [" / ".join(row[place] for row in rows) for place in range(len(rows[0]))]
            print(f"| {short or method} | {' | '.join(cells)} |", flush=True)
        print()
    return True


def families_row(matrix: Floats, method: str, right: Sequence[int]) -> tuple[str, str, str, str, str]:
    """Dunn index, Rand index to five groups, groups and adjusted Rand index at the usual threshold, k-median."""
    linked = single_linkage.cluster_by(matrix, single_linkage.Options(k=5)).labels
    chance = np.random.default_rng(0)
    runs = [k_median.one_run(matrix, 5, chance)[1].tolist() for _ in range(20)]
    rand = float(np.mean([clusterings.rand_index(run, right, pairs="all") for run in runs]))
    usual = registry.load("distances", method).THRESHOLD
    groups = index = ""
    if usual is not None:
        cut = single_linkage.cluster_by(matrix, single_linkage.Options(distance=method, threshold=usual))
        groups, index = str(len(cut.groups)), f"{clusterings.adjusted_rand_index(cut.labels, right):.2f}"
    dunn = f"{clusterings.dunn_index(matrix, right):.2f}"
    return dunn, f"{clusterings.rand_index(linked, right, pairs='all'):.2f}", groups, index, f"{rand:.2f}"


def swde() -> bool:
    """All pages of many sites by site, with usual options."""
    try:
        samples = list(open_dataset(PUBLIC))
    except InputError as error:
        print(f"{PUBLIC} is not there: {error}")
        return True
    right = [f"{sample.extra['vertical']} {sample.extra['site']}" for sample in samples]
    pages = [tamis.parse(sample.html, url=sample.url) for sample in samples]
    print(f"## {PUBLIC}: {len(pages)} pages of {len(set(right))} sites\n")
    print("| method | options | groups | adjusted Rand | purity | seconds |\n|---|---|---:|---:|---:|---:|")
    trials: list[tuple[str, dict[str, Any]]] = [
        ("single_linkage", {}),
        ("minhash", {}),
        ("average_linkage", {}),
        ("representatives", {}),
        ("k_median", {"k": 35}),
        ("single_linkage", {"largest_gap": True}),
        *(("single_linkage", {"distance": name}) for name in SWEPT if registry.load("distances", name).THRESHOLD),
        *(("single_linkage", {"threshold": threshold}) for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.85)),
    ]
    indices = []
    for method, options in trials:
        found, seconds = timed(tamis.cluster, pages, method=method, **options)
        indices.append(clusterings.adjusted_rand_index(found.labels, right))
        purity = clusterings.mean_purity(found.labels, right)
        told = ", ".join(f"{key}={value}" for key, value in options.items())
        print(
            f"| {method} | {told} | {len(found.groups)} | {indices[-1]:.4f} | {purity:.4f} | {seconds:.2f} |",
            flush=True,
        )
    print()
    return indices[0] >= 0.995 and indices[1] >= 0.995


def print_redesigns() -> bool:
    """Pages of a site year by year: what is found between two years, and within one, where nothing should be."""
    from bench.templates import year_and_site

    by_site: dict[str, dict[str, list[Page]]] = {}
    try:
        for sample in open_dataset(CHRONICLE):
            year, _, site = year_and_site(sample).partition(" ")
            years = by_site.setdefault(site.rpartition(".")[0].removesuffix(".co"), {})
            years.setdefault(year, []).append(tamis.parse(sample.html, sample.url))
    except InputError as error:
        print(f"{CHRONICLE} is not there: {error}")
        return True
    print(f"## {CHRONICLE}: redesigns found\n\n| site | pages | between years | of | within a year |")
    print("|---|---:|---:|---:|---:|")
    totals = np.zeros(4, dtype=np.int64)
    for site, years in sorted(by_site.items()):
        pages = [page for year in sorted(years) for page in years[year]]
        starts = set(np.cumsum([len(years[year]) for year in sorted(years)])[:-1].tolist())
        found = {redesign.place for redesign in redesigns.find_redesigns(pages)}
        counts = (len(pages), len(found & starts), len(starts), len(found - starts))
        totals += counts
        print(f"| {site} | {' | '.join(map(str, counts))} |")
    print(f"| **all** | {' | '.join(map(str, totals.tolist()))} |\n")
    return True


def thresholds() -> bool:
    """How well single linkage at each threshold tells the hosts of training pages apart.

    Not a clean gold standard: hosts have several templates, and some share one. So pairs that are put together are
    wrong less often than it seems; precision counts twice as much as recall (F0.5). Below the distance printed first,
    the made-up sites of three seeds do not stay whole.
    """
    for method in SWEPT:
        print(f"{method}: made-up sites are whole from {max(whole_from(method, seed) for seed in range(3)):.3f} on")
    print()
    pages, hosts = [], []
    for name in TRAINING:
        for sample in open_dataset(name):
            if sample.url and urlsplit(sample.url).hostname:
                pages.append(tamis.parse(sample.html))
                hosts.append(site_of(sample.url))
    print(f"## Training pages: {len(pages)} of {len(set(hosts))} hosts\n")
    print(
        "| measure | threshold | groups | precision of pairs | recall | F0.5 | adjusted Rand |\n"
        "|---|---:|---:|---:|---:|---:|---:|"
    )
    for method in SWEPT:
        matrix = distances.matrix(pages, method)
        for threshold in np.arange(0.2, 0.91, 0.05).round(2).tolist():
            found = single_linkage.cluster_by(matrix, single_linkage.Options(distance=method, threshold=threshold))
            table = clusterings.contingency(found.labels, hosts)
            both, together, same = (
                int((counts * (counts - 1)).sum()) for counts in (table, table.sum(axis=1), table.sum(axis=0))
            )
            precision, recall = both / max(together, 1), both / same
            weighted = 1.25 * precision * recall / max(0.25 * precision + recall, 1e-9)
            index = clusterings.adjusted_rand_index(found.labels, hosts)
            print(
                f"| {method} | {threshold} | {len(found.groups)} | {precision:.3f} | {recall:.3f} | {weighted:.3f} "
                f"| {index:.3f} |",
                flush=True,
            )
    print()
    return True


def whole_from(method: str, seed: int) -> float:
    """The smallest threshold at which single linkage keeps each of the made-up sites together."""
    from tests.sites.generator import make_corpus

    by_site = [[tamis.parse(page.html) for page in make_corpus(1, seed=seed, first_site=site)] for site in range(5)]
    return max(single_linkage.join(distances.matrix(pages, method))[-1].distance for pages in by_site)


def speed() -> bool:
    """What features, a matrix, and a stream of pages cost; every case in a process of its own, to see its memory."""
    from bench import clustering  # processes find it under this name, not under that of the main program

    print("## Cost\n")
    print(_apart(clustering.features_cost, 300))
    answer, is_quick = _apart(clustering.all_at_once, 10_000)
    print(answer, flush=True)
    rows = []
    for count in (1_000, 10_000, 100_000):
        rows.append(_apart(clustering.one_by_one, count))
        print(f"minhash, {rows[-1][1]}", flush=True)
    is_flat = rows[-1][0] <= FLAT_FACTOR * rows[0][0]
    print(f"a page among 100,000 costs {rows[-1][0] / rows[0][0]:.2f} times a page among 1,000\n")
    return is_quick and is_flat


def _apart(function: Callable[[int], Value], pages: int) -> Value:
    """What a function gives for so many pages, in a process of its own."""
    make = functools.partial(functools.partial, function)
    (done,) = run_all([pages], make, count=1, timeout_seconds=math.inf)
    if done.status != "done":
        raise RuntimeError(done.error)
    value: Value = done.value
    return value


def features_cost(count: int) -> str:
    try:
        pages = [tamis.parse(sample.html) for sample in itertools.islice(open_dataset(TRAINING[0]), count)]
    except InputError:
        pages = [tamis.parse(page.html) for page in _pages(100)]
    sizes = np.median([page.nodes.elements.sum() for page in pages])
    lines = [f"features of a page, {len(pages)} pages with {sizes:.0f} elements in the middle:"]
    for method in registry.names("distances"):
        measure = registry.load("distances", method)
        options = measure.Options()
        measure.features(pages[0], options)
        start = time.perf_counter()
        for page in pages:
            measure.features(page, options)
        seconds = time.perf_counter() - start
        lines.append(f"  {method:32} {seconds / len(pages) * 1000:.2f} ms")
    _, seconds = timed(lambda: [tamis.parse(page.source) for page in pages])
    lines.append(f"  {'parsing, for comparison':32} {seconds / len(pages) * 1000:.2f} ms")
    return "\n".join(lines)


def all_at_once(count: int) -> tuple[str, bool]:
    """Single linkage with the whole matrix."""
    made = list(_pages(count))
    pages, right = [page.html for page in made], [page.site for page in made]
    _, parsing = timed(lambda: [tamis.parse(page) for page in pages[:500]])
    found, seconds = timed(tamis.cluster, pages)
    peak = _peak()
    return (
        f"single_linkage, {count} pages: {seconds:.1f} s with parsing (about {parsing / 500 * count:.0f} s), "
        f"{len(found.groups)} groups of {len(set(right))} sites, "
        f"adjusted Rand {clusterings.adjusted_rand_index(found.labels, right):.4f}, peak {peak:.2f} GB",
        seconds <= 60 and peak <= 2,
    )


def one_by_one(count: int) -> tuple[float, str]:
    """The features of pages of as many sites as there are hundreds of pages, in a mixed order, one after the other."""
    features = _features(count)
    start = time.perf_counter()
    found = minhash.cluster_features(features, minhash.Options())
    seconds = time.perf_counter() - start
    right = [page % (count // 100) for page in range(count)]
    index = clusterings.adjusted_rand_index(found.labels, right)
    return (
        seconds / count,
        f"{count} pages of {count // 100} sites: {seconds:.1f} s, {seconds / count * 1000:.3f} ms a page, "
        f"adjusted Rand {index:.4f}, peak {_peak():.2f} GB",
    )


def _pages(count: int) -> Iterator[Any]:
    from tests.sites.generator import iterate_pages

    return iterate_pages(count // 100, 5, 20)


def _features(count: int) -> Iterator[Hashes]:
    """Bags like those of real pages: two thirds of the items of its site, and some that no other page has."""
    number_of_sites = count // 100
    common = mixed(np.arange(100))
    for page in range(count):
        chance = np.random.default_rng(page)
        site = page % number_of_sites
        framework = mixed(np.arange(1000 * (site + 1), 1000 * (site + 1) + 400))
        own = chance.integers(1 << 63, size=80).astype(np.uint64)
        kept = framework[chance.random(400) < 0.85]
        yield np.unique(np.concatenate((common, kept, own)))


def timed(run: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    start = time.perf_counter()
    result = run(*arguments, **options)
    return result, time.perf_counter() - start


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


if __name__ == "__main__":
    sys.exit(main())
