"""The folder is the registry: every module of a folder of methods is a method, and its file name is its name.

Names are listed without importing anything; a method is imported when it is used. Other packages add methods through
entry points in a group named after the folder, such as ``tamis.extractors``. A method is a module (or any object) with
a docstring, a frozen dataclass ``Options``, and one function named after what its folder does.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
import sys
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from tamis.errors import OptionError, UnknownNameError

FUNCTIONS = {
    "extractors": "extract",
    "segmenters": "segment",
    "clusterers": "cluster",
    "distances": "distance",
    "templates": "learn_template",
    "outputs": "render",
}
"""Folders that hold methods, and the function each of their modules offers."""
ALIASES = {"outputs": {"md": "markdown", "txt": "text"}}
"""Other names of methods, as files of these formats end; accepted wherever a name is, and not listed."""


def kinds() -> tuple[str, ...]:
    """Folders of methods that exist in this installation."""
    return tuple(kind for kind in FUNCTIONS if names(kind))


def names(kind: str) -> tuple[str, ...]:
    """Names of all methods of a kind, sorted; nothing is imported."""
    return tuple(sorted({*_own_names(kind), *foreign(kind)}))


def default(kind: str) -> str:
    """The method of a kind that is used when none is named; for those that may not import its folder."""
    name: str = importlib.import_module(f"tamis.{kind}").DEFAULT
    return name


def resolved(kind: str, name: str) -> str:
    """The name of a method that is meant by a name or an alias.

    >>> resolved("outputs", "md"), resolved("outputs", "html")
    ('markdown', 'html')
    """
    return ALIASES.get(kind, {}).get(name, name)


def load(kind: str, name: str) -> Any:
    """The method of this name or alias."""
    if not isinstance(name, str):
        raise UnknownNameError(f"method in {kind}", name, names(kind))
    name = resolved(kind, name)
    if name in _own_names(kind):
        return _own(kind, name)
    if name not in foreign(kind):
        raise UnknownNameError(f"method in {kind}", name, names(kind))
    return foreign(kind)[name].load()


def summary(kind: str, name: str) -> str:
    """What a method does, in one line."""
    lines = (load(kind, name).__doc__ or "").strip().splitlines()
    return lines[0] if lines else ""


def make_options(kind: str, name: str, values: Mapping[str, Any]) -> Any:
    """The method's options, from plain values; wrong names and types are answered with what would be right."""
    return fill(load(kind, name).Options, f"option of {name}", values)


def fill(options: Any, what: str, values: Mapping[str, Any]) -> Any:
    """A dataclass of options from plain values; ``what`` names one of them in errors, such as "option of bte"."""
    if not values:
        return _defaults(options)
    annotations = _annotations(options)
    known = [field.name for field in dataclasses.fields(options)]
    accepted = {}
    for key, value in values.items():
        if key not in known:
            raise UnknownNameError(what, key, known)
        value = tuple(value) if isinstance(value, list) else value
        if not fits(value, annotations[key]):
            noun, _, owner = what.partition(" ")
            raise OptionError(f"{noun} {key} {owner} is {value!r}, but {wanted(annotations[key])} is expected")
        accepted[key] = value
    return options(**accepted)


@functools.cache
def _defaults(options: Any) -> Any:
    return options()  # frozen, so that one is enough


@functools.cache
def _annotations(options: Any) -> dict[str, Any]:
    return typing.get_type_hints(options)  # which compiles every annotation


@functools.cache
def foreign(kind: str) -> dict[str, Any]:
    """What other packages add to a folder, by name: entry points, each with ``load()``."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return {point.name: point for point in entry_points(group=f"tamis.{kind}")}


@functools.cache
def _own(kind: str, name: str) -> types.ModuleType:
    return importlib.import_module(f"tamis.{kind}.{name}")


def _own_names(kind: str) -> frozenset[str]:
    if not isinstance(kind, str) or kind not in FUNCTIONS:
        raise UnknownNameError("kind of method", kind, FUNCTIONS)
    return _folder_names(kind)


@functools.cache
def _folder_names(kind: str) -> frozenset[str]:
    folder = Path(__file__).parent / kind
    return frozenset(module.name for module in pkgutil.iter_modules([str(folder)]) if not module.name.startswith("_"))


def fits(value: Any, annotation: Any) -> bool:
    """Whether a plain value may stand for an option: the few types that survive JSON, and numbers of the machine."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return value in arguments
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, argument) for argument in arguments)
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(item, arguments[0]) for item in value)
    if origin is list:
        return isinstance(value, list) and all(fits(item, arguments[0]) for item in value)
    if annotation is float:
        return isinstance(value, float) or (_is_int(value) and abs(value) <= sys.float_info.max)
    if annotation is int:
        return _is_int(value) and abs(value) <= sys.maxsize
    return isinstance(value, origin or annotation)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def wanted(annotation: Any) -> str:
    """The values that fit, for an error message."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return " or ".join(map(repr, arguments))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(map(wanted, arguments))
    if origin in (list, tuple):
        return f"a list of {wanted(arguments[0])}"
    return "None" if annotation is type(None) else str(getattr(annotation, "__name__", annotation))
