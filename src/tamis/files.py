"""Files: written whole or not at all, and pages found below a folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".xht")


@contextlib.contextmanager
def aside(path: Path) -> Iterator[Path]:
    """A file to write to, which takes the name of ``path`` when the block ends well, and else goes away again.

    Its own name is short, because the name of ``path`` may be as long as a name can be, and no other process has it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".tamis-{os.urandom(8).hex()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def find_pages(folder: Path, left_out: Path | None = None) -> list[Path]:
    """Pages below a folder in the order of their names; none of the folder that is left out. Raises ``OSError``."""
    skipped = None if left_out is None or _real(left_out) == _real(folder) else _real(left_out)
    return sorted(_walk(folder, skipped))


def _walk(folder: Path, skipped: str | None) -> Iterator[Path]:
    def stop(error: OSError) -> None:
        raise error

    for place, folders, names in os.walk(folder, onerror=stop):
        folders[:] = [name for name in folders if _real(Path(place, name)) != skipped]
        for path in (Path(place, name) for name in names if name.lower().endswith(PAGE_SUFFIXES)):
            # A dangling link is kept: it is reported as failed. Reading a named pipe could wait for ever.
            if path.is_file() or not path.exists():
                yield path


def _real(path: Path) -> str:
    return os.path.realpath(path)  # Path.resolve raises when links go round in a circle
