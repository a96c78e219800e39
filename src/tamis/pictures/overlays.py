"""Pictures of segmentations: the regions drawn over what the page looks like, as SVG and as one sheet of many methods.

Over a screenshot when there is one, else over a sketch of the page made from its boxes.
"""

from __future__ import annotations

import base64
import struct
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from tamis.page.boxes import IMAGE, TEXT, Boxes
from tamis.pictures.frame import html_page
from tamis.pictures.plots import ink_on, palette
from tamis.regions import Placed, walk
from tamis.results import Region, Segmentation

GREY = "#666666"
_COLOUR_OF = {
    "header": "#0072b2", "logo": "#5aa9d6", "title": "#00466e", "navigation": "#56b4e9", "search": "#7fd4e8",
    "main": "#009e73", "article": "#00714f", "author": "#6cc24a", "table": "#8fa31e", "list": "#e69f00",
    "aside": "#cc79a7", "comments": "#8f4a8b", "ad": "#d55e00", "image": "#8c6d46", "video": "#b08d57",
    "footer": "#505a66", "loose": "#9a9a9a",
}  # fmt: skip
"""Each label has a colour of its own, those that mean alike are near; other labels are grey, and regions without a
label take colours of which no two are alike."""
_HEAD = 64  # pixels above the page, for title and legend
_FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"
_MAX_CAPTIONS = 400  # more would hide the page
_CHARACTER = 0.58  # mean width of a letter in font sizes


class _Drawn(NamedTuple):
    """One region as it is drawn."""

    box: tuple[float, float, float, float]
    colour: str
    caption: str
    told: str  # what is shown when one points at it
    is_leaf: bool
    depth: int


def to_svg(segmentation: Segmentation, screenshot: bytes | None = None, title: str = "") -> str:
    """The regions of a page over its screenshot (PNG), with captions and a legend; needs nothing else to be shown."""
    width, height = _size(segmentation, screenshot)
    drawn = _drawn(segmentation, width, height)
    picture = _image(screenshot) if screenshot else _sketch(segmentation.page.boxes)
    head = _head(segmentation, drawn, title, width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + _HEAD}" width="{width}" '
        f'height="{height + _HEAD}" {_FONT}>'
        f"<title>{escape(_heading(segmentation, title))}</title>"
        f'<rect width="{width}" height="{height + _HEAD}" fill="#fff"/>{head}'
        f'<svg y="{_HEAD}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{picture}'
        f'<rect width="{width}" height="{height}" fill="#fff" fill-opacity=".22"/>'
        f"{_outlines(drawn)}{_captions(drawn, width, height, 13)}</svg>"
        f'<path d="M0 {_HEAD - 0.5}H{width}" stroke="#0002"/></svg>\n'
    )


def to_sheet(segmentations: Sequence[Segmentation], screenshot: bytes | None = None, title: str = "") -> str:
    """One HTML page with the same page divided by several methods, side by side; a click enlarges one of them.

    A single one takes the whole width.
    """
    is_one = len(segmentations) == 1
    # Side by side the pictures are small, and their captions larger in proportion.
    cards = "".join(_card(segmentation, screenshot, 13 if is_one else 22) for segmentation in segmentations)
    # Not by a variable of the style sheet: Chromium leaves a picture of some megabytes out then.
    shot = f'url("data:image/png;base64,{base64.b64encode(screenshot).decode()}")' if screenshot else "none"
    labels = Counter(item.region.label for one in segmentations for item in walk(one.root)[1:] if item.region.label)
    legend = "".join(
        f'<li><i style="background:{_COLOUR_OF[label]}"></i>{label}</li>' for label in _COLOUR_OF if label in labels
    )
    body = [f"<ul>{legend}</ul>", f"<main{' class=one' * is_one}>{cards}</main>"]
    return html_page(title or "Segmentations", body, _STYLE.format(shot=shot))


def _card(segmentation: Segmentation, screenshot: bytes | None, caption_size: float) -> str:
    width, height = _size(segmentation, screenshot)
    drawn = _drawn(segmentation, width, height)
    name = escape(segmentation.made.method or "regions")
    picture = "" if screenshot else _sketch(segmentation.page.boxes)
    return (
        f'<figure id="{name}"><figcaption><a href="#{name}">{name}</a> <span>{_counted(drawn)}</span> '
        f'<a class="back" href="#all">all methods</a></figcaption><a class="page" href="#{name}">'
        f'<svg viewBox="0 0 {width} {height}" {_FONT} role="img" aria-label="{name}: {_counted(drawn)}">{picture}'
        f'<rect width="{width}" height="{height}" fill="#fff" fill-opacity=".22"/>'
        f"{_outlines(drawn)}{_captions(drawn, width, height, caption_size)}</svg></a></figure>"
    )


def _size(segmentation: Segmentation, screenshot: bytes | None) -> tuple[int, int]:
    """Of the picture in pixels; a PNG says it in its first bytes."""
    if screenshot:
        width, height = struct.unpack(">II", screenshot[16:24])
        return int(width), int(height)
    boxes = segmentation.page.boxes
    return (1, 1) if boxes is None else (max(round(boxes.width), 1), max(round(boxes.height), 1))


def _drawn(segmentation: Segmentation, width: int, height: int) -> list[_Drawn]:
    """The regions that have a place in the picture, outer ones first; outlines around others keep a distance."""
    placed = walk(segmentation.root)
    gaps = _gaps(placed)
    drawn: list[_Drawn] = []
    colours = iter(palette(sum(not item.region.label for item in placed)))
    for number, (region, _, depth) in enumerate(placed):
        if number == 0 or region.box is None:
            continue
        left, top, right, bottom = region.box
        gap = 4.0 * gaps[number]
        box = max(left - gap, 1.0), max(top - gap, 1.0), min(right + gap, width - 1.0), min(bottom + gap, height - 1.0)
        if box[2] <= box[0] or box[3] <= box[1]:
            continue
        colour = _COLOUR_OF.get(region.label, GREY) if region.label else next(colours)
        caption = region.label or str(len(drawn) + 1)
        drawn.append(_Drawn(box, colour, caption, _told(region, caption), not region.parts, depth))
    return drawn


def _gaps(placed: Sequence[Placed]) -> list[int]:
    """How many outlines lie within each region, one around the other; three at most keep a distance."""
    gaps = [0] * len(placed)
    for number in reversed(range(1, len(placed))):
        parent = placed[number].parent
        gaps[parent] = max(gaps[parent], min(gaps[number] + 1, 3))
    return gaps


def _told(region: Region, caption: str) -> str:
    score = "" if region.score is None else f" {region.score:.2f}"
    parts = f", {len(region.parts)} parts" if region.parts else ""
    return f"{caption}{score}{parts}"


def _outlines(drawn: Sequence[_Drawn]) -> str:
    return "".join(
        f'<rect x="{item.box[0]:.1f}" y="{item.box[1]:.1f}" width="{item.box[2] - item.box[0]:.1f}" '
        f'height="{item.box[3] - item.box[1]:.1f}" rx="{3 if item.is_leaf else 6}" stroke="{item.colour}" '
        + (
            f'fill="{item.colour}" fill-opacity=".13" stroke-width="2"'
            if item.is_leaf
            else f'fill="{item.colour}" fill-opacity=".04" stroke-width="2.5" stroke-dasharray="9 5"'
        )
        + f"><title>{escape(item.told)}</title></rect>"
        for item in drawn
    )


def _captions(drawn: Sequence[_Drawn], width: int, height: int, size: float) -> str:
    """Names on chips at a corner of each region; one that would cover another, or more than its region, is left out."""
    taken = np.zeros((0, 4))
    chips = []
    # Outer regions first: their names matter more.
    for item in sorted(drawn, key=lambda item: (item.depth, item.box[1], item.box[0]))[:_MAX_CAPTIONS]:
        wide, high = len(item.caption) * size * _CHARACTER + size, size * 1.45
        for left, top in _corners(item, wide, high):
            chip = np.array([left, top, left + wide, top + high])
            is_inside = left >= 0 and top >= 0 and chip[2] <= width and chip[3] <= height
            if is_inside and not ((taken[:, :2] < chip[2:]) & (taken[:, 2:] > chip[:2])).all(axis=1).any():
                taken = np.vstack([taken, chip])
                chips.append(_chip(item, left, top, wide, high, size))
                break
    return "".join(chips)


def _corners(item: _Drawn, wide: float, high: float) -> list[tuple[float, float]]:
    """Where the chip of a region may stand, best first: on the line around parts, in a corner, or beside it."""
    left, top, right, bottom = item.box
    if not item.is_leaf:
        return [(left + 10, top - high / 2), (right - wide - 10, top - high / 2), (left + 10, bottom - high / 2)]
    if right - left < 2 * wide or bottom - top < 2 * high:
        beside = (top + bottom - high) / 2
        return [(right + 3, beside), (left - wide - 3, beside), (right - wide, top - high), (right - wide, bottom)]
    # The last line of a paragraph is the one that seldom reaches the end.
    return [(right - wide, bottom - high), (right - wide, top), (left, bottom - high), (left, top)]


def _chip(item: _Drawn, left: float, top: float, wide: float, high: float, size: float) -> str:
    weight = 500 if item.is_leaf else 700
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="{high / 3.5:.1f}" '
        f'fill="{item.colour}"/><text x="{left + wide / 2:.1f}" y="{top + high * 0.72:.1f}" text-anchor="middle" '
        f'font-size="{size:g}" font-weight="{weight}" fill="{ink_on(item.colour)}">{escape(item.caption)}</text>'
    )


def _head(segmentation: Segmentation, drawn: Sequence[_Drawn], title: str, width: int) -> str:
    """The method, the page, and what the colours mean."""
    counts = Counter(item.caption for item in drawn if not item.caption.isdigit())
    colours = {item.caption: item.colour for item in drawn}
    x, parts = 16.0, []
    for label in sorted(
        counts, key=lambda label: (list(_COLOUR_OF).index(label) if label in _COLOUR_OF else 99, label)
    ):
        text = f"{label} {counts[label]}"
        step = len(text) * 12 * _CHARACTER + 34
        if x + step > width:
            break
        parts.append(
            f'<rect x="{x:.1f}" y="40" width="12" height="12" rx="3" fill="{colours[label]}"/>'
            f'<text x="{x + 18:.1f}" y="50.5" font-size="12" fill="#333">{escape(text)}</text>'
        )
        x += step
    legend = "".join(parts) or f'<text x="16" y="50.5" font-size="12" fill="#666">{_counted(drawn)}</text>'
    return (
        f'<text x="16" y="26" font-size="17" font-weight="700" fill="#111">{escape(segmentation.made.method)}'
        f'<tspan dx="12" font-size="13" font-weight="400" fill="#666">'
        f"{escape(_shortened(title, int(width / 9)))}</tspan></text>{legend}"
    )


def _heading(segmentation: Segmentation, title: str) -> str:
    return " – ".join(filter(None, (segmentation.made.method, title))) or "Regions"


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: max(length - 1, 0)] + "…"


def _counted(drawn: Sequence[_Drawn]) -> str:
    leaves = sum(item.is_leaf for item in drawn)
    outer = len(drawn) - leaves
    around = f" in {outer} larger one{'s' * (outer != 1)}" if outer else ""
    return f"{leaves} region{'s' * (leaves != 1)}{around}"


def _image(screenshot: bytes) -> str:
    data = base64.b64encode(screenshot).decode()
    return f'<image width="100%" height="100%" href="data:image/png;base64,{data}"/>'


def _sketch(boxes: Boxes | None) -> str:
    """Lines of text as bars, images as plain rectangles."""
    if boxes is None:
        return ""
    parts = []
    for kind, rect in zip(boxes.kind[boxes.visible].tolist(), boxes.rect[boxes.visible].tolist(), strict=True):
        left, top, right, bottom = rect
        if kind == TEXT:
            bar = (bottom - top) * 0.5
            parts.append(f"M{left:.0f} {top + bar / 2:.0f}h{right - left:.0f}v{bar:.0f}H{left:.0f}z")
        elif kind == IMAGE:
            parts.append(f"M{left:.0f} {top:.0f}h{right - left:.0f}v{bottom - top:.0f}H{left:.0f}z")
    return f'<path d="{"".join(parts)}" fill="#d9dde3"/>'


_STYLE = """\
:root {{ color-scheme: light; background: #f3f4f6; color: #16181d; }}
body {{ padding: 2rem clamp(1rem, 3vw, 3rem); margin: 0 auto; max-width: 120rem; }}
h1 {{ font-size: 1.35rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }}
ul {{ list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 0 0 1.4rem; padding: 0; }}
ul {{ color: #444; }}
li i {{ display: inline-block; width: .8em; height: .8em; border-radius: .2em; margin-right: .4em; }}
main.one {{ grid-template-columns: minmax(0, 85rem); justify-content: center; }}
main.one .page {{ cursor: default; }}
main {{ display: grid; gap: 1.6rem; align-items: start; }}
main {{ grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); }}
figure {{ margin: 0; background: #fff; border-radius: .7rem; overflow: hidden; box-shadow: 0 1px 3px #0003; }}
figcaption {{ padding: .7rem 1rem; display: flex; gap: .8rem; align-items: baseline; border-bottom: 1px solid #0001; }}
figcaption a {{ font-weight: 700; color: inherit; text-decoration: none; }}
figcaption span {{ color: #666; font-size: .85rem; }}
figcaption .back {{ display: none; margin-left: auto; font-weight: 400; color: #0072b2; }}
.page {{ display: block; background: #fff {shot} 0 0 / 100% auto no-repeat; cursor: zoom-in; }}
.page svg {{ display: block; width: 100%; height: auto; }}
figure:target {{ grid-column: 1 / -1; order: -1; }}
figure:target .back {{ display: inline; }}
figure:target .page {{ cursor: default; }}"""
