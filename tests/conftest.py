"""Settings shared by all tests."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import Phase, settings

# Tests share generators as ``tests.hostile``; nothing else puts the project's root on the path.
sys.path.insert(0, str(Path(__file__).parent.parent))

# The same examples in every run; ``--hypothesis-profile=search`` looks for new ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("search", deadline=None, max_examples=5000)
# For broken code that some example shows to be broken; which is the smallest one does not matter.
settings.register_profile("mutants", settings.get_profile("repeatable"), phases=(Phase.explicit, Phase.generate))
settings.load_profile("repeatable")
