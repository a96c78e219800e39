"""Files that Tamis writes and reads back: models, templates, caches.

Whoever can write such a file may be somebody else, so nothing that is read can run code, and nothing is allocated
before its size was checked against the format. Arrays are in ``arrays``, JSON in ``documents`` and ``values``, and
``keys`` tells whether a cache was made by the data, the options and the code of today.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tamis.errors import FileFormatError


class DamageError(Exception):
    """What is wrong with a file, to be said behind its name; ``reading`` makes a whole sentence of it."""


@contextlib.contextmanager
def reading(what: str, path: Path, way_out: str) -> Iterator[None]:
    """Whatever is wrong with a file that is read here becomes one error: which file, what is wrong, what to do.

    >>> with reading("the model", Path("m.npz"), "train it again"):
    ...     raise DamageError("is damaged (it is empty)")
    Traceback (most recent call last):
    tamis.errors.FileFormatError: the model 'm.npz' is damaged (it is empty); train it again
    """
    if "\0" in str(path):
        raise FileFormatError(f"cannot read {what} {str(path)!r}: no file has such a name; {way_out}")
    try:
        yield
    except OSError as error:
        raise FileFormatError(f"cannot read {what} {str(path)!r}: {error.strerror or error}; {way_out}") from error
    except DamageError as error:
        raise FileFormatError(f"{what} {str(path)!r} {error}; {way_out}") from error
