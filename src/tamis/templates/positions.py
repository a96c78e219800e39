"""Positions: the content of one page, found on the others at the same position.

Idea:      extract one page of the group, its representative; store the content elements by their position among their
           siblings on every level; look them up on another page and check that their structure is the same.
Reference: Zelený (2017), chapter 7: path of distinguished positions, with the default extractor as the segmenter.
Departs:   when less than half of the content is found again, the page is extracted by itself (the thesis says nothing
           about failure). ``tolerant`` also accepts a unique id, and a position among siblings of the same name. Only
           elements are stored: text beside elements of which others are no content is not looked up.
Strong at: speed: only one page is extracted for the whole group.
Weak at:   an additional or missing banner shifts all positions after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypedDict

import numpy as np

from tamis import registry
from tamis.clusterers.representatives import DROPPED_NAMES
from tamis.page.blocks import kept_lengths
from tamis.page.model import INVISIBLE, Page
from tamis.page.text import Ints
from tamis.ranges import SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._alone import extracted
from tamis.templates._texts import digest


@dataclass(frozen=True, kw_only=True)
class Options:
    """When a place counts as found."""

    min_similarity: float = 0.7  # of the paths below; Zelený, who takes it for Gottron's (a distance there)
    min_found: float = 0.5  # of the content, by characters; our choice
    tolerant: bool = False

    def __post_init__(self) -> None:
        check_ranges(self, min_similarity=SHARE, min_found=SHARE)


class Step(NamedTuple):
    """One level of a path of distinguished positions."""

    position: int  # among the siblings, from 1
    siblings: int  # itself included
    id: str | None
    name: str


class Area(TypedDict):
    """Where content stands on the representative page."""

    path: list[Step]
    below: list[str]
    characters: int


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    areas: list[Area]
    extractor: str


def check_model(model: Model) -> None:
    """A ``ValueError`` if a step leads past the siblings, or there is no such extractor."""
    registry.load("extractors", model["extractor"])
    if any(not 1 <= step.position <= step.siblings for area in model["areas"] for step in area["path"]):
        raise ValueError("a step leads past the last sibling")


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    extractor = registry.default("extractors")
    representative = extracted(pages[0], extractor)
    seen = representative.page
    tree = PrunedTree(seen)
    characters = seen.nodes.totals(seen.flow.characters)
    areas = [
        {
            "path": [list(step) for step in tree.path(node)],
            "below": sorted(tree.paths_below(node)),
            "characters": int(characters[node]),
        }
        for node in _content_nodes(representative, tree)
    ]
    return Template(model={"areas": areas, "extractor": extractor})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    tree = PrunedTree(page)
    areas = template.model["areas"]
    found: list[int] = []
    reached = 0
    for area in areas:
        path = [Step(*step) for step in area["path"]]
        node = tree.locate(path, tolerant=options.tolerant)
        if node is not None and similarity(tree.paths_below(node), area["below"]) > options.min_similarity:
            found.append(node)
            reached += area["characters"]
    total = sum(area["characters"] for area in areas)
    if reached < options.min_found * total or not total:
        alone = extracted(page, template.model["extractor"])
        note = f"template: only {reached} of {total} characters of content were found again; the page was taken alone"
        return replace(alone, notes=(*alone.notes, note))
    marked = page.nodes.marked(found)
    leaves = page.blocks.leaves
    return Extraction(page=page, spans=page.text_spans(leaves[page.nodes.inside(marked)[leaves]]))


def similarity(paths: Sequence[str] | set[str], others: Sequence[str] | set[str]) -> float:
    """Shared paths by the larger number of paths (modified common paths).

    >>> similarity({"a", "b", "c", "d"}, {"a", "b", "c", "e", "f"})
    0.6
    """
    mine, theirs = set(paths), set(others)
    return len(mine & theirs) / max(len(mine), len(theirs)) if mine or theirs else 1.0


class PrunedTree:
    """The elements of a page that show something, with their siblings."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        shown = nodes.elements & ((nodes.flags & INVISIBLE) == 0) & ~nodes.inside(nodes.named(*DROPPED_NAMES))
        self.nodes = np.flatnonzero(shown)
        self._end = nodes.end
        names = (page.name(node) for node in self.nodes.tolist())
        ids = page.attribute(self.nodes, "id")
        self._known = {
            node: (name, own_id or None) for node, name, own_id in zip(self.nodes.tolist(), names, ids, strict=True)
        }
        self._parent: dict[int, int] = {}
        self._position: dict[int, int] = {}
        self._children: dict[int, list[int]] = {0: []}
        for node, parent in zip(self.nodes.tolist(), nodes.parent[self.nodes].tolist(), strict=True):
            holder = parent if parent in self._known else 0
            self._parent[node] = holder
            siblings = self._children.setdefault(holder, [])
            siblings.append(node)
            self._position[node] = len(siblings)

    def path(self, node: int) -> list[Step]:
        """Where a node stands, from the root down."""
        steps = []
        while node:
            parent = self._parent[node]
            name, own_id = self._known[node]
            steps.append(Step(self._position[node], len(self._children[parent]), own_id, name))
            node = parent
        return steps[::-1]

    def locate(self, path: Sequence[Step], *, tolerant: bool = False) -> int | None:
        """The node at a path, or None."""
        node = 0
        for step in path:
            children = self._children.get(node, [])
            exact = self._exact(children, step)
            child = exact if exact is not None or not tolerant else self._near(children, step)
            if child is None:
                return None
            node = child
        return node

    def paths_below(self, node: int) -> set[str]:
        """Short names of the ways from a node to the leaves below it; an element's id goes with its name."""
        first, last = np.searchsorted(self.nodes, (node, int(self._end[node]))).tolist()
        written: dict[int, str] = {}
        found = set()
        for below in self.nodes[first:last].tolist():
            name, own_id = self._known[below]
            label = f"{name}#{own_id}" if own_id else name
            above = written.get(self._parent[below])
            written[below] = digest(above or "", label)
            if below not in self._children:
                found.add(written[below])
        return found

    def _exact(self, children: Sequence[int], step: Step) -> int | None:
        if len(children) != step.siblings:
            return None
        child = children[step.position - 1]
        return child if self._known[child] == (step.name, step.id) else None

    def _near(self, children: Sequence[int], step: Step) -> int | None:
        if step.id is not None:
            same = [child for child in children if self._known[child] == (step.name, step.id)]
            return same[0] if len(same) == 1 else None
        alike = [child for child in children if self._known[child][0] == step.name]
        before = (
            step.position - 1 - (len(children) - len(alike)) if len(children) != step.siblings else step.position - 1
        )
        return alike[min(max(before, 0), len(alike) - 1)] if alike else None


def _content_nodes(extraction: Extraction, tree: PrunedTree) -> list[int]:
    """The highest elements all of whose text was kept."""
    page = extraction.shown.page
    nodes, leaves = page.nodes, page.blocks.leaves
    kept: Ints = np.zeros(len(nodes), dtype=np.int64)
    whole: Ints = np.zeros(len(nodes), dtype=np.int64)
    kept[leaves] = kept_lengths(page, extraction.spans)
    whole[leaves] = nodes.text_end[leaves] - nodes.text_start[leaves]
    is_full = (nodes.totals(kept) == nodes.totals(whole)) & (nodes.totals(page.flow.characters) > 0)
    found: list[int] = []
    for node in tree.nodes[is_full[tree.nodes]].tolist():
        if not found or node >= int(nodes.end[found[-1]]):
            found.append(node)
    return found
