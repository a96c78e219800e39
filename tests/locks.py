"""Tells whether a process is gone by the lock it held on a file, which also works for zombies."""

from __future__ import annotations

import fcntl
import time
from pathlib import Path


def is_released(file: Path, within_seconds: float = 10.0) -> bool:
    """True when the process that held the lock is gone."""
    deadline = time.monotonic() + within_seconds
    while time.monotonic() < deadline:
        with file.open() as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.05)
            else:
                return True
    return False
