"""How Tamis is installed: every page says it in the same words, and what it says can be installed."""

from __future__ import annotations

import re
import tomllib

import pytest

from bench.install_lines import ADDING, ROOT, pages, rewritten
from tests.docs.stage import ROOT as PROJECT

DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
INSTALLING = (PROJECT / "docs" / "installing.md").read_text()


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_that_install_are_as_bench_install_lines_writes_them(page: object) -> None:
    text = page.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert rewritten(text) == text, "python -m bench.install_lines"


def test_the_sentence_about_adding_an_extra_is_left_as_it_is() -> None:
    assert ADDING in INSTALLING
    assert rewritten(ADDING) == ADDING


def test_every_extra_is_told_and_no_other() -> None:
    table = re.findall(r"^\| (`.*?) \|", INSTALLING, re.MULTILINE)
    assert sorted(name for row in table for name in re.findall(r"`([a-z-]+)`", row)) == sorted(DECLARED)


def test_packages_that_name_an_extra_of_lxml_in_two_ways_are_no_part_of_one_extra() -> None:
    """The resolver of pip 23.2, which comes with Python 3.11, ends on lxml[html_clean] beside lxml[html-clean]."""
    underscore, hyphen = {"justext", "trafilatura"}, {"newspaper4k", "readability-lxml"}
    for extra, requirements in DECLARED.items():
        names = {re.split(r"[><=;]", requirement)[0].strip().lower() for requirement in requirements}
        assert not (names & underscore and names & hyphen), extra
