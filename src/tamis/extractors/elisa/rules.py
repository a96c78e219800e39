"""Rules that label the regions of a page, written as data.

A rule file is TOML, a list of tables ``[[rule]]``. Each names the elements it looks at, what must hold of them (all
conditions that are given), and the label they get:

    [[rule]]
    name = "logo by address"
    label = "logo"
    context = ["img"]
    attributes = ["src"]
    contains = ["logo"]
"""

from __future__ import annotations

import dataclasses
import functools
import re
import tomllib
import typing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.errors import InputError, OptionError
from tamis.page.names import is_element_name

__all__ = ["LabelRule", "load_rules", "parse_rules"]

LABELS = ("content", "layout", "navigation", "form", "footer", "logo")

Words = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LabelRule:
    """Which elements get a label. Of lists one entry is enough; an empty list and ``None`` are no condition."""

    name: str  # for explanations
    label: str  # one of LABELS
    context: Words  # names of elements, or "*"
    attributes: Words = ()  # whose values are searched for ``contains`` or ``words``
    contains: Words = ()  # any part of a value, in any case
    words: Words = ()  # a part that no letter or digit touches
    text_contains: Words = ()  # any part of the text below the element, in any case
    inside: Words = ()  # names of ancestors
    not_inside: Words = ()
    holds: Words = ()  # names of descendants
    lacks: Words = ()
    min_words: int | None = None  # words a reader sees
    max_words: int | None = None
    min_link_share: float | None = None  # of the characters a reader sees
    max_link_share: float | None = None
    min_position: float | None = None  # where the element begins: the share of the page's words that stand before it
    max_position: float | None = None


def load_rules(path: Path) -> str:
    """The text of a rule file, checked; errors name the file, the line and what was expected."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}; pass a file that exists") from error
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {str(path)!r}: it is not UTF-8; save it as UTF-8") from error
    parse_rules(text, str(path))
    return text


@functools.lru_cache(maxsize=64)
def parse_rules(text: str, origin: str = "option rules") -> tuple[LabelRule, ...]:
    """The rules of a rule file's text; ``origin`` says in errors where the text is from."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise OptionError(f"{origin}, line {line}: this is not valid TOML: {error}") from error
    tables = document.pop("rule", [])
    if document or not _is_list_of(tables, dict):
        raise OptionError(f"{origin}, line {_line_of(text, 0, *document)}: tables [[rule]] are expected, nothing else")
    rules = []
    for number, table in enumerate(tables, start=1):
        try:
            rules.append(_read(table))
        except _WrongKeyError as error:
            raise OptionError(f"{origin}, line {_line_of(text, number, error.key)}: {error}") from None
    return tuple(rules)


class _WrongKeyError(Exception):
    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def _read(table: dict[str, Any]) -> LabelRule:
    kinds = typing.get_type_hints(LabelRule)
    values = {}
    for key, value in table.items():
        if key not in kinds:
            raise _WrongKeyError(key, f"unknown key {key!r}; one of {', '.join(kinds)} is expected")
        values[key] = _checked(key, value, kinds[key])
    required = (field.name for field in dataclasses.fields(LabelRule) if field.default is dataclasses.MISSING)
    for key in required:
        if key not in values:
            raise _WrongKeyError(
                key, f"the key {key!r} is missing from this rule; name, label and context are expected"
            )
    rule = LabelRule(**values)
    if bool(rule.attributes) != bool(rule.contains or rule.words):
        raise _WrongKeyError(
            "attributes", "attributes are expected together with contains or words, and the other way round"
        )
    return rule


def _checked(key: str, value: Any, kind: Any) -> Any:
    """The value as the rule holds it, if it fits its key."""
    if kind is str:
        wanted = f"one of {', '.join(LABELS)}" if key == "label" else "a text"
        fits = isinstance(value, str) and (key != "label" or value in LABELS)
    elif kind == Words:
        is_names = key in ("context", "inside", "not_inside", "holds", "lacks")
        wanted = "a list of names of HTML elements" if is_names else "a list of texts"
        fits = _is_list_of(value, str) and bool(value) and all(map(str.strip, value))
        fits = fits and (
            not is_names or all(is_element_name(name) or (name, key) == ("*", "context") for name in value)
        )
        value = tuple(value) if fits else value
    elif kind == int | None:
        wanted = "a whole number from 0"
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    else:
        wanted = "a number from 0 to 1"
        fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    if not fits:
        raise _WrongKeyError(key, f"{key} is {value!r}, but {wanted} is expected")
    return value


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _line_of(text: str, rule: int, *keys: str) -> int:
    """The line where a rule says something of one of the keys, or else begins; the parser keeps no lines."""
    lines = text.splitlines()
    begins = 0
    for number, line in enumerate(lines, start=1):
        rule -= line.strip().startswith("[[rule]]")
        begins = begins or (number if rule <= 0 else 0)
        if rule == 0 and any(re.match(rf"""\s*\[*["']?{re.escape(key)}\b""", line) for key in keys):
            return number
    return begins or 1
