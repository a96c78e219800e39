"""A folder of pages that people annotate: what is shown of a page, and what is kept of what they say.

Every change is a line of ``annotations.jsonl`` in the folder as soon as it is made (``training.annotations``), so that
nothing said is lost when the browser, the service or the machine ends.
"""

from __future__ import annotations

import math
import struct
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import tamis
from tamis.about.languages import language_code
from tamis.errors import InputError, OptionError, TamisError
from tamis.evaluation.datasets import Problem
from tamis.extractors.elements.groups import GROUPS, Elements, find_elements
from tamis.files import PAGE_SUFFIXES
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import collapse
from tamis.rendering.render import render_full
from tamis.training.annotations import (
    CATEGORIES,
    MAIN,
    NOISY,
    PAGE_TYPES,
    Annotation,
    Passage,
    Rectangle,
    append,
    latest,
    page_digest,
    read,
    rectangle,
)
from tamis.training.attachments import (
    Agreement,
    Attached,
    ElementPaths,
    agreement,
    attach,
    fewest_marks,
    from_extraction,
)
from tamis.training.extents import held, seen_rects
from tamis.training.passages import find_passages

FILE = "annotations.jsonl"
_KEPT_PAGES = 6  # rendered pages held in memory: the one at work, and those around it
_SHOWN_CHARACTERS = 200  # of an element's text in the list
_PNG_SIZE_AT = 16  # behind the signature, and length and name of the first chunk
_SUGGESTED = "tamis"  # who suggests what nobody has annotated yet


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A page as it is annotated."""

    id: str
    page: Page
    screenshot: bytes | None
    warning: str = ""  # why there is no picture of it

    @cached_property
    def elements(self) -> Elements:
        return find_elements(self.page)

    @cached_property
    def places(self) -> ElementPaths:
        return ElementPaths(self.page)

    @property
    def picture_px(self) -> tuple[int, int] | None:
        """Width and height of the picture: of a very tall page it shows only the upper part."""
        return None if self.screenshot is None else _png_size(self.screenshot)

    def kinds(self, attached: Attached) -> dict[int, str]:
        """Main, noisy or the category of noise, of every element that is judged."""
        kinds = attached.kinds(self.page)
        return {node: kinds[node] for node in self.elements.node.tolist()}


@dataclass
class PageSet:
    """The pages of a folder, and what was said about them."""

    folder: Path
    width: int = 1366  # of the window that pages are rendered for
    _sheets: OrderedDict[str, Sheet] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise InputError(f"{str(self.folder)!r} is not a folder: pass one with saved pages")
        if not self.ids:
            raise InputError(
                f"there are no pages in {str(self.folder)!r}: files that end in {', '.join(PAGE_SUFFIXES)}"
            )

    @cached_property
    def _names(self) -> tuple[str, ...]:
        files = (path for path in self.folder.rglob("*") if path.suffix.lower() in PAGE_SUFFIXES and path.is_file())
        return tuple(sorted(path.relative_to(self.folder).as_posix() for path in files))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The pages by their names below the folder."""
        return tuple(name for name in self._names if _is_text(name))

    @property
    def unnamed(self) -> tuple[str, ...]:
        """Files whose names are no text, so that no browser can ask for them, written so that they can be shown."""
        return tuple(ascii(name) for name in self._names if not _is_text(name))

    @property
    def file(self) -> Path:
        return self.folder / FILE

    def said(self) -> tuple[dict[tuple[str, str], Annotation], list[Problem]]:
        """What counts of all that was said, by page and annotator, and lines that cannot be read."""
        found, problems = read(self.file)
        return latest(found), problems

    def sheet(self, page: str) -> Sheet:
        """A page, rendered if that is possible; a page outside of the set is an ``InputError``."""
        if page not in self.ids:
            raise InputError(f"there is no page {page!r} in {str(self.folder)!r}")
        with self._lock:
            if page in self._sheets:
                self._sheets.move_to_end(page)
                return self._sheets[page]
        made = self._made(page)
        with self._lock:
            self._sheets[page] = made
            while len(self._sheets) > _KEPT_PAGES:
                self._sheets.popitem(last=False)
        return made

    def _made(self, page: str) -> Sheet:
        file = self.folder / page
        try:
            rendering = render_full(file, width=self.width, assets=self.folder)
        except TamisError as error:
            return Sheet(id=page, page=tamis.parse(file), screenshot=None, warning=str(error))
        warning = "" if rendering.screenshot else "; ".join(rendering.page.warnings) or "it could not be rendered"
        return Sheet(id=page, page=rendering.page, screenshot=rendering.screenshot, warning=warning)


def overview(pages: PageSet, annotator: str) -> dict[str, Any]:
    """The whole set: how far the annotator is, who else works on it, and what may be said."""
    said, problems = pages.said()
    others = sorted({name for _, name in said} - {annotator})
    return {
        "folder": str(pages.folder),
        "pages": [_progress(page, said.get((page, annotator))) for page in pages.ids],
        "others": others,
        "categories": CATEGORIES,
        "page_types": PAGE_TYPES,
        "problems": [
            *(f"{problem.place}: {problem.reason}" for problem in problems),
            *(f"{name} is left out: its name is no text; rename the file" for name in pages.unnamed),
        ],
    }


def _progress(page: str, annotation: Annotation | None) -> dict[str, str]:
    status = "new" if annotation is None else "done" if annotation.committed else "begun"
    return {"id": page, "status": status, "page_type": annotation.page_type if annotation else ""}


def shown(pages: PageSet, page: str, annotator: str) -> dict[str, Any]:
    """Everything about one page: its elements, and what the annotator, or at first Tamis, says about them."""
    sheet = pages.sheet(page)
    own = pages.said()[0].get((page, annotator))
    annotation = own or from_extraction(tamis.extract(sheet.page), page, _SUGGESTED)
    attached = attach(annotation, sheet.page, sheet.places)
    passages = find_passages(annotation, sheet.page)
    boxes = sheet.page.boxes
    return {
        "id": page,
        "width": boxes.width if boxes else 0,
        "height": boxes.height if boxes else 0,
        "picture": sheet.picture_px,
        "warning": sheet.warning,
        "elements": _elements(sheet),
        "kinds": sheet.kinds(attached),
        "rectangles": annotation.rectangles,
        "page_type": annotation.page_type,
        "language": annotation.language or sheet.page.metadata.language or "",
        "passages": passages.spans,
        "committed": annotation.committed,
        "suggested": own is None,
        "changed": own is not None and own.digest != page_digest(sheet.page),
        "moved": [mark.quote for mark in attached.moved],
        "lost": [
            *(mark.quote or mark.path for mark in attached.lost),
            *(passage.text[:_SHOWN_CHARACTERS] for passage in passages.lost),
        ],
    }


def _elements(sheet: Sheet) -> list[dict[str, Any]]:
    page, elements = sheet.page, sheet.elements
    rects = seen_rects(page, elements).round(1).tolist()
    return [
        {
            "node": node,
            "group": GROUPS[group],
            "name": page.name(node),
            "text": collapse(page.node_text(node))[:_SHOWN_CHARACTERS] or page.attributes(node).get("alt", ""),
            "box": None if math.isnan(rect[0]) else rect,
        }
        for node, group, rect in zip(elements.node.tolist(), elements.group.tolist(), rects, strict=True)
    ]


def inside(pages: PageSet, page: str, rectangles: Sequence[Rectangle]) -> list[int]:
    """The elements that lie entirely inside one of the rectangles."""
    sheet = pages.sheet(page)
    if sheet.page.boxes is None:
        raise InputError(f"rectangles need a rendered page: {sheet.warning}")
    found: list[int] = held(sheet.page, sheet.elements, rectangles).tolist()
    return found


def keep(pages: PageSet, values: Mapping[str, Any]) -> dict[str, str]:
    """Add what an annotator says about a page to the file; elements that nothing is said about are noise."""
    sheet = pages.sheet(_text(values, "page"))
    annotator = _text(values, "annotator").strip()
    if not annotator or annotator == _SUGGESTED:
        raise OptionError(f"annotator is {annotator!r}, but a name is expected, and not that of the suggestions")
    kinds = read_kinds(sheet, values)
    passages = read_spans(sheet, values, "passages")
    annotation = Annotation(
        page=sheet.id,
        annotator=annotator,
        page_type=_text(values, "page_type", ""),
        committed=values.get("committed") is True,
        digest=page_digest(sheet.page),
        marks=fewest_marks(sheet.page, kinds, sheet.places),
        rectangles=read_rectangles(values.get("rectangles", [])),
        language=_language(_text(values, "language", "").strip()),
        passages=tuple(Passage(start=start, text=sheet.page.text[start:end]) for start, end in passages),
    )
    append(pages.file, annotation)
    return _progress(sheet.id, annotation)


def _language(text: str) -> str:
    """A language tag in its usual form."""
    code = language_code(text)
    if text and not code:
        raise OptionError(f"a language is a tag such as en or pt-BR, not {text[:40]!r}")
    return code


def read_kinds(sheet: Sheet, values: Mapping[str, Any]) -> dict[int, str]:
    """What each element is, as it is sent: by the numbers of elements; noise where nothing is said."""
    given = values.get("kinds")
    if not isinstance(given, Mapping):
        raise OptionError("kinds is missing: what each element is, by its number")
    judged = {str(node): node for node in sheet.elements.node.tolist()}
    unknown = next((key for key in given if key not in judged), None)
    if unknown is not None:
        raise OptionError(f"there is no element {unknown!r} on the page {sheet.id!r}: load the page again")
    if wrong := [kind for kind in given.values() if kind not in (MAIN, NOISY, *CATEGORIES)]:
        raise OptionError(f"an element is {MAIN}, {NOISY} or one of {', '.join(CATEGORIES)}, not {wrong[0]!r:.40}")
    return {node: given.get(key, NOISY) for key, node in judged.items()}


def read_spans(sheet: Sheet, values: Mapping[str, Any], name: str) -> tuple[Span, ...]:
    """Ranges of the text of a page as they are sent: lists of start and end."""
    given, length = values.get(name, []), len(sheet.page.text)
    try:
        spans = tuple(Span(int(start), int(end)) for start, end in given)
    except (OverflowError, TypeError, ValueError) as error:
        raise OptionError(f"{name} are lists of start and end, not {given!r:.80}") from error
    if wrong := [span for span in spans if not 0 <= span.start < span.end <= length]:
        raise OptionError(f"{name}: the text of {sheet.id!r} has {length} characters, and no range {tuple(wrong[0])}")
    return spans


def read_rectangles(value: Any) -> tuple[Rectangle, ...]:
    """Rectangles as they are sent: lists of left, top, right and bottom."""
    try:
        return tuple(rectangle(sides) for sides in value)
    except (OverflowError, TypeError, ValueError) as error:
        raise OptionError(f"rectangles are lists of left, top, right and bottom, not {value!r:.80}") from error


def compared(pages: PageSet, first: str, second: str) -> dict[str, Any]:
    """How far two annotators agree on the pages both are done with."""
    said, _ = pages.said()
    rows: list[dict[str, Any]] = []
    total = Agreement(first=(), second=(), words=())
    for page in pages.ids:
        mine, theirs = said.get((page, first)), said.get((page, second))
        if mine is None or theirs is None or not (mine.committed and theirs.committed):
            continue
        sheet = pages.sheet(page)
        found = agreement(mine, theirs, sheet.page, sheet.elements)
        total = total + found
        rows.append({"page": page, **_figures(found)})
    return {"first": first, "second": second, "pages": rows, "all": _figures(total) if rows else None}


def _figures(found: Agreement) -> dict[str, float | int]:
    figures = {"kappa": found.kappa, "word_kappa": found.word_kappa, "b_cubed": found.b_cubed}
    return {"elements": len(found.first), **{name: round(value, 4) for name, value in figures.items()}}


def _text(values: Mapping[str, Any], name: str, usual: str | None = None) -> str:
    value = values.get(name, usual)
    if not isinstance(value, str):
        raise OptionError(f"{name} is {value!r:.40}, but text is expected")
    return value


def _png_size(picture: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", picture, _PNG_SIZE_AT)
    return width, height


def _is_text(name: str) -> bool:
    """Whether it can be written: names of files may be any bytes."""
    return name.encode("utf-8", "replace") == name.encode("utf-8", "surrogatepass")
