"""``tamis run``: files full of pages become clean text, shard by shard, on one machine or many."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from tamis import batch, extractors, registry
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.flags import Input, offers
from tamis.errors import OptionError
from tamis.scaling import shard_plan
from tamis.scaling.job import Job, from_dict, load_job
from tamis.scaling.run import RunProgress, RunReport
from tamis.scaling.run import run as run_job
from tamis.scaling.shard_work import finished
from tamis.scaling.stages import stages_of

_INPUTS = Parameter(help="WARC, JSON lines or Parquet files, folders, patterns, or fsspec URLs (s3:// and so on).")
_OUT = Parameter(help="Output folder; run the same command again to continue an interrupted run.")
_JOB = Parameter(help="Job file (TOML) with all settings; flags override it.")
_METHOD = Parameter(
    help=f"Extraction method; default {extractors.DEFAULT}.",
    completer=offers(*registry.names("extractors")),
)
_FORMAT = Parameter(help="text, markdown or html; default text.", completer=offers("text", "markdown", "html"))
_OUTPUT = Parameter(help="parquet or jsonl; default parquet.", completer=offers("parquet", "jsonl"))
_ENGINE = Parameter(
    help="local: processes of this machine; ray: a Ray cluster (RAY_ADDRESS).", completer=offers("local", "ray")
)
_SITES = Parameter(
    help="Run two passes, and use what pages of one host repeat as evidence.", negative="", show_default=False
)
_SHARD = Parameter(help="i/n: process only the i-th of n parts of the files, for job arrays.")


def run(
    *inputs: Annotated[Input, _INPUTS],
    out: Annotated[Path, _OUT],
    job: Annotated[Path | None, _JOB] = None,
    method: Annotated[str | None, _METHOD] = None,
    format: Annotated[str | None, _FORMAT] = None,  # noqa: A002 - a flag's name
    output: Annotated[str | None, _OUTPUT] = None,
    sites: Annotated[bool, _SITES] = False,
    engine: Annotated[str, _ENGINE] = "local",
    workers: Annotated[int | None, Parameter(help="Number of shards in parallel; default: one per core.")] = None,
    shard: Annotated[str | None, _SHARD] = None,
    dry_run: Annotated[
        bool, Parameter(help="Print what would be done, and do nothing.", negative="", show_default=False)
    ] = False,
) -> int:
    """Extract all pages of WARC, JSON lines or Parquet files, with provenance.

    Every input file becomes a shard of the output, which is written whole or not at all. Run the same command again to
    continue an interrupted run.

    Examples:
      tamis run 'crawl/*.warc.gz' --out texts/
      tamis run pages.jsonl --out texts/ --format markdown --output jsonl
      tamis run 'crawl/*.warc.gz' --out texts/ --sites
      tamis run crawl/ --out texts/ --job job.toml --dry-run
      tamis run crawl/ --out texts/ --shard 2/8 --workers 4
    """
    if not inputs:
        raise OptionError("nothing to read: pass WARC, JSON lines or Parquet files, folders or patterns")
    chosen = _job(job, method=method, format=format, output=output, sites=sites or None)
    if dry_run:
        return _say_plan(inputs, chosen, out, shard)
    with _display() as watch:
        try:
            report = run_job(inputs, chosen, out, engine=engine, workers=workers, part=shard, watch=watch)
        except KeyboardInterrupt:
            streams.say("interrupted: run the same command again to continue")
            return 130
    _say_report(report)
    return int(bool(report.failures or report.waiting or batch.exit_code(report.counts)))


def _job(path: Path | None, **flags: str | bool | None) -> Job:
    job = load_job(path) if path else Job()
    said = {name: value for name, value in flags.items() if value is not None}
    if isinstance(short := said.get("format"), str):
        said["format"] = registry.resolved("outputs", short)
    return from_dict({**job.to_dict(), **said}) if said else job


def _say_plan(inputs: tuple[str, ...], job: Job, out: Path, part: str | None) -> int:
    shards = shard_plan.part_of(shard_plan.plan(inputs), part)
    sources = [source for shard in shards for source in shard.sources]
    size = sum(Path(source).stat().st_size for source in sources if not shard_plan.is_remote(source))
    stages = stages_of(job)
    done = sum(finished(shard, job, out, stages[-1]) is not None for shard in shards)
    streams.write(
        f"{counted(len(shards), 'shard')} of {counted(len(sources), 'file')}, {size / 1e6:.1f} MB on this machine; "
        f"{done} done\n"
        f"method {job.method} {dict(job.options)}, format {job.format}, written as {job.output}\n"
        + "".join(f"filter {chosen.name} {dict(chosen.parameters)}\n" for chosen in job.filters)
        + f"stages: {', '.join(stages)}\n"
        f"at most {job.limits.seconds:g} s, {job.limits.memory_mb} MB and {job.limits.bytes} bytes a record\n"
    )
    return 0


def _display() -> AbstractContextManager[Any]:
    """A line that says how far it is, where somebody looks."""
    if not sys.stderr.isatty():
        return nullcontext(None)
    import contextlib

    from rich.console import Console
    from rich.live import Live

    @contextlib.contextmanager
    def shown() -> Any:
        with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:
            yield lambda progress: live.update(progress_line(progress))

    return shown()


def progress_line(progress: RunProgress) -> str:
    """One line: shards, records, rate, time left, and what went wrong."""
    rate = progress.fresh / max(progress.seconds, 1e-9)
    ended = progress.done + progress.failed
    parts = [
        f"{progress.stage}: {ended}/{counted(progress.shards, 'shard')}",
        counted(progress.counts.total(), "record"),
        f"{rate:.1f}/s",
    ]
    if 0 < ended < progress.shards and progress.seconds > 1:
        parts.append(f"about {_clock(progress.seconds / ended * (progress.shards - ended))} left")
    parts += [f"{progress.counts[status]} {status}" for status in batch.STATUSES[1:] if progress.counts[status]]
    if progress.failed:
        parts.append(f"{counted(progress.failed, 'shard')} failed")
    return " · ".join(parts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def _say_report(report: RunReport) -> None:
    for name, error in report.failures:
        streams.say(f"failed: shard {name}: {error}")
    streams.say(f"{counted(report.records, 'record')}: {batch.told(report.counts)}")
    for name, count in sorted(report.skipped.items()):
        streams.say(f"  {count} skipped by {name}")
    resumed = f", {report.resumed} of them done before" if report.resumed else ""
    failed = f", {len(report.failures)} failed" if report.failures else ""
    shards = counted(report.shards, "shard")
    streams.say(f"{shards}{resumed}{failed}; {_clock(report.seconds)}; output in {report.out / 'data'}")
    if report.waiting:
        streams.say(
            f"{counted(report.waiting, 'shard')} not done with the stage {report.stage!r}: "
            "run the same command again later, and the next stage begins"
        )
