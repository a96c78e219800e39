"""YAML in front of Markdown: read back as it was, whatever the page says."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.characters import writable
from tamis.outputs._front_matter import written

PAGE = (
    "<html lang=en><title>A: \"story\" | Site</title><meta name=author content='Ann Lee'>"
    "<meta property=article:published_time content=2024-05-01><meta property=og:site_name content=Site>"
    "<meta name=description content='- no list'><meta name=keywords content='one, two'>"
    "<body><p>Some text of the page.</p>"
)
TRAPS = (
    "",
    " ",
    "yes",
    "null",
    "1.0",
    "2024-05-01",
    "a: b",
    "# no",
    "- x",
    '"',
    "\\",
    "\x00\x85\u2028\ufeff\x7f",
    "---",
)


def test_the_head_says_what_the_page_says_about_itself() -> None:
    result = tamis.extract(PAGE, method="keep_all", url="https://example.org/a")
    head, body = result.render("markdown", front_matter=True).removeprefix("---\n").split("---\n\n")
    assert yaml.safe_load(head) == {
        "title": result.metadata.title,
        "author": ["Ann Lee"],
        "date": "2024-05-01",
        "url": "https://example.org/a",
        "site": "Site",
        "language": "en",
        "description": "- no list",
        "tags": ["one", "two"],
    }
    assert body == result.markdown == result.render("md")


def test_an_empty_page_has_an_empty_head() -> None:
    assert tamis.extract("").render("markdown", front_matter=True) == "---\n---\n"


def test_the_type_of_the_page_is_there_where_the_method_judges_it() -> None:
    result = tamis.extract(PAGE + "<p>Some more text, and a little more, of the same page.</p>" * 20)
    head = yaml.safe_load(result.render("markdown", front_matter=True).split("---\n")[1])
    assert head["page_type"] == result.metadata.page_type


@pytest.mark.parametrize("value", TRAPS)
def test_values_that_look_like_something_else_stay_strings(value: str) -> None:
    assert yaml.safe_load(written({"title": value, "tags": [value]})) == {"title": value, "tags": [value]}


@given(st.text(st.characters(codec=None)), st.lists(st.text(), min_size=1, max_size=3))
def test_any_value_is_read_back_as_it_was(value: str, values: list[str]) -> None:
    read = yaml.safe_load(written({"title": value, "author": values, "image": None}))
    assert read == {"title": writable(value), "author": list(map(writable, values))}
