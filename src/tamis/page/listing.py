"""What one walk over the parser's nodes brings back → arrays that describe the tree and its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page import tree
from tamis.page.html import NOT_RENDERED_NAMES, PREFORMATTED_NAMES, TAG_CODES, TEXT, mask
from tamis.page.limits import Limits
from tamis.page.model import FOREIGN, FORM_TEXT, HIDDEN, LINK, NOSCRIPT, PREFORMATTED, UNRENDERED, Nodes
from tamis.page.text import Ints

Handle = Any  # a node of the parser; its classes share no useful type
Tags = npt.NDArray[np.uint8]

_FLAG_ROOTS = (
    mask(*NOT_RENDERED_NAMES) * np.uint8(UNRENDERED)
    | mask("a") * np.uint8(LINK)
    | mask("noscript") * np.uint8(NOSCRIPT)
    | mask("textarea") * np.uint8(FORM_TEXT)
    | mask(*PREFORMATTED_NAMES) * np.uint8(PREFORMATTED)
    | mask("svg", "math") * np.uint8(FOREIGN)
)
_RAW_TEXT_NAMES = ("iframe", "noembed", "noframes", "textarea", "title", "xmp")
_TINY_TEXT = 0.02  # of the markup; one ordinary page in twenty is below, which costs it a search (train pages)
_RAW_TEXT = 0.1  # of the markup in one raw element; ours, not swept


@dataclass(frozen=True, eq=False)
class Listing:
    """What one walk over the parser's nodes brings back, in document order."""

    handles: list[Handle]
    tag: Tags
    child_counts: Ints
    texts: list[str]  # one for each text node
    hidden: list[int]  # elements that hide themselves
    dead_anchors: list[int]  # anchors without an address
    most_attributes: int
    is_cut: bool


def node_arrays(listing: Listing, limits: Limits) -> tuple[Nodes, str, bool]:
    """The nodes as arrays, their text, and whether the tree had to be flattened."""
    tag, count = listing.tag, len(listing.tag)
    end = tree.subtree_ends(listing.child_counts)
    depth = tree.depths(end)
    flags = _flags(listing, end)
    capped = bool(depth.max() > limits.max_depth)
    if capped:
        depth, end = tree.cap_depth(depth, end, limits.max_depth)
    offsets = np.zeros(count + 1, dtype=np.int64)
    lengths = np.fromiter(map(len, listing.texts), dtype=np.int64, count=len(listing.texts))
    offsets[1:][tag == TEXT] = lengths
    np.cumsum(offsets, out=offsets)
    nodes = Nodes(
        tag=tag,
        parent=tree.parents(depth),
        depth=depth,
        end=end,
        text_start=offsets[:-1],
        text_end=offsets[end],
        flags=flags,
    )
    return nodes, "".join(listing.texts), capped


def _flags(listing: Listing, end: Ints) -> Tags:
    """What is known of each node from itself and from its ancestors."""
    handles, tag = listing.handles, listing.tag
    roots = _FLAG_ROOTS[tag]
    for node in np.flatnonzero(mask("template", "iframe", "noframes", "textarea")[tag]).tolist():
        holds_page = node + 1 < len(tag) and tag[node + 1] == TAG_CODES["html"]
        if holds_page or handles[node].attr("shadowrootmode") is not None:
            roots[node] &= ~np.uint8(UNRENDERED | PREFORMATTED)
    roots[listing.dead_anchors] = 0
    roots[listing.hidden] |= HIDDEN
    roots[mask("html", "body")[tag]] = 0  # they hide themselves only until scripts have run
    return tree.inherited(roots, end)


def seems_swallowed(nodes: Nodes, markup_length: int) -> bool:
    """Whether little text can be seen for the size of the markup, or much of it is the text of one raw element."""
    lengths = nodes.text_end - nodes.text_start
    raw = lengths[mask(*_RAW_TEXT_NAMES)[nodes.tag]]
    visible = int(lengths[nodes.visible_texts].sum())
    return visible < _TINY_TEXT * markup_length or bool(raw.max(initial=0) > _RAW_TEXT * markup_length)
