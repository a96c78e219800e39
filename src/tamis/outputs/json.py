"""JSON: the content in every format and as a tree, the metadata and, if asked for, all blocks; on one line."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any

from tamis.about.metadata import Metadata
from tamis.outputs import html, markdown, text
from tamis.outputs._content import content
from tamis.outputs._options import Options, reduced
from tamis.results import Extraction

SCHEMA_VERSION = 2  # grows when a key changes its meaning or goes away; new keys may come at any time
_DEFAULT = Options()


def render(extraction: Extraction, options: Options | None = None) -> str:
    return json.dumps(to_dict(extraction, options), ensure_ascii=False, allow_nan=False, check_circular=False)


def to_dict(extraction: Extraction, options: Options | None = None) -> dict[str, Any]:
    """Everything known of an extraction, in the types that JSON has."""
    if options is None or options == _DEFAULT:
        texts = (extraction.text, extraction.markdown, extraction.html)
    else:
        extraction = reduced(extraction, options)
        rest = dataclasses.replace(
            options, max_characters=None, tables=True, comments=True, front_matter=False, posts=False
        )
        texts = (text.render(extraction, rest), markdown.render(extraction, rest), html.render(extraction, rest))
    page, made = extraction.page, extraction.made
    chosen = options or _DEFAULT
    blocks = {"blocks": _blocks(extraction, chosen)} if chosen.blocks or chosen.reasons else {}
    posts = {"posts": _posts(extraction)} if chosen.posts else {}
    declared = {"structured_data": extraction.structured_data} if chosen.structured_data else {}
    return {
        "schema_version": SCHEMA_VERSION,
        "url": page.url,
        "encoding": page.encoding,
        "status": extraction.status,
        "warnings": list(extraction.warnings),
        "method": made.method,
        "options": _plain(made.options),
        "version": made.version,
        "metadata": _plain(dataclasses.asdict(_metadata(extraction, chosen))),
        "text": texts[0],
        "markdown": texts[1],
        "html": texts[2],
        "content": content(extraction, chosen),
        "spans": [list(span) for span in extraction.spans],
        **blocks,
        **posts,
        **declared,
    }


def _metadata(extraction: Extraction, options: Options) -> Metadata:
    if options.images:
        return extraction.metadata
    declared = extraction.page.metadata
    return dataclasses.replace(extraction.metadata, images=declared.images, sources=declared.sources)


def _posts(extraction: Extraction) -> list[dict[str, Any]]:
    return [
        {
            "author": post.author,
            "author_url": post.author_url,
            "date": post.date,
            "text": post.text,
            "node": post.node,
            "spans": [list(span) for span in post.spans],
            "parent": post.parent,
        }
        for post in extraction.comments
    ]


def _blocks(extraction: Extraction, options: Options) -> list[dict[str, Any]]:
    is_brief = extraction.rules is not None and not options.reasons
    choices = extraction.block_choices(extraction.rules) if is_brief else extraction.blocks
    return [
        {
            "number": number,
            "span": [*span],
            "kept": kept,
            "score": float(score) if math.isfinite(score) else None,
            "label": label,
            "reason": reason,
            "text": text,
        }
        for number, span, kept, score, label, reason, text in choices
    ]


def _plain(value: Any) -> Any:
    """Tuples as lists, so that what is read back is equal to what was written."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
