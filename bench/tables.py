"""Reads tables of pages in docs/ that other scripts have written, so that a number is measured once and shown twice."""

from __future__ import annotations

import re
from pathlib import Path


def read_row(page: Path, first: str, head: str) -> dict[str, str]:
    """The row that begins with ``first``, by the heads of its columns, in the first table that has the column ``head``.

    Links, emphasis and code marks do not count. A row that is not there is empty.
    """
    for table in re.findall(r"(?:^\|.*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE):
        heads, _, *rows = [_cells(line) for line in table.splitlines()]
        if head in heads:
            return next((dict(zip(heads[1:], row[1:], strict=True)) for row in rows if row[0] == first), {})
    return {}


def _cells(line: str) -> list[str]:
    """The cells of a line.

    >>> _cells("| [`sieve`](methods/sieve.md) | **0.9** |")
    ['sieve', '0.9']
    """
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line)
    return [cell.strip().strip("*`") for cell in plain.strip().strip("|").split("|")]
