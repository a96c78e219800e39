"""The page itself as output: marked, or with its additional text deleted, hidden, replaced or moved."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page.limits import Limits
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.results import Extraction

PAGE = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN">
<html lang=en><head><title>A title</title><style>p > a { color: red }</style>
<link rel=stylesheet href=style.css><meta name=author content=Nobody></head>
<body class="a b"><!-- a > b --><nav><a href=/ title='say "hi" & go'>Home</a></nav>
<p>Main &lt;words> stand <b>here</b><br>and go on.</p><p hidden>Secret</p><img src=a.png alt="">
<footer><p>Foot note</p></footer></body></html>"""
MODES = ("delete", "hide", "replace")
UNSEEN: tuple[tuple[str, dict[str, str]], ...] = (
    *((mode, {}) for mode in MODES),
    ("hide", {"hide_by": "style"}),
    ("replace", {"replace_by": "blank"}),
)
"""Modes that show the extracted text and nothing else, in all their ways."""


def extraction_of(markup: str, *kept: str, url: str | None = None, limits: Limits | None = None) -> Extraction:
    """An extraction that keeps these parts of the page's text."""
    page = tamis.parse(markup, url, limits=limits)
    spans = tuple(Span(page.text.index(part), page.text.index(part) + len(part)) for part in kept)
    return Extraction(page=page, spans=spans)


def main_of(markup: str, url: str | None = None) -> Extraction:
    return extraction_of(markup, "Main <words> stand ", "here", "and go on.", url=url)


def seen(markup: str) -> str:
    """All that a reader of the page sees."""
    return tamis.extract(markup, method="keep_all").text


@pytest.mark.parametrize(("mode", "options"), UNSEEN)
def test_what_is_seen_of_the_page_is_the_extracted_text(mode: str, options: dict[str, str]) -> None:
    extraction = main_of(PAGE)
    assert seen(extraction.render(mode, **options)) == extraction.text == "Main <words> stand here\nand go on."


def test_deleting_keeps_the_markup() -> None:
    deleted = main_of(PAGE).render("delete")
    assert '<nav><a href="/" title="say &quot;hi&quot; &amp; go"></a></nav>' in deleted
    assert "<p>Main &lt;words&gt; stand <b>here</b><br>and go on.</p>" in deleted
    assert '<img src="a.png" alt>' in deleted
    assert "<footer><p></p></footer>" in deleted


def test_doctype_style_and_comments_stay() -> None:
    deleted = main_of(PAGE).render("delete")
    assert deleted.startswith('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"><html lang="en">')
    assert "<style>p > a { color: red }</style>" in deleted
    assert '<link rel="stylesheet" href="style.css">' in deleted
    assert "<!-- a &gt; b -->" in deleted
    assert "<title>A title</title>" in deleted


def test_hidden_text_is_neither_shown_nor_lost() -> None:
    for mode in (*MODES, "mark"):
        assert '<p hidden><span aria-hidden="true">Secret</span></p>' in main_of(PAGE).render(mode)


@pytest.mark.parametrize(
    "markup",
    [
        "<p hidden><table><p>Secret",
        "<p><span style='display:none'><table><div>Secret",
        "<li><span hidden><noscript><li>Secret",
        "<form><div></form><form hidden><p>Secret",
    ],
)
def test_text_that_tags_in_the_wrong_order_have_hidden_stays_hidden(markup: str) -> None:
    for mode in MODES:
        assert seen(extraction_of(markup).render(mode)) == ""


def test_a_form_in_a_form_keeps_its_attributes() -> None:
    assert '<div class="b"><p>' in extraction_of("<form><div></form><form class=b><p>x").render("hide")


def test_hiding_puts_additional_text_into_comments() -> None:
    assert '"><!--Home--></a>' in main_of(PAGE).render("hide")


@pytest.mark.parametrize(
    "text", ["--&gt; x", "--!&gt;", "&gt;", "-&gt;", "-", "--", "<b>-</b>-&gt;", "&lt;!-- x --&gt;"]
)
def test_no_text_can_end_the_comment_it_is_put_into(text: str) -> None:
    hidden = extraction_of(f"<p>{text}</p><p>kept</p>", "kept").render("hide")
    assert seen(hidden) == "kept"


def test_replacing_puts_a_blank_for_every_character() -> None:
    replaced = extraction_of("<p>kept</p><p>one\n two</p>", "kept").render("replace")
    assert "<p>   \n    </p>" in replaced


def test_a_filler_shows_how_much_is_gone() -> None:
    page = extraction_of("<p>kept</p><p>one\n two</p>", "kept")
    assert "<p>···\n ···</p>" in page.render("replace", replace_by="filler")
    assert "<p>&lt;&lt;&lt;\n &lt;&lt;&lt;</p>" in page.render("replace", replace_by="filler", filler="<")


def test_a_marker_shows_once_for_a_block_that_something_is_gone() -> None:
    page = extraction_of("<p>one <b>two</b> three kept four <i>five</i> six</p><p>seven</p>", "kept")
    assert seen(page.render("replace", replace_by="marker")) == "… kept …\n\n…"
    assert seen(page.render("replace", replace_by="marker", marker="[cut & gone]")).startswith("[cut & gone] kept [cut")


@pytest.mark.parametrize(
    ("mode", "options", "message"),
    [
        ("replace", {"filler": ""}, "must be one visible character"),
        ("replace", {"filler": " "}, "must be one visible character"),
        ("replace", {"marker": " "}, "must be visible text"),
        ("replace", {"replace_by": "hiding"}, "replace_by"),
        ("hide", {"hide_by": "ink"}, "hide_by"),
        ("delete", {"hide_by": "style"}, "has no options"),
    ],
)
def test_ways_that_there_are_not_are_refused(mode: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        main_of(PAGE).render(mode, **options)


def test_hiding_by_style_keeps_the_text_in_elements_that_are_not_displayed() -> None:
    hidden = main_of(PAGE).render("hide", hide_by="style")
    assert '<span class="tamis-hidden" style="display:none">Home</span></a>' in hidden
    assert "<!--Home-->" not in hidden
    assert "Foot note" in tamis.parse(hidden).text


def test_where_no_element_can_stand_hidden_text_goes_into_a_comment_or_away() -> None:
    page = "<p>kept</p><select><option>one</select><svg><text>drawn</text></svg><textarea>box</textarea>"
    hidden = extraction_of(page, "kept").render("hide", hide_by="style")
    assert "<option><!--one--></option>" in hidden
    assert "<text><!--drawn--></text>" in hidden
    assert "<textarea></textarea>" in hidden
    assert seen(hidden) == "kept"


def test_words_beside_dropped_ones_stay_apart() -> None:
    for mode, options in UNSEEN:
        assert seen(extraction_of("<p>one<b>two</b>three", "one", "three").render(mode, **options)) == "one three"


def test_marks_are_split_at_the_borders_of_elements() -> None:
    marked = main_of(PAGE).render("mark")
    assert (
        '<p><mark class="tamis-main">Main &lt;words&gt; stand </mark><b><mark class="tamis-main">here</mark></b><br>'
        '<mark class="tamis-main">and go on.</mark></p>'
    ) in marked
    assert marked.count("<mark") == 3
    assert seen(marked) == seen(PAGE)


def test_a_part_of_a_text_is_marked_alone() -> None:
    marked = extraction_of("<p>one two three", "two").render("mark")
    assert '<p>one <mark class="tamis-main">two</mark> three</p>' in marked


def test_elements_around_additional_text_say_its_kind() -> None:
    marked = main_of(PAGE).render("mark")
    assert '<nav data-tamis-kind="navigation">' in marked
    assert '<p data-tamis-kind="template element">' in marked
    assert re.findall(r"<(\w+)[^>]*data-tamis-kind", marked) == ["nav", "p"]


def test_an_element_with_main_content_inside_is_never_dimmed() -> None:
    marked = extraction_of("<div>loose<p>kept</p><p>dropped, and kept</p></div>", "kept", "and kept").render("mark")
    assert "data-tamis-kind=" not in marked


def test_marks_come_with_a_style() -> None:
    head = main_of(PAGE).render("mark").partition("</head>")[0]
    assert "mark.tamis-main{" in head
    assert "tamis" not in main_of(PAGE).render("delete")


def test_nothing_is_marked_where_a_tag_would_be_text_or_break_a_picture() -> None:
    page = "<textarea>in a box</textarea><svg><text>drawn</text></svg><table> <tr> <td>cell</td></tr></table>"
    marked = tamis.extract(page, method="keep_all").render("mark")
    assert "<textarea>in a box</textarea>" in marked
    assert "<text>drawn</text>" in marked
    assert marked.count("<mark") == 1
    assert seen(marked) == seen(page)


def test_a_base_address_is_added_when_the_address_of_the_page_is_known() -> None:
    assert "<base" not in main_of(PAGE).render("delete")
    assert '<base href="https://a.example/b/c">' in main_of(PAGE, url="https://a.example/b/c").render("delete")
    own = PAGE.replace("<head>", "<head><base href=../d/>")
    with_base = main_of(own, url="https://a.example/b/c").render("delete")
    assert re.findall("<base[^>]*>", with_base) == ['<base href="https://a.example/d/">']


@pytest.mark.parametrize(
    "markup",
    [
        "<script>alert(1)</script>",
        "<svg><script>alert(1)</script></svg>",
        "<p onclick=alert(1)>x",
        "<p OnMouseOver='alert(1)'>x",
        "<svg onload=alert(1)>",
        "<a href=javascript:alert(1)>x</a>",
        "<a href=' java&#10;Script:alert(1)'>x</a>",
        "<a href=&#1;javascript:alert(1)>x</a>",
        "<a href='data:text/html,alert(1)'>x</a>",
        "<form action=javascript:alert(1)><button formaction=vbscript:alert(1)>x",
        "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
        "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
        "<object data=alert(1)></object><embed src=alert(1)>",
        "<link rel=import href=alert(1)><link rel=preload href=alert(1)>",
        "<noembed><p>alert(1)</p></noembed>",
        "<iframe srcdoc='<script>alert(1)</script><p onclick=alert(1)>x'></iframe>",
    ],
)
def test_what_could_run_is_left_out(markup: str) -> None:
    for mode in (*MODES, "mark", "restructure"):
        assert "alert" not in tamis.extract(f"<p>words</p>{markup}", method="keep_all").render(mode)


@pytest.mark.parametrize(
    "markup",
    [
        "<style></style x><img src=x onerror=alert(1)></style>",
        "<style><!-- </style> --><b>x</b>",
        "<style><img src=x onerror=alert(1)></style>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<svg><style><b title='</style><img src=x onerror=alert(1)>'></b>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>x",
        "<textarea></textarea><img title='</textarea><img src=x onerror=alert(1)>'>",
        "<!--><img title='--><img src=x onerror=alert(1)>'>",
        "<xmp><img src=x onerror=alert(1)></xmp>",
        "<plaintext><img src=x onerror=alert(1)>",
        "<noframes><p title='</noframes><img src=x onerror=alert(1)>'>x",
        "<iframe srcdoc='<p title=\"&quot;><img src=x onerror=alert(1)>\">'></iframe>",
        "<p title='`'><x<y onclick=alert(1)>z",
    ],
)
def test_reading_the_page_again_brings_no_program_to_life(markup: str) -> None:
    for mode in (*MODES, "mark"):
        page = tamis.parse(tamis.extract(f"<p>words</p>{markup}", method="keep_all").render(mode))
        assert not page.nodes.named("script").any()
        for node in range(len(page.nodes)):
            assert not any(name.startswith("on") for name in page.attributes(node))


def test_frames_are_sandboxed_and_their_pages_treated_alike() -> None:
    frames = "<iframe src=x.html sandbox=allow-scripts></iframe><iframe srcdoc='<p>\"dropped\" and inner'></iframe>"
    extraction = extraction_of(f"<p>kept</p>{frames}", "kept", "inner")
    assert '<iframe src="x.html" sandbox></iframe>' in extraction.render("delete")
    for mode in MODES:
        assert seen(extraction.render(mode)) == "kept\n\ninner"


def test_what_browsers_without_scripts_see_is_shown() -> None:
    assert "noscript" not in tamis.extract("<noscript><p>words</p></noscript>", method="keep_all").render("delete")


def test_plain_text_keeps_its_lines() -> None:
    text = "First line\n  second line"
    assert tamis.extract(text, method="keep_all").text == seen(tamis.extract(text, method="keep_all").render("delete"))


@pytest.mark.parametrize("name", ["pre", "textarea", "xmp"])
def test_a_line_end_at_the_start_of_preformatted_text_is_not_lost(name: str) -> None:
    extraction = tamis.extract(f"<{name}>\n\nwords</{name}>", method="keep_all")
    assert tamis.parse(extraction.render("delete")).text == extraction.page.text


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_hidden_text_of_a_flattened_page_stays_hidden(depth: int) -> None:
    page = "<title>No</title><div><div><div hidden><div><p>Secret</p></div></div></div></div><p>kept</p>"
    extraction = extraction_of(page, "kept", limits=Limits(max_depth=depth))
    for mode in MODES:
        assert seen(extraction.render(mode)) == "kept"


def test_restructuring_brings_the_main_content_first_and_groups_the_rest() -> None:
    page = (
        "<title>T &amp; U</title><p class=byline>By Ann</p>"
        "<nav><a href=/>Home</a></nav><footer><p>Foot note</p></footer><nav><p>Again</p></nav>"
        "<p>Main words <i>cut</i></p><div class=ad>Buy</div>"
    )
    restructured = extraction_of(page, "Main words").render("restructure")
    assert seen(restructured).split("\n\n") == [
        *("T & U", "Main words", "Related", "By Ann", "Navigation", "Home", "Again", "Advertising", "Buy"),
        *("About this site", "Foot note", "More on this page", "cut"),
    ]
    assert re.findall('data-tamis-kind="(.*?)"', restructured) == [
        *("closely related", "navigation", "commercial", "template element", "other"),
    ]
    assert "<title>T &amp; U</title>" in restructured


def _outline(markup: str) -> list[tuple[str, str]]:
    page = tamis.parse(markup)
    return [(page.name(node), page.node_text(node).strip()) for node in page.select("h1, h2, h3, h4, h5, h6, main")]


MENU = "<nav><a href=/>Home</a></nav>"


@pytest.mark.parametrize(
    ("page", "first"),
    [
        (
            f"<title>The mill</title>{MENU}<div><h1>The mill</h1></div><p>Main words",
            "The mill",
        ),  # dropped by the method
        (f"<title>The mill</title><h1>Daily News</h1>{MENU}<h2>The mill</h2><p>Main words", "The mill"),
        (f"<title>The mill</title><h1>Daily News</h1>{MENU}<b>The mill</b><p>Main words", "The mill"),
        (f"<title>The mill</title>{MENU}<p>Main words", "The mill"),  # not on the page but in its head
        (f"{MENU}<h1>The mill</h1><p>Main words", "The mill"),
    ],
)
def test_restructured_pages_have_one_level_1_heading_and_it_comes_first(page: str, first: str) -> None:
    kept = [part for part in ("The mill", "Main words") if part in tamis.parse(page).text]
    for extraction in (extraction_of(page, *kept), extraction_of(page, "Main words")):
        (landmark, _), *outline = _outline(extraction.render("restructure"))
        assert (landmark, outline[0]) == ("main", ("h1", first))
        assert [name for name, _ in outline].count("h1") == 1
        assert outline[1] == ("h2", "Navigation")


def test_headings_of_the_rest_stand_below_that_of_their_section() -> None:
    page = (
        f"<title>The mill</title><footer><h1>News</h1><h2>Us</h2><p>We</p></footer>{MENU}<h1>The mill</h1><p>Main words"
    )
    assert _outline(extraction_of(page, "The mill", "Main words").render("restructure"))[1:] == [
        *(("h1", "The mill"), ("h2", "Navigation"), ("h2", "About this site"), ("h3", "News"), ("h4", "Us")),
    ]


def test_a_page_with_nothing_but_main_content_has_no_other_section() -> None:
    assert "<section" not in tamis.extract("<p>words</p>", method="keep_all").render("restructure")


TAGS = """<p> </p> <div> </div> <b> </b> <i> <table> <tr> <td> </table> <ul> <li> </ul> <br> <pre> </pre> <h1> </h1>
<svg> </svg> <desc> <p|hidden> <span|style='display:none'> </span> <template> </template> <noscript> </noscript> <xmp>
<form> <button> </button> <select> <option> </select> <a|href=x> </a> <title> </title> <set> <x<y>""".split()
PIECES = [
    *(tag.replace("|", " ") for tag in TAGS),
    *("one", "two ", " three\n", "漢字", "-->", "--", "&lt;b&gt;", "&amp;lt;", " ", "<!--c-->", "<!-- > -->"),
    *(
        "<script>x</script>",
        "<style>a{}</style>",
        "<iframe srcdoc='<p>in &lt;i&gt;it'></iframe>",
        "<textarea>box</textarea>",
    ),
]


markups = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
borders = st.lists(st.floats(0, 1), max_size=6)  # of the kept spans, as shares of the text


def extraction_between(markup: str, shares: list[float]) -> Extraction:
    page = tamis.parse(markup)
    places = np.sort(np.array([round(share * len(page.text)) for share in shares], dtype=np.int64))
    return Extraction(page=page, spans=page.clip(places[:-1:2], places[1::2]))


@given(markups, borders)
def test_any_page_shows_its_extracted_text_and_nothing_else(markup: str, shares: list[float]) -> None:
    extraction = extraction_between(markup, shares)
    for mode, options in UNSEEN:
        assert seen(extraction.render(mode, **options)).split() == extraction.text.split(), mode


@given(markups, borders)
def test_what_is_replaced_visibly_or_hidden_by_style_is_as_long_as_it_was(markup: str, shares: list[float]) -> None:
    extraction = extraction_between(markup, shares)
    filled = seen(extraction.render("replace", replace_by="filler"))
    assert len(solid(filled)) == len(solid(everything(extraction.page)))
    assert solid(filled).replace("·", "") == solid(extraction.text)


@given(markups, borders)
def test_marking_any_page_loses_no_text(markup: str, shares: list[float]) -> None:
    extraction = extraction_between(markup, shares)
    assert solid(seen(extraction.render("mark"))) == solid(everything(extraction.page))


@given(markups, borders)
def test_restructuring_any_page_loses_no_text(markup: str, shares: list[float]) -> None:
    extraction = extraction_between(markup, shares)
    restructured = tamis.parse(extraction.render("restructure"))
    headings = restructured.nodes.named("h2") & restructured.nodes.named("section")[restructured.nodes.parent]
    leaves = restructured.blocks.leaves
    texts = [restructured.node_text(leaf) for leaf in leaves[~restructured.nodes.inside(headings)[leaves]]]
    shown, there = Counter(solid("".join(texts))), Counter(solid(everything(extraction.page)))
    assert not there - shown
    assert shown - there in (Counter(), Counter(solid(extraction.metadata.title or "")))  # in front, if it is nowhere


def everything(page: Page) -> str:
    return tamis.extract(page, method="keep_all").text


def solid(text: str) -> str:
    return "".join(text.split())
