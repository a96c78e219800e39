"""Signs beside headings that only link a heading to itself: generators of documentation put a ¶ or a # there."""

from __future__ import annotations

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Bools

_SIGNS = frozenset("¶ # § 🔗 ⚓ ∞".split())
_HOLDERS = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")  # Sphinx marks the terms of its lists of functions too
_MAX_CHARACTERS = 4  # of such a link, white space included


def heading_marks(page: Page) -> Bools | None:
    """Nodes of such links, with everything below them; None if there are none."""
    nodes = page.nodes
    links = np.flatnonzero(nodes.named("a") & (nodes.text_end - nodes.text_start <= _MAX_CHARACTERS))
    starts, ends = nodes.text_start[links].tolist(), nodes.text_end[links].tolist()
    has_sign = [page.text[start:end].strip() in _SIGNS for start, end in zip(starts, ends, strict=True)]
    links = links[np.array(has_sign, dtype=np.bool_)]
    if not len(links):
        return None
    is_self = np.array([(href or "").startswith("#") for href in page.attribute(links, "href")], dtype=np.bool_)
    marked: Bools = np.zeros(len(nodes), dtype=np.bool_)
    marked[links[is_self & nodes.inside(nodes.named(*_HOLDERS))[links]]] = True
    return nodes.inside(marked) if marked.any() else None
