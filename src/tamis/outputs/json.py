"""JSON: the content in every format, the metadata, and all blocks with what became of them, on one line."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any

from tamis.page.results import BlockChoice, Extraction

SCHEMA_VERSION = 1  # grows when a key changes its meaning or goes away; new keys may come at any time


def render(extraction: Extraction) -> str:
    return json.dumps(to_dict(extraction), ensure_ascii=False, allow_nan=False)


def to_dict(extraction: Extraction) -> dict[str, Any]:
    """Everything known of an extraction, in the types that JSON has."""
    page, made = extraction.page, extraction.made
    return {
        "schema_version": SCHEMA_VERSION,
        "url": page.url,
        "encoding": page.encoding,
        "status": extraction.status,
        "warnings": list(extraction.warnings),
        "method": made.method,
        "options": _plain(made.options),
        "version": made.version,
        "metadata": _plain(dataclasses.asdict(extraction.metadata)),
        "text": extraction.text,
        "markdown": extraction.markdown,
        "html": extraction.html,
        "spans": [list(span) for span in extraction.spans],
        "blocks": [_block(choice) for choice in extraction.blocks],
    }


def _block(choice: BlockChoice) -> dict[str, Any]:
    return {
        "number": choice.number,
        "span": list(choice.span),
        "kept": choice.kept,
        "score": float(choice.score) if math.isfinite(choice.score) else None,
        "label": choice.label,
        "reason": choice.reason,
        "text": choice.text,
    }


def _plain(value: Any) -> Any:
    """Tuples as lists, so that what is read back is equal to what was written."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
