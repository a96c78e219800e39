"""Standard output and standard error: results go to the one, everything that is said about them to the other."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST = 20  # columns; with two, rich never comes to an end
_LAST_STANDARD = 2  # descriptor: 0 is input, 1 output, 2 errors


class OutputError(OSError):
    """Standard output cannot be written."""


def reopen_closed() -> None:
    """Take the places of standard streams that are closed, so that no file or program gets them by chance.

    What is then written to standard output fails with an ``OSError``; what is said on standard error is lost.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (place := os.open(os.devnull, os.O_RDONLY)) <= _LAST_STANDARD:
        pass
    os.close(place)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def say(message: str) -> None:
    """One line on standard error; where it cannot be written, nobody can be told."""
    line = message.replace("\n", " ")
    try:
        sys.stderr.write(f"tamis: {line}\n")
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)  # what it still holds would fail once more at the end, and change the exit code


def screen() -> Console:
    """Standard output for tables and help, with colours where it is a terminal and ``NO_COLOR`` is not set."""
    from rich.console import Console

    class Screen(Console):
        def print(self, *objects: Any, **options: Any) -> None:
            with _to_output():
                super().print(*objects, **options)

        def on_broken_pipe(self) -> None:
            raise  # called while the error is dealt with; ``main`` knows what it means

    found = Screen()
    found.width = max(found.width, _NARROWEST)
    return found


def write(text: str) -> None:
    """Text on standard output, as UTF-8 whatever the console's own encoding is."""
    with _to_output():
        sys.stdout.buffer.write(encoded(text))
        sys.stdout.buffer.flush()


def flush() -> None:
    """Write what standard output still holds."""
    with _to_output():
        sys.stdout.flush()


@contextlib.contextmanager
def _to_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.errno, error.strerror) from error


def encoded(text: str) -> bytes:
    """As UTF-8, except that names of files that are no UTF-8 come out as they are."""
    return text.encode("utf-8", "surrogateescape")


def silence_output() -> None:
    """Give up standard output, so that the interpreter does not complain about it when it ends."""
    _silence(sys.stdout)


def _silence(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
