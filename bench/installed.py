"""Peers that benches compare with, where they are installed (extras ``peers`` and ``more-peers``)."""

from __future__ import annotations

import importlib
from typing import Any


def installed(module: str) -> Any:
    """The module; None, and a note, where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{module} is not installed; pip install 'tamis[peers]' adds it to the table")
        return None
