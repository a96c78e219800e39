"""Inputs led by the branches that they reach (atheris, which wraps libFuzzer): one process per target.

The first two bytes of an input are the number that decides what the target does; the rest is the data.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.fuzz.inputs import Input
from bench.fuzz.trying import Finding
from bench.pages import ROOT

_CHOICE_BYTES = 2
_MAX_SEEDS = 400
_SEED_BYTES = 2_048  # ours: of each seed, so that many are tried


def run(
    names: Sequence[str], seconds: float, folder: Path, add: Callable[[Finding, int], None], own: bool
) -> Counter[str]:
    """Inputs tried by target; what is found goes to ``add``."""
    if importlib.util.find_spec("atheris") is None:
        sys.exit("--guided needs atheris: pip install 'tamis[bench]'")
    inputs: Counter[str] = Counter()
    for name in names:
        if name == "growth":  # measures time, which instrumented code is no measure of
            continue
        work = folder / f"guided-{name}"
        work.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "bench.fuzz.guided", name, str(seconds / len(names)), str(work), str(int(own))]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
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
            add(Finding(_input(name, data), reason, done.stderr[-2_000:]), 1)
        if not units and done.returncode:
            print(done.stderr[-2_000:], file=sys.stderr)
    return inputs


def _input(name: str, data: bytes) -> Input:
    return Input(name, int.from_bytes(data[:_CHOICE_BYTES], "little"), data[_CHOICE_BYTES:])


def _fuzz(name: str, seconds: float, folder: Path, own: bool) -> None:
    """Never returns: libFuzzer ends the process."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["tamis"]):
        from bench.fuzz import trying
        from bench.fuzz.targets import TARGETS

        trying.warm_up((name,))  # what is imported later is not seen
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    known = TARGETS[name].seeds(not own)
    for number, data in enumerate(known[:: max(len(known) // _MAX_SEEDS, 1)]):
        whole = data if name == "model" else data[:_SEED_BYTES]
        (corpus / f"seed-{number}").write_bytes(number.to_bytes(_CHOICE_BYTES, "little") + whole)
    found: Counter[str] = Counter()
    findings = folder / "findings.jsonl"
    findings.unlink(missing_ok=True)

    def one_input(data: bytes) -> None:
        finding = trying.attempt(_input(name, data))
        if finding is not None:
            found[finding.reason] += 1
            if found[finding.reason] == 1:
                least = trying.smaller(finding)
                about = {"reason": least.reason, "detail": least.detail, "choice": least.input.choice}
                with findings.open("a") as file:
                    file.write(json.dumps({**about, "data": least.input.data.hex()}) + "\n")

    options = [
        f"-max_total_time={max(int(seconds), 1)}",
        "-max_len=4096" if name != "model" else "-max_len=400000",
        "-print_final_stats=1",
        "-timeout=120",
        "-rss_limit_mb=4096",
        "-seed=1",
        f"-artifact_prefix={folder}/",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    _fuzz(sys.argv[1], float(sys.argv[2]), Path(sys.argv[3]), bool(int(sys.argv[4])))
