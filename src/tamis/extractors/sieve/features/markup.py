"""The element of a block, and the elements around it."""

from __future__ import annotations

import functools

import numpy as np

from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.features.counts import ITEMS
from tamis.extractors.sieve.features.material import Columns, Material
from tamis.page.html import HEADINGS, mask
from tamis.page.model import FORM_TEXT, NOSCRIPT, PREFORMATTED
from tamis.page.text import Ints

KINDS = {
    "paragraph": ("p",),
    "heading": HEADINGS,
    "item": ITEMS,
    "cell": ("td", "th", "caption"),
    "plain": ("div", "section", "article", "main", "body", "center", "font"),
    "code": ("pre", "listing", "xmp", "textarea"),
    "quote": ("blockquote", "figcaption", "address", "summary"),
    "control": ("button", "label", "legend", "option", "select", "form", "fieldset"),
}
AROUND = {
    "nav": ("nav", "menu"),
    "header": ("header", "hgroup"),
    "footer": ("footer",),
    "aside": ("aside", "dialog"),
    "main": ("main",),
    "article": ("article",),
    "form": ("form", "fieldset", "button", "select"),
    "table": ("table",),
    "list": ("ul", "ol", "dl"),
    "figure": ("figure", "details", "blockquote"),
    "section": ("section",),
    "cell": ("td", "th"),
}
BITS = 10  # of a counter in a packed sum: nesting is at most 512 deep
PER_SUM = 6


def columns(material: Material) -> Columns:
    page = material.page
    flags = page.nodes.flags[page.blocks.leaves[page.blocks.first_leaf[:-1]]]
    return {
        **{f"is_{kind}": mask(*tags)[material.counts.tag] for kind, tags in KINDS.items()},
        "noscript": (flags & NOSCRIPT) != 0,
        "form_text": (flags & FORM_TEXT) != 0,
        "preformatted": (flags & PREFORMATTED) != 0,
        **_around(material.containers),
    }


def _around(containers: Containers) -> dict[str, Ints]:
    """For each kind of AROUND how many such elements are around a block."""
    packed = [containers.path_sums(table[containers.tag])[containers.holder] for table in packed_around()]
    return {
        f"in_{kind}": packed[place // PER_SUM] >> BITS * (place % PER_SUM) & (1 << BITS) - 1
        for place, kind in enumerate(AROUND)
    }


@functools.cache
def packed_around() -> tuple[Ints, ...]:
    """Tables over tag codes: which counters a tag moves, several packed into one number."""
    tables = []
    for start in range(0, len(AROUND), PER_SUM):
        table = np.zeros(len(mask()), dtype=np.int64)
        for place, tags in enumerate(list(AROUND.values())[start : start + PER_SUM]):
            table[mask(*tags)] = 1 << BITS * place
        tables.append(table)
    return tuple(tables)
