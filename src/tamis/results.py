"""What methods return: frozen values that say what was chosen, why, and by whom.

A result holds places in pages (spans, node numbers), never copies of them. Text, Markdown, HTML, JSON and TEI are
renderings of an ``Extraction``, made when asked for by the modules in ``outputs/``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, TypeVar, TypeVarTuple

import numpy as np

from tamis import registry
from tamis.errors import FileFormatError, OptionError
from tamis.files import aside
from tamis.page.blocks import block_texts, kept_shares
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import word_ranges
from tamis.stored import DamageError, reading
from tamis.stored.documents import read_json
from tamis.stored.values import check_format
from tamis.stored.values import made as checked

if TYPE_CHECKING:
    from tamis.about.metadata import Metadata
    from tamis.about.posts import Post
    from tamis.about.walls import Wall

Thing = TypeVar("Thing")
Asked = TypeVarTuple("Asked")

_WRITTEN_OUT = 10_000  # characters of an image in the place of its address; shorter ones are icons and placeholders
TEMPLATE_FORMAT = 1  # grows when a saved template can no longer be read by an older version


@dataclass(frozen=True, kw_only=True)
class Made:
    """Who made a result; filled in by the function that ran the method."""

    method: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""


class BlockChoice(NamedTuple):
    """One block of a page and what became of it."""

    number: int  # of page.blocks
    span: Span
    kept: bool
    score: float  # the method's own, or the share of its characters that was kept
    label: str  # "main", "closely related" (captions, bylines, related links) or "other"
    reason: str  # in the method's words, if it gives reasons
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
    headings: tuple[str, ...]  # the headings it stands under, the outermost first
    spans: tuple[Span, ...]  # where it stands, as character ranges of page.text
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
    rules: Sequence[str] | None = field(default=None, repr=False)  # reasons in short: only what decided last
    images: tuple[int, ...] | None = None  # nodes of the images that belong to it, when the method judges images
    headline: int | None = None  # node of the heading that shows the title, when the method kept it
    page_type: str = ""  # what kind of page the method took it for, if it says so
    notes: tuple[str, ...] = ()  # what the method wants the reader to know
    view: Page | None = field(default=None, repr=False)  # the page as it was judged, where that is another view of it
    embedded: Extraction | None = field(default=None, repr=False)  # the article, where only a script holds it
    made: Made = Made()
    # What the outputs share, so that none of it is made twice; nothing that is not known from the other fields.
    shared: Memo = field(default_factory=lambda: Memo(), init=False, repr=False, compare=False)

    @cached_property
    def shown(self) -> Extraction:
        """What outputs write: this extraction on the page as it was judged, or the one that it has embedded."""
        if self.embedded is not None:
            notes = (*self.notes, *self.embedded.notes)
            return replace(self.embedded, page_type=self.page_type, notes=notes, made=self.made)
        return self if self.view is None else replace(self, page=self.view, view=None)

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
        self, max_tokens: int = 512, overlap: int = 0, tokenizer: Callable[[str], int | Sized] | None = None
    ) -> tuple[Chunk, ...]:
        """The text in parts of at most so many tokens, each within one section; see ``outputs/chunks.py``.

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
        """What the page says about itself, the words of the text, and the page type if the method judges it."""
        words = len(word_ranges(self.text)[0])
        return replace(self.page.metadata, page_type=self.page_type or None, word_count=words or None)

    @cached_property
    def structured_data(self) -> dict[str, Any]:
        """What the page declares for programs: JSON-LD, meta elements and microdata, as they stand there."""
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
        """``ok``, ``empty``, or ``truncated`` when a limit cut the page; the warnings say more.

        ``empty`` is also a page in whose place something else stands, such as a login form, whatever its text is.
        """
        if self.shown.page.truncated:
            return "truncated"
        return "ok" if self.shown.spans and self.wall is None else "empty"

    @cached_property
    def wall(self) -> Wall | None:
        """What stands in the place of the page, such as a bot check, if the page itself tells."""
        from tamis.about.walls import MAX_CHARACTERS, find_wall

        kept = sum(span.end - span.start for span in self.shown.spans)
        return find_wall(self.page) if self.embedded is None and kept <= MAX_CHARACTERS else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What should be known: what the page warns of, notes of the method, and that nothing was found."""
        shown = self.shown
        said = shown.page.warnings
        wall = () if self.wall is None else (f"wall: {self.wall}",)
        nothing = () if shown.spans or said or wall else ("empty: nothing on the page was taken for content",)
        return (*wall, *said, *shown.notes, *nothing, *shown._left_out, *shown._folded)

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        """That more of the text may be behind a control."""
        if not self.spans:
            return ()
        from tamis.about.walls import find_fold

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
        """All blocks of the page as it was judged, kept and dropped, with full reasons."""
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


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of a page: the nodes it is made of, where it is shown, how sure the method is, what it consists of."""

    nodes: tuple[int, ...]  # each stands for everything below it
    box: tuple[float, float, float, float] | None = None  # left, top, right, bottom in pixels
    score: float | None = None  # the method's own
    label: str = ""  # what the region is for, if the method says so
    parts: tuple[Region, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Segmentation:
    """A page as a tree of regions."""

    page: Page = field(repr=False)
    root: Region
    made: Made = Made()

    @property
    def status(self) -> Literal["ok", "empty", "truncated"]:
        """``ok``, ``empty`` when there is nothing to divide, or ``truncated`` when a limit cut the page."""
        if self.page.truncated:
            return "truncated"
        return "ok" if self.root.parts else "empty"

    @property
    def leaves(self) -> tuple[Region, ...]:
        """The regions that are not divided further, in order; the finest segments of the page."""
        from tamis.regions import walk

        return tuple(item.region for item in walk(self.root)[1:] if not item.region.parts)

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON: the tree of regions, each with its own text, without that of its parts."""
        from tamis.regions import texts, walk

        placed = walk(self.root)
        regions: list[dict[str, Any]] = []
        for (region, parent, _), text in zip(placed, texts(self.page, placed), strict=True):
            told = {
                "label": region.label,
                "score": None if region.score is None else round(region.score, 4),
                "box": None if region.box is None else [round(edge, 1) for edge in region.box],
                "nodes": list(region.nodes),
                "text": text,
                "parts": [],
            }
            regions.append(told)
            if parent >= 0:
                regions[parent]["parts"].append(told)
        boxes = self.page.boxes
        return {
            "url": self.page.url,
            "status": self.status,
            "method": self.made.method,
            "options": dict(self.made.options),
            "version": self.made.version,
            "estimated": boxes is None or boxes.estimated,
            "viewport": None if boxes is None else list(boxes.viewport),
            "root": regions[0],
        }


class Merge(NamedTuple):
    """Two groups of pages that became one: a page of each, and how far apart the groups were."""

    left: int
    right: int
    distance: float


@dataclass(frozen=True, kw_only=True)
class Clustering:
    """Pages in groups, by their position in the list that was clustered."""

    groups: tuple[tuple[int, ...], ...]  # in the order of their first pages
    threshold: float | None = None  # distance up to which pages were put together, when one decided
    representatives: tuple[int, ...] | None = None  # the page that stands for each group, when the method has them
    merges: tuple[Merge, ...] | None = field(default=None, repr=False)  # nearest first, when groups were joined
    made: Made = Made()

    @property
    def labels(self) -> tuple[int, ...]:
        """For each page the number of its group."""
        group_of = {page: number for number, group in enumerate(self.groups) for page in group}
        return tuple(group_of[page] for page in range(len(group_of)))


class Part(NamedTuple):
    """One place of a template, and what the training pages have there."""

    path: str  # names of the elements from the root, with their ids and classes
    pages: int  # training pages that have the place
    texts: int  # different texts found there
    kept: float  # share of its blocks that the method keeps, from 0 to 1
    sample: str  # the text that is found there most often


@dataclass(frozen=True, kw_only=True)
class Template:
    """What the pages of one group share, the slots their content fills, and how to clean another page with it."""

    fixed: tuple[Part, ...] = ()  # the same on all pages
    slots: tuple[Part, ...] = ()  # filled anew on every page
    pages: tuple[str, ...] = ()  # fingerprints of the training pages, duplicates left out
    model: Mapping[str, Any] = field(default_factory=dict, repr=False)  # what the method learned, in types JSON has
    fallback: str = ""  # the extractor that stands in for a template learned from too few pages
    notes: tuple[str, ...] = ()
    made: Made = Made()

    def extract(self, page: Page) -> Extraction:
        """The content of one page: of the training set, or another one made from the same template."""
        if self.fallback:
            stand_in = registry.load("extractors", self.fallback)
            found: Extraction = stand_in.extract(page, stand_in.Options())
        else:
            options = registry.make_options("templates", self.made.method, self.made.options)
            found = registry.load("templates", self.made.method).extract(page, self, options)
        return replace(found, notes=(*self.notes, *found.notes), made=self.made)

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        made = {**asdict(self.made), "options": dict(self.made.options)}
        return {
            "format": TEMPLATE_FORMAT,
            "fixed": [part._asdict() for part in self.fixed],
            "slots": [part._asdict() for part in self.slots],
            "pages": list(self.pages),
            "model": dict(self.model),
            "fallback": self.fallback,
            "notes": list(self.notes),
            "made": made,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Template:
        """The template that ``to_dict`` wrote; anything else is a ``FileFormatError``."""
        try:
            return _read_template(values)
        except DamageError as error:
            raise FileFormatError(f"this template {error}; pass what Template.to_dict gave") from error

    def save(self, path: Path) -> None:
        """Write the template as JSON: the whole file or none."""
        with aside(path) as part:
            part.write_text(json.dumps(self.to_dict(), ensure_ascii=True, allow_nan=False), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Template:
        """The template in a file; a file that does not hold one is a ``FileFormatError``."""
        with reading("the template", path, "learn it again, or pass what Template.save wrote"):
            return _read_template(read_json(path))


class _PlainTemplate(TypedDict):
    """A template in types that JSON has."""

    format: int
    fixed: list[Part]
    slots: list[Part]
    pages: list[str]
    model: dict[str, Any]
    fallback: str
    notes: list[str]
    made: Made


def _read_template(values: Any) -> Template:
    """A template from plain values, if its method can work with it."""
    check_format(values, TEMPLATE_FORMAT)
    plain: _PlainTemplate = checked(_PlainTemplate, values)
    made = replace(plain["made"], options=_with_tuples(plain["made"].options))
    try:
        if plain["fallback"]:
            registry.load("extractors", plain["fallback"])
        else:
            method = registry.load("templates", made.method)
            registry.make_options("templates", made.method, made.options)
            _check_model(method, plain["model"])
    except (OptionError, ValueError) as error:
        raise DamageError(f"is damaged ({error})") from error
    return Template(
        fixed=tuple(plain["fixed"]),
        slots=tuple(plain["slots"]),
        pages=tuple(plain["pages"]),
        model=plain["model"],
        fallback=plain["fallback"],
        notes=tuple(plain["notes"]),
        made=made,
    )


def _check_model(method: Any, model: Mapping[str, Any]) -> None:
    """What a method learned, held against the type ``Model`` and the function ``check_model``, if it has them."""
    if hasattr(method, "Model"):
        read = checked(method.Model, model, "model")
        if hasattr(method, "check_model"):
            method.check_model(read)


def _with_tuples(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


@dataclass(frozen=True, kw_only=True)
class Labelling:
    """A label for some of the nodes of a page."""

    page: Page = field(repr=False)
    labels: Mapping[int, str]
    made: Made = Made()
