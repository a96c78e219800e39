from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors._tag_ratios import content_spans, differences, read_lines, smooth
from tamis.page.model import Page
from tamis.page.text import Bools, Floats

EXAMPLE = """<div id="topnav">
<div id="storyPageContent2">
<div id="author">James Smith</div>
OKLAHOMA CITY - Police were told that
The Oklahoman reported Sunday. <br><br> Jones had
</div></div>"""
EXAMPLE_RATIOS = np.array([0, 0, 5.5, 37, 20.5, 0])
EXAMPLE_SMOOTHED = np.array([0, 1.5074, 12.6258, 23.8447, 19.4037, 7.7396])

VALUES = st.lists(st.floats(0, 1000), min_size=1, max_size=100).map(np.array)
MARKUP = st.lists(
    st.sampled_from(
        [
            "word",
            "a" * 70,
            "漢字",
            " ",
            " " * 90,
            "&amp;",
            "<b>",
            "</b>",
            "<br>",
            "<!-- a comment -->",
            "<script>x</script>",
        ]
        + [f'<a href="/{"path/" * size}">' for size in (1, 10, 40)]
    ),
    min_size=1,
    max_size=60,
).map("".join)


def pieces(page: Page, break_over: int | None = None) -> list[str]:
    """The text on each line that holds a word."""
    lines = read_lines(page, break_over)
    texts: dict[int, list[str]] = {}
    for line, start, end in zip(lines.line.tolist(), lines.start.tolist(), lines.end.tolist(), strict=True):
        texts.setdefault(line, []).append(page.text[start:end])
    return [" ".join(parts) for parts in texts.values()]


def test_the_worked_example_of_the_paper() -> None:
    assert read_lines(tamis.parse(EXAMPLE)).ratios.tolist() == EXAMPLE_RATIOS.tolist()


def test_scripts_styles_comments_and_empty_lines_leave_no_trace() -> None:
    extras = "\n\n<!-- a\nremark -->\n<script>\nvar text = 1;\n</script>\n<style>\np { }\n</style>\n   \n"
    page = tamis.parse(EXAMPLE.replace("\nOKLAHOMA", f"{extras}OKLAHOMA"))
    assert read_lines(page).ratios.tolist() == EXAMPLE_RATIOS.tolist()


def test_a_tag_over_several_lines_is_one_tag_of_one_line() -> None:
    assert read_lines(tamis.parse('<p\n class="x"\n>twelve chars</p>\nanother line')).ratios.tolist() == [6, 12]


def test_white_space_around_a_line_does_not_count_and_an_entity_counts_one() -> None:
    assert read_lines(tamis.parse("<p>\n \t a &amp; b &nbsp;\n")).ratios.tolist() == [0, 5]


def test_a_page_on_one_line_is_broken_every_65_characters_but_not_inside_a_tag() -> None:
    page = tamis.parse(f'<p>{"a" * 60}<a href="/some/long/path">link</a> tail text</p>')
    assert pieces(page) == ["a" * 60, "link tail text"]
    assert read_lines(page).ratios.tolist() == [60 / 2, 14 / 2]


def test_breaking_a_line_may_cut_words() -> None:
    page = tamis.parse("<p>" + "a" * 140)
    assert pieces(page) == ["a" * 62, "a" * 65, "a" * 13]


def test_a_stretch_of_blanks_makes_no_line() -> None:
    assert read_lines(tamis.parse("<p>before" + " " * 200 + "after")).ratios.tolist() == [6, 5]


def test_pages_of_two_lines_are_not_broken() -> None:
    page = tamis.parse("<!DOCTYPE html>\n<p>" + "a" * 140)
    assert read_lines(page).ratios.tolist() == [0, 140]


@pytest.mark.parametrize(("break_over", "lines"), [(102, 4), (103, 2), (104, 2), (None, 2)])
def test_lines_longer_than_break_over_are_broken(break_over: int | None, lines: int) -> None:
    page = tamis.parse("<p>" + "a" * 100 + "\n<p>" + "b" * 100)
    assert len(read_lines(page, break_over).ratios) == lines


def test_only_the_long_lines_of_a_page_are_broken() -> None:
    page = tamis.parse("<p>short\n<p>" + "a" * 140 + "\n<p>" + "b" * 70)
    assert pieces(page, 100) == ["short", "a" * 62, "a" * 65, "a" * 13, "b" * 70]


@given(MARKUP)
def test_breaking_a_line_gives_what_reading_it_character_by_character_gives(markup: str) -> None:
    """The published procedure, on the source without comments and scripts."""
    source = re.sub("<!-- a comment -->|<script>x</script>", "", markup).replace("&amp;", "&").strip()
    expected, piece, is_in_tag = [], "", False
    for character in f"{source}\n":
        is_in_tag = is_in_tag or character == "<"
        piece += character
        is_in_tag = is_in_tag and character != ">"
        if (len(piece) >= 65 and not is_in_tag) or character == "\n":
            characters = len(re.sub("<[^>]*>", "", piece).strip())
            tags = piece.count("<")
            if tags or characters:
                expected.append(characters / max(tags, 1))
            piece = ""
    assert read_lines(tamis.parse(markup)).ratios.tolist() == expected


@given(MARKUP, st.sampled_from([None, 65, 100]))
def test_breaking_lines_loses_no_text(markup: str, break_over: int | None) -> None:
    page = tamis.parse(f"<p>{markup}\n{markup}")
    everything = page.word_spans(~page.tokens.is_tag)
    assert content_spans(page, lambda ratios: ratios >= 0, break_over) == everything


def test_chosen_neighbours_are_joined_with_what_stands_between() -> None:
    page = tamis.parse("<p>" + "word " * 60)
    (span,) = content_spans(page, lambda ratios: np.arange(len(ratios)) < 3)
    assert page.text[span.start : span.end] == ("word " * 60)[: 3 * 65 - 3].rstrip()


def test_a_page_without_tags_is_all_content_and_nobody_is_asked() -> None:
    def never(ratios: Floats) -> Bools:
        raise AssertionError

    page = tamis.parse("First line.\n\nSecond line.")
    (span,) = content_spans(page, never)
    assert page.text[span.start : span.end] == "First line.\n\nSecond line."


def test_smoothing_the_worked_example() -> None:
    assert smooth(EXAMPLE_RATIOS, 1.0) == pytest.approx(EXAMPLE_SMOOTHED, abs=5e-5)


def test_std_smooths_over_as_many_lines_as_the_page_allows() -> None:
    values = EXAMPLE_RATIOS[1:]
    weights = np.exp(-(np.arange(-2, 3) ** 2) / (2 * values.std() ** 2))
    assert smooth(values, "std")[2] == pytest.approx(values @ weights / weights.sum())


def test_std_of_equal_values_leaves_them_alone() -> None:
    assert smooth(np.full(9, 4.0), "std").tolist() == [4.0] * 9


@pytest.mark.parametrize("values", [[], [7.0], [7.0, 1.0]])
def test_two_values_have_no_neighbourhood(values: list[float]) -> None:
    assert smooth(np.array(values), 5.0).tolist() == values
    assert smooth(np.array(values), "std").tolist() == values


@given(VALUES, st.sampled_from(["std", 0.1, 1.0, 5.0, 1000.0]))
def test_smoothing_keeps_the_length_and_stays_between_the_extremes(values: Floats, sigma: float) -> None:
    smoothed = smooth(values, sigma)
    assert len(smoothed) == len(values)
    assert values.min() - 1e-9 <= smoothed.min()
    assert smoothed.max() <= values.max() + 1e-9


def test_smoothing_lowers_the_variance_of_spikes() -> None:
    spikes = np.array([0.0, 0, 0, 90, 0, 0, 0, 80, 0, 0])
    assert smooth(spikes, 1.0).var() < spikes.var() / 2


def test_differences_of_the_worked_example() -> None:
    jumps = differences(smooth(EXAMPLE_RATIOS, 1.0), 3)
    assert jumps == pytest.approx([12.6593, 17.1174, 4.3702, -10.2731, -11.6641], abs=5e-5)
    expected = [14.3424, 12.4020, 3.8506, 6.6410, 11.1389]
    assert np.abs(smooth(jumps, 1.0)) == pytest.approx(expected, abs=5e-5)


@given(st.floats(0, 1000), st.integers(1, 50), st.integers(1, 60))
def test_a_constant_has_no_differences(value: float, length: int, alpha: int) -> None:
    assert differences(np.full(length, value), alpha) == pytest.approx(np.zeros(length - 1), abs=1e-9)


@given(VALUES, st.integers(1, 120))
def test_a_difference_compares_with_the_mean_of_what_follows(values: Floats, alpha: int) -> None:
    expected = [values[i + 1 : i + 1 + alpha].mean() - values[i] for i in range(len(values) - 1)]
    assert differences(values, alpha) == pytest.approx(expected, abs=1e-6)
