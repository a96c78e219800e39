"""How much of the package the tests run: statements and branches by folder.

    python -m bench.coverage              runs the tests that need no browser, and prints the table
    coverage report --show-missing        what is never run, by file, from the same data

Child processes count as well (the settings are in ``pyproject.toml``), except those that are ended by force. What
happens in a browser is tested by the tests that are left out here.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
LEFT_OUT = ("--ignore=tests/rendering", "--ignore-glob=*_browser.py", "--ignore=tests/scaling/test_ray.py")
COUNTED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def table(files: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A row for each folder of the package and one for all of it, from the counts of each file."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * len(COUNTED))
    for path, counts in files.items():
        folder, slash, _ = path.partition("src/tamis/")[2].partition("/")
        for row in (f"`{folder}`" if slash else "files beside them", "all"):
            sums[row] = [total + counts[key] for total, key in zip(sums[row], COUNTED, strict=True)]
    rows = ["| folder | statements | run | branches | taken |", "|---|---:|---:|---:|---:|"]
    for row in sorted(sums, key=lambda name: (not name.startswith("`"), name == "all", name)):
        statements, run, branches, taken = sums[row]
        rows.append(f"| {row} | {statements} | {_share(run, statements)} | {branches} | {_share(taken, branches)} |")
    return rows


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _coverage(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=ROOT, check=False).returncode


def main() -> None:
    argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__.partition("\n")[0]).parse_args()
    _coverage("erase")
    failed = _coverage("run", "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *LEFT_OUT)
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        if _coverage("combine", "--quiet") or _coverage("json", "--quiet", "-o", str(counts)):
            raise SystemExit("coverage could not count what was run")
        files = json.loads(counts.read_bytes())["files"]
    print("\n".join(table({path: file["summary"] for path, file in files.items()})))
    sys.exit(failed)


if __name__ == "__main__":
    main()
