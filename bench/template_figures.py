"""Figures of the template methods: what each of them counts on the pages of a small site, and what it keeps of one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

import tamis
from bench.block_figures import opening_words
from bench.drawing import BLUE, GREEN, GREY, LINE, box, figure, legend, line, shortened, text
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.results import Template
from tamis.templates import (
    content_extractor,
    dom_hash,
    infodiscoverer,
    lamis,
    ne_patterns,
    page_classifier,
    pagelets,
    positions,
    slots,
    sst,
    text_windows,
)
from tamis.templates._entropy import block_entropy, block_features, block_owners
from tamis.templates._texts import digest, filled_leaves

_ADDRESS = "https://ferries.example"
_ARTICLES = (
    (
        "The night ferry returns",
        "North",
        "After three years the night ferry leaves again at ten, with a captain who learned to steer on it as a girl.",
        "Cabins must be booked early, because half of them already belong to the choir of the island.",
    ),
    (
        "A pier for the island",
        "North",
        "Oak from the old forest will carry the planks of the new pier, which is longer than anybody had asked for.",
        "Work begins in spring, when the birds that nest below the rocks have left for the open sea.",
    ),
    (
        "Fog stops all boats",
        "South",
        "Nothing could be seen beyond the breakwater on Friday, and nobody wanted to be the first to try it.",
        "Two hundred passengers slept in the hall of the customs house, where somebody had found blankets.",
    ),
    (
        "The captain retires",
        "North",
        "She steered through forty winters and two strikes, and never once lost more than a suitcase on the way.",
        "Her cap stays on the bridge, where the youngest of the crew may wear it on her birthday.",
    ),
    (
        "Tickets become cheaper",
        "North",
        "Children and dogs travel free on Sundays from now on, if somebody who has paid holds on to them.",
        "The council pays the rest out of what it takes from yachts that stay longer than a week.",
    ),
    (
        "A whale in the channel",
        "West",
        "It followed the mail boat for an hour on Monday, so close that letters were wet when they arrived.",
        "Schools came to watch from the cliffs, and a painter has sold more pictures than in a whole year.",
    ),
    (
        "New engine, less noise",
        "North",
        "Batteries take over as soon as the quay comes into sight, and people on deck can hear each other again.",
        "Only the gulls seem to mind, who used to know by the sound when the fish was about to come in.",
    ),
    (
        "Harbour café reopens",
        "North",
        "Soup is served again behind the scales, in bowls that the potter on the hill has made for it.",
        "The old baker helps in the mornings, though he had sworn never to get up before the sun again.",
    ),
)
_PAGE = """<nav><ul>
<li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/ports>Ports, islands and lighthouses</a>
</ul></nav><div id=main><dl><dt>Harbour</dt><dd>{harbour}</dd></dl>
<article><h1>{title}</h1><p>{first}</p><p>{second}</p></article></div>
<aside><h2>Read also</h2><ul>{related}</ul></aside>
<footer><p>All timetables are without warranty and may change in fog or storm. Seen {seen} times.</p></footer>"""
_LEFT = 330.0
_REACH = 240.0
_NOTES = _LEFT + _REACH + 12


class Reading(NamedTuple):
    """What a method makes of a block: a number from 0 to 1, and words about it."""

    value: float
    note: str = ""


@functools.cache
def pages() -> tuple[Page, ...]:
    """Eight articles of one site; the harbour is the same on most of them, the links below are other ones on each."""
    count = len(_ARTICLES)
    made = []
    for number, (title, harbour, first, second) in enumerate(_ARTICLES):
        others = [(number + step) % count for step in (1, 3)]
        related = "".join(f"<li><a href=/{other}>{_ARTICLES[other][0]}</a>" for other in others)
        markup = _PAGE.format(
            title=title, harbour=harbour, first=first, second=second, related=related, seen=217 + 90 * number
        )
        made.append(parse(markup, url=f"{_ADDRESS}/{number}"))
    return tuple(made)


@functools.cache
def learned(method: str) -> Template:
    return tamis.learn_template(pages(), method=method)


def kept(method: str) -> tuple[bool, ...]:
    """Which blocks of the first page the method keeps."""
    return tuple(choice.kept for choice in learned(method).extract(pages()[0]).blocks)


def _blocks(method: str, told: str, readings: Sequence[Reading], limit: float | None = None) -> str:
    """The blocks of the first page, each with its number; those that are kept in green."""
    page = pages()[0]
    top = 52.0
    parts = [legend(8, 38, [(GREEN, "kept"), (GREY, "removed")])]
    choices = zip(page.blocks, kept(method), readings, strict=True)
    for place, (block, is_kept, reading) in enumerate(choices):
        y, reach = top + place * LINE, _REACH * reading.value
        words = shortened(block.text, 44 - len(page.name(block.node)))
        parts += [
            text(8, y + 12, page.name(block.node), bold=is_kept, faint=words),
            box(_LEFT, y + 2, reach, LINE - 5, GREEN if is_kept else GREY, 0.85) if reach else "",
            text(_NOTES, y + 12, reading.note),
        ]
    bottom = top + len(readings) * LINE
    if limit is not None:
        x = _LEFT + _REACH * limit
        parts.append(line(x, top - 4, x, bottom + 2, dashed=True))
    return figure(f"{method}: {told}", parts, bottom + 8)


def _tree(
    method: str, told: str, rows: Sequence[tuple[int, str, str, str, str]], key: Sequence[tuple[str, str]]
) -> str:
    """Elements below each other, each with its depth, name, words behind it, a note, and the colour of its mark."""
    top = 52.0
    parts = [legend(8, 38, key)]
    for place, (depth, name, words, note, colour) in enumerate(rows):
        y, x = top + place * LINE, 8 + 16 * depth
        parts += [
            box(x, y + 2, 5, LINE - 5, colour) if colour else "",
            text(x + 12, y + 12, name, bold=colour == GREEN, faint=shortened(words, 46 - depth)),
            text(_LEFT + 130, y + 12, note),
        ]
    return figure(f"{method}: {told}", parts, top + len(rows) * LINE + 8)


def _owners(owners: Ints) -> list[int]:
    """For every block of the first page what its first text belongs to, from what all filled texts belong to."""
    page = pages()[0]
    first = page.blocks.leaves[page.blocks.first_leaf[:-1]]
    found: list[int] = owners[np.searchsorted(filled_leaves(page), first)].tolist()
    return found


def _of_others(count: int) -> Reading:
    others = len(pages()) - 1
    return Reading(count / others, f"{count} of {others} other pages")


def document_counts() -> str:
    page, *others = pages()
    counts = [sum(block.text in {one.text for one in other.blocks} for other in others) for block in page.blocks]
    return _blocks("document_frequency", "how many other pages have a text", list(map(_of_others, counts)), 1 / 3)


def slot_places() -> str:
    page = pages()[0]
    shares, in_slot = slots.evidence(page, learned("slots"), len(pages()) - 1, 1)
    readings = [
        Reading(share, f"{share:.0%} of the others{', in a slot' if is_slot else ''}")
        for share, is_slot in zip(shares.tolist(), in_slot.tolist(), strict=True)
    ]
    return _blocks("slots", "text that recurs goes, unless other text stands there elsewhere", readings, 1 / 3)


def site_odds() -> str:
    found = learned("site").extract(pages()[0])
    alone = tamis.extract(pages()[0])
    readings = [
        Reading(choice.score, f"{choice.score:.2f}, alone {single.score:.2f}")
        for choice, single in zip(found.blocks, alone.blocks, strict=True)
    ]
    return _blocks("site", "the probability of a block beside the other pages, and on its page alone", readings, 0.5)


def window_cover() -> str:
    page = pages()[0]
    _, starts, ends = text_windows._text(page)
    covered = text_windows._covered(page, learned("text_windows"), text_windows.Options())
    shares = [covered[start:end].mean() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    readings = [Reading(share, f"{share:.0%} covered") for share in _first(np.array(shares)).tolist()]
    window = text_windows.Options().window
    return _blocks(
        "text_windows", f"how much of a text lies in windows of {window} characters that recur", readings, 0.5
    )


def _first(
    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """For every block the value of its first filled text."""
    page = pages()[0]
    return values[np.searchsorted(filled_leaves(page), page.blocks.leaves[page.blocks.first_leaf[:-1]])]


def like_blocks() -> str:
    page, *others = pages()
    own = content_extractor._blocks(page)
    theirs = [content_extractor._blocks(other).values() for other in others]
    least = content_extractor.Options().min_cosine
    counts = {
        node: sum(any(content_extractor.cosine(frozenset(words), one) > least for one in blocks) for blocks in theirs)
        for node, words in own.items()
    }
    owners = _owners(content_extractor._owners(page, filled_leaves(page)))
    readings = [_of_others(counts[owner]) for owner in owners]
    told = f"how many other pages have a block with nearly the same words (cosine above {least:g})"
    return _blocks("content_extractor", told, readings, content_extractor.Options().max_share)


def link_pieces() -> str:
    page, options = pages()[0], pagelets.Options()
    keys = pagelets._keys(page, options)
    counts = learned("pagelets").model["pagelets"]
    owners = _owners(pagelets._owners(page, filled_leaves(page), options))
    readings = []
    for owner in owners:
        reading = _of_others(max(0, counts.get(keys[owner], 0) - 1))
        readings.append(reading._replace(note=f"{reading.note}, {_piece(page, owner)}"))
    told = f"pieces that hold {options.min_links} links or are what is left, and where they recur"
    return _blocks("pagelets", told, readings)


def _piece(page: Page, node: int) -> str:
    return f"in {page.name(node)}" if page.nodes.elements[node] else "by itself"


def word_entropy() -> str:
    return _entropies("infodiscoverer", "how evenly the words of a block are spread over the pages, in the mean")


def carriers() -> str:
    return _entropies("wisdom", "entropies as in infodiscoverer, and the blocks that carry informative ones")


def _entropies(method: str, told: str) -> str:
    page, model, names = pages()[0], learned(method).model, infodiscoverer.Options().names
    features = block_features(page, names)
    owners = _owners(block_owners(page, filled_leaves(page), names))
    values = [block_entropy(features[owner], model["entropies"]) for owner in owners]
    readings = [
        Reading(value, f"{value:.2f}, {_piece(page, owner)}") for value, owner in zip(values, owners, strict=True)
    ]
    return _blocks(method, told, readings, model["threshold"])


def style_tree() -> str:
    """The elements of the first page with their importance in the tree of the whole site."""
    page, elements = pages()[0], learned("sst").model["elements"]
    tree = sst._PageTree(page)
    rows = []
    stack = [(0, tree.root, 0)] if tree.root is not None else []
    while stack:
        number, node, depth = stack.pop()
        value, mark, styles = elements[number]
        colour = {sst._NOISY: GREY, sst._MEANINGFUL: GREEN}.get(mark, "")
        words = "" if tree.children(node) else page.node_text(node)
        rows.append((depth, page.name(node), words, f"importance {value:.2f}", colour))
        below = zip(styles.get(tree.style(node)) or [], tree.children(node), strict=False)
        stack += [(child, place, depth + 1) for child, place in reversed(list(below))]
    least = sst.Options().threshold
    key = [(GREEN, "meaningful: nothing below is noise"), (GREY, f"noise: importance below {least:g}")]
    return _tree("sst", "all pages as one tree, and how much its places change", rows, key)


def same_subtrees() -> str:
    page, model = pages()[0], learned("dom_hash").model
    names = dom_hash._hashes(page)
    marked = page.nodes.inside(dom_hash.template_nodes(page, learned("dom_hash"), dom_hash.Options()))
    rows = []
    for node in sorted(names):
        if page.nodes.elements[node] and page.name(node) not in ("html", "body"):
            count = max(0, model["counts"].get(names[node], 0) - 1)
            depth = int(page.nodes.depth[node]) - 3
            words = opening_words(page, node, 46 - depth)
            colour = GREY if marked[node] else GREEN
            rows.append((depth, page.name(node), words, f"the same on {count} other pages", colour))
    key = [(GREEN, "kept"), (GREY, "removed, with all that is in it")]
    return _tree("dom_hash", "sub-trees that other pages have, tags, attributes and texts alike", rows, key)


def wildcards() -> str:
    """The pattern that was learned; words for the texts that are fixed."""
    words = {digest(block.text): block.text for page in pages() for block in page.blocks}
    rows: list[tuple[int, str, str, str, str]] = []
    depths: list[int] = []
    for parent, label, content, is_optional, is_repeated, count, _ in learned("ne_patterns").model["pattern"]:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        sign = ne_patterns.Node(label, content, is_optional, is_repeated, count).sign()
        if label in ("#page", "html", "body"):
            continue
        shown = words.get(content or "", "any text" if content is not None else "")
        colour = "" if content is None else GREEN if sign.startswith(".") else GREY
        rows.append((depths[-1] - 3, f"{label} {sign}".strip(), shown, f"on {count} pages", colour))
    key = [(GREEN, ". any text: content"), (GREY, "a fixed text: template")]
    return _tree("ne_patterns", "the pages laid over each other: . any text, ? optional, + repeated", rows, key)


def looks() -> str:
    found = learned("page_classifier").extract(pages()[0])
    readings = [Reading(1 - choice.score, f"{1 - choice.score:.2f}") for choice in found.blocks]
    least = page_classifier.Options().min_templateness
    return _blocks("page_classifier", "how much a block looks like those that recur", readings, least)


def places() -> str:
    """Every element of the second page, and whether content of the first one stands at its place."""
    page, areas = pages()[1], learned("positions").model["areas"]
    tree = positions.PrunedTree(page)
    paths = [[positions.Step(*step) for step in area["path"]] for area in areas]
    found = {tree.locate(path) for path in paths}
    rows = []
    for node in tree.nodes.tolist():
        if page.name(node) in ("html", "body"):
            continue
        path = tree.path(node)
        depth = len(path) - 3
        colour = GREEN if node in found else ""
        note = "/".join(f"{step.position} of {step.siblings}" for step in path[2:])
        rows.append((depth, page.name(node), opening_words(page, node, 46 - depth), note, colour))
    key = [(GREEN, "content stands at this place of the first page")]
    return _tree("positions", "another page; elements by their place among their siblings", rows, key)


def link_ranks() -> str:
    """A site with two tables of contents: how good each page is at linking, and how much it is linked."""
    site_pages = contents_site()
    weighted, plain = lamis.rank(site_pages), lamis.rank(site_pages, weighted=False)
    top, width = 64.0, 150.0
    columns = (
        ("hub", weighted.hubs, GREEN),
        ("authority", weighted.authorities, BLUE),
        ("hub, not weighted", plain.hubs, GREY),
        ("authority, not weighted", plain.authorities, GREY),
    )
    parts = [text(130 + place * width, 44, name, bold=True) for place, (name, _, _) in enumerate(columns)]
    for row, page in enumerate(site_pages):
        y = top + row * LINE
        parts.append(text(122, y + 12, (page.url or "").removeprefix(_ADDRESS), anchor="end"))
        for place, (_, values, colour) in enumerate(columns):
            x, reach = 130 + place * width, float(values[row]) * (width - 50)
            parts += [box(x, y + 2, reach, LINE - 5, colour, 0.85), text(x + reach + 4, y + 12, f"{values[row]:.2f}")]
    title = "lamis: links weighted by what their words say, and the same links counted alike"
    return figure(title, parts, top + len(site_pages) * LINE + 8)


def contents_site() -> list[Page]:
    """Two tables of contents, the articles they list, and an offer to which every page links."""
    offer = "<div><a href=/offer>Our offer of the week</a></div>"
    found = []
    for number in range(2):
        listed = range(number, len(_ARTICLES), 2)
        entries = "".join(f"<li><a href=/{one}>{_ARTICLES[one][0]}</a>" for one in listed)
        found.append(parse(f"{offer}<ul>{entries}</ul>", url=f"{_ADDRESS}/contents-{number + 1}"))
    for number, (title, _, first, second) in enumerate(_ARTICLES):
        markup = f"{offer}<div><h1>{title}</h1><p>{first} {second}</p></div>"
        found.append(parse(markup, url=f"{_ADDRESS}/{number}"))
    found.append(parse("<div><p>Ten crossings for the price of eight.</p></div>", url=f"{_ADDRESS}/offer"))
    return found


FIGURES: Mapping[str, Callable[[], str]] = {
    "site": site_odds,
    "slots": slot_places,
    "document_frequency": document_counts,
    "pagelets": link_pieces,
    "infodiscoverer": word_entropy,
    "content_extractor": like_blocks,
    "sst": style_tree,
    "ne_patterns": wildcards,
    "dom_hash": same_subtrees,
    "text_windows": window_cover,
    "page_classifier": looks,
    "lamis": link_ranks,
    "wisdom": carriers,
    "positions": places,
}
