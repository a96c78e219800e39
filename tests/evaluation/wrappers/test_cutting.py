"""What a wrapper cuts out of a page, and what it says when it cannot."""

from __future__ import annotations

from typing import Any

import pytest

import tamis
from tamis.evaluation.datasets import Problem, Sample
from tamis.evaluation.wrappers.cutting import Gold, cut, gold_samples
from tamis.evaluation.wrappers.rules import GoldPart, Wrapper

MENU = "<ul class=menu><li>Home<li>News</ul>"


def wrapper(*parts: dict[str, Any], **more: Any) -> Wrapper:
    named = (GoldPart(name=f"part {number}", **part) for number, part in enumerate(parts, start=1))
    return Wrapper(parts=tuple(named), **more)


def gold(markup: str, *parts: dict[str, Any]) -> Gold:
    return cut(tamis.parse(markup), wrapper(*parts))


RULE_SETS: dict[str, tuple[tuple[dict[str, Any], ...], str]] = {
    "bbc": (
        ({"select": "table.sh"}, {"between": ("S B0", "E B0")}),
        "<table class=sh><tr><td>Head</table><!-- S B0 --><p>Body text.</p><!-- E B0 -->",
    ),
    "chip": (
        ({"between": ("mn-title", "/mn-title")}, {"between": ("mn-text", "/mn-text")}),
        "<!-- mn-title --><b>Head</b><!-- /mn-title --><p>x<!-- mn-text --><p>Body text.<!-- /mn-text -->",
    ),
    "economist": (
        ({"after_comment": "top-title"}, {"after_comment": "col", "select": "p", "without": ".info"}),
        "<!-- top-title --><font>Head</font><hr>x<!-- col --><p>Body <span class=info>x</span>text.</p><!-- col -->"
        "<p>x",
    ),
    "espresso": (
        (
            {"select": "h1"},
            {"select": "b", "after": "h1"},
            {"select": "div.didascalia", "without": ".data, .paging"},
        ),
        "<b>x</b><h1>Head</h1><b>Teaser</b><b>x</b><div class=didascalia>Body <i class=data>x</i>text."
        "<p class=paging>x</div>",
    ),
    "golem": (
        ({"select": "h3.artikelhead"}, {"select": "h4.artikelsubhead"}, {"between": ("content", "/content")}),
        "<h3>x</h3><h4 class=artikelsubhead>Teaser</h4><h3 class=artikelhead>Head</h3><!-- content -->Body text."
        "<!-- /content -->",
    ),
    "heise": (
        ({"select": "heisetext", "without": "cadv, span.ISI_IGNORE"},),
        "x<HEISETEXT><h1>Head</h1><p>Body <span class=ISI_IGNORE>x</span>text.</p><cadv>x</cadv></HEISETEXT>",
    ),
    "repubblica": (
        tuple(
            {
                "between": (f"inizio {name}", f"fine {name}"),
                "without_between": ("inserto", "/inserto"),
                "optional": name == "OCCHIELLO",
            }
            for name in ("OCCHIELLO", "TITOLO", "SOMMARIO", "TESTO")
        ),
        "<!-- inizio TITOLO -->Head<!-- fine TITOLO -->x<!-- inizio SOMMARIO --><p>Teaser<!-- fine SOMMARIO -->"
        "<!-- inizio TESTO --><p>Body <!-- inserto --><b>x</b><!-- /inserto -->text.<!-- fine TESTO -->",
    ),
    "slashdot": (
        ({"select": "title", "strip_prefix": "SLASHDOT "}, {"select": "div.intro"}),
        "<title>SLASHDOT Head</title><div class=intro>Body <i>text.</i></div><div class=comments>x</div>",
    ),
    "spiegel": (
        ({"select": "title"}, {"select": "p.spIntrotext"}, {"select": "div#spArticleBody"}),
        "<title>Head</title><p class=spIntrotext>Teaser<div id=spArticleBody><div>Body</div>"
        "<div><div>text.</div></div></div><div>x</div>",
    ),
    "telepolis": (
        ({"select": "heisetext :is(h1, h2, h3, p.fliess, p.zitat)", "take": "all"},),
        "<h1>x</h1><HEISETEXT><h1>Head</h1><p>x</p><p class=fliess>Body</p><p class=zitat>text.</p></HEISETEXT>",
    ),
    "wiki": (
        ({"select": "h1.firstHeading"}, {"between": ("start content", "end content")}),
        "<h1 class=firstHeading>Head</h1><!-- start content --><p>Body text.</p><!-- end content -->",
    ),
    "yahoo": (
        ({"select": "h1"}, {"select": "div#storybody", "without": "div"}),
        "<h1>Head</h1><div id=storybody><p>Body</p><div>x<div>x</div></div><p>text.</p></div>",
    ),
    "zdf": (
        ({"select": "div.article-box-content"}, {"select": "div.artikel-inhalt-text"}),
        "<div class=article-box-content>Teaser</div><div class=artikel-inhalt-text>Body text.</div>",
    ),
}
"""The rules of appendix A.1, each on a page like those it was written for; what is not wanted is an x."""


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_rule_sets_of_the_dissertation_can_be_written(name: str) -> None:
    parts, markup = RULE_SETS[name]
    found = gold(f"<body>{MENU}{markup}{MENU}", *parts)
    assert found.failures == ()
    order = {"Head": 0, "Teaser": 1, "Body": 2, "text.": 3}
    words = found.text.split()
    assert words == sorted(set(words), key=order.__getitem__)
    assert {"Body", "text."} <= set(words)


def test_pairs_of_comments_may_stand_in_each_other() -> None:
    markup = "<!--a-->one <!--a-->two <!-- /a -->three <!--/a-->four <!--a-->five<!--/a-->"
    assert gold(markup, {"between": ("a", "/a")}).text == "one two three"
    assert gold(markup, {"between": ("a", "/a"), "take": "all"}).text.split() == "one two three five".split()


def test_elements_between_comments() -> None:
    markup = "<p>x</p><!--a--><p>one</p>x<p>two</p><!--/a--><p>x</p>"
    assert gold(markup, {"between": ("a", "/a"), "select": "p"}).text == "one"
    assert gold(markup, {"between": ("a", "/a"), "select": "p", "take": "all"}).text == "one\n\ntwo"


@pytest.mark.parametrize(
    ("levels", "text"), [(0, "own"), (1, "own\n\npara"), (2, "own\n\npara bold"), (None, "own\n\npara bold deep")]
)
def test_nesting_is_limited(levels: int | None, text: str) -> None:
    markup = "<div id=a>own<p>para <b>bold <i>deep</i></b></p></div>"
    assert gold(markup, {"select": "#a", "levels": levels}).text == text


def test_text_that_two_parts_name_is_taken_once() -> None:
    found = gold("<div><h1>Head</h1><p>Body</p></div>", {"select": "h1"}, {"select": "div"})
    assert found.text == "Head\n\nBody"


def test_a_part_is_not_left_out_because_it_matches_its_own_exception() -> None:
    assert gold("<div id=a>one<div>x</div></div>", {"select": "div#a", "without": "div"}).text == "one"


@pytest.mark.parametrize(
    ("markup", "part", "reason"),
    [
        ("<p>a", {"select": "h1"}, "nothing matches 'h1'"),
        ("<p>a", {"between": ("a", "/a")}, "there is no comment 'a'"),
        ("<!--a--><p>a", {"between": ("a", "/a")}, "the comment 'a' is not closed by '/a'"),
        ("<p>a", {"select": "p", "after": "h1"}, "nothing matches 'h1'"),
        ("<p>a", {"select": "p", "after_comment": "c"}, "there is no comment 'c'"),
        ("<p>a<h1>b", {"select": "p", "after": "h1"}, "nothing matches 'p'"),
        ("<p>a<!--c-->", {"after_comment": "c"}, "no text follows"),
        ("<p>a<p>b", {"select": "p", "take": "only"}, "there are 2 of it, and only one is expected"),
        ("<p>one two", {"select": "p", "min_words": 3}, "it has 2 words, and at least 3 are expected"),
        ("<p hidden>one", {"select": "p"}, "it has 0 words, and at least 1 are expected"),
    ],
)
def test_a_page_on_which_a_part_fails_is_told_with_the_reason(markup: str, part: dict[str, Any], reason: str) -> None:
    assert gold(markup, part).failures == (f"part 1: {reason}",)
    assert gold(markup, {**part, "optional": True}).failures == ()


def test_pages_that_fail_are_left_out_and_listed() -> None:
    samples = [
        Sample(id="good", html="<h1>Head</h1><p>Body"),
        Sample(id="bad", html="<p>Body"),
        Sample(id="no", html=""),
    ]
    failed: list[Problem] = []
    rules = wrapper({"select": "h1"}, {"select": "p", "optional": True}, language="de")
    (made,) = gold_samples(samples, rules, failed)
    assert (made.id, made.gold, made.extra) == ("good", "Head\n\nBody", {"language": "de"})
    assert failed == [("bad", "part 1: nothing matches 'h1'"), ("no", "part 1: nothing matches 'h1'")]


def test_a_page_of_which_nothing_is_left_fails() -> None:
    failed: list[Problem] = []
    assert list(gold_samples([Sample(id="a", html="")], wrapper({"select": "h1", "optional": True}), failed)) == []
    assert failed == [("a", "none of its parts has text")]
