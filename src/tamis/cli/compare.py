"""``tamis compare``: every method on one page."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tamis import registry
from tamis.cli import streams
from tamis.cli.flags import Input
from tamis.cli.items import is_address
from tamis.cli.sources import AllowPrivate, Reader, RespectRobots
from tamis.errors import InputError, OptionError, UnknownNameError
from tamis.files import write_text


def compare(
    page: Annotated[Input, Parameter(help="The file, the URL, or - for standard input.", allow_leading_hyphen=True)],
    /,
    *,
    methods: Annotated[
        str,
        Parameter(help="Methods and peers, separated by commas; default: all that are installed.", show_default=False),
    ] = "",
    gold: Annotated[Path | None, Parameter(help="A file with the gold text, to score against.")] = None,
    html: Annotated[Path | None, Parameter(help="Write an HTML report: every block and which methods keep it.")] = None,
    disagreements: Annotated[
        bool, Parameter(help="Also list the blocks that some keep and others drop.", negative="", show_default=False)
    ] = False,
    allow_private: AllowPrivate = False,
    respect_robots: RespectRobots = True,
) -> None:
    """Compare all methods on one page.

    Prints a row per method, the default first: how much it keeps and, with --gold, precision, recall and F1. Extractors
    of other packages (peers) are included if they are installed.

    Examples:
      tamis compare page.html
      tamis compare page.html --methods sieve,bte,lqf --html look.html
      tamis compare page.html --gold page.txt
      tamis compare page.html --methods sieve,trafilatura --disagreements
    """
    from tamis.evaluation import compare as comparing
    from tamis.evaluation.peers import PEERS, import_peer

    names = [name.strip() for name in methods.split(",") if name.strip()]
    own = registry.names("extractors")
    for name in names:
        if name in PEERS:
            import_peer(name)
        elif name not in own:
            raise UnknownNameError("method", name, (*own, *PEERS))
    logging.getLogger().addHandler(logging.NullHandler())  # else the tracebacks that peers log are printed
    parsed = Reader(allow_private=allow_private, respect_robots=respect_robots).read(page)
    wanted = None if gold is None else _read(gold)
    names = names or [*comparing.default_first(own), *_peers_that_start()]
    found = comparing.compare(parsed, names, wanted)
    columns, rows = comparing.table(found)
    if html is not None:
        _write(html, comparing.to_html(parsed, found, f"Methods on {page if is_address(page) else Path(page).name}"))
    differing = comparing.disagreements(parsed, found) if disagreements else []
    failures = [f"{one.method} failed on this page: {one.error}" for one in found if one.error]
    for warning in (*parsed.warnings, *failures):
        streams.say(f"warning: {warning}")
    if sys.stdout.isatty():
        _print_table(columns, rows)
    else:
        streams.write("".join("\t".join(row) + "\n" for row in [columns, *rows]))
    for text, kept, dropped in differing:
        streams.write(f"\nkept by {', '.join(kept)}; dropped by {', '.join(dropped)}:\n{text}\n")


def _peers_that_start() -> list[str]:
    """The peers that are installed, without those that are broken; nobody asked for them by name."""
    from tamis.evaluation.compare import installed_peers
    from tamis.evaluation.peers import import_peer

    names = []
    for name in installed_peers():
        try:
            import_peer(name)
        except OptionError as error:
            streams.say(f"warning: left out: {error}")
        else:
            names.append(name)
    return names


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}; pass a file that exists") from error


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}; choose another place") from error


def _print_table(columns: list[str], rows: list[list[str]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, name in enumerate(columns):
        table.add_column(name, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    streams.screen().print(table)
