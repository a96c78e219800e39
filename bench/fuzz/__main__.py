"""Tries what breaks: inputs made at random from real pages and hostile ones, and what must hold whatever comes in.

python -m bench.fuzz --minutes 10        as many as go into ten minutes, in two processes
python -m bench.fuzz --inputs 20000      this many; with the same --seed always the same ones
python -m bench.fuzz --guided --minutes 10   led by the branches that are reached (needs atheris), target after target
python -m bench.fuzz --again FILE        a finding once more

What must hold: no exception but those that are there to be raised, no hang (processor time in proportion to the size),
time that grows in line with the page, JSON and XML that can be read, HTML and Markdown in which nothing runs, spans in
order inside the text, the same answer to the same input. A process that dies is a finding, and another takes its place.
Every finding is written to a folder, once and as small as is quickly found, with its reason beside it. The exit status
is 1 if there are any. Pages come from the training set at TAMIS_DATA (../shared/data) where there is one, and always
from the tests and examples of the project.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from bench.fuzz import guided, running, trying
from bench.fuzz.inputs import Input
from bench.fuzz.targets import TARGETS
from bench.pages import ROOT


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=None)
    arguments.add_argument("--inputs", type=int, default=None)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--only", default="", help=f"targets, with commas: {', '.join(TARGETS)}")
    arguments.add_argument("--own", action="store_true", help="no real pages: the same inputs on every machine")
    arguments.add_argument("--guided", action="store_true")
    arguments.add_argument("--again", type=Path)
    arguments.add_argument("--out", type=Path, default=ROOT / "build" / "fuzz")
    chosen = arguments.parse_args()
    only = tuple(filter(None, chosen.only.split(",")))
    if unknown := set(only) - set(TARGETS):
        arguments.error(f"no targets: {', '.join(sorted(unknown))}")
    if chosen.again:
        return _again(chosen.again)
    if chosen.minutes is None and chosen.inputs is None:
        arguments.error("say how long (--minutes) or how many (--inputs)")
    chosen.out.mkdir(parents=True, exist_ok=True)
    store = running.Store(chosen.out)
    begin = time.monotonic()
    if chosen.guided:
        inputs = guided.run(only or tuple(TARGETS), (chosen.minutes or 1.0) * 60, chosen.out, store.add, chosen.own)
    else:
        end = begin + 60 * chosen.minutes if chosen.minutes is not None else float("inf")
        batches = running.Batches(chosen.inputs if chosen.inputs is not None else sys.maxsize, end)
        inputs = running.run(running.InputsOf(chosen.seed, not chosen.own, only), batches, chosen.processes, store)
    _print_table(inputs, store, time.monotonic() - begin)
    return 1 if store.reasons else 0


def _again(file: Path) -> int:
    about = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    one = Input(about["target"], about["choice"], file.with_suffix(".input").read_bytes())
    finding = trying.attempt(one)
    print("nothing is found any more" if finding is None else f"{finding.reason}\n{finding.detail}")
    return 0 if finding is None else 1


def _print_table(inputs: Counter[str], store: running.Store, seconds: float) -> None:
    print(f"{'target':<12}{'inputs':>12}")
    for name in TARGETS:
        if inputs[name]:
            print(f"{name:<12}{inputs[name]:>12,}")
    print(f"{'all':<12}{inputs.total():>12,}   in {seconds / 60:.1f} minutes, {inputs.total() / seconds:.0f}/s")
    print(f"\n{len(store.reasons)} reasons" + (f", in {store.folder}" if store.reasons else ""))
    for reason, count in store.reasons.most_common():
        print(f"{count:>9,}  {reason}")


if __name__ == "__main__":
    sys.exit(main())
