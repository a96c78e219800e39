"""What a command reads and where each result goes, settled before anything is processed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tamis.errors import InputError, OptionError, TamisError
from tamis.files import PAGE_SUFFIXES, find_pages

MODES = ("mark", "delete", "hide", "replace", "restructure")
"""Outputs that give the whole page back; ``extract``, the sixth mode of the literature, is what the formats are for."""
SUFFIXES = {"text": ".txt", "markdown": ".md", "chunks": ".jsonl", **dict.fromkeys(MODES, ".html")}
"""Formats whose files do not end in the name of the format."""

STANDARD_INPUT = "-"
_SCHEME = re.compile(r"https?:", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_WWW = re.compile(r"www\.[\w-]+\.", re.IGNORECASE)
_HOST = re.compile(r"(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+|/)", re.IGNORECASE)  # "story.html" is no host
_PATTERN = re.compile(r"[*?\[]")
_MAX_NAME = 120  # of a file called after an address; file systems allow 255 bytes


class Item(NamedTuple):
    """One page to read, and the file its result goes to, or None for standard output."""

    source: str
    target: Path | None


def plan(inputs: Sequence[str], output_format: str, out: Path | None) -> tuple[Item, ...]:
    """One item per page; everything that can be known to go wrong is refused here."""
    sources = inputs or _default_inputs()
    if sources.count(STANDARD_INPUT) > 1:
        raise OptionError("standard input (-) is given twice, but can be read only once")
    suffix = SUFFIXES.get(output_format, f".{output_format}")
    items = tuple(
        Item(source, None if out is None else out / _result_name(name, suffix))
        for given in sources
        for source, name in _pages(given, out)
    )
    _check_targets(items)
    return items


def is_address(source: str) -> bool:
    """True for a page on the web; ``www.`` in front stands for a scheme, unless a file is called so."""
    return _SCHEME.match(source) is not None or (_WWW.match(source) is not None and not Path(source).exists())


def with_scheme(address: str) -> str:
    """An address as it is fetched.

    >>> with_scheme("www.example.org/news"), with_scheme("http://example.org/")
    ('https://www.example.org/news', 'http://example.org/')
    """
    return address if _SCHEME.match(address) else f"https://{address}"


def refuse_other_scheme(source: str) -> None:
    """Refuse a URL that is not fetched, which would else be looked for as a file."""
    if _OTHER_SCHEME.match(source) and not is_address(source) and not Path(source).exists():
        hint = "pass the path of the file" if source.lower().startswith("file:") else "pass an http:// or https:// URL"
        raise InputError(f"cannot read {source!r}: {hint}")


def refuse_nothing(source: str) -> None:
    """Refuse an empty name, such as that of a variable that is not set; as a path it is the current folder."""
    if not source:
        raise InputError("the name of an input is empty: pass a file, a folder or a URL")


def refuse_file_name(out: Path) -> None:
    """Refuse a name for ``--out`` that is meant as that of one file."""
    endings = {*SUFFIXES.values(), ".html", ".json", ".tei"}
    if out.suffix.lower() in endings and not out.is_dir():
        raise OptionError(f"--out is a folder, and {str(out)!r} looks like a file: for one file pass -o {out}")


def make_folder(out: Path) -> None:
    """Make the folder for the results, or refuse."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot write to --out {str(out)!r}: {error.strerror}; pass a folder") from error
    if not os.access(out, os.W_OK | os.X_OK):
        raise OptionError(f"cannot write to --out {str(out)!r}: no permission; pass a folder that can be written")


@contextlib.contextmanager
def folder_for_results(out: Path) -> Iterator[None]:
    """Make the folder, or refuse; if nothing could be begun in it, one that was made goes away again."""
    is_new = not out.exists()
    make_folder(out)
    try:
        yield
    except TamisError:
        if is_new:
            with contextlib.suppress(OSError):  # it is not empty
                out.rmdir()
        raise


def _default_inputs() -> Sequence[str]:
    if sys.stdin is None or sys.stdin.isatty():
        raise OptionError("nothing to read: pass files or folders, or pipe a page into the command")
    return [STANDARD_INPUT]


def _pages(given: str, out: Path | None) -> Iterator[tuple[str, Path]]:
    """The pages that an argument stands for, each with the name its result is called after."""
    if given == STANDARD_INPUT:
        yield STANDARD_INPUT, Path("stdin")
    elif is_address(given):
        from tamis.fetching import addresses

        address = with_scheme(given)
        yield address, _address_name(str(addresses.read(address)))
    elif _is_folder(given):
        yield from _pages_below(Path(given), out)
    else:
        yield given, Path(Path(given).name)


def _address_name(url: str) -> Path:
    """A file name for the page at an address; with a digest if the address holds what the name cannot.

    >>> _address_name("https://example.org/news/a.html").name, _address_name("https://example.org/?page=2").name
    ('example.org_news_a.html', 'example.org_page_2-adcfd757')
    """
    address = re.sub(r"^https?:/*", "", url, flags=re.IGNORECASE).rstrip("/")
    name = re.sub(r"[^a-zA-Z0-9._-]+", "_", address)[:_MAX_NAME].strip("._") or "page"
    if name == address.replace("/", "_"):
        return Path(name)
    return Path(f"{name}-{hashlib.sha256(address.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}")


def _is_folder(given: str) -> bool:
    refuse_other_scheme(given)
    refuse_nothing(given)
    path = Path(given)
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        hint = f"; for a page on the web pass http://{path} or https://{path}" if _HOST.match(str(path)) else ""
        if _PATTERN.search(given):
            hint = "; patterns are expanded by the shell, if they are not quoted"
        raise InputError(
            f"cannot read {str(path)!r}: {error.strerror}; pass a file or folder that exists{hint}"
        ) from error


def _pages_below(folder: Path, out: Path | None) -> Iterator[tuple[str, Path]]:
    try:
        found = find_pages(folder, left_out=out)  # results of an earlier run are no pages
    except OSError as error:
        raise InputError(f"cannot read {error.filename!r}: {error.strerror}; pass something readable") from error
    if not found:
        raise InputError(f"no pages ({', '.join(PAGE_SUFFIXES)}) below {str(folder)!r}: pass the files by name")
    yield from ((str(path), path.relative_to(folder)) for path in found)


def _result_name(name: Path, suffix: str) -> Path:
    """The name of a page with the suffix of its result; only a page's own suffix is replaced.

    >>> _result_name(Path("news/today.html"), ".txt").as_posix(), _result_name(Path("v1.2"), ".md").name
    ('news/today.txt', 'v1.2.md')
    """
    stem = name.stem if name.suffix.lower() in PAGE_SUFFIXES else name.name
    return name.with_name(stem + suffix)


def _check_targets(items: tuple[Item, ...]) -> None:
    sources = {os.path.realpath(Path(item.source)) for item in items}
    taken: dict[Path, str] = {}
    for item in items:
        if item.target is None:
            continue
        if item.target in taken:
            raise OptionError(
                f"{taken[item.target]!r} and {item.source!r} would both be written to {str(item.target)!r}: "
                "extract them into different folders"
            )
        taken[item.target] = item.source
        if os.path.realpath(item.target) in sources:
            raise OptionError(f"{str(item.target)!r} would be overwritten while it is an input: choose another --out")
