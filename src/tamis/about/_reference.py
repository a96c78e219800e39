"""Where dates may be written, what pages declare, and what may tell the headline: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterable, Sequence, Set
from html import unescape

import numpy as np
import numpy.typing as npt

from tamis.about.declared import cleaned
from tamis.about.likeness import (
    ALIKE,
    ALONE,
    DECLARED,
    MAX_BLOCK,
    MAX_HEADINGS,
    MAX_LENGTH,
    MAX_NAME,
    OTHER_LEVEL,
    PART,
    PLACEHOLDERS,
    SAME,
    SET_APART,
    SITE,
    SITES,
    TITLES,
    HeadlineCandidate,
    best_candidates,
    leads_home,
    words_overlap,
)
from tamis.page import tree
from tamis.page.kernel import kernel
from tamis.page.model import FOREIGN, INVISIBLE, Page
from tamis.page.text import Ints, collapse

Bytes = npt.NDArray[np.uint8]
WordTable = tuple[str, ...]  # a class of its own in the compiled twin

# A year in four digits, or what all dates with a year in two digits have: most texts have neither, and are done with.
_DATE_PLACE = re.compile(  # it begins with a set, for which the engine has a quick search
    r"[\d'’](?=(?:(?<=1)9|(?<=2)0)\d\d|(?<=['’])\d\d|(?<=\d)[./-]\s*\d{1,2}[./-]\s*\d\d)"
)

_BLANKS = " \t\n\r\f"  # white space as HTML knows it
_LOWER_CASE = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_SEPARATOR = re.compile(
    r"\s+[-–—|·•»«›‹:/~⋆*⎮]+\s+|\s*[|｜»›]\s*|\s+[-–—]{1,3}(?=\w)|:\s+|\s::\s"
    r"|(?<=[\u3000-\u9fff\uff00-\uffef])\s*[_－—-]+\s*"  # after Chinese and Japanese, where no blanks stand around it
)


def date_places(text: str) -> Ints:
    """Positions at which a date may be written, whatever becomes of the white space."""
    return np.fromiter((match.start() for match in _DATE_PLACE.finditer(text)), dtype=np.int64)


def named_outside(tag: Bytes, flags: Bytes, code: int) -> list[int]:
    """The nodes with a tag code, but for those in pictures."""
    found: list[int] = np.flatnonzero((tag == code) & (flags & FOREIGN == 0)).tolist()
    return found


def meta_texts(
    contents: Sequence[str], columns: Sequence[Sequence[str | None]], most: int, longest: int
) -> dict[str, list[str]]:
    """The contents of meta elements as they were meant, by what the elements are called, in lower case; each once.

    Each column is an attribute that names them; the first may hold several names.
    """
    found: dict[str, list[str]] = {}
    for content, *names in zip(contents, *columns, strict=True):
        text = cleaned(content) if any(names) else ""
        for place, name in enumerate(names if text else ()):
            said = name.strip().lower()[:longest] if name else ""
            for one in said.split() if place == 0 else filter(None, (said,)):
                values = found.setdefault(one, [])
                if len(values) < most and text not in values:
                    values.append(text)
    return found


def telling_nodes(tag: Bytes, flags: Bytes, end: Ints, groups: Bytes, shown: int, apart: int) -> list[list[int]]:
    """The nodes of each group from 1 to below ``apart``; ``groups`` says the group of tag codes.

    Those of the groups below ``shown`` stand outside pictures. Those of the others can be seen, and stand outside the
    parts of a page that are set apart: the nodes of the last group.
    """
    group = groups[tag]
    is_seen = ((flags & (INVISIBLE | FOREIGN)) == 0) & ~tree.inside(group == apart, end)
    is_own = (flags & FOREIGN) == 0
    return [
        np.flatnonzero((group == number) & (is_own if number < shown else is_seen)).tolist()
        for number in range(1, apart)
    ]


def asked_names(columns: Iterable[list[str | None]], asked: Set[str], most: int) -> list[tuple[str, int]]:
    """The names in some columns that are asked for, whatever their case, and their places; none is longer than most."""
    return [
        (name, place)
        for column in columns
        for place, value in enumerate(column)
        if value is not None and len(value) <= most and (name := value.strip(_BLANKS).lower()) in asked
    ]


def declared_titles(page: Page, metas: list[int], written: list[int]) -> tuple[list[str], list[str]]:
    """What a page says it is called, each title once, and what its site is called, the latter folded.

    It says so in some of its ``meta`` elements, and in ``title`` elements, which are ``written``.
    """
    nodes = np.array(metas, dtype=np.int64)
    named = asked_names([page.attribute(nodes, key) for key in ("property", "name")], DECLARED, MAX_NAME)
    contents = page.attribute(nodes[[place for _, place in named]], "content") if named else []
    said: dict[str, str] = {}
    for (asked, _), content in zip(named, contents, strict=True):
        if content:
            said.setdefault(asked, content)
    titles = _cleaned([*map(said.get, TITLES), *map(page.node_text, written)])
    return titles, [name for site in _cleaned(map(said.get, SITES)) if (name := kernel.folded(site))]


def _cleaned(texts: Iterable[str | None]) -> list[str]:
    """Declared texts as they were meant, each once: most pages say the same in several places."""
    return list(dict.fromkeys(filter(None, [cleaned(text)[:MAX_LENGTH] for text in texts if text])))


def like_titles(
    page: Page, levels: Sequence[list[int]], titles: Sequence[str], sites: Sequence[str]
) -> list[HeadlineCandidate]:
    """The headings that are most like a title, as good as each other; those of each level are given, the highest first.

    Lower levels are read only where no higher one leaves nothing to wish for. What shares no words with a title is not
    like it; only a heading of the first level may be one all the same.
    """
    nodes, found = page.nodes, list[HeadlineCandidate]()
    whole, parts = _whole(titles), _parts(titles)
    words = [set(text.split()) for text in whole | parts]
    all_words, longest = frozenset().union(*words), max(map(len, whole), default=0)
    for level, places in enumerate(levels, start=1):
        asked = all_words if level > 1 else None
        seen = folded_nodes(page.text, places[:MAX_HEADINGS], nodes.text_start, nodes.text_end, 2 * MAX_LENGTH, asked)
        is_close = any(one.likeness >= PART for one in found)
        for node, text in seen:
            if is_close and text not in whole | parts:
                continue  # cannot be better
            likeness = _likeness(text, whole, parts, words, sites)
            if likeness or (level == 1 and len(seen) == 1):
                is_free, is_most = not leads_home(page, node), 2 * len(text) >= longest
                found.append(HeadlineCandidate(node, likeness or ALONE, is_free, is_most, level))
        if any(one.likeness >= PART and one.is_free and one.is_most for one in found):
            break
    return best_candidates(found)


def _whole(titles: Iterable[str]) -> frozenset[str]:
    return frozenset(map(kernel.folded, titles)) - {""}


def _parts(titles: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(folded_parts, titles)) - {""}


def _likeness(text: str, whole: Set[str], parts: Set[str], words: list[set[str]], sites: Sequence[str]) -> int:
    """How much a folded heading is like what the page says it is called; 0 if it is not."""
    if text in PLACEHOLDERS or text in sites:
        return SITE if text in whole else 0
    if text in whole:
        return SAME
    own = set(text.split())
    return PART if text in parts else ALIKE if any(words_overlap(own, words_of) for words_of in words) else 0


def repeating_blocks(page: Page, titles: Sequence[str], sites: Sequence[str]) -> list[HeadlineCandidate]:
    """Blocks that are no headings and repeat a title word by word: old pages have no others."""
    blocks, nodes, whole = page.blocks, page.nodes, _whole(titles)
    texts = {text for text in whole | _parts(titles) if " " in text} - PLACEHOLDERS - set(sites)
    if not texts:
        return []
    longest = 2 * max(map(len, texts))
    shortest = min(len(text.replace(" ", "")) for text in texts) // 2  # folding makes two letters of some
    is_near = (blocks.characters <= longest) & (blocks.characters >= shortest) & (blocks.link_words == 0)
    # Most blocks begin with another letter than a title, and need not be folded.
    letters = "".join(text[0] for text in texts)
    near = np.flatnonzero(is_near)
    near = near[may_begin(page.text, blocks.start[near], blocks.end[near], letters)]
    shown = folded_nodes(page.text, near.tolist(), blocks.start, blocks.end, MAX_BLOCK)
    apart = nodes.inside(nodes.named(*SET_APART))
    found = [(int(blocks.node[number]), text in whole) for number, text in shown if text in texts]
    return [
        HeadlineCandidate(node, SAME if is_whole else PART, True, is_whole, OTHER_LEVEL)
        for node, is_whole in found
        if not apart[node]
    ]


def folded_nodes(
    text: str, nodes: list[int], starts: Ints, ends: Ints, most: int, words: Set[str] | None = None
) -> list[tuple[int, str]]:
    """Some nodes and their texts for comparing with declared ones, some of whose entities are escaped twice.

    Of each text the first characters count, ``most`` of them; nodes in whose text is no letter are left out. If words
    are given, so are those that say fewer than two of them, and not one alone.
    """
    shown = [text[starts[node] : min(ends[node], starts[node] + most)] for node in nodes]
    texts = [kernel.folded(unescape(one) if "&" in one else one) for one in shown]
    return [
        (node, one)
        for node, one in zip(nodes, texts, strict=True)
        if one and (words is None or sum(word in words for word in one.split()) >= min(2, one.count(" ") + 1))
    ]


def may_begin(text: str, start: Ints, end: Ints, letters: str) -> list[int]:
    """Which ranges of a text may begin with one of some letters, those beyond ASCII always, when they are folded.

    So may those with entities, which hide letters, and with NUL.
    """
    found = []
    for place, (first, last) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        shown = text[first:last]
        begin = next((character for character in shown if not character.isascii() or character.isalnum()), "")
        if "&" in shown or "\0" in shown or not begin.isascii() or (begin and begin.lower() in letters):
            found.append(place)
    return found


def title_cuts(title: str) -> list[tuple[int, int]]:
    """Where the separators of a title stand: between its parts, and before or after the name of the site."""
    return [cut.span() for cut in _SEPARATOR.finditer(title)]


def folded_parts(title: str) -> frozenset[str]:
    """What stands before, after and between the separators of a title, folded."""
    cuts = title_cuts(title)
    outer = [part for start, end in cuts for part in (title[:start], title[end:])]
    inner = [title[end:start] for (_, end), (start, _) in itertools.pairwise(cuts)]
    return frozenset(map(kernel.folded, (*outer, *inner)))


def opening_so(text: str, starts: Ints, ends: Ints, table: bytes, heads: Set[str] = frozenset()) -> list[int]:
    """Numbers of the stretches that may begin as a table says, white space aside; see ``openings``.

    What begins with a character outside of ASCII may as well. With heads, they also begin with one of these, in any
    case, or with a mark.
    """
    texts = (text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
    return [
        number
        for number, one in enumerate(texts)
        if (_begins_so(one, table, heads) if heads else _opens_so(one, table))
    ]


def values_opening_so(values: Sequence[str | None], table: bytes, heads: Set[str]) -> list[int]:
    """The same of texts that stand alone; heads have four characters at most."""
    return [number for number, value in enumerate(values) if value and _begins_so(value, table, heads)]


def short_links(page: Page, longest: int, most: int, table: bytes, heads: Set[str]) -> tuple[list[int], list[int]]:
    """Of the first links outside pictures those with fewer characters than some; and which of them begin so."""
    nodes = page.nodes
    links = np.flatnonzero(nodes.named("a") & (nodes.flags & FOREIGN == 0))[:most]
    short = links[nodes.text_end[links] - nodes.text_start[links] < longest].tolist()
    return short, [node for node in short if _begins_so(page.node_text(node), table, heads)]


def _opens_so(text: str, table: bytes) -> bool:
    opening = text.lstrip()[:2]
    first, second, *_ = *map(ord, opening), 0, 0
    return bool(opening) and (not opening.isascii() or bool(table[first << 7 | second]))


def _begins_so(text: str, table: bytes, heads: Set[str]) -> bool:
    if not _opens_so(text, table):
        return False
    word = text.split(None, 1)[0].lower()
    return not word[0].isalnum() or any(word[:length] in heads for length in range(1, 5))


def word_table(words: Iterable[str]) -> WordTable:
    """Words in lower case as ``holding`` wants them: made once, asked of many pages."""
    return tuple(words)


def holding(values: Sequence[str | None], table: WordTable) -> list[int]:
    """Numbers of the values that hold one of the words of a table; so may capital letters of ASCII be meant."""
    lowered = [value.translate(_LOWER_CASE) if value else "" for value in values]
    return [number for number, value in enumerate(lowered) if any(map(value.__contains__, table))]


def occurrences(text: str, words: tuple[str, ...], start: int, end: int) -> int:
    """How often some words stand in a range of a text; a few of ASCII, of two characters at least."""
    return sum(text.count(word, start, end) for word in words)


def short_text(page: Page, most: int, most_raw: int) -> str | None:
    """All visible text of a page, white space reduced; None if it is longer, or much longer with its white space."""
    if page.flow.characters.sum() > most:
        return None
    texts = page.nodes.visible_texts
    starts, ends = page.nodes.text_start[texts], page.nodes.text_end[texts]
    if int((ends - starts).sum()) > most_raw:
        return None
    text = collapse(" ".join(page.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)))
    return text if len(text) <= most else None


def paragraphs(words: Ints, link_words: Ints, least: int) -> tuple[int, int]:
    """How many words blocks have that are running text, and the number of the first of them; -1 if there is none."""
    found = np.flatnonzero((words >= least) & (2 * link_words < words))
    return int(words[found].sum()), int(found[0]) if len(found) else -1


def longest_texts(
    text: str, starts: Ints, ends: Ints, words: Ints, link_words: Ints, least: int, most: int, enough: int
) -> list[str]:
    """The texts of the blocks with the most words outside links, until there are enough characters.

    They have some words at least, and there are not too many of them; of equals the first comes first.
    """
    own = words - link_words
    longest = np.argsort(-own, kind="stable")[:most]
    longest = longest[own[longest] >= least]
    found, length = list[str](), 0
    for start, end in zip(starts[longest].tolist(), ends[longest].tolist(), strict=True):
        if length >= enough:
            break
        found.append(collapse(text[start : min(end, start + enough)]))
        length += len(found[-1])
    return found
