from __future__ import annotations

from bench.templates import FIGURE, METHODS, PAGE, refreshed


def test_the_page_has_a_section_for_every_method_and_says_what_the_code_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in METHODS if f"\n## `{name}`: " not in page] == []
    assert refreshed(page) == page, "run python -m bench.templates docs"


def test_the_figure_is_there() -> None:
    assert FIGURE.read_text(encoding="utf-8").startswith("<svg")
