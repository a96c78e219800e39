"""Blocks as rows of named numbers: what the literature found telling, counted once and without a second pass.

Families, in the order of the columns:

    block      the block itself: words, links, punctuation, tag, flags, place
    paths      what its containers are called, by a learned table of class, id, role and tag names
    ranges     the containers around it and its neighbours: each a range of blocks, so that all of their sums are
               differences of prefix sums (link density, text density, share of the page's running text ...)
    candidate  the container a reader mode would choose (after Arc90's Readability), and where the block lies to it
    window     the stretch with the most words and the fewest tags (after Finn et al., BTE)
    groups     blocks and containers that look alike: cards, posts, menu entries
    page       the page as a whole, and what it says about itself

None of them knows a language: there are no word lists but those of class names.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.extractors.sieve.containers import LEVELS, Containers
from tamis.extractors.sieve.features.counts import HEADINGS, ITEMS, TEXT_LINK_DENSITY, Counts
from tamis.extractors.sieve.features.sayings import SAYINGS, sayings
from tamis.extractors.sieve.features.text_matches import text_matches
from tamis.page.html import mask
from tamis.page.model import FORM_TEXT, HIDDEN, LINK, NOSCRIPT, PREFORMATTED, Page
from tamis.page.names import joined, parts_of_words
from tamis.page.text import Bools, Floats, Ints

Matrix = npt.NDArray[np.float32]

_KINDS = {
    "paragraph": ("p",),
    "heading": HEADINGS,
    "item": ITEMS,
    "cell": ("td", "th", "caption"),
    "plain": ("div", "section", "article", "main", "body", "center", "font"),
    "code": ("pre", "listing", "xmp", "textarea"),
    "quote": ("blockquote", "figcaption", "address", "summary"),
    "control": ("button", "label", "legend", "option", "select", "form", "fieldset"),
}
_AROUND = {
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
_BITS = 10  # of a counter in a packed sum: nesting is at most 512 deep
_PER_SUM = 6
_NEAR = (1, 4, 12)  # blocks before and after

BLOCK = (
    *("words", "link_density", "word_length", "ends", "commas", "digits", "capitals", "tags"),
    *(f"is_{kind}" for kind in _KINDS),
    *("heading_level", "hidden", "noscript", "form_text", "preformatted", "in_link"),
    *("position", "words_before", "depth", "duplicates", "title_match", "heading_match", "after_heading", "to_heading"),
    "after_title",
    *(f"in_{kind}" for kind in _AROUND),
)
PATHS = (
    *("own_name", "leaf_name", "parent_name", "grandparent_name"),
    *("path_name", "worst_name", "best_name", "whole_name"),
)
_RATIOS = ("share", "links", "length", "density", "text", "total")
RANGES = (
    *(f"level{level}_{ratio}" for ratio in _RATIOS for level in range(LEVELS)),
    *(f"{side}{count}_links" for count in _NEAR for side in ("before", "after")),
)
CANDIDATE = (
    *("in_candidate", "candidate_share", "candidate_score"),
    *("candidate_distance", "above_score", "over_candidate"),
)
WINDOW = ("in_window", "window_distance")
GROUPS = (
    *("alike", "alike_share", "alike_links", "alike_words"),
    *("siblings_alike", "siblings_share", "siblings_links"),
    *(f"repeated{level}" for level in range(1, LEVELS)),
    *("most_repeated", "card_words", "card_links", "card_share"),
)
PAGE = (
    *("page_blocks", "page_words", "page_links", "page_text", "page_punctuation", "page_density", "page_longest"),
    *("page_headings", "page_articles", "page_items", "page_cells", "page_inputs", "page_images", "page_hidden"),
    *("page_candidate", "page_window", "page_repeated", "page_named_comments"),
    *SAYINGS,
)
STATIC = (*BLOCK, *RANGES, *CANDIDATE, *WINDOW, *GROUPS, *PAGE)
NAMES = (*STATIC, *PATHS)

FAMILIES = {
    "names": PATHS,
    "links": tuple(name for name in STATIC if name.endswith("links") or name in ("link_density", "in_link")),
    "candidate": (*CANDIDATE, *WINDOW),
    "containers": tuple(name for name in RANGES if not name.endswith("links")),
    "groups": tuple(name for name in GROUPS if not name.endswith("links")),
    "elements": tuple(name for name in BLOCK if name.startswith(("is_", "in_")) and name != "in_link"),
    "text": ("words", "word_length", "ends", "commas", "digits", "capitals", "tags", "duplicates"),
    "place": ("position", "words_before", "depth", "after_heading", "to_heading", "after_title"),
    "title": ("title_match", "heading_match", "heading_level"),
    "hidden": ("hidden",),
}
"""Features that are one reason together."""

COMMENT_NAMES = ("comment", "disqus", "respond", "replies", "discussion", "livefyre", "kommentar")
_COMMENTS = parts_of_words(COMMENT_NAMES)


@dataclass(frozen=True, eq=False)
class Names:
    """How much the names of each container speak for content, as a holder of a block and as one further up."""

    own: Ints  # log odds in thousandths: whole numbers add up to the same sum in any order
    around: Ints


@dataclass(frozen=True, eq=False)
class Evidence:
    """The blocks of a page in numbers, and what the decision needs besides."""

    columns: Matrix  # a row for each of STATIC, an entry per block
    groups: Ints  # blocks with the same number look alike, and so do all containers around them
    in_comments: Bools


def page_evidence(page: Page, containers: Containers) -> Evidence:
    """All features of all blocks but those of names; there must be at least one block."""
    counts = Counts(page)
    low, high, strength = _candidate(page, containers, counts)
    start, end = _window(counts)
    alike, repeated = _alike(containers)
    in_comments = _in_comments(containers)
    families = (
        _block_columns(page, containers, counts),
        _range_columns(containers, counts),
        _candidate_columns(containers, counts, low, high, strength),
        [_inside(counts.size, start, end), _outside_distance(counts.size, start, end)],
        _group_columns(page, containers, counts, alike, repeated),
    )
    columns = np.empty((len(STATIC), counts.size), dtype=np.float32)
    done = 0
    for family in families:
        for column in family:
            columns[done] = column
            done += 1
    values = _page_values(page, counts, low, high, start, end, repeated, in_comments)
    columns[done:] = np.asarray(values, dtype=np.float32)[:, None]
    return Evidence(columns, alike, in_comments)


def name_columns(containers: Containers, names: Names) -> Matrix:
    """The features that tell what the containers of a block are called."""
    return np.stack(_path_columns(containers, names)).astype(np.float32)


def _block_columns(page: Page, containers: Containers, counts: Counts) -> list[Floats | Bools]:
    blocks, nodes = page.blocks, page.nodes
    flags = nodes.flags[blocks.leaves[blocks.first_leaf[:-1]]]
    size = counts.size
    places = np.arange(size)
    characters = np.maximum(blocks.characters, 1)
    heading_level = _heading_levels()[counts.tag]
    is_heading = heading_level > 0
    last_heading = np.maximum.accumulate(np.where(is_heading, places, -1))
    next_heading = np.minimum.accumulate(np.where(is_heading, places, size)[::-1])[::-1]
    title_match, heading_match, duplicates = text_matches(page)
    return [
        counts.words,
        counts.links,
        characters / np.maximum(counts.words, 1),
        counts.ends,
        counts.commas / np.maximum(counts.words, 1),
        counts.digits / characters,
        counts.capitals / characters,
        counts.tags,
        *(mask(*tags)[counts.tag] for tags in _KINDS.values()),
        heading_level,
        (page.hidden_flags[blocks.node] & HIDDEN) != 0,
        (flags & NOSCRIPT) != 0,
        (flags & FORM_TEXT) != 0,
        (flags & PREFORMATTED) != 0,
        (nodes.flags[blocks.node] & LINK) != 0,
        places / size,
        counts.sums[1, :-1] / max(counts.page[1], 1),
        nodes.depth[blocks.node],
        duplicates,
        title_match,
        heading_match,
        np.where(last_heading < 0, size, places - last_heading),
        next_heading - places,
        places - _title_place(counts.tag, title_match),
        *_around(containers),
    ]


def _title_place(tag: npt.NDArray[np.uint8], title_match: Floats) -> int:
    """The block that seems to be the title: a heading that matches the title of the page, else the first heading."""
    likeness = np.where(_heading_levels()[tag] > 0, 0.3 / np.maximum(_heading_levels()[tag], 1), 0) + title_match
    return int(np.argmax(likeness))


@functools.cache
def _heading_levels() -> Floats:
    levels = np.zeros(len(mask()), dtype=np.float64)
    for level in range(1, 7):
        levels[mask(f"h{level}")] = level
    return levels


@functools.cache
def _packed_around() -> tuple[Ints, ...]:
    """Tables over tag codes: which counters a tag moves, several packed into one number."""
    tables = []
    for start in range(0, len(_AROUND), _PER_SUM):
        table = np.zeros(len(mask()), dtype=np.int64)
        for place, tags in enumerate(list(_AROUND.values())[start : start + _PER_SUM]):
            table[mask(*tags)] = 1 << _BITS * place
        tables.append(table)
    return tuple(tables)


def _around(containers: Containers) -> list[Ints]:
    """For each kind of _AROUND how many such elements are around a block."""
    found = []
    for table in _packed_around():
        packed = containers.path_sums(table[containers.tag])[containers.holder]
        found += [packed >> _BITS * place & (1 << _BITS) - 1 for place in range(_PER_SUM)]
    return found[: len(_AROUND)]


def _path_columns(containers: Containers, names: Names) -> list[Floats | Ints]:
    holder, parent = containers.holder, containers.parent
    above = parent[holder]
    around = names.around.astype(np.float64)
    return [
        names.own[holder],
        names.own[containers.leaf],
        names.around[above],
        names.around[parent[above]],
        containers.path_sums(names.around)[holder],
        containers.path_least(around)[holder],
        -containers.path_least(-around)[holder],
        containers.path_sums(names.own)[holder],
    ]


def _range_columns(containers: Containers, counts: Counts) -> Matrix:
    size = counts.size
    ancestors = containers.ancestors
    count, word_count, link_words, characters, text_words, tags = counts.over(
        containers.first[ancestors], containers.last[ancestors]
    )[[0, 1, 2, 3, 4, 9]]
    word_floor = np.maximum(word_count, 1)
    ratios = np.empty((len(RANGES), size), dtype=np.float32)
    levels = ratios[: len(_RATIOS) * LEVELS].reshape(len(_RATIOS), LEVELS, size)
    levels[0] = text_words / max(counts.page[4], 1)
    levels[1] = link_words / word_floor
    levels[2] = word_count / np.maximum(count, 1)
    levels[3] = characters / np.maximum(tags, 1)
    levels[4] = text_words / word_floor
    levels[5] = word_count
    places = np.arange(size)
    first = np.stack([start for count in _NEAR for start in (np.maximum(places - count, 0), places + 1)])
    last = np.stack([end for count in _NEAR for end in (places, np.minimum(places + 1 + count, size))])
    words_near, links_near = counts.sums[1:3, last] - counts.sums[1:3, first]
    ratios[len(_RATIOS) * LEVELS :] = links_near / np.maximum(words_near, 1)
    return ratios


def _candidate(page: Page, containers: Containers, counts: Counts) -> tuple[int, int, Floats]:
    """Blocks of the container a reader mode would choose, and the strength of each container."""
    blocks = page.blocks
    points = np.where(
        (blocks.characters >= 25) & (counts.links < TEXT_LINK_DENSITY),
        1 + counts.commas + np.minimum(blocks.characters / 100, 3),
        0,
    )
    inner = mask("p", "pre", "td", "li", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6")[counts.tag]
    near = np.where(inner, containers.parent[containers.holder], containers.holder)
    size = len(containers)
    strength: Floats = np.bincount(near, weights=points, minlength=size).astype(np.float64)
    strength += np.bincount(containers.parent[near], weights=points / 2, minlength=size)
    sums = counts.over(containers.first, containers.last)
    strength *= 1 - sums[2] / np.maximum(sums[1], 1)
    best = int(np.argmax(strength))
    return int(containers.first[best]), int(containers.last[best]), strength


def _candidate_columns(
    containers: Containers, counts: Counts, low: int, high: int, strength: Floats
) -> list[Floats | Bools]:
    best = max(float(strength.max()), 1e-9)
    relative = strength / best
    ancestors = containers.ancestors
    share = counts.sums[4, high] - counts.sums[4, low]
    on_path = -containers.path_least(-relative)[containers.holder]
    return [
        _inside(counts.size, low, high),
        np.full(counts.size, share / max(counts.page[4], 1)),
        on_path,
        _outside_distance(counts.size, low, high),
        relative[ancestors[:4]].max(axis=0),
        relative[containers.holder],
    ]


def _window(counts: Counts) -> tuple[int, int]:
    """The run of blocks with the most words outside links and the fewest tags."""
    gains = counts.words * (1 - 2 * counts.links) - counts.tags * 1.0
    sums = np.concatenate(([0.0], np.cumsum(gains)))
    lowest = np.minimum.accumulate(sums)
    end = int(np.argmax(sums - lowest))
    start = int(np.flatnonzero(sums[: end + 1] == lowest[end])[-1])
    return start, end


def _inside(size: int, start: int, end: int) -> Bools:
    inside = np.zeros(size, dtype=np.bool_)
    inside[start:end] = True
    return inside


def _outside_distance(size: int, start: int, end: int) -> Floats:
    """Blocks between a block and a range: negative before it, zero inside, positive after it."""
    places = np.arange(size, dtype=np.float64)
    return np.minimum(places - start, 0) + np.maximum(places - end + 1, 0)


def look_groups(containers: Containers) -> Ints:
    """For each block the number of the group of those that look alike."""
    return np.unique(containers.paths[containers.holder], return_inverse=True)[1]


def _alike(containers: Containers) -> tuple[Ints, Ints]:
    """For each block the group of those that look alike, and for each container how many look like it."""
    group = look_groups(containers)
    _, kind, count = np.unique(containers.paths, return_inverse=True, return_counts=True)
    return group, count[kind]


def _group_columns(
    page: Page, containers: Containers, counts: Counts, group: Ints, repeated: Ints
) -> list[Floats | Ints]:
    blocks = page.blocks
    sums = [np.bincount(group, weights=row) for row in (counts.words, blocks.link_words, counts.words * counts.is_text)]
    count = np.bincount(group)
    page_text = max(counts.page[4], 1)
    parent_paths = containers.paths[containers.parent[containers.holder]]
    _, family = np.unique(parent_paths, return_inverse=True)
    family_sums = [
        np.bincount(family, weights=row) for row in (counts.words, blocks.link_words, counts.words * counts.is_text)
    ]
    levels = repeated[containers.ancestors]
    most = levels.argmax(axis=0)
    card = np.take_along_axis(containers.ancestors, most[None], axis=0)[0]
    card_sums = counts.over(containers.first[card], containers.last[card])
    return [
        count[group],
        (sums[2] / page_text)[group],
        (sums[1] / np.maximum(sums[0], 1))[group],
        (sums[0] / count)[group],
        np.bincount(family)[family],
        (family_sums[2] / page_text)[family],
        (family_sums[1] / np.maximum(family_sums[0], 1))[family],
        *levels[1:],
        levels.max(axis=0),
        card_sums[1],
        card_sums[2] / np.maximum(card_sums[1], 1),
        card_sums[4] * levels.max(axis=0) / page_text,
    ]


def _in_comments(containers: Containers) -> Bools:
    """Blocks below a container that is named after comments."""
    names = joined(np.arange(len(containers)), containers.names, containers.name)
    named = np.zeros(len(containers), dtype=np.int64)
    named[names.found(_COMMENTS)] = 1
    named[mask("html", "body")[containers.tag]] = 0
    return containers.path_sums(named)[containers.holder] > 0


def _page_values(
    page: Page,
    counts: Counts,
    low: int,
    high: int,
    start: int,
    end: int,
    repeated: Ints,
    in_comments: Bools,
) -> list[float]:
    nodes = page.nodes
    count, word_count, link_words, characters, text_words, ends, commas, headings, items, tags = counts.page.tolist()
    floor = max(word_count, 1)
    tag_counts = np.bincount(nodes.tag, minlength=len(mask()))
    return [
        count,
        word_count,
        link_words / floor,
        text_words / floor,
        (ends + commas) / floor,
        characters / max(tags, 1),
        float(counts.words.max()),
        headings / count,
        float(tag_counts[mask("article")].sum()),
        items / count,
        float(tag_counts[mask("td")].sum()),
        float(tag_counts[mask("input", "textarea", "select")].sum()),
        float(tag_counts[mask("img")].sum()),
        float(((page.hidden_flags[page.blocks.node] & HIDDEN) != 0).mean()),
        (counts.sums[4, high] - counts.sums[4, low]) / max(text_words, 1),
        (counts.sums[1, end] - counts.sums[1, start]) / floor,
        float(repeated.max()),
        float((in_comments * counts.words).sum()) / floor,
        *sayings(page),
    ]
