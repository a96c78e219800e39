"""What elements are called is searched as if every class and id were looked at one by one."""

from __future__ import annotations

import re

import tamis
from tamis.about.called import Called
from tamis.about.kernel import kernel

MARKUP = "<div class='Post-Author big'><p id=author>a<p class=big>b<p class='post-author BIG'>c<p id=x class=byline>d"


def named(markup: str, words: list[str], pattern: str = "") -> list[str]:
    page = tamis.parse(markup)
    called = Called(page, kernel.word_table((*words, "other")))
    found = called.found(kernel.word_table(words), re.compile(pattern) if pattern else None)
    assert found == sorted(found)
    return [page.attributes(node).get("class", "") or page.attributes(node)["id"] for node in found]


def test_words_are_found_in_classes_and_ids_whatever_their_case() -> None:
    assert named(MARKUP, ["author"]) == ["Post-Author big", "author", "post-author BIG"]
    assert named(MARKUP, ["byline", "author"])[-1] == "byline"


def test_a_pattern_narrows_what_the_words_found() -> None:
    assert named(MARKUP, ["author"], r"\Aauthor\Z") == ["author"]


def test_words_that_nothing_is_called_find_nothing() -> None:
    assert named(MARKUP, ["crumb"]) == []
    assert named("", ["crumb"]) == []


def test_a_word_is_not_found_across_two_values() -> None:
    assert named("<p class=aut><p class=hor>", ["author"]) == []
