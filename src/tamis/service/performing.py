"""How a worker answers a job: bytes as they came over the wire in, bytes to send out.

So pages are neither decoded nor parsed in the process that talks HTTP. A page that must be fetched first is sent back
with its address, and comes again with its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import parse_qsl

from tamis import extractors, registry
from tamis.errors import OptionError, TamisError
from tamis.fetching.answers import announced_encoding
from tamis.page.load import parse
from tamis.service import inspector_requests, reader, treating
from tamis.service.operations import JSON, OPERATIONS, Operation
from tamis.service.problems import ProblemError, as_problem
from tamis.service.schemas import FILE_OPTIONS
from tamis.stored import DamageError
from tamis.stored.documents import parse_json

CONTENT_TYPES = ("text/html", "application/xhtml+xml", "text/plain")
"""Types of bodies that are the page itself; everything else that is asked is in the query then."""
FORM = "application/x-www-form-urlencoded"
"""The type of forms, as browsers send pages to read; their fields are read as those of the query are."""
_MOST_FIELDS = 20  # ours: more than any operation has


ALL: dict[str, Operation] = {**OPERATIONS, **reader.OPERATIONS, **treating.OPERATIONS, **inspector_requests.OPERATIONS}
"""All operations by name: of the API, of the reader view, of the proxy, and of the inspector."""


def perform(values: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """Answer a job; wrong input gives a problem document, or ``fetch`` names a page that is needed first."""
    operation = ALL[values["operation"]]
    try:
        if "fetched" in values:
            request, fetched = read_values(operation, values["request"]), values["fetched"]
            page = parse(body, fetched["url"], encoding=fetched["encoding"])
            if fetched["truncated"]:
                warning = f"truncated: only {len(body)} bytes of the page arrived"
                page = page.described(truncated=True, warnings=(warning, *page.warnings))
        else:
            request, source, encoding = _read(operation, values, body)
            has_page = hasattr(request, "html")
            if has_page and source is None:
                if not request.url:
                    raise ProblemError(422, "no-page", "there is no page: pass html, or url to fetch it")
                return {"fetch": request.url, "request": asdict(request)}, b""
            page = parse(source or "", request.url if has_page else None, encoding=encoding)
        answer = operation.run(request, page)
    except (TamisError, ProblemError) as error:
        answer = as_problem(error).answer
    return {"status": answer.status, "media_type": answer.media_type, "headers": dict(answer.headers)}, answer.body


def read_values(operation: Operation, values: Mapping[str, Any]) -> Any:
    """The request that plain values stand for."""
    request = registry.fill(operation.request, "field of the request", values)
    for name, value in getattr(request, "options", {}).items():
        # Methods that run others take their options as text, such as ["sieve:model=file"].
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        if (name in FILE_OPTIONS and value) or any(_names_file(text) for text in texts):
            raise OptionError(f"the option {name} is {value!r}, which names a file; files are not read over HTTP")
    return request


def _names_file(value: Any) -> bool:
    return isinstance(value, str) and any(re.search(rf"\b{name}\s*=", value) for name in FILE_OPTIONS)


def warm_up() -> None:
    """Import what most requests need, so that the first one does not wait for it."""
    extractors.extract(parse("<p>One sentence.</p>")).render("markdown")


def _read(operation: Operation, values: Mapping[str, Any], body: bytes) -> tuple[Any, str | bytes | None, str | None]:
    """The request, the page in it, and the page's character set if the transport names one."""
    media_type, charset = _content_type(values.get("content_type") or "")
    if media_type == JSON:
        asked = values.get("query", {}) if operation.request is reader.Read else {}  # which has its format there
        request = read_values(operation, {**_read_json(body, "the body"), **asked})
        return request, getattr(request, "html", None), None
    if media_type in CONTENT_TYPES and "html" in operation.request.__dataclass_fields__:
        query = {name: _from_query(operation, name, text) for name, text in values.get("query", {}).items()}
        if "html" in query:
            raise ProblemError(422, "option", "the body is the page: remove html from the query")
        return read_values(operation, query), body, charset
    if media_type == FORM and operation.request is reader.Read:
        fields = {**_read_form(body), **values.get("query", {})}
        request = read_values(operation, {name: _from_query(operation, name, text) for name, text in fields.items()})
        return request, request.html, None
    raise ProblemError(415, "media-type", f"the body is {media_type or 'of no type'}, but {JSON} or a page is expected")


def _read_form(body: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="replace")
    except ValueError as error:
        raise ProblemError(400, "malformed", f"the form has more than {_MOST_FIELDS} fields") from error
    return dict(pairs)


def _from_query(operation: Operation, name: str, text: str) -> Any:
    """A value as the query has it; lists and objects are written in JSON there."""
    default = operation.request.__dataclass_fields__.get(name)
    is_structured = default is not None and str(default.type).startswith(("dict", "tuple", "bool", "int", "float"))
    return _read_json(text.encode(), name, object) if is_structured else text


def _read_json(data: bytes, what: str, kind: type[Any] = dict) -> Any:
    try:
        value = parse_json(data)
    except DamageError as error:
        raise ProblemError(400, "malformed", f"{what} is not JSON: it {error}") from error
    if not isinstance(value, kind):
        raise ProblemError(422, "malformed", f"{what} is a JSON {type(value).__name__}, but an object is expected")
    return value


def _content_type(value: str) -> tuple[str, str | None]:
    """The media type, and the character set if browsers know it."""
    return value.partition(";")[0].strip().lower(), announced_encoding(value)
