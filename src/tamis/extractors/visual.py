"""Visual: the regions that a segmenter labels as main content, else the region with the most text near the middle.

Idea:      the main content is usually the large region in the middle, full of text. A segmenter divides the rendered
           page; regions it labels as main or article are kept, without the menus, advertisements, comments and link
           lists within them, unless link lists are most of them. If no region has such a label, the region with the
           most text near the middle is kept, with what is in the same column and not a link list.
Reference: none; regions as a step towards the main content are an idea of Cai et al. (2003) and Song et al. (2004).
Strong at: pages of all kinds, also lists and products, without special rules.
Weak at:   regions that are cut or labelled wrongly, which are kept or lost as a whole; pages that were not rendered,
           whose layout is an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis import segmenters
from tamis.page.model import LINK, Page
from tamis.page.text import Floats
from tamis.ranges import SHARE, check_ranges
from tamis.regions import Placed, owners, walk
from tamis.results import Extraction, Region, Segmentation

MAIN = frozenset({"main", "article"})
"""Labels of regions that hold the main content."""

CLUTTER = frozenset(
    "ad advertisement aside breadcrumb comments footer form header login logo navigation pagination search share "
    "sidebar social".split()
)
"""Labels of regions that are no main content, even within one that is. A header within one holds its title: kept."""

_KEPT_INSIDE = frozenset({"header"})
LIST = "list"
"""Label of lists of links: main content only where there is little else."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which segmenter divides the page, and which of the regions are kept."""

    segmenter: str = segmenters.DEFAULT  # the trained one: 0.85 on the pages below, contents 0.84, partition 0.82
    max_links: float = 0.5  # share of a region's text that may stand in links; ours, not swept
    # Share of the text in main regions that must be left without lists of links, else these are kept. Swept 0.3-0.7 on
    # 200 training pages that were not rendered (wcxb, newspaper4k): mean F1 of words 0.85 up to 0.5, 0.84 at 0.7, and
    # 0.81 if lists are always kept.
    min_rest: float = 0.5
    min_share: float = 0.1  # of the score of the best region, where no region is labelled as main; ours, not swept

    def __post_init__(self) -> None:
        check_ranges(self, max_links=SHARE, min_rest=SHARE, min_share=SHARE)


class RegionTexts(NamedTuple):
    """How much text each region has, without that of its parts, and how much of it stands in links."""

    size: Floats
    linked: Floats


def extract(page: Page, options: Options) -> Extraction:
    segmentation = segmenters.segment(page, options.segmenter)
    placed = walk(segmentation.root)
    owner = owners(page, placed)[page.blocks.leaves]
    is_kept = np.append(choose(segmentation, placed, options), False)  # the last stands for what is in no region
    reasons = [_reason(placed, region) for region in owner[page.blocks.first_leaf[:-1]].tolist()]
    return Extraction(page=page, spans=page.text_spans(page.blocks.leaves[is_kept[owner]]), reasons=reasons)


def choose(segmentation: Segmentation, placed: list[Placed], options: Options) -> list[bool]:
    """For each region whether it is main content: by labels, or by place if none is labelled so."""
    texts = texts_of(segmentation.page, placed)
    chosen = labelled(placed)
    if any(chosen):
        return without_lists(placed, chosen, texts, options)
    boxes = segmentation.page.boxes
    return by_place(placed, boxes.width if boxes else 0.0, texts, options)


def texts_of(page: Page, placed: list[Placed]) -> RegionTexts:
    leaves = page.blocks.leaves
    owner = owners(page, placed)[leaves] + 1
    characters = page.flow.characters[leaves]
    linked = np.where(page.nodes.flags[leaves] & LINK, characters, 0)
    size, links = (np.bincount(owner, counts, minlength=len(placed) + 1)[1:] for counts in (characters, linked))
    return RegionTexts(np.asarray(size, dtype=np.float64), np.asarray(links, dtype=np.float64))


def _reason(placed: list[Placed], region: int) -> str:
    if region < 0:
        return "in no region"
    labels = []
    while region > 0:
        labels.append(placed[region].region.label or "unnamed")
        region = placed[region].parent
    return "region: " + " > ".join(reversed(labels)) if labels else "beside all regions"


def labelled(placed: list[Placed]) -> list[bool]:
    """For each region whether it is main content by its label and by those of the regions around it."""
    kept: list[bool] = []
    for region, parent, _ in placed:
        inside = parent >= 0 and kept[parent]
        if region.label in MAIN:
            kept.append(inside or not _in_clutter(placed, parent))
        elif inside:
            kept.append(region.label not in CLUTTER or region.label in _KEPT_INSIDE)
        else:
            kept.append(False)
    return kept


def _in_clutter(placed: list[Placed], region: int) -> bool:
    while region >= 0:
        if placed[region].region.label in CLUTTER:
            return True
        region = placed[region].parent
    return False


def without_lists(placed: list[Placed], chosen: list[bool], texts: RegionTexts, options: Options) -> list[bool]:
    """The chosen regions less those that are lists of links, if enough is left."""
    is_list = (texts.linked > options.max_links * texts.size) | [item.region.label == LIST for item in placed]
    rest = np.array(chosen) & ~is_list
    is_enough = texts.size[rest].sum() >= options.min_rest * texts.size[np.array(chosen)].sum()
    return list(map(bool, rest)) if is_enough else chosen


def by_place(placed: list[Placed], width: float, texts: RegionTexts, options: Options) -> list[bool]:
    """For each region whether it is in the column of the region with the most text in the middle."""
    is_candidate = np.array([not item.region.parts and item.region.label not in CLUTTER for item in placed])
    fits = is_candidate & (texts.linked <= options.max_links * texts.size)
    central = np.array([_centrality(item.region, width) for item in placed])
    scores = np.where(fits, (texts.size - texts.linked) * central, 0.0)
    best = int(np.argmax(scores))
    if scores[best] == 0:
        return list(map(bool, is_candidate))
    least = options.min_share * scores[best]
    return [
        score > 0 and score >= least and _in_column(item.region, placed[best].region)
        for score, item in zip(scores.tolist(), placed, strict=True)
    ]


def _centrality(region: Region, width: float) -> float:
    """From 1 in the middle of the page to 0 at its edges."""
    if region.box is None or width <= 0:
        return 1.0
    middle = (region.box[0] + region.box[2]) / 2
    return max(1 - abs(middle - width / 2) / (width / 2), 0.0)


def _in_column(region: Region, best: Region) -> bool:
    """Whether the middle of a region lies above, below or in the best one."""
    if region.box is None or best.box is None:
        return True
    return best.box[0] <= (region.box[0] + region.box[2]) / 2 <= best.box[2]
