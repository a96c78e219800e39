"""Files: written whole or not at all, and pages found below a folder."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".xht")


@contextlib.contextmanager
def aside(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """A file to write to, which takes the name of ``path`` when the block ends well, and else goes away again.

    Its own name is short, because the name of ``path`` may be as long as a name can be, and no other process has it.
    ``durable`` is for files that one process writes at a time, and that a later run relies on: what a killed process
    has left of it goes, and its content is on the disk before it has its name. A pipe or a device is written to as it
    is: ``/dev/stdout`` stays what it was.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        yield path
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    mark = f".tamis-{hashlib.blake2b(os.fsencode(path.name), digest_size=6).hexdigest()}"
    if durable:
        for left in path.parent.glob(f"{mark}-*.part"):
            left.unlink(missing_ok=True)
    part = path.with_name(f"{mark}-{os.urandom(8).hex()}.part")
    try:
        yield part
        if durable:
            _write_through(part)
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str, *, durable: bool = False) -> None:
    """Write a text as UTF-8: the whole file or none."""
    with aside(path, durable=durable) as part:
        part.write_bytes(text.encode("utf-8", "backslashreplace"))


def _write_through(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


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
