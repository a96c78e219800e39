"""From labelled pages to the weights that are shipped; the extra ``train``."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from tamis.errors import MissingExtraError

Say = Callable[[str], None]
"""Told in a few words what training is at."""


def check_extra() -> None:
    """An error with the install line, unless all that training needs is there: before the first page is read."""
    if not all(map(find_spec, ("catboost", "rapidfuzz", "scipy"))):
        raise MissingExtraError("train", "training")
