"""From dataclasses to JSON schemas: what a request may hold, said once, where it is read."""

from __future__ import annotations

import functools
import importlib
import types
import typing
from typing import Any, Literal

from tamis import registry
from tamis.errors import MissingExtraError
from tamis.options import Option, options_of

FILE_OPTIONS = frozenset({"model"})
"""Options of methods that name a file; those who ask over HTTP have none here, and are not to read ours."""
_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", dict: "object"}


def object_schema(options: tuple[Option, ...]) -> dict[str, Any]:
    """The schema of a method's options, or of the fields of a request."""
    return {
        "type": "object",
        "properties": {
            option.name: {
                **_schema(option.annotation),
                **({"description": option.comment} if option.comment else {}),
                "default": list(option.default) if isinstance(option.default, tuple) else option.default,
            }
            for option in options
        },
        "additionalProperties": False,
    }


@functools.cache
def methods_document() -> dict[str, Any]:
    """All methods of all kinds, each with what it does and the schema of its options, and the one used by default."""
    return {
        kind: {
            "default": getattr(importlib.import_module(f"tamis.{kind}"), "DEFAULT", None),
            "methods": [_method(kind, name) for name in registry.names(kind)],
        }
        for kind in registry.kinds()
    }


def _method(kind: str, name: str) -> dict[str, Any]:
    try:
        method = registry.load(kind, name)
    except MissingExtraError as error:
        return {"name": name, "summary": str(error), "about": "", "options": {}}
    return {
        "name": name,
        "summary": registry.summary(kind, name),
        "about": (method.__doc__ or "").strip(),
        "options": object_schema(tuple(one for one in options_of(method) if one.name not in FILE_OPTIONS)),
    }


def _schema(annotation: Any) -> dict[str, Any]:
    """
    >>> _schema(int | None)
    {'type': ['integer', 'null']}
    >>> _schema(tuple[str, ...])
    {'type': 'array', 'items': {'type': 'string'}}
    """
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        schemas = [_schema(argument) for argument in arguments]
        if all(schema.keys() == {"type"} for schema in schemas):
            return {"type": [schema["type"] for schema in schemas]}
        return {"anyOf": schemas}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0])}
    return {"type": _PLAIN[origin or annotation]}
