from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from bench.method_pages import OVERVIEW, options_table, overview, page_path, refreshed
from bench.pages import documented
from bench.scores import OWN, ROOT, read_scores

METHODS = documented("extractors")
FIGURES = ROOT / "docs" / "figures"


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_a_page_with_a_figure_that_exists(name: str) -> None:
    page = page_path(name).read_text(encoding="utf-8")
    figures = [part.partition(")")[0] for part in page.split("(../figures/")[1:]]
    assert figures
    assert all((FIGURES / figure).is_file() for figure in figures)


@pytest.mark.proof
@pytest.mark.parametrize("name", METHODS)
def test_every_method_page_says_what_the_code_and_the_scores_say(name: str) -> None:
    page = page_path(name).read_text(encoding="utf-8")
    assert refreshed(page, name, read_scores(OWN)) == page, "run python -m bench.method_pages"


@pytest.mark.proof
def test_the_overview_lists_every_method_and_is_current() -> None:
    page = OVERVIEW.read_text(encoding="utf-8")
    assert [name for name in METHODS if f"(methods/{name}.md)" not in page] == []
    assert page == overview(read_scores(OWN)), "run python -m bench.method_pages"


def test_no_page_is_left_of_a_method_that_is_gone() -> None:
    assert {file.stem for file in page_path("x").parent.glob("*.md")} == set(METHODS)


def test_the_comments_of_an_option_become_its_history() -> None:
    assert options_table(_Options).splitlines() == [
        "What is optional.",
        "",
        "| option | default | values | where it comes from |",
        "|---|---|---|---|",
        "| `size` | `3` | a whole number, `None` | two lines above and one beside |",
        "| `name` | `'x'` | `'x'`, `'y'` | on its own line |",
    ]


@dataclass(frozen=True, kw_only=True)
class _Options:
    """What is optional."""

    # two lines
    # above
    size: int | None = 3  # and one beside
    name: Literal["x", "y"] = "x"  # on its own line
