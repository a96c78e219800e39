"""YAML in front of a document: what the page says about itself, for tools that read such a head.

All values are written as double-quoted strings, which YAML reads back as they are whatever they hold; a list has an
item on each line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tamis.characters import writable
from tamis.results import Extraction

_MARKS = "---"
# What YAML does not count among printable characters, or takes for the end of a line.
_SPECIAL = re.compile('["\\\\]|[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]')
_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def front_matter(extraction: Extraction) -> str:
    """The head of the document, its marks included; values that the page does not say are left out."""
    metadata = extraction.metadata
    values = {
        "title": metadata.title,
        "author": metadata.authors,
        "date": metadata.date,
        "url": metadata.url or extraction.page.url,
        "site": metadata.site_name,
        "language": metadata.language,
        "page_type": metadata.page_type,
        "description": metadata.description,
        "image": metadata.image,
        "categories": metadata.categories,
        "tags": metadata.tags,
    }
    return f"{_MARKS}\n{written(values)}{_MARKS}\n"


def written(values: Mapping[str, str | Sequence[str] | None]) -> str:
    """Names with their values as YAML; without those that have none.

    >>> print(written({"title": 'The "river": a story', "tags": ["a", "b"], "image": None}), end="")
    title: "The \\"river\\": a story"
    tags:
      - "a"
      - "b"
    """
    lines = []
    for name, value in values.items():
        if isinstance(value, str):
            lines.append(f"{name}: {_quoted(value)}\n")
        elif value:
            lines += [f"{name}:\n", *(f"  - {_quoted(item)}\n" for item in value)]
    return "".join(lines)


def _quoted(text: str) -> str:
    return f'"{_SPECIAL.sub(_escaped, writable(text))}"'


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return _NAMED.get(char) or (f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}")
