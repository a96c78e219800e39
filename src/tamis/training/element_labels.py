"""Labels of content elements, from whatever a dataset says about its pages.

gold text         page and gold are aligned word by word (``labels``); an element is main when more than half of its
                  words are
functional blocks of the kinds that ``MAIN_BLOCKS`` names, when all blocks around them are of these kinds too; a list
                  of links in the content is noise, as promoted pages are in the thesis
annotations       the nearest mark (``attachments``)

Gold text says nothing about images. An image is taken for main when the elements with words before and after it are:
a guess, which the card of a model says.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis.errors import InputError
from tamis.evaluation.datasets import GOLD_SPANS, Sample
from tamis.evaluation.measures import Score, bag_of_words, from_counts
from tamis.evaluation.words import compare_words
from tamis.extractors.elements.groups import IMAGE, Elements, find_elements
from tamis.page.blocks import block_texts
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.spans import as_arrays
from tamis.page.text import Bools, Floats
from tamis.results import Extraction
from tamis.training.annotations import Annotation
from tamis.training.attachments import ElementPaths, attach
from tamis.training.labels import text_labels
from tamis.training.passages import find_passages

MAIN_BLOCKS = frozenset({"Content", "Article", "Title", "Table", "Author", "Comments", "Image", "Video"})
"""Kinds of functional blocks that hold main content; the others (Header, Menu, LinkList, Ad ...) are noise."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """A page, its content elements, and which of them are main."""

    page: Page
    elements: Elements
    is_main: Bools
    oracle: Score  # of the text of the main elements: the most that any choice made this way can reach


def label_elements(sample: Sample) -> Labelled | None:
    """The elements of a page with labels; None when the sample holds none that can be read."""
    page = parse(sample.html, url=sample.url).revealed()
    if sample.gold is not None:
        elements = find_elements(page)
        is_main = gold_labels(page, elements, sample.gold)
        return Labelled(page, elements, is_main, oracle_score(page, elements, is_main, sample.gold))
    blocks = sample.extra.get("blocks")
    if not blocks:
        return None
    return labelled_by_nodes(page, block_labels(page, blocks))


def labelled_by_nodes(page: Page, in_main: Bools) -> Labelled:
    """The elements of a page, when it is known of each node whether it is in main content."""
    elements = find_elements(page)
    is_main = majority(page, elements, in_main.astype(np.float64))
    is_main[elements.group == IMAGE] = in_main[elements.node[elements.group == IMAGE]]
    texts = page.nodes.visible_texts
    gold = Extraction(page=page, spans=page.text_spans(texts[in_main[texts]])).text
    return Labelled(page, elements, is_main, oracle_score(page, elements, is_main, gold))


def gold_labels(page: Page, elements: Elements, gold: str) -> Bools:
    """Which elements are main, by a gold text; repeated text goes to the place that the order of the gold says."""
    blocks = page.blocks
    texts = [compare_words(text) for text in block_texts(blocks)]
    shares = np.zeros(len(page.nodes))
    shares[blocks.leaves] = np.repeat(text_labels(texts, compare_words(gold)), np.diff(blocks.first_leaf))
    is_main = majority(page, elements, shares)
    return between_main(elements, is_main)


def block_labels(page: Page, blocks: Sequence[Mapping[str, Any]]) -> Bools:
    """For each node whether it is in a block of main content and in no other; blocks have an ``xpath`` and a ``type``.

    Blocks that cannot be found on the page are left out; none found is an ``InputError``.
    """
    places = ElementPaths(page)
    nodes = [(places.node(block["xpath"]), block["type"]) for block in blocks]
    found = [(node, kind) for node, kind in nodes if node is not None]
    if not found:
        raise InputError(f"none of {len(blocks)} blocks is on the page: their paths belong to another version of it")
    return in_main_blocks(page, found)


def in_main_blocks(page: Page, blocks: Iterable[tuple[int, str]]) -> Bools:
    """For each node whether it is in a block of main content and in no other, given the nodes and kinds of blocks."""
    marked = [np.zeros(len(page.nodes), dtype=np.bool_) for _ in range(2)]
    for node, kind in blocks:
        marked[kind in MAIN_BLOCKS][node] = True
    noise, main = (page.nodes.inside(mark) for mark in marked)
    return np.asarray(main & ~noise)


def majority(page: Page, elements: Elements, shares: Floats) -> Bools:
    """Which elements hold more main words than others, given how much of each text node is main."""
    words = page.flow.words
    owner = elements.owner
    held = owner >= 0
    # By the texts that an element owns; one that owns none, such as an li around a p, by all it holds.
    own = np.bincount(owner[held], weights=words[held], minlength=len(elements))
    own_main = np.bincount(owner[held], weights=(words * shares)[held], minlength=len(elements))
    all_main = _totals(page, words * shares)[elements.node]
    all_words = _totals(page, words.astype(np.float64))[elements.node]
    return np.asarray(np.where(own > 0, 2 * own_main > own, 2 * all_main > all_words))


def between_main(elements: Elements, is_main: Bools) -> Bools:
    """The same labels, and images main whose neighbours with words are."""
    is_image = elements.group == IMAGE
    texts = np.flatnonzero(~is_image)
    images = np.flatnonzero(is_image)
    result: Bools = is_main & ~is_image
    if len(texts):
        after = np.searchsorted(texts, images)
        known = np.concatenate(([False], is_main[texts], [False]))
        result[images] = known[after] & known[after + 1]
    return result


def oracle_score(page: Page, elements: Elements, is_main: Bools, gold: str) -> Score:
    """Word F1 of the text that the main elements own, against the gold text."""
    spans = page.text_spans(elements.leaves(page, is_main))
    if not spans and not gold.strip():
        return from_counts(0, 0, 0)
    return bag_of_words(gold, Extraction(page=page, spans=spans).text)


def export_samples(pages: Iterable[tuple[Sample, Annotation]]) -> Iterator[Sample]:
    """Annotated pages as samples with gold text, for ``evaluation.datasets.write``; what is lost is in ``extra``."""
    for sample, annotation in pages:
        page = parse(sample.html, url=sample.url)
        found, passages = attach(annotation, page), find_passages(annotation, page)
        elements = find_elements(page)
        chosen = found.is_main(page)[elements.node]
        spans = page.clip(*as_arrays((*page.text_spans(elements.leaves(page, chosen)), *passages.spans)))
        text = Extraction(page=page, spans=spans).text
        lost = [*(mark.quote for mark in found.lost), *(passage.text for passage in passages.lost)]
        extra = {**sample.extra, "annotator": annotation.annotator, "lost_marks": lost, GOLD_SPANS: spans}
        if annotation.language:
            extra["language"] = annotation.language
        page_type = annotation.page_type or sample.page_type
        yield dataclasses.replace(sample, gold=text, page_type=page_type, extra=extra)


def _totals(page: Page, amounts: Floats) -> Floats:
    sums = np.concatenate(([0.0], np.cumsum(amounts)))
    totals: Floats = sums[page.nodes.end] - sums[:-1]
    return totals
