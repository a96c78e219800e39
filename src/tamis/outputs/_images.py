"""Images, video and audio of a page: their addresses, and which of them belong to the kept text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from tamis import urls
from tamis.about.players import PLAYERS
from tamis.outputs._links import home_address
from tamis.outputs._twin import kernel
from tamis.page.html import TAG_CODES, mask
from tamis.page.model import FOREIGN, INVISIBLE, NOSCRIPT, PREFORMATTED, Page
from tamis.page.text import Ints, collapse

MAX_TEXT = 500  # characters that stand for an image; longer ones are descriptions for another place

# Where pages keep the address until a script shows the image, the most usual first.
_LAZY_NAMES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-hi-res-src")
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,]|[^\s,])(?:\s+([\d.]+)[wxh])?\s*(?:,|$)")
_PLACEHOLDER = re.compile(
    r"(?:^|[/_-])(?:blank|spacer|pixel|placeholder|1x1|transparent|loading)[\w-]*\.(?:gif|png|svg)", re.IGNORECASE
)
_PLACEHOLDER_KINDS = (".gif", ".png", ".svg")  # one of which is in all that it finds
_LARGEST_PIXEL = 2  # images this wide or high count visits
_PIXEL_STYLE = re.compile(r"(?:^|[;\s])(?:width|height)\s*:\s*[0-2](?:px)?\s*(?:;|$)")
_ICON_TEXT = re.compile(r"(?:[\w-]+ ){0,2}icon", re.IGNORECASE)  # "close icon", "Facebook share icon"
_EMOJI = re.compile(r"\b(?:emoji|smil(?:ey|ies)|twemoji)\b", re.IGNORECASE)
_MEDIA = ("audio", "iframe", "img", "video")
_IMAGE_CODE = TAG_CODES["img"]
_UNSHOWN = INVISIBLE | FOREIGN | PREFORMATTED
_LONGEST_EMOJI = 16  # characters: a family of several joined signs, or ":smile:"


class Image(NamedTuple):
    """An image, or a video or audio to link to."""

    name: str  # "img", "video" or "audio"
    address: str
    text: str


def find_images(page: Page, texts: Ints, judged: Sequence[int] | None = None) -> dict[int, Image]:
    """Images that belong to the kept text nodes, by their node; where a method ``judged`` images, those it kept."""
    nodes = page.nodes
    if not nodes.has(*_MEDIA) or not len(texts):
        return {}
    columns = nodes.tag, nodes.flags, nodes.parent, nodes.end, page.flow.characters
    of_method = None if judged is None else frozenset(judged)
    chosen, doubtful = kernel.media(texts, *columns, mask(*_MEDIA), _IMAGE_CODE, _UNSHOWN, of_method)
    classes = page.attribute(np.array(doubtful, dtype=np.int64), "class") if doubtful else []
    emoji = [
        node
        for node, said in zip(doubtful, classes, strict=True)
        if said is not None and _EMOJI.search(said) and _is_emoji(page.attributes(node))
    ]
    if not chosen and not emoji:
        return {}
    home = home_address(page)
    found: dict[int, Image] = {}
    last = Image("", "", "")
    last_node = -1
    for node in sorted(chosen + emoji):
        image = _image(page, node, home)
        if image is None:
            continue
        if image.name == "emoji":
            found[node] = image
            continue
        is_twin = nodes.flags[node] & NOSCRIPT and last_node >= 0 and not nodes.flags[last_node] & NOSCRIPT
        if image.address == last.address or (is_twin and _is_right_after(page, last_node, node)):
            continue
        found[node] = last = image
        last_node = node
    return found


def _is_right_after(page: Page, first: int, second: int) -> bool:
    """Whether an image for readers without scripts stands beside the one it replaces."""
    nodes = page.nodes
    holder = int(nodes.parent[second])
    return bool(
        nodes.parent[holder] == nodes.parent[first] or nodes.parent[first] == nodes.parent[nodes.parent[holder]]
    )


def _image(page: Page, node: int, home: str) -> Image | None:
    name, attributes = page.name(node), page.attributes(node)
    if name == "img":
        if _is_emoji(attributes):
            return Image("emoji", "", attributes["alt"].strip())
        if _is_meaningless(attributes):
            return None
        address = _address(page, node, attributes, home)
        text = attributes.get("alt") or attributes.get("title") or ""
    else:
        address = _media_address(page, node, attributes, home)
        text = attributes.get("title") or attributes.get("aria-label") or _file_name(address)
        name = "audio" if name == "audio" or "soundcloud" in address or "spotify" in address else "video"
    return Image(name, address, collapse(text)[:MAX_TEXT].strip()) if address else None


def _is_emoji(attributes: Mapping[str, str]) -> bool:
    """Whether an image stands for the character that is its alternative."""
    text = attributes.get("alt", "").strip()
    return 0 < len(text) <= _LONGEST_EMOJI and not text.isalnum() and bool(_EMOJI.search(attributes.get("class", "")))


def _is_meaningless(attributes: Mapping[str, str]) -> bool:
    """Whether an image counts visits, fills space, or is a sign of the page's controls."""
    sizes = (attributes.get("width", ""), attributes.get("height", ""))
    return (
        any(size.isdecimal() and int(size[:9]) <= _LARGEST_PIXEL for size in sizes)
        or _PIXEL_STYLE.search(attributes.get("style", "")) is not None
        or attributes.get("role", "").lower() in ("none", "presentation")
        or _ICON_TEXT.fullmatch(attributes.get("alt", "").strip()) is not None
    )


def _address(page: Page, node: int, attributes: Mapping[str, str], home: str) -> str:
    """The address of an image; what a script would show goes before what stands in its place till then."""
    for key in _LAZY_NAMES:
        if key in attributes and (address := _safe(attributes[key], home)):
            return address
    for key in _LAZY_SETS:
        if key in attributes and (address := _safe(_largest(attributes[key]), home)):
            return address
    address = _safe(attributes.get("src"), home)
    if address and not _is_placeholder(address):
        return address
    if in_set := _safe(_largest(attributes.get("srcset", "")), home):
        return in_set
    above = int(page.nodes.parent[node])
    if page.name(above) == "picture":
        for source in range(above + 1, node):
            if page.name(source) == "source":
                values = page.attributes(source)
                if in_set := _safe(_largest(values.get("srcset") or values.get("data-srcset") or ""), home):
                    return in_set
    return ""


def _is_placeholder(address: str) -> bool:
    """Whether an address is that of a picture which stands where another one will be shown."""
    if address.isascii() and not any(map(address.lower().__contains__, _PLACEHOLDER_KINDS)):
        return False  # as most, which is quicker to see than that no name fits
    return _PLACEHOLDER.search(address) is not None


def _media_address(page: Page, node: int, attributes: Mapping[str, str], home: str) -> str:
    if page.name(node) == "iframe":
        address = attributes.get("src") or attributes.get("data-src") or ""
        return _safe(address, home) if PLAYERS.match(address.strip()) else ""
    if address := _safe(attributes.get("src") or attributes.get("data-src"), home):
        return address
    for below in range(node + 1, int(page.nodes.end[node])):
        if page.name(below) == "source" and (address := _safe(page.attributes(below).get("src"), home)):
            return address
    return ""


def _safe(address: str | None, home: str) -> str:
    """An address from which an image can be loaded; data in the place of an address is left out."""
    if not address or address.startswith("data:"):
        return ""
    resolved = urls.resolve(address, home, urls.WEB_SCHEMES)
    return "" if resolved == home else resolved


def _largest(candidates: str) -> str:
    """The largest image of a ``srcset``.

    >>> _largest("a.jpg 320w, b.jpg 640w"), _largest("c.jpg, d.jpg 2x")
    ('b.jpg', 'd.jpg')
    """
    best, best_size = "", -1.0
    for match in _CANDIDATE.finditer(candidates[:20_000]):
        try:
            size = float(match[2] or 1)
        except ValueError:
            continue
        if size > best_size and not match[1].startswith("data:"):
            best, best_size = match[1], size
    return best


def _file_name(address: str) -> str:
    return unquote(urls.split(address).path.rstrip("/").rpartition("/")[2])
