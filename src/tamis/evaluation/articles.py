"""How well the article test of QuASM finds the pages of a dataset that are articles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tamis.evaluation.datasets import Sample
from tamis.evaluation.element_scores import Confusion
from tamis.extractors._articles import is_article
from tamis.page.load import parse

ARTICLE = "article"


class Judged(NamedTuple):
    """What the test says of a page, and what the dataset does; None if it does not say."""

    id: str
    is_article: bool
    is_labelled: bool | None


def judge(samples: Iterable[Sample]) -> Iterator[Judged]:
    """The test on every page (Pinto et al. 2002)."""
    for sample in samples:
        labelled = None if sample.page_type is None else sample.page_type == ARTICLE
        yield Judged(sample.id, is_article(parse(sample.markup, sample.url)), labelled)


def confusion(judged: Iterable[Judged]) -> Confusion:
    """How many pages of each type were called what, over the pages whose type is known.

    >>> confusion([Judged("a", True, True), Judged("b", True, False), Judged("c", True, None)])
    Confusion(tn=0, fp=1, fn=0, tp=1)
    """
    pairs = [(page.is_labelled, page.is_article) for page in judged if page.is_labelled is not None]
    return Confusion(*(pairs.count(cell) for cell in ((False, False), (False, True), (True, False), (True, True))))
