"""The twin that runs: ``_kernel`` where it was compiled, else ``_reference``; see ``tamis.kernels``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis import kernels

if TYPE_CHECKING:
    from tamis.segmenters import _reference as kernel
else:
    kernel = kernels.choose("tamis.segmenters")

__all__ = ["kernel"]
