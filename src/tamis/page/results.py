"""What methods return: frozen values that say what was chosen, why, and by whom.

A result holds places in pages (spans, node numbers), never copies of them. Text, Markdown, HTML and JSON are
renderings of an ``Extraction``, made when asked for by the modules in ``outputs/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tamis import registry
from tamis.page.blocks import kept_shares
from tamis.page.model import Page
from tamis.page.spans import Span

if TYPE_CHECKING:
    from tamis.page.metadata import Metadata


@dataclass(frozen=True, kw_only=True)
class Made:
    """Who made a result; filled in by the function that ran the method."""

    method: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""


class BlockChoice(NamedTuple):
    """One block of a page and what became of it."""

    number: int  # of page.blocks
    span: Span
    kept: bool
    score: float  # the method's own, or the share of its characters that was kept
    label: str  # "main" or "other"
    reason: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """The main content of a page, as ranges of its text."""

    page: Page = field(repr=False)
    spans: tuple[Span, ...]
    scores: tuple[float, ...] | None = field(default=None, repr=False)  # one per block, when the method has them
    reasons: tuple[str, ...] | None = field(default=None, repr=False)  # one per block, likewise
    notes: tuple[str, ...] = ()  # what the method wants the reader to know
    made: Made = Made()

    @cached_property
    def text(self) -> str:
        """Plain text, blocks separated by blank lines."""
        return self.render("text")

    @cached_property
    def markdown(self) -> str:
        return self.render("markdown")

    @cached_property
    def html(self) -> str:
        """Sanitised, minimal HTML."""
        return self.render("html")

    def render(self, output: str) -> str:
        """The extraction in one of the formats of ``tamis.methods("outputs")``."""
        rendered: str = registry.load("outputs", output).render(self)
        return rendered

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        result: dict[str, Any] = registry.load("outputs", "json").to_dict(self)
        return result

    @property
    def metadata(self) -> Metadata:
        return self.page.metadata

    @property
    def status(self) -> str:
        """``ok``, ``empty``, or ``truncated`` when a limit cut the page; the warnings say more."""
        if self.page.truncated:
            return "truncated"
        return "ok" if self.spans else "empty"

    @property
    def warnings(self) -> tuple[str, ...]:
        nothing = () if self.spans or self.page.warnings else ("empty: nothing on the page was taken for content",)
        return (*self.page.warnings, *self.notes, *nothing)

    @cached_property
    def blocks(self) -> tuple[BlockChoice, ...]:
        """All blocks of the page, kept and dropped."""
        shares = kept_shares(self.page, self.spans)
        return tuple(
            BlockChoice(
                number=block.index,
                span=block.span,
                kept=share > 0.5,
                score=share if self.scores is None else self.scores[block.index],
                label="main" if share > 0.5 else "other",
                reason="" if self.reasons is None else self.reasons[block.index],
                text=block.text,
            )
            for block, share in zip(self.page.blocks, shares.tolist(), strict=True)
        )


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of a page: the nodes it is made of, where it is shown, how sure the method is, what it consists of."""

    nodes: tuple[int, ...]
    box: tuple[float, float, float, float] | None = None  # left, top, right, bottom in pixels
    score: float | None = None
    label: str = ""
    parts: tuple[Region, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Segmentation:
    """A page as a tree of regions."""

    page: Page = field(repr=False)
    root: Region
    made: Made = Made()


@dataclass(frozen=True, kw_only=True)
class Clustering:
    """Pages in groups, by their position in the list that was clustered."""

    groups: tuple[tuple[int, ...], ...]
    made: Made = Made()


@dataclass(frozen=True, kw_only=True)
class Template:
    """What the pages of one group share, written as node paths, and the slots their content fills."""

    fixed: tuple[str, ...]
    slots: tuple[str, ...]
    made: Made = Made()


@dataclass(frozen=True, kw_only=True)
class Labelling:
    """A label for some of the nodes of a page."""

    page: Page = field(repr=False)
    labels: Mapping[int, str]
    made: Made = Made()
