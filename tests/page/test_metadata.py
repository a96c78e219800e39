"""What a page says about itself."""

from __future__ import annotations

import pytest

import tamis
from tamis.page.metadata import Metadata


def read(head: str, url: str | None = None) -> Metadata:
    return tamis.parse(f"<html lang=en><head>{head}</head><body><p>text", url=url).metadata


def test_nothing_declared_is_none() -> None:
    assert tamis.parse("<p>text").metadata == Metadata()
    assert tamis.parse("").metadata == Metadata()


@pytest.mark.parametrize(
    ("field", "head", "value"),
    [
        ("title", "<title> A \n title </title>", "A title"),
        ("title", "<title>B</title><meta property='og:title' content='A'>", "A"),
        ("description", "<meta NAME='Description' content=' a  b '>", "a b"),
        ("description", "<meta name=description content=b><meta property=og:description content=a>", "a"),
        ("date", "<meta property='article:published_time' content='2020-01-02'>", "2020-01-02"),
        ("site_name", "<meta property='og:site_name' content='Site'>", "Site"),
        ("image", "<meta property='og:image' content='/a.png'>", "/a.png"),
        ("page_type", "<meta property='og:type' content='article'>", "article"),
        ("url", "<link rel='canonical' href='http://a.example/x'>", "http://a.example/x"),
        ("url", "<link rel='alternate' href='y'><meta property=og:url content=z>", "z"),
        ("language", "<meta property=og:locale content=de>", "en"),
    ],
)
def test_the_most_specific_declaration_counts(field: str, head: str, value: str) -> None:
    assert getattr(read(head), field) == value


def test_an_empty_declaration_counts_as_none() -> None:
    assert read("<meta property=og:title content=''><title>A</title>").title == "A"


def test_all_authors_are_listed_once() -> None:
    assert read("<meta name=author content=A><meta name=author content=B><meta name=author content=A>").authors == (
        "A",
        "B",
    )


def test_the_address_passed_in_is_the_last_resort() -> None:
    assert read("", url="http://a.example/").url == "http://a.example/"
    assert read("<link rel=canonical href=/c>", url="http://a.example/").url == "/c"


def test_the_title_of_a_picture_is_no_title() -> None:
    assert tamis.parse("<svg><title>Icon</title></svg><p>text").metadata.title is None
