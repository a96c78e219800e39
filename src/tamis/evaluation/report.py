"""Rows → tables, intervals, paired differences and plots, as Markdown and as one self-contained HTML page.

Every dataset is reported by itself, and then the mean over datasets; never one pooled figure, since "main content" is a
policy that differs from dataset to dataset.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from tamis.batch import LOST
from tamis.evaluation import charts
from tamis.evaluation.measures import harmonic_mean, stability
from tamis.evaluation.score import ScoreRow
from tamis.evaluation.statistics import Interval, difference_interval, mean_interval
from tamis.pictures.frame import html_page

F1Of = Literal["pages", "means"]
"""Tables show the mean F1 of the pages, or the F1 of mean precision and mean recall (Weninger et al. 2010)."""

_LENGTHS = ((0, 150), (150, 500), (500, 1500), (1500, None))  # gold words; short pages are where methods differ most
_SHOWN_PAGES = 10


@dataclass(frozen=True)
class Table:
    """A heading, column names, and rows of cells that are ready to print."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class ComparedPage:
    """A page on which systems differ, with what each of them returned."""

    dataset: str
    id: str
    texts: Mapping[str, str]  # by system; "gold" is the gold text


def tables(rows: Sequence[ScoreRow], measure: str, baseline: str | None = None, f1_of: F1Of = "pages") -> list[Table]:
    """All tables of a report for one measure; systems from best to worst."""
    chosen = [row for row in rows if row.measure == measure]
    result = [_summary(chosen, measure) if f1_of == "pages" else _summary_of_means(chosen, measure)]
    if baseline:
        result.append(_differences(chosen, baseline))
    result += [
        _breakdown(chosen, "By page type", lambda row: row.page_type or "not given"),
        _breakdown(chosen, "By length of the gold text (words)", _length_name),
        _stability(chosen),
        _reliability(chosen),
    ]
    others = sorted({row.measure for row in rows} - {measure})
    if others:
        result.append(_other_measures(rows, [measure, *others]))
    return [table for table in result if table.rows]


def to_markdown(title: str, found: Iterable[Table]) -> str:
    """The tables as Markdown."""
    parts = [f"# {title}"]
    for table in found:
        lines = [f"## {table.heading}", "", _markdown_row(table.columns)]
        lines.append(_markdown_row(["---", *["---:"] * (len(table.columns) - 1)]))
        lines += map(_markdown_row, table.rows)
        parts.append("\n".join([*lines, "", table.note] if table.note else lines))
    return "\n\n".join(parts) + "\n"


def to_html(
    title: str, found: Iterable[Table], rows: Sequence[ScoreRow], measure: str, pages: Sequence[ComparedPage] = ()
) -> str:
    """One page with tables and plots that needs nothing else."""
    chosen = [row for row in rows if row.measure == measure]
    body = [
        *map(_html_table, found),
        "<h2>How scores are spread over pages</h2>",
        charts.spread(chosen, _systems(chosen), measure),
        "<h2>Precision and recall</h2>",
        charts.precision_recall(chosen, _systems(chosen)),
        *charts.model_section(rows, _systems(chosen)),
        *_html_pages(pages),
    ]
    return html_page(title, body, _STYLE)


def largest_differences(rows: Sequence[ScoreRow], measure: str) -> list[tuple[str, str]]:
    """Dataset and id of the pages on which the systems differ most."""
    scores: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row.measure == measure:
            scores.setdefault((row.dataset, row.id), []).append(row.f1)
    spread = {page: max(found) - min(found) for page, found in scores.items() if len(found) > 1}
    return sorted(spread, key=lambda page: (-spread[page], page))[:_SHOWN_PAGES]


def _systems(rows: Sequence[ScoreRow]) -> list[str]:
    """Names of the systems, the best mean over datasets first."""
    means = {name: statistics.fmean(_dataset_means(rows, name).values()) for name in {row.system for row in rows}}
    return sorted(means, key=lambda name: (-means[name], name))


def _dataset_means(rows: Sequence[ScoreRow], system: str) -> dict[str, float]:
    return {dataset: statistics.fmean(row.f1 for row in own) for dataset, own in _by_dataset(rows, system).items()}


def _by_dataset(rows: Sequence[ScoreRow], system: str) -> dict[str, list[ScoreRow]]:
    own: dict[str, list[ScoreRow]] = {}
    for row in rows:
        if row.system == system:
            own.setdefault(row.dataset, []).append(row)
    return own


def _summary(rows: Sequence[ScoreRow], measure: str) -> Table:
    datasets = sorted({row.dataset for row in rows})
    systems = _systems(rows)
    table = []
    for dataset in datasets:
        here = {name: [row.f1 for row in rows if row.system == name and row.dataset == dataset] for name in systems}
        count = max(map(len, here.values()))
        table.append((dataset, str(count), *(_interval(mean_interval(here[name])) for name in systems)))
    means = (f"**{statistics.fmean(_dataset_means(rows, name).values()):.3f}**" for name in systems)
    table.append(("mean over datasets", "", *means))
    note = "Mean over pages, and half the width of the 95 % bootstrap interval."
    return Table(f"F1 ({measure})", ("dataset", "pages", *systems), tuple(table), note)


def _summary_of_means(rows: Sequence[ScoreRow], measure: str) -> Table:
    """The convention of the tables of CETR: per dataset the harmonic mean of mean precision and mean recall."""
    found: dict[str, dict[str, float]] = {row.system: {} for row in rows}
    counts: dict[str, int] = {}
    for name, scores in found.items():
        for dataset, own in _by_dataset(rows, name).items():
            means = (statistics.fmean(row.precision for row in own), statistics.fmean(row.recall for row in own))
            scores[dataset] = harmonic_mean(*means)
            counts[dataset] = max(counts.get(dataset, 0), len(own))
    overall = {name: statistics.fmean(scores.values()) for name, scores in found.items()}
    systems = sorted(overall, key=lambda name: (-overall[name], name))
    table = [
        (
            dataset,
            str(counts[dataset]),
            *(_mean([found[name][dataset]] if dataset in found[name] else []) for name in systems),
        )
        for dataset in sorted(counts)
    ]
    table.append(("mean over datasets", "", *(f"**{overall[name]:.3f}**" for name in systems)))
    note = "F1 of the mean precision and the mean recall over pages, as in the tables of Weninger et al. (2010)."
    return Table(f"F1 of means ({measure})", ("dataset", "pages", *systems), tuple(table), note)


def _differences(rows: Sequence[ScoreRow], baseline: str) -> Table:
    datasets = sorted({row.dataset for row in rows})
    systems = [name for name in _systems(rows) if name != baseline]
    scores = {(row.system, row.dataset, row.id): row.f1 for row in rows}
    table = []
    for dataset in datasets:
        cells = []
        for name in systems:
            ids = [key for key in scores if key[0] == baseline and key[1] == dataset and (name, *key[1:]) in scores]
            mine, theirs = ([scores[(system, *key[1:])] for key in ids] for system in (name, baseline))
            difference = difference_interval(mine, theirs)
            sure = "" if difference.low <= 0 <= difference.high else "*"
            cells.append(f"{difference.mean:+.3f}{sure}" if ids else "")
        table.append((dataset, *cells))
    note = "On the same pages. A star marks differences whose 95 % bootstrap interval does not contain 0."
    return Table(f"Difference to {baseline}", ("dataset", *systems), tuple(table), note)


def _breakdown(rows: Sequence[ScoreRow], heading: str, group: Callable[[ScoreRow], str]) -> Table:
    systems = _systems(rows)
    scores: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        scores.setdefault(group(row), {}).setdefault(row.system, []).append(row.f1)
    table = tuple(
        (name, str(max(map(len, found.values()))), *(_mean(found.get(system, [])) for system in systems))
        for name, found in sorted(scores.items())
    )
    return Table(heading, ("group", "pages", *systems), table if len(table) > 1 else ())


def _stability(rows: Sequence[ScoreRow]) -> Table:
    """Per dataset only: over several of them the deviation would be that of the datasets (Gottron 2008, 5.2.2)."""
    systems = _systems(rows)
    own = {name: _by_dataset(rows, name) for name in systems}
    table = tuple(
        (dataset, *(_deviation([row.f1 for row in own[name].get(dataset, ())]) for name in systems))
        for dataset in sorted({row.dataset for row in rows})
    )
    note = "Standard deviation of F1 over the pages of a dataset: lower is steadier, better or not."
    return Table("Stability", ("dataset", *systems), table, note)


def _reliability(rows: Sequence[ScoreRow]) -> Table:
    table = []
    for name in _systems(rows):
        mine = [row for row in rows if row.system == name]
        kilobytes = sum(row.size for row in mine) / 1024
        table.append(
            (
                name,
                str(sum(row.status in LOST for row in mine)),
                str(sum(row.status == "empty" for row in mine)),
                f"{sum(row.seconds for row in mine) / kilobytes * 1e6:.0f}" if kilobytes else "",
                f"{statistics.median(row.seconds for row in mine) * 1000:.1f}",
            )
        )
    columns = ("system", "failed", "empty", "µs per kB", "median ms per page")
    return Table("Failures and time", columns, tuple(table), "A failed page scores 0.")


def _other_measures(rows: Sequence[ScoreRow], names: Sequence[str]) -> Table:
    table = []
    for system in _systems([row for row in rows if row.measure == names[0]]):
        cells = []
        for name in names:
            chosen = [row for row in rows if row.measure == name]
            means = _dataset_means(chosen, system)
            cells.append(f"{statistics.fmean(means.values()):.3f}" if means else "")
        table.append((system, *cells))
    return Table("All measures (F1, mean over datasets)", ("system", *names), tuple(table))


def _length_name(row: ScoreRow) -> str:
    for low, high in _LENGTHS:
        if high is None or row.gold_words < high:
            return f"{low:>4} - {high}" if high else f"{low} and more"
    raise AssertionError("the last length has no end")


def _interval(value: Interval) -> str:
    return f"{value.mean:.3f} ±{(value.high - value.low) / 2:.3f}"


def _deviation(values: Sequence[float]) -> str:
    return f"{stability(values):.3f}" if len(values) > 1 else ""


def _mean(values: Sequence[float]) -> str:
    return f"{statistics.fmean(values):.3f}" if values else ""


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _html_table(table: Table) -> str:
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in table.columns)
    rows = "".join(
        f"<tr><th scope=row>{escape(first)}</th>"
        + "".join(f"<td>{escape(cell.strip('*') if cell.startswith('**') else cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in table.rows
    )
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    return (
        f"<h2>{escape(table.heading)}</h2><div class=scroll><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>{note}"
    )


def _html_pages(pages: Sequence[ComparedPage]) -> list[str]:
    if not pages:
        return []
    parts = ["<h2>Pages on which the systems differ most</h2>"]
    for page in pages:
        columns = "".join(
            f"<div><h3>{escape(name)}</h3><pre>{escape(text)}</pre></div>" for name, text in page.texts.items()
        )
        parts.append(
            f"<details><summary>{escape(page.dataset)}: {escape(page.id)}</summary>"
            f"<div class=side>{columns}</div></details>"
        )
    return parts


_STYLE = """\
th, td { text-align: right; white-space: nowrap; }
th:first-child { text-align: left; }
.scroll { overflow-x: auto; }
pre { max-height: 30rem; overflow-y: auto; }"""
