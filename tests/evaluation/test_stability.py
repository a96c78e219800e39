from __future__ import annotations

import pytest

import tamis
from tamis.evaluation.stability import Spread, consistency, stability
from tamis.results import Region, Segmentation


def segmented(html: str, *selectors: str) -> Segmentation:
    page = tamis.parse(html)
    return Segmentation(
        page=page, root=Region(nodes=(0,), parts=tuple(Region(nodes=tuple(page.select(each))) for each in selectors))
    )


PAGE = "<nav>Menu</nav><main><p>Ten letter</p><p>Nine more</p></main>"


def test_a_segmentation_is_consistent_with_itself() -> None:
    assert consistency(segmented(PAGE, "nav", "main"), segmented(PAGE, "nav", "main")) == (1, 1, 1)


def test_characters_that_change_their_company_cost() -> None:
    """Menu 4, Ten letter 9, Nine more 8 characters: the second puts the menu with the first paragraph."""
    first, second = segmented(PAGE, "nav", "p"), segmented(PAGE, "nav, p:first-child", "p:last-child")
    quality = consistency(first, second)
    assert quality.precision == pytest.approx((4 + 9 * 9 / 17 + 8 * 8 / 17) / 21)
    assert quality.recall == pytest.approx((4 * 4 / 13 + 9 * 9 / 13 + 8) / 21)


def test_pages_of_a_template_are_compared_where_both_have_something() -> None:
    """The second page has other words and one paragraph less; what is left is divided the same way."""
    other = "<nav>Other menu</nav><main><p>Short</p></main>"
    assert consistency(segmented(PAGE, "nav", "main"), segmented(other, "nav", "main"), "nodes") == (1, 1, 1)
    assert consistency(segmented(PAGE, "nav", "main"), segmented(other, "body"), "nodes") == pytest.approx(
        (1, 1 / 2, 2 / 3)
    )


def test_pages_that_share_nothing_do_not_differ() -> None:
    assert consistency(segmented("<p>a</p>", "p"), segmented("<div>b</div>", "div")) == (1, 1, 1)


def test_stability_is_the_spread_of_quality_within_each_type_of_pages() -> None:
    """Worked by hand: 0.6, 0.8 and 1.0 are 0.2, 0 and 0.2 from their mean, so the variance is 0.08 / 2."""
    found = stability([("article", 0.6), ("index", 0.3), ("article", 0.8), ("article", 1.0)])
    assert found["article"] == pytest.approx(Spread(3, 0.8, 0.2))
    assert found["index"] == Spread(1, 0.3, 0.0)


def test_types_that_are_not_equally_hard_do_not_make_a_method_unsteady() -> None:
    found = stability([("article", 0.9)] * 5 + [("index", 0.2)] * 5)
    assert [spread.deviation for spread in found.values()] == [0, 0]


def test_a_method_can_be_steady_and_wrong() -> None:
    assert stability([("article", 0.0), ("article", 0.0)]) == {"article": Spread(2, 0.0, 0.0)}
