"""What other pages of a site say about the blocks of a page: text that they repeat is less likely to be content.

Evidence, not a rule: it is a shift of the log odds that the model gives,

    shift = base + share · log((with + ½) / (without + ½)) + length · log(1 + words) + article      never above 0

``with`` other pages have the text, ``without`` do not. Pages that are near-twins of the page do not count: a story that
was published twice is no boilerplate. Nor does the page itself, if it was added to the memory.

The four numbers are a logistic regression on train pages whose gold is known and of whose host other pages are at hand
(``python -m bench.site_memory --fit``). Its offset are the log odds of a model that had not seen most of these pages.
Repetition says much on news sites and little in documentation and shops, which is what ``article`` is for. What else
was tried, and was worth nothing where whole datasets were left out, is in docs/site-memory.md.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from tamis.extractors.sieve.memory import Hashes, Index, Site, make_sketch, text_hashes
from tamis.extractors.sieve.reading import Reading
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints

BASE, SHARE, LENGTH, ARTICLE = 1.21, -0.59, -0.49, -1.25
TWIN_SHARE = 0.5  # of the long texts; from the notes of the first trial (more than half), not swept
_MOST_COMMON = 0.5  # of the pages; what more of them have is no story that was copied. Ours, not swept


@dataclass(frozen=True, eq=False)
class Repetition:
    """For each block how many other pages of the site have its text, and how many could have it."""

    found: Ints
    pages: Ints

    def notes(self) -> tuple[str, ...]:
        """For each block what is said about it, the page itself counted; nothing if no other page has its text."""
        return tuple(
            f"stands on {found + 1} of {pages + 1} pages of this site" if found else ""
            for found, pages in zip(self.found.tolist(), self.pages.tolist(), strict=True)
        )


def with_site(page: Page, reading: Reading, site: Site) -> Reading:
    """A reading that takes into account what other pages of the site repeat."""
    repetition = repetitions(*text_hashes(page), site)
    odds = reading.log_odds + shifts(repetition, page.blocks.words, reading.page_type)
    return dataclasses.replace(reading, log_odds=odds, site_notes=repetition.notes())


def shifts(repetition: Repetition, words: Ints, page_type: str) -> Floats:
    """What is added to the log odds of each block."""
    odds = np.log((repetition.found + 0.5) / (repetition.pages - repetition.found + 0.5))
    shift = BASE + SHARE * odds + LENGTH * np.log1p(words) + ARTICLE * (page_type == "article")
    return np.where(repetition.found > 0, np.minimum(shift, 0.0), 0.0)


def repetitions(text: Hashes, is_long: Bools, site: Site) -> Repetition:
    """How often the texts of a page's blocks stand on other pages of its site."""
    index, own = site.index(), make_sketch(text, is_long)
    counts = index.name != np.uint64(own.name)
    counts &= ~_twins(np.unique(text[is_long]), index, counts)
    once, place = np.unique(text, return_inverse=True)
    found = np.isin(index.text, once) & counts[index.page]
    having = np.bincount(np.searchsorted(once, index.text[found]), minlength=len(once))
    limits = np.sort(index.limit[counts])
    knowing = len(limits) - np.searchsorted(limits, once.astype(np.int64))
    return Repetition(having[place], knowing[place])


def _twins(own: Hashes, index: Index, counts: Bools) -> Bools:
    """Pages that share more than half of the long texts, of their own or of this page.

    Texts that most pages have do not make twins: on sites of short articles they are most of the long texts.
    """
    is_asked = index.is_long & counts[index.page]
    page, text = index.page[is_asked], index.text[is_asked]
    once, place, pages = np.unique(text, return_inverse=True, return_counts=True)
    most = max(2.0, _MOST_COMMON * (int(counts.sum()) + 1))
    is_rare = (pages + np.isin(once, own))[place] <= most
    is_shared = is_rare & np.isin(text, own)
    shared = np.bincount(page[is_shared], minlength=len(counts))
    theirs = np.bincount(page[is_rare], minlength=len(counts))
    common = once[pages + np.isin(once, own) > most]
    ours = np.searchsorted(np.setdiff1d(own, common).astype(np.int64), index.limit, side="right")
    twins: Bools = shared > TWIN_SHARE * np.minimum(ours, theirs)
    return twins
