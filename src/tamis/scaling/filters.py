"""Filters: plain functions that say why a record is skipped, or None.

A filter is given the row as it would be written and its parameters from the job file. Those of ``BEFORE`` see no more
than the address, and skip a record before it is parsed.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import re
import typing
from collections.abc import Callable, Mapping
from typing import Any

from tamis import registry, urls
from tamis.characters import counted
from tamis.errors import OptionError, UnknownNameError

PageRow = Mapping[str, Any]
RowCheck = Callable[[PageRow], str | None]

BEFORE = frozenset({"host", "url"})


def url(row: PageRow, *, allow: list[str] | None = None, deny: list[str] | None = None) -> str | None:
    """Patterns that the address must, or must not, hold.

    >>> url({"url": "https://example.org/tag/x"}, deny=["/tag/"])
    'its address holds /tag/'
    """
    address = row.get("url") or ""
    if allow is not None and not any(re.search(pattern, address) for pattern in allow):
        return "its address holds none of the allowed patterns"
    found = next((pattern for pattern in deny or () if re.search(pattern, address)), None)
    return found and f"its address holds {found}"


def length(row: PageRow, *, min_words: int = 0, max_words: int | None = None) -> str | None:
    """How many words there may be.

    >>> length({"words": 3}, min_words=4), length({"words": 4}, min_words=4)
    ('it has 3 words', None)
    """
    words = row.get("words") or 0
    is_outside = words < min_words or (max_words is not None and words > max_words)
    return f"it has {counted(words, 'word')}" if is_outside else None


def language(row: PageRow, *, only: list[str], unknown: bool = False) -> str | None:
    """Languages that are kept, as ``en`` or ``en-GB``; pages in an unknown one only if asked for.

    >>> language({"language": "de-AT"}, only=["de"]), language({"language": "fr"}, only=["de"])
    (None, 'its language is fr')
    """
    found = (row.get("language") or "").lower()
    if not found:
        return None if unknown else "its language is unknown"
    is_kept = any(found == wanted.lower() or found.startswith(wanted.lower() + "-") for wanted in only)
    return None if is_kept else f"its language is {found}"


def page_type(row: PageRow, *, only: list[str]) -> str | None:
    """Types of pages that are kept: article, forum, product and so on."""
    found = row.get("page_type")
    return None if found in only else f"it is of type {found}"


def quality(row: PageRow, *, min_score: float) -> str | None:
    """How sure the method must be of what it kept, on average over words; methods without scores pass."""
    score = row.get("score")
    return f"its score is {score:.2f}" if score is not None and score < min_score else None


def host(row: PageRow, *, only: list[str] | None = None, never: list[str] | None = None) -> str | None:
    """Hosts that are kept, or are not, with everything below them.

    >>> host({"url": "https://www.example.org/"}, never=["example.org"])
    'its host is www.example.org'
    """
    name = urls.host(row.get("url"))
    is_kept = only is None or any(_below(name, wanted) for wanted in only)
    return None if is_kept and not any(_below(name, other) for other in never or ()) else f"its host is {name}"


def _below(name: str, domain: str) -> bool:
    return name == domain or name.endswith("." + domain)


FILTERS: dict[str, Callable[..., str | None]] = {
    check.__name__: check for check in (host, language, length, page_type, quality, url)
}


def load(name: str, parameters: Mapping[str, Any]) -> RowCheck:
    """A filter by its name, or by ``module:function``, with its parameters."""
    module, colon, function = name.partition(":")
    if colon:
        try:
            check = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError) as error:
            raise OptionError(f"the filter {name!r} cannot be imported: {error}") from error
    elif name in FILTERS:
        check = FILTERS[name]
    else:
        raise UnknownNameError("filter", name, FILTERS)
    _check_parameters(name, check, parameters)
    return functools.partial(check, **parameters)


def _check_parameters(name: str, check: Callable[..., str | None], parameters: Mapping[str, Any]) -> None:
    signature = inspect.signature(check)
    known = [one.name for one in signature.parameters.values() if one.kind is one.KEYWORD_ONLY]
    annotations = typing.get_type_hints(check) if name in FILTERS else {}  # others may be written in any way
    for parameter, value in parameters.items():
        if parameter not in known:
            raise UnknownNameError(f"parameter of the filter {name}", parameter, known)
        annotation = annotations.get(parameter, object)
        if not registry.fits(value, annotation):
            raise OptionError(
                f"{parameter!r} of the filter {name} is {value!r}, but {registry.wanted(annotation)} is expected"
            )
    try:
        signature.bind({}, **parameters)
        json.dumps(parameters)
    except (TypeError, ValueError) as error:  # a date, say, which TOML knows and JSON does not
        raise OptionError(f"the filter {name!r}: {error}") from error
    for pattern in (*(parameters.get("allow") or ()), *(parameters.get("deny") or ())) if name == url.__name__ else ():
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise OptionError(
                f"the filter {name!r} has {pattern!r}, which is not a regular expression: {error}"
            ) from error
