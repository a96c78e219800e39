from __future__ import annotations

import pytest

import tamis
from tamis.evaluation.stability import stability
from tamis.results import Region, Segmentation


def segmented(html: str, *selectors: str) -> Segmentation:
    page = tamis.parse(html)
    return Segmentation(
        page=page, root=Region(nodes=(0,), parts=tuple(Region(nodes=tuple(page.select(each))) for each in selectors))
    )


PAGE = "<nav>Menu</nav><main><p>Ten letter</p><p>Nine more</p></main>"


def test_a_segmentation_is_as_stable_as_can_be() -> None:
    assert stability(segmented(PAGE, "nav", "main"), segmented(PAGE, "nav", "main")) == (1, 1, 1)


def test_characters_that_change_their_company_cost() -> None:
    """Menu 4, Ten letter 9, Nine more 8 characters: the second puts the menu with the first paragraph."""
    first, second = segmented(PAGE, "nav", "p"), segmented(PAGE, "nav, p:first-child", "p:last-child")
    quality = stability(first, second)
    assert quality.precision == pytest.approx((4 + 9 * 9 / 17 + 8 * 8 / 17) / 21)
    assert quality.recall == pytest.approx((4 * 4 / 13 + 9 * 9 / 13 + 8) / 21)


def test_pages_of_a_template_are_compared_where_both_have_something() -> None:
    """The second page has other words and one paragraph less; what is left is divided the same way."""
    other = "<nav>Other menu</nav><main><p>Short</p></main>"
    assert stability(segmented(PAGE, "nav", "main"), segmented(other, "nav", "main"), "nodes") == (1, 1, 1)
    assert stability(segmented(PAGE, "nav", "main"), segmented(other, "body"), "nodes") == pytest.approx(
        (1, 1 / 2, 2 / 3)
    )


def test_pages_that_share_nothing_do_not_differ() -> None:
    assert stability(segmented("<p>a</p>", "p"), segmented("<div>b</div>", "div")) == (1, 1, 1)
