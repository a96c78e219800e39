"""``tamis compare``: every method on one page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tamis import registry
from tamis.cli import streams
from tamis.cli.flags import Input
from tamis.cli.items import is_address
from tamis.cli.sources import AllowPrivate, Reader, RespectRobots
from tamis.errors import InputError


def compare(
    page: Annotated[Input, Parameter(help="The file or address to compare on.")],
    /,
    *,
    methods: Annotated[str, Parameter(help="Names joined by commas; all methods when missing.")] = "",
    gold: Annotated[Path | None, Parameter(help="A file with the right text, to score against.")] = None,
    html: Annotated[Path | None, Parameter(help="Write a page to look at: every block and who keeps it.")] = None,
    allow_private: AllowPrivate = False,
    respect_robots: RespectRobots = True,
) -> None:
    """Show what every method makes of one page.

    A row per method: how much it keeps and, with --gold, how right that is.

    Examples:
      tamis compare page.html
      tamis compare page.html --methods sieve,bte,lqf --html look.html
      tamis compare page.html --gold page.txt
    """
    from tamis.evaluation import compare as comparing

    names = [name.strip() for name in methods.split(",") if name.strip()]
    for name in names:
        registry.load("extractors", name)
    parsed = Reader(allow_private=allow_private, respect_robots=respect_robots).read(page)
    found = comparing.compare(parsed, names, None if gold is None else _read(gold))
    columns, rows = comparing.table(found)
    if html is not None:
        _write(html, comparing.to_html(parsed, found, f"Methods on {page if is_address(page) else Path(page).name}"))
    for warning in parsed.warnings:
        streams.say(f"warning: {warning}")
    if sys.stdout.isatty():
        _print_table(columns, rows)
    else:
        streams.write("".join("\t".join(row) + "\n" for row in [columns, *rows]))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}; pass a file that exists") from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
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
