"""Makes every table and figure of the documentation again: all steps, one after the other.

    python -m bench.remake --list                     the steps, what each writes, what it needs, how long it takes
    python -m bench.remake --work runs                all of them
    python -m bench.remake --work runs --only quality,method_pages
    python -m bench.remake --work runs --from mining

Two steps run at a time (``--workers``); those that measure times or go over pages of others run alone, after all that
come before them. What a step prints is kept as WORK/NAME.txt; where its page is named in brackets, a person takes it
over. A step that fails does not stop the others. At the end there is a table of what each took; the exit status is 1
when one failed, and what a step says of goals does not change it.

A run that was interrupted, or in which a step failed, goes on when the same command is given again: steps that are done
(WORK/NAME.key) are not run once more, unless their sources, the data or what is installed have changed, or ``--only``
names them. Once all are done, the next run begins anew. ``--release`` adds ``coverage``.

Install what is compared first: pip install '.[cli,evaluation,fetching,rendering,scaling,service,train,dev]', then
'.[peers]', then '.[more-peers]'. Labelled pages are found as everywhere ($TAMIS_DATA). Where times are measured,
nothing else should run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from bench.scores import ROOT
from tamis.evaluation.datasets import data_folder
from tamis.stored.keys import PACKAGE, file_digest, key_of, source_digest


class Step(NamedTuple):
    """One command."""

    name: str
    command: str  # of python -m; WORK is the folder for predictions and rendered pages
    writes: str  # pages below docs/, or in brackets those that a person copies numbers into
    needs: str = ""
    minutes: float | None = None  # of processor time, as measured for version 0.2; None if it was not
    alone: bool = False  # it measures times, uses all cores, or goes over pages that others write
    for_releases: bool = False  # it takes long and says little that is new


STEPS = (
    Step("trained", "tamis train --taught bench/taught.npz --work WORK/trained --out WORK/sieve.npz", "", "pages", 8),
    Step("figures", "bench.figures", "figures/", "", 1),
    Step("cluster_figures", "bench.clustering figures", "figures/clusters/", "", 1),
    Step("segment_figure", "bench.segment_figure", "figures/segments/overlay.svg", "browser", 1),
    Step("screenshots", "bench.screenshots", "figures/*.png", "browser", 1),
    Step("metadata", "bench.metadata --work WORK", "metadata.md", "pages, peers", 5),
    Step("mining", "bench.mining", "mining.csv, mining.md", "pages, peers", 1),
    Step("structure", "bench.structure", "(outputs.md)", "pages, peers", 1),
    Step("integrity", "bench.integrity --pages 40", "(outputs.md)", "pages, peers", 2),
    Step("guard", "bench.guard", "(evaluating.md)", "", 1),
    Step("pagination", "bench.pagination", "(fetching.md)", "pages", 1),
    Step("site_memory", "bench.site_memory", "(site-memory.md)", "pages", 1),
    Step("worst", "bench.sieve_report worst", "sieve.md", "pages", 1),
    Step("templates_data", "bench.templates data", "(templates.md)", "pages", 2),
    Step("templates_sites", "bench.templates sites", "(templates.md)", "pages", 3),
    Step("templates_train", "bench.templates train", "(templates.md)", "pages", 1),
    Step("parts", "bench.sieve_report parts --work WORK/trained", "sieve.md", "pages, trained, worst", 3),
    Step("retrained", "bench.sieve_report retrained --work WORK/trained", "sieve.md", "pages, trained, parts", 5),
    Step("elements", "bench.element_classifier quality --pages 40 --out WORK", "(elements.md)", "pages", 1),
    Step("elements_boxes", "bench.element_classifier boxes --out WORK", "(elements.md)", "pages, browser, elements", 2),
    Step("reproduction_packages", "bench.reproduction_packages", "reproduction-packages.csv", "pages", 1, True),
    Step("reproduction", "bench.reproduction --work WORK", "reproduction.csv, reproduction.md", "pages", 6, True),
    Step("segmentation", "bench.segmentation --work WORK", "segmentation-quality.md", "pages, browser", 2, True),
    Step(
        *("segmentation_protocol", "bench.segmentation_protocol --work WORK", "segmentation-protocol.md", "browser"),
        *(2, True),
    ),
    Step(
        *("segmentation_speed", "bench.segmentation_speed --work WORK", "segmenters/bcs.md", "segmentation"),
        *(1, True),
    ),
    Step("quality", "bench.quality --out WORK", "quality.md, README.md", "pages, peers", 15, True),
    Step("method_pages", "bench.method_pages", "methods.md, methods/", "reproduction", 1, True),
    Step("segmenter_pages", "bench.segmenter_pages", "segmenters/", "segmentation", 1, True),
    Step("kind_pages", "bench.kind_pages", "distances/, clusterers/, templates/", "", 1, True),
    Step("reference_pages", "bench.reference_pages", "reference/", "", 1, True),
    Step("install_lines", "bench.install_lines", "all pages", "", 1, True),
    Step("citations", "bench.citations", "README.md", "", 1, True),
    Step("speed", "bench.speed", "(model.md, sieve.md)", "pages, peers", 2, True),
    Step("growth", "bench.growth", "(model.md)", "", 3, True),
    Step("memory", "bench.memory", "(extracting.md)", "pages", 1, True),
    Step("scale", "bench.scale --pages 300", "(scale.md)", "pages, peers", 4, True),
    Step("service", "bench.service", "(service.md)", "pages", 4, True),
    Step("templates_speed", "bench.templates speed", "(templates.md)", "pages", 1, True),
    Step("clustering", "bench.clustering", "(clusterers.md, distances.md)", "pages", 2, True),
    Step("elements_speed", "bench.element_classifier speed", "(elements.md)", "pages", 1, True),
    Step("scale_simulation", "bench.scale_simulation --shards 20000", "(scale.md)", "", 1, True),
    Step("service_soak", "bench.service --soak 20000", "(service.md)", "pages", 2, True),
    Step("scale_memory", "bench.scale --memory 50000 --pages 100", "(scale.md)", "pages", 1, True),
    Step("coverage", "bench.coverage", "(testing.md)", "", None, True, for_releases=True),
)


class Done(NamedTuple):
    """What became of a step."""

    step: Step
    status: int
    seconds: float = 0.0
    processor_seconds: float = 0.0
    is_kept: bool = False  # an earlier run did it


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the steps, and end")
    parser.add_argument("--work", type=Path, default=Path("runs"), help="folder for what steps keep and print")
    parser.add_argument("--only", default="", help="names of steps, separated by commas")
    parser.add_argument("--from", dest="first", default="", help="this step and all after it")
    parser.add_argument("--release", action="store_true", help="also the steps that only releases need")
    parser.add_argument("--workers", type=int, default=2, help="steps at a time, of those that need not run alone")
    given = parser.parse_args()
    names = [step.name for step in STEPS]
    wanted = [name for name in given.only.split(",") if name]
    if unknown := {*wanted, *filter(None, [given.first])} - {*names}:
        parser.error(f"there is no step {', '.join(sorted(unknown))}: the steps are {', '.join(names)}")
    chosen = [
        step
        for step in STEPS[names.index(given.first or names[0]) :]
        if (step.name in wanted if wanted else given.release or not step.for_releases)
    ]
    if given.list:
        print(listed(chosen))
        return 0
    given.work.mkdir(parents=True, exist_ok=True)
    work, state = given.work.resolve(), made_with()
    done = run_all(chosen, lambda step: run_or_keep(step, work, state, _run, anew=bool(wanted)), given.workers)
    print(report(done))
    failed = any(one.status for one in done)
    if not failed:  # so that the next run makes all of it again
        for step in chosen:
            (work / f"{step.name}.key").unlink(missing_ok=True)
    return int(failed)


def made_with() -> str:
    """A digest of what all steps are made with: the sources of the package, the data, what is installed."""
    sources = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".so", ".pyd")]
    folder = data_folder()
    data = [path for path in folder.rglob("*") if path.is_file()] if folder else []
    facts = [
        sorted([path.relative_to(PACKAGE).as_posix(), file_digest(path)] for path in sources),
        sorted([str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in data),
        sorted({f"{one.name} {one.version}" for one in metadata.distributions()}),
        sys.version,
    ]
    return key_of(facts, [], ())


def key_of_step(step: Step, state: str) -> str:
    """A key that changes when a step would say something else: also those of the steps that it needs."""
    needed = [key_of_step(one, state) for one in STEPS if one.name in step.needs.split(", ")]
    return key_of([step.command, needed, state], source_digest((step.command.split()[0],), ROOT / "bench"), ())


def run_or_keep(step: Step, work: Path, state: str, run: Callable[[Step, Path], Done], *, anew: bool = False) -> Done:
    """Run a step, unless an earlier run that did not come to its end did it already."""
    kept, key = work / f"{step.name}.key", key_of_step(step, state)
    if not anew and kept.exists() and kept.read_text() == key and (work / f"{step.name}.txt").exists():
        return Done(step, 0, is_kept=True)
    kept.unlink(missing_ok=True)
    done = run(step, work)
    if not done.status:
        kept.write_text(key)
    return done


def run_all(steps: Sequence[Step], run: Callable[[Step], Done], workers: int) -> list[Done]:
    """Run steps in their order, some at a time; each after those that it needs, and alone if it must be."""
    begun: dict[str, Future[Done]] = {}
    with ThreadPoolExecutor(workers) as pool:
        for step in steps:
            needed = begun.keys() if step.alone else step.needs.split(", ")
            wait([begun[name] for name in needed if name in begun])
            begun[step.name] = pool.submit(run, step)
            if step.alone:
                wait([begun[step.name]])
    return [future.result() for future in begun.values()]


def _run(step: Step, work: Path) -> Done:
    parts = [part.replace("WORK", str(work)) for part in step.command.split()]
    print(f"{step.name}: python -m {' '.join(parts)}", flush=True)
    start = time.monotonic()
    with (work / f"{step.name}.txt").open("w", encoding="utf-8") as printed:
        process = subprocess.Popen([sys.executable, "-m", *parts], cwd=ROOT, stdout=printed)
        _, status, usage = os.wait4(process.pid, 0)
    return Done(step, os.waitstatus_to_exitcode(status), time.monotonic() - start, usage.ru_utime + usage.ru_stime)


def listed(steps: Sequence[Step]) -> str:
    """The steps as a table."""
    rows = [
        f"| {step.name} | {step.command} | {step.writes} | {step.needs} | "
        f"{'' if step.minutes is None else f'{step.minutes:g}'} |"
        for step in steps
    ]
    return "\n".join(["| step | python -m … | docs/ | needs | minutes |", "|---|---|---|---|---:|", *rows])


def report(done: Sequence[Done]) -> str:
    """What became of the steps, as a table."""
    rows = [
        f"| {one.step.name} | {_outcome(one)} | {one.seconds / 60:.1f} | "
        f"{one.processor_seconds / 60:.1f} | {one.step.writes} |"
        for one in done
    ]
    return "\n".join(["| step | | minutes | of processor time | docs/ |", "|---|---|---:|---:|---|", *rows])


def _outcome(done: Done) -> str:
    if done.status:
        return f"FAILED ({done.status})"
    return "kept" if done.is_kept else "ok"


if __name__ == "__main__":
    sys.exit(main())
