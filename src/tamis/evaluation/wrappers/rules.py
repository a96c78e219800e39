"""The rule file of a site: TOML, with one table ``[[part]]`` for each part of the gold text, in the order of the text.

language = "de"

[[part]]
name = "headline"
select = "h3.artikelhead"

[[part]]
name = "text"
between = ["content", "/content"]       # <!-- content --> … <!-- /content -->
without = ".info, script-box"
min_words = 20
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tamis.errors import InputError, OptionError
from tamis.page.load import parse
from tamis.ranges import NOT_NEGATIVE, check_ranges
from tamis.registry import fill

_PAIR = 2


@dataclass(frozen=True, kw_only=True)
class GoldPart:
    """A part of the gold text, and the landmarks by which it is found."""

    name: str = ""  # for the report
    select: str = ""  # CSS selector of the elements; elements of any name, and title, are allowed
    between: tuple[str, ...] = ()  # two comments; with select, elements between them
    after: str = ""  # CSS selector: only what stands behind the first such element
    after_comment: str = ""  # the same for a comment; without select, the block of text that follows is meant
    take: Literal["first", "all", "only"] = "first"  # of several; "only" fails if there are several
    levels: int | None = None  # how deep elements may be nested in the part: 0 is its own text; None is all of it
    without: str = ""  # CSS selector of elements in the part that do not belong to it
    without_between: tuple[str, ...] = ()  # two comments around what does not belong to it
    strip_prefix: str = ""
    strip_suffix: str = ""
    optional: bool = False  # a page without it is no failure
    min_words: int = 1  # fewer are a failure

    def __post_init__(self) -> None:
        for name in ("between", "without_between"):
            if len(getattr(self, name)) not in (0, _PAIR):
                raise OptionError(f"{name} are two comments, not {list(getattr(self, name))}")
        if not (self.select or self.between or self.after_comment):
            raise OptionError("select, between or after_comment is missing: how is the part found?")
        if self.after and self.after_comment:
            raise OptionError("after and after_comment are both given: one of them is the landmark")
        check_ranges(self, levels=NOT_NEGATIVE, min_words=NOT_NEGATIVE)
        for selector in filter(None, (self.select, self.after, self.without)):
            parse("").select(selector)  # a wrong one is told before the first page is read


@dataclass(frozen=True, kw_only=True)
class Wrapper:
    """How the gold text of a site is cut out of its pages."""

    parts: tuple[GoldPart, ...]
    language: str = ""  # kept with every page


def read_wrapper(file: Path) -> Wrapper:
    """The wrapper in a rule file; errors name the file, the part and what is wrong."""
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {str(file)!r}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{str(file)!r} is not valid TOML: {error}") from error
    tables, language = values.pop("part", []), values.pop("language", "")
    if values or not isinstance(language, str) or not isinstance(tables, list) or not tables:
        raise OptionError(f"{str(file)!r}: tables [[part]] and optionally a language are expected, nothing else")
    parts = []
    for number, table in enumerate(tables, start=1):
        try:
            parts.append(_part(table, number))
        except OptionError as error:
            raise OptionError(f"{str(file)!r}, part {number}: {error}") from error
    return Wrapper(parts=tuple(parts), language=language)


def _part(table: object, number: int) -> GoldPart:
    if not isinstance(table, dict):
        raise OptionError("a table [[part]] is expected")
    part: GoldPart = fill(GoldPart, "key of a part", table)
    return part if part.name else dataclasses.replace(part, name=f"part {number}")


def to_toml(wrapper: Wrapper) -> str:
    """The rule file of a wrapper; what is as usual is left out."""
    lines = [f"language = {_written(wrapper.language)}", ""] if wrapper.language else []
    for part in wrapper.parts:
        values = [(field.name, getattr(part, field.name), field.default) for field in dataclasses.fields(GoldPart)]
        said = [f"{name} = {_written(value)}" for name, value, usual in values if value != usual]
        lines += ["[[part]]", *said, ""]
    return "\n".join(lines)


def _written(value: object) -> str:
    """A value as TOML writes it: as JSON does, but for characters above the first 65,536, which JSON halves.

    >>> _written(("a", 'b"')), _written(True), _written("\\N{SAUROPOD}")
    ('["a", "b\\\\""]', 'true', '"🦕"')
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
