"""The process of one target that ``guided`` starts. Nothing of Tamis is imported before it can be watched."""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

_MAX_SEEDS = 400
_SEED_BYTES = 2_048  # ours: of each seed, so that many are tried


def fuzz(name: str, seconds: float, folder: Path, own: bool) -> None:
    """Never returns: libFuzzer ends the process."""
    atheris: Any = importlib.import_module("atheris")
    # The kernels are led by their own branches, which the compiler counts (python hatch_build.py --guided).
    with atheris.instrument_imports(include=[] if name == "kernels" else ["tamis"]):
        from bench.fuzz import trying
        from bench.fuzz.guided import CHOICE_BYTES, input_of
        from bench.fuzz.targets import TARGETS

        trying.warm_up((name,))  # what is imported later is not seen
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    known = TARGETS[name].seeds(not own)
    for number, data in enumerate(known[:: max(len(known) // _MAX_SEEDS, 1)]):
        whole = data if name == "model" else data[:_SEED_BYTES]
        (corpus / f"seed-{number}").write_bytes(number.to_bytes(CHOICE_BYTES, "little") + whole)
    found: Counter[str] = Counter()
    findings = folder / "findings.jsonl"
    findings.unlink(missing_ok=True)

    def one_input(data: bytes) -> None:
        finding = trying.attempt(input_of(name, data))
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
    fuzz(sys.argv[1], float(sys.argv[2]), Path(sys.argv[3]), bool(int(sys.argv[4])))
