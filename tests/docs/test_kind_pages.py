from __future__ import annotations

import re

import pytest

from bench.kind_pages import DOCS, SCORES, overview_path, page_path, refreshed, sources, template_scores
from bench.pages import documented

METHODS = [(kind, name) for kind in SCORES for name in documented(kind)]
HEADINGS = ["## How it works", "## Where it fails", "## Options", "## Scores", "## How to cite"]


@pytest.mark.proof
@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_every_method_has_a_page_that_says_what_the_code_and_the_tables_say(kind: str, name: str) -> None:
    page = page_path(kind, name).read_text(encoding="utf-8")
    assert refreshed(page, kind, name) == page, "run python -m bench.kind_pages"
    assert len(re.findall(r"^<!-- \w+: begin -->$", page, re.MULTILINE)) == 4


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_every_page_has_the_same_parts_in_the_same_order_and_its_figure(kind: str, name: str) -> None:
    page = page_path(kind, name).read_text(encoding="utf-8")
    assert page.startswith(f"# `{name}`: ")
    assert [line for line in page.splitlines() if line in HEADINGS] == HEADINGS
    assert f"(../figures/{kind}/{name}.svg)" in page


@pytest.mark.parametrize("kind", SCORES)
def test_the_page_of_a_kind_leads_to_every_method_and_its_figures_exist(kind: str) -> None:
    page = overview_path(kind).read_text(encoding="utf-8")
    assert set(re.findall(rf"\({kind}/(\w+)\.md\)", page)) == set(documented(kind))
    figures = re.findall(r"\((figures/[^)]+)\)", page)
    assert figures
    assert all((DOCS / figure).is_file() for figure in figures)


@pytest.mark.parametrize("kind", SCORES)
def test_no_page_is_left_of_a_method_that_is_gone(kind: str) -> None:
    assert {file.stem for file in (DOCS / kind).glob("*.md")} == set(documented(kind))


def test_what_was_not_measured_is_said_to_be_so() -> None:
    assert template_scores("slots").count("not measured") == 0
    assert template_scores("a method of tomorrow").count("not measured") == 4


def test_a_method_of_our_own_has_no_source_to_cite() -> None:
    assert sources("distances", "pq_grams").startswith("- Augsten, Böhlen & Gamper (2005). ")
    assert sources("templates", "site") == "The method was developed for Tamis."
