"""CEML-labelled HTML: the page as it is, with the class ``CEML__MAIN__CONTENT`` added to its main elements.

Nothing else of the markup changes, and ``unlabelled`` takes the labels out again, to the letter. Inline elements follow
the element they stand in and carry no label; images do.
The format is that of Yunis (2016), section 3.6; ``evaluation.datasets.ceml`` reads folders of such pages.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis.evaluation.datasets.ceml import labelled_elements, unlabelled
from tamis.page.html import INLINE_NAMES
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.source_events import OPENING_EVENT
from tamis.page.text import Bools
from tamis.training.annotations import MAIN, NOISY, Annotation, page_digest
from tamis.training.attachments import fewest_marks

__all__ = ["from_ceml", "labelled", "read_labels"]

LABEL = "CEML__MAIN__CONTENT"
_WITHOUT_LABEL = INLINE_NAMES - {"img"}
_NUMBER = "data-ceml-number"  # no page has it
_NAME_END = re.compile(r"<[^\s/>]+")
_ATTRIBUTE = re.compile(
    r"""[/ \t\n\f\r]*(?P<name>=?[^/>= \t\n\f\r]+|=)"""
    r"""(?:[ \t\n\f\r]*=[ \t\n\f\r]*(?P<value>"[^"]*"|'[^']*'|[^> \t\n\f\r]*))?"""
)
"""An attribute as HTML reads one: a slash parts two of them, and after a quote nothing needs to."""


def carriers(page: Page) -> Bools:
    """Elements that can carry a label: images and all that is not inline; what a text field holds is only text."""
    nodes = page.nodes
    field = nodes.named("textarea")
    return nodes.elements & ~nodes.named(*sorted(_WITHOUT_LABEL)) & (field | ~nodes.inside(field))


class Written(NamedTuple):
    """Labelled markup, and the elements that have no tag of their own to carry a label."""

    markup: str
    left_out: tuple[int, ...]


def labelled(page: Page, is_main: Bools) -> Written:
    """The markup of a page with labels on its main elements, one flag for each node.

    An element that the parser made up, such as a ``tbody`` that nobody wrote, cannot be labelled and is named.
    """
    source, tags = page.source, _opening_tags(page)
    main = np.flatnonzero(is_main & carriers(page)).tolist()
    written = _tag_numbers(page, tags)
    found = {written[node]: node for node in main if node in written}
    parts: list[str] = []
    done = 0
    for number in sorted(found):
        start, end = tags[number]
        parts += (source[done:start], _with_label(source[start:end]))
        done = end
    return Written("".join(parts) + source[done:], tuple(node for node in main if node not in written))


def read_labels(markup: str) -> tuple[Page, Bools]:
    """The page without its labels, and which of its nodes are labelled."""
    return parse(unlabelled(markup)), labelled_elements(parse(markup))


def from_ceml(markup: str, page_id: str, annotator: str) -> Annotation:
    """The labels of a page as an annotation."""
    page, is_main = read_labels(markup)
    elements = np.flatnonzero(carriers(page)).tolist()
    marks = fewest_marks(page, {node: MAIN if is_main[node] else NOISY for node in elements})
    return Annotation(page=page_id, annotator=annotator, committed=True, digest=page_digest(page), marks=marks)


def _opening_tags(page: Page) -> list[tuple[int, int]]:
    events = page.scan()
    chosen = np.flatnonzero(events.kind == OPENING_EVENT)
    # Inline tags are left alone: an attribute can change what the parser makes of several in a row.
    return [
        (int(events.start[place]), int(events.end[place]))
        for place in chosen.tolist()
        if events.value[place] not in _WITHOUT_LABEL and _NAME_END.match(page.source, events.start[place])
    ]


def _tag_numbers(page: Page, tags: list[tuple[int, int]]) -> dict[int, int]:
    """For each element the number of the tag it was made from.

    The source is parsed again with a number in every tag; attributes do not change how a tree is built.
    """
    source, done = page.source, 0
    parts: list[str] = []
    for number, (start, end) in enumerate(tags):
        name = _NAME_END.match(source[start:end])
        at = start + (name.end() if name else 0)
        parts += (source[done:at], f' {_NUMBER}="{number}"')
        done = at
    numbered = parse("".join(parts) + source[done:])
    if len(numbered.nodes) != len(page.nodes):
        return {}
    elements = np.flatnonzero(numbered.nodes.elements)
    pairs = zip(elements.tolist(), numbered.attribute(elements, _NUMBER), strict=True)
    return {node: int(number) for node, number in pairs if number is not None}


def _with_label(tag: str) -> str:
    """A tag with the label among its classes; of two attributes of one name the first counts."""
    name = _NAME_END.match(tag)
    place = name.end() if name else 0
    for attribute in _ATTRIBUTE.finditer(tag, place):
        if attribute["name"].lower() == "class":
            if not (value := attribute["value"]):
                break
            # Without quotes a blank can be written only this way, and quotes could not be told from the page's own.
            is_quoted = value[0] in "\"'"
            end = attribute.end("value") - is_quoted
            return f"{tag[:end]}{' ' if is_quoted else '&#32;'}{LABEL}{tag[end:]}"
    return f'{tag[:place]} class="{LABEL}"{tag[place:]}'
