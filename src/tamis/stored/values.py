"""Plain values, as JSON has them, made into what a type says; a value that does not fit is named with its place.

The types are those of the code that uses the values: dataclasses and named tuples (from an object by name, named tuples
also from a list by position), typed dictionaries, lists, tuples, mappings from text, unions, literals, and the scalars.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import math
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal

from tamis.stored import DamageError

_LEAST, _MOST = -(1 << 63), (1 << 64) - 1  # what arrays of whole numbers hold
_LISTS = (list, tuple, collections.abc.Sequence)
_MAPPINGS = (dict, collections.abc.Mapping)


def made(kind: Any, value: Any, place: str = "") -> Any:
    """The value as this type; ``place`` says in errors where it stands.

    >>> made(tuple[int, ...], [1, 2]), made(dict[str, float], {"a": 1})
    ((1, 2), {'a': 1})
    >>> made(list[int], [1, "2"], "pages")
    Traceback (most recent call last):
    tamis.stored.DamageError: is damaged (pages[1] is '2', but int is expected)
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return value
    if origin is Literal:
        return value if value in arguments and not isinstance(value, list | dict) else _refuse(place, value, kind)
    if origin in (typing.Union, types.UnionType):
        return _first(arguments, value, place)
    if origin in _LISTS:
        return _listed(origin, arguments, value, place)
    if origin in _MAPPINGS:
        if not isinstance(value, dict):
            _refuse(place, value, kind)
        return {key: made(arguments[1], item, f"{place}[{key[:40]!r}]") for key, item in value.items()}
    if typing.is_typeddict(kind) or dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        return _filled(kind, value, place)
    if not _is(kind, value):
        _refuse(place, value, kind)
    return value


def check_format(values: Any, wanted: int) -> None:
    """An error unless an object says that it is of this format; another number is that of another version."""
    found = values.get("format") if isinstance(values, dict) else None
    if not _is(int, found):
        raise DamageError("is damaged (it does not say of which format it is)")
    if found != wanted:
        raise DamageError(
            f"has format {found}, this version of Tamis reads {wanted}: it was written by another version of Tamis"
        )


def _listed(origin: Any, arguments: tuple[Any, ...], value: Any, place: str) -> Any:
    if not isinstance(value, list):
        _refuse(place, value, list)
    is_even = origin is not tuple or arguments[-1] is Ellipsis
    if not is_even and len(value) != len(arguments):
        raise DamageError(f"is damaged ({place} has {len(value)} parts, but {len(arguments)} are expected)")
    each = (arguments[0],) * len(value) if is_even else arguments
    if each and each[0] in (int, float, str) and is_even:  # long lists, of which one look is enough
        if not all(_is(each[0], item) for item in value):
            number = next(number for number, item in enumerate(value) if not _is(each[0], item))
            _refuse(f"{place}[{number}]", value[number], each[0])
        found = value
    else:
        found = [
            made(one, item, f"{place}[{number}]") for number, (one, item) in enumerate(zip(each, value, strict=True))
        ]
    return tuple(found) if origin is tuple else found


def _filled(kind: Any, value: Any, place: str) -> Any:
    hints, required = _hints(kind)
    if isinstance(value, list) and hasattr(kind, "_fields"):
        if len(value) != len(hints):
            raise DamageError(f"is damaged ({place} has {len(value)} parts, but {len(hints)} are expected)")
        value = dict(zip(hints, value, strict=True))
    if not isinstance(value, dict):
        _refuse(place, value, dict)
    if missing := [name for name in required if name not in value]:
        raise DamageError(f"is damaged ({_joined(place, missing[0])} is missing)")
    if unknown := [name for name in value if name not in hints]:
        raise DamageError(f"is damaged ({_joined(place, unknown[0][:40])} is nothing that is expected)")
    found = {name: made(hints[name], item, _joined(place, name)) for name, item in value.items()}
    return found if typing.is_typeddict(kind) else kind(**found)


@functools.cache
def _hints(kind: Any) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The parts of a type, and which of them must be there."""
    hints = typing.get_type_hints(kind)
    if typing.is_typeddict(kind):
        return hints, tuple(name for name in hints if name in kind.__required_keys__)
    if hasattr(kind, "_fields"):
        return hints, tuple(name for name in hints if name not in kind._field_defaults)
    nothing = dataclasses.MISSING
    fields = [field for field in dataclasses.fields(kind) if field.init]
    needed = [field.name for field in fields if field.default is nothing and field.default_factory is nothing]
    return {field.name: hints[field.name] for field in fields}, tuple(needed)


def _first(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    for kind in kinds[:-1]:
        try:
            return made(kind, value, place)
        except DamageError:
            continue
    return made(kinds[-1], value, place)


def _is(kind: Any, value: Any) -> bool:
    if kind is float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and (isinstance(value, int) or math.isfinite(value)) and _LEAST <= value <= _MOST
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and _LEAST <= value <= _MOST
    return isinstance(value, kind)


def _joined(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _refuse(place: str, value: Any, kind: Any) -> typing.NoReturn:
    shown = repr(value) if isinstance(value, str | int | float | None) else f"of the type {type(value).__name__}"
    wanted = "None" if kind is type(None) else getattr(kind, "__name__", str(kind))
    raise DamageError(f"is damaged ({place or 'it'} is {shown[:40]}, but {wanted} is expected)")
