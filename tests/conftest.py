"""Settings shared by all tests."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from hypothesis import settings

# Tests share generators as ``tests.hostile``; nothing else puts the project's root on the path.
sys.path.insert(0, str(Path(__file__).parent.parent))

# Started in the background by a shell, these tests and the processes that they start would not hear an interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, more of them in the check of a release; ``search`` looks for new ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("release", deadline=None, derandomize=True, max_examples=200)
settings.register_profile("search", deadline=None, max_examples=5000)
settings.load_profile("repeatable")
