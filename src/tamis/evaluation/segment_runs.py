"""Segmenters × pages → scores: against blocks that people marked, or by the best extraction that the regions allow.

Where the gold is a text, the score is that of the oracle: the best choice of regions, a bound and no result. Where
people marked blocks (``segment_gold``), it is B-cubed over characters and over nodes, box F and the adjusted Rand
index, each against the deepest blocks and against those of level 1. A method that is given with several options also
gets a row with the best of them on each page, which no fixed setting can beat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tamis import batch, registry, segmenters
from tamis.batch import Outcome, Progress
from tamis.characters import counted
from tamis.errors import InputError, OptionError, UnknownNameError
from tamis.evaluation import report
from tamis.evaluation.covers import characters, leaves, node_cover
from tamis.evaluation.datasets import Sample, data_folder, open_dataset, take
from tamis.evaluation.measures import Score
from tamis.evaluation.oracle import best_choice
from tamis.evaluation.score import ScoreRow, write_csv
from tamis.evaluation.segment_gold import MarkedPage, gold, marked_pages, read_marked_pages, render_marked
from tamis.evaluation.segmentations import adjusted_rand, b_cubed, box_f
from tamis.evaluation.systems import options_of
from tamis.evaluation.words import compare_words
from tamis.files import write_text
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.regions import texts, walk
from tamis.results import Segmentation

ORACLE = "oracle"
AGREEMENT = "b_cubed_characters"
BEST_SETTING = "best setting"
_LEVELS = {"": None, "_level_1": 1}  # endings of the names of measures, and the blocks they are about
_AGREEMENTS = (AGREEMENT, "b_cubed_nodes", "box_f", "adjusted_rand")
_ARCHIVE = ".tar.xz"
_MARKED = "*.blocks.html"

Scores = dict[str, Score]


@dataclass(frozen=True, kw_only=True)
class SegmentPlan:
    """What to evaluate, and how."""

    datasets: tuple[str, ...]
    segmenters: tuple[str, ...]  # names, with options: bcs:threshold=0.5
    render: bool = False  # marked pages are shown to a browser; else their layout is estimated
    limit: int | None = None  # pages per dataset
    workers: int = 2
    timeout_seconds: float = 30.0

    def __post_init__(self) -> None:
        if not self.datasets or not self.segmenters:
            raise OptionError("name at least one dataset and one segmenter")
        for written in self.segmenters:
            name, _, options = written.partition(":")
            if name not in registry.names("segmenters"):
                raise UnknownNameError("segmenter", name, registry.names("segmenters"))
            registry.make_options("segmenters", name, options_of(name, options))


@dataclass(frozen=True, kw_only=True)
class _Task:
    """A segmenter and a page: with a gold text, or with blocks that people marked."""

    segmenter: str
    sample: Sample
    marked: MarkedPage | None
    kept: Path | None  # where renderings are, if pages are rendered


def evaluate_segmenters(plan: SegmentPlan, out: Path, progress: Progress = lambda *_: None) -> list[ScoreRow]:
    """Score all segmenters on all pages; ``scores.csv``, ``report.md`` and ``report.html`` go to ``out``."""
    rows: list[ScoreRow] = []
    for name in plan.datasets:
        with _pages(name, plan.limit) as (called, pages):
            rows += _scored(plan, called, pages, out / "rendered" if plan.render else None, progress)
    if not rows:
        raise InputError("no page has a gold text or marked blocks, so there is nothing to compare with")
    rows += best_settings(rows)
    out.mkdir(parents=True, exist_ok=True)
    write_csv(out / "scores.csv", rows)
    title = f"{counted(len(plan.segmenters), 'segmenter')} on {counted(len(plan.datasets), 'dataset')}"
    main = [measure for measure in (ORACLE, AGREEMENT) if any(row.measure == measure for row in rows)]
    found = [table for measure in main for table in report.tables(_of_kind(rows, measure), measure)]
    write_text(out / "report.md", report.to_markdown(title, found))
    write_text(out / "report.html", report.to_html(title, found, rows, main[0]))
    return rows


def best_settings(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """For each method that was given with several options, the row with the largest F1 of each page and measure."""
    methods: dict[str, set[str]] = {}
    for row in rows:
        methods.setdefault(row.system.partition(":")[0], set()).add(row.system)
    best: dict[tuple[str, str, str, str], ScoreRow] = {}
    for row in rows:
        method = row.system.partition(":")[0]
        key = (row.dataset, method, row.id, row.measure)
        if len(methods[method]) > 1 and (key not in best or row.f1 > best[key].f1):
            best[key] = row._replace(system=f"{method}, {BEST_SETTING}")
    return list(best.values())


def oracle_of(found: Segmentation, wanted: str) -> Score:
    """The best F1 of words in order that any choice of regions can reach; text of a region that no part has is one."""
    placed = walk(found.root)
    order = sorted(range(len(placed)), key=lambda number: min(placed[number].region.nodes, default=0))
    own = texts(found.page, placed)
    return best_choice([own[number] for number in order], wanted).score


def agreement(page: Page, found: Segmentation, marked: MarkedPage) -> Scores:
    """All measures of a segmentation against marked blocks; indices without precision and recall stand three times."""
    scores: Scores = {}
    for ending, level in _LEVELS.items():
        right = gold(marked.blocks, level)
        (by_character, weight), (by_node, _) = characters(page), leaves(page)
        some = node_cover(page, found.root, by_character), node_cover(page, right, by_character)
        every = node_cover(page, found.root, by_node), node_cover(page, right, by_node)
        values = (b_cubed(*some, weight), b_cubed(*every), box_f(*every), (adjusted_rand(*every),) * 3)
        scores |= {f"{name}{ending}": Score(*value) for name, value in zip(_AGREEMENTS, values, strict=True)}
    return scores


def _of_kind(rows: Iterable[ScoreRow], measure: str) -> list[ScoreRow]:
    """The rows of pages that have this measure: those with a gold text, or those with marked blocks."""
    found = list(rows)
    datasets = {row.dataset for row in found if row.measure == measure}
    return [row for row in found if row.dataset in datasets]


@contextmanager
def _pages(place: str, limit: int | None) -> Iterator[tuple[str, list[tuple[Sample, MarkedPage | None]]]]:
    """The name and the pages of a dataset; files of marked pages are there until the end."""
    path = _marked_path(place)
    if path is None:
        dataset = open_dataset(place)
        samples = [sample for sample in dataset if sample.gold is not None]
        yield dataset.name, [(sample, None) for sample in (samples if limit is None else take(samples, limit))]
    elif path.is_dir():
        yield path.name, _with_samples(read_marked_pages(path)[:limit])
    else:
        with marked_pages(path) as pages:
            yield path.name.removesuffix(_ARCHIVE), _with_samples(pages[:limit])


def _with_samples(pages: Iterable[MarkedPage]) -> list[tuple[Sample, MarkedPage | None]]:
    return [(Sample(id=page.site, html=page.html, url=page.url), page) for page in pages]


def _marked_path(place: str) -> Path | None:
    """The folder or archive of pages with marked blocks that is meant, if it is one."""
    folder = data_folder()
    found: list[Path] = [Path(place), *((folder / place, folder / f"{place}{_ARCHIVE}") if folder else ())]
    for path in found:
        if path.is_dir() and next(path.rglob(_MARKED), None) is not None:
            return path
        if path.is_file() and path.name.endswith(_ARCHIVE):
            return path
    return None


def _scored(
    plan: SegmentPlan,
    dataset: str,
    pages: Sequence[tuple[Sample, MarkedPage | None]],
    kept: Path | None,
    progress: Progress,
) -> list[ScoreRow]:
    tasks = [
        _Task(segmenter=name, sample=sample, marked=marked, kept=kept)
        for name in plan.segmenters
        for sample, marked in pages
    ]
    rows: list[ScoreRow] = []
    outcomes = batch.run_supervised(tasks, _scorer, processes=plan.workers, timeout_seconds=plan.timeout_seconds)
    with closing(outcomes):
        for task, outcome in batch.watched(outcomes, progress, dataset, len(tasks)):
            scores = outcome.value or dict.fromkeys(_measures(task), Score(0.0, 0.0, 0.0))
            rows += [_row(task, dataset, outcome.status, outcome.seconds, *item) for item in scores.items()]
    places = {name: place for place, name in enumerate(plan.segmenters)}
    return sorted(rows, key=lambda row: (places[row.system], row.id))


def _scorer() -> Callable[[_Task], Outcome[Scores]]:
    return lambda task: Outcome("ok", _score(task))


def _score(task: _Task) -> Scores:
    name, _, written = task.segmenter.partition(":")
    options = options_of(name, written)
    if task.marked is None:
        page = parse(task.sample.markup, task.sample.url)
        return {ORACLE: oracle_of(segmenters.segment(page, name, **options), task.sample.gold or "")}
    page = task.marked.parse() if task.kept is None else render_marked(task.marked, kept=task.kept)[0]
    return agreement(page, segmenters.segment(page, name, **options), task.marked)


def _measures(task: _Task) -> list[str]:
    """The names of the scores of a task that could not be done."""
    if task.marked is None:
        return [ORACLE]
    return [f"{name}{ending}" for ending in _LEVELS for name in _AGREEMENTS]


def _row(task: _Task, dataset: str, status: str, seconds: float, measure: str, score: Score) -> ScoreRow:
    sample = task.sample
    return ScoreRow(
        dataset=dataset,
        system=task.segmenter,
        id=sample.id,
        page_type=sample.page_type or "",
        gold_words=len(compare_words(sample.gold or "")),
        status=status,
        size=len(sample.data),
        seconds=seconds,
        measure=measure,
        precision=score.precision,
        recall=score.recall,
        f1=score.f1,
    )
