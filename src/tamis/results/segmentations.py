"""A page as a tree of regions, and nodes with labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tamis.page.model import Page
from tamis.results.made import UNSAID, Made


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of a page: its nodes, box, score, label, and parts."""

    nodes: tuple[int, ...]  # each with everything below it
    box: tuple[float, float, float, float] | None = None  # left, top, right, bottom in pixels
    score: float | None = None  # the method's own
    label: str = ""  # role of the region, if the method labels regions
    parts: tuple[Region, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Segmentation:
    """A page as a tree of regions."""

    page: Page = field(repr=False)
    root: Region
    made: Made = UNSAID

    @property
    def status(self) -> Literal["ok", "empty", "truncated"]:
        """``ok``, ``empty`` when there is nothing to divide, or ``truncated`` when a limit cut the page."""
        if self.page.truncated:
            return "truncated"
        return "ok" if self.root.parts else "empty"

    @property
    def leaves(self) -> tuple[Region, ...]:
        """The regions that are not divided further, in order; the finest segments of the page."""
        from tamis.regions import walk

        return tuple(item.region for item in walk(self.root)[1:] if not item.region.parts)

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON: the tree of regions, each with its own text, without that of its parts."""
        from tamis.regions import texts, walk

        placed = walk(self.root)
        regions: list[dict[str, Any]] = []
        for (region, parent, _), text in zip(placed, texts(self.page, placed), strict=True):
            told = {
                "label": region.label,
                "score": None if region.score is None else round(region.score, 4),
                "box": None if region.box is None else [round(edge, 1) for edge in region.box],
                "nodes": list(region.nodes),
                "text": text,
                "parts": [],
            }
            regions.append(told)
            if parent >= 0:
                regions[parent]["parts"].append(told)
        boxes = self.page.boxes
        return {
            "url": self.page.url,
            "status": self.status,
            "method": self.made.method,
            "options": dict(self.made.options),
            "version": self.made.version,
            "estimated": boxes is None or boxes.estimated,
            "viewport": None if boxes is None else list(boxes.viewport),
            "root": regions[0],
        }


@dataclass(frozen=True, kw_only=True)
class Labelling:
    """A label for some of the nodes of a page."""

    page: Page = field(repr=False)
    labels: Mapping[int, str]
    made: Made = UNSAID
