"""Headings that say that noise follows, and the sections below them (Yunis 2016, appendix A)."""

from __future__ import annotations

import re

import numpy as np

from tamis.page.html import HEADINGS
from tamis.page.model import Page
from tamis.page.text import Bools, collapse

_SITE = "[website name]"
NOISE_HEADINGS = tuple(
    """Advertisement; Also In Entertainment News; Also Read; Around the Web; Cookie Control; Editor's Choice;
    Elsewhere on [Website Name]; External Links; Featured Sections; From Around the Web; Further Reading; Just In;
    Latest News; More News; More from [Website Name]; More from the Author; More to Explore; Most E-Mailed;
    Most Popular; Most Popular Stories; Most Viewed Today; News From Your Area; Next In Entertainment News;
    On Our Radar; Paid Content; Paid Partner Content; Partner Content; Recent News; Recent Posts; References; Related;
    Related Content; Related Coverage; Related Links; Related to This Story; Recommended; See Also; Share This Article;
    Share This Story; Sign Up; Sponsor; Sponsored Content; Sponsored Links; Sponsored Posts; Sponsored Topics;
    Sponsored Stories; Sport Headlines; Subscribe; Subscribe and Follow; Take a Look; The Best of [Website Name];
    Top News; Top Stories; Trending Articles; Trending Today; Trending on [Website Name]; What's Hot;
    You May Also Like; You May Like; You Might Like""".replace("\n    ", " ").split("; ")
)
"""As in the thesis; ``[Website Name]`` stands for any text."""

_LONGEST = 80  # characters; longer headings are not compared
_APOSTROPHES = re.compile("['’‘`´]")
_END = re.compile(r"[\s:.…»›>]+\Z")


def is_noise_heading(text: str) -> bool:
    """Whether a heading is one of the list; case, apostrophes and a colon or dots at the end do not matter.

    >>> is_noise_heading("RELATED LINKS:"), is_noise_heading("What’s hot …"), is_noise_heading("Related work")
    (True, True, False)
    >>> is_noise_heading("More from The Daily Planet")
    True
    """
    return len(text) <= _LONGEST and _PATTERN.match(_normal(text)) is not None


def under_noise_heading(page: Page) -> Bools:
    """True for noise headings and the nodes of their sections.

    A section ends before the next heading of the same or a higher level, and at the latest with the smallest element
    around the heading that has other words.
    """
    nodes = page.nodes
    headings = np.flatnonzero(nodes.named(*HEADINGS))
    level = np.zeros(len(nodes), dtype=np.int64)
    for number, name in enumerate(HEADINGS, start=1):
        level[headings[nodes.named(name)[headings]]] = number
    words = np.concatenate(([0], np.cumsum(page.flow.words)))
    starts, ends = nodes.text_start[headings].tolist(), nodes.text_end[headings].tolist()
    found = np.zeros(len(nodes) + 1, dtype=np.int64)
    last: dict[int, int] = {}  # of each level the noise section that is open
    for heading, start, end in zip(headings.tolist(), starts, ends, strict=True):
        own = int(level[heading])
        for open_level in [other for other in last if other >= own]:
            begin = last.pop(open_level)
            found[begin] += 1
            found[min(heading, _section_end(nodes.parent, nodes.end, words, begin))] -= 1
        if end - start <= 2 * _LONGEST and is_noise_heading(collapse(page.text[start:end])):
            last[own] = heading
    for begin in last.values():
        found[begin] += 1
        found[_section_end(nodes.parent, nodes.end, words, begin)] -= 1
    result: Bools = np.cumsum(found[:-1]) > 0
    return result


def _section_end(parent: np.ndarray, end: np.ndarray, words: np.ndarray, heading: int) -> int:
    """The end of the smallest element around a heading that has other words."""
    own = words[end[heading]] - words[heading]
    node = heading
    while node > 0 and words[end[node]] - words[node] == own:
        node = int(parent[node])
    return int(end[max(node, 0)])


def _normal(text: str) -> str:
    return _END.sub("", _APOSTROPHES.sub("", collapse(text).lower()))


_PATTERN = re.compile(
    "(?:" + "|".join(re.escape(_normal(heading)).replace(re.escape(_SITE), ".+") for heading in NOISE_HEADINGS) + r")\Z"
)
