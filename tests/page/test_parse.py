"""The tree, and what of it a reader can see."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

import tamis
from tamis.errors import OptionError
from tamis.page import parse as parsing
from tamis.page.limits import Limits
from tamis.page.model import FOREIGN, FORM_TEXT, LINK, NOSCRIPT, PREFORMATTED, Page


def shown(markup: str) -> list[str]:
    """The text of each block."""
    return [block.text for block in tamis.parse(markup).blocks]


def node(page: Page, name: str) -> int:
    return next(number for number in range(len(page.nodes)) if page.name(number) == name)


def test_nodes_are_in_document_order() -> None:
    page = tamis.parse("<!doctype html><title>T</title><p>a<b>c</b></p><!-- d --><script>e</script>")
    names = [page.name(number) for number in range(len(page.nodes))]
    assert names == "#document #doctype html head title #text body p #text b #text #comment script #code".split()
    assert page.nodes.depth.tolist() == [0, 1, 1, 2, 3, 4, 2, 3, 4, 4, 5, 3, 3, 4]
    assert page.nodes.parent.tolist() == [-1, 0, 0, 2, 3, 4, 2, 6, 7, 7, 9, 6, 6, 12]
    assert page.nodes.end.tolist() == [14, 2, 14, 6, 6, 6, 14, 11, 9, 11, 11, 12, 14, 14]
    assert page.text == "Tac"


def test_names_outside_the_table_are_kept() -> None:
    page = tamis.parse("<my-element>x</my-element>")
    assert page.name(node(page, "my-element")) == "my-element"


def test_attributes_are_read_by_lower_case_name() -> None:
    page = tamis.parse("<p CLASS='a b' Title=\"&lt;T&gt;\" hidden>x</p>")
    assert page.attributes(node(page, "p")) == {"class": "a b", "title": "<T>", "hidden": ""}
    assert page.attributes(node(page, "#text")) == {}


def test_programs_and_styles_are_code_and_no_text() -> None:
    page = tamis.parse("<script>if (a < b) {}</script><style>p {}</style><p>x</p>")
    assert page.text == "x"
    assert page.code(node(page, "script")) == "if (a < b) {}"
    assert page.code(node(page, "style")) == "p {}"


@pytest.mark.parametrize(
    "markup",
    [
        "<script>no</script>",
        "<style>no</style>",
        "<template><p>no</p></template>",
        "<!-- no -->",
        "<p hidden>no</p>",
        "<p hidden=until-found>no</p>",
        "<p hidden=false>no</p>",
        "<p aria-hidden=true>no</p>",
        "<p aria-hidden=TRUE>no</p>",
        "<p style='display:none'>no</p>",
        "<p style='color: red; DISPLAY : none !important'>no</p>",
        "<p style='visibility: hidden'>no</p>",
        "<p style='visibility:collapse'>no</p>",
        "<div hidden><div><p>no</p></div></div>",
        "<dialog>no</dialog>",
        "<title>no</title>",
        "<video>no</video>",
        "<audio>no</audio>",
        "<canvas>no</canvas>",
        "<iframe>no</iframe>",
        "<noembed>no</noembed>",
        "<datalist><option>no</datalist>",
        "<svg><title>no</title><desc>no</desc></svg>",
        "<math><annotation>no</annotation></math>",
        "<ruby><rp>no</rp></ruby>",
    ],
)
def test_what_browsers_do_not_show_is_not_visible(markup: str) -> None:
    assert shown(f"<p>yes</p>{markup}") == ["yes"]


@pytest.mark.parametrize(
    "markup",
    [
        "<p aria-hidden=false>yes</p>",
        "<p style='display:block'>yes</p>",
        "<p style='content: \"display:none\"'>yes</p>",
        "<p style='x-display:none'>yes</p>",
        "<p class=hidden>yes</p>",
        "<dialog open>yes</dialog>",
        "<html hidden><p>yes</p>",
        "<body style='display:none'><p>yes</p>",
        "<div><template shadowrootmode=open><p>yes</p></template></div>",
        "<noscript><p>yes</p></noscript>",
        "<object>yes</object>",
        "<select><option>yes</option></select>",
        "<button>yes</button>",
        "<svg><text>yes</text></svg>",
        "<math><mi>yes</mi></math>",
        "<details><summary>yes</summary></details>",
        "<xmp>yes</xmp>",
        "<plaintext>yes",
    ],
)
def test_what_readers_get_to_see_is_visible(markup: str) -> None:
    assert shown(markup) == ["yes"]


def test_hidden_text_is_in_the_text_of_the_page() -> None:
    page = tamis.parse("<p>a</p><p hidden>b</p>")
    assert page.text == "ab"
    assert page.clip(np.array([0]), np.array([2])) == ((0, 1),)


def test_noscript_is_parsed_and_marked() -> None:
    page = tamis.parse("<body><noscript><p>a <b>b</b></p></noscript>c")
    assert [block.text for block in page.blocks] == ["a b", "c"]
    assert [bool(page.nodes.flags[leaf] & NOSCRIPT) for leaf in page.nodes.texts] == [True, True, False]


def test_only_anchors_with_an_address_are_links() -> None:
    page = tamis.parse("<a href=x>a<b>b</b></a><a name=y>c</a>")
    assert [bool(page.nodes.flags[leaf] & LINK) for leaf in page.nodes.texts] == [True, True, False]


def test_white_space_counts_in_preformatted_text() -> None:
    page = tamis.parse("<pre>\n  a\n   b</pre> c   d")
    assert [bool(page.nodes.flags[leaf] & PREFORMATTED) for leaf in page.nodes.texts] == [True, False]
    assert [block.text for block in page.blocks] == ["  a\n   b", "c d"]


def test_foreign_elements_interrupt_no_line() -> None:
    page = tamis.parse("<p>E = <math><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math> holds</p>")
    assert [block.text for block in page.blocks] == ["E = mc2 holds"]
    assert sum(bool(page.nodes.flags[leaf] & FOREIGN) for leaf in page.nodes.texts) == 3


def test_a_page_inside_an_iframe_takes_its_place() -> None:
    assert shown("<p>a<iframe srcdoc='<p>b &amp;amp; c</p>'>fallback</iframe>d") == ["a", "b & c", "d"]


def test_pages_inside_pages_are_read() -> None:
    assert shown("""<iframe srcdoc="a<iframe srcdoc='<p>b'></iframe>c"></iframe>""") == ["a", "b", "c"]


def test_pages_inside_pages_have_an_end_that_is_announced() -> None:
    page = "innermost"
    for _ in range(6):
        page = "<p>x<iframe srcdoc='" + page.replace("&", "&amp;").replace("'", "&#39;") + "'></iframe>"
    assert tamis.extract(page).status == "truncated"


def test_a_frameset_names_its_frames_and_shows_its_noframes() -> None:
    page = tamis.parse("<frameset><frame src=a.html><frame src=b.html><noframes><p>no frames</p></noframes></frameset>")
    assert [block.text for block in page.blocks] == ["no frames"]
    assert page.warnings == ("frameset: the content is in other pages: a.html, b.html",)
    assert not page.truncated


def test_a_textarea_shows_its_text() -> None:
    page = tamis.parse("<textarea>\na < b\n  c</textarea>")
    assert [block.text for block in page.blocks] == ["a < b\n  c"]
    assert page.nodes.flags[page.nodes.texts[0]] & FORM_TEXT


def test_a_textarea_with_markup_is_parsed() -> None:
    assert shown("<textarea> <h1>a</h1><p>b &amp; c</textarea>d") == ["a", "b & c", "d"]


def test_self_closed_elements_of_xhtml_are_closed() -> None:
    page = tamis.parse(
        "<?xml version='1.0' encoding='utf-8'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><head><title/>"
        "<script src='x.js'/><style type='a/b' /></head><body><div class='c'/><p>a<br/>b</p>"
        "<a name='d'/>e</body></html>"
    )
    assert page.format == "xhtml"
    assert [block.text for block in page.blocks] == ["a\nb", "e"]
    assert page.nodes.depth[node(page, "p")] == page.nodes.depth[node(page, "div")]


def test_xhtml_from_bytes_is_decoded_as_it_declares() -> None:
    page = tamis.parse(b"<?xml version='1.0' encoding='iso-8859-2'?><html><body><div/><p>\xbf</p></body></html>")
    assert page.format == "xhtml"
    assert page.text == "ż"


def test_html_is_not_read_as_xhtml() -> None:
    assert shown("<div/>a<p/>b") == ["a", "b"]
    assert tamis.parse("<title/>a</title>b").text == "ab"


@pytest.mark.parametrize(
    ("fragment", "blocks"),
    [
        ("<li>a<li>b", ["a", "b"]),
        ("<option>a<option>b", ["a", "b"]),
        ("<dt>a<dd>b", ["a", "b"]),
        ("a <b>b</b>", ["a b"]),
        ("<p>a", ["a"]),
        ("</p>a", ["a"]),
    ],
)
def test_a_fragment_is_a_page(fragment: str, blocks: list[str]) -> None:
    assert shown(fragment) == blocks


def test_cells_without_a_table_keep_their_text() -> None:
    assert tamis.parse("<td>a</td><td>b</td>").text == "ab"


def test_text_after_the_end_and_in_a_second_body_is_kept() -> None:
    assert shown("<body><p>a</body></html><body><p>b</body><p>c</p></html>d") == ["a", "b", "c", "d"]


def test_text_that_no_table_can_hold_moves_in_front_of_it() -> None:
    assert tamis.parse("<table>a<tr><td>b</td>c</tr></table>d").text == "acbd"


def test_halves_of_characters_are_replaced() -> None:
    page = tamis.parse("<p title='\ud800'>a\udfffb</p>")
    assert page.text == "a\ufffdb"
    assert page.attributes(node(page, "p"))["title"] == "\ufffd"


def test_arrays_of_nodes_are_read_only() -> None:
    page = tamis.parse("<p>a")
    with pytest.raises(ValueError, match="read-only"):
        page.nodes.parent[0] = 5


def test_attributes_beyond_the_limit_are_left_out() -> None:
    page = tamis.parse("<p a=1 b=2 c=3>x</p>", limits=Limits(max_attributes=2))
    assert page.attributes(node(page, "p")) == {"a": "1", "b": "2"}
    assert page.truncated
    assert "max_attributes" in page.warnings[0]
    assert not tamis.parse("<p a=1 b=2>x</p>", limits=Limits(max_attributes=2)).truncated


def test_nodes_beyond_the_limit_are_left_out() -> None:
    page = tamis.parse("<p>a</p><p>b</p>", limits=Limits(max_nodes=6))
    assert page.text == "a"
    assert page.truncated
    assert "max_nodes" in page.warnings[0]
    whole = tamis.parse("<p>a</p><p>b</p>", limits=Limits(max_nodes=8))
    assert (whole.text, whole.truncated) == ("ab", False)


def test_an_article_behind_300_elements_keeps_its_paragraphs() -> None:
    page = tamis.parse("<div>" * 300 + "<p>a</p><p>b</p>" + "</div>" * 300 + "<p>c</p>")
    assert [block.text for block in page.blocks] == ["a", "b", "c"]
    assert not page.truncated


def test_an_article_deeper_than_the_limit_keeps_its_text() -> None:
    page = tamis.parse("<div>" * 600 + "<p>a <b>b</b></p><p>c</p>" + "</div>" * 600 + "<p>d</p>")
    assert page.truncated
    assert "max_depth" in page.warnings[0]
    assert page.nodes.depth.max() == 512
    assert "".join(block.text for block in page.blocks).replace(" ", "") == "abcd"
    assert page.blocks[-1].text == "d"


def test_what_hides_something_still_hides_it_below_the_depth_limit() -> None:
    page = tamis.parse("<div><div><div hidden><p>a</p></div><p>b</p></div></div>", limits=Limits(max_depth=3))
    assert [block.text for block in page.blocks] == ["b"]


def test_the_deepest_allowed_tree_is_whole() -> None:
    markup = "<div><div><p>a</p></div></div>"  # document, html, body, div, div, p, text
    assert not tamis.parse(markup, limits=Limits(max_depth=6)).truncated
    assert tamis.parse(markup, limits=Limits(max_depth=5)).truncated


def test_one_attribute_of_many_nodes_is_what_each_node_says() -> None:
    page = tamis.parse("<p class='a b' id=x>t<b class>u</b><i title='\ud800'>v</i>")
    nodes = np.arange(len(page.nodes))
    for name in ("class", "id", "title", "none"):
        assert page.attribute(nodes, name) == [page.attributes(node).get(name) for node in nodes.tolist()]


def test_many_nodes_say_the_same_as_few() -> None:
    """From some number on, and once names were asked for, it is looked up first who has an attribute."""
    attributes = ('class="a b"', "id=x", 'role="main"', 'itemprop="text"', 'aria-modal="true"', 'class=""', "")
    page = tamis.parse("".join(f"<p {attribute}>x</p>" for attribute in attributes * 100))
    nodes = np.arange(len(page.nodes))
    for name in ("class", "id", "role", "itemprop", "aria-modal", "href"):
        said = [page.attributes(node).get(name) for node in nodes.tolist()]
        assert page.attribute(nodes[:40], name) == said[:40]
        assert page.attribute(nodes, name) == said


def test_whoever_has_an_attribute_is_among_those_that_may_have_it() -> None:
    page = tamis.parse('<p role="note">one</p><p>two</p><p itemprop="name" class="x">three</p>')
    paragraphs = np.flatnonzero(page.nodes.named("p")).tolist()
    assert page.carrying("role").tolist() == [paragraphs[0]]
    assert page.carrying("class").tolist() == [paragraphs[2]]
    assert page.carrying("id").tolist() == [paragraphs[0], paragraphs[2]], "looked up with both"
    assert page.carrying("style").tolist() == [paragraphs[0]], "looked up with the role"
    assert page.carrying("property").tolist() == [paragraphs[0], paragraphs[2]], "looked up with the id"
    assert tamis.parse('<p class="x">one</p>').carrying("property").tolist() == []
    with pytest.raises(ValueError, match="read-only"):
        page.carrying("id")[0] = 1  # it is kept for the next who asks
    with pytest.raises(OptionError, match=r"'href'.*role"):
        page.carrying("href")
    with pytest.raises(OptionError, match="'href'"):
        page.said("href", np.arange(2))


def test_what_some_elements_say_is_asked_of_those_that_say_something() -> None:
    page = tamis.parse('<p role="note">one</p><p role="">two</p><p aria-modal="true">three</p><p role="x">four</p>')
    paragraphs = np.flatnonzero(page.nodes.named("p"))
    assert page.said("role", paragraphs[:3]) == {paragraphs[0]: "note"}
    assert page.said("aria-modal", paragraphs) == {paragraphs[2]: "true"}
    assert page.said("role", paragraphs[:0]) == {}
    page = tamis.parse("<p class=a>one</p><p class>two</p><p>three</p>")
    assert page.said("class", np.arange(len(page.nodes))) == {np.flatnonzero(page.nodes.named("p"))[0]: "a"}


def test_classes_are_the_same_however_often_and_by_whom_they_are_asked_for() -> None:
    page = tamis.parse("<p class='a b'>one</p><p class>two</p><p>three</p><!-- four --><p class='a\tb' id=c>")
    every = np.arange(len(page.nodes))
    paragraphs = np.flatnonzero(page.nodes.named("p"))
    for _ in range(2):
        classes = page.attribute(every, "class")
        assert [classes[node] for node in paragraphs] == ["a b", "", None, "a\tb"]
        assert [value for node, value in enumerate(classes) if node not in paragraphs] == [None] * (len(every) - 4)
        assert page.names(paragraphs) == ["a b", "", "", "a\tb #c"]
    assert page.attributes(int(paragraphs[1])) == {"class": ""}


def test_nodes_know_which_names_there_are() -> None:
    nodes = tamis.parse("<p>one<br>two</p><x-card>three</x-card>").nodes
    assert [nodes.has(name) for name in ("p", "br", "#other", "pre")] == [True, True, True, False]
    assert nodes.has("pre", "br")
    assert nodes.named("p", "br").sum() == 2
    nodes.named("p")[:] = True  # a copy, whoever changes it
    assert nodes.named("p").sum() == 1


def test_what_follows_an_empty_script_or_style_is_text() -> None:
    page = tamis.parse("<p>a<script src=x></script> b <style></style>c<script>not d</script> e")
    assert page.text == "a b c e"


@pytest.mark.parametrize(
    "inside",
    [
        "<p>a&amp;b<br>\r\nc &lt d<table>e<tr><td>f</table><!-- g --><script>if (a < b) 'é'</script>",
        "<div><template shadowrootmode=open><p>a</template>b</div>",
        "<p>caf\xe9 – ﷽ 𝄞</p><svg><![CDATA[a]]></svg><b><i>a</b>c</i>",
        "",
    ],
)
@pytest.mark.parametrize("declared", ["<meta charset=utf-8>", "<meta charset=latin1>", ""])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_large_page_is_read_as_a_small_one(
    inside: str, declared: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    markup = f"{mark}{declared}<title>t</title>{inside}".encode()
    expected = tamis.parse(markup)
    monkeypatch.setattr(parsing, "_LARGE", 0)
    monkeypatch.setattr(parsing, "_PIECE", 3)
    page = tamis.parse(markup)
    assert (page.text, page.encoding, page.warnings) == (expected.text, expected.encoding, expected.warnings)
    assert page.nodes.tag.tolist() == expected.nodes.tag.tolist()
    assert page.nodes.flags.tolist() == expected.nodes.flags.tolist()
    assert page.nodes.end.tolist() == expected.nodes.end.tolist()
    assert list(map(page.attributes, range(len(page.nodes)))) == list(map(expected.attributes, range(len(page.nodes))))


@pytest.mark.parametrize(
    ("markup", "is_fed"),
    [
        (b"<meta charset=utf-8><p>a", True),
        (b"\xef\xbb\xbf<meta charset=utf-8><p>a", False),
        (b"<meta charset=latin1><p>a", False),
        ("<méta charset=utf-8><p>a".encode(), False),
        (b"<meta charset=utf-8><p>a\xff", False),
        (b"<meta charset=utf-8><div><template shadowrootmode=open><p>a", False),
    ],
)
def test_of_large_pages_those_declared_as_utf8_are_fed_to_the_parser(
    markup: bytes, is_fed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = mock.Mock(wraps=parsing._fed)
    monkeypatch.setattr(parsing, "_fed", feed)
    tamis.parse(markup)
    assert not feed.called  # it is small
    monkeypatch.setattr(parsing, "_LARGE", len(markup))
    tamis.parse(markup)
    assert feed.called == is_fed


def test_large_bytes_that_are_no_utf8_are_replaced_as_in_a_small_page(monkeypatch: pytest.MonkeyPatch) -> None:
    markup = b"<meta charset=utf-8><p>a\xff\xe2\x82b"
    expected = tamis.parse(markup)
    monkeypatch.setattr(parsing, "_LARGE", 0)
    assert tamis.parse(markup).text == expected.text
