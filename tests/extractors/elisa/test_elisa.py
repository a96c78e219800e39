from __future__ import annotations

from typing import Any

import pytest

import tamis
from tamis.errors import OptionError
from tamis.extractors import extract
from tamis.extractors.elisa import STARTER_RULES, Options, label
from tamis.extractors.elisa.rules import parse_rules


def kept(html: str, **options: Any) -> str:
    extraction = extract(tamis.parse(html), "elisa", **options)
    return " ".join(" ".join(extraction.page.text[start:end] for start, end in extraction.spans).split())


def labels(html: str, **options: Any) -> dict[str, str]:
    """Labels by the names of the elements, ``body`` left out."""
    page = tamis.parse(html)
    found = {page.name(node): name for node, name in label(page, Options(**options)).labels.items()}
    found.pop("body", None)
    return found


def fits(condition: str, html: str) -> bool:
    """Whether a rule with this condition fits the first paragraph of a page."""
    rule = f'[[rule]]\nname = "test"\nlabel = "content"\ncontext = ["p"]\n{condition}'
    page = tamis.parse(html)
    paragraph = next(node for node in range(len(page.nodes)) if page.name(node) == "p")
    return paragraph in label(page, Options(rules=rule, use_starter_rules=False)).labels


def test_text_belongs_to_the_nearest_element_with_a_label() -> None:
    html = "<body>out<main>in<aside>side<article>deep</article></aside> again</main><footer>foot</footer>"
    assert kept(html) == "in deep again"


def test_without_a_content_element_the_body_is_content() -> None:
    assert kept("<body>text<nav>menu</nav><p>more text</p>") == "text more text"


def test_blocks_name_the_rule_that_labels_them() -> None:
    blocks = extract(tamis.parse("<main>text</main><nav>menu</nav>"), "elisa").blocks
    assert [block.reason for block in blocks] == ["content: content element", "navigation: navigation element"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src='/img/LOGO.png'>", {"img": "logo"}),
        ("<img src=photo.png>", {}),
        ("<div class=site-logo>Name</div>", {"div": "logo"}),
        ("<b role=navigation>x</b>", {"b": "navigation"}),
        ("<ul id=main_menu><li>x</ul>", {"ul": "navigation"}),
        ("<section class=related>x</section>", {"section": "navigation"}),
        ("<ul><li><a href=x>One</a></ul>", {"ul": "navigation"}),
        ("<footer>x</footer>", {"footer": "footer"}),
        ("<p class=disclaimer>x</p>", {"p": "footer"}),
        ("<p>text before it</p><small>© somebody</small>", {"small": "footer"}),
        ("<select><option>x</select>", {"select": "form", "option": "form"}),
        ("<form>few words</form>", {"form": "form"}),
        ("<td>", {}),
        ("<div class=newsletter>x</div>", {"div": "form"}),
        ("<ol id=comments><li>x</ol>", {"ol": "layout"}),
        ("<aside>x</aside>", {"aside": "layout"}),
        ("<div class=ads>x</div>", {"div": "layout"}),
        ("<header>x</header>", {"header": "layout"}),
        ("<article>x</article>", {"article": "content"}),
        ("<div id=content>" + "word " * 40 + "</div>", {"div": "content"}),
    ],
)
def test_starter_rules_label_typical_regions(html: str, expected: dict[str, str]) -> None:
    assert labels(html) == expected


def test_a_form_around_the_page_is_no_form_region() -> None:
    assert labels("<form><h1>Title</h1><p>text</p></form>") == {}
    assert labels("<form>" + "word " * 151 + "</form>") == {}


def test_the_starter_set_has_about_as_many_rules_as_the_original_and_uses_all_labels() -> None:
    rules = parse_rules(STARTER_RULES)
    assert 19 <= len(rules) <= 25
    assert {rule.label for rule in rules} == {"content", "layout", "navigation", "form", "footer", "logo"}
    assert len({rule.name for rule in rules}) == len(rules)


def test_a_rule_added_as_data_changes_labels_and_goes_before_the_starter_rules() -> None:
    html = "<main><p>text</p> <div class=infobox>facts</div></main><aside>a note</aside>"
    assert kept(html) == "text facts"
    rules = """
    [[rule]]
    name = "infobox"
    label = "layout"
    context = ["div"]
    attributes = ["class"]
    words = ["infobox"]

    [[rule]]
    name = "notes"
    label = "content"
    context = ["aside"]
    """
    assert kept(html, rules=rules) == "text a note"


def test_without_rules_nothing_is_content() -> None:
    extraction = extract(tamis.parse("<main>text</main>"), "elisa", use_starter_rules=False)
    assert (extraction.spans, extraction.blocks[0].reason) == ((), "no label")


def test_a_faulty_rule_is_refused_with_its_line() -> None:
    with pytest.raises(OptionError, match=r"option rules, line 2: unknown key 'nam'"):
        Options(rules='[[rule]]\nnam = "x"')


@pytest.mark.parametrize(
    ("condition", "fitting", "other"),
    [
        ('attributes = ["class"]\ncontains = ["Nav"]', "<p class=subNAVbar>x", "<p id=nav>x"),
        ('attributes = ["class", "id"]\nwords = ["nav"]', "<p id=top_nav>x", "<p class=navbar>x"),
        ('attributes = ["class"]\nwords = ["top-nav"]', "<p class='a top-nav b'>x", "<p class='top nav'>x"),
        ('attributes = ["id"]\ncontains = ["a"]\nwords = ["b"]', "<p id=b>x", "<p id=bc>x"),
        ('text_contains = ["all rights"]', "<p>ALL\n <b>rights</b>", "<p>all</p>rights"),
        ('text_contains = ["ab", "abc"]', "<p>xab</p>c", "<p>xa</p>b"),
        ('text_contains = ["aba"]', "<div>ab<p>aba</p></div>", "<div>ab<p>ab</p>a</div>"),
        ('text_contains = ["ab"]', "İİ<p>AB</p>", "ab<p>x</p>ab"),
        ('inside = ["ul", "ol"]', "<ul><li><p>x</ul>", "<p>x<ul></ul>"),
        ('not_inside = ["ul"]', "<p>x<ul></ul>", "<ul><li><p>x</ul>"),
        ('holds = ["img"]', "<p><b><img></b>", "<p>x</p><img>"),
        ('lacks = ["img"]', "<p>x</p><img>", "<p><b><img></b>"),
        ("min_words = 2", "<p>one two", "<p>one <b hidden>two</b>"),
        ("max_words = 2", "<p>one two", "<p>one two three"),
        ("min_link_share = 0.5", "<p>abc <a href=x>abc</a>", "<p>abcd <a href=x>abc</a>"),
        ("max_link_share = 0.5", "<p>abc <a href=x>abc</a>", "<p>abc <a href=x>abcd</a>"),
        ("min_position = 0.5", "one two <p>three four", "one <p>two three four"),
        ("max_position = 0.5", "one two <p>three four", "one two three <p>four"),
        ("min_words = 1\nmax_words = 1", "<p>one", "<p>one two"),
    ],
)
def test_conditions_hold_at_their_limit_and_not_beyond(condition: str, fitting: str, other: str) -> None:
    assert fits(condition, fitting)
    assert not fits(condition, other)


def test_an_element_is_neither_inside_nor_above_itself() -> None:
    assert not fits('inside = ["p"]', "<p>x")
    assert not fits('holds = ["p"]', "<p>x")


def test_the_star_stands_for_every_element() -> None:
    rule = '[[rule]]\nname = "all"\nlabel = "layout"\ncontext = ["*"]'
    assert labels("<p>x<my-tag>y</my-tag>", rules=rule, use_starter_rules=False).keys() == {
        "html",
        "head",
        "p",
        "my-tag",
    }
