from __future__ import annotations

from bench.pages import documented
from bench.templates import FIGURE, METHODS


def test_the_table_on_data_pages_has_every_method_and_its_figure_is_there() -> None:
    assert documented("templates") == METHODS
    drawn = FIGURE.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert [name for name in METHODS if name not in drawn] == []
