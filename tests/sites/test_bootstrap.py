"""One page in: its neighbourhood is fetched, grouped, and its template learned; else an extractor does the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import tamis
from tamis.errors import OptionError, UnknownNameError
from tamis.fetching.answers import Fetched
from tamis.page.model import Page
from tamis.sites.bootstrap import Enough, Options, alike, extract_from_web
from tests.sites.test_sites import fake_web, linked_site
from tests.templates.pages import article, car

START = "http://news.example/0.html"


@pytest.mark.parametrize(
    ("distance", "threshold"),
    [("common_paths", 0.7), ("common_path_shingles", 0.6), ("common_tag_sequence_shingles", 0.85)],
)
def test_the_three_settings_of_the_thesis(distance: str, threshold: float) -> None:
    options = Options(
        template="document_frequency", clusterer_options={"distance": distance, "threshold": threshold}, fallback="accb"
    )
    found = extract_from_web(START, options, fetch=fake_web(linked_site(8)))
    assert (found.made.method, found.notes) == ("document_frequency", ())
    assert "All rights reserved" not in found.text
    assert "page 5" not in found.text, "the menu"


@pytest.mark.parametrize("fallback", ["accb", "dsc"])
def test_a_page_with_too_few_others_is_extracted_by_the_fallback(fallback: str) -> None:
    found = extract_from_web(START, Options(fallback=fallback), fetch=fake_web(linked_site(3)))
    assert f"{fallback} extracts each page by itself" in found.notes[0]
    assert found.spans == tamis.extract(found.page, method=fallback).spans


def test_pages_of_other_templates_are_not_learned_from() -> None:
    pages = [tamis.parse(page) for page in (car(1), article(1), car(2), article(2), car(3), article(3))]
    assert alike(pages, Options()) == (0, 2, 4)
    assert alike(pages[1:], Options()) == (0, 2, 4)


def test_the_crawl_ends_when_enough_pages_are_like_the_first() -> None:
    pages, asked = linked_site(40), list[str]()
    web = fake_web(pages)

    def fetch(url: str) -> Fetched:
        asked.append(url)
        return web(url)

    found = extract_from_web(START, Options(enough=6), fetch=fetch)
    assert found.notes == ()
    asked = [url for url in asked if url in pages]
    assert 6 <= len(asked) < 12, "a few are under way when it ends"


def test_pages_are_compared_only_when_there_can_be_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [tamis.parse(page) for page in (car(1), *(article(number) for number in range(3)), car(2), car(3), car(4))]
    enough, looked = Enough(Options(enough=4)), list[int]()

    def watched(given: Sequence[Page], options: Options) -> tuple[int, ...]:
        looked.append(len(given))
        return alike(given, options)

    monkeypatch.setattr("tamis.sites.bootstrap.alike", watched)
    reached = [enough.reached(pages[:size]) for size in range(1, len(pages) + 1)]
    assert reached == [False] * 6 + [True]
    assert looked == [4, 7], "one of four is like the first, so that three more are needed"


@pytest.mark.parametrize("wrong", [{"template": "slotz"}, {"clusterer": "single"}, {"fallback": "acb"}])
def test_names_are_checked_before_anything_is_fetched(wrong: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        Options(**wrong)


def test_options_are_checked_before_anything_is_fetched() -> None:
    with pytest.raises(OptionError, match="at least 4"):
        Options(enough=3)
    with pytest.raises(OptionError):
        Options(clusterer_options={"radius": 3})
