from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.page.names import is_element_name, parts_of_words, read_attributes, whole_words

PAGE = tamis.parse("<p class='A b' id=a><b class=ab></b><i class='A b'></i><u></u>text<!-- a --><x-y class=c>")


def holders(attribute: str, *words: str, whole: bool = True) -> list[str]:
    values = read_attributes(PAGE, np.flatnonzero(PAGE.nodes.elements), ["class", "id", "title"])
    pattern = whole_words(words) if whole else parts_of_words(words)
    return [PAGE.name(node) for node in values[attribute].found(pattern).tolist()]


def test_elements_are_neither_text_nor_comment_nor_document() -> None:
    names = [PAGE.name(node) for node in np.flatnonzero(PAGE.nodes.elements).tolist()]
    assert names == ["html", "head", "body", "p", "b", "i", "u", "x-y"]


def test_a_word_is_found_in_every_node_whose_value_holds_it() -> None:
    assert holders("class", "a") == ["p", "i"]
    assert holders("class", "ab", "c") == ["b", "x-y"]
    assert holders("id", "a") == ["p"]


def test_a_part_is_found_inside_words() -> None:
    assert holders("class", "B", whole=False) == ["p", "b", "i"]


def test_an_attribute_that_nothing_has_is_found_nowhere() -> None:
    assert holders("title", "a") == []


def test_values_do_not_run_into_each_other() -> None:
    assert holders("class", "bab", whole=False) == []


@pytest.mark.parametrize(("name", "expected"), [("p", True), ("P", False), ("#text", False), ("x-y", False)])
def test_names_of_elements_are_known(name: str, expected: bool) -> None:
    assert is_element_name(name) is expected
