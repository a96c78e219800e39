"""What ``hide`` and ``replace`` can do to additional text: the ways that Gottron (2008), section 4.3, names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tamis.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class Options:
    """How additional text is hidden or replaced."""

    hide_by: Literal["comment", "style"] = "comment"  # hide only: in comments, or in elements that are not displayed
    replace_by: Literal["blank", "filler", "marker"] = "blank"  # replace only: by letter, or a marker per block
    filler: str = "·"  # with replace_by filler: the character that replaces each letter; ours, unobtrusive
    marker: str = "…"  # with replace_by marker: what replaces the text of each block

    def __post_init__(self) -> None:
        if len(self.filler) != 1 or self.filler.isspace():
            raise OptionError(f"filler is {self.filler!r}, but must be one visible character")
        if not self.marker.strip():
            raise OptionError("marker is empty, but must be visible text")
