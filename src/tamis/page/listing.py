"""What one walk over the parser's nodes brings back → the nodes of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.page.html import NOT_RENDERED_NAMES, PREFORMATTED_NAMES, mask
from tamis.page.kernel import kernel
from tamis.page.limits import Limits
from tamis.page.model import FOREIGN, FORM_TEXT, LINK, NOSCRIPT, PREFORMATTED, UNRENDERED, Nodes

if TYPE_CHECKING:
    from tamis.page._reference import NodeList

FLAGS_OF_TAGS = (
    mask(*NOT_RENDERED_NAMES) * np.uint8(UNRENDERED)
    | mask("a") * np.uint8(LINK)
    | mask("noscript") * np.uint8(NOSCRIPT)
    | mask("textarea") * np.uint8(FORM_TEXT)
    | mask(*PREFORMATTED_NAMES) * np.uint8(PREFORMATTED)
    | mask("svg", "math") * np.uint8(FOREIGN)
)
"""What a tag says of an element and of all below it."""
_IS_RAW = mask("iframe", "noembed", "noframes", "textarea", "title", "xmp")
_TINY_TEXT = 0.02  # of the markup; one ordinary page in twenty is below, which costs it a search (train pages)
_RAW_TEXT = 0.1  # of the markup in one raw element; ours, not swept


def build_nodes(listing: NodeList, limits: Limits) -> tuple[Nodes, bool]:
    """The nodes as arrays, and whether the tree had to be flattened."""
    arrays = kernel.node_arrays(listing.child_counts, listing.own_flags, listing.text_lengths, limits.max_depth)
    nodes = Nodes(
        tag=listing.tag,
        parent=arrays.parent,
        depth=arrays.depth,
        end=arrays.end,
        text_start=arrays.text_start,
        text_end=arrays.text_end,
        flags=arrays.flags,
    )
    return nodes, arrays.is_capped


def seems_swallowed(nodes: Nodes, markup_length: int) -> bool:
    """Whether little text can be seen for the size of the markup, or much of it is the text of one raw element."""
    seen, raw = kernel.text_sizes(nodes.tag, nodes.flags, nodes.text_start, nodes.text_end, _IS_RAW)
    return seen < _TINY_TEXT * markup_length or raw > _RAW_TEXT * markup_length
