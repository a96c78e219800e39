"""Content elements as rows of named numbers: the features of Yunis (2016), and those of others he names.

Families:

    thesis      the raw features that are numbers, and all derived ones (sections 3.8.2 and 3.8.4)
    headings    whether the element stands under a heading that announces noise (appendix A)
    song        place and size of the box, numbers of images, links and characters (Song et al. 2004)
    louvan      share of stop words, a heading nearby (Louvan 2009)
    zhou        characters that are no white space, font size, weight and style, darkness (Zhou & Mashuq 2014); without
                their line height, and without their tag paths, for which the tables have ``ancestors_names``
    tags        the elements around: nav, aside, footer and so on, which the thesis does not consult
    links       share of words in links, of the element and its neighbours; ours
    neighbours  words of the elements before and after, of the siblings and of the page, and how much of the running
                text of the page the elements around hold; ours

Places and sizes come from ``page.boxes``. A page without them has no such numbers (NaN); boxes that are estimated give
estimates, and ``is_rendered`` tells the two apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from tamis.extractors.elements.counts import ElementCounts, known
from tamis.extractors.elements.groups import Elements, subtree_depths
from tamis.extractors.elements.noise_headings import under_noise_heading
from tamis.page.html import HEADINGS
from tamis.page.model import Page
from tamis.page.text import Bools, Floats

Matrix = npt.NDArray[np.float64]

AD_PATTERNS = (
    *(r"\bad-", r"-ad\b", r"\bad_", r"_ad\b", r"\badv-", r"-adv\b"),
    *(r"\badv_", r"_adv\b", r"advert", r"\bads", r"adblock", r"adbox"),
)
"""What classes and ids of advertisements look like; table 3.1 of the thesis."""
_AD = r"ad(?:(?<=\bad)(?:[-_s]|v[-_])|(?<=[-_]ad)v?\b|vert|block|box)"  # the same in one, which is found faster
NAMES_AROUND = ("comment", "main", "footer", "wrapper", "aside")
"""What an ancestor may be called; ``nav`` and advertisements have features of their own."""
SAYINGS = {"rights_reserved": r"rights\s+reserved", "like": "like", "share": "share"}
SIBLINGS = ("p", "a", "input")
EDGE_SHARE = 0.03  # of the height of the page, at its top and bottom; from the thesis

_AROUND = {
    "nav": ("nav", "menu"),
    "header": ("header",),
    "footer": ("footer",),
    "aside": ("aside",),
    "main": ("main",),
    "article": ("article",),
    "form": ("form", "button", "select"),
    "list": ("ul", "ol", "dl"),
    "table": ("table",),
    "figure": ("figure",),
    "quote": ("blockquote",),
}
_NEAR_NODES = 12  # how far a heading may be; ours, not swept

THESIS = (
    *("doc_dom_depth", "num_siblings", "distance_to_root", "num_child_elements", "dom_subtree_depth"),
    *("normalized_top", "normalized_bottom", "is_middle", "is_leftmost", "is_rightmost", "rect_size"),
    *("is_desc_a", "is_desc_nav", "is_desc_ad", *(f"is_desc_{name}" for name in NAMES_AROUND)),
    *("inner_text_length", "child_text_length", *(f"contains_{name}" for name in SAYINGS)),
    *(*(f"is_sib_{name}" for name in SIBLINGS), "has_children", "is_link", "is_thumbnail"),
    *("is_uppermost_or_bottommost", "is_on_side", "is_rendered"),
)
FAMILIES = {
    "thesis": THESIS,
    "headings": ("under_noise_header",),
    "song": ("left", "width", "height", "num_images", "num_links", "num_characters"),
    "louvan": ("stop_word_ratio", "header_around"),
    "zhou": ("text_length", "font_size", "font_weight", "is_italic", "darkness"),
    "tags": tuple(f"in_{name}" for name in _AROUND),
    "links": ("link_density", "link_density_before", "link_density_after", "link_density_siblings"),
    "neighbours": (
        *("words_before", "words_after", "words_siblings", "words_share", "position", "page_words"),
        *("text_before", "text_after", "text_share_parent", "text_share_2", "text_share_3"),
    ),
}
RENDERED = (
    *("normalized_top", "normalized_bottom", "is_middle", "is_leftmost", "is_rightmost", "rect_size"),
    *("is_uppermost_or_bottommost", "is_on_side", "left", "width", "height"),
    *("font_size", "font_weight", "is_italic", "darkness", "is_rendered"),
)
"""Features that boxes give."""
NAMES = tuple(name for family in FAMILIES.values() for name in family)


def names_of(families: Sequence[str]) -> tuple[str, ...]:
    """The features of some families, in their order."""
    return tuple(name for family in families for name in FAMILIES[family])


def element_features(
    page: Page, elements: Elements, names: Sequence[str] = THESIS, *, exact_names: bool = False
) -> Matrix:
    """A row for each feature, with a number for each element.

    ``exact_names`` compares ``comment``, ``main`` and so on with whole classes and ids, not with parts of them.
    """
    counts = ElementCounts(page, elements, exact_names)
    rows = [np.asarray(_FEATURES[name](counts), dtype=np.float64) for name in names]
    return np.stack(rows) if rows else np.zeros((0, len(elements)))


def _said(pattern: str) -> Callable[[ElementCounts], Bools]:
    search = re.compile(pattern)

    def feature(counts: ElementCounts) -> Bools:
        nodes = counts.page.nodes
        places = np.fromiter((match.start() for match in search.finditer(counts.lowered)), dtype=np.int64)
        texts = nodes.visible_texts
        hits = np.zeros(len(nodes), dtype=np.int64)
        if len(texts):
            holder = np.searchsorted(nodes.text_start[texts], places, side="right") - 1
            is_inside = (holder >= 0) & (places < nodes.text_end[texts[holder]])
            np.add.at(hits, texts[holder[is_inside]], 1)
        return counts.of_elements(hits) > 0

    return feature


def _below_named(name: str) -> Callable[[ElementCounts], Bools]:
    def feature(counts: ElementCounts) -> Bools:
        return counts.below(rf"(?<![^\s\0]){name}(?![^\s\0])" if counts.exact_names else name)

    return feature


def _beside(name: str) -> Callable[[ElementCounts], Bools]:
    return lambda counts: counts.siblings(counts.page.nodes.named(name)) > 0


def _in(names: Sequence[str]) -> Callable[[ElementCounts], Bools]:
    return lambda counts: counts.page.nodes.inside(counts.page.nodes.named(*names))[counts.node]


def _is_link(counts: ElementCounts) -> Bools:
    nodes = counts.page.nodes
    links = np.flatnonzero(nodes.named("a") & counts.is_only_child)
    return np.isin(counts.node, counts.parent[links])


def _header_around(counts: ElementCounts) -> Bools:
    headings = np.flatnonzero(counts.page.nodes.named(*HEADINGS))
    before = np.append(-_NEAR_NODES - 1, headings)[np.searchsorted(headings, counts.node)]
    is_near: Bools = counts.node - before <= _NEAR_NODES
    return is_near


def _edge(counts: ElementCounts) -> Floats:
    _, top, _, bottom = counts.sides
    height = counts.size[1]
    return known(top, (bottom / height > 1 - EDGE_SHARE) | (top / height < EDGE_SHARE))


def _darkness(counts: ElementCounts) -> Floats:
    boxes = counts.page.boxes
    return counts.boxed(None if boxes is None else 1 - boxes.color.mean(axis=1) / 255)


def _box_field(name: str) -> Callable[[ElementCounts], Floats]:
    return lambda counts: counts.boxed(None if counts.page.boxes is None else getattr(counts.page.boxes, name))


def _constant(value: Callable[[ElementCounts], float]) -> Callable[[ElementCounts], Floats]:
    return lambda counts: np.full(len(counts.node), float(value(counts)))


_FEATURES: dict[str, Callable[[ElementCounts], npt.NDArray[np.generic]]] = {
    "doc_dom_depth": _constant(
        lambda counts: int(counts.page.nodes.depth[counts.page.nodes.elements].max(initial=1) - 1)
    ),
    "num_siblings": lambda counts: counts.siblings(counts.page.nodes.elements),
    "distance_to_root": lambda counts: counts.page.nodes.depth[counts.node] - 1,
    "num_child_elements": lambda counts: counts.children[counts.node],
    "dom_subtree_depth": lambda counts: subtree_depths(counts.page)[counts.node],
    "normalized_top": lambda counts: counts.sides[1] / counts.size[1],
    "normalized_bottom": lambda counts: counts.sides[3] / counts.size[1],
    "is_middle": lambda counts: counts.is_middle,
    "is_leftmost": lambda counts: counts.is_leftmost,
    "is_rightmost": lambda counts: counts.is_rightmost,
    "rect_size": lambda counts: counts.rect_size,
    "is_desc_a": lambda counts: counts.page.nodes.inside(counts.page.nodes.named("a"))[counts.parent[counts.node]],
    "is_desc_nav": lambda counts: counts.below("nav", part=True),
    "is_desc_ad": lambda counts: counts.below(_AD, own=True, part=True),
    **{f"is_desc_{name}": _below_named(name) for name in NAMES_AROUND},
    "inner_text_length": lambda counts: counts.words,
    "child_text_length": lambda counts: np.bincount(
        counts.parent, weights=counts.page.flow.words, minlength=len(counts.page.nodes)
    )[counts.node],
    **{f"contains_{name}": _said(pattern) for name, pattern in SAYINGS.items()},
    **{f"is_sib_{name}": _beside(name) for name in SIBLINGS},
    "has_children": lambda counts: counts.children[counts.node] > 0,
    "is_link": _is_link,
    "is_thumbnail": lambda counts: (
        counts.is_only_child[counts.node] & counts.page.nodes.named("a")[counts.parent[counts.node]]
    ),
    "is_uppermost_or_bottommost": _edge,
    "is_on_side": lambda counts: np.maximum(counts.is_leftmost, counts.is_rightmost),
    "is_rendered": _constant(lambda counts: counts.page.boxes is not None and not counts.page.boxes.estimated),
    "under_noise_header": lambda counts: under_noise_heading(counts.page)[counts.node],
    "left": lambda counts: counts.sides[0] / counts.size[0],
    "width": lambda counts: (counts.sides[2] - counts.sides[0]) / counts.size[0],
    "height": lambda counts: (counts.sides[3] - counts.sides[1]) / counts.size[1],
    "num_images": lambda counts: counts.held(counts.page.nodes.named("img")),
    "num_links": lambda counts: counts.held(counts.page.nodes.named("a")),
    "num_characters": lambda counts: (
        counts.page.nodes.text_end[counts.node] - counts.page.nodes.text_start[counts.node]
    ),
    "stop_word_ratio": lambda counts: counts.stop_words,
    "header_around": _header_around,
    "text_length": lambda counts: counts.of_elements(counts.page.flow.characters),
    "font_size": _box_field("font_size"),
    "font_weight": _box_field("font_weight"),
    "is_italic": _box_field("italic"),
    "darkness": _darkness,
    **{f"in_{name}": _in(names) for name, names in _AROUND.items()},
    "link_density": lambda counts: counts.link_density,
    "link_density_before": lambda counts: counts.shifted(counts.link_density, -1),
    "link_density_after": lambda counts: counts.shifted(counts.link_density, 1),
    "link_density_siblings": lambda counts: (
        counts.sibling_words(counts.link_words) / np.maximum(counts.sibling_words(counts.words), 1)
    ),
    "words_before": lambda counts: counts.shifted(counts.words.astype(np.float64), -1),
    "words_after": lambda counts: counts.shifted(counts.words.astype(np.float64), 1),
    "words_siblings": lambda counts: counts.sibling_words(counts.words),
    "words_share": lambda counts: counts.sibling_words(counts.words) / max(int(counts.page.flow.words.sum()), 1),
    "position": lambda counts: np.arange(len(counts.node)) / max(len(counts.node), 1),
    "text_before": lambda counts: counts.near_text(-1),
    "text_after": lambda counts: counts.near_text(1),
    "text_share_parent": lambda counts: counts.text_share(1),
    "text_share_2": lambda counts: counts.text_share(2),
    "text_share_3": lambda counts: counts.text_share(3),
    "page_words": _constant(lambda counts: int(counts.page.flow.words.sum())),
}
