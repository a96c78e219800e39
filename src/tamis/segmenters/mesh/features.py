"""What is said of each candidate region: one row of numbers per feature, in the order of ``NAMES``.

Lengths are shares of the page or of the region around, so that a wider window changes little. Features of the region
around are repeated, because what a region is depends on where it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page.boxes import Boxes
from tamis.page.html import HEADINGS, mask
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.segmenters.mesh.candidates import Candidates, VisiblePieces
from tamis.segmenters.mesh.naming import KINDS, naming, says_copyright

_TAGS: dict[str, tuple[str, ...]] = {
    "body": ("body", "html"),
    "table": ("table", "tbody", "thead", "tfoot"),
    "row": ("tr",),
    "cell": ("td", "th"),
    "list": ("ul", "ol", "dl", "menu", "dir"),
    "item": ("li", "dt", "dd"),
    "paragraph": ("p", "pre", "blockquote"),
    "heading": HEADINGS,
    "form": ("form", "fieldset"),
    "link": ("a",),
    "division": ("div",),
    "section": ("section", "article", "main"),
    "navigation": ("nav",),
    "header": ("header", "hgroup"),
    "footer": ("footer",),
    "aside": ("aside",),
    "inline": ("span", "b", "strong", "font", "i", "em", "center"),
}
_AROUND = (
    "log_characters", "character_share", "link_share", "area_share", "width", "height_share", "left", "top_share",
    "children", "pieces", "largest_child", "same_children", "words_here", "beside_children",
)  # fmt: skip
_FURTHER_AROUND = ("character_share", "area_share", "children", "width")
_COUNTED = {
    "headings": HEADINGS,
    "top_headings": ("h1",),
    "controls": ("input", "select", "textarea", "button"),
    "items": ("li",),
    "paragraphs": ("p",),
    "rows": ("tr",),
    "links": ("a",),
}
NAMES: tuple[str, ...] = (
    "log_characters", "character_share", "characters_before", "characters_after", "link_share", "words_per_piece",
    "longest_piece", "pieces", "piece_share", "pictures", "picture_share", "font_size", "relative_font",
    "largest_font", "bold_share",
    "picture_area", "area_share", "width", "log_width", "log_height", "height_share", "aspect", "left", "right",
    "middle", "top", "top_share", "bottom", "bottom_share", "lower_edge",
    "depth", "children", "siblings", "order", "height_of_tree",
    "largest_child", "largest_child_area", "effective_children", "long_children", "text_children",
    "same_siblings", "same_share", "same_children", "same_children_share",
    "gap_before", "gap_after", "widest_gap", "tightest_gap", "beside_before", "beside_after", "beside_children",
    "paints", "ground_step", "ground_light", "ground_steps_below", "painted_children",
    *(f"is_{name}" for name in _TAGS), "is_text", "wrappers",
    *_COUNTED, *(f"{name}_per_piece" for name in _COUNTED),
    *(f"{where}_{kind}" for kind in KINDS for where in ("called", "inside", "holds")), "words_here",
    "copyright", "estimated",
    *(f"around_{name}" for name in _AROUND), *(f"around_around_{name}" for name in _FURTHER_AROUND),
    "of_characters", "of_area", "of_width", "of_height",
)  # fmt: skip

_FAR = 1e4  # pixels: what is further down is equally far
_LONG = 200  # characters of a text that is no label


def region_features(
    page: Page, pieces: VisiblePieces, candidates: Candidates, boxes: Boxes, rect: Floats
) -> npt.NDArray[np.float32]:
    """A row for each feature, a column for each candidate; ``rect`` is what ``candidate_rects`` says."""
    values = _text(pieces, candidates) | _place(pieces, candidates, boxes, rect)
    values |= _tree(candidates)
    values |= _children(candidates, values["log_characters"], rect)
    values |= _likeness(candidates, _looks(page, candidates))
    values |= _gaps(candidates, rect)
    values |= _paint(page, candidates, boxes)
    values |= _markup(page, candidates)
    values |= naming(page, candidates)
    values["copyright"] = _totals(candidates, says_copyright(page, pieces))
    values["estimated"] = np.full(len(candidates), float(boxes.estimated))
    values |= _around(candidates, values, rect)
    return np.stack([np.asarray(values[name], dtype=np.float32) for name in NAMES])


def _totals(candidates: Candidates, of_piece: npt.NDArray[Any]) -> Floats:
    sums = np.concatenate(([0.0], np.cumsum(of_piece, dtype=np.float64)))
    return np.asarray(sums[candidates.last] - sums[candidates.first])


def _share(part: Floats, whole: Floats | float) -> Floats:
    return np.asarray(part / np.maximum(whole, 1e-9))


def _text(pieces: VisiblePieces, candidates: Candidates) -> dict[str, Floats]:
    characters = _totals(candidates, pieces.characters)
    everything = max(float(pieces.characters.sum()), 1.0)
    before = np.concatenate(([0.0], np.cumsum(pieces.characters)))[candidates.first] / everything
    count = (candidates.last - candidates.first).astype(np.float64)
    pictures = _totals(candidates, pieces.is_picture)
    size = _share(_totals(candidates, pieces.font_size * pieces.characters), characters)
    usual = max(float(size[0]), 1.0)
    return {
        "log_characters": np.log1p(characters),
        "character_share": characters / everything,
        "characters_before": before,
        "characters_after": 1 - before - characters / everything,
        "link_share": _share(_totals(candidates, pieces.link_characters), characters),
        "words_per_piece": _share(_totals(candidates, pieces.words), np.maximum(count - pictures, 1.0)),
        "longest_piece": _largest(candidates, pieces.characters.astype(np.float64)),
        "pieces": np.log1p(count),
        "piece_share": count / len(pieces),
        "pictures": np.log1p(pictures),
        "picture_share": pictures / count,
        "font_size": size,
        "relative_font": size / usual,
        "largest_font": _largest(candidates, pieces.font_size) / usual,
        "bold_share": _share(_totals(candidates, pieces.is_bold * pieces.characters), characters),
    }


def _place(pieces: VisiblePieces, candidates: Candidates, boxes: Boxes, rect: Floats) -> dict[str, Floats]:
    left, top, right, bottom = rect.T
    width, height = right - left, bottom - top
    # The page ends where the last piece does, not where an empty box does.
    page_width, page_height = max(boxes.width, 1.0), max(float(height[0]), 1.0)
    sizes = pieces.rect[:, 2:] - pieces.rect[:, :2]
    picture_area = _totals(candidates, sizes[:, 0] * sizes[:, 1] * pieces.is_picture)
    return {
        "picture_area": _share(picture_area, width * height),
        "area_share": _share(width * height, float(width[0] * height[0])),
        "width": width / page_width,
        "log_width": np.log1p(width),
        "log_height": np.log1p(height),
        "height_share": height / page_height,
        "aspect": np.log(np.maximum(width, 1) / np.maximum(height, 1)),
        "left": left / page_width,
        "right": 1 - right / page_width,
        "middle": np.abs(left + right - page_width) / page_width,
        "top": np.minimum(top, _FAR),
        "top_share": (top - top[0]) / page_height,
        "bottom": np.minimum(bottom[0] - bottom, _FAR),
        "bottom_share": (bottom[0] - bottom) / page_height,
        "lower_edge": np.minimum(bottom, _FAR),
    }


def _around(candidates: Candidates, values: dict[str, Floats], rect: Floats) -> dict[str, Floats]:
    """Some of the values of the candidate around, and the share of it that a candidate takes."""
    parent, size = candidates.parent, rect[:, 2:] - rect[:, :2]
    around = {f"around_{name}": values[name][parent] for name in _AROUND}
    around |= {f"around_around_{name}": values[name][parent[parent]] for name in _FURTHER_AROUND}
    characters, area = np.expm1(values["log_characters"]), size[:, 0] * size[:, 1]
    around["of_characters"] = _share(characters, characters[parent])
    around["of_area"] = _share(area, area[parent])
    around["of_width"], around["of_height"] = _share(size[:, 0], size[parent, 0]), _share(size[:, 1], size[parent, 1])
    return around


def _largest(candidates: Candidates, of_piece: Floats) -> Floats:
    largest = np.zeros(len(candidates))
    single = np.flatnonzero(candidates.last - candidates.first == 1)
    largest[single] = of_piece[candidates.first[single]]
    for level in reversed(candidates.levels[1:]):
        np.maximum.at(largest, candidates.parent[level], largest[level])
    return largest


def _tree(candidates: Candidates) -> dict[str, Floats]:
    height = np.zeros(len(candidates))
    for level in reversed(candidates.levels[1:]):
        np.maximum.at(height, candidates.parent[level], height[level] + 1)
    children = np.minimum(candidates.children, 100).astype(np.float64)
    return {
        "depth": candidates.depth.astype(np.float64),
        "children": children,
        "siblings": children[candidates.parent],
        "order": _order(candidates),
        "height_of_tree": height,
    }


def _order(candidates: Candidates) -> Floats:
    """Where a candidate stands among its siblings, from 0 to 1."""
    order = np.zeros(len(candidates))
    by_parent = np.argsort(candidates.parent[1:], kind="stable") + 1
    siblings = candidates.parent[by_parent]
    begins = np.flatnonzero(np.append(True, siblings[1:] != siblings[:-1])[: len(siblings)])
    counts = np.diff(np.append(begins, len(siblings)))
    order[by_parent] = np.arange(len(siblings)) - np.repeat(begins, counts)
    return order / np.maximum(candidates.children[candidates.parent] - 1, 1)


def _children(candidates: Candidates, log_characters: Floats, rect: Floats) -> dict[str, Floats]:
    parent, count = candidates.parent[1:], len(candidates)
    characters = np.expm1(log_characters)
    size = rect[:, 2:] - rect[:, :2]
    area = size[:, 0] * size[:, 1]
    largest, largest_area = np.zeros(count), np.zeros(count)
    np.maximum.at(largest, parent, characters[1:])
    np.maximum.at(largest_area, parent, area[1:])
    squares = np.bincount(parent, characters[1:] ** 2, count)
    return {
        "largest_child": largest / np.maximum(characters, 1),
        "largest_child_area": largest_area / np.maximum(area, 1),
        "effective_children": characters**2 / np.maximum(squares, 1),
        "long_children": np.bincount(parent, characters[1:] > _LONG, count).astype(np.float64),
        "text_children": np.bincount(parent, characters[1:] > 0, count).astype(np.float64),
    }


def _looks(page: Page, candidates: Candidates) -> Ints:
    """A number for the tag and classes of a candidate; equal looks, equal number."""
    tags = page.nodes.tag[candidates.outer].tolist()
    elements = page.nodes.elements[candidates.outer].tolist()
    called = iter(page.names(candidates.outer[page.nodes.elements[candidates.outer]]))
    numbers: dict[tuple[int, str], int] = {}
    looks = [
        numbers.setdefault((tag, next(called).partition("#")[0].rstrip() if element else ""), len(numbers))
        for tag, element in zip(tags, elements, strict=True)
    ]
    return np.array(looks, dtype=np.int64)


def _likeness(candidates: Candidates, looks: Ints) -> dict[str, Floats]:
    """How many siblings, and how many of the children, look the same."""
    size = len(candidates)
    of_parent = candidates.parent * (int(looks.max()) + 1) + looks
    _, group, count = np.unique(of_parent, return_inverse=True, return_counts=True)
    same = count[group.reshape(-1)].astype(np.float64)
    same[0] = 1
    most = np.zeros(size)
    np.maximum.at(most, candidates.parent[1:], same[1:])
    return {
        "same_siblings": np.minimum(same, 50),
        "same_share": same / np.maximum(candidates.children[candidates.parent], 1),
        "same_children": np.minimum(most, 50),
        "same_children_share": most / np.maximum(candidates.children, 1),
    }


def _gaps(candidates: Candidates, rect: Floats) -> dict[str, Floats]:
    """Distances to the sibling before and after, and between the children; which stand beside each other."""
    size = len(candidates)
    by_parent = np.argsort(candidates.parent[1:], kind="stable") + 1
    before, after = by_parent[:-1], by_parent[1:]
    siblings = candidates.parent[before] == candidates.parent[after]
    before, after = before[siblings], after[siblings]
    gap = rect[after, 1] - rect[before, 3]
    beside = (np.minimum(rect[after, 3], rect[before, 3]) - np.maximum(rect[after, 1], rect[before, 1])) > 0.5 * (
        np.minimum(rect[after, 3] - rect[after, 1], rect[before, 3] - rect[before, 1])
    )
    gap = np.clip(np.where(beside, 0.0, gap), -50, 300)
    gap_before, gap_after = np.full(size, -1.0), np.full(size, -1.0)
    gap_before[after], gap_after[before] = gap, gap
    widest, tightest = np.zeros(size), np.full(size, 300.0)
    np.maximum.at(widest, candidates.parent[after], gap)
    np.minimum.at(tightest, candidates.parent[after], gap)
    beside_before, beside_after = np.zeros(size), np.zeros(size)
    beside_before[after], beside_after[before] = beside, beside
    beside_children = np.bincount(candidates.parent[after], beside, size) / np.maximum(candidates.children - 1, 1)
    return {
        "gap_before": gap_before,
        "gap_after": gap_after,
        "widest_gap": widest,
        "tightest_gap": tightest,
        "beside_before": beside_before,
        "beside_after": beside_after,
        "beside_children": beside_children,
    }


def _paint(page: Page, candidates: Candidates, boxes: Boxes) -> dict[str, Floats]:
    """Whether a candidate has a ground of its own, and how far its colour is from those around and below."""
    size = len(candidates)
    place = boxes.of_nodes(len(page.nodes))
    ours = np.flatnonzero(candidates.of_node >= 0)
    ours = ours[place[ours] >= 0]
    paints = np.zeros(size)
    np.maximum.at(paints, candidates.of_node[ours], boxes.paints[place[ours]].astype(np.float64))
    inner = place[candidates.inner]
    color = np.full((size, 3), 255.0)
    color[inner >= 0] = boxes.background[inner[inner >= 0]]
    step = np.abs(color - color[candidates.parent]).max(axis=1)
    below = np.zeros(size)
    np.maximum.at(below, candidates.parent, step)
    painted_children = np.bincount(candidates.parent[1:], paints[1:], size)
    return {
        "paints": paints,
        "ground_step": step,
        "ground_light": color.mean(axis=1),
        "ground_steps_below": below,
        "painted_children": np.minimum(painted_children, 20),
    }


def _markup(page: Page, candidates: Candidates) -> dict[str, Floats]:
    """Names of the elements a candidate stands for, and what is below it."""
    nodes, count = page.nodes, len(candidates)
    ours = np.flatnonzero(candidates.of_node >= 0)
    group = candidates.of_node[ours]
    values = {
        f"is_{name}": (np.bincount(group, mask(*tags)[nodes.tag[ours]], count) > 0).astype(np.float64)
        for name, tags in _TAGS.items()
    }
    for name, tags in _COUNTED.items():
        found = np.concatenate(([0], np.cumsum(nodes.named(*tags))))
        number = (found[nodes.end[candidates.outer]] - found[candidates.outer]).astype(np.float64)
        values[name] = np.log1p(number)
        values[f"{name}_per_piece"] = np.minimum(number / (candidates.last - candidates.first), 5.0)
    values["is_text"] = (~nodes.elements[candidates.outer]).astype(np.float64)
    values["wrappers"] = np.minimum(np.bincount(group, minlength=count), 20).astype(np.float64)
    return values
