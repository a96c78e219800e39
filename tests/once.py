"""What takes long to make is made once for all processes of a test run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that ``make`` fills, by whichever process asks first; the others wait for it, and none changes it."""
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each of these has a folder of its own below that of the run
        root = root.parent
    folder, ready = root / name, root / f"{name}.ready"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            ready.touch()
    return folder
