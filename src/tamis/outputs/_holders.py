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
    node: Ints
    tag: npt.NDArray[np.uint8]
    names: int  # which tags are among them, as ``bits`` says it
    starts: Ints  # of the kept spans, sorted; those that touch are one
    ends: Ints
    pieces: CutPieces  # of the kept spans, clutter included

    def has(self, *names: str) -> bool:
        """Whether an element with one of these names is among them."""
        return self.names & bits(*names) != 0

    def named(self, *names: str) -> Ints:
        """Those with one of these names."""
        found: Ints = self.node[mask(*names)[self.tag]] if self.has(*names) else self.node[:0]
        return found

    @cached_property
    def hrefs(self) -> dict[int, str]:
        """Where those lead that are links."""
        return hrefs(self.page, self.named("a"))

    @cached_property
    def classes(self) -> list[str | None]:
        """What each says in its attribute ``class``."""
        return self.page.attribute(self.node, "class")

    @cached_property
    def roles(self) -> dict[int, str]:
        """The roles of the few that have one."""
        return self.page.said("role", self.node)

    @cached_property
    def styles(self) -> dict[int, str]:
        """The inline styles of the few that have one."""
        return self.page.said("style", self.node)

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
    starts, ends = kernel.merged(extraction.spans)
    pieces = cut(page, starts, ends, None)
    return Holders(page, *kernel.holders(pieces.node, nodes.tag, nodes.parent, nodes.end), starts, ends, pieces)


def cut(page: Page, starts: Ints, ends: Ints, clutter: Bools | None) -> CutPieces:
    """Sorted spans, cut where text nodes begin and end, without the nodes that are clutter."""
    nodes = page.nodes
    return kernel.cut_pieces(
        page.text,
        starts,
        ends,
        clutter,
        nodes.tag,
        nodes.flags,
        nodes.text_start,
        nodes.text_end,
        page.flow.run,
    )
