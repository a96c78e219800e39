"""DOM hash: sub-trees that are the same on many pages of a site are its template.

Idea:      hash every node with its tag, attributes, texts and everything below it; a sub-tree found on a tenth of the
           pages or more is template, with all its content.
Reference: Gibson, Punera & Tomkins (2005), as described by Gottron (2008), section 3.3.8.
Departs:   the frequency is a share of the pages, and at least two pages must share a sub-tree. Joining parts that are
           separated by small changes is left out, because the source gives no rule for it. Elements below which no text
           is shown, such as pictures, are in no hash, and volume is measured in visible characters instead of bytes.
Strong at: measuring how much of a site is template.
Weak at:   one changed date inside a menu makes the whole menu new, though its other parts are still found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Bools, collapse
from tamis.ranges import SHARE, Range, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._texts import counted, filled_leaves, kept_spans, other_pages


@dataclass(frozen=True, kw_only=True)
class Options:
    """Shares of pages between which a sub-tree is template."""

    min_share: float = 0.1  # Gibson et al.
    max_share: float = 1.0  # Gibson et al.; a lower one would leave out tiny structures such as br
    min_pages: int = 2  # on fewer than ten pages a tenth is less than one page; our addition

    def __post_init__(self) -> None:
        check_ranges(self, max_share=SHARE, min_share=Range(0, self.max_share), min_pages=Range(2))


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    counts: dict[str, int]  # pages that have a sub-tree


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    counts = counted(_hashes(page).values() for page in pages)
    return Template(model={"counts": {key: count for key, count in counts.items() if count >= options.min_pages}})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    leaves = filled_leaves(page)
    inside = page.nodes.inside(template_nodes(page, template, options))
    return Extraction(page=page, spans=kept_spans(page, leaves, ~inside[leaves]))


def template_nodes(page: Page, template: Template, options: Options) -> Bools:
    """True for nodes that are template by themselves."""
    others, own = other_pages(template, page)
    fewest = max(options.min_pages - 1, options.min_share * others)
    most = options.max_share * others
    counts = template.model["counts"]
    marked = np.zeros(len(page.nodes), dtype=np.bool_)
    for node, key in _hashes(page).items():
        marked[node] = fewest <= counts.get(key, 0) - own <= most
    return marked


def volume(page: Page, template: Template, options: Options) -> float:
    """How much of a page is template, from 0 to 1: the share of its visible characters."""
    leaves = filled_leaves(page)
    inside = page.nodes.inside(template_nodes(page, template, options))
    characters = page.flow.characters[leaves]
    return float(characters[inside[leaves]].sum() / max(1, characters.sum()))


def _hashes(page: Page) -> dict[int, str]:
    """A name for every node below which there is text to see, made from all that is below it."""
    nodes = page.nodes
    texts = nodes.totals(page.flow.characters)
    shown = np.flatnonzero(texts > 0)[1:]  # the document itself is no candidate
    below: dict[int, list[bytes]] = {}
    names: dict[int, str] = {}
    parents = nodes.parent.tolist()
    is_text = nodes.marked(nodes.texts)
    for node in shown[::-1].tolist():
        hashed = hashlib.blake2b(digest_size=8)
        if is_text[node]:
            hashed.update(collapse(page.node_text(node)).encode("utf-8", "surrogatepass"))
        else:
            attributes = sorted(page.attributes(node).items())
            hashed.update(repr((page.name(node), attributes)).encode("utf-8", "surrogatepass"))
            for child in reversed(below.pop(node, [])):
                hashed.update(child)
        names[node] = hashed.hexdigest()
        below.setdefault(parents[node], []).append(hashed.digest())
    return names
