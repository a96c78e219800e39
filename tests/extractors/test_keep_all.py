from __future__ import annotations

import re

import tamis

PAGE = """<!doctype html><html><head><title>The Title</title><style>p { color: red }</style>
<script>var x;</script></head>
<body><p>Shown <span hidden>word</span> text</p><div style="display:none"><p>Hidden block</p></div>
<noscript><p>No script</p></noscript><!-- comment --><select><option>One<option>Two</select>
<svg><title>Icon</title></svg><script>more();</script><p>End</p></body></html>"""


def stripped_of_tags(markup: str) -> list[str]:
    """The words that are left without tags, comments, scripts and styles."""
    without_code = re.sub(r"<!--.*?-->|<(script|style).*?</\1>", " ", markup, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", without_code).split()


def test_only_what_a_reader_sees_is_kept() -> None:
    text = tamis.extract(PAGE, method="keep_all").text
    assert text.split() == "Shown text No script One Two End".split()


def test_the_title_comes_first() -> None:
    text = tamis.extract(PAGE, method="keep_all", title=True).text
    assert text.startswith("The Title\n\nShown text")


def test_hidden_text_is_kept_without_the_title() -> None:
    text = tamis.extract(PAGE, method="keep_all", hidden=True).text
    assert "Shown word text\n\nHidden block" in text
    assert "The Title" not in text


def test_with_both_it_is_the_baseline_of_the_thesis() -> None:
    text = tamis.extract(PAGE, method="keep_all", title=True, hidden=True).text
    assert text.split() == stripped_of_tags(PAGE)


def test_the_spans_are_the_visible_text_of_all_blocks() -> None:
    page = tamis.parse(PAGE)
    for title, hidden in ((False, False), (True, False), (True, True)):
        result = tamis.extract(page, method="keep_all", title=title, hidden=hidden)
        seen = result.shown.page
        assert result.spans == seen.text_spans(seen.blocks.leaves)
