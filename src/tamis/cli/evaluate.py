"""``tamis evaluate``: systems on datasets, with a report."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from tamis import extractors
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.flags import Input
from tamis.cli.items import folder_for_results
from tamis.cli.progress import Bars
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.evaluation.score import ScoreRow


def evaluate(
    *datasets: Annotated[Input, Parameter(help="Files, folders, or names below the data folder: public/dragnet.")],
    methods: Annotated[str, Parameter(help="Systems, separated by commas: methods, peers, or command:…")] = (
        f"keep_all,{extractors.DEFAULT}"
    ),
    segmenters: Annotated[
        str | None, Parameter(help="Evaluate these segmenters instead, separated by commas; options are allowed.")
    ] = None,
    measures: Annotated[str, Parameter(help="Measures, separated by commas; tables show the first.")] = "bag,words",
    out: Annotated[Path, Parameter(help="Folder for predictions, scores and the report; a rerun continues.")] = Path(
        "evaluation"
    ),
    baseline: Annotated[str | None, Parameter(help="System that the others are compared with.")] = None,
    f1_of: Annotated[
        Literal["pages", "means"], Parameter(help="Mean F1 of pages, or F1 of mean precision and recall as in CETR.")
    ] = "pages",
    limit: Annotated[int | None, Parameter(help="Pages per dataset, the same ones every time; default: all.")] = None,
    workers: Annotated[
        int, Parameter(help="Number of processes; default: one per core.", show_default=False)
    ] = os.cpu_count() or 1,
    timeout: Annotated[float, Parameter(help="Seconds a system may take for one page.")] = 30.0,
    render: Annotated[
        bool, Parameter(help="With --segmenters: render the labelled pages.", negative="", show_default=False)
    ] = False,
    sweep: Annotated[str | None, Parameter(help="Sweep an option of one method: option=value,value,…")] = None,
    gate: Annotated[
        Path | None, Parameter(help="Check the minimum scores in this file; exit code 1 if one is missed.")
    ] = None,
    update_floors: Annotated[
        bool, Parameter(help="With --gate: raise them to the current scores.", negative="", show_default=False)
    ] = False,
    lower_floors: Annotated[
        bool, Parameter(help="With --update-floors: also lower them.", negative="", show_default=False)
    ] = False,
) -> int:
    """Score systems on datasets and write a report.

    Writes predictions, scores, report.md and report.html to the folder --out. Predictions that are there already are
    reused.

    Examples:
      tamis evaluate pages.jsonl --methods sieve,bte
      tamis evaluate public/dragnet --methods sieve,trafilatura --limit 100
      tamis evaluate pages.jsonl --methods lqf --sweep threshold=0.2,0.4,0.6
      tamis evaluate pages.jsonl --segmenters vips,bcs
      tamis evaluate --gate bench/gate.toml
    """
    from tamis.evaluation.evaluate import EvaluationPlan
    from tamis.evaluation.evaluate import evaluate as run

    with folder_for_results(out):
        if gate is not None:
            return _gate(gate, out, workers, update=update_floors, lower=lower_floors)
        if update_floors or lower_floors:
            raise OptionError("--update-floors and --lower-floors change a gate file: pass it with --gate")
        if segmenters is not None:
            return _segmenters(datasets, segmenters, out, render=render, limit=limit, workers=workers, timeout=timeout)
        if render:
            raise OptionError("--render renders labelled pages for segmenters: pass --segmenters as well")
        if sweep is not None:
            return _sweep(datasets, methods, sweep, limit, out)
        plan = EvaluationPlan(
            datasets=datasets,
            systems=_split(methods),
            measures=_split(measures),
            baseline=baseline,
            f1_of=f1_of,
            limit=limit,
            workers=workers,
            timeout_seconds=timeout,
        )
        with Bars() as progress:
            rows = run(plan, out, progress)
        _tell([row for row in rows if row.measure == plan.measures[0]], out)
        return 0


def _segmenters(
    datasets: tuple[str, ...],
    segmenters: str,
    out: Path,
    *,
    render: bool,
    limit: int | None,
    workers: int,
    timeout: float,
) -> int:
    from tamis.evaluation.segment_runs import SegmentPlan, evaluate_segmenters

    plan = SegmentPlan(
        datasets=datasets,
        segmenters=_split(segmenters),
        render=render,
        limit=limit,
        workers=workers,
        timeout_seconds=timeout,
    )
    with Bars() as progress:
        rows = evaluate_segmenters(plan, out, progress)
    pages = {(row.dataset, row.system, row.id): row for row in rows if row.system in plan.segmenters}
    _tell(list(pages.values()), out)
    return 0


def _tell(rows: Sequence[ScoreRow], out: Path) -> None:
    """The report on standard output, and how many pages were scored."""
    streams.write((out / "report.md").read_text(encoding="utf-8"))
    counts = Counter(row.status for row in rows)
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    scored = f"{counted(len(rows), 'page')} scored{summary and f': {summary}'}"
    streams.say(f"{scored}; report: {out / 'report.html'}")
    if not rows:
        streams.say("warning: no page has gold; tamis dataset info says what a dataset holds")


def _gate(path: Path, out: Path, workers: int, *, update: bool, lower: bool) -> int:
    from tamis.evaluation.gate import run_gate, update_gate

    with Bars() as progress:
        if update:
            changes = update_gate(path, out, lower=lower, workers=workers, progress=progress)
            streams.write("".join(f"{change}\n" for change in changes) or "no floor changed\n")
            return 0
        problems = run_gate(path, out, workers=workers, progress=progress)
    for problem in problems:
        streams.say(problem)
    streams.write("all floors hold\n" if not problems else "")
    return int(bool(problems))


def _sweep(datasets: tuple[str, ...], method: str, study: str, limit: int | None, out: Path) -> int:
    """Scores of one method over values of one option, as a table on standard output and as curves in a file."""
    from tamis.evaluation import sweep as sweeping
    from tamis.evaluation.datasets import open_dataset, take
    from tamis.evaluation.systems import parse_value
    from tamis.files import write_text

    option, equals, written = study.partition("=")
    values = [parse_value(value) for value in written.split(",") if value]
    if not equals or not values or "," in method:
        raise OptionError(
            f"--sweep is {study!r} with --methods {method!r}, but one method and option=value,value are expected"
        )
    for name in datasets:
        samples = open_dataset(name)
        points = sweeping.sweep(list(samples) if limit is None else take(samples, limit), method, option, values)
        streams.write(f"# {method} on {samples.name}\n\n{sweeping.to_markdown(points, option)}\n")
        if all(isinstance(value, int | float) for value in values):
            figure = out / f"sweep-{samples.name.replace('/', '-')}-{method}-{option}.svg"
            write_text(figure, sweeping.to_svg(points, f"{method} on {samples.name}", option))
    return 0


def _split(names: str) -> tuple[str, ...]:
    """Names joined by commas; a comma inside the options of a method (``lqf:a=1,b=2``) joins nothing.

    >>> _split("bte, lqf:threshold=0.5,discard_nested=true,dsc")
    ('bte', 'lqf:threshold=0.5,discard_nested=true', 'dsc')
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, names.split(","))):
        if found and "=" in part and ":" not in part and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return tuple(found)
