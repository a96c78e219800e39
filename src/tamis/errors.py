"""The whole exception tree; each class says what the caller can do.

TamisError
├── InputError             the page cannot be read: fix the path or the bytes
│   ├── AddressError       the URL may not or cannot be fetched: fix it, or allow it
│   └── FileFormatError    a model, template or cache is damaged or of another kind: make it again, or pass another
├── TransferError          a server did not deliver: try again later
├── OptionError            a name or value is not accepted: fix the option (also a ValueError)
│   └── UnknownNameError   nothing has this name: the message lists similar names
├── MissingExtraError      an optional part is not installed: the message has the install command
└── MissingProgramError    a program outside Python is missing or does not start: the message says which

A page without content is not an error: its result is empty and has a warning.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class TamisError(Exception):
    """Any error that Tamis raises on purpose."""


class InputError(TamisError):
    """The input cannot be read."""


class AddressError(InputError):
    """The URL may not be fetched, or has no page."""


class FileFormatError(InputError):
    """A model, template or cache file is damaged, or of another kind or version."""


class TransferError(TamisError):
    """A server did not deliver the page; try again later."""


class OptionError(TamisError, ValueError):
    """The name or value of an option is not accepted."""


class UnknownNameError(OptionError):
    """A name that does not exist; the message lists similar names."""

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        known = sorted(known)
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5) if isinstance(name, str) else []
        if near:
            hint = f"did you mean {' or '.join(near)}?"
        elif known:
            hint = f"choose one of: {', '.join(known)}"
        else:
            hint = "there are none to choose from"
        super().__init__(f"unknown {what} {name!r}: {hint}")
        self._made_from = (what, name, known)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made_from  # else it is lost on its way out of a worker process


class MissingExtraError(TamisError, ImportError):
    """An optional dependency is missing."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the extra {extra!r}: pip install 'tamis[{extra}]'")
        self._made_from = (extra, purpose)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made_from


class MissingProgramError(TamisError):
    """A program that Tamis needs, such as a browser, is missing or does not start."""
