"""Methods are combined by a vote on every character, or one after the other."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError, UnknownNameError
from tamis.extractors.combine import KeptPart, Options, combine_spans
from tamis.page.spans import Span
from tamis.results import Extraction

MENU = "<ul><li><a href=/>Home</a></li><li><a href=/news>All the news of today</a></li></ul>"
SENTENCES = ("The river rose all night.", "Its banks were flooded by the morning.", "The ferry stayed at its mooring.")
ARTICLE = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
PAGE = f"<div>{MENU}</div><div>{ARTICLE}<ul><li><a href=/more>More about rivers</a></li></ul></div><p>Last words</p>"


def combined(markup: str, *methods: str, **options: Any) -> Extraction:
    return tamis.extract(markup, method="combine", methods=list(methods), **options)


def characters(extraction: Extraction) -> set[int]:
    return {place for start, end in extraction.spans for place in range(start, end)}


def span_sets(length: int) -> st.SearchStrategy[tuple[Span, ...]]:
    borders = st.lists(st.integers(0, length), unique=True, max_size=8).map(sorted)
    return borders.map(lambda found: tuple(map(Span, found[::2], found[1::2])))


LENGTH = 30
PLAIN = tamis.parse("<p>" + "x" * LENGTH)


@given(
    st.lists(span_sets(LENGTH), min_size=1, max_size=5),
    st.sampled_from(["union", "intersection", "vote"]),
    st.lists(st.integers(1, 4), min_size=5, max_size=5),
    st.sampled_from([0.0, 0.25, 0.5, 0.75]),
)
def test_every_character_is_decided_on_its_own(
    found: list[tuple[Span, ...]], how: Any, weights: list[int], threshold: float
) -> None:
    votes = weights[: len(found)]
    options = Options(methods=("bte",) * len(found), how=how, weights=tuple(votes), threshold=threshold)
    spans = combine_spans(PLAIN, found, options)
    for place in range(LENGTH):
        keepers = [any(start <= place < end for start, end in spans) for spans in found]
        share = sum(vote for vote, keeps in zip(votes, keepers, strict=True) if keeps) / sum(votes)
        wanted = {"union": any(keepers), "intersection": all(keepers), "vote": share > threshold}[how]
        assert any(start <= place < end for start, end in spans) == wanted


@pytest.mark.parametrize(("weights", "wins"), [((0.1, 0.2, 0.3), False), ((0.1, 0.2, 0.29), True), ((2, 1, 2), True)])
def test_half_of_the_weight_is_no_majority(weights: tuple[float, ...], wins: bool) -> None:
    options = Options(methods=("bte", "dsc", "lsi"), how="vote", weights=weights)
    spans = combine_spans(PLAIN, [(Span(0, 9),), (Span(0, 9),), ()], options)
    assert spans == ((Span(0, 9),) if wins else ())


def test_a_union_keeps_what_any_method_keeps() -> None:
    parts = [characters(tamis.extract(PAGE, method=name)) for name in ("bte", "lqf", "lsi")]
    assert characters(combined(PAGE, "bte", "lqf", "lsi", how="union")) == set.union(*parts)


def test_an_intersection_keeps_what_all_methods_keep() -> None:
    parts = [characters(tamis.extract(PAGE, method=name)) for name in ("bte", "lqf", "lsi")]
    assert characters(combined(PAGE, "bte", "lqf", "lsi", how="intersection")) == set.intersection(*parts)


def test_one_method_alone_is_itself_however_it_is_combined() -> None:
    alone = tamis.extract(PAGE, method="lqf")
    for how in ("union", "intersection", "vote", "serial"):
        assert combined(PAGE, "lqf", how=how).spans == alone.spans


def test_white_space_on_which_methods_agree_is_no_content() -> None:
    page = tamis.parse("<p>one two")
    options = Options(methods=("bte", "lsi"), how="intersection")
    assert combine_spans(page, [(Span(0, 4),), (Span(3, 7),)], options) == ()


def test_the_second_in_a_row_reads_only_what_the_first_has_kept() -> None:
    assert "More about rivers" in tamis.extract(PAGE, method="lsi").text
    assert "Last words" in tamis.extract(PAGE, method="lqf").text
    assert combined(PAGE, "lqf", "lsi", how="serial").text == "\n\n".join(SENTENCES)


@pytest.mark.parametrize("second", ["bte", "cetr", "ccb", "dsc", "keep_all", "lqf", "lsi", "tccb"])
def test_a_row_keeps_nothing_that_its_first_method_dropped(second: str) -> None:
    in_row = combined(PAGE, "lqf", second, how="serial")
    assert characters(in_row) <= characters(tamis.extract(PAGE, method="lqf"))


def test_after_nothing_is_kept_nothing_more_is_found() -> None:
    only_links = "<ul>" + "<li><a href=x>some words</a></li>" * 9 + "</ul>"
    assert combined(only_links, "lqf", "keep_all", how="serial").status == "empty"


def test_a_kept_part_has_the_nodes_and_places_of_its_page() -> None:
    page = tamis.parse("<p>one two <b>three</b> four</p><p>five</p>")
    start = page.text.index("two")
    part = KeptPart(page, (Span(start, start + 3), Span(page.text.index("five"), len(page.text))))
    assert part.text == page.text
    assert np.array_equal(part.nodes.text_start, page.nodes.text_start)
    assert [block.text for block in part.blocks] == ["one two", "five"]
    assert [part.text[a:b] for a, b in zip(part.tokens.start, part.tokens.end, strict=True) if b > a] == ["two", "five"]
    assert part.tokens.is_tag.sum() == page.tokens.is_tag.sum()
    assert part.lines.characters.tolist() == [len("two" + "five") + len("  ")]  # the blanks around "two" are nobody's


def test_a_kept_part_leaves_its_page_alone() -> None:
    page, other = tamis.parse(PAGE), tamis.parse(PAGE)
    part = KeptPart(page, (Span(0, 4),))
    assert len(part.tokens) < len(page.tokens)
    for name in ("nodes", "tokens", "blocks", "lines"):
        view, same = getattr(page, name), getattr(other, name)
        for field in dataclasses.fields(view):
            if isinstance(getattr(view, field.name), np.ndarray):
                assert np.array_equal(getattr(view, field.name), getattr(same, field.name))
                assert not getattr(getattr(part, name), field.name).flags.writeable


def test_scores_are_shares_of_votes_and_reasons_name_the_voters() -> None:
    blocks = combined(PAGE, "lqf", "keep_all", how="vote", weights=[3, 1]).blocks
    of_link = next(block for block in blocks if block.text == "Home")
    of_text = next(block for block in blocks if block.text.startswith("The river"))
    assert (of_link.score, of_link.reason, of_link.kept) == (0.25, "keep_all", False)
    assert (of_text.score, of_text.reason, of_text.kept) == (1.0, "lqf, keep_all", True)


def test_an_entry_may_hold_options() -> None:
    strict, lax = (combined(PAGE, f"lqf:threshold={threshold}", how="union") for threshold in (0.25, 1.0))
    assert "Home" not in strict.text
    assert "Home" in lax.text


def test_options_are_json_or_bare_words() -> None:
    written = Options(methods=('lqf:variant=crunch,blocks=["td", "th"],threshold=0.5',)).steps[0][1]
    quoted = Options(methods=('lqf:threshold=0.5,variant="crunch",blocks=["td","th"]',)).steps[0][1]
    assert written == quoted
    assert (written.variant, written.blocks, written.threshold) == ("crunch", ("td", "th"), 0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": []}, "at least one"),
        ({"methods": ["bte", "lsi"], "weights": [1]}, "1 numbers for 2"),
        ({"methods": ["bte"], "weights": [0]}, "above 0"),
        ({"methods": ["bte"], "weights": [float("nan")]}, "above 0"),
        ({"threshold": 1.0}, "below 1"),
        ({"threshold": -0.1}, "below 1"),
        ({"how": "majority"}, "'vote'"),
        ({"methods": ["lqf:threshold"]}, "option=value"),
        ({"methods": ["lqf:threshold=high"]}, "float"),
        ({"methods": ["lqf:threshold=NaN"]}, "float"),
        ({"methods": ["lqf:threshold=7"]}, "from 0 to 1"),
        ({"methods": ["lqf:" + "[" * 100_000]}, "option=value"),
        ({"methods": ["lqf:blocks=" + "[" * 100_000]}, "expected"),
    ],
)
def test_a_wrong_option_is_answered_with_what_would_be_right(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        tamis.extract(PAGE, method="combine", **options)


def test_options_made_by_hand_are_checked_too() -> None:
    with pytest.raises(OptionError, match="serial"):
        Options(how="majority")  # type: ignore[arg-type]


def test_an_unknown_method_is_answered_with_near_matches() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean .*lqf"):
        combined(PAGE, "lqff")
    with pytest.raises(UnknownNameError, match="did you mean threshold"):
        combined(PAGE, "lqf:treshold=0.3")


def test_combinations_can_be_combined_but_not_without_end() -> None:
    inner = 'combine:how=vote,methods=["bte","lqf","lsi"]'
    assert combined(PAGE, inner, how="union").spans == combined(PAGE, "bte", "lqf", "lsi", how="vote").spans
    twice = 'combine:methods=["combine"]'
    assert combined(PAGE, twice).spans == tamis.extract(PAGE, method="combine").spans
    with pytest.raises(OptionError, match="levels"):
        combined(PAGE, 'combine:methods=["combine:methods=[\\"combine\\"]"]')


def test_without_a_wordy_menu_the_largest_gain_is_that_of_the_article() -> None:
    headlines = (f"<div><a href=/{number}>A headline about story {number}</a></div>" for number in range(30))
    page = f"<div>{''.join(headlines)}</div><div>{ARTICLE}</div><p>Set in type.</p>"
    assert tamis.extract(page, method="combine").text == "\n\n".join(SENTENCES)
    assert tamis.extract(page, method="lqf").text.endswith("Set in type.")
    assert "headline" in tamis.extract(page, method="lsi").text
