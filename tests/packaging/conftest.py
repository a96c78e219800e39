from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Built:
    """What one build made."""

    tree: Path
    wheel: Path
    sdist: Path


def build(tree: Path, out: Path, umask: int = 0o022, variables: Mapping[str, str] | None = None) -> Built:
    """Build both from a tree, offline, with the build backend that is installed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "TAMIS_PURE")}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(out)],
        cwd=tree,
        check=True,
        capture_output=True,
        umask=umask,
        env={**environment, "SOURCE_DATE_EPOCH": "1700000000", **(variables or {})},
    )
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return Built(tree, wheel, sdist)


def copy_tree(tree: Path, folder: Path) -> Path:
    """A tree without what git ignores, in a folder of its own."""
    ignored = [line.strip("/") for line in (tree / ".gitignore").read_text().splitlines() if line]
    shutil.copytree(tree, folder, ignore=shutil.ignore_patterns(".git", *ignored), symlinks=True)
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The wheel and the source distribution of this tree."""
    folder = tmp_path_factory.mktemp("built")
    return build(copy_tree(ROOT, folder / "tree"), folder / "dist")
