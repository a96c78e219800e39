"""The elements that hold kept text: all that outputs need to know of the rest of the page is asked of these few."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tamis.outputs._reference import CutPieces
from tamis.outputs._twin import kernel
from tamis.page.html import bits, mask
from tamis.page.model import Page
from tamis.page.text import Bools, Ints
from tamis.results import Extraction


@dataclass(frozen=True, eq=False)
class Holders:
    """Elements around kept text in page order, with what formats ask of them."""

    page: Page
    starts: Ints  # of the kept spans, sorted; those that touch are one
    ends: Ints
    pieces: CutPieces  # of the kept spans, clutter included
    node: Ints
    tag: npt.NDArray[np.uint8]
    names: int  # which tags are among them, as ``bits`` says it
    classes: list[str | None]  # what each says in its attribute ``class``
    roles: dict[int, str]  # of the few that have one
    styles: dict[int, str]  # inline styles, likewise

    def has(self, *names: str) -> bool:
        """Whether an element with one of these names is among them."""
        return self.names & bits(*names) != 0

    def named(self, *names: str) -> Ints:
        """Those with one of these names."""
        found: Ints = kernel.tagged(self.node, self.tag, mask(*names)) if self.has(*names) else self.node[:0]
        return found

    @cached_property
    def hrefs(self) -> dict[int, str]:
        """Where those lead that are links."""
        return hrefs(self.page, self.named("a"))

    def with_class(self, names: frozenset[str]) -> list[int]:
        """Those that have one of these classes."""
        return [self.node.item(place) for place in kernel.with_words(self.classes, names)]


def hrefs(page: Page, anchors: Ints) -> dict[int, str]:
    """Where links lead, by their node."""
    pairs = zip(anchors.tolist(), page.attribute(anchors, "href"), strict=True)
    return {node: href for node, href in pairs if href is not None}


def kept_holders(extraction: Extraction) -> Holders:
    """The elements that hold what an extraction keeps; found once, because all formats ask."""
    return extraction.shared.once(_kept_holders, extraction)


def _kept_holders(extraction: Extraction) -> Holders:
    page, nodes = extraction.page, extraction.page.nodes
    tree = nodes.tag, nodes.flags, nodes.parent, nodes.end, nodes.text_start, nodes.text_end
    kept = kernel.kept_text(page.text, extraction.spans, *tree, page.flow.run)
    node = kept.node
    return Holders(page, *kept, page.attribute(node, "class"), page.said("role", node), page.said("style", node))


def without(holders: Holders, clutter: Bools) -> CutPieces:
    """The pieces outside of the nodes that are clutter."""
    page, nodes = holders.page, holders.page.nodes
    columns = nodes.tag, nodes.flags, nodes.text_start, nodes.text_end, page.flow.run
    return kernel.cut_pieces(page.text, holders.starts, holders.ends, clutter, *columns)
