"""The smallest boxes of a page: lines of text, pictures, and what else shows by itself, each with one colour.

These are the boxes that Box Clustering Segmentation starts from (Zelený 2017, sections 6.1 and 6.1.1).
"""

from __future__ import annotations

import colorsys

import numpy as np

from tamis.page.boxes import ELEMENT, TEXT, Boxes
from tamis.page.text import Floats, Ints
from tamis.segmenters._box_nesting import Nesting

_BOLD = 600  # font weight from which browsers show bold type
_FAINT = 0.2  # saturation of white text, brightness of black text: room to be lowered; the author's programs
_DECORATED, _ITALIC, _HEAVY = 0.2, 0.2, 0.3  # from the thesis, taken as differences
_SCALE = np.array([255.0] * 6 + [10.0])  # of colour, background and strength as they are compared
_CODE = 256.0 ** np.arange(7)  # below 2 ** 53: 48 bits of colours and 4 of strength


def smallest_boxes(nesting: Nesting, *, leaf: bool = False) -> Ints:
    """Positions of the boxes that stand for everything that is seen; they may still overlap.

    A box that branches is passed over for what it holds. Below a box that holds one other which holds one other and so
    on, the smallest with a background stands for all, or, with none or if ``leaf`` is set, the text or picture at the
    end. Empty boxes show only by their background.
    """
    if not len(nesting):
        return np.zeros(0, dtype=np.int64)
    paints = nesting.boxes.paints[nesting.place]
    is_chain = nesting.totals(nesting.children > 1) == 0
    top = np.flatnonzero(is_chain & ~(is_chain[nesting.parent] & (nesting.parent >= 0)))
    last = nesting.end[top] - 1
    has_content = nesting.kind[last] != ELEMENT

    # All members of a chain follow each other. The topmost is no candidate, unless it is alone.
    chain = np.full(len(nesting), -1, dtype=np.int64)
    lengths = nesting.end[top] - top
    members = np.repeat(top - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    chain[members] = np.repeat(np.arange(len(top)), lengths)
    chain[top[lengths > 1]] = -1
    candidates = np.flatnonzero((chain >= 0) & paints)
    if leaf:
        candidates = candidates[~has_content[chain[candidates]]]
    size = nesting.rect[:, 2:] - nesting.rect[:, :2]
    order = np.lexsort((-candidates, (size[:, 0] * size[:, 1])[candidates], chain[candidates]))
    candidates = candidates[order]
    smallest = candidates[np.diff(chain[candidates], prepend=-1) > 0]

    chosen = np.where(has_content, last, -1)
    chosen[chain[smallest]] = smallest
    return chosen[chosen >= 0]


def colors(boxes: Boxes, places: Ints) -> Floats:
    """One colour from 0 to 1 for each of some boxes: of pictures the mean, of texts by their look, else what is behind.

    Look and colour of text become one: emphasis makes coloured text more saturated, grey and black text darker.
    """
    is_text = boxes.kind[places] == TEXT
    is_plain = boxes.kind[places] == ELEMENT
    found = np.where(is_plain[:, None], boxes.background[places], boxes.color[places]) / 255.0
    texts = places[is_text]
    strength = boxes.decorated[texts] * _DECORATED + boxes.italic[texts] * _ITALIC
    strength = strength + (boxes.font_weight[texts] >= _BOLD) * _HEAVY
    looks = np.concatenate((boxes.color[texts], boxes.background[texts], np.rint(strength * 10)[:, None]), axis=1)
    codes = looks @ _CODE  # few looks are on a page, and whole numbers are told apart faster than rows
    _, first, kind_of = np.unique(codes, return_index=True, return_inverse=True)
    kinds = (looks[first] / _SCALE).tolist()
    shown = [text_color(look[0:3], look[3:6], look[6]) for look in kinds]
    found[is_text] = np.array(shown).reshape(-1, 3)[kind_of]
    return found


def text_color(color: list[float], background: list[float], strength: float) -> tuple[float, float, float]:
    """Colour of a text that is emphasised by ``strength``; all numbers from 0 to 1.

    >>> text_color([0, 0, 0], [1, 1, 1], 0)
    (0.2, 0.2, 0.2)
    """
    hue, saturation, brightness = colorsys.rgb_to_hsv(*color)
    if saturation > 0:
        saturation = min(saturation + strength, 1.0)
    elif brightness == 1:
        hue, tinted, _ = colorsys.rgb_to_hsv(*background)
        saturation = max(_FAINT - strength, 0.0) if tinted > 0 else 0.0  # grey has no hue to lend
    else:
        brightness = max((brightness or _FAINT) - strength, 0.0)
    return colorsys.hsv_to_rgb(hue, saturation, brightness)
