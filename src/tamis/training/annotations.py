"""Annotations: what a person says about the elements of a page, in a form that survives crashes and changed pages.

A set of pages has one file of JSON lines. It is only ever appended to: what somebody says about a page is one line,
the last line of a page and an annotator counts, and a line that a crash cut off costs nothing but itself. An element
is named by its path and by a quote: while the page stays as it is the path finds it, and when it has changed the quote
does, or the mark is reported as lost.

    {"page": "a.html", "annotator": "ann", "page_type": "article", "committed": true, "digest": "…",
     "marks": [{"path": "/html[1]/body[1]/p[2]", "label": "main", "category": "", "quote": "…", "before": "…",
                "after": "…"}],
     "rectangles": [[10.0, 80.0, 700.0, 900.0]], "language": "en",
     "passages": [{"start": 120, "text": "…"}]}

A mark holds for its element and everything in it that has no mark of its own; what no mark covers is noise, but for
passages: text that was selected letter by letter, by its place in ``page.text``.
Definitions after Yunis (2016), chapter 3.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.about.languages import language_code
from tamis.errors import InputError, OptionError
from tamis.evaluation.datasets import Problem
from tamis.page.model import Page
from tamis.stored import DamageError
from tamis.stored.documents import parse_json

__all__ = ["Annotation", "Mark", "Passage", "append", "latest", "read"]

MAIN, NOISY = "main", "noisy"
Rectangle = tuple[float, float, float, float]
_MAX_BYTES = 256 << 20  # of a file of annotations: some 100,000 pages with a hundred marks each
CATEGORIES = {
    "advertisement": "paid product advertising, also when it fits the topic",
    "navigation": "menus and links to important pages of the site",
    "promoted": "links to other pages on the same or a similar topic, or that are popular",
    "legal": "copyright, privacy notices",
    "irrelevant": "extras such as weather or stock indices, related or not",
    "references": "lists of sources, further reading",
    "input": "text boxes, check boxes, and buttons to like, share, print or send",
}
"""The seven kinds of noise. What is none of them is main content."""
PAGE_TYPES = {
    "article": "detailed information on a subject: news, encyclopedia, product, statistics, forum thread, video",
    "directory": "links to other pages with little information: home pages, search results, section fronts",
    "form": "made to receive input: registration, settings, mail",
}
"""Only articles are in the scope of the classifier: on a directory the same link can be content."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What is said about one element."""

    path: str
    label: str = MAIN
    category: str = ""  # of noise; empty when it is not given
    quote: str = ""  # how its text begins; the address of an image
    before: str = ""
    after: str = ""

    def __post_init__(self) -> None:
        if self.label not in (MAIN, NOISY):
            raise OptionError(f"a label is {MAIN!r} or {NOISY!r}, not {self.label!r}")
        if self.category not in ("", *CATEGORIES):
            raise OptionError(f"a category is one of {', '.join(CATEGORIES)}, not {self.category!r}")
        if self.category and self.label == MAIN:
            raise OptionError(f"main content has no category of noise, but {self.category!r} is given")

    @property
    def kind(self) -> str:
        """The category of noise, or the label where there is none."""
        return self.category or self.label


@dataclass(frozen=True, kw_only=True)
class Passage:
    """Text that was selected as main content, although not all of its element is."""

    start: int  # in the text of the page that was annotated
    text: str

    def __post_init__(self) -> None:
        if self.start < 0 or not self.text:
            raise OptionError(f"a passage has a text and a place, not {self.text[:40]!r} at {self.start}")


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """What one annotator says about one page."""

    page: str  # its id in the set, such as the file name
    annotator: str
    page_type: str = ""  # empty when it is not given
    committed: bool = False  # the annotator is done with the page
    digest: str = ""  # of the page that was annotated
    marks: tuple[Mark, ...] = ()
    rectangles: tuple[Rectangle, ...] = ()  # as drawn: left, top, right, bottom
    language: str = ""  # of the main content, as a language tag; empty when it is not given
    passages: tuple[Passage, ...] = ()

    def __post_init__(self) -> None:
        if self.language != language_code(self.language):
            raise OptionError(f"a language is a tag such as en or pt-BR, not {self.language[:40]!r}")
        if self.page_type not in ("", *PAGE_TYPES):
            raise OptionError(f"a page type is one of {', '.join(PAGE_TYPES)}, not {self.page_type!r}")

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Annotation:
        """The annotation that ``to_dict`` wrote; anything else is an ``InputError``."""
        try:
            marks = tuple(Mark(**_strings(mark)) for mark in values.get("marks", ()))
            rectangles = tuple(rectangle(sides) for sides in values.get("rectangles", ()))
            passages = tuple(_passage(passage) for passage in values.get("passages", ()))
            texts = {key: values.get(key, "") for key in ("page_type", "digest", "language")}
            own = _strings({"page": values["page"], "annotator": values["annotator"], **texts})
            committed = values.get("committed", False) is True
            return cls(**own, committed=committed, marks=marks, rectangles=rectangles, passages=passages)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise InputError(f"this is not an annotation: {error!r}") from error


def append(file: Path, annotation: Annotation) -> None:
    """Add a line to a file of annotations; it is on the disk when this returns, and no older line is touched."""
    line = json.dumps(annotation.to_dict(), ensure_ascii=True, allow_nan=False).encode() + b"\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    target = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        size = os.fstat(target).st_size
        if size and os.pread(target, 1, size - 1) != b"\n":  # the last writer was cut off: leave its line behind
            line = b"\n" + line
        # In one call, so that lines of two processes do not mix.
        written = os.write(target, line)
        os.fsync(target)
    finally:
        os.close(target)
    if written < len(line):
        raise InputError(f"only {written} of {len(line)} bytes could be written to {str(file)!r}: make room there")


def read(file: Path) -> tuple[list[Annotation], list[Problem]]:
    """All annotations of a file, oldest first, and the lines that are none; no file is no annotation."""
    try:
        with file.open("rb") as opened:
            data = opened.read(_MAX_BYTES + 1)
        lines = data.split(b"\n")
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise InputError(f"cannot read {str(file)!r}: {error.strerror}") from error
    if len(data) > _MAX_BYTES:
        raise InputError(f"{str(file)!r} has more than {_MAX_BYTES} bytes, which is too much for a file of annotations")
    annotations: list[Annotation] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            annotations.append(Annotation.from_dict(parse_json(line)))
        except (DamageError, InputError) as error:
            problems.append(Problem(f"{file}, line {number}", str(error)))
    return annotations, problems


def latest(annotations: Iterable[Annotation]) -> dict[tuple[str, str], Annotation]:
    """The one that counts for each page and annotator: the last."""
    return {(annotation.page, annotation.annotator): annotation for annotation in annotations}


def page_digest(page: Page) -> str:
    """Fingerprint of the markup."""
    return hashlib.sha256(page.source.encode("utf-8", "surrogatepass")).hexdigest()


def _strings(values: Mapping[str, Any]) -> dict[str, str]:
    for key, value in values.items():
        if not isinstance(value, str):
            raise TypeError(f"{key} is {value!r:.40}, but text is expected")
    return dict(values)


def _passage(values: Mapping[str, Any]) -> Passage:
    if isinstance(values["start"], bool) or not isinstance(values["start"], int):
        raise TypeError(f"start is {values['start']!r:.40}, but a number is expected")
    return Passage(start=values["start"], **_strings({"text": values["text"]}))


def rectangle(sides: Any) -> Rectangle:
    """Left, top, right and bottom; what are not four finite numbers is a ``ValueError`` or a ``TypeError``."""
    left, top, right, bottom = (float(side) for side in sides)
    if not all(map(math.isfinite, (left, top, right, bottom))):
        raise ValueError(f"sides of a rectangle are numbers, not {sides!r:.60}")
    return left, top, right, bottom
