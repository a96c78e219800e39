"""Folds by host: pages of one host are learned from, or judged on, together."""

from __future__ import annotations

import hashlib

FOLDS = 5


def fold_of(host: str) -> int:
    """The fold of a host, the same on every machine and in every run.

    >>> fold_of("example.org") == fold_of("example.org") < FOLDS
    True
    """
    return int(hashlib.sha256(host.encode()).hexdigest(), 16) % FOLDS
