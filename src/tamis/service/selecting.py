"""The text of a page as it is selected in the annotator, and what a selection says about its elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tamis.errors import OptionError
from tamis.page.spans import Span
from tamis.service.annotating import PageSet, Sheet, read_kinds, read_spans
from tamis.training.passages import Said, select


def texts(sheet: Sheet) -> list[dict[str, Any]]:
    """The visible text block by block: the element that owns it, and its pieces with their places in the page."""
    page, owner, element = sheet.page, sheet.elements.owner, sheet.elements.node
    starts = page.nodes.text_start.tolist()
    return [
        {
            "node": next((int(element[owner[leaf]]) for leaf in leaves if owner[leaf] >= 0), None),
            "pieces": [[starts[leaf], page.node_text(leaf)] for leaf in leaves],
        }
        for leaves in (block.leaves for block in page.blocks)
    ]


def selected(pages: PageSet, values: Mapping[str, Any]) -> dict[str, Any]:
    """What elements and passages are after a selection was called main content, or noise; nothing is kept yet."""
    if not isinstance(values.get("is_main"), bool):
        raise OptionError("is_main is missing: whether the selection is main content")
    sheet = pages.sheet(str(values.get("page", "")))
    said = Said(read_kinds(sheet, values), read_spans(sheet, values, "passages"))
    selection: tuple[Span, ...] = read_spans(sheet, values, "selection")
    now = select(sheet.page, sheet.elements, said, selection, is_main=values["is_main"])
    return {"kinds": now.kinds, "passages": now.passages}
