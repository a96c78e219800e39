"""The twin that runs: ``_kernel`` where it was compiled, else ``_reference``; see ``tamis.kernels``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis import kernels

if TYPE_CHECKING:
    from tamis.page.source import _reference as kernel
else:
    kernel = kernels.choose("tamis.page.source")

__all__ = ["kernel"]
