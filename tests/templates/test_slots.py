"""Text that recurs is template, unless it fills a slot."""

from __future__ import annotations

import pytest

import tamis
from tamis.errors import OptionError
from tests.templates.pages import cars

MENU = "<nav><p>Menu of the site</p></nav>"


def cars_with(values: list[str]) -> list[str]:
    return [f"<body>{MENU}<dl><dt>Gearbox</dt><dd>{value}</dd></dl><p>Own words {n}</p></body>" for n, value in
            enumerate(values)]  # fmt: skip


def kept(values: list[str], value: str, **options: float) -> bool:
    pages = cars_with(values)
    template = tamis.learn_template(pages, method="slots", **options)
    return value in template.extract(tamis.parse(pages[values.index(value)])).text.split()


def test_a_value_that_recurs_is_kept_because_another_one_follows_its_label_elsewhere() -> None:
    assert kept(["Automatic"] * 8 + ["Manual", "None"], "Automatic")
    template = tamis.learn_template(cars_with(["Automatic"] * 8 + ["Manual", "None"]), method="slots")
    assert "Gearbox" not in template.extract(tamis.parse(cars_with(["Automatic"])[0])).text


@pytest.mark.parametrize(("others", "is_kept"), [(1, False), (2, True), (3, True)])
def test_below_at_and_above_a_tenth_of_the_pages_with_another_value(others: int, is_kept: bool) -> None:
    values = ["Automatic"] * (20 - others) + [f"Special {n}" for n in range(others)]
    assert kept(values, "Automatic", everywhere_share=1.0) is is_kept


def test_a_text_on_nearly_all_other_pages_is_template_even_in_a_slot() -> None:
    values = ["Automatic"] * 19 + ["Special", "Other"]  # 18 of 20 others
    assert kept(values, "Automatic", everywhere_share=0.9, min_changes=0.0)
    assert not kept(values, "Automatic", everywhere_share=0.89, min_changes=0.0)


def test_a_text_on_at_most_a_third_of_the_other_pages_is_kept_anywhere() -> None:
    pages = [f"<body>{MENU}<p>Own {n}</p>{'<p>Note</p>' * (n < 3)}</body>" for n in range(7)]
    assert "Note" in tamis.learn_template(pages, method="slots").extract(tamis.parse(pages[0])).text
    pages = [f"<body>{MENU}<p>Own {n}</p><div>{'<b>Note</b>' * (n < 4)}</div></body>" for n in range(7)]
    assert "Note" not in tamis.learn_template(pages, method="slots").extract(tamis.parse(pages[0])).text


def test_document_frequency_loses_the_value_that_slots_keep() -> None:
    pages = cars(12)
    found = {
        name: [tamis.learn_template(pages, method=name).extract(page).text for page in pages]
        for name in ("slots", "document_frequency")
    }
    assert sum("Automatic" in text for text in found["slots"]) == 8
    assert sum("Automatic" in text for text in found["document_frequency"]) == 0
    assert not any("All rights reserved" in text for text in found["slots"])


def test_reasons_give_the_evidence() -> None:
    pages = cars_with(["Automatic"] * 8 + ["Manual", "None"])
    found = tamis.learn_template(pages, method="slots").extract(tamis.parse(pages[0]))
    reasons = {block.text: block.reason for block in found.blocks}
    assert reasons["Automatic"] == "on 78% of the other pages, in a slot"
    assert reasons["Menu of the site"] == "on 100% of the other pages"


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="min_changes"):
        tamis.learn_template([], method="slots", min_changes=-0.1)
