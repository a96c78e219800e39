"""Pages made to break something give a result within the limits; at full size as a proof, every day smaller."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.page.limits import Limits
from tests.hostile import HOSTILE

# Every view and the two simplest methods; bench/growth.py measures the others.
METHODS = ("keep_all", "bte")


@pytest.mark.parametrize("share", [16, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_gives_a_result_within_the_limits(name: str, share: int) -> None:
    """A share of the page under the same share of the limits runs into the same ones as the whole."""
    case = HOSTILE[name]
    limits = Limits(**{limit: most // share for limit, most in vars(Limits()).items()})
    page = tamis.parse(case.make(max(case.full // share, 1)), limits=limits)
    assert len(page.source) <= limits.max_bytes
    assert len(page.nodes) <= limits.max_nodes
    assert page.nodes.depth.max() <= limits.max_depth
    assert page.truncated == bool(case.limit)
    assert case.limit in " ".join(page.warnings)
    for starts, ends in ((page.blocks.start, page.blocks.end), (page.tokens.start, page.tokens.end)):
        assert ((starts >= 0) & (starts <= ends) & (ends <= len(page.text))).all()
    assert len(page.lines) <= len(page.tokens)
    for method in METHODS:
        extraction = tamis.extract(page, method=method)
        assert (extraction.status == "truncated") == bool(case.limit)
        places = np.array(extraction.spans, dtype=np.int64).ravel()
        assert (np.diff(places) > 0).all()


def test_a_million_nested_elements_keep_their_text() -> None:
    page = tamis.parse("<div>" * 999_000 + "core</div>after")
    assert page.text == "coreafter"
    assert page.nodes.depth.max() == Limits().max_depth


def test_the_attributes_of_an_element_are_cut() -> None:
    case = HOSTILE["attributes"]
    page = tamis.parse(case.make(case.full))
    node = int(page.nodes.parent[page.nodes.texts[0]])
    assert len(page.attributes(node)) == Limits().max_attributes
