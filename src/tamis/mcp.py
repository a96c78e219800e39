"""A Model Context Protocol server on standard input and output: programs read pages through tools.

    tamis mcp

One JSON-RPC 2.0 message a line. Three tools: ``read_page`` (a URL or a file as Markdown), ``outline`` (its headings)
and ``find_on_page`` (where words stand in its content). Pages that were read are kept for the next question.

Reference: Model Context Protocol, revisions 2024-11-05 to 2025-06-18, https://modelcontextprotocol.io/specification.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from tamis import extractors
from tamis._version import VERSION
from tamis.characters import counted
from tamis.errors import TamisError
from tamis.page.model import Page
from tamis.results import Extraction

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions of the protocol that are spoken, the newest first."""
MAX_CHARACTERS = 50_000  # of one answer, unless more is asked for: about 12,000 tokens
_MAX_MATCHES = 20
_AROUND = 200  # characters on each side of a match
_KEPT = 32  # pages
_PARSE, _REQUEST, _METHOD, _PARAMETERS = -32700, -32600, -32601, -32602  # codes of JSON-RPC 2.0
# Code is matched as well, so that nothing in it is taken for a heading.
_HEADING = re.compile(r"^(?:(```+|~~~+)[\s\S]*?^\1[`~]*|(?P<level>#{1,6}) (?P<text>.+))$", re.MULTILINE)

ReadPage = Callable[[str], Page]


class Tool(NamedTuple):
    """Something that can be asked for."""

    description: str
    arguments: dict[str, dict[str, Any]]  # JSON Schema of each
    required: tuple[str, ...]
    run: Callable[..., str]


class ArgumentError(TamisError):
    """What was asked for cannot be understood."""


_SOURCE = {"type": "string", "description": "URL (http or https) or path of an HTML file"}


def serve(lines: Iterable[bytes], write: Callable[[str], None], read: ReadPage) -> None:
    """Answer every message until there are no more; ``read`` gives the page at a URL or a path."""
    server = Server(read)
    for line in lines:
        if line.strip() and (answer := server.answer(line)) is not None:
            write(json.dumps(answer) + "\n")  # in ASCII: half characters in what was asked cannot be written otherwise


class Server:
    """Answers messages one by one; keeps the pages that it has read last."""

    def __init__(self, read: ReadPage) -> None:
        self._read = functools.lru_cache(_KEPT)(lambda source: extractors.extract(read(source)))

    def answer(self, line: bytes) -> dict[str, Any] | None:
        """The answer to a message; None if it wants none."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _error(None, _PARSE, "this is no JSON")
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            is_answer = isinstance(message, dict) and ("result" in message or "error" in message)
            return None if is_answer else _error(None, _REQUEST, "a message is an object with a method")
        if "id" not in message:  # a notification
            return None
        if not _is_identity(message["id"]):
            return _error(None, _REQUEST, "an id is a text or a number")
        name, parameters = message["method"], message.get("params") or {}
        methods = {"initialize": _initialize, "ping": lambda _: {}, "tools/list": _list, "tools/call": self._call}
        if name not in methods:
            return _error(message["id"], _METHOD, f"there is no method {name!r}")
        try:
            result = methods[name](parameters if isinstance(parameters, dict) else {})
        except ArgumentError as error:
            return _error(message["id"], _PARAMETERS, str(error))
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _call(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """What a tool says; a page that cannot be read is an answer too, which the model should see."""
        name, given = parameters.get("name"), parameters.get("arguments") or {}
        if not isinstance(name, str) or name not in TOOLS:
            raise ArgumentError(f"there is no tool {name!r}: the tools are {', '.join(TOOLS)}")
        tool = TOOLS[name]
        _check(tool, given)
        others = {argument: value for argument, value in given.items() if argument != "source"}
        try:
            return _said(tool.run(self._read(given["source"]), **others))
        except TamisError as error:
            return _said(str(error), is_error=True)
        except Exception as error:  # a fault of ours must not end the session
            return _said(f"reading failed: {type(error).__name__}: {error}", is_error=True)


def _is_identity(value: Any) -> bool:
    """Whether it can be the id of a message; Python reads NaN and Infinity, which are no JSON."""
    is_number = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    return value is None or isinstance(value, str) or (is_number and not isinstance(value, bool))


def _initialize(parameters: dict[str, Any]) -> dict[str, Any]:
    asked = parameters.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "tamis", "version": VERSION},
        "instructions": "Reads web pages without navigation, advertising and other clutter.",
    }


def _list(_: dict[str, Any]) -> dict[str, Any]:
    return {
        "tools": [
            {
                "name": name,
                "description": tool.description,
                "inputSchema": {
                    "type": "object",
                    "properties": tool.arguments,
                    "required": list(tool.required),
                    "additionalProperties": False,
                },
            }
            for name, tool in TOOLS.items()
        ]
    }


def _check(tool: Tool, given: Any) -> None:
    kinds: dict[str, type] = {"string": str, "integer": int}
    if not isinstance(given, dict):
        raise ArgumentError("arguments are an object")
    if missing := [name for name in tool.required if name not in given]:
        raise ArgumentError(f"the argument {missing[0]!r} is missing")
    for name, value in given.items():
        if name not in tool.arguments:
            raise ArgumentError(f"there is no argument {name!r}: the arguments are {', '.join(tool.arguments)}")
        kind = tool.arguments[name]["type"]
        if isinstance(value, bool) or not isinstance(value, kinds[kind]):
            raise ArgumentError(f"the argument {name!r} is {value!r}, but must be of the type {kind}")
        if isinstance(value, int) and value < 0:
            raise ArgumentError(f"the argument {name!r} is {value}, but must not be negative")


def _read_page(extraction: Extraction, start: int = 0, max_characters: int = MAX_CHARACTERS) -> str:
    """Title and facts, then the content; a long one in parts."""
    said, content = extraction.metadata, extraction.markdown
    part = content[start : start + max_characters]
    facts = [
        ("URL", said.url),
        ("Authors", ", ".join(said.authors)),
        ("Date", said.date),
        ("Site", said.site_name),
        *(("Warning", warning) for warning in extraction.warnings),
    ]
    head = "\n".join(f"{name}: {value}" for name, value in facts if value)
    end = start + len(part)
    more = f"\n\n[{len(content) - end} more characters: ask again with start={end}]" if end < len(content) else ""
    title = said.title or "Untitled"
    return f"Title: {title}\n{head}\n\n{part}{more}" if not start else f"{part}{more}"


def _outline(extraction: Extraction) -> str:
    """Headings with the place where each begins, for ``start`` of ``read_page``."""
    headings = list(_headings(extraction.markdown))
    lines = [f"{'  ' * (level - 1)}- {text} (start={place})" for level, text, place in headings]
    return "\n".join(lines) or "The content has no headings."


def _headings(markdown: str) -> Iterator[tuple[int, str, int]]:
    for found in _HEADING.finditer(markdown):
        if found["level"]:
            yield len(found["level"]), found["text"].strip(), found.start()


def _find(extraction: Extraction, query: str) -> str:
    """The text around every match, whatever the case."""
    text = extraction.text
    words = r"\s+".join(map(re.escape, query.split()))
    places = [found.span() for found in re.finditer(words, text, re.IGNORECASE)] if words else []
    shown = [
        f"{number}. …{' '.join(text[max(0, start - _AROUND) : end + _AROUND].split())}…"
        for number, (start, end) in enumerate(places[:_MAX_MATCHES], start=1)
    ]
    found = f"{len(places)} match{'' if len(places) == 1 else 'es'} for {query!r} in {counted(len(text), 'character')}"
    return "\n\n".join((found, *shown))


TOOLS = {
    "read_page": Tool(
        "Read the main content of a web page or an HTML file as Markdown, without navigation and advertising.",
        {
            "source": _SOURCE,
            "start": {"type": "integer", "description": "character of the content to begin at; 0 if not given"},
            "max_characters": {"type": "integer", "description": f"at most so many; {MAX_CHARACTERS} if not given"},
        },
        ("source",),
        _read_page,
    ),
    "outline": Tool("List the headings of a page's main content.", {"source": _SOURCE}, ("source",), _outline),
    "find_on_page": Tool(
        "Find words in a page's main content and show the text around them.",
        {"source": _SOURCE, "query": {"type": "string", "description": "words to look for, in this order"}},
        ("source", "query"),
        _find,
    ),
}


def _said(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _error(identity: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}}
