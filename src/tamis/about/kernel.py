"""The twin that runs: ``_kernel`` where it was compiled, else ``_reference``; see ``tamis.kernels``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis import kernels

if TYPE_CHECKING:
    from tamis.about import _reference as kernel
else:
    kernel = kernels.choose("tamis.about")

__all__ = ["kernel"]
