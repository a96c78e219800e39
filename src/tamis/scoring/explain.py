"""Why the model thinks so, in words: what changes most when a family of features is taken away.

A family (names, links, candidate ...) is set to what is usual on training pages, and the log odds are computed again;
the difference is what the family is worth for each block. The strongest ones are put into words.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tamis.page.model import Page
from tamis.scoring.features import FAMILIES, NAMES
from tamis.scoring.reading import Reading, score_blocks
from tamis.scoring.sieve_model import SieveModel

_MOST = 3  # reasons per block
_LEAST = 0.3  # log odds; less is no reason


def explain_blocks(page: Page, model: SieveModel, reading: Reading) -> list[list[str]]:
    """For each block the strongest reasons, strongest first; a plus speaks for content, a minus against it."""
    words = page.blocks.words.astype(np.float32)
    full, _ = score_blocks(model, reading.columns, words)
    usual = model.network.usual()
    worth = np.empty((len(FAMILIES), len(full)))
    for row, names in enumerate(FAMILIES.values()):
        places = [NAMES.index(name) for name in names]
        without = reading.columns.copy()
        without[places] = usual[places, None]
        worth[row] = full - score_blocks(model, without, words)[0]
    tellers = [_TELLERS[family] for family in FAMILIES]
    teller = _Teller(page, model, reading)
    told = []
    for block in range(len(full)):
        order = np.argsort(-np.abs(worth[:, block]), kind="stable")[:_MOST]
        strong = [row for row in order.tolist() if abs(worth[row, block]) >= _LEAST]
        chance = f"probability {reading.chances[block]:.2f}"
        told.append([chance, *(f"{worth[row, block]:+.1f} {tellers[row](teller, block)}" for row in strong)])
    return told


class _Teller:
    """Says what is behind a family of features of one block."""

    def __init__(self, page: Page, model: SieveModel, reading: Reading) -> None:
        self._blocks, self._model, self._reading = page.blocks, model, reading

    def _value(self, block: int, name: str) -> float:
        return float(self._reading.columns[NAMES.index(name), block])

    def names(self, block: int) -> str:
        containers = self._reading.containers
        best, weight = "", 0
        place = int(containers.holder[block])
        while True:
            word, own = self._model.class_names.strongest(containers.names[containers.name[place]])
            if abs(own) > abs(weight):
                best, weight = word, own
            above = int(containers.parent[place])
            if above == place:
                return f"class token {best}" if best else "no telling class tokens"
            place = above

    def links(self, block: int) -> str:
        return f"{self._value(block, 'link_density'):.0%} of its words are links"

    def candidate(self, block: int) -> str:
        return "inside the best candidate" if self._value(block, "in_candidate") else "outside the best candidate"

    def containers(self, block: int) -> str:
        return f"its container holds {self._value(block, 'level2_share'):.0%} of the page's running text"

    def groups(self, block: int) -> str:
        count = int(self._value(block, "most_repeated"))
        return f"card repeated {count} times" if count > 1 else "nothing else looks like it"

    def elements(self, block: int) -> str:
        around = [name[3:] for name in FAMILIES["elements"] if name.startswith("in_") and self._value(block, name)]
        return f"inside {', '.join(around)}" if around else "in no telling element"

    def text(self, block: int) -> str:
        return f"{int(self._blocks.words[block])} words, {int(self._value(block, 'ends'))} sentence marks"

    def place(self, block: int) -> str:
        return f"{self._value(block, 'position'):.0%} down the page"

    def title(self, block: int) -> str:
        return "matches the title" if self._value(block, "title_match") > 0 else "no heading that matches the title"

    def hidden(self, block: int) -> str:
        return "hidden" if self._value(block, "hidden") else "shown"


_TELLERS: dict[str, Callable[[_Teller, int], str]] = {family: getattr(_Teller, family) for family in FAMILIES}
