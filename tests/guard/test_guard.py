"""Whole pages of our own, each with its gold and its floors: what the default makes of them, in every clone.

``python -m bench.guard`` prints the scores; ``README.md`` beside this file says how pages and gold are written.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest

import tamis
from bench import guard
from tamis.evaluation import measures
from tamis.evaluation.words import compare_words

CASES = {slug: guard.load(slug) for slug in guard.slugs()}
BY_PAGE = pytest.mark.parametrize("slug", CASES)

KINDS = frozenset(
    {
        "FAQ",
        "Q&A",
        "blog",
        "changelog",
        "documentation",
        "event",
        "forum",
        "gallery",
        "home page",
        "interview",
        "job advertisement",
        "legal text",
        "listing",
        "live blog",
        "news",
        "paywall teaser",
        "product",
        "recipe",
        "review",
        "short article",
        "statistics",
        "wiki",
    }
)
LANGUAGES = frozenset("ar de el en es fa fr he hi ja ko pl ru th zh".split())
FEWEST_PAGES = 40


def test_every_kind_and_language_is_guarded() -> None:
    assert len(CASES) >= FEWEST_PAGES
    assert {case.kind for case in CASES.values()} == KINDS
    assert {case.language for case in CASES.values()} == LANGUAGES


@BY_PAGE
def test_the_default_is_as_good_as_its_floors(slug: str) -> None:
    complaint = guard.complaint(CASES[slug], guard.judge(CASES[slug]))
    if complaint:
        pytest.fail(complaint, pytrace=False)


@BY_PAGE
def test_floors_are_what_a_user_would_accept(slug: str) -> None:
    case = CASES[slug]
    assert guard.ACCEPTABLE <= case.words_floor <= 1
    assert guard.ACCEPTABLE <= case.markdown_floor <= 1
    assert case.why.endswith(".")


@BY_PAGE
def test_both_golds_have_the_same_words(slug: str) -> None:
    """The Markdown has more: addresses, languages of code, alternatives of images."""
    case = CASES[slug]
    assert measures.bag_of_words(case.gold_text, case.gold_markdown).recall == 1


@BY_PAGE
def test_gold_and_snippets_are_on_the_page(slug: str) -> None:
    """A gold with a mistyped word, or a snippet that cannot be missed, would guard nothing."""
    case = CASES[slug]
    source = plain(case.page.decode(tamis.parse(case.page).encoding or "utf-8"))
    assert not set(compare_words(case.gold_text)) - set(compare_words(source))
    assert [snippet for snippet in case.must_not if not guard.occurs(snippet, source)] == []
    assert [snippet for snippet in case.must_not if guard.occurs(snippet, case.gold_text)] == []
    assert [snippet for snippet in case.must if not guard.occurs(snippet, case.gold_text)] == []
    assert set(case.known_failures) <= {"words", "markdown", *case.must, *case.must_not}


def plain(source: str) -> str:
    """All text of a source, that of scripts included: one page has its article in JSON-LD alone."""
    return html.unescape(re.sub("<[^>]+>", " ", source)).replace(r"\n", " ")


SAMPLE = CASES["en-short-ferry"]


def gold_of(case: guard.Case) -> guard.Found:
    return guard.compare(case, case.gold_text, case.gold_markdown)


def test_the_gold_itself_has_nothing_to_complain_of() -> None:
    assert guard.complaint(SAMPLE, gold_of(SAMPLE)) is None


def test_a_page_that_falls_short_is_named_with_its_reason_score_and_floor() -> None:
    complaint = guard.complaint(SAMPLE, guard.compare(SAMPLE, "Menu", "Menu"))
    assert complaint is not None
    assert SAMPLE.slug in complaint
    assert SAMPLE.why in complaint
    assert f"word F1 0.000 (precision 0.000, recall 0.000) is below its floor {SAMPLE.words_floor}" in complaint
    assert f"is below its floor {SAMPLE.markdown_floor}" in complaint
    assert f"lacks {SAMPLE.must[0]!r}" in complaint


def test_unwanted_text_is_named() -> None:
    found = guard.compare(SAMPLE, f"{SAMPLE.gold_text}\n{SAMPLE.must_not[0].upper()}", SAMPLE.gold_markdown)
    assert found.missed == {SAMPLE.must_not[0]: f"contains {SAMPLE.must_not[0]!r}"}


def test_a_known_failure_is_no_complaint() -> None:
    case = replace(SAMPLE, known_failures={SAMPLE.must_not[0]: "a reason"})
    found = guard.compare(case, f"{case.gold_text}\n{case.must_not[0]}", case.gold_markdown)
    assert guard.complaint(case, found) is None


def test_a_known_failure_that_is_none_any_more_has_to_go() -> None:
    case = replace(SAMPLE, known_failures={"words": "a reason"})
    assert "'words' is good now: remove it" in (guard.complaint(case, gold_of(case)) or "")


def test_floors_follow_what_is_reached_and_never_fall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "FOLDER", tmp_path)
    about = tmp_path / SAMPLE.slug / "about.toml"
    about.parent.mkdir()
    about.write_text("[floors]\nwords = 0.7\nmarkdown = 0.99\n")
    case = replace(SAMPLE, words_floor=0.7, markdown_floor=0.99)
    guard.raise_floors(case, guard.Found(measures.Score(1, 1, 0.987), 0.8, {}))
    assert about.read_text() == "[floors]\nwords = 0.96\nmarkdown = 0.99\n"
