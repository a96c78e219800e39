"""Page segmenters: a page becomes a tree of regions. One file each, the file name is the public name."""

from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamis import registry
from tamis._version import VERSION
from tamis.page.model import Page
from tamis.results import Made, Segmentation

if TYPE_CHECKING:
    from tamis.segmenters._shown import boxes_of, shown_pieces, whole_page

__all__ = ["DEFAULT", "boxes_of", "segment", "shown_pieces", "whole_page"]

DEFAULT = "mesh"  # the learned one


def __getattr__(name: str) -> Any:
    """What segmenters are made of, imported when it is asked for."""
    if name in ("boxes_of", "shown_pieces", "whole_page"):
        return getattr(import_module("tamis.segmenters._shown"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def segment(page: Page, method: str = DEFAULT, **options: Any) -> Segmentation:
    """Run one method on a page; a page that was not rendered is read by an estimate of its layout."""
    chosen = registry.make_options("segmenters", method, options)
    from tamis.page.layout import laid_out  # not needed to know the name of the default

    segmentation: Segmentation = registry.load("segmenters", method).segment(laid_out(page), chosen)
    made = Made(method=method, options=dataclasses.asdict(chosen), version=VERSION)
    return dataclasses.replace(segmentation, made=made)
