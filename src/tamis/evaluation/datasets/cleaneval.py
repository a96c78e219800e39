"""CleanEval as it was published: pages in one folder, gold texts with ``<h>``, ``<p>`` and ``<l>`` marks in another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tamis.evaluation.datasets import GOLD_MARKED, Report, Sample, decoded, file_bytes

_GOLD_ENDING = "-cleaned.txt"
_MARK = re.compile(r"^[ \t]*<[hpl]>[ \t]*", re.MULTILINE)
_ADDRESS = re.compile(r"\A\s*URL:\s*(\S+)[^\n]*\n")
_WRAPPER = re.compile(r"</?text\b[^>]*>", re.IGNORECASE)


def recognises(path: Path) -> bool:
    return path.is_dir() and next(path.rglob(f"*{_GOLD_ENDING}"), None) is not None


def read(path: Path, report: Report) -> Iterator[Sample]:
    golds = _golds(path, report)
    for page in sorted(path.rglob("*.html")):
        gold = golds.pop(page.stem, None)
        html = file_bytes(page, report)
        marked = file_bytes(gold, report) if gold else None
        if html is None:
            continue
        markup = _WRAPPER.sub("", decoded(html))
        if marked is None:
            yield Sample(id=page.stem, html=markup)
        else:
            text, url = strip_marks(decoded(marked))
            yield Sample(id=page.stem, html=markup, gold=text, url=url, extra={GOLD_MARKED: decoded(marked)})
    for gold in golds.values():
        report(str(gold), f"there is no page {gold.name.removesuffix(_GOLD_ENDING)}.html for this gold text")


def strip_marks(marked: str) -> tuple[str, str | None]:
    """The gold text without its marks, and the address in its first line.

    >>> strip_marks("URL: http://a.b/\\n<h>Title\\n<p>Text")
    ('Title\\nText', 'http://a.b/')
    """
    address = _ADDRESS.match(marked)
    return _MARK.sub("", without_address(marked)), address.group(1) if address else None


def without_address(marked: str) -> str:
    """A gold text without the line that has the address."""
    return _ADDRESS.sub("", marked)


def _golds(path: Path, report: Report) -> dict[str, Path]:
    """Gold texts by the name of their page. Pages of two halves may share a name: then each half is a dataset."""
    golds: dict[str, Path] = {}
    for gold in sorted(path.rglob(f"*{_GOLD_ENDING}")):
        stem = gold.name.removesuffix(_GOLD_ENDING)
        if stem in golds:
            report(str(gold), f"another gold text has this name: {golds[stem]}")
        golds.setdefault(stem, gold)
    return golds
