"""Data that scripts carry: JSON-LD, and the state with which frameworks rebuild a page in the browser.

Scripts are never run. What is JSON is read as JSON, what nearly is JSON is repaired where that is simple, and of
programs only their quoted strings are read. Every step reads each character a fixed number of times, and no more than
``MAX_CHARACTERS`` of scripts are read at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any, NamedTuple

import numpy as np

from tamis.about.named import elements
from tamis.characters import writable
from tamis.page.model import Page

MAX_CHARACTERS = 16 * 1024 * 1024  # of all scripts; the most seen in train/wcxb are 5 million
_MIN_STATE = 250  # characters; an article does not fit into less
_MAX_OBJECTS = 20_000  # JSON-LD objects of one page; the most seen in train/wcxb are 400
_MAX_REREADING = 3  # times its own length is what failed attempts to read a script may cost
_COUNTING_GAIN = 50  # times quicker than reading is counting lines; measured 117
_READER = json.JSONDecoder(strict=False)  # line breaks inside strings are common and harmless

# Patterns never give up in the middle of a string: an unclosed one reaches to the end. So each is linear.
_STRING = r'"((?:[^"\\]|\\.)*+)(?:"|\Z)'
_NAMING = r"\s{0,9}+:\s{0,9}+"
_UNNAMED = rf'(?:[^\w"\\]++|\w++(?!{_NAMING}"))*+'  # what stands between strings, and words that name none
_PAIRS = re.compile(  # one of the last four always matches, so that what was skipped is not read again
    rf'{_UNNAMED}(?:(?:"(\w{{1,60}}+)"|\b([A-Za-z_]\w{{0,60}}+)){_NAMING}{_STRING}|{_STRING}|\\.?|\w++|"|\Z)', re.DOTALL
)
_ASSIGNMENT = re.compile(r"=\s{0,9}(?=\{\s{0,99}\"|\[\s{0,99}[\[{\"]|JSON\.parse\()")
_NAME = re.compile(r"([\w$.]+(?:\[[\"'][\w.-]+[\"']\])?)\s*\Z")
_NAME_LENGTH = 160  # characters before an assignment in which its name is looked for
_STATE = re.compile(r"__(?<!\w__)[A-Za-z]{2,40}__\b")  # __NUXT__ and its like, when they are programs and no JSON
_QUOTED_JSON = re.compile(rf"JSON\.parse\(\s{{0,9}}{_STRING}", re.DOTALL)
_FLIGHT = re.compile(rf"__next_f\.push\(\s{{0,9}}\[\s{{0,9}}1\s{{0,9}},\s{{0,9}}{_STRING}", re.DOTALL)
_FLIGHT_ROW = re.compile(r"([0-9a-f]{1,8}):(?:T([0-9a-f]{1,8}),|[A-Z]{0,2}(?=[\[{\"]))")
_WRAPPING = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)?")
_TRAILING_COMMA = re.compile(r",(?=\s{0,99}[\]}])")
_BAD_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrtu]|(.))", re.DOTALL)
_ESCAPED_LETTERS = ("\\u", "&#")
_JSON_TYPES = ("application/json", "text/json", "application/x-json")

_HOLDERS = (dict, list)

JsonObject = dict[str, Any]


class Blob(NamedTuple):
    """Data found in a script."""

    origin: str  # what the page calls it
    value: Any  # lists, dicts, strings, numbers; a flat dict of strings when only those could be read


def read_json_ld(page: Page, with_word: str = "") -> tuple[JsonObject, ...]:
    """All JSON-LD objects that say what they are, in document order, graphs and nested objects taken apart.

    Scripts without a word are left out unread, if there is one that must be among the names of an object.
    """
    found: list[JsonObject] = []
    budget = MAX_CHARACTERS
    for node, kind in _scripts(page):
        if "ld+json" in kind and budget > 0:
            code = page.code(node)[:budget]
            budget -= len(code)
            if with_word in code or may_escape(code):
                for value in _lenient(code):
                    _collect_objects(value, found)
    return tuple(found)


def read_blobs(page: Page) -> Iterator[Blob]:
    """State of frameworks: JSON scripts, assigned objects, streamed fragments, and the strings of other programs."""
    budget = MAX_CHARACTERS
    streamed: list[str] = []
    for node, kind in _scripts(page):
        if "ld+json" in kind or budget <= 0:
            continue
        code = page.code(node)[:budget]
        budget -= len(code)
        if len(code) < _MIN_STATE:
            continue
        if kind in _JSON_TYPES or kind.endswith("+json"):
            origin = page.attributes(node).get("id", "").strip() or "JSON script"
            yield from (Blob(origin, _unpacked(value)) for value in _lenient(code))
        elif kind in ("", "text/javascript", "application/javascript", "module"):
            pushed = [_decoded(match[1]) for match in _FLIGHT.finditer(code)]
            streamed += pushed
            if not pushed:
                yield from _assigned(code)
    if streamed:
        yield from (Blob("__next_f", value) for value in _flight_rows("".join(streamed)))


def may_escape(code: str) -> bool:
    """Whether letters may be written as numbers in a script."""
    return any(mark in code for mark in _ESCAPED_LETTERS)


def loaded(text: str) -> Any:
    """JSON as Python values; None when it is none."""
    try:
        return _READER.decode(text)
    except (ValueError, RecursionError):
        return None


def strings_of(code: str) -> JsonObject:
    """Named strings of a program or of broken JSON, the longest of each name.

    >>> strings_of('x({body:"A text",n:2,"kind":"short"})')
    {'body': 'A text', 'kind': 'short'}
    """
    found: JsonObject = {}
    for match in _PAIRS.finditer(code):
        name = match[1] or match[2]
        if name and len(match[3]) > len(found.get(name, "")):
            found[name] = match[3]
    return {name: _decoded(value) for name, value in found.items()}


def _scripts(page: Page) -> Iterator[tuple[int, str]]:
    """Script elements outside pictures, with their type."""
    own = elements(page, "script")
    for node, kind in zip(own, page.attribute(np.array(own, dtype=np.int64), "type"), strict=True):
        yield node, kind.lower().partition(";")[0].strip() if kind else ""


def _lenient(code: str) -> list[Any]:
    """The values of a JSON text, one after the other; of broken JSON what can be saved."""
    start = _WRAPPING.match(code)
    code = code[start.end() :] if start else code
    for repair in (_same, _without_entities, _without_slips):
        repaired = repair(code)
        values = _values(repaired) if repaired is not None else []
        if values:
            return values
    named = strings_of(code)
    return [named] if named else []


def _same(code: str) -> str | None:
    return code


def _without_entities(code: str) -> str | None:
    return unescape(code) if "&quot;" in code or "&#34;" in code else None


def _without_slips(code: str) -> str | None:
    r"""JSON without trailing commas and without escapes that it does not know.

    >>> _without_slips(r'{"a": "it\'s", }')
    '{"a": "it\'s" }'
    """
    return _TRAILING_COMMA.sub("", _BAD_ESCAPE.sub(lambda match: match[1] or match[0], code))


def _values(code: str) -> list[Any]:
    values: list[Any] = []
    position, end = 0, len(code)
    while True:
        while position < end and (code[position].isspace() or code[position] in ",;"):
            position += 1
        if position >= end or code[position] not in "{[":
            return values
        try:
            value, position = _READER.raw_decode(code, position)
        except (ValueError, RecursionError):
            return values
        values.append(value)


def _collect_objects(value: Any, found: list[JsonObject]) -> None:
    """Objects with an ``@type``, the outer before the inner."""
    pending = [value]
    while pending and len(found) < _MAX_OBJECTS:
        item = pending.pop()
        if isinstance(item, dict):
            found.append(item)
            pending.extend(reversed([part for part in item.values() if isinstance(part, _HOLDERS)]))
        elif isinstance(item, list):
            pending.extend(reversed([part for part in item if isinstance(part, _HOLDERS)]))


def _unpacked(value: Any) -> Any:
    """The value; JSON inside JSON, as some frameworks keep answers of their server, is read."""
    if isinstance(value, dict) and isinstance(value.get("body"), str) and value["body"][:1] in ("{", "["):
        inner = loaded(value["body"])
        return value if inner is None else inner
    return value


def _assigned(code: str) -> Iterator[Blob]:
    """Objects that a program assigns to names; where they are no JSON, their strings."""
    position, wasted = 0, 0.0
    readable = False
    while match := _ASSIGNMENT.search(code, position):
        start = position = match.end()
        if code.startswith("JSON.parse(", start):
            quoted = _QUOTED_JSON.match(code, start)
            value = loaded(_decoded(quoted[1])) if quoted else None
            position = quoted.end() if quoted else start
        else:
            try:
                value, position = _READER.raw_decode(code, start)
            except (ValueError, RecursionError) as error:
                value = None
                wasted += _cost(error, start, len(code))
                if wasted > _MAX_REREADING * len(code):
                    break
        if value is not None and position - start >= _MIN_STATE:
            readable = True
            name = _NAME.search(code, max(0, match.start() - _NAME_LENGTH), match.start())
            yield Blob(name[1] if name else "script", value)
    state = None if readable else _STATE.search(code)
    if state:
        yield Blob(state[0], strings_of(code))


def _cost(error: Exception, start: int, end: int) -> float:
    """Characters that a failed reading took: to where it failed, and the lines before it, which the error counts."""
    if not isinstance(error, json.JSONDecodeError) or error.msg.startswith("Unterminated"):
        return end  # where an unclosed string begins is all that such an error tells
    return error.pos - start + error.pos / _COUNTING_GAIN


def _flight_rows(stream: str) -> Iterator[Any]:
    """Values of the stream with which React sends a page in pieces: rows ``id:JSON``, and texts ``id:Tlength,text``."""
    position = 0
    texts: JsonObject = {}
    while row := _FLIGHT_ROW.search(stream, position):
        position = row.end()
        if row[2]:
            size = int(row[2], 16)  # in bytes
            text = stream[position : position + size].encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
            texts[f"${row[1]}"] = text
            position += len(text)
        else:
            end = stream.find("\n", position)
            end = len(stream) if end < 0 else end
            value = loaded(stream[position:end])
            position = end
            if value is not None:
                yield value
    if texts:
        yield {"content": texts}


def _decoded(string: str) -> str:
    """What stands between the quotes of a string literal, with its escapes resolved."""
    if "\\" not in string:
        return string
    value = loaded(f'"{string}"')
    if not isinstance(value, str):
        value = loaded('"' + _BAD_ESCAPE.sub(lambda match: match[1] or match[0], string) + '"')
    return writable(value) if isinstance(value, str) else ""
