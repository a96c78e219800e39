"""Who made a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Made:
    """How a result was made; filled in by the function that ran the method."""

    method: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""


UNSAID = Made()
"""Of a result that nobody has signed yet."""
