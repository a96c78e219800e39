"""An extraction → the stream of events: formulas, images, tables, notes and code are found, and the texts walked."""

from __future__ import annotations

import numpy as np

from tamis.characters import has_unseen, without_unseen
from tamis.outputs._code import looks_like_code
from tamis.outputs._events import FORMULA, IMAGE, OPEN, TEXT, Event
from tamis.outputs._formulas import Formula, find_formulas, has_raw_formulas
from tamis.outputs._holders import Holders, hrefs, kept_holders
from tamis.outputs._images import Image, find_images
from tamis.outputs._lists import bare_lists, tasks
from tamis.outputs._notes import find_notes
from tamis.outputs._pieces import Pieces, adjoining, kept_pieces, textless_elements
from tamis.outputs._posts import post_starts
from tamis.outputs._roles import table_roles
from tamis.outputs._tables import cell_spans, kept_tables
from tamis.outputs._twin import kernel
from tamis.outputs._walk import MEANT, Plan
from tamis.page.html import INLINE_NAMES, TAG_CODES, mask
from tamis.page.model import FOREIGN, Page
from tamis.page.tables import LAYOUT
from tamis.page.text import Bools, Ints
from tamis.results import Extraction

_INLINE, _LINK, _BREAK = mask(*INLINE_NAMES), TAG_CODES["a"], TAG_CODES["br"]
_MEANT = MEANT | mask("listing", "plaintext", "pre", "textarea", "xmp")


def events(extraction: Extraction, *, images: bool = True, formulas: bool = True) -> list[Event]:
    """The kept content in page order; made once, because several formats are written from it."""
    return extraction.shared.once(_events, extraction, images, formulas)


def content_images(extraction: Extraction) -> dict[int, Image]:
    """The images of the content by their node; found once, for the formats and the metadata."""
    return extraction.shared.once(_content_images, extraction)


def _content_images(extraction: Extraction) -> dict[int, Image]:
    return find_images(extraction.page, kept_pieces(extraction).seen, extraction.images)


def page_formulas(extraction: Extraction) -> list[Formula]:
    """The formulas that are elements of the page; found once, likewise."""
    return extraction.shared.once(_page_formulas, extraction)


def _page_formulas(extraction: Extraction) -> list[Formula]:
    return find_formulas(extraction.page)


def _settled(event: Event) -> Event:
    """The event with the text that is written: formats escape it, so nothing may be removed from it after them."""
    return event if event.text.isascii() else event._replace(text=without_unseen(event.text))


def _events(extraction: Extraction, images: bool, formulas: bool) -> list[Event]:
    page, kept = extraction.page, kept_pieces(extraction)
    if not len(kept.node):
        return []
    seen = kept.seen
    if not len(seen):
        return []
    things: dict[int, Event] = {}
    if formulas:
        kept = _take_formulas(page, page_formulas(extraction), kept, seen, things)
    if images:
        taken = {below for node in things for below in range(node, int(page.nodes.end[node]))}
        for node, image in content_images(extraction).items():
            if node not in taken:
                is_text = image.name == "emoji"
                things[node] = Event(TEXT if is_text else IMAGE, image.name, node, image.text, image.address)
    for node in textless_elements(kept_holders(extraction), seen, table_roles(extraction)).tolist():
        things[node] = Event(OPEN)
    for node in post_starts(kept_holders(extraction), seen):
        things.setdefault(node, Event(OPEN, "hr"))
    if has_unseen(page.text):
        return list(map(_settled, _walk(extraction, kept, seen, things, formulas)))
    settled = {node: _settled(event) for node, event in things.items()}
    return _walk(extraction, kept, seen, settled, formulas)


def _walk(extraction: Extraction, kept: Pieces, seen: Ints, things: dict[int, Event], formulas: bool) -> list[Event]:
    page, tables = extraction.page, kept_tables(extraction)
    holders = kept_holders(extraction)
    lone = _lone(holders, things)
    links = _hrefs(holders, things, lone)
    notes = find_notes(page, seen, links)
    code = kept.code_roots
    meant = _meant(holders, lone, tables, code)
    if told := [*notes.notes, *table_roles(extraction)]:
        meant[told] = True
    areas = _plain_areas(page)
    plan = Plan(
        page=page,
        holder=page.nodes.nearest(meant),
        tables=tables,
        spans=cell_spans(extraction) if tables else {},
        code=frozenset(code.tolist()),
        plain=frozenset((*bare_lists(page).tolist(), *areas)),
        areas=_area_texts(page, areas),
        roles=table_roles(extraction),
        tasks=tasks(page),
        hrefs=links,
        notes=notes,
        has_raw_formulas=formulas and _may_hold_formulas(page, kept) and has_raw_formulas(page),
    )
    if notes.back_links:
        kept = _without(page, kept, notes.back_links)
    lines = kernel.line_numbers(page.nodes.tag, _BREAK, kept.line_starts)
    return kernel.walked(plan, kept.node, kept.start, kept.end, kept.run, kept.is_cut, lines, things)


def _may_hold_formulas(page: Page, kept: Pieces) -> bool:
    """Whether there is a sign of a formula between the first kept text and the last."""
    first, last = (int(kept.start[0]), int(kept.end[-1])) if len(kept.node) else (0, 0)
    return page.text.find("$", first, last) >= 0 or page.text.find("\\", first, last) >= 0


def _plain_areas(page: Page) -> list[int]:
    """Text areas that hold no code."""
    return [node for node in page.nodes.each("textarea") if not looks_like_code(page.node_text(node))]


def _area_texts(page: Page, areas: list[int]) -> frozenset[int]:
    nodes = page.nodes
    texts = (below for node in areas for below in range(node, int(nodes.end[node])))
    return frozenset(node for node in texts if page.name(node) == "#text")


def _lone(holders: Holders, things: dict[int, Event]) -> dict[int, int]:
    """The elements around things that hold no kept text, each with the innermost link it is in among these, or 0."""
    found = {0: 0}
    if not things:
        return found
    tag, parent = holders.page.nodes.tag.item, holders.page.nodes.parent.item
    holding = holders.page.nodes.marked(holders.node).item
    for node in things:
        path = []
        while node not in found and not holding(node):
            path.append(node)
            node = parent(node)
        link = found.get(node, 0)
        for element in reversed(path):
            found[element] = link = element if tag(element) == _LINK else link
    return found


def _hrefs(holders: Holders, things: dict[int, Event], lone: dict[int, int]) -> dict[int, str]:
    """Where the links lead around kept text, and around what is there for its own sake."""
    around = {lone.get(node, 0) for node in things} - {0}
    return holders.hrefs | hrefs(holders.page, np.array(sorted(around), dtype=np.int64)) if around else holders.hrefs


def _meant(holders: Holders, lone: dict[int, int], tables: dict[int, str], code: Ints) -> Bools:
    """Elements that say something about the text in them."""
    page, nodes = holders.page, holders.page.nodes
    meant: Bools = kernel.meaning(nodes.tag, nodes.flags, _MEANT, FOREIGN)
    if tables:
        meant[[table for table, kind in tables.items() if kind == LAYOUT]] = False
    if len(code):
        meant[code] = True
    for around in (holders.node, np.array([*lone][1:], dtype=np.int64)) if len(lone) > 1 else (holders.node,):
        directions = page.attribute(around, "dir")
        if directions.count(None) < len(directions):  # as on few pages
            for node, direction in zip(around.tolist(), directions, strict=True):
                if direction is not None and not _INLINE[nodes.tag[node]]:
                    meant[node] = True
    return meant


def _take_formulas(page: Page, formulas: list[Formula], kept: Pieces, seen: Ints, things: dict[int, Event]) -> Pieces:
    """The pieces outside of formulas; formulas that are kept are added to the things."""
    if not formulas:
        return kept
    starts = np.array([formula.node for formula in formulas])
    ends = np.array([formula.end for formula in formulas])
    holds_kept = np.searchsorted(seen, ends) > np.searchsorted(seen, starts)
    characters = page.flow.seen
    is_unseen = characters[ends] == characters[starts]
    is_after_kept, is_before_kept = adjoining(page, seen, starts, ends)
    is_chosen = holds_kept | (is_unseen & (is_after_kept | is_before_kept))
    for formula, chosen in zip(formulas, is_chosen.tolist(), strict=True):
        if chosen:
            things[formula.node] = _formula_event(formula)
    number = np.searchsorted(starts, kept.node, side="right") - 1
    is_inside = (number >= 0) & (kept.node < ends[number]) & is_chosen[number]
    return kept.only(~is_inside)


def _without(page: Page, kept: Pieces, elements: frozenset[int]) -> Pieces:
    marked = page.nodes.marked(list(elements))
    return kept.only(~page.nodes.inside(marked)[kept.node])


def _formula_event(formula: Formula) -> Event:
    return Event(FORMULA, "display" if formula.is_display else "inline", formula.node, formula.latex)
