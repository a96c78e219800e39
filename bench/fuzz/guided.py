"""Inputs led by the branches that they reach (atheris, which wraps libFuzzer): one process per target.

The first two bytes of an input are the number that decides what the target does; the rest is the data.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.fuzz.inputs import Input
from bench.fuzz.trying import Finding
from bench.pages import ROOT

CHOICE_BYTES = 2


def run(
    names: Sequence[str], seconds: float, folder: Path, add: Callable[[Finding, int], None], own: bool
) -> Counter[str]:
    """Inputs tried by target; what is found goes to ``add``."""
    if importlib.util.find_spec("atheris") is None:
        sys.exit("--guided needs atheris: pip install 'tamis[fuzz]'")
    inputs: Counter[str] = Counter()
    for name in names:
        if name == "growth":  # measures time, which instrumented code is no measure of
            continue
        work = folder / f"guided-{name}"
        work.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "bench.fuzz.led", name, str(seconds / len(names)), str(work), str(int(own))]
        environment = {**os.environ, **(_sanitizers() if name == "kernels" else {})}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, errors="replace", check=False
        )
        units = re.findall(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
        inputs[name] = int(units[-1]) if units else 0
        coverage = re.findall(r"cov: (\d+)", done.stderr)
        print(f"{name:<12}{inputs[name]:>12,} inputs, {coverage[-1] if coverage else 0} branches", flush=True)
        for line in (work / "findings.jsonl").read_text().splitlines() if (work / "findings.jsonl").exists() else ():
            one = json.loads(line)
            add(Finding(Input(name, one["choice"], bytes.fromhex(one["data"])), one["reason"], one["detail"]), 1)
        for crash in (*work.glob("crash-*"), *work.glob("timeout-*"), *work.glob("oom-*")):
            data = crash.read_bytes()
            reason = f"{name}: the process ends in a {crash.name.partition('-')[0]}"
            add(Finding(input_of(name, data), reason, done.stderr[-2_000:]), 1)
        if not units:
            sys.exit(f"{name}: no input was tried\n{done.stderr[-2_000:]}")
    return inputs


def _sanitizers() -> dict[str, str]:
    """What lets checked kernels be loaded: the library that comes with atheris, which also holds libFuzzer.

    Strings are guarded only where they are allocated by the system and not by Python.
    """
    (place,) = importlib.import_module("atheris").__path__
    library = Path(place).parent / "asan_with_fuzzer.so"
    return {"LD_PRELOAD": str(library), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}


def input_of(name: str, data: bytes) -> Input:
    """The input that some bytes of libFuzzer stand for."""
    return Input(name, int.from_bytes(data[:CHOICE_BYTES], "little"), data[CHOICE_BYTES:])
