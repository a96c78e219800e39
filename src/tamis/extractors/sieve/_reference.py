"""What sieve computes for every page: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both. What a
feature means is said in ``features/``, one file per family.
"""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.class_names import ClassNames
from tamis.extractors.sieve.containers import Containers, build_containers
from tamis.extractors.sieve.decide import levelled
from tamis.extractors.sieve.features import Evidence, name_columns, page_evidence
from tamis.page.model import Page

__all__ = ["build_containers", "levelled", "read_evidence"]


def read_evidence(page: Page, containers: Containers, class_names: ClassNames) -> Evidence:
    """All features of all blocks, in the order of ``NAMES``; there must be at least one block."""
    evidence = page_evidence(page, containers)
    called = name_columns(containers, class_names.scores(containers))
    return Evidence(np.concatenate((evidence.columns, called)), evidence.groups, evidence.in_comments)
