"""Text windows: passages of text that many pages of a site share, found without the markup.

Idea:      slide a window of 32 characters over the text; windows found on ten pages or more are template, and
           overlapping ones are merged.
Reference: Gibson, Punera & Tomkins (2005), as described by Gottron (2008), section 3.3.8.
Departs:   windows are counted once per page, and a text node is dropped if windows cover more than half of it; the
           paper only measures. With fewer than thirty pages, a third of them is required instead of ten.
Strong at: pages whose markup changes while their texts do not; measuring how much of a site is template.
Weak at:   template texts that are shorter than the window and stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Bools, Ints
from tamis.ranges import COUNT, SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._texts import PRIME, filled_leaves, kept_spans, leaf_texts, runs


@dataclass(frozen=True, kw_only=True)
class Options:
    """Windows and how often they must be found."""

    window: int = 32  # characters; Gibson et al.
    min_pages: int = 10  # Gibson et al., who sample 200 pages
    max_share: float = 1 / 3  # of the pages is enough; our addition for small sets, the share of document_frequency

    def __post_init__(self) -> None:
        check_ranges(self, window=COUNT, min_pages=COUNT, max_share=SHARE)


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    windows: list[int]


def check_model(model: Model) -> None:
    """A ``ValueError`` if a window is none."""
    if any(not 0 <= window < PRIME for window in model["windows"]):
        raise ValueError("a number stands for no window")


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    found = [np.unique(_hashes(_text(page)[0], options.window)) for page in pages]
    windows, counts = np.unique(np.concatenate(found), return_counts=True)
    enough = counts >= min(options.min_pages, max(2.0, options.max_share * len(pages)))
    return Template(model={"windows": windows[enough].tolist()})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    leaves = filled_leaves(page)
    covered = np.append(0, np.cumsum(_covered(page, template, options)))
    _, start, end = _text(page)
    kept = 2 * (covered[end] - covered[start]) <= end - start
    return Extraction(page=page, spans=kept_spans(page, leaves, kept))


def volume(page: Page, template: Template, options: Options) -> float:
    """How much of a page is template, from 0 to 1: the share of the characters of its text."""
    covered = _covered(page, template, options)
    return float(covered.mean()) if len(covered) else 0.0


def _covered(page: Page, template: Template, options: Options) -> Bools:
    """True for the characters of the page's text that lie in a window of the template."""
    text, _, _ = _text(page)
    marked = np.flatnonzero(np.isin(_hashes(text, options.window), template.model["windows"]))
    change = np.zeros(len(text) + 1, dtype=np.int64)
    np.add.at(change, marked, 1)
    np.add.at(change, np.minimum(marked + options.window, len(text)), -1)
    covered: Bools = np.cumsum(change)[:-1] > 0
    return covered


def _text(page: Page) -> tuple[str, Ints, Ints]:
    """The page without tags, and where each of its filled text nodes begins and ends in it."""
    texts = leaf_texts(page, filled_leaves(page))
    ends = np.cumsum(np.array([len(text) + 1 for text in texts], dtype=np.int64))
    starts = ends - np.array([len(text) + 1 for text in texts], dtype=np.int64)
    return " ".join(texts), starts, ends - 1


def _hashes(text: str, window: int) -> Ints:
    """A number for the window that begins at each character; a shorter text is one window."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    return runs(codes, window)
