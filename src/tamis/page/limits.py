"""How much of a page is read."""

from __future__ import annotations

from dataclasses import dataclass

from tamis.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What lies beyond a limit is left out, and the page is marked truncated."""

    max_bytes: int = 32 * 1024 * 1024  # characters when the source is text; ordinary pages have 0.1-0.5 MB
    max_nodes: int = 1_000_000  # about a hundred times the largest ordinary page
    max_depth: int = 512  # Chromium's limit; what is deeper becomes a child of the last level
    max_attributes: int = 1_000  # per element; the first ones are kept

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 1:
                raise OptionError(f"{name} is {value}, but a limit must be at least 1")
