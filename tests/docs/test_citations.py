"""Every work that a method names is in the list of references, and the README says which method is whose."""

from __future__ import annotations

import pytest

from bench import citations
from bench.pages import ROOT, documented
from tamis import registry

METHODS = [(kind, name) for kind in registry.kinds() if kind != "outputs" for name in documented(kind)]
WORKS = citations.works()


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_what_a_method_refers_to_is_in_the_list(kind: str, name: str) -> None:
    text = citations.reference(kind, name)
    found = list(citations.cited(text, WORKS))
    assert [one for one in found if isinstance(one, str)] == []
    assert found or text.startswith(("our", "none")), f"{name} says nothing about where it comes from"


def test_every_work_in_the_list_is_behind_a_method() -> None:
    named = {work for kind, name in METHODS for work in citations.cited(citations.reference(kind, name), WORKS)}
    assert [work.name for work in WORKS if work not in named] == []


def test_the_list_is_sorted_by_its_first_authors() -> None:
    first = [work.authors.split(",")[0].split(" ")[0] for work in WORKS]
    assert first == sorted(first)


@pytest.mark.proof
def test_the_readme_has_the_present_list() -> None:
    assert citations.to_markdown() in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Finn, Kushmerick & Smyth (2001), as described by Gottron (2008)", ["Finn", "Gottron"]),
        ("after XWRAP (Han, Buttler & Pu 2001)", ["Han"]),
        ("the framework CombinE (iiWAS 2008)", []),
    ],
)
def test_authors_and_years_are_found_in_running_text(text: str, names: list[str]) -> None:
    found = [work.authors.split(",")[0] for work in citations.cited(text, WORKS) if isinstance(work, citations.Work)]
    assert found == names


def test_a_work_that_is_not_in_the_list_is_given_back_as_it_is_written() -> None:
    assert list(citations.cited("Nobody & Noone (1999)", WORKS)) == ["Nobody & Noone (1999"]
