"""A trained segmenter: the regions that people would mark, learned from labelled pages.

Idea:      elements that contain the same visible pieces of text and images are one candidate. Two families of trees
           give the probability that the parts of a candidate belong to one main block of the page, and to one of the
           smallest blocks. From these follows, for any cut through the tree of candidates, its expected agreement with
           people (B-cubed); the best cut is taken. Further trees label the regions, unless the element does so itself
           (nav, role=search and the like).
Reference: ours. Learned from the pages of Kreuzer, Hage & Feelders (2015).
Strong at: pages of ordinary layout, rendered or not; labels regions.
Weak at:   pages whose markup does not match their layout; galleries and portals, on which people disagree too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.page.html import TEXT, mask
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.ranges import SHARE, check_ranges
from tamis.results import Region, Segmentation
from tamis.segmenters._shown import boxes_of
from tamis.segmenters.mesh.candidates import Candidates, VisiblePieces, candidate_rects, find_candidates, find_pieces
from tamis.segmenters.mesh.cut import best_cut, regions_of, sizes
from tamis.segmenters.mesh.features import region_features
from tamis.segmenters.mesh.model import MeshColumns, MeshModel, load_model

_ELEMENTS = {"nav": "navigation", "main": "main", "article": "article", "aside": "aside", "footer": "footer"}
_LANDMARK = mask(*_ELEMENTS)
_ROLES = {
    "navigation": "navigation",
    "main": "main",
    "article": "article",
    "complementary": "aside",
    "contentinfo": "footer",
    "banner": "header",
    "search": "search",
}
"""What elements and roles stand for in HTML; the pages the model learned from are older."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How fine the page is divided."""

    # Granularity, from 0 (one region) to 1 (every piece its own region): the weight of precision against recall. Ours,
    # the middle; on the labelled pages, with the site held out, F differs by at most 0.007 from 0.3 to 0.6.
    mesh: float = 0.5
    model: str = ""  # a file made by tamis train --model mesh; default: the shipped model

    def __post_init__(self) -> None:
        check_ranges(self, mesh=SHARE)


def segment(page: Page, options: Options) -> Segmentation:
    return segment_with(load_model(options.model), page, options)


def segment_with(model: MeshModel, page: Page, options: Options) -> Segmentation:
    """The same with a model of one's own."""
    boxes = boxes_of(page)
    pieces = find_pieces(page, boxes)
    if not len(pieces):
        return Segmentation(page=page, root=Region(nodes=(0,)))
    candidates = find_candidates(page, pieces)
    rects = candidate_rects(pieces, candidates)
    features = region_features(page, pieces, candidates, boxes, rects)
    size = sizes(pieces, candidates)
    main, smallest = (_together(model, candidates, features, deepest=deepest) for deepest in (False, True))
    is_top = regions_of(candidates, best_cut(candidates, size, main, options.mesh))
    is_part = regions_of(candidates, best_cut(candidates, size, smallest, options.mesh), is_top) & ~is_top
    chosen = np.flatnonzero(is_top | is_part)
    labels, scores = model.name(features[:, chosen], is_top[chosen])
    declared = _declared(page, candidates)
    regions = [
        Region(
            nodes=_nodes(page, pieces, candidates, place),
            box=tuple(rects[place].tolist()),
            score=1.0 if place in declared else score,
            label=declared.get(place, label),
        )
        for place, label, score in zip(chosen.tolist(), labels, scores.tolist(), strict=True)
    ]
    root = Region(nodes=(0,), box=tuple(rects[0].tolist()), parts=_nested(regions, is_top[chosen].tolist()))
    return Segmentation(page=page, root=root)


def _together(model: MeshModel, candidates: Candidates, features: MeshColumns, *, deepest: bool) -> Floats:
    """How likely the parts of each candidate are in one block; a piece has no parts, and needs no judgement."""
    together = np.ones(len(candidates))
    inner = np.flatnonzero(candidates.children > 0)
    together[inner] = model.together(features[:, inner], deepest=deepest)
    return together


def _declared(page: Page, candidates: Candidates) -> dict[int, str]:
    """Labels of candidates whose element says what it is; of several elements the outermost counts."""
    elements = np.flatnonzero((candidates.of_node >= 0) & page.nodes.elements)
    labels: dict[int, str] = {}
    roles = zip(elements.tolist(), page.attribute(elements, "role"), strict=True)
    by_role = ((node, _ROLES.get(role.lower())) for node, role in roles if role)
    by_name = (
        (node, _ELEMENTS.get(page.name(node))) for node in elements[_LANDMARK[page.nodes.tag[elements]]].tolist()
    )
    for node, label in (*by_role, *by_name):
        if label:
            labels.setdefault(int(candidates.of_node[node]), label)
    return labels


def _nodes(page: Page, pieces: VisiblePieces, candidates: Candidates, place: int) -> tuple[int, ...]:
    """The element of a candidate, or the texts of a run that shares its element with others."""
    node = int(candidates.outer[place])
    return pieces.nodes(int(candidates.first[place])) if page.nodes.tag[node] == TEXT else (node,)


def _nested(regions: Sequence[Region], is_top: Sequence[bool]) -> tuple[Region, ...]:
    """Top regions, each with the parts that follow it."""
    tops: list[Region] = []
    parts: list[list[Region]] = []
    for region, top in zip(regions, is_top, strict=True):
        if top:
            tops.append(region)
            parts.append([])
        else:
            parts[-1].append(region)
    return tuple(replace(top, parts=tuple(below)) for top, below in zip(tops, parts, strict=True))
