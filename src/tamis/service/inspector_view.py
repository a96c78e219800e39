"""All that the inspector shows of one page and one method, in the types that JSON has.

Blocks are numbered as in ``extraction.page``; tree, page, curves, regions and outputs refer to them by number, which is
what lets the panes light up together.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from tamis import extractors, segmenters
from tamis.page.blocks import kept_shares
from tamis.page.boxes import TEXT
from tamis.page.layout import laid_out
from tamis.page.load import parse
from tamis.page.model import HIDDEN, INVISIBLE, Page
from tamis.results import Extraction, Region
from tamis.segmenters._shown import boxes_of
from tamis.service.alignment import align
from tamis.service.curves import blocks_at, curves
from tamis.service.inert import block_of_nodes, inert_page

MAX_SOURCE = 4_000_000  # characters of markup that are inspected; ours, not swept
MAX_LINKED = 1_000_000  # characters of an output whose words are traced back to their blocks; ours, not swept
MAX_BLOCKS = 10_000  # of a page that is inspected: a list nobody reads to its end; the rest is said to be left out
MAX_TREE_NODES = 30_000  # a tree nobody reads to its end; the rest is said to be left out
MAX_FEATURE_BLOCKS = 1_500  # blocks of a page whose features are sent along: some 150 numbers each
_NAME_CHARACTERS = 80


def inspect_page(page: Page, method: str, options: Mapping[str, Any], rival: str = "") -> dict[str, Any]:
    """What a method makes of a page and why; with a rival, what that method keeps of the same blocks besides."""
    page = _bounded(page)
    start = time.perf_counter()
    extraction = extractors.extract(page, method, **options).shown
    seconds = time.perf_counter() - start
    view = inert_page(extraction.page)
    result = extraction.to_dict(reasons=True)
    return {
        "method": method,
        "seconds": round(seconds, 5),
        "result": result,
        "page": _described(extraction.page),
        "blocks": _blocks(extraction, result["blocks"]),
        "features": _features(extraction),
        "tree": _tree(extraction),
        "view": dataclasses.asdict(view),
        "outputs": _outputs(extraction, result),
        "curves": curves(extraction),
        "rival": _rival(page, extraction, rival) if rival else None,
    }


def lay_out(page: Page, segmenter: str, options: Mapping[str, Any], *, revealed: bool = False) -> dict[str, Any]:
    """Where the blocks of a page are shown, and the regions a segmenter makes of them; estimated if not rendered.

    With ``revealed`` the blocks are numbered as methods do that see hidden ones.
    """
    page = laid_out(page)
    boxes = boxes_of(page)
    regions = segmenters.segment(page, segmenter, **options).root if segmenter else None
    page = page.revealed() if revealed else page
    return {
        "width": boxes.width,
        "height": boxes.height,
        "estimated": boxes.estimated,
        "blocks": _block_boxes(page),
        "segmenter": segmenter,
        "regions": _flat(page, regions) if regions else [],
    }


def _bounded(page: Page) -> Page:
    """As much of a page as a person can look at."""
    if len(page.source) > MAX_SOURCE:
        warning = f"truncated: only the first {MAX_SOURCE} characters of the markup are inspected"
        cut = parse(page.source[:MAX_SOURCE], page.url)
        page = cut.described(truncated=True, warnings=(*page.warnings, warning), encoding=page.encoding)
    if len(page.blocks) > MAX_BLOCKS:
        first_unread = int(page.blocks.leaves[page.blocks.first_leaf[MAX_BLOCKS]])
        page = page.cut(first_unread, f"only the first {MAX_BLOCKS} blocks are inspected")
    return page


def _described(page: Page) -> dict[str, Any]:
    nodes = page.nodes
    hidden = nodes.texts[(nodes.flags[nodes.texts] & INVISIBLE) != 0]
    return {
        "url": page.url,
        "format": page.format,
        "encoding": page.encoding,
        "nodes": len(nodes),
        "characters": len(page.text),
        "revealed": page.nodes.flags is not page.hidden_flags,
        "unseen_characters": int((nodes.text_end[hidden] - nodes.text_start[hidden]).sum()),
    }


def _blocks(extraction: Extraction, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    page = extraction.page
    blocks, nodes = page.blocks, page.nodes
    shares = kept_shares(page, extraction.spans).tolist()
    hidden = (page.hidden_flags[blocks.leaves[blocks.first_leaf[:-1]]] & HIDDEN) != 0
    counts = zip(
        blocks.node.tolist(),
        blocks.words.tolist(),
        blocks.link_words.tolist(),
        blocks.characters.tolist(),
        nodes.depth[blocks.node].tolist(),
        hidden.tolist(),
        shares,
        told,
        strict=True,
    )
    return [
        {
            **choice,
            "node": node,
            "name": page.name(node),
            "words": words,
            "link_words": link_words,
            "characters": characters,
            "depth": depth,
            "hidden": is_hidden,
            "share": round(share, 3),
        }
        for node, words, link_words, characters, depth, is_hidden, share, choice in counts
    ]


def _features(extraction: Extraction) -> dict[str, Any] | None:
    """For the learned method the numbers it read, in families, zeros left out; None for others and for long pages."""
    page, made = extraction.page, extraction.made
    if made.method != "sieve" or not 0 < len(page.blocks) <= MAX_FEATURE_BLOCKS:
        return None
    from tamis.extractors.sieve.features import FAMILIES, NAMES
    from tamis.extractors.sieve.model import load_model
    from tamis.extractors.sieve.reading import read_page

    reading = read_page(page, load_model(made.options["model"]), shows_hidden=made.options["hidden"] == "keep")
    columns = np.asarray(reading.columns, dtype=np.float64)
    rows = [
        [[place, float(f"{value:.4g}")] for place, value in enumerate(column) if value] for column in columns.T.tolist()
    ]
    return {"names": NAMES, "families": FAMILIES, "rows": rows}


def _tree(extraction: Extraction) -> dict[str, Any]:
    """The elements of the page as columns: numbers, parents, names, and the range of blocks below each."""
    page = extraction.page
    nodes = page.nodes
    elements = np.flatnonzero(nodes.elements)
    shown = elements[:MAX_TREE_NODES]
    place = np.full(len(nodes) + 1, -1, dtype=np.int64)
    place[shown] = np.arange(len(shown))
    leaf_block = block_of_nodes(page)
    leaves = page.blocks.leaves
    first, last = np.searchsorted(leaves, shown), np.searchsorted(leaves, nodes.end[shown])
    has_text = last > first
    blocks = leaf_block[leaves] if len(leaves) else np.zeros(1, dtype=np.int64)
    return {
        "node": shown.tolist(),
        "parent": place[nodes.nearest(nodes.elements)[nodes.parent[shown]]].tolist(),
        "name": [page.name(node) for node in shown.tolist()],
        "label": [_label(page, node) for node in shown.tolist()],
        "first_block": np.where(has_text, blocks[np.minimum(first, len(blocks) - 1)], -1).tolist(),
        "last_block": np.where(has_text, blocks[np.maximum(last - 1, 0)], -1).tolist(),
        "left_out": len(elements) - len(shown),
    }


def _label(page: Page, node: int) -> str:
    """Id and classes as in a selector."""
    attributes = page.attributes(node)
    parts = [f"#{attributes['id'].strip()}"] if attributes.get("id", "").strip() else []
    parts += [f".{name}" for name in attributes.get("class", "").split()]
    label = "".join(parts)
    return label if len(label) <= _NAME_CHARACTERS else label[:_NAME_CHARACTERS] + "…"


def _outputs(extraction: Extraction, result: Mapping[str, Any]) -> dict[str, Any]:
    shares = kept_shares(extraction.page, extraction.spans).tolist()
    kept = [(block["number"], block["text"]) for block, share in zip(result["blocks"], shares, strict=True) if share]
    return {
        name: {
            "text": result[name],
            "stretches": align(result[name], kept) if name != "html" and len(result[name]) <= MAX_LINKED else [],
        }
        for name in ("text", "markdown", "html")
    }


def _rival(page: Page, extraction: Extraction, rival: str) -> dict[str, Any]:
    """What another method keeps: its text, and its share of each block unless it read another text."""
    other = extractors.extract(page, rival).shown
    is_same = other.page.text == extraction.page.text
    shares = kept_shares(extraction.page, other.spans).round(3).tolist() if is_same else None
    return {"method": rival, "text": other.text, "shares": shares}


def _block_boxes(page: Page) -> list[list[float] | None]:
    """The rectangle around the shown lines of each block; None for one that is not shown."""
    boxes = page.boxes
    assert boxes is not None  # noqa: S101 - the caller saw to it
    lines = np.flatnonzero((boxes.kind == TEXT) & boxes.visible & (boxes.end > boxes.start))
    owner = blocks_at(page, boxes.start[lines])
    lines, owner = lines[owner >= 0], owner[owner >= 0]
    low, high = np.full((len(page.blocks), 2), np.inf), np.full((len(page.blocks), 2), -np.inf)
    np.minimum.at(low, owner, boxes.rect[lines, :2])
    np.maximum.at(high, owner, boxes.rect[lines, 2:])
    around = np.hstack((low, high))
    return [[round(side, 1) for side in box] if math.isfinite(box[0]) else None for box in around.tolist()]


def _flat(page: Page, root: Region) -> list[dict[str, Any]]:
    """The regions in document order, each with the place of its parent in the list."""
    found: list[dict[str, Any]] = []
    waiting: list[tuple[Region, int, int]] = [(root, -1, 0)]
    leaves, owner = page.blocks.leaves, block_of_nodes(page)
    while waiting:
        region, parent, depth = waiting.pop()
        place = len(found)
        blocks: set[int] = set()
        for node in region.nodes:
            first, last = np.searchsorted(leaves, (node, page.nodes.end[node]))
            blocks.update(owner[leaves[first:last]].tolist())
        found.append(
            {
                "parent": parent,
                "depth": depth,
                "box": None if region.box is None else [round(side, 1) for side in region.box],
                "score": region.score,
                "label": region.label,
                "blocks": sorted(blocks),
                "nodes": list(region.nodes[:20]),
            }
        )
        waiting += [(part, place, depth + 1) for part in reversed(region.parts)]
    return found
