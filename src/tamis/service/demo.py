"""The pages of the tour: written for it, each to show something about extraction; they come with the package."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tamis.service.static import FOLDER

__all__ = ["TourPage", "examples"]

PATH = "/demo"


@dataclass(frozen=True, kw_only=True)
class TourPage:
    """A page of the tour, and what to look at on it."""

    name: str
    kind: str
    title: str
    url: str
    look: str

    @property
    def markup(self) -> str:
        return (FOLDER / "demo" / f"{self.name}.html").read_text(encoding="utf-8")


def examples() -> tuple[TourPage, ...]:
    """All pages of the tour, in its order."""
    listed = json.loads((FOLDER / "demo" / "tour.json").read_text(encoding="utf-8"))
    return tuple(TourPage(**values) for values in listed)
