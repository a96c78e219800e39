"""Markdown that means what the page means, and reads back as its text."""

from __future__ import annotations

import pytest

import tamis
from tamis.page.spans import Span
from tamis.results import Extraction

URL = "https://example.org/a/"


def markdown(markup: str) -> str:
    return tamis.extract(markup, url=URL, method="keep_all").markdown


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h1>One</h1><h6>Six<br>lines</h6><p>Text", "# One\n\n###### Six lines\n\nText"),
        ("<div>a<p>b</p>c</div>", "a\n\nb\n\nc"),
        ("<p>one<br>two<br><br>three", "one  \ntwo\n\nthree"),
        ("<p>a<hr><p>b", "a\n\n---\n\nb"),
        ("<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>d", "> a\n>\n> b\n>\n> > c\n\nd"),
        ("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"),
        ("<dl><dt>term<dd>one<dd>two<dt>next<dd>three</dl>", "term\n- one\n- two\n\nnext\n- three"),
        ("<figure><figcaption>caption</figcaption></figure>text", "caption\n\ntext"),
    ],
)
def test_blocks_are_written_as_what_they_are(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>t</p><ul><li>a<li>b</ul><p>t", "t\n\n- a\n- b\n\nt"),
        ("<ol><li>a<ul><li>b<ol><li>c</ol><li>d</ul><li>e</ol>", "1. a\n   - b\n     1. c\n   - d\n2. e"),
        ("<ol start=9><li>a<li><p>b<p>c</ol>", "9. a\n10. b\n\n    c"),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
        ("<ol start=3>text<li>b</ol>", "text\n\n3. b"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n* b\n\n- c"),
        ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
        ("<ul><li><h3>a</h3>b<li><pre>c\n\nd</pre></ul>", "- ### a\n\n  b\n- ```\n  c\n\n  d\n  ```"),
        ("<ul><li><blockquote>a</blockquote><li>b<hr>c</ul>", "- > a\n- b\n\n  ___\n\n  c"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        ("<ul>loose<li>a</ul>", "loose\n- a"),
        (
            "<ul><li>a<li>b<br>c<li><b>d</b> e<li>1. f<li>g<ul><li>h<li>i</ul>j<li>k</ul>",
            "- a\n- b  \n  c\n- **d** e\n- 1\\. f\n- g\n  - h\n  - i\n\n  j\n- k",
        ),
        (
            "<ul><li>a<li><input type=checkbox checked> b<li>c<li><p>d<p>e<li>f<li><h2>g</h2><li></ul>"
            "<ul><li>h<li>i</ul>",
            "- a\n- [x] b\n- c\n- d\n\n  e\n- f\n- ## g\n\n* h\n* i",
        ),
        (
            "<blockquote><ul><li>a<li>b<li>c</ul>d</blockquote><h2>e #</h2>1. f<h3>g<br>h</h3>- i",
            "> - a\n> - b\n> - c\n>\n> d\n\n## e \\#\n\n1\\. f\n\n### g h\n\n\\- i",
        ),
        (
            "<ul><li>a<li>b<pre>c\nd</pre><li>e<li><img src=f.png alt=g><li>h<ol><li>i<li>j</ol><li>k</ul>",
            "- a\n- b\n\n  ```\n  c\n  d\n  ```\n- e\n- ![g](https://example.org/a/f.png)\n- h\n  1. i\n  2. j\n- k",
        ),
    ],
)
def test_lists_are_indented_by_what_they_are_in(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<pre>\na\n  b\n</pre>", "```\na\n  b\n```"),
        ("<pre>a```b````c</pre>", "`````\na```b````c\n`````"),
        ("<pre class='x language-py'>a</pre>", "```py\na\n```"),
        ("<pre><code class=lang-c++>a</code></pre>", "```c++\na\n```"),
        ("<pre class=slang-x>a</pre>", "```\na\n```"),
        ("<pre>a<br>b<br><br>c<div>d</div>e</pre>", "```\na\nb\n\nc\nd\ne\n```"),
        ("<pre>*a* &lt;b> <b>c</b></pre>", "```\n*a* <b> c\n```"),
    ],
)
def test_preformatted_text_is_fenced(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    "code", ["<svg><desc><pre>let</pre></desc></svg>", "<svg><foreignObject><pre>let</pre></foreignObject></svg>"]
)
def test_code_in_a_picture_ends_with_it(code: str) -> None:
    page = tamis.parse(f"<p>Before.</p>{code}<ol><li>One<li>Two</ol>")
    text = Extraction(page=page, spans=(Span(0, len(page.text)),)).markdown
    assert text == "Before.\n\n```\nlet\n```\n\n1. One\n2. Two"


def test_plain_text_is_neither_fenced_nor_escaped_but_holds_no_tags() -> None:
    assert markdown("A *list*:\n\n  1. one\n  2. two &lt;script>") == "A *list*:\n\n  1. one\n  2. two &lt;script>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a <em>b</em> <strong>c</strong> <i>d</i> <b>e</b>", "a *b* **c** *d* **e**"),
        ("a<b> b </b>c", "a **b** c"),
        ("<b><strong>a</strong> <i>b</i></b>", "**a *b***"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("x<b>a</b>y", "x**a**y"),
        ("x<b>(a)</b>y", "x(a)y"),
        ("x <b>(a)</b>, y", "x **(a)**, y"),
        ("<u>a</u><sup>b</sup>", "a<sup>b</sup>"),
        ("H<sub>2</sub>O", "H<sub>2</sub>O"),
        ("<del>a</del> <s>b</s>", "~~a~~ ~~b~~"),
        ("<code>a*b</code> <kbd>c</kbd>", "`a*b` `c`"),
        ("<code>a`b</code><code>c</code>", "`` a`bc ``"),
        ("<code>a<br>b <b>c</b></code>", "```\na\nb c\n```"),
        ("<a href=b>c <b>d</b></a>", f"[c **d**]({URL}b)"),
        ("<a href='x_(y) z'>[c]</a>!", rf"[\[c\]]({URL}x_%28y%29%20z)!"),
        ("wow!<a href=b>c</a>", rf"wow\![c]({URL}b)"),
        ("<a href='javascript:x'>a</a> <a>b</a>", "a b"),
        ("<a href=b><code>]</code></a>", f"[`]`]({URL}b)"),
    ],
)
def test_inline_elements_are_marked(markup: str, expected: str) -> None:
    assert markdown(f"<p>{markup}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("snake_case, 2 * 3, [1], C:\\dir, a < b & c, #1, x-y, 3.5, (c), ~5!", None),
        ("1.5 m", None),
        ("*a* _b_ __c__ `d` ~~e~~", r"\*a\* \_b\_ \_\_c\_\_ \`d\` \~\~e\~\~"),
        ("[a](b) [c]: d", r"[a\](b) [c\]: d"),
        ("a\\*", r"a\\\*"),
        ("a\\", r"a\\"),
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("&lt;", "&amp;lt;"),
        ("# a", r"\# a"),
        ("- a", r"\- a"),
        ("+ a", r"\+ a"),
        ("* a", r"\* a"),
        ("1. a", r"1\. a"),
        ("12) a", r"12\) a"),
        ("> a", r"\> a"),
        ("---", r"\---"),
        ("-a", None),
    ],
)
def test_characters_are_escaped_only_where_they_would_be_markup(text: str, expected: str | None) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    assert markdown(f"<p>{escaped}") == (expected or text)


@pytest.mark.parametrize("line", ["===", "- b", "1) b", "# b", "> b", "|--|--|"])
def test_a_line_after_a_line_break_is_still_text(line: str) -> None:
    position = 1 if line.startswith("1") else 0
    assert markdown(f"<p>a | b<br>{line}") == f"a | b  \n{line[:position]}\\{line[position:]}"


def test_a_heading_may_end_in_hashes() -> None:
    assert markdown("<h2>C# in 1. place #</h2>") == r"## C# in 1. place \#"


def test_tables_are_written_with_pipes() -> None:
    markup = (
        "<table><caption>Cap<tr><th>a<th>b|c<tr><td>1<td><p>2<br>3</p><tr><td><td><b>4</b><td>5<tr><td>6</table>text"
    )
    assert markdown(markup) == (
        "Cap\n\n| a | b\\|c |  |\n| --- | --- | --- |\n| 1 | 2<br>3 |\n|  | **4** | 5 |\n| 6 |\n\ntext"
    )


def test_a_table_without_head_cells_has_an_empty_head() -> None:
    assert markdown("<table><tr><th>a<td>b<tr><th>c<td>d</table>") == "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>a<tr><td>b<tr><td>c<tr><td>d<tr><td>e</table>",
        "<table><tr><td>a<td>b<td>c<td>d<td>e</table>",
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d<p>e</table>",
    ],
)
def test_a_table_for_layout_is_written_as_paragraphs(markup: str) -> None:
    assert markdown(markup) == "a\n\nb\n\nc\n\nd\n\ne"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<tr><td>a<p>b</p><td>c<tr><td>d<td>e", "| a<br>b | c |\n| d | e |"),
        ("<tr><td colspan=2>a<tr><td>b<td>c<tr><td>d<td>e", "| a |  |\n| b | c |\n| d | e |"),
        ("<tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e", "| a | b |\n|  | c |\n| d | e |"),
        ("<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d<td>e", "| a |  | b |\n|  |  | c |\n| d | e |"),
    ],
)
def test_spans_and_paragraphs_fit_into_a_grid(markup: str, expected: str) -> None:
    *_, width = (line.count("|") - 1 for line in sorted(expected.split("\n"), key=lambda line: line.count("|")))
    head = f"|{'  |' * width}\n|{' --- |' * width}\n"
    assert markdown(f"<table>{markup}</table>") == head + expected


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>a<td>b<tr><td>c<td><dl><dt>d</dl>e</table>",
        "<table><tr><td>a<td>b<caption>c</caption><tr><td>d<td>e</table>",
        "<table><tr><th>a<th>b<tr><td>c<td><pre>d\n\n\ne</pre></table>",
    ],
)
def test_what_fits_into_no_grid_is_written_as_html(markup: str) -> None:
    written = markdown(markup)
    assert written.startswith("<table>\n")
    assert "\n\n" not in written
    assert tamis.extract(written, method="keep_all").text == tamis.extract(markup, method="keep_all").text


def test_a_grid_inside_a_table_for_layout_is_a_table() -> None:
    inner = "<table><tr><th>a<th>b<tr><td>c<td>d</table>"
    assert markdown(f"<table><tr><td>x<td>{inner}</table>") == "x\n\n| a | b |\n| --- | --- |\n| c | d |"


def test_spans_may_cut_words_and_elements() -> None:
    page = tamis.parse("<p>one <b>two three</b> four")
    assert Extraction(page=page, spans=(Span(1, 6), Span(10, 17))).markdown == "ne **tw ree** fou"


def test_very_deep_lists_are_not_indented_without_end() -> None:
    written = markdown("<ul><li>" * 200 + "<p>deep" * 3)
    assert written.count("deep") == 3
    assert max(map(len, written.splitlines())) < 100


def test_an_empty_extraction_is_an_empty_string() -> None:
    assert markdown("") == ""
