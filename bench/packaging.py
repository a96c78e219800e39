"""Installs the built package into empty environments and tries what it promises there.

    python -m bench.packaging                    one environment per extra, then per Python found on the PATH
    python -m bench.packaging cli fetching       these extras only
    python -m bench.packaging --pythons          the Pythons only, with the quick part of the tests
    python -m bench.packaging --lowest           core and cli with the lowest versions that are declared
    python -m bench.packaging --import-time      what ``import tamis`` takes, best of five

Packages come from where pip takes them; nothing is left behind. Prints a table; the exit status is 1 when a row failed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.extras import PROMISES

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")
QUICK = ("tests/page", "tests/extractors", "tests/outputs", "tests/about", "tests/cli", "tests/test_public.py")
"""Tests of what most people use, done within minutes, and the extras they ask for."""
QUICK_EXTRAS = ("cli", "evaluation", "fetching", "rendering", "scaling", "service", "train")


@dataclass(frozen=True)
class Row:
    """What became of one environment."""

    name: str
    ok: bool
    packages: int = 0  # installed, Tamis included
    megabytes: float = 0.0  # on the disk, without pip
    install_seconds: float = 0.0
    remark: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("extras", nargs="*", metavar="EXTRA")
    parser.add_argument("--pythons", action="store_true")
    parser.add_argument("--lowest", action="store_true")
    parser.add_argument("--import-time", action="store_true")
    asked = parser.parse_args()
    everything = not (asked.extras or asked.pythons or asked.lowest or asked.import_time)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "dist")
        named = ("core", *extras()) if everything else asked.extras
        rows += [_say(try_extra(extra, wheel, folder / extra)) for extra in named]
        if asked.lowest or everything:
            rows.append(_say(try_lowest(wheel, folder / "lowest")))
        if asked.pythons or everything:
            source = build(folder / "source", "sdist")  # the wheel is for the Python that made it
            rows += [_say(try_python(python, source, folder / python)) for python in PYTHONS]
        if asked.import_time or everything:
            rows.append(_say(try_import(wheel, folder / "import")))
    print("\n| environment | | packages | MB | install s | |\n|---|---|---:|---:|---:|---|")
    for row in rows:
        numbers = f"{row.packages or ''} | {row.megabytes or '':.4} | {row.install_seconds or '':.4}"
        print(f"| {row.name} | {'ok' if row.ok else 'FAILED'} | {numbers} | {row.remark} |")
    return int(not all(row.ok for row in rows))


def build(folder: Path, target: str = "wheel") -> Path:
    """The wheel or the source archive of this tree."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("tamis-*")
    return made


def extras() -> list[str]:
    """The extras for users that are declared and have a promise to keep."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    return [name for name in declared if name in PROMISES]


def try_extra(extra: str, wheel: Path, folder: Path) -> Row:
    """One extra and nothing else: it works, and what the others bring is asked for by name."""
    of = "" if extra == "core" else f"[{extra}]"
    return _try(f"tamis{of}", folder, [f"{wheel}{of}"], [] if extra == "core" else [extra])


def try_lowest(wheel: Path, folder: Path) -> Row:
    """The core and the command line, each dependency in the lowest version that is declared."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["cli"]]
    lowest = [re.sub(r">=([\d.]+).*", r"==\1", line) for line in declared]
    row = _try("tamis[cli], lowest", folder, [f"{wheel}[cli]", *lowest], ["cli"])
    return Row(row.name, row.ok, row.packages, row.megabytes, row.install_seconds, f"{', '.join(lowest)}; {row.remark}")


def try_python(python: str, source: Path, folder: Path) -> Row:
    """One version of Python: what the core and the command line promise, and the quick part of the tests."""
    program = program_of(python)
    if program is None:
        return Row(python, True, remark="not on the PATH: not tried")
    row = _try(python, folder, [f"{source}[{','.join(QUICK_EXTRAS)}]"], QUICK_EXTRAS, program)
    if not row.ok:
        return row
    with tempfile.TemporaryDirectory() as copy:  # without src: what is tested is what was installed
        for part in ("tests", "docs", "bench", "examples", "pyproject.toml"):
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy)(source, Path(copy) / part)
        _pip(folder, ["hypothesis", "pytest", "pytest-xdist", "markdown-it-py"])
        command = [_python(folder), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *QUICK]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-6000:], file=sys.stderr)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    return Row(python, not done.returncode, row.packages, row.megabytes, row.install_seconds, f"{row.remark}; {last}")


def program_of(python: str) -> str | None:
    """A Python on the PATH that starts; None if there is none."""
    program = shutil.which(python)
    if program is None or subprocess.run([program, "--version"], capture_output=True).returncode:
        return None
    return program


def try_import(wheel: Path, folder: Path) -> Row:
    """What ``import tamis`` takes by itself, in a process that has done nothing before."""
    _environment(folder, sys.executable)
    _pip(folder, [str(wheel)])
    times = []
    for _ in range(6):  # the first one writes the compiled files
        command = [_python(folder), "-X", "importtime", "-c", "import tamis"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        times += [int(line.split("|")[1]) for line in said.splitlines() if line.split("|")[-1].strip() == "tamis"]
    return Row("import tamis", min(times[1:]) < 100_000, remark=f"{min(times[1:]) / 1000:.1f} ms, best of five")


def _try(
    name: str, folder: Path, requirements: Sequence[str], promises: Sequence[str], python: str = sys.executable
) -> Row:
    _environment(folder, python)
    start = time.monotonic()
    installed = _pip(folder, requirements)
    seconds = round(time.monotonic() - start, 1)
    if installed.returncode:
        return Row(name, False, remark=installed.stderr.strip().splitlines()[-1])
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and "pip" not in file.parts) / 1e6
    listed = subprocess.run(
        [_python(folder), "-m", "pip", "list", "--format", "freeze"], capture_output=True, text=True
    )
    packages = sum(not line.startswith(("pip=", "setuptools=")) for line in listed.stdout.splitlines())
    done = subprocess.run(
        [_python(folder), "-P", str(ROOT / "bench" / "extras.py"), *promises], capture_output=True, text=True
    )
    lines = done.stdout.splitlines()
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    kept = sum(line.startswith("ok") and " works" in line for line in lines)
    asked = sum(line.startswith("ok") and " asks for " in line for line in lines)
    remarks = [line.partition(": ")[2] for line in lines if line.startswith("ok") and " works: " in line]
    remark = "; ".join([f"{kept} promises kept, {asked} features ask for their extra", *remarks])
    return Row(name, not done.returncode, packages, round(size, 1), seconds, remark)


def _environment(folder: Path, python: str) -> None:
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    _pip(folder, ["--upgrade", "pip"])  # the one that comes with older Pythons stumbles over the extras of lxml


def _python(folder: Path) -> str:
    return str(folder / "bin" / "python")


def _pip(folder: Path, requirements: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [_python(folder), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    return subprocess.run(command, capture_output=True, text=True)


def _say(row: Row) -> Row:
    print(f"{row.name}: {'ok' if row.ok else 'FAILED'} {row.remark}", file=sys.stderr, flush=True)
    return row


if __name__ == "__main__":
    sys.exit(main())
