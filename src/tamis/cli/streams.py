"""Standard output and standard error: results go to the one, everything that is said about them to the other."""

from __future__ import annotations

import os
import sys


def say(message: str) -> None:
    """One line on standard error."""
    line = message.replace("\n", " ")
    sys.stderr.write(f"tamis: {line}\n")


def write(text: str) -> None:
    """Text on standard output, as UTF-8 whatever the console's own encoding is."""
    sys.stdout.buffer.write(encoded(text))
    sys.stdout.buffer.flush()


def encoded(text: str) -> bytes:
    """As UTF-8, except that names of files that are no UTF-8 come out as they are."""
    return text.encode("utf-8", "surrogateescape")


def silence_output() -> None:
    """Give up standard output, so that the interpreter does not complain about it when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
