"""What all formats can leave out."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

import numpy as np

from tamis.about.comment_names import COMMENT_SECTION, COMMENT_SELECTOR
from tamis.characters import without_unseen
from tamis.outputs._formulas import find_formulas, has_raw_formulas, raw_ranges
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._tables import kept_tables
from tamis.page.model import Page
from tamis.page.spans import as_arrays, as_spans, overlaps, union
from tamis.page.tables import LAYOUT
from tamis.page.text import Ints
from tamis.ranges import COUNT, NOT_NEGATIVE, Range, check_range, check_ranges, check_whole
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is written; by default everything that the method kept."""

    links: bool = True  # URLs of links; the text of links is always kept
    images: bool = True  # images, and video and audio as links
    tables: bool = True  # data tables with their text; layout tables are never written as tables
    formulas: bool = True  # formulas
    comments: bool = True  # comments of readers, if the method kept them
    add_title: bool = False  # put the title of the metadata in front as a heading, if the content has no headline
    front_matter: bool = False  # Markdown only: title, author, date, URL and so on as YAML front matter
    list_marks: bool = False  # plain text only: bullets and numbers before list items
    blocks: bool = False  # JSON only: all blocks of the page, kept and dropped, with score and reason
    reasons: bool = False  # JSON only: for each block all features for and against it, not only what decided
    structured_data: bool = False  # JSON only: JSON-LD, meta elements and microdata of the page
    posts: bool = False  # add to kept posts the lines with author and date; in JSON all posts also as a list
    max_characters: int | None = None  # longest plain text, cut between words; other formats end with the same word
    max_tokens: int = 512  # chunks only: largest size in words, or in characters of scripts without spaces
    overlap: int = 0  # chunks only: tokens of a chunk that the next one of the section repeats

    def __post_init__(self) -> None:
        check_size(self.max_tokens, self.overlap)
        check_ranges(self, max_characters=NOT_NEGATIVE)


def check_size(max_tokens: int, overlap: int) -> None:
    """Refuse sizes of chunks with which there would be no chunks, or no end of them."""
    check_whole(max_tokens=max_tokens, overlap=overlap)
    check_range("max_tokens", max_tokens, COUNT)
    check_range("overlap", overlap, Range(0, max_tokens, is_open_above=True, meaning="max_tokens"))


def reduced(extraction: Extraction, options: Options) -> Extraction:
    """The extraction without the text that the options leave out, and with what they add."""
    page = extraction.page
    if options.posts:
        extraction = _with_post_lines(extraction)
    dropped: list[tuple[Ints, Ints]] = []
    if not options.tables:
        kinds = kept_tables(extraction)
        dropped.append(_text_ranges(page, [table for table, kind in kinds.items() if kind != LAYOUT]))
    if not options.formulas:
        dropped.append(_text_ranges(page, [formula.node for formula in find_formulas(page)]))
        if has_raw_formulas(page):
            dropped.append(raw_ranges(page.text))
    if not options.comments:
        dropped.append(_text_ranges(page, _comments(page)))
    if any(len(starts) for starts, _ in dropped):
        extraction = _without(extraction, dropped)
    if options.max_characters is not None:
        extraction = _cut(extraction, options.max_characters)
    return extraction


def _with_post_lines(extraction: Extraction) -> Extraction:
    """The extraction with author and date of each post of which something is kept."""
    kept_start, kept_end = union(*as_arrays(extraction.spans))
    lines = [
        line
        for post in extraction.comments
        if post.line and len(overlaps(*as_arrays(post.spans), kept_start, kept_end)[0])
        for line in post.line
    ]
    spans = as_spans(*union(*as_arrays((*extraction.spans, *lines)))) if lines else extraction.spans
    return dataclasses.replace(extraction, spans=spans)


def _text_ranges(page: Page, elements: list[int]) -> tuple[Ints, Ints]:
    places = np.array(elements, dtype=np.int64)
    return page.nodes.text_start[places], page.nodes.text_end[places]


def _without(extraction: Extraction, dropped: list[tuple[Ints, Ints]]) -> Extraction:
    starts, ends = union(np.concatenate([start for start, _ in dropped]), np.concatenate([end for _, end in dropped]))
    gap_starts, gap_ends = np.append(0, ends), np.append(starts, len(extraction.page.text))
    start, end, _, _ = overlaps(*union(*as_arrays(extraction.spans)), gap_starts, gap_ends)
    return dataclasses.replace(extraction, spans=as_spans(start, end))


def _comments(page: Page) -> list[int]:
    """Elements that hold what readers wrote."""
    found = []
    for node in page.select(COMMENT_SELECTOR):
        attributes = page.attributes(node)
        names = [*attributes.get("class", "").split(), attributes.get("id", "")]
        is_said = attributes.get("itemprop") == "comment" or attributes.get("itemtype", "").endswith("/Comment")
        if page.name(node) not in ("html", "body", "main", "a", "span") and (
            is_said or any(map(COMMENT_SECTION.fullmatch, names))
        ):
            found.append(node)
    return found


def _cut(extraction: Extraction, most: int) -> Extraction:
    """The extraction up to the last word with which its text is not longer than so many characters."""
    text = extraction.text
    if len(text) <= most:
        return extraction
    cut = text[:most]
    if most and not text[most].isspace() and not cut[-1].isspace():
        cut = cut[: len(cut) - len(re.split(r"\s", cut)[-1])]
    left = len("".join(cut.split()))  # each character that is no blank stands in the text once
    page, spans = extraction.page, []
    pieces = kept_pieces(extraction)
    for start, end in zip(pieces.start.tolist(), pieces.end.tolist(), strict=True):
        if not left:
            break
        for place in range(start, end):
            char = page.text[place]
            left -= not char.isspace() and bool(without_unseen(char))
            if not left:
                end = place + 1
                break
        spans.append((start, end))
    places = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return dataclasses.replace(extraction, spans=as_spans(*union(places[:, 0], places[:, 1])))
