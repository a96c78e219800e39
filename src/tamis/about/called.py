"""What elements are called: the classes and ids of a page, read once for all who look for words in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tamis.about.kernel import kernel
from tamis.page.html import CODE_NAMES, PSEUDO_NAMES
from tamis.page.model import Page
from tamis.page.text import Ints

if TYPE_CHECKING:
    from tamis.about._reference import WordTable

# An element that the table of names lacks shows what is in it.
_SHOW_NOTHING = (*PSEUDO_NAMES[1:], *CODE_NAMES, "base", "br", "head", "link", "meta", "source", "title")


@dataclass(frozen=True)
class Called:
    """The classes and the ids of elements, read when they are asked for: many pages declare what they would say.

    They are read once for all ``words`` that are looked for: few have one of them, and each asks these few again.
    """

    page: Page
    words: WordTable

    @cached_property
    def _classes(self) -> tuple[list[int], list[str | None]]:
        # All are asked that show something: most have classes, and those of most are known by now.
        return _column(self.page, (~self.page.nodes.named(*_SHOW_NOTHING)).nonzero()[0], "class", self.words)

    @cached_property
    def _ids(self) -> tuple[list[int], list[str | None]]:
        return _column(self.page, self.page.carrying("id"), "id", self.words)

    def found(self, words: WordTable, pattern: re.Pattern[str] | None = None, *, by_id: bool = True) -> list[int]:
        """The nodes with a value that holds one of the words and, if one is given, the pattern; in document order."""
        found: set[int] = set()
        for nodes, values in (self._classes, self._ids) if by_id else (self._classes,):
            places = kernel.holding(values, words)
            if pattern is not None:
                said = {value for value in {values[place] for place in places} if pattern.search((value or "").lower())}
                places = [place for place in places if values[place] in said]
            found.update([nodes[place] for place in places])
        return sorted(found)


def _column(page: Page, nodes: Ints, attribute: str, words: WordTable) -> tuple[list[int], list[str | None]]:
    """Those of some nodes whose value holds one of the words, and the values."""
    values = page.attribute(nodes, attribute)
    places = kernel.holding(values, words)
    return nodes[places].tolist(), [values[place] for place in places]
