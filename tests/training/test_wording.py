"""The table of words and phrases is learned from gold text, and from what several hosts say."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.evaluation.datasets import Sample
from tamis.extractors.sieve.features.wording import code
from tamis.training.block_records import LabelledBlocks, _record
from tamis.training.wording import MIN_HOSTS, fit_wording

pytest.importorskip("scipy", reason="fitting needs the extra train")


def page(number: int, below: str) -> LabelledBlocks:
    story = f"The river{number} rose in the night, and the road was closed for hours."
    markup = f"<p>{story}</p><p>{below}</p>"
    found = _record(
        Sample(id=str(number), dataset="own", html=markup, gold=story, url=f"http://h{number}.example/", page_type=None)
    )
    assert found is not None
    return found


def test_words_of_the_content_weigh_more_than_those_around_it() -> None:
    table = fit_wording([page(number, "Subscribe to our letter") for number in range(12)])
    river, subscribe = table.weights_of(np.array([code("road"), code("subscribe")], dtype=np.int64)).tolist()
    assert river > 0 > subscribe
    assert (np.diff(table.codes) > 0).all()


def test_words_of_few_hosts_are_not_learned() -> None:
    pages = [page(number, "Subscribe" if number < MIN_HOSTS - 1 else f"x{number}") for number in range(12)]
    assert code("subscribe") not in fit_wording(pages).codes


def test_a_table_may_stay_empty() -> None:
    assert not len(fit_wording([page(0, "Subscribe"), page(1, "Subscribe")]).codes)
