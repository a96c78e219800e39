"""HTML: minimal, well formed, harmless."""

from __future__ import annotations

import re

import pytest

import tamis
from tamis.page.spans import Span
from tamis.results import Extraction

URL = "https://example.org/a/"


def html(markup: str, url: str | None = URL) -> str:
    """All visible text as HTML, without the line ends between elements."""
    return re.sub(r"(?<=>)\n", "", tamis.extract(markup, url=url, method="keep_all").html)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("loose text", "<pre>loose text</pre>"),
        ("<div>loose <span>text</span></div>", "<p>loose text</p>"),
        ("<div>one<p>two</p>three</div>", "<p>one</p><p>two</p><p>three</p>"),
        ("<h2 id=x class=y>A <em>title</em></h2>", "<h2>A <em>title</em></h2>"),
        ("<section><article><p>in</article></section>", "<p>in</p>"),
        ("<p>a<br>b<br><br>c", "<p>a<br>b</p><p>c</p>"),
        ("<p>1 &lt; 2 &amp;amp; 3", "<p>1 &lt; 2 &amp;amp; 3</p>"),
        ("<pre>\n\n  x\n <b>y</b>\n</pre>", "<pre>  x\n <b>y</b></pre>"),
        ("<p>a<hr>b", "<p>a</p><hr><p>b</p>"),
        ("<dl><div><dt>t<dd>d</div></dl>", "<dl><dt>t</dt><dd>d</dd></dl>"),
        (
            "<figure><img src=x><figcaption>c</figure>",
            f'<figure><img src="{URL}x" alt=""><figcaption>c</figcaption></figure>',
        ),
        ("<details><summary>s</summary>d</details>", "<details><summary>s</summary><p>d</p></details>"),
        ("<p>H<sub>2</sub>O <tt>x</tt> <strike>y</strike>", "<p>H<sub>2</sub>O <code>x</code> <s>y</s></p>"),
    ],
)
def test_elements_that_mean_something_are_kept_and_others_unwrapped(markup: str, expected: str) -> None:
    assert html(markup) == expected


def test_items_hold_their_first_paragraph_themselves_and_later_ones_in_elements() -> None:
    assert html("<ul><li>a<li><p>b</p><p>c</p><ol><li>d</ol></ul>") == (
        "<ul><li>a</li><li>b<p>c</p><ol><li>d</li></ol></li></ul>"
    )


def test_an_item_outside_of_a_list_is_a_paragraph() -> None:
    assert html("<div><li>a</div><dd>b") == "<p>a</p><p>b</p>"


def test_tables_keep_empty_cells_and_spans() -> None:
    markup = "<table><caption>c</caption><tr><th colspan=2>h<td><tr><td rowspan='03'>a<td colspan=x>b<td rowspan=1>d"
    assert html(markup) == (
        "<table><caption>c</caption><tbody>"
        '<tr><th colspan="2">h</th><td></td></tr><tr><td rowspan="3">a</td><td>b</td><td>d</td></tr>'
        "</tbody></table>"
    )


@pytest.mark.parametrize(
    ("count", "is_kept"), [("0", False), ("1", False), ("2", True), ("1000", True), ("1001", False)]
)
def test_cell_spans_are_numbers_that_browsers_read(count: str, is_kept: bool) -> None:
    assert ("colspan" in html(f"<table><tr><td colspan={count}>a<tr><td>b<td>c")) == is_kept


def test_rows_without_kept_text_are_left_out() -> None:
    page = tamis.parse("<table><tr><td>a<td><tr><td>b<td></table>")
    assert Extraction(page=page, spans=(Span(0, 1),)).html.count("<td>") == 2


def test_a_rule_next_to_dropped_text_is_left_out() -> None:
    page = tamis.parse("<p>a<hr><p>b<hr><p>c<hr>")
    assert Extraction(page=page, spans=(Span(0, 2),)).html == "<p>a</p>\n<hr>\n<p>b</p>"
    assert Extraction(page=page, spans=(Span(0, 1), Span(2, 3))).html == "<p>a</p>\n<p>c</p>"


def test_inline_elements_around_blocks_go_into_each_paragraph() -> None:
    assert html("<a href=x><h3>Title</h3><b>Bold<p>Text</p></b></a>", url=None) == (
        '<h3><a href="x">Title</a></h3><p><a href="x"><b>Bold</b></a></p><p><a href="x"><b>Text</b></a></p>'
    )


def test_white_space_stands_between_elements() -> None:
    assert html("<p>a<b> b </b> <i>c</i><b> </b>d<u>e </u>") == "<p>a <b>b</b> <i>c</i> d<u>e</u></p>"


def test_nested_elements_of_one_name_are_one() -> None:
    assert html("<p><b><i><b>x</b></i>y</b>") == "<p><b><i>x</i>y</b></p>"


def test_links_are_absolute_where_the_address_of_the_page_is_known() -> None:
    assert html("<p><a href='b?x=1&y=\"2\"'>l</a>") == f'<p><a href="{URL}b?x=1&amp;y=&quot;2&quot;">l</a></p>'
    assert html("<p><a href=b>l</a>", url=None) == '<p><a href="b">l</a></p>'
    assert html("<p><a name=b>l</a>") == "<p>l</p>"


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<p onclick=alert(1) style='background:url(javascript:alert(1))'>x",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><script>alert(1)</script><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href=' &#1; JaVa&#x0A;Script&colon;alert(1)'>x</a>",
        "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>",
        "<a href='\"onmouseover=alert(1) x=\"'>x</a>",
        "<a href='http://[\"><script>alert(1)</script>'>x</a>",
        "<iframe srcdoc='<script>alert(1)</script><p onload=alert(1)>x'></iframe>",
        "<iframe src='javascript:alert(1)'>&lt;script>alert(1)&lt;/script></iframe>",
        "<object data='javascript:alert(1)'>x</object><embed src='javascript:alert(1)'>",
        "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</button></form>",
        "<math><mi xlink:href='javascript:alert(1)'>x</mi><annotation-xml encoding='text/html'><script>x</script>",
        "<style>@import 'javascript:alert(1)';</style><p style=x>y",
        "<noscript><p title='</noscript><script>alert(1)</script>'>x</noscript>",
        "<template><script>alert(1)</script></template>",
        "<textarea></textarea><script>alert(1)</script>",
        "<textarea>&lt;script>alert(1)&lt;/script></textarea>",
        "<plaintext><script>alert(1)</script>",
        "<xmp><script>alert(1)</script></xmp>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<pre>&lt;img src=x onerror=alert(1)></pre>",
        "<td colspan='2\" onclick=alert(1)'>x",
        "<table><tr><td colspan='2\" onclick=\"alert(1)'>x</table>",
        "<base href='javascript:alert(1)//'><a href='x'>x</a>",
        "<meta http-equiv=refresh content='0;url=javascript:alert(1)'><link rel=stylesheet href=x><p>x",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
        "<svg></p><style><a title='</style><img src=x onerror=alert(1)>'>x",
    ],
)
def test_nothing_that_could_run_survives(attack: str) -> None:
    page = tamis.parse(attack)
    everything = Extraction(page=page, spans=(Span(0, len(page.text)),)).html  # hidden text too
    for output in (everything, html(attack), html(attack, url="javascript:alert(1)//")):
        again = tamis.parse(f"<body>{output}")
        written = {again.name(node) for node in range(len(again.nodes))}
        allowed = {"#document", "html", "head", "body", "#text", "p", "pre", "a", "table", "tbody", "tr", "td"}
        assert written <= allowed | {"img", "span"}
        for node in range(len(again.nodes)):
            attributes = dict(again.attributes(node))
            for address in ("href", "src"):
                assert not attributes.pop(address, "").lower().startswith(("java", "data", "vb"))
            assert attributes.pop("class", "math") == "math"
            assert attributes in ({}, {"alt": ""})


def test_an_empty_extraction_is_an_empty_string() -> None:
    assert html("") == ""
