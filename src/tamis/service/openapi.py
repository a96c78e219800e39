"""The OpenAPI document, made from the tables that the service itself reads."""

from __future__ import annotations

import functools
from typing import Any

from tamis import registry
from tamis._version import VERSION
from tamis.options import described
from tamis.service import batch_requests, problems
from tamis.service.negotiation import FORMS
from tamis.service.operations import JSON, MEDIA_TYPES, OPERATIONS, Nothing, Operation
from tamis.service.performing import CONTENT_TYPES
from tamis.service.reader import Read
from tamis.service.schemas import object_schema

_PROBLEMS = {
    "400": "The body is no JSON.",
    "401": "The token is missing or wrong.",
    "408": "The body did not come in time.",
    "413": "The body is too long.",
    "415": "The body is of a type that cannot be read.",
    "422": "A value is not accepted; the detail says what would be right.",
    "500": "A fault of the service.",
    "501": "An optional part of Tamis is not installed; the detail has the install line.",
    "502": "The page could not be fetched.",
    "503": "Too many requests are waiting, or the site of the page is busy; Retry-After says when to come again.",
    "504": "The page took too long to fetch, or to work on.",
}
_REFERENCE = {"$ref": "#/components/schemas/Problem"}


@functools.cache
def openapi_document() -> dict[str, Any]:
    """All that can be asked for, and how it is answered."""
    asked = {name: one for name, one in OPERATIONS.items() if one.request is not Nothing}
    paths: dict[str, Any] = {f"/api/{name}": {"post": _operation(name, one)} for name, one in asked.items()}
    paths["/api/batch"] = {"post": _batch()}
    for path, (summary, media_type) in _READ.items():
        paths[path] = {"get": _answered(path, summary, {media_type: {}})}
    paths["/read"] = {"get": _read()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tamis", "version": VERSION, "description": "Finds the main content of web pages."},
        "paths": paths,
        "components": {
            "schemas": {name.title(): _request_schema(one) for name, one in asked.items()} | {"Problem": _problem()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


_READ = {
    **{f"/api/{name}": (one.summary, JSON) for name, one in OPERATIONS.items() if one.request is Nothing},
    "/healthz": ("Whether the service is there.", "text/plain"),
    "/metrics": ("Counts and durations for Prometheus.", "text/plain"),
}


def _operation(name: str, operation: Operation) -> dict[str, Any]:
    content: dict[str, Any] = {JSON: {"schema": {"$ref": f"#/components/schemas/{name.title()}"}}}
    parameters = []
    if "html" in operation.request.__dataclass_fields__:
        content |= {media_type: {"schema": {"type": "string"}} for media_type in CONTENT_TYPES}
        parameters = [
            {
                "name": key,
                "in": "query",
                "description": "Only when the body is the page itself.",
                **({"schema": value} if value.get("type") == "string" else {"content": {JSON: {"schema": value}}}),
            }
            for key, value in _query(operation).items()
        ]
    kinds = dict.fromkeys(MEDIA_TYPES.values()) if name == "extract" else {JSON: None}
    about = _answered(f"/api/{name}", operation.summary, {kind: {} for kind in kinds})
    about["requestBody"] = {"required": True, "content": content}
    return {**about, "parameters": parameters} if parameters else about


def _query(operation: Operation) -> dict[str, Any]:
    """What may stand in the query: texts as they are, everything else as JSON."""
    properties = _request_schema(operation)["properties"]
    return {
        key: {**value, "type": "string"} if "string" in value["type"] else value
        for key, value in properties.items()
        if key != "html"
    }


def _batch() -> dict[str, Any]:
    line = {"schema": {"type": "string", "description": "One Extract object per line."}}
    about = _answered("/api/batch", "Many pages: JSON lines in, JSON lines out.", {batch_requests.MEDIA_TYPE: {}})
    return {**about, "requestBody": {"required": True, "content": {batch_requests.MEDIA_TYPE: line}}}


def _read() -> dict[str, Any]:
    about = _answered("/read", "A page to read, in the form that Accept asks for.", {kind: {} for kind in FORMS})
    fields = object_schema(described(Read))["properties"]
    parameters = [
        {"name": name, "in": "query", "required": name == "url", "schema": {"type": "string"}, "description": told}
        for name, told in (
            ("url", "Of the page."),
            ("method", fields["method"]["description"]),
            ("format", "One of the outputs in /api/methods, whatever Accept says."),
        )
    ]
    return {**about, "parameters": parameters}


def _answered(path: str, summary: str, content: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {"200": {"description": "Done.", "content": content}}
    for status, description in _PROBLEMS.items():
        answers[status] = {"description": description, "content": {problems.MEDIA_TYPE: {"schema": _REFERENCE}}}
    name = path.removeprefix("/").replace("/", "_").partition(".")[0]
    return {"operationId": name, "summary": summary, "responses": answers}


def _request_schema(operation: Operation) -> dict[str, Any]:
    schema = object_schema(described(operation.request))
    for key, kind in (("format", "outputs"), ("method", operation.kind)):
        if key in schema["properties"] and kind:
            schema["properties"][key]["enum"] = [*registry.names(kind), *registry.ALIASES.get(kind, {})]
    return schema


def _problem() -> dict[str, Any]:
    properties = {name: {"type": "string"} for name in ("type", "title", "detail")}
    return {
        "type": "object",
        "properties": {**properties, "status": {"type": "integer"}},
        "required": ["type", "title", "status", "detail"],
    }
