"""The main content of a page: what is kept, and everything that is made of it when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, TypeVar, TypeVarTuple

import numpy as np

from tamis import registry
from tamis.about.walls import MAX_CHARACTERS, find_fold, find_wall
from tamis.errors import OptionError
from tamis.page.blocks import block_texts, kept_shares
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.results.made import UNSAID, Made

if TYPE_CHECKING:
    from tamis.about.metadata import Metadata
    from tamis.about.posts import Post
    from tamis.about.walls import Wall

Thing = TypeVar("Thing")
Asked = TypeVarTuple("Asked")

WALL = "wall: "
"""Prefix of warnings about walls: pages that are a bot check, a login form and the like."""

_WRITTEN_OUT = 10_000  # characters of an image in the place of its address; shorter ones are icons and placeholders


class BlockChoice(NamedTuple):
    """One block of a page: whether it was kept, and why."""

    number: int  # of page.blocks
    span: Span
    kept: bool
    score: float  # the method's own, or the share of its characters that was kept
    label: str  # "main", "closely related" (captions, bylines, related links) or "other"
    reason: str  # why it was kept or dropped, if the method gives reasons
    text: str


class Memo:
    """What was made of an extraction once and is not made again."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Any] = {}

    def once(self, make: Callable[[Extraction, *Asked], Thing], of: Extraction, *asked: *Asked) -> Thing:
        """What the function makes of the extraction and of what else is asked for."""
        key = (make, *asked)
        if key not in self._made:
            self._made[key] = make(of, *asked)
        made: Thing = self._made[key]
        return made


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A part of an extraction that fits into the window of a language model or an index."""

    text: str  # plain text; rows of tables are lines with tabs
    headings: tuple[str, ...]  # the headings above it, the outermost first
    spans: tuple[Span, ...]  # its place, as character ranges of page.text
    fragment: str  # the nearest id on the page, for the end of its URL; empty if there is none
    tokens: int


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """The main content of a page, as ranges of its text.

    ``page`` is the page that was passed in. Where the method judged it with hidden blocks shown, or only its first
    part, ``view`` is that page: the same text, the same nodes. Where the article is not in the markup but in the data
    of a script, there are no spans, and ``embedded`` is the extraction from the page that was made of the data.
    """

    page: Page = field(repr=False)
    spans: tuple[Span, ...]  # what is kept, as ranges of page.text: sorted, not overlapping
    scores: tuple[float, ...] | None = field(default=None, repr=False)  # one per block, when the method has them
    reasons: Sequence[str] | None = field(default=None, repr=False)  # one per block, likewise
    rules: Sequence[str] | None = field(default=None, repr=False)  # short reasons: only the rule that decided
    images: tuple[int, ...] | None = None  # nodes of the images that belong to it, if the method selects images
    headline: int | None = None  # node of the heading that shows the title, when the method kept it
    page_type: str = ""  # page type that the method predicts, if it does
    wall: Wall | None = None  # the wall that the page is, such as a bot check; nothing is kept then
    notes: tuple[str, ...] = ()  # notes of the method about the result
    view: Page | None = field(default=None, repr=False)  # the page as it was judged, where that is another view of it
    embedded: Extraction | None = field(default=None, repr=False)  # the article, where only a script holds it
    made: Made = UNSAID
    # What the outputs share, so that none of it is made twice; nothing that is not known from the other fields.
    shared: Memo = field(default_factory=lambda: Memo(), init=False, repr=False, compare=False)

    @property
    def shown(self) -> Extraction:
        """What outputs write: this extraction on the page as it was judged, or the one that it has embedded."""
        return self if self.view is None and self.embedded is None else self._shown

    @cached_property
    def _shown(self) -> Extraction:
        if self.embedded is not None:
            notes = (*self.notes, *self.embedded.notes)
            return replace(self.embedded, page_type=self.page_type, notes=notes, made=self.made)
        return self if self.view is None else changed(self, page=self.view, view=None)

    @cached_property
    def text(self) -> str:
        """Plain text, blocks separated by blank lines."""
        return self.render("text")

    @cached_property
    def markdown(self) -> str:
        """CommonMark with GitHub's tables and strikethrough."""
        return self.render("markdown")

    @cached_property
    def html(self) -> str:
        """Sanitised, minimal HTML."""
        return self.render("html")

    def render(self, output: str, **options: Any) -> str:
        """The extraction in one of the formats of ``tamis.methods("outputs")``; most of them have options.

        ``md`` and ``txt`` are other names of ``markdown`` and ``text``.
        """
        writer = registry.load("outputs", output)
        if not options:
            rendered: str = writer.render(self.shown)
        elif hasattr(writer, "Options"):
            rendered = writer.render(self.shown, registry.make_options("outputs", output, options))
        else:
            raise OptionError(f"the output {output!r} has no options, but {', '.join(options)} is given")
        return rendered

    def chunks(
        self, max_tokens: int = 512, overlap: int = 0, tokenizer: Callable[[str], SupportsIndex | Sized] | None = None
    ) -> tuple[Chunk, ...]:
        """Split the text into chunks of at most ``max_tokens``, each within one section; see ``outputs/chunks.py``.

        A tokenizer gives the tokens of a text, or their number; without one, words and the characters of scripts
        without spaces are counted. ``overlap`` tokens at most are repeated at the start of the next chunk.
        """
        found: tuple[Chunk, ...] = registry.load("outputs", "chunks").chunks(self.shown, max_tokens, overlap, tokenizer)
        return found

    def to_tei(self, **options: Any) -> str:
        """A TEI document; the options are those of ``render``."""
        return self.render("tei", **options)

    def to_dict(self, **options: Any) -> dict[str, Any]:
        """Everything, ready for JSON; the options are those of ``render``."""
        chosen = registry.make_options("outputs", "json", options)
        result: dict[str, Any] = registry.load("outputs", "json").to_dict(self.shown, chosen)
        return result

    @cached_property
    def metadata(self) -> Metadata:
        """Metadata of the page, images and word count of the content, and the page type if the method predicts it."""
        from tamis.about.media import MAX_MEDIA

        found, of_content = self.page.metadata, registry.load("outputs", "html").images(self.shown)
        images = tuple(dict.fromkeys((*found.images, *of_content)))[:MAX_MEDIA]
        sources = dict(found.sources)
        if len(images) > len(found.images):
            sources["images"] = "declared, and the content" if found.images else "the content"
        return replace(
            found,
            page_type=self.page_type or None,
            word_count=self.word_count or None,
            images=images,
            sources=sources,
        )

    @cached_property
    def word_count(self) -> int:
        """How many words the text has; every ideograph is one."""
        words: int = registry.load("outputs", "text").count_words(self.shown)
        return words

    @cached_property
    def structured_data(self) -> dict[str, Any]:
        """Structured data of the page, unchanged: JSON-LD, meta elements and microdata."""
        from tamis.about.declared import read_structured_data

        return read_structured_data(self.page)

    @cached_property
    def source_spans(self) -> tuple[Span, ...]:
        """What is kept, as ranges of ``page.source``: sorted, not overlapping, each from a word to a word."""
        from tamis.page.source_spans import source_spans

        return source_spans(self.page, self.spans)

    @cached_property
    def comments(self) -> tuple[Post, ...]:
        """Comments and forum posts of the page, kept or not."""
        from tamis.about.threads import read_threads

        return read_threads(self.page)

    @property
    def status(self) -> Literal["ok", "empty", "truncated"]:
        """``ok``, ``empty``, or ``truncated`` if a limit was exceeded; the warnings say more."""
        if self.shown.page.truncated:
            return "truncated"
        return "ok" if self.shown.spans else "empty"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the page, notes of the method, and whether no content was found."""
        shown = self.shown
        said = shown.page.warnings
        wall = () if self.wall is None else (f"{WALL}{self.wall}",)
        nothing = () if shown.spans or said or wall else ("empty: no main content was found on the page",)
        return (*wall, *said, *shown.notes, *nothing, *shown._left_out, *shown._folded)

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        """That more of the text may be behind a control."""
        if not self.spans:
            return ()
        said = find_fold(self.page, self.spans[0].start, self.spans[-1].end)
        return (f"fold: the page has a control {said!r} in its text; more may be shown after it",) if said else ()

    @cached_property
    def _left_out(self) -> tuple[str, ...]:
        """What belongs to the content, but is in no output."""
        if not self.spans:
            return ()
        nodes = self.page.nodes
        images = np.flatnonzero(nodes.named("img"))
        places = nodes.text_start[images]
        images = images[(places >= self.spans[0].start) & (places <= self.spans[-1].end)]
        addresses = self.page.attribute(images, "src")
        count = sum(len(value) >= _WRITTEN_OUT and value[:5].lower() == "data:" for value in addresses if value)
        shown = "1 image is" if count == 1 else f"{count} images are"
        return (f"images: {shown} written out in the page (data:) and left out",) if count else ()

    @cached_property
    def blocks(self) -> tuple[BlockChoice, ...]:
        """All blocks of the page, kept and dropped, with full reasons."""
        return self.shown.block_choices(self.shown.reasons)

    def block_choices(self, reasons: Sequence[str] | None) -> tuple[BlockChoice, ...]:
        """All blocks of the page with these reasons, such as ``self.rules``."""
        from tamis.about.related import RELATED, related_blocks

        blocks = self.page.blocks
        shares = kept_shares(self.page, self.spans).tolist()
        related = related_blocks(self.page, self.spans).tolist()
        labels = [
            "main" if share > 0.5 else RELATED if is_related else "other"
            for share, is_related in zip(shares, related, strict=True)
        ]
        count = len(blocks)
        return tuple(
            BlockChoice(number, Span(start, end), share > 0.5, score, label, reason, text)
            for number, (start, end, share, label, score, reason, text) in enumerate(
                zip(
                    blocks.start.tolist(),
                    blocks.end.tolist(),
                    shares,
                    labels,
                    shares if self.scores is None else self.scores,
                    ("",) * count if reasons is None else reasons,
                    block_texts(blocks),
                    strict=True,
                )
            )
        )


def without_wall(extraction: Extraction) -> Extraction:
    """The extraction; or nothing of it, if a bot check, a login form or the like stands in the place of the page."""
    if extraction.embedded is not None or exceed(extraction.spans, MAX_CHARACTERS):
        return extraction
    judged = extraction.view or extraction.page
    wall = find_wall(judged)
    if wall is None:
        return extraction
    reasons = (f"dropped: {wall}",) * len(judged.blocks)
    return replace(extraction, spans=(), reasons=reasons, rules=reasons, images=(), headline=None, wall=wall)


_FIELDS = tuple(one.name for one in fields(Extraction) if one.init)


def changed(extraction: Extraction, **changes: Any) -> Extraction:
    """What ``replace`` gives, in a tenth of the time: every extraction is changed once or twice."""
    known, copy = vars(extraction), object.__new__(type(extraction))
    values = vars(copy)
    for name in _FIELDS:
        values[name] = known[name]
    values["shared"] = Memo()
    values.update(changes)
    return copy


def exceed(spans: tuple[Span, ...], characters: int) -> bool:
    """Whether some spans have more characters; the first few tell it of most pages."""
    for start, end in spans:
        characters -= end - start
        if characters < 0:
            return True
    return False
