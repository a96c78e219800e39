"""What ``hide`` and ``replace`` can do to additional text: the ways that Gottron (2008), section 4.3, names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tamis.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class Options:
    """How additional text is hidden or replaced."""

    hide_by: Literal["comment", "style"] = "comment"  # hide only: in comments, or in elements that are not displayed
    replace_by: Literal["blank", "filler", "marker"] = "blank"  # replace only: letter by letter, or a marker per block
    filler: str = "·"  # the character that replace_by filler writes for each that is gone; ours, quiet to look at
    marker: str = "…"  # what replace_by marker writes in the place of the text of a block

    def __post_init__(self) -> None:
        if len(self.filler) != 1 or self.filler.isspace():
            raise OptionError(f"filler is {self.filler!r}, but must be one character that can be seen")
        if not self.marker.strip():
            raise OptionError("marker is empty, but must be something that can be seen")
