"""What the pages of one group share, and the files in which that is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from tamis import registry
from tamis.errors import FileFormatError, OptionError
from tamis.files import write_text
from tamis.page.model import Page
from tamis.results.extractions import Extraction, without_wall
from tamis.results.made import UNSAID, Made
from tamis.stored import DamageError, reading
from tamis.stored.documents import read_json
from tamis.stored.values import check_format
from tamis.stored.values import made as checked

TEMPLATE_FORMAT = 1  # grows when a saved template can no longer be read by an older version


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
    slots: tuple[Part, ...] = ()  # different on every page
    pages: tuple[str, ...] = ()  # fingerprints of the training pages, duplicates left out
    model: Mapping[str, Any] = field(default_factory=dict, repr=False)  # what the method learned, in types JSON has
    fallback: str = ""  # the extractor that is used instead if there were too few pages to learn from
    notes: tuple[str, ...] = ()
    made: Made = UNSAID

    def extract(self, page: Page) -> Extraction:
        """The content of one page: of the training set, or another one made from the same template."""
        if self.fallback:
            stand_in = registry.load("extractors", self.fallback)
            found: Extraction = stand_in.extract(page, stand_in.Options())
        else:
            options = registry.make_options("templates", self.made.method, self.made.options)
            found = registry.load("templates", self.made.method).extract(page, self, options)
        return without_wall(replace(found, notes=(*self.notes, *found.notes), made=self.made))

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

    def save(self, path: str | Path) -> None:
        """Write the template as JSON; the file is written whole or not at all."""
        write_text(Path(path), json.dumps(self.to_dict(), ensure_ascii=True, allow_nan=False))

    @classmethod
    def load(cls, path: str | Path) -> Template:
        """The template in a file; a file that does not hold one is a ``FileFormatError``."""
        file = Path(path)
        with reading("the template", file, "learn it again, or pass what Template.save wrote"):
            return _read_template(read_json(file))


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
