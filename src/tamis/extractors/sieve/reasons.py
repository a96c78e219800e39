"""Why the model thinks so, in words: what changes most when a family of features is taken away.

A family (names, links, candidate ...) is set to what is usual on training pages, and the log odds are computed again;
the difference is what the family is worth for each block. The strongest ones are put into words.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.features import FAMILIES, PLACES
from tamis.extractors.sieve.model import SieveModel
from tamis.extractors.sieve.reading import Reading, score_blocks
from tamis.page.model import Page

_MOST = 3  # reasons per block
_LEAST = 0.3  # log odds; less is no reason


def explain_blocks(page: Page, model: SieveModel, reading: Reading) -> list[list[str]]:
    """For each block the strongest reasons, strongest first; a plus speaks for content, a minus against it."""
    words = page.blocks.words.astype(np.float32)
    full, _ = score_blocks(model, reading.columns, words)
    usual = model.usual()
    worth = np.empty((len(_TELLERS), len(full)))
    for row, family in enumerate(_TELLERS):
        places = [PLACES[name] for name in FAMILIES[family]]
        without = reading.columns.copy()
        without[places] = usual[places, None]
        worth[row] = full - score_blocks(model, without, words)[0]
    order = np.argsort(-np.abs(worth), axis=0, kind="stable")[:_MOST].T.tolist()
    tellers = list(_TELLERS.values())
    teller = _Teller(page, model, reading)
    told = []
    for block, (chance, rows, worths) in enumerate(zip(reading.chances.tolist(), order, worth.T.tolist(), strict=True)):
        strong = [row for row in rows if abs(worths[row]) >= _LEAST]
        reasons = [f"{worths[row]:+.1f} {tellers[row](teller, block)}" for row in strong]
        told.append([f"probability {chance:.2f}", *reasons, *filter(None, reading.site_notes[block : block + 1])])
    return told


class _Teller:
    """Says what is behind a family of features of one block."""

    def __init__(self, page: Page, model: SieveModel, reading: Reading) -> None:
        self._blocks, self._columns, self._containers = page.blocks, reading.columns, reading.containers
        self._text, self._table = page.text, model.word_table
        self._telling = _telling_words(model, reading.containers)

    def _value(self, block: int, name: str) -> float:
        return float(self._columns[PLACES[name], block])

    def names(self, block: int) -> str:
        word = self._telling[int(self._containers.holder[block])]
        return f"class token {word}" if word else "no telling class tokens"

    def wording(self, block: int) -> str:
        phrase, weight = self._table.strongest(self._text[self._blocks.start[block] : self._blocks.end[block]])
        return f"says {phrase.lstrip('^=')}" if weight else "says nothing telling"

    def links(self, block: int) -> str:
        return f"{self._value(block, 'link_density'):.0%} of its words are links"

    def candidate(self, block: int) -> str:
        return "inside the best candidate" if self._value(block, "in_candidate") else "outside the best candidate"

    def containers(self, block: int) -> str:
        return f"its container holds {self._value(block, 'level2_share'):.0%} of the page's running text"

    def groups(self, block: int) -> str:
        count = int(self._value(block, "most_repeated"))
        return f"card repeated {count} times" if count > 1 else "nothing else looks like it"

    def markup(self, block: int) -> str:
        around = [name[3:] for name in FAMILIES["markup"] if name.startswith("in_") and self._value(block, name)]
        return f"inside {', '.join(around)}" if around else "in no telling element"

    def text(self, block: int) -> str:
        return f"{int(self._blocks.words[block])} words, {int(self._value(block, 'ends'))} sentence marks"

    def place(self, block: int) -> str:
        return f"{self._value(block, 'position'):.0%} down the page"

    def title(self, block: int) -> str:
        return "matches the title" if self._value(block, "title_match") > 0 else "no heading that matches the title"

    def hidden(self, block: int) -> str:
        return "hidden" if self._value(block, "hidden") else "shown"


def _telling_words(model: SieveModel, containers: Containers) -> list[str]:
    """For each container the word that weighs most in its name or in the names around it."""
    own = [model.class_names.strongest(name) for name in containers.names]
    best: list[tuple[str, int]] = []
    for place, (name, parent) in enumerate(zip(containers.name.tolist(), containers.parent.tolist(), strict=True)):
        around = best[parent] if parent < place else ("", 0)
        best.append(own[name] if abs(own[name][1]) > abs(around[1]) else around)
    return [word for word, _ in best]


_TELLERS: dict[str, Callable[[_Teller, int], str]] = {
    family: getattr(_Teller, family) for family in FAMILIES if hasattr(_Teller, family)
}
"""What is said of each family; the page as a whole is no reason for one of its blocks."""
