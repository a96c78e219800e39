"""Sieve: a small trained model scores the blocks of the page; the set with the best expected F1 is kept.

Idea:      every block becomes a row of features (its text, the names of its containers, how much of the page's running
           text they contain, similar blocks); trees, and a network that sees the whole page, give log odds; the log
           odds of similar blocks are smoothed; the prefix with the best expected F1 is kept.
Reference: ours; features after Readability, Finn et al. (2001, BTE), Kohlschütter et al. (2010), Gottron (2008);
           the decision after Lewis (1995) and Ye et al. (2012), who maximise expected F measures.
Departs:   nothing; the method is ours.
Strong at: articles, forums, documentation, in any language; pages of many kinds with one method.
Weak at:   product pages and listings, where people disagree about what is content; pages that are one long text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np

from tamis.about.embedded import is_repeated, read_embedded, read_rest, read_unshown
from tamis.extractors.sieve.choosing import choose, kept_spans, scores, told
from tamis.extractors.sieve.memory import Site
from tamis.extractors.sieve.model import SieveModel, load_model
from tamis.extractors.sieve.reading import read_page
from tamis.extractors.sieve.reasons import explain_blocks
from tamis.extractors.sieve.site import with_site
from tamis.page.blocks import longest_text
from tamis.page.model import Page
from tamis.page.text import Bools, Floats
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction
from tamis.results.extractions import exceed

MAX_BLOCKS = 100_000  # sixteen times the most of any train page; 143 numbers each
TINY_WORDS = 40  # fewer kept words than this, and the scripts are searched for an article
BEGINNING = 1_500  # characters; what a page shows of an article whose rest its scripts hold is not longer

Policy = Literal["auto", "keep", "drop"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """The balance of precision and recall, and what to do with comments, titles and hidden text."""

    bias: float = 0.0  # from -1 (precision: keep only what is certain) to 1 (recall: keep more); 0 maximizes F1
    comments: Policy = "auto"  # auto: kept on forums, elsewhere only if the model is confident
    title: Policy = "auto"  # auto: kept if the page shows it
    hidden: Policy = "auto"  # auto: as the model decides; keep: treated as if it were visible
    model: str = ""  # a file made by tamis train; default: the shipped model

    def __post_init__(self) -> None:
        check_ranges(self, bias=Range(-1, 1, meaning="precision to recall"))


def extract(page: Page, options: Options, site: Site | None = None) -> Extraction:
    """Keep what is most likely to be the main content, given what other pages of its site repeat."""
    model = load_model(options.model)
    seen = page if options.hidden == "drop" else page.revealed()
    if len(seen.blocks) > MAX_BLOCKS:
        first_unread = int(seen.blocks.leaves[seen.blocks.first_leaf[MAX_BLOCKS]])
        for view in ("blocks", "flow"):  # read again if asked for: those of the part that is read take as much memory
            vars(seen).pop(view, None)
        seen = seen.cut(first_unread, f"only the first {MAX_BLOCKS} blocks were read")
    if not len(seen.blocks):
        return _from_scripts(page, options, seen, Extraction(page=page, spans=()), np.zeros(0, dtype=np.bool_))
    return _from_scripts(page, options, seen, *_extraction(page, seen, model, options, site))


def _extraction(
    page: Page, seen: Page, model: SieveModel, options: Options, site: Site | None
) -> tuple[Extraction, Bools]:
    """What is kept, and whether each block is."""
    shows_hidden = options.hidden == "keep"
    reading = read_page(seen, model, shows_hidden=shows_hidden)
    if site is not None:
        reading = with_site(seen, reading, site)
    choice = choose(seen, reading, options)
    rules = told(choice)
    extraction = Extraction(
        page=page,
        view=None if seen is page else seen,
        spans=kept_spans(seen, choice),
        scores=scores(reading),
        rules=rules,
        reasons=_Reasons(seen, model, shows_hidden, reading.log_odds, reading.site_notes, rules),
        page_type=reading.page_type,
        headline=choice.headline,
    )
    return extraction, choice.kept


def _from_scripts(page: Page, options: Options, seen: Page, extraction: Extraction, kept: Bools) -> Extraction:
    """The extraction; or, if it is tiny, a beginning or not of the article, that of an article that scripts hold."""
    if not page.nodes.has("script"):
        return extraction
    if not exceed(extraction.spans, TINY_WORDS * 8) and int(seen.blocks.words[kept].sum()) < TINY_WORDS:
        embedded, why = read_embedded(page), "the page shows little text"
        if embedded is not None and len(embedded.page.text) < 4 * sum(end - start for start, end in extraction.spans):
            return extraction
    elif extraction.headline is None:
        embedded, why = read_unshown(page), "the page does not show its article"
    elif exceed(extraction.spans, BEGINNING) or not is_repeated(page, longest_text(seen.blocks, kept)):
        return extraction
    else:
        embedded = read_rest(page, [seen.blocks[number].text for number in np.flatnonzero(kept).tolist()])
        why = "the page shows only the beginning of its article"
    if embedded is None:
        return extraction
    note = f"embedded: {why}; this is from its {embedded.origin}"
    inner = extract(embedded.page, dataclasses.replace(options, bias=1.0, hidden="drop"))
    reasons = ("kept: all of the embedded text",) * len(inner.page.blocks)
    everything = inner.page.text_spans(inner.page.blocks.leaves)
    inner = dataclasses.replace(inner, spans=everything, reasons=reasons, rules=reasons)
    notes = (*extraction.notes, note)
    return Extraction(page=page, spans=(), embedded=inner, page_type=inner.page_type, notes=notes)


class _Reasons(Sequence[str]):
    """Why each block was kept or dropped; put into words when somebody asks.

    The page is read once more for them: few ask, and features take as much memory as all else that is known of a page.
    """

    def __init__(
        self,
        page: Page,
        model: SieveModel,
        shows_hidden: bool,
        log_odds: Floats,
        site_notes: tuple[str, ...],
        rules: Sequence[str],
    ) -> None:
        self._asked = page, model, shows_hidden, log_odds, site_notes
        self._rules = rules
        self._told: list[str] | None = None

    def _all(self) -> list[str]:
        if self._told is None:
            page, model, shows_hidden, log_odds, site_notes = self._asked
            reading = read_page(page, model, shows_hidden=shows_hidden)
            reading = dataclasses.replace(reading, log_odds=log_odds, site_notes=site_notes)
            why = explain_blocks(page, model, reading)
            self._told = [f"{rule} ({'; '.join(parts)})" for rule, parts in zip(self._rules, why, strict=True)]
        return self._told

    def __len__(self) -> int:
        return len(self._rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._all()[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())
