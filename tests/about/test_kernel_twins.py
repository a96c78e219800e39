"""What is compiled of the search for dates and headlines, and its readable reference, are one truth, written twice."""

from __future__ import annotations

import inspect
from html import escape, unescape

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tamis
from tamis import kernels
from tamis.about import _reference
from tamis.about.openings import opening_table
from tamis.about.titles import folded, title_parts
from tamis.page.html import TAG_CODES

_reason = kernels.why_not("tamis.about")
pytestmark = pytest.mark.skipif(
    bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin to compare with"
)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("in 1999 and 2020", [3, 12]),
        ("May '07, ’12", [4, 9]),
        ("3. 4.\n19", [0]),
        ("12/10/08", [1]),
        ("٣/٤/١٩", [0]),
        ("19 May", []),
        ("", []),
        ("20", []),
        ("1.2", []),
    ],
)
def test_places_of_dates_are_found(text: str, places: list[int]) -> None:
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.date_places(text).tolist() == places


@given(st.text(st.sampled_from("0129'’./- \n\u2003年٣a\U0001d7ce"), max_size=40))
def test_twins_agree(text: str) -> None:
    compiled, readable = (twin.date_places(text) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled.dtype == readable.dtype
    assert compiled.tolist() == readable.tolist()


@given(st.text(st.sampled_from("ab \xe9漢\U0001f600"), max_size=40), st.integers(0, 40), st.integers(0, 40))
@example("ab" * 9, 1, 18)
@example("aaaa", 0, 4)
def test_words_are_counted_the_same(text: str, start: int, end: int) -> None:
    start, end = sorted(min(place, len(text)) for place in (start, end))
    words = (" a", "aa", "aba", "b a b", " a a ")
    compiled = kernels.choose("tamis.about").occurrences(text, words, start, end)
    assert compiled == _reference.occurrences(text, words, start, end)
    assert compiled == sum(text.count(word, start, end) for word in words)


@pytest.mark.parametrize(("words", "start", "end"), [(("ab",), 0, 4), (("ab",), -1, 2), (("ab",), 2, 1)])
def test_words_are_not_counted_outside_of_a_text(words: tuple[str, ...], start: int, end: int) -> None:
    with pytest.raises(IndexError):
        kernels.choose("tamis.about").occurrences("abc", words, start, end)


@pytest.mark.parametrize("words", [("a",), ("",), ("\xe9a",), ("ab",) * 33])
def test_words_that_are_not_counted_are_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="words that are counted"):
        kernels.choose("tamis.about").occurrences("abc", words, 0, 3)


_TITLE = st.text(st.sampled_from("aB_1 \t\u3000-–—|·•»«›‹:/~⋆*⎮｜－漢é&\0"), max_size=24)


@given(_TITLE)
@example("Rain - Post | News")
@example("Rain ---x :: y")
@example("漢 －　b")
def test_separators_of_titles_are_found_the_same(title: str) -> None:
    compiled, readable = (twin.title_cuts(title) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable


def test_separators_of_titles_are_found() -> None:
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.title_cuts("Rain - Post | News: more") == [(4, 7), (11, 14), (18, 20)]
        assert twin.title_cuts("a-b c:d") == []


@given(st.lists(_TITLE, min_size=1, max_size=5), st.integers(0, 12))
@example(["AT&amp;amp;T", "“Rain”", "\u0345 x", "---"], 12)
def test_texts_of_nodes_are_folded_the_same(texts: list[str], most: int) -> None:
    ends = np.cumsum([len(text) for text in texts])
    arguments = "".join(texts), [*range(len(texts))], ends - [len(text) for text in texts], ends, most
    compiled, readable = (twin.folded_nodes(*arguments) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable
    shown = [(place, folded(unescape(text[:most]))) for place, text in enumerate(texts)]
    assert compiled == [(place, text) for place, text in shown if text]


@given(st.lists(_TITLE, min_size=1, max_size=5), st.frozensets(st.sampled_from(["a", "b", "ab", "1", "é", "漢", ""])))
@example(["a", "a b", "a x", "x", "é b", "é x"], frozenset({"a", "b", "é"}))
def test_texts_that_share_words_are_found_the_same(texts: list[str], words: frozenset[str]) -> None:
    ends = np.cumsum([len(text) for text in texts])
    arguments = "".join(texts), [*range(len(texts))], ends - [len(text) for text in texts], ends, 40
    compiled, readable = (twin.folded_nodes(*arguments, words) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable
    assert set(compiled) <= set(_reference.folded_nodes(*arguments))


def test_a_text_that_shares_two_words_is_found_and_so_is_a_word_alone() -> None:
    text, words = "rain|RAIN again|rain falls|sun|Müll|müll heap|müll rain", frozenset({"rain", "again", "müll"})
    parts = text.split("|")
    starts = np.cumsum([0, *(len(part) + 1 for part in parts[:-1])])
    ends = starts + [len(part) for part in parts]
    for twin in (kernels.choose("tamis.about"), _reference):
        found = twin.folded_nodes(text, [*range(len(parts))], starts, ends, 40, words)
        assert [parts[place] for place, _ in found] == ["rain", "RAIN again", "Müll", "müll rain"]


@given(_TITLE)
@example("Rain - a report | The Daily Post")
def test_parts_of_titles_are_folded_the_same(title: str) -> None:
    compiled, readable = (twin.folded_parts(title) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable
    assert compiled - {""} == {folded(part) for part in title_parts(title)} - {""}


@given(st.lists(st.lists(st.none() | st.text(st.sampled_from("aAbB:é \t\u00a0\u212aK"), max_size=6), max_size=5)))
@example([["A:b", None, " a:B\n"], ["ab", "\u212a", "", "aaaaa:b"]])
def test_names_that_are_asked_for_are_found_the_same(columns: list[list[str | None]]) -> None:
    asked = frozenset({"a:b", "k", "ab", "é"})
    compiled, readable = (twin.asked_names(columns, asked, 5) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable


def test_names_are_asked_for_in_any_case() -> None:
    columns = [["og:title", "OG:Title ", None, "title"], ["x", "a\u00a0", "Headline"]]
    for twin in (kernels.choose("tamis.about"), _reference):
        found = twin.asked_names(columns, frozenset({"og:title", "headline"}), 8)
        assert found == [("og:title", 0), ("headline", 2)], "the second is too long"


def test_nodes_outside_of_the_page_are_not_folded() -> None:
    one, none = np.array([1]), np.array([0])
    for nodes, starts, ends in (([1], none, one), ([-1], none, one), ([0], none, one + 9), ([0], -one, one)):
        with pytest.raises(IndexError):
            kernels.choose("tamis.about").folded_nodes("abc", nodes, starts, ends, 40)


@given(st.lists(_TITLE, min_size=1, max_size=5), st.sampled_from(["a", "b1", "é", ""]))
def test_beginnings_are_looked_at_the_same(texts: list[str], letters: str) -> None:
    ends = np.cumsum([len(text) for text in texts])
    arguments = "".join(texts), ends - [len(text) for text in texts], ends, letters
    compiled, readable = (twin.may_begin(*arguments) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable
    expected = {place for place, text in enumerate(texts) if folded(text)[:1] in list(letters)}
    assert expected <= set(compiled), "no text that begins so is overlooked"


@pytest.mark.parametrize("seed", range(40))
def test_what_tells_the_headline_is_found_the_same(seed: int) -> None:
    random = np.random.default_rng(seed)
    parts = [
        "<h1>a",
        "<h1>b</h1>",
        "<nav>",
        "</nav>",
        "<h2 hidden>",
        "<h2>c",
        "<svg><title>d",
        "</svg>",
        "<title>e",
        "<meta name=f>",
    ]
    nodes = tamis.parse("".join(random.choice(parts, 30))).nodes
    groups = np.zeros(256, dtype=np.uint8)
    for group, name in enumerate(("title", "meta", "h1", "h2", "nav"), start=1):
        groups[TAG_CODES[name]] = group
    arguments = nodes.tag, nodes.flags, nodes.end, groups, 3, 5
    compiled, readable = (twin.telling_nodes(*arguments) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable


_DECLARING = (
    "<title>Rain falls - Post</title>",
    "<title>Rain &amp;amp; sun | The Post</title>",
    "<title> Home\n</title>",
    "<meta property=og:title content='Rain  falls'>",
    "<meta name=' OG:Title ' content='rain falls on the hills again'>",
    "<meta name=twitter:title content='Die Straße im Regen'>",
    "<meta name=headline content=' '>",
    "<meta property=og:site_name content='The Post'>",
    "<meta name=application-name content='Rain\ud800 falls'>",
)
_SHOWING = (
    "<h1>Rain falls</h1>",
    "<h1>The Post</h1>",
    "<h1>Home</h1>",
    "<h1>The <b>hills</b> again, with rain</h1>",
    "<h1><a href=/>Rain falls</a></h1>",
    "<a href=/index.html><h1>Post</h1></a>",
    "<h2>Rain &amp;amp; sun</h2>",
    "<h2>DIE STRASSE IM REGEN</h2>",
    "<h2><a href=/rain>rain falls</a></h2>",
    "<h3>falls rain</h3>",
    "<h3>---</h3>",
    "<nav><h1>Rain falls</h1><p>Rain falls</p></nav>",
    "<p>Rain falls</p>",
    "<p>Rain falls on the hills again</p>",
    "<td>straße im regen",
)


@pytest.mark.parametrize("seed", range(80))
def test_headings_are_like_titles_to_both(seed: int) -> None:
    random = np.random.default_rng(seed)
    declaring, showing = (random.choice(parts, random.integers(1, 5)) for parts in (_DECLARING, _SHOWING))
    page = tamis.parse(f"<head>{''.join(declaring)}<body>{''.join(showing)}")
    metas, written, *levels = ([*page.nodes.each(name)] for name in ("meta", "title", "h1", "h2", "h3"))
    told = []
    for twin in (kernels.choose("tamis.about"), _reference):
        titles, sites = twin.declared_titles(page, metas, written)
        told.append(
            (
                *(titles, sites, twin.like_titles(page, levels, titles, sites)),
                *(twin.repeating_blocks(page, titles, sites), twin.repeating_blocks(page, titles, [])),
            )
        )
    assert told[0] == told[1]


@given(st.text(st.sampled_from("a& \t\0\u00a0é\x7f\x1f"), max_size=6))
@example("a" * 500)
@example("a" * 2_500)
@example("&amp;" * 90)
def test_titles_are_cleaned_the_same(content: str) -> None:
    page = tamis.parse(f"<title>{escape(content)}</title><meta name=headline content='{escape(content)}'>")
    metas, written = ([*page.nodes.each(name)] for name in ("meta", "title"))
    compiled, readable = (
        twin.declared_titles(page, metas, written) for twin in (kernels.choose("tamis.about"), _reference)
    )
    assert compiled == readable


_OPENINGS = opening_table(["by", "fr"])
_HEADS = frozenset({"by", "from"})


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("by me", True),
        (" \n By", True),
        ("(me", True),
        ("_", True),
        ("b", False),
        ("bus", False),
        ("", False),
        (" ", False),
    ],
)
def test_a_text_opens_as_the_table_says(text: str, opens: bool) -> None:
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.opening_so(text, np.array([0]), np.array([len(text)]), _OPENINGS) == [0] * opens


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("by me", True),
        (" \n By", True),
        ("(me", True),
        ("Frome", True),
        ("fray", False),
        ("bus", False),
        ("", False),
        (" ", False),
    ],
)
def test_a_text_begins_with_a_head_or_a_mark(text: str, begins: bool) -> None:
    page = tamis.parse(f"<a>{text}</a><svg><a>by</a></svg><a>by {'x' * 40}</a>")
    links = [*page.nodes.each("a")]
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.values_opening_so([None, text], _OPENINGS, _HEADS) == [1] * begins
        assert twin.opening_so(text, np.array([0]), np.array([len(text)]), _OPENINGS, _HEADS) == [0] * begins
        assert twin.short_links(page, 20, 9, _OPENINGS, _HEADS) == (links[:1], links[:begins])
        assert twin.short_links(page, 99, 1, _OPENINGS, _HEADS)[0] == links[:1]


@given(st.text(st.sampled_from("byfrB (\n\u2003é年\U0001d7ce"), max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_twins_agree_on_how_texts_open(text: str, start: int, end: int) -> None:
    starts, ends = np.array([0, min(start, len(text))]), np.array([len(text), min(end, len(text))])
    compiled, readable = (
        (
            twin.opening_so(text, starts, ends, _OPENINGS),
            twin.opening_so(text, starts, ends, _OPENINGS, _HEADS),
            twin.values_opening_so([text, text[start:end]], _OPENINGS, _HEADS),
        )
        for twin in (kernels.choose("tamis.about"), _reference)
    )
    assert compiled == readable


def test_elements_of_a_name_stand_outside_pictures() -> None:
    nodes = tamis.parse("<title>a</title><svg><title>b</title></svg><p>c<p>d").nodes
    for twin in (kernels.choose("tamis.about"), _reference):
        for name, count in (("title", 1), ("p", 2), ("svg", 0), ("h1", 0)):
            found = twin.named_outside(nodes.tag, nodes.flags, TAG_CODES[name])
            assert nodes.tag[found].tolist() == [TAG_CODES[name]] * count
        assert twin.named_outside(nodes.tag[:0], nodes.flags[:0], 1) == []
        with pytest.raises(ValueError, match=r"belong|broadcast"):
            twin.named_outside(nodes.tag, nodes.flags[1:], 1)


_NAME = st.none() | st.text(st.sampled_from("aB \u2003É:"), max_size=4)
_META = st.tuples(st.text(st.sampled_from("aB &amp;\u2003é\0"), max_size=9), _NAME, _NAME)


@given(st.lists(_META, max_size=6), st.integers(0, 3), st.integers(1, 4))
@example([("x", "a b", "A"), ("x", "a", None), (" y", " A ", "é")], 2, 4)
def test_twins_agree_on_meta_elements(metas: list[tuple[str, str | None, str | None]], most: int, longest: int) -> None:
    contents, *columns = map(list, zip(*metas, strict=True)) if metas else ([], [], [])
    compiled, readable = (
        twin.meta_texts(contents, columns, most, longest) for twin in (kernels.choose("tamis.about"), _reference)
    )
    assert [*compiled.items()] == [*readable.items()]


def test_meta_elements_are_called_by_several_names() -> None:
    for twin in (kernels.choose("tamis.about"), _reference):
        found = twin.meta_texts(
            ["A &amp; B", " ", "C", "C"], [["og:Title t", "t", None, "t"], [None, "x", "t u", "t"]], 9, 10
        )
        assert found == {"og:title": ["A & B"], "t": ["A & B", "C"], "t u": ["C"]}


_COUNTS = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 9))


@given(st.lists(_COUNTS, max_size=8), st.integers(-1, 12), st.integers(0, 9), st.integers(0, 12))
def test_twins_agree_on_running_text(counts: list[tuple[int, int, int]], least: int, most: int, enough: int) -> None:
    words, link_words, starts = np.array(counts, dtype=np.int64).reshape(-1, 3).T.copy()
    compiled, readable = (
        (
            twin.paragraphs(words, link_words, least),
            twin.longest_texts("a b\u2003 cé d e f", starts, starts + 5, words, link_words, least, most, enough),
        )
        for twin in (kernels.choose("tamis.about"), _reference)
    )
    assert compiled == readable


def test_running_text_has_enough_words_outside_links() -> None:
    words, link_words = np.array([9, 10, 10, 12]), np.array([0, 5, 4, 0])
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.paragraphs(words, link_words, 10) == (22, 2)
        assert twin.paragraphs(words, link_words, 13) == (0, -1)


def test_the_longest_texts_come_first_until_there_are_enough_characters() -> None:
    starts = np.array([0, 2, 5, 9])
    arguments = "a bb ccc  d d", starts, np.array([1, 4, 8, 13]), np.array([2, 5, 5, 9]), np.array([0, 0, 0, 8])
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.longest_texts(*arguments, 1, 9, 99) == ["bb", "ccc", "a", "d d"]
        assert twin.longest_texts(*arguments, 2, 9, 99) == ["bb", "ccc", "a"]
        assert twin.longest_texts(*arguments, 1, 1, 99) == ["bb"]
        assert twin.longest_texts(*arguments, 1, 9, 3) == ["bb", "ccc"]


_MARKUP = st.text(st.sampled_from("ab \n\u2003é漢\U0001d7ce"), max_size=9).map(
    lambda text: f"<p>{text}</p>{text}<style>{text}</style><b>{text}</b>"
)


@given(_MARKUP, st.integers(0, 40), st.integers(0, 60))
def test_twins_agree_on_the_text_of_short_pages(markup: str, most: int, most_raw: int) -> None:
    page = tamis.parse(markup)
    compiled, readable = (twin.short_text(page, most, most_raw) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable


def test_only_short_pages_have_their_text_put_together() -> None:
    page = tamis.parse("<p> One\n two</p><p>thrée</p><p hidden>four")
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.short_text(page, 13, 14) == "One two thrée"
        assert twin.short_text(page, 12, 14) is None
        assert twin.short_text(page, 13, 13) is None


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    kernel, one, two = kernels.choose("tamis.about"), np.ones(1, dtype=np.int64), np.ones(2, dtype=np.int64)
    with pytest.raises(ValueError, match="belong together"):
        kernel.paragraphs(two, one, 1)
    with pytest.raises(ValueError, match="belong together"):
        kernel.meta_texts(["a", "b"], [["c"]], 1, 1)
    with pytest.raises(ValueError, match="belong together"):
        kernel.longest_texts("a", one, one, two, two, 1, 1, 1)


def test_a_table_that_is_too_small_is_refused() -> None:
    """The kernel reads memory, so it does not trust its arguments."""
    with pytest.raises(IndexError):
        kernels.choose("tamis.about").opening_so("a", np.array([0]), np.array([1]), b"")
    with pytest.raises(IndexError):
        kernels.choose("tamis.about").values_opening_so(["a"], b"", _HEADS)
    with pytest.raises(ValueError, match="heads"):
        kernels.choose("tamis.about").values_opening_so(["a"], _OPENINGS, frozenset(map(str, range(200))))


def test_every_function_of_one_twin_is_in_the_other() -> None:
    compiled = kernels.choose("tamis.about")
    own = {name for name in dir(compiled) if callable(getattr(compiled, name)) and not name.startswith("_")}
    assert own == {
        name
        for name, function in inspect.getmembers(_reference, inspect.isfunction)
        if function.__module__ == _reference.__name__ and not name.startswith("_")
    }


_NAMES = st.none() | st.text(st.sampled_from("abAB-_ é漢\U0001d7ce\u212a"), max_size=12)


@given(st.lists(_NAMES, max_size=6))
@example(["", None, "x", "AB", "a b", "bab-A", "\u212aab"])
def test_words_in_names_are_found_the_same(values: list[str | None]) -> None:
    words = ["ab", "bab", "b-a"]
    compiled, readable = (
        twin.holding(values, twin.word_table(words)) for twin in (kernels.choose("tamis.about"), _reference)
    )
    assert compiled == readable


def test_words_are_found_in_any_case_wherever_they_stand() -> None:
    values = ["post-Author", None, "authö", "AUTHOR", "auth or", "xx BYLINE"]
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.holding(values, twin.word_table(["author", "byline"])) == [0, 3, 5]
