"""What elements say in their attributes: a part of ``_reference.py``, which has its compiled twin."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page.text import Ints

Handle = Any  # a node of the parser; its classes share no useful type
Bytes = npt.NDArray[np.uint8]

STYLING = ("hidden", "aria-hidden", "style", "aria-modal", "dir", "role")
"""Attributes that say how an element is shown, or what it is: who has one is looked up before the tree is walked."""
CARRIED = (STYLING, ("id", "role", "itemprop", "aria-label", "itemtype", "property"))
"""Groups of attributes that few elements have: it is looked up once which elements have one of a group."""
UNASKED = ""
"""What stands for the classes of a node as long as they were not asked for; empty ones are asked for each time."""
NAME_PARTS = (("id", " #"), ("role", " role="), ("itemprop", " prop="))
"""Attributes that make up what an element is called, behind its classes, and what stands before each."""
_MAYBE_CELL = re.compile("(?i)cell|(?<![a-zA-Z])t[dh](?![a-zA-Z-])", re.ASCII)


def attribute_column(handles: list[Handle], nodes: Ints, name: str, carried: Bytes) -> list[str | None]:
    """One attribute of many nodes; None for those that lack it, such as all of which ``carried`` says 0."""
    return [handles[node].attr(name) if carried[node] else None for node in nodes.tolist()]


def carried(handles: list[Handle], carriers: list[Handle]) -> Bytes:
    """1 for each node among some elements, which come in document order, else 0."""
    having = set(map(id, carriers))
    return np.array([id(handle) in having for handle in handles], dtype=np.uint8)


def carried_values(handles: list[Handle], nodes: Ints, name: str, carried: Bytes) -> dict[int, str]:
    """One attribute of those nodes that have it and say something in it."""
    values = attribute_column(handles, nodes, name, carried)
    return {node: value for node, value in zip(nodes.tolist(), values, strict=True) if value}


def class_column(handles: list[Handle], nodes: Ints, counts: Bytes, known: list[str | None]) -> list[str | None]:
    """The attribute ``class`` of many nodes, read from those that are known already and kept there.

    ``counts`` says how many attributes each node has.
    """
    for node in nodes.tolist():
        if known[node] == UNASKED:
            known[node] = handles[node].attr("class") if counts[node] else None
    return [known[node] for node in nodes.tolist()]


def called(handles: list[Handle], nodes: Ints, counts: Bytes, carried: Bytes, known: list[str | None]) -> list[str]:
    """What elements are called: their classes, ``#id``, ``role=`` and ``prop=``, with blanks between.

    ``carried`` says which nodes may have one of the attributes in ``NAME_PARTS``, ``counts`` and ``known`` are as for
    ``class_column``.
    """
    found = []
    for node, classes in zip(nodes.tolist(), class_column(handles, nodes, counts, known), strict=True):
        others = [(mark, handles[node].attr(key)) for key, mark in NAME_PARTS] if carried[node] else []
        found.append((classes or "") + "".join([mark + value for mark, value in others if value]))
    return found


def maybe_cells(classes: list[str | None]) -> bool:
    """Whether one of the classes may be one of cells: it holds "cell", or "td" or "th" where no letter touches it."""
    return any(_MAYBE_CELL.search(value) for value in {*filter(None, classes)})
