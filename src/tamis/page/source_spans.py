"""Spans of ``page.text`` as ranges of the source: where in the markup the words stand."""

from __future__ import annotations

import numpy as np

from tamis.page.model import Page
from tamis.page.spans import Span, as_arrays, as_spans, union


def source_spans(page: Page, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Ranges of ``page.source`` that hold the words of some spans and no others: sorted, not overlapping.

    A range begins and ends with a word; tags between its words are part of it. A word that is kept in part counts
    whole, because an entity cannot be cut. What the source lacks (text that a script holds) has no range.
    """
    tokens = page.tokens
    words = np.flatnonzero(~tokens.is_tag)
    if not len(words) or not spans:
        return ()
    starts, ends = union(*as_arrays(spans))
    # The first span that ends behind the start of a word is the only one that can hold its beginning.
    span = np.searchsorted(ends, tokens.start[words], side="right")
    is_kept = span < len(starts)
    is_kept[is_kept] &= starts[span[is_kept]] < tokens.end[words[is_kept]]
    is_in_order = tokens.start[words[1:]] >= tokens.end[words[:-1]]  # text in a table, outside its cells, is moved
    goes_on = is_kept[1:] & is_kept[:-1] & (span[1:] == span[:-1]) & is_in_order
    first = is_kept & ~np.append(False, goes_on)
    last = is_kept & ~np.append(goes_on, False)
    return as_spans(tokens.source_start[words[first]], tokens.source_end[words[last]])
