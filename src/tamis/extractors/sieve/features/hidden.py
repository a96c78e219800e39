"""Whether a block hides itself."""

from __future__ import annotations

from tamis.extractors.sieve.features.material import Columns, Material
from tamis.page.model import HIDDEN


def columns(material: Material) -> Columns:
    page = material.page
    return {"hidden": (page.hidden_flags[page.blocks.node] & HIDDEN) != 0}
