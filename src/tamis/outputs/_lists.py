"""Numbers of the items of ordered lists, as the page counts them."""

from __future__ import annotations

import re

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints

_NUMBER = re.compile(r"\s*([0-9]{1,8})\s*", re.ASCII)  # Markdown has no other numbers, and none with more than nine

_NO_NODES = np.zeros(0, dtype=np.int64)


def list_start(page: Page, node: int) -> int:
    """The number of a list's first item."""
    return number(page.attributes(node).get("start"), 1)


def number(value: str | None, usual: int) -> int:
    """The number that an attribute says, or the usual one."""
    found = _NUMBER.fullmatch(value or "")
    return int(found[1]) if found else usual


def bare_lists(page: Page) -> Ints:
    """Definition lists without a term: they only indent what they hold, such as a formula."""
    nodes = page.nodes
    if not nodes.has("dl"):
        return _NO_NODES
    is_bare = nodes.named("dl")
    is_bare[nodes.nearest(is_bare)[nodes.named("dt")]] = False
    return np.flatnonzero(is_bare)


def tasks(page: Page) -> dict[int, str]:
    """Items that begin with a box to tick, with what stands in the box: "x" or a blank."""
    nodes = page.nodes
    if not nodes.has("input") or not nodes.has("li"):
        return {}
    inputs = np.flatnonzero(nodes.named("input"))
    boxes = [place for place, kind in enumerate(page.attribute(inputs, "type")) if kind and kind.lower() == "checkbox"]
    if not boxes:
        return {}
    inputs = inputs[boxes]
    items = nodes.nearest(nodes.named("li"))[inputs]
    seen = page.flow.seen
    is_first = (items > 0) & (seen[inputs] == seen[items])
    found: dict[int, str] = {}
    for node, item in zip(inputs[is_first].tolist(), items[is_first].tolist(), strict=True):
        found.setdefault(item, "x" if "checked" in page.attributes(node) else " ")
    return found


def item_numbers(page: Page, items: Ints) -> dict[int, int]:
    """The numbers of some items, as far as they stand in ordered lists: each counts on from the one before it."""
    nodes = page.nodes
    lists = np.flatnonzero(nodes.marked(nodes.parent[items]) & nodes.named("ol"))
    found = {}
    every = np.flatnonzero(nodes.named("li"))
    every = every[np.argsort(nodes.parent[every], kind="stable")]
    above = nodes.parent[every]
    first, last = np.searchsorted(above, lists), np.searchsorted(above, lists, side="right")
    for ordered, start, end in zip(lists.tolist(), first.tolist(), last.tolist(), strict=True):
        own = every[start:end]
        following = list_start(page, ordered)
        for item, value in zip(own.tolist(), page.attribute(own, "value"), strict=True):
            found[item] = number(value, following)
            following = found[item] + 1
    return found
