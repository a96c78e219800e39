"""Builds what a release consists of, as the workflow does, and uploads nothing.

    python -m bench.release dist

The source archive; a wheel of Python alone; and a wheel with compiled kernels for every Python on the PATH, each built
from the source archive. ``auditwheel`` and ``patchelf``, where they are installed, make manylinux wheels of the latter.
Prints names and sizes; the exit status is 1 when a wheel is larger than it may be, or a Python could not compile one.
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
    for python in filter(None, map(program_of, PYTHONS)):
        with tempfile.TemporaryDirectory() as made:
            command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, str(source)]
            subprocess.run(command, env=environment, check=True)
            (wheel,) = Path(made).glob("*.whl")
            if wheel.name.endswith("-none-any.whl"):
                raise SystemExit(
                    f"{python} cannot compile the kernels: look at {python} -m pip wheel --verbose {source}"
                )
            _repair(wheel, folder)
    return _report(folder)


def _repair(wheel: Path, folder: Path) -> None:
    """Put a wheel into the folder, under the name of the systems that it runs on if that can be found out."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # the environment need not be activated
    program = shutil.which("auditwheel", path=path)
    if program and shutil.which("patchelf", path=path):
        command = [program, "repair", "--wheel-dir", str(folder), str(wheel)]
        subprocess.run(command, env={**os.environ, "PATH": path}, check=True)
    else:
        print(f"{wheel.name}: as it is; auditwheel or patchelf is not installed", file=sys.stderr)
        shutil.copy(wheel, folder)


def _report(folder: Path) -> int:
    sizes = {file.name: file.stat().st_size / 1e6 for file in sorted(folder.iterdir())}
    for name, megabytes in sizes.items():
        print(f"{megabytes:6.2f} MB  {name}")
    return int(any(megabytes > MAX_MEGABYTES for name, megabytes in sizes.items() if name.endswith(".whl")))


if __name__ == "__main__":
    sys.exit(main())
