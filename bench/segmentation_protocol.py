"""Zelený's experiments (2017, chapter 9) on pages of known types: accuracy, stability, time, and reuse of segments.

    python -m bench.segmentation_protocol --work DIR            6 pages of each type, about two minutes
    python -m bench.segmentation_protocol --work DIR --pages 2 --keep-docs

Pages are those of ``bench.segmentation_types``, written and rendered once into DIR. Writes
the tables of docs/segmentation-protocol.md.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import NamedTuple

from bench.marks import refilled
from bench.segmentation_types import SITES, TypedPage, make_pages
from tamis import segmenters
from tamis.errors import InputError
from tamis.evaluation.covers import leaves, node_cover
from tamis.evaluation.segment_gold import MarkedPage, gold, read_marked_pages, render_marked, without_marks
from tamis.evaluation.segment_protocol import best_of, trials
from tamis.evaluation.segmentations import b_cubed
from tamis.evaluation.stability import Spread, stability
from tamis.fetching.answers import Fetched
from tamis.fetching.crawl import Options as CrawlOptions
from tamis.fetching.crawl import crawl
from tamis.page.model import Page
from tamis.sites.segment_cache import CacheReport, SegmentAnswer, SegmentCache

DOCS = Path(__file__).parent.parent / "docs" / "segmentation-protocol.md"
METHODS = ("bcs", "vips")
AUTOMATIC = {"bcs": {"max_loose": 0.05}}  # settings that look at the page; the share was swept on training pages
CRAWLED = (10, 20, 40)


class Value(NamedTuple):
    """One method on one page, in one way to choose the setting."""

    method: str
    chosen: str  # "best", "fixed" or "automatic"
    type: str
    f1: float
    adjusted_rand: float
    seconds: float  # mean of the settings


class Reused(NamedTuple):
    """All pages of a site by one method, with or without regions taken over."""

    method: str
    reuse: bool
    report: CacheReport
    agreement: float  # of the regions with those of a segmentation of its own, B-cubed F of texts and pictures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for pages and what was rendered of them")
    parser.add_argument("--pages", type=int, default=6, help="of each type of each site")
    parser.add_argument("--keep-docs", action="store_true", help="do not write the page of the documentation")
    arguments = parser.parse_args()
    marked = write_pages(arguments.work / "types", list(make_pages(arguments.pages)))
    rendered, seconds = render_all(marked, arguments.work / "rendered-types")
    values = [value for one, page in zip(marked, rendered, strict=True) for value in judged(one, page)]
    tables = [
        accuracy_table(values),
        stability_table(values),
        reuse_table(list(reused(marked, rendered)), seconds),
        crawl_table(list(crawls())),
    ]
    types = len({type_of(one) for one in marked})
    text = "\n".join([f"{len(marked)} pages of {types} types.\n", *tables])
    print(text)
    if not arguments.keep_docs:
        DOCS.write_text(refilled(DOCS.read_text("utf-8"), {"tables": text.rstrip()}), "utf-8")
    return 0


def write_pages(folder: Path, pages: Sequence[TypedPage]) -> list[MarkedPage]:
    """The pages in a folder, as the archive of marked pages has them."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for page in pages:
        name = name_of(page.url)
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "index.blocks.html").write_bytes(page.marked)
        listed.append(f'"{page.url}" : "/opt/types/{name}/index.html",')
    (folder / "mapping.txt").write_text("\n".join(listed), encoding="utf-8")
    names = {name_of(page.url) for page in pages}
    return [one for one in read_marked_pages(folder) if one.site in names]


def name_of(url: str) -> str:
    """grid-article-3 for http://grid.example/article/3."""
    host, kind, number = url.removeprefix("http://").split("/")
    return f"{host.partition('.')[0]}-{kind}-{number}"


def type_of(marked: MarkedPage) -> str:
    site, kind, _ = marked.site.split("-")
    return f"{site} ({kind})"


def render_all(marked: Sequence[MarkedPage], kept: Path) -> tuple[list[Page], float]:
    """The pages with boxes, and the seconds that rendering one takes."""
    kept.mkdir(exist_ok=True)
    rendered = [render_marked(one, kept=kept)[0] for one in marked]
    spent = []
    for one in marked[:: max(len(marked) // 9, 1)]:
        start = time.perf_counter()
        render_marked(one)
        spent.append(time.perf_counter() - start)
    return rendered, statistics.median(spent)


def judged(marked: MarkedPage, page: Page) -> Iterator[Value]:
    """Both methods on a page, by the best of ten settings, by the fixed one, and by one that looks at the page."""
    right, kind = gold(marked.blocks), type_of(marked)
    for method in METHODS:
        made = trials(page, right, method)
        spent = statistics.mean(trial.seconds for trial in made)
        yield Value(method, "best", kind, *best_of(made), spent)
        ways: dict[str, Mapping[str, float]] = {"fixed": {}} | (
            {"automatic": AUTOMATIC[method]} if method in AUTOMATIC else {}
        )
        for way, options in ways.items():
            (trial,) = trials(page, right, method, [options])
            yield Value(method, way, kind, trial.f1, trial.adjusted_rand, trial.seconds)


def accuracy_table(values: Sequence[Value]) -> str:
    ways = list(dict.fromkeys((value.method, value.chosen) for value in values))
    lines = [
        "## Accuracy: box F and adjusted Rand index, means over the pages of a type",
        "",
        "| pages | " + " | ".join(f"{method} {way}: F | ARI" for method, way in ways) + " |",
        "|---|" + "---:|" * 2 * len(ways),
    ]
    for kind in (*dict.fromkeys(value.type for value in values), "all"):
        cells = []
        for method, way in ways:
            chosen = [v for v in values if (v.method, v.chosen) == (method, way) and kind in (v.type, "all")]
            cells += [statistics.mean(v.f1 for v in chosen), statistics.mean(v.adjusted_rand for v in chosen)]
        lines.append(f"| {kind} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def stability_table(values: Sequence[Value]) -> str:
    """As the thesis has it: the deviation of the best values; and the mean time of a run."""
    columns = [(method, measure) for measure in ("adjusted_rand", "f1") for method in METHODS]
    spreads: dict[tuple[str, str], dict[str, Spread]] = {}
    for method, measure in columns:
        best = [v for v in values if (v.method, v.chosen) == (method, "best")]
        spreads[method, measure] = stability((v.type, getattr(v, measure)) for v in best)
    lines = [
        "## Stability: standard deviation of the best values, and milliseconds of a run",
        "",
        "| pages | bcs ARI | vips ARI | bcs F | vips F | bcs ms | vips ms | vips / bcs |",
        "|---|" + "---:|" * 7,
    ]
    for kind in spreads[columns[0]]:
        cells = [f"{spreads[column][kind].deviation:.3f}" for column in columns]
        spent = [
            1000
            * statistics.median(v.seconds for v in values if (v.method, v.chosen, v.type) == (method, "best", kind))
            for method in METHODS
        ]
        lines.append(f"| {kind} | {' | '.join(cells)} | {spent[0]:.1f} | {spent[1]:.1f} | {spent[1] / spent[0]:.1f} |")
    steadier = [
        sum(
            spreads["bcs", measure][kind].deviation < spreads["vips", measure][kind].deviation
            for kind in spreads[columns[0]]
        )
        for measure in ("adjusted_rand", "f1")
    ]
    count = len(spreads[columns[0]])
    lines += ["", f"`bcs` is more stable on {steadier[0]} of {count} types by ARI and on {steadier[1]} by F."]
    return "\n".join(lines) + "\n"


def reused(marked: Sequence[MarkedPage], rendered: Sequence[Page]) -> Iterator[Reused]:
    """All pages, with and without the template cache, by both methods."""
    shown = {page.url: page for page in rendered}
    for method, reuse in itertools.product(METHODS, (False, True)):
        cache = SegmentCache(method, render=lambda page: shown[page.url])
        report, agreed = CacheReport(), []
        for one, page in zip(marked, rendered, strict=True):
            if not reuse:
                cache.known.clear()
            answer = cache.segment(one.parse())
            report = report.plus(answer)
            roots = answer.segmentation.root, segmenters.segment(page, method).root
            taken, own = (node_cover(page, root, leaves(page).node) for root in roots)
            agreed.append(b_cubed(taken, own).f1)
        yield Reused(method, reuse, report, statistics.mean(agreed))


def reuse_table(rows: Sequence[Reused], seconds: float) -> str:
    """Times are per page; a browser is counted for every page that was segmented."""
    lines = [
        "## Segments reused within a template",
        "",
        f"Rendering took {1000 * seconds:.0f} ms a page (median, browser running) and is counted for each page "
        "that was segmented.",
        "",
        "| method | reuse | pages | reused | ms matching | ms rendering | ms segmenting | ms in total | agrees |",
        "|---|---|" + "---:|" * 7,
    ]
    for row in rows:
        report = row.report
        misses = report.pages - report.hits
        parts = (
            report.seconds_matching if row.reuse else 0.0,
            seconds * misses,
            report.seconds_segmenting,
        )
        cells = [f"{1000 * part / report.pages:.1f}" for part in (*parts, sum(parts))]
        lines.append(
            f"| {row.method} | {'yes' if row.reuse else 'no'} | {report.pages} | {report.hits} | {' | '.join(cells)} "
            f"| {row.agreement:.3f} |"
        )
    return "\n".join(lines) + "\n"


def crawls() -> Iterator[tuple[str, CacheReport, int]]:
    """Each site crawled from its first index page, segments taken over: the site, the report, the templates."""
    for site in SITES:
        pages = {page.url: without_marks(page.marked) for page in make_pages(max(CRAWLED)) if page.site == site}
        for most in CRAWLED:
            cache = SegmentCache("bcs")
            answers: list[SegmentAnswer] = []
            crawl(
                f"http://{site}.example/index/0",
                CrawlOptions(max_pages=most, max_depth=3),
                partial(_keep, cache, answers),
                fetch=partial(_fetch, pages),
            )
            yield site, reduce(CacheReport.plus, answers, CacheReport()), sum(map(len, cache.known.values()))


def _keep(cache: SegmentCache, answers: list[SegmentAnswer], page: Fetched) -> None:
    answers.append(cache.segment(page.parse()))


def _fetch(pages: Mapping[str, bytes], url: str) -> Fetched:
    if url not in pages:
        raise InputError(f"there is no page at {url}")
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Fetched(requested=url, url=url, status=200, headers=headers, body=pages[url], time="2024-05-01T12:00:00Z")


def crawl_table(rows: Sequence[tuple[str, CacheReport, int]]) -> str:
    lines = [
        "## A site crawled and segmented",
        "",
        "From its first index page, over links; `bcs`, with an estimated layout, so that no browser is waited for.",
        "",
        "| site | pages | templates | reused | share |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {site} | {report.pages} | {templates} | {report.hits} | {report.hit_ratio:.2f} |"
        for site, report, templates in rows
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
