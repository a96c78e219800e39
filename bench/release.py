"""Builds what a release consists of, as the workflow does, tries it, and uploads nothing.

    python -m bench.release dist
    PYENV_VERSION=3.11.7:3.12.1:3.13.0 python -m bench.release dist      where pyenv has the other Pythons

The source archive; a wheel of Python alone; and a wheel with compiled kernels for every Python on the PATH, each built
from the source archive. ``auditwheel`` and ``patchelf``, where they are installed, make manylinux wheels of the latter.
Each Python then extracts an example page in two empty environments: with its wheel, and with the source archive where
no compiler works. A Python that is not there is named: its users get the source archive or the wheel of Python alone.
Prints names and sizes; the exit status is 1 when a wheel is larger than it may be, or something failed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.packaging import PYTHONS, ROOT, program_of

EXAMPLE = ROOT / "examples" / "article.html"
MAX_MEGABYTES = 3.0  # of a wheel


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    command = [shutil.which("git") or "git", "log", "-1", "--format=%ct"]
    when = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": when.stdout.strip()}
    build = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), "--target"]
    subprocess.run([*build, "sdist"], cwd=ROOT, env=environment, check=True)
    subprocess.run([*build, "wheel"], cwd=ROOT, env={**environment, "TAMIS_PURE": "1"}, check=True)
    (source,) = folder.glob("*.tar.gz")
    failed = [name for name in PYTHONS if not _release(name, source, folder, environment)]
    too_large = _report(folder)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed or too_large))


def _release(name: str, source: Path, folder: Path, environment: dict[str, str]) -> bool:
    """Make the wheel for one Python, and try it; whether that worked, or there was nothing to do."""
    python = program_of(name)
    if python is None:
        print(f"{name}: not on the PATH, so no wheel with kernels for it; the one of Python alone runs there")
        return True
    with tempfile.TemporaryDirectory() as made:
        # pip would take a wheel that it made earlier from an archive of this name.
        command = [python, "-m", "pip", "--no-cache-dir", "wheel", "--quiet", "--no-deps", "--wheel-dir", made]
        built = subprocess.run([*command, str(source)], env=environment).returncode == 0
        wheels = [*Path(made).glob("*.whl")]
        if not built or wheels[0].name.endswith("-none-any.whl"):
            print(f"{name}: no compiled kernels: look at {python} -m pip wheel --verbose {source}", file=sys.stderr)
            return False
        wheel = _repair(wheels[0], folder)
    kernels = [_tried(python, wheel), _tried(python, source, {"CC": "false"})]
    print(
        f"{name}: kernels of the wheel: {kernels[0]}; of the source archive without a compiler: {kernels[1]}",
        flush=True,
    )
    return kernels == ["compiled", "reference"]


def _tried(python: str, package: Path, settings: dict[str, str] | None = None) -> str:
    """Install a package into an empty environment and extract a page there: which kernels did it, or what failed."""
    # Without the sources that the environment may name: what is tried is what was installed.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | (settings or {})
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([python, "-m", "venv", "--without-pip", made], env=environment, check=True)
        install = [python, "-m", "pip", "--python", f"{made}/bin/python", "--no-cache-dir", "install", "--quiet"]
        done = subprocess.run([*install, f"{package}[cli]"], env=environment, capture_output=True, text=True)
        if done.returncode:
            return f"cannot be installed: {done.stderr.strip()[-500:]}"
        program = f"{made}/bin/tamis"
        page = subprocess.run([program, "extract", str(EXAMPLE)], env=environment, capture_output=True, text=True)
        if page.returncode or not page.stdout.startswith("The night train returns to the valley"):
            return f"does not extract: {page.stderr.strip()[-500:]}"
        said = subprocess.run([program, "--version"], env=environment, capture_output=True, text=True).stderr
        return next(
            (line.split()[2].strip(":") for line in said.splitlines() if line.startswith("tamis: kernels:")), "unknown"
        )


def _repair(wheel: Path, folder: Path) -> Path:
    """Put a wheel into the folder, under the name of the systems that it runs on if that can be found out."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # the environment need not be activated
    program = shutil.which("auditwheel", path=path)
    if not program or not shutil.which("patchelf", path=path):
        print(f"{wheel.name}: as it is; auditwheel or patchelf is not installed", file=sys.stderr)
        return Path(shutil.copy(wheel, folder))
    command = [program, "repair", "--wheel-dir", str(folder), str(wheel)]
    subprocess.run(command, env={**os.environ, "PATH": path}, check=True)
    (repaired,) = folder.glob(f"{wheel.name.rpartition('-')[0]}-*.whl")
    return repaired


def _report(folder: Path) -> bool:
    """Print what was made; whether a wheel is too large."""
    sizes = {file.name: file.stat().st_size / 1e6 for file in sorted(folder.iterdir())}
    for name, megabytes in sizes.items():
        print(f"{megabytes:6.2f} MB  {name}")
    return any(megabytes > MAX_MEGABYTES for name, megabytes in sizes.items() if name.endswith(".whl"))


if __name__ == "__main__":
    sys.exit(main())
