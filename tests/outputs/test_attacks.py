"""Pages written to run something in the output: nothing that could survives, in any format."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from bench.fuzz.checks import check_inert, check_json, check_markdown, check_strict, check_tei
from tamis.page.spans import Span
from tamis.results import Extraction
from tests.outputs.attacks import ATTACKS, fuzzed_pages

MODES = ("delete", "hide", "mark", "replace", "restructure")


def extractions(attack: str) -> list[Extraction]:
    page = tamis.parse(attack)
    return [
        tamis.extract(attack, method="keep_all"),
        tamis.extract(attack, method="keep_all", url="https://example.org/a/"),
        tamis.extract(attack, method="keep_all", url="javascript:alert(1)//"),
        tamis.extract(attack, method="keep_all", url="java\u200bscript:alert(1)//"),
        Extraction(page=page, spans=(Span(0, len(page.text)),)),  # hidden text too
    ]


def check_everywhere(extraction: Extraction) -> None:
    """Fails if anything could run in HTML, JSON or TEI, or in what readers make of the Markdown."""
    check_strict(extraction.html, "HTML")
    check_markdown(extraction.markdown)
    check_json(extraction.render("json", posts=True))
    check_tei(extraction.to_tei())


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_runs_in_any_format(attack: str) -> None:
    for extraction in extractions(attack):
        check_everywhere(extraction)


@given(fuzzed_pages())
def test_nothing_runs_in_any_format_of_fuzzed_pages(markup: str) -> None:
    check_everywhere(tamis.extract(markup, method="keep_all"))


@given(st.lists(st.sampled_from(ATTACKS), min_size=2, max_size=4).map("".join), st.data())
def test_nothing_runs_when_attacks_are_cut_and_joined(markup: str, data: st.DataObject) -> None:
    check_everywhere(tamis.extract(markup[data.draw(st.integers(0, len(markup))) :], method="keep_all"))


@pytest.mark.parametrize("mode", MODES)
def test_nothing_runs_in_whole_pages(mode: str) -> None:
    for attack in ATTACKS:
        for extraction in extractions(attack)[:2]:
            check_inert(extraction.render(mode), f"{mode}, given {attack!r},")
