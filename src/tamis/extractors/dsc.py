"""Document slope curve: all parts of the page where tags are less than half as frequent as on average.

Idea:      in the curve that counts the tags from the start of the page, text is a plateau. A window moves over the
           tokens in half steps; three low windows in a row open a region of text, three that are not low close it.
Reference: Pinto et al. (2002), who only tested pages with it (``tamis dataset articles``); as an extractor Gottron
           (2008), section 3.2.3 and algorithm 3.2.
Departs:   in scripts without spaces every character counts as a word; a page without tags is kept whole, and of what
           the regions cover, text that no browser shows is not returned. In the printed algorithm the rule that ends
           a region is nested where it can never apply; it is read as the text describes it.
Strong at: precision; content in several pieces.
Weak at:   headlines and first paragraphs, which are over before the third window; articles full of links; short
           content under long extras.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamis.extractors import _slopes as slopes
from tamis.page.model import Page
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """The window length is not an option: it follows from the number of tokens, 8 to 50 (see ``_slopes``)."""

    # The algorithm marks a region from its third window on and closes it likewise; the text counts all three in.
    retroactive: bool = False
    # The last window ends before the last token. The algorithm leaves what follows unmarked ("drop"), which cuts
    # the last sentence of pages that end in text; "extend" gives it the state of the last window.
    tail: slopes.Tail = "extend"

    def __post_init__(self) -> None:
        slopes.check_tail(self.tail)


def extract(page: Page, options: Options) -> Extraction:
    tokens = page.tokens
    sections = slopes.cut(tokens.is_tag)
    inside = slopes.regions(slopes.low_slope(sections), retroactive=options.retroactive)
    chosen = slopes.spread(sections, inside, options.tail)
    return Extraction(page=page, spans=page.word_spans(chosen & ~tokens.is_tag))
