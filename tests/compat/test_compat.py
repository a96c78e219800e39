"""Calls as users of other extractors write them: names and types are theirs, contents are ours."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

import tamis
from tamis.compat import readability, trafilatura
from tamis.errors import OptionError

URL = "https://post.example/rain"
PAGE = """<html lang=en><head><title>Rain at last - Valley Post</title><meta name=author content="Ann Miller">
<meta property="article:published_time" content="2024-05-02T10:00:00Z">
<meta property="og:site_name" content="Valley Post">
</head><body><nav><a href="/">Home</a> <a href="/news">News</a></nav><article><h1>Rain at last</h1>
<p>After forty dry days the <a href="/valley">valley</a> has water again, and the <b>old mills</b> are turning.</p>
<img src="/mill.jpg" alt="A mill"><table><tr><th>Day<th>Litres<tr><td>Monday<td>12<tr><td>Tuesday<td>31</table>
<p>The council opens the reservoirs in the coming week, when the river has been measured twice.</p></article>
<div class="related">Related links</div><footer><a href="/imprint">Imprint</a></footer></body></html>"""


def test_text_is_what_tamis_extracts() -> None:
    assert trafilatura.extract(PAGE, url=URL) == tamis.extract(PAGE, url=URL).render("text", images=False, links=False)
    assert trafilatura.extract("") is None
    assert trafilatura.extract(trafilatura.fetch_url("http://127.0.0.1:1/")) is None


@pytest.mark.parametrize(
    ("body", "arguments", "expected"),
    [
        ("<p><br></p>", {}, None),
        ("<main><div>1.<br>2.<br>3.<br></div></main>", {}, "1.\n2.\n3."),
        ("<div>\t\n</div><div>There is text.</div>", {}, "There is text."),
        ("<article><div><strong>Wild text</strong></div></article>", {}, "Wild text"),
        (
            "<article><h3>Title</h3><p>One</p><p>Two</p></article>",
            {"include_formatting": True},
            "### Title\n\nOne\n\nTwo",
        ),
        (
            "<p><b>bold</b>, <i>italic</i>, <tt>code</tt> and a <a href=test.html>link</a> in running text.</p>",
            {"output_format": "markdown", "include_links": True},
            "**bold**, *italic*, `code` and a [link](test.html) in running text.",
        ),
        (
            "<article><p>text</p><div class=comments><p>comment</p></div></article>",
            {"include_comments": False},
            "text",
        ),
    ],
)
def test_small_pages_as_trafilatura_tests_them(body: str, arguments: dict[str, Any], expected: str | None) -> None:
    assert trafilatura.extract(f"<html><body>{body}</body></html>", **arguments) == expected


def test_formats_and_what_is_left_out() -> None:
    marked = trafilatura.extract(PAGE, url=URL, output_format="markdown")
    assert marked is not None
    assert "# Rain at last" in marked
    assert "](" not in marked
    linked = trafilatura.extract(PAGE, url=URL, output_format="markdown", include_links=True, include_images=True)
    assert linked is not None
    assert "[valley](https://post.example/valley)" in linked
    assert "Monday" in linked
    bare = trafilatura.extract(PAGE, output_format="html", include_tables=False, include_formatting=True)
    assert bare is not None
    assert "Monday" not in bare
    assert "<TEI" in (trafilatura.extract(PAGE, output_format="xmltei") or "")
    with pytest.raises(OptionError, match="'csv' is not supported"):
        trafilatura.extract(PAGE, output_format="csv")


def test_metadata_comes_under_the_known_names() -> None:
    text = trafilatura.extract(PAGE, url=URL, with_metadata=True)
    assert text is not None
    assert text.startswith("---\ntitle: Rain at last\nauthor: Ann Miller\nurl: https://post.example/rain\n")
    values = json.loads(trafilatura.extract(PAGE, url=URL, output_format="json", with_metadata=True) or "")
    assert (values["title"], values["author"], values["date"]) == ("Rain at last", "Ann Miller", "2024-05-02")
    assert (values["source"], values["hostname"]) == (URL, "post.example")
    assert set(json.loads(trafilatura.extract(PAGE, output_format="json") or "")) == {"text", "comments"}
    section = PAGE.replace("<title>", '<meta property="article:section" content="Weather"><title>')
    assert trafilatura.extract_metadata(section).categories == ["Weather"]
    found = trafilatura.extract_metadata(PAGE, default_url=URL, author_blacklist={"Ann Miller"})
    assert (found.sitename, found.author, found.language) == ("Valley Post", None, "en")


def test_bare_extraction_is_a_document_or_a_dictionary() -> None:
    document = trafilatura.bare_extraction(PAGE, url=URL, with_metadata=True)
    assert isinstance(document, trafilatura.Document)
    assert document.title == "Rain at last"
    assert "forty dry days" in (document.text or "")
    formatted = trafilatura.bare_extraction(PAGE, include_formatting=True)
    assert isinstance(formatted, trafilatura.Document)
    assert "# Rain at last" in (formatted.text or "")
    values = trafilatura.bare_extraction(PAGE, as_dict=True)
    assert isinstance(values, dict)
    assert values == trafilatura.bare_extraction(PAGE).as_dict()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "condition",
    [{"target_language": "de"}, {"url_blacklist": {URL}}],
)
def test_page_that_does_not_meet_a_condition_is_none(condition: dict[str, Any]) -> None:
    assert trafilatura.extract(PAGE, url=URL, **condition) is None
    assert trafilatura.extract(PAGE, url=URL, only_with_metadata=True, target_language="en") is not None
    assert trafilatura.extract("<p>One sentence, but no date and no title.</p>", only_with_metadata=True) is None


def test_precision_and_recall_steer_the_method() -> None:
    less, more = (
        len(trafilatura.extract(PAGE, favor_precision=not wide, favor_recall=wide) or "") for wide in (False, True)
    )
    assert less <= more


def test_switches_are_anything_that_is_true_or_not() -> None:
    loose: dict[str, Any] = {"favor_precision": None, "favor_recall": 0, "include_links": 1, "include_comments": None}
    strict: dict[str, Any] = {name: bool(value) for name, value in loose.items()}
    for name in ("txt", "markdown", "json"):
        found = trafilatura.extract(PAGE, output_format=name, **loose)
        assert found is not None
        assert found == trafilatura.extract(PAGE, output_format=name, **strict)


def test_arguments_are_ignored_or_refused_and_never_unknown() -> None:
    assert trafilatura.extract(PAGE, fast=True, no_fallback=True, deduplicate=True, config=None)
    with pytest.raises(TypeError, match="'include_coments'"):
        trafilatura.extract(PAGE, include_coments=False)
    with pytest.raises(OptionError, match="CSS selector"):
        trafilatura.extract(PAGE, prune_xpath="//aside")


def test_all_text_and_failed_fetches() -> None:
    assert "Home" in trafilatura.html2txt(PAGE, clean=False)
    assert "Home" not in trafilatura.html2txt(PAGE)
    assert trafilatura.fetch_url("http://127.0.0.1:1/") is None


def test_readability_document() -> None:
    document = readability.Document(PAGE, url=URL)
    assert (document.title(), document.short_title()) == ("Rain at last - Valley Post", "Rain at last")
    assert document.author() == "Ann Miller"
    assert document.summary().startswith("<html><body><div>")
    assert document.summary(html_partial=True) == f"<div>{tamis.extract(PAGE, url=URL).html}</div>"
    assert "Imprint" in document.content()


def test_readability_keywords_decide() -> None:
    assert "Related" in readability.Document(PAGE, positive_keywords=["related"]).summary()
    wide = PAGE.replace("<table>", "<table class=figures>")
    assert "Monday" not in readability.Document(wide, negative_keywords='figures, no"thing').summary()


def test_readability_keywords_come_as_text_bytes_or_any_list_of_words() -> None:
    wide = PAGE.replace("<table>", "<table class=figures>")
    for words in ("x,figures", b"x,figures", ("figures",), {"figures"}, (word for word in ("x", "figures"))):
        assert "Monday" not in readability.Document(wide, negative_keywords=words).summary()
    with pytest.raises(OptionError, match="pass a list of the words"):
        readability.Document(wide, negative_keywords=re.compile("figures"))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="not 5"):
        readability.Document(wide, negative_keywords=[5])  # type: ignore[list-item]


def test_readability_of_nothing_is_no_error() -> None:
    document = readability.Document("")
    assert (document.title(), document.short_title(), document.author()) == ("[no-title]", "[no-title]", "[no-author]")
    assert document.summary(html_partial=True) == "<div></div>"


def test_the_packages_themselves_are_never_imported() -> None:
    script = (
        "from tamis.compat import trafilatura, readability; import sys; trafilatura.extract('<p>x'); "
        "print([name for name in ('trafilatura', 'readability', 'lxml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("module", "name"), [(trafilatura, "baseline"), (readability, "readability")])
def test_a_name_that_is_not_there_is_answered_with_those_that_are(module: ModuleType, name: str) -> None:
    with pytest.raises(AttributeError, match=rf"no attribute '{name}': it has Document, .*docs/migrating\.md"):
        getattr(module, name)
    assert not hasattr(module, "__path__")
