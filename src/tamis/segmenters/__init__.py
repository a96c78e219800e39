"""Page segmenters: a page becomes a tree of regions. One file each, the file name is the public name."""

from __future__ import annotations

import dataclasses
from typing import Any

from tamis import registry
from tamis._version import VERSION
from tamis.page.model import Page
from tamis.results import Made, Segmentation

DEFAULT = "mesh"  # the learned one


def segment(page: Page, method: str = DEFAULT, **options: Any) -> Segmentation:
    """Run one method on a page; a page that was not rendered is read by an estimate of its layout."""
    chosen = registry.make_options("segmenters", method, options)
    from tamis.page.layout import laid_out  # not needed to know the name of the default

    segmentation: Segmentation = registry.load("segmenters", method).segment(laid_out(page), chosen)
    made = Made(method=method, options=dataclasses.asdict(chosen), version=VERSION)
    return dataclasses.replace(segmentation, made=made)
