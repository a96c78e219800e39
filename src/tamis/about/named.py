"""Elements by their name."""

from __future__ import annotations

import functools
from types import ModuleType

from tamis.page.html import TAG_CODES
from tamis.page.model import Page


def elements(page: Page, name: str) -> list[int]:
    """Elements of this name outside pictures, which have titles, links and scripts of their own."""
    found: list[int] = kernel().named_outside(page.nodes.tag, page.nodes.flags, TAG_CODES[name])
    return found


@functools.cache
def kernel() -> ModuleType:
    """The kernel of this folder, for what it is made of itself."""
    from tamis.about.kernel import kernel

    return kernel
