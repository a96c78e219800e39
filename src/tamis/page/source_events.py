"""The source as the tokeniser cuts it, from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.page.text import Ints

TEXT_EVENT, OPENING_EVENT, CLOSING_EVENT, OTHER_EVENT = range(4)


@dataclass(frozen=True, eq=False)
class SourceEvents:
    """The source cut into text, tags, and stretches that are neither (comments, scripts, styles)."""

    kind: Ints
    start: Ints
    end: Ints
    value: list[str]  # the text with entities resolved, or the name of the tag

    @classmethod
    def joined(cls, parts: Sequence[SourceEvents]) -> SourceEvents:
        return cls(
            kind=np.concatenate([part.kind for part in parts]),
            start=np.concatenate([part.start for part in parts]),
            end=np.concatenate([part.end for part in parts]),
            value=[value for part in parts for value in part.value],
        )

    def part(self, first: int, last: int) -> SourceEvents:
        return SourceEvents(self.kind[first:last], self.start[first:last], self.end[first:last], self.value[first:last])

    def moved(self, offset: int) -> SourceEvents:
        return SourceEvents(self.kind, self.start + offset, self.end + offset, self.value)
