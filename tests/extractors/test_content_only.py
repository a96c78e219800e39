from __future__ import annotations

import pytest

import tamis
from tamis.extractors._content_only import is_content_only


@pytest.mark.parametrize(("link_words", "expected"), [(0, True), (4, True), (5, True), (6, False), (100, False)])
def test_pages_with_at_most_one_word_in_twenty_linked_are_all_content(link_words: int, expected: bool) -> None:
    page = tamis.parse(f"<p>{'word ' * (100 - link_words)}<a href=x>{'link ' * link_words}</a>")
    assert is_content_only(page) is expected


def test_hidden_links_do_not_count() -> None:
    page = tamis.parse(f"<div hidden><a href=x>{'link ' * 100}</a></div><p>{'word ' * 100}")
    assert is_content_only(page)


def test_a_page_without_words_has_nothing_to_drop() -> None:
    assert is_content_only(tamis.parse(""))
