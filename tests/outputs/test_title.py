"""The title of the metadata in front of content that shows no headline."""

from __future__ import annotations

import pytest

import tamis

BARE = "<title>Floods in May</title><p>The river rose.</p>"


@pytest.mark.parametrize(
    ("output", "start"),
    [
        ("text", "Floods in May\n\nThe river"),
        ("markdown", "# Floods in May\n\nThe river"),
        ("html", "<h1>Floods in May</h1>\n<p>The river"),
    ],
)
def test_a_missing_headline_is_added_when_asked_for(output: str, start: str) -> None:
    result = tamis.extract(BARE, method="keep_all")
    assert result.render(output, add_title=True).startswith(start)
    assert "Floods" not in result.render(output)


def test_json_and_tei_have_it_too() -> None:
    result = tamis.extract(BARE, method="keep_all")
    told = result.to_dict(add_title=True)
    assert told["content"][0] == {"type": "h1", "text": "Floods in May"}
    assert told["text"] == result.render("text", add_title=True)
    assert '<head rend="h1">Floods in May</head>' in result.to_tei(add_title=True)


@pytest.mark.parametrize(
    "shown",
    ["<h1>Floods in May</h1>", "<h1>Another headline</h1>", "<h3>Floods  in MAY</h3>", "<div>Floods in May</div>"],
)
def test_a_headline_that_is_shown_is_not_doubled(shown: str) -> None:
    result = tamis.extract(f"<title>Floods in May</title>{shown}<p>The river rose.</p>", method="keep_all")
    assert result.render("markdown", add_title=True) == result.markdown
    assert result.render("text", add_title=True) == result.text


@pytest.mark.parametrize("page", ["<p>No title.</p>", "<title>Only a title</title>"])
def test_without_a_title_or_without_content_nothing_is_added(page: str) -> None:
    result = tamis.extract(page, method="keep_all")
    assert result.render("markdown", add_title=True) == result.markdown
