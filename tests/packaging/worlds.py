"""Environments made of links: the wheel, and of what is installed here only what some of its extras ask for."""

from __future__ import annotations

import importlib.metadata
import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement


def make_world(wheel: Path, folder: Path, extras: tuple[str, ...]) -> dict[str, str]:
    """Unpack the wheel and link what it needs beside it; gives the variables for a process that sees nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    found = importlib.metadata.PathDistribution(next(folder.glob("*.dist-info")))
    for distribution in needed(found, extras):
        for name in {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}:
            target = Path(str(distribution.locate_file(name)))
            if target.exists() and not (folder / name).exists():
                (folder / name).symlink_to(target)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "VIRTUAL_ENV"))}
    return {**kept, "PYTHONPATH": str(folder), "PYTHONNOUSERSITE": "1"}


def bare_python() -> str:
    """The interpreter without what is installed in this environment."""
    return str(Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}"))


def needed(
    distribution: importlib.metadata.Distribution, extras: tuple[str, ...]
) -> Iterator[importlib.metadata.Distribution]:
    """All that a distribution with these extras brings along, itself not included."""
    waiting, seen = [(distribution, extras)], {(distribution.name.lower(), extras)}
    while waiting:
        one, chosen = waiting.pop()
        for line in one.requires or ():
            requirement = Requirement(line)
            if requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in (*chosen, "")):
                continue
            key = (requirement.name.lower(), tuple(sorted(requirement.extras)))
            if key not in seen:
                seen.add(key)
                found = importlib.metadata.distribution(requirement.name)
                waiting.append((found, key[1]))
                yield found
