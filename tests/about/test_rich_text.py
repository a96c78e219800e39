"""Rich text of editors as HTML."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.about.rich_text import is_rich, rich_to_html, text_to_html

CONTENTFUL = {
    "nodeType": "document",
    "content": [
        {"nodeType": "heading-3", "content": [{"nodeType": "text", "value": "Head"}]},
        {
            "nodeType": "paragraph",
            "content": [
                {"nodeType": "text", "value": "One "},
                {"nodeType": "hyperlink", "data": {"uri": "/a"}, "content": [{"nodeType": "text", "value": "two"}]},
            ],
        },
    ],
}
PORTABLE = [
    {"_type": "block", "style": "h3", "children": [{"_type": "span", "text": "Head"}]},
    {
        "_type": "block",
        "style": "normal",
        "children": [{"_type": "span", "text": "One "}, {"_type": "span", "text": "two"}],
    },
]
DRAFT = [{"type": "header-three", "text": "Head"}, {"type": "unstyled", "text": "One two"}]
EDITOR = [{"type": "header", "data": {"text": "Head"}, "level": 3}, {"type": "paragraph", "data": {"text": "One two"}}]
ARC = [
    {"_id": "1", "type": "header", "level": 3, "content": "Head"},
    {"_id": "2", "type": "text", "content": "One two"},
    {"_id": "3", "type": "image", "caption": "not text"},
]
SLATE = [{"type": "h3", "children": [{"text": "Head"}]}, {"type": "p", "children": [{"text": "One "}, {"text": "two"}]}]


@pytest.mark.parametrize("rich", [PORTABLE, DRAFT, EDITOR, ARC, SLATE])
def test_editors_mean_the_same(rich: Any) -> None:
    assert is_rich(rich)
    assert rich_to_html(rich, {}) == "<h3>Head</h3>\n<p>One two</p>\n"


def test_links_are_kept() -> None:
    assert is_rich(CONTENTFUL)
    assert rich_to_html(CONTENTFUL, {}) == '<h3>Head</h3>\n<p>One <a href="/a">two</a></p>\n'


def test_lists_have_items() -> None:
    items = [{"type": "text", "content": "a"}, {"type": "text", "content": "b"}]
    assert rich_to_html([{"type": "list", "items": items}], {}) == "<ul><li>a</li>\n<li>b</li>\n</ul>\n"


def test_parts_that_are_only_named_are_looked_up() -> None:
    state = {"P:1": {"__typename": "Paragraph", "type": "P", "text": "One"}}
    assert rich_to_html([{"__ref": "P:1"}, {"__ref": "P:2"}], state) == "<p>One</p>\n"


def test_text_is_escaped_and_markup_is_not() -> None:
    assert rich_to_html([{"type": "p", "text": "1 < 2"}], {}) == "<p>1 &lt; 2</p>\n"
    assert rich_to_html([{"type": "p", "text": "<b>1</b>"}], {}) == "<p><b>1</b></p>\n"


def test_what_refers_to_itself_ends() -> None:
    state: dict[str, Any] = {"a": {"type": "p", "children": [{"__ref": "a"}]}}
    assert rich_to_html([{"__ref": "a"}], state) == ""


@pytest.mark.parametrize("value", [None, "text", 1, [], {}, [1, 2], [{"a": 1}], {"type": "p"}])
def test_other_values_are_not_rich(value: Any) -> None:
    assert not is_rich(value)
    assert isinstance(rich_to_html(value, {}), str)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a\nb", "<p>a</p>\n<p>b</p>"),
        ("a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>"),
        ("<i>a</i>", "<i>a</i>"),
        ("&lt;p&gt;a&lt;/p&gt;", "<p>a</p>"),
        ("a &amp; b", "<p>a &amp; b</p>"),
        ("a < b", "<p>a &lt; b</p>"),
    ],
)
def test_texts_become_html(text: str, html: str) -> None:
    assert text_to_html(text) == html
