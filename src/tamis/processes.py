"""A process that works for this one: a fresh interpreter (no fork), reached through one descriptor.

It leads a process group, which is ended as a whole, so that what it has started ends with it; and it ends when the
process that started it is gone, however busy it is. So pools work in threads, and in scripts without a main guard.
POSIX only.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

OPENING_SECONDS = 120.0  # slow imports and models on a busy machine; longer than this is a hang
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Processes share the cores: with a thread of linear algebra for each of these, they would wait for each other."""
_KEPT_MEMORY = 16 << 20  # bytes; a page of 200 kB takes 3 MB, which were given back and asked for again at every page
_PROGRAM = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from tamis.processes import begin
begin(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
"""


def start(module: str, descriptor: int, *, quiet: bool) -> subprocess.Popen[bytes]:
    """A process that calls ``work(descriptor)`` of a module; if ``quiet``, what it says on standard error is lost."""
    return subprocess.Popen(  # noqa: S603 - nothing in it comes from outside
        [sys.executable, "-c", _PROGRAM, json.dumps(sys.path), module, str(descriptor), str(os.getpid())],
        pass_fds=[descriptor],
        env={**os.environ, **ONE_THREAD},
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL if quiet else None,
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process and everything it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nothing is left of the group
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def begin(module: str, descriptor: int, parent: int) -> None:
    """What the process does."""
    os.set_inheritable(descriptor, False)
    bytes(_KEPT_MEMORY)  # freed at once: from then on glibc keeps twice as much that is free, instead of giving it back
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    importlib.import_module(module).work(descriptor)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)
