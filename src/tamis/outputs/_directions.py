"""Directions of writing that elements say, for the blocks in which they differ from what is around."""

from __future__ import annotations

from tamis.outputs._events import Event
from tamis.page.model import Page

_KNOWN = frozenset({"auto", "ltr", "rtl"})
_USUAL = "ltr"  # on a page on which nothing else is said, it need not be said


class Directions:
    """Follows the blocks of a stream as they open and close."""

    def __init__(self, page: Page) -> None:
        carriers = page.carrying("dir")
        said = zip(carriers.tolist(), page.attribute(carriers, "dir"), strict=True)
        known = {node: direction for node, value in said if (direction := (value or "").strip().lower()) in _KNOWN}
        self._said = known if {*known.values()} != {_USUAL} else {}
        self._parent = page.nodes.parent
        self._open = [""]

    def open(self, event: Event) -> str:
        """The direction that must be said of a block; empty if it is that of the block around it."""
        direction = self._of(event.node) if self._said else ""
        is_new = direction != self._open[-1]
        self._open.append(direction)
        return direction if is_new else ""

    def close(self) -> None:
        self._open.pop()

    def _of(self, node: int) -> str:
        while node > 0 and node not in self._said:
            node = int(self._parent[node])
        return self._said.get(node, "")
