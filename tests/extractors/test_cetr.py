"""CETR-TM, CETR-KM and CETR: what they share is tested once for all three."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.extractors import cetr, cetr_km, cetr_tm, extract
from tamis.extractors._k_means import k_means
from tamis.extractors._tag_ratios import smooth
from tamis.page.model import Page
from tamis.page.text import Bools, Floats

METHODS = ("cetr_tm", "cetr_km", "cetr")
EXAMPLE_RATIOS = np.array([0, 0, 5.5, 37, 20.5, 0])  # example 1 of the paper
RATIOS = st.lists(st.floats(0, 500), min_size=1, max_size=80).map(np.array)
POINTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30).map(
    lambda points: np.array(points, dtype=np.float64)
)
CHOICES: dict[str, Callable[[Floats], Bools]] = {
    "cetr_tm": lambda ratios: cetr_tm.choose(ratios, cetr_tm.Options()),
    "cetr_km": lambda ratios: cetr_km.choose(ratios, cetr_km.Options()),
    "cetr": lambda ratios: cetr.choose(ratios, cetr.Options()),
}


def menu(name: str, entries: int = 40) -> str:
    return "".join(f'<li><a href="/{name}/{n}">{name}{n}</a></li>\n' for n in range(entries))


def article(name: str, paragraphs: int = 15) -> str:
    return "".join(f"<p>{name}{n} {'reads on with many plain words ' * 5}</p>\n" for n in range(paragraphs))


def kept(page: Page, method: str, **options: Any) -> str:
    return " ".join(page.text[start:end] for start, end in extract(page, method, **options).spans)


@pytest.mark.parametrize("method", METHODS)
def test_two_articles_are_kept_and_the_menu_between_them_is_dropped(method: str) -> None:
    page = tamis.parse(menu("top") + article("early") + menu("middle") + article("late") + menu("bottom"))
    words = kept(page, method).split()
    assert {f"{part}{n}" for part in ("early", "late") for n in range(15)} <= set(words)
    # Smoothing blurs the borders: up to twice its reach of 5 lines, a menu may pass for content.
    assert not {f"{part}{n}" for part in ("top", "middle", "bottom") for n in range(12, 28)} & set(words)


@pytest.mark.parametrize("method", METHODS)
def test_a_page_on_one_line_is_not_all_or_nothing(method: str) -> None:
    page = tamis.parse((menu("top") + article("early") + menu("bottom")).replace("\n", ""))
    text = kept(page, method)
    assert "early0 reads" in text
    assert "early14 reads on with many plain words reads" in text
    assert "top20" not in text
    assert "bottom20" not in text


@pytest.mark.parametrize("method", METHODS)
def test_long_lines_hide_the_content_unless_they_are_broken(method: str) -> None:
    page = tamis.parse("<!DOCTYPE html>\n" + (menu("top") + article("early") + menu("bottom")).replace("\n", ""))
    assert "top20" in kept(page, method)
    assert "top20" not in kept(page, method, break_over=500)
    assert "early7" in kept(page, method, break_over=500)


@pytest.mark.parametrize("method", METHODS)
def test_text_without_tags_is_returned_unchanged(method: str) -> None:
    text = "A short line.\n\nA line that is quite a bit longer than the other lines of the text are.\nEnd"
    assert kept(tamis.parse(text), method) == text


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("markup", ["", " \n ", "<p>", "<!-- remark -->", "<br>\n<br>\n<br>\n<br>", "<p>\n</p>"])
def test_nothing_comes_of_nothing(method: str, markup: str) -> None:
    assert extract(tamis.parse(markup), method).spans == ()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("markup", ["<p>One line", "<p>One\n<p>Two", "One<br>\nTwo"])
def test_fewer_lines_than_clusters_give_a_result(method: str, markup: str) -> None:
    page = tamis.parse(markup)
    assert kept(page, method) in {page.text, *page.text.split("\n")}


@pytest.mark.parametrize("method", METHODS)
def test_lines_that_are_all_alike_are_kept(method: str) -> None:
    page = tamis.parse("<p>the same again</p>\n" * 20)
    assert kept(page, method).split() == ["the", "same", "again"] * 20


@pytest.mark.parametrize("method", ["cetr_km", "cetr"])
def test_lines_without_text_are_no_content(method: str) -> None:
    assert not CHOICES[method](np.zeros(10)).any()


@pytest.mark.parametrize("method", METHODS)
@given(ratios=RATIOS)
def test_every_line_is_decided_and_always_the_same_way(method: str, ratios: Floats) -> None:
    chosen = CHOICES[method](ratios)
    assert len(chosen) == len(ratios)
    assert np.array_equal(chosen, CHOICES[method](ratios.copy()))


@pytest.mark.parametrize(("std_of", "lines"), [("raw", [3, 4]), ("smoothed", [2, 3, 4])])
def test_the_threshold_is_a_number_of_standard_deviations(std_of: Any, lines: list[int]) -> None:
    options = cetr_tm.Options(sigma=1, threshold_std_of=std_of)
    assert np.flatnonzero(cetr_tm.choose(EXAMPLE_RATIOS, options)).tolist() == lines


def test_a_ratio_at_the_threshold_is_content() -> None:
    assert cetr_tm.choose(np.array([0.0, 2.0]), cetr_tm.Options(threshold=2)).tolist() == [False, True]


@given(RATIOS)
def test_a_threshold_of_zero_keeps_every_line(ratios: Floats) -> None:
    assert cetr_tm.choose(ratios, cetr_tm.Options(threshold=0)).all()


@given(RATIOS, st.floats(0, 3), st.floats(0, 3))
def test_a_higher_threshold_keeps_fewer_lines(ratios: Floats, one: float, other: float) -> None:
    low, high = sorted((one, other))
    more = cetr_tm.choose(ratios, cetr_tm.Options(threshold=low))
    fewer = cetr_tm.choose(ratios, cetr_tm.Options(threshold=high))
    assert not (fewer & ~more).any()


def test_of_three_clusters_only_the_lowest_is_dropped() -> None:
    ratios = np.repeat([1.0, 2.0, 40.0, 100.0], 5)
    chosen = cetr_km.choose(ratios, cetr_km.Options(sigma=0.1))
    assert chosen.tolist() == [False] * 10 + [True] * 10


@given(RATIOS)
def test_lines_above_a_kept_one_are_kept_when_one_number_decides(ratios: Floats) -> None:
    chosen = cetr_km.choose(ratios, cetr_km.Options(sigma=1))
    if chosen.any() and not chosen.all():
        smoothed = smooth(ratios, 1)
        assert smoothed[chosen].min() > smoothed[~chosen].max()


def test_changes_are_greatest_where_content_begins_and_ends() -> None:
    ratios = np.repeat([2.0, 80.0, 2.0], [60, 30, 60])
    jumps = cetr.describe(ratios, cetr.Options())[:, 1]
    before, after = jumps[:75].argmax(), 75 + jumps[75:].argmax()
    assert abs(before - 60) <= 2
    assert abs(after - 90) <= 2
    assert jumps[[30, 75, 120]] == pytest.approx([0, 0, 0], abs=1e-9)


def test_points_of_the_worked_example() -> None:
    points = cetr.describe(EXAMPLE_RATIOS, cetr.Options(sigma=1))
    expected = [[0, 14.3424], [1.5074, 12.4020], [12.6258, 3.8506], [23.8447, 6.6410], [19.4037, 11.1389], [7.7396, 0]]
    assert points == pytest.approx(np.array(expected), abs=5e-5)


def test_scaled_points_have_the_same_spread_in_both_directions() -> None:
    points = cetr.describe(EXAMPLE_RATIOS, cetr.Options(scale=True))
    assert points.std(axis=0) == pytest.approx([1, 1])


def test_what_surrounds_the_content_does_not_pull_its_centroid_away_from_the_origin() -> None:
    """Were it free to move, it would move to 72 and take the lines of 110 with it."""
    ratios = np.repeat([60.0, 110.0, 200.0, 300.0], [60, 20, 30, 30])
    assert cetr.choose(ratios, cetr.Options(sigma=1)).tolist() == (ratios > 60).tolist()


@given(POINTS, st.integers(2, 5))
def test_clustering_tied_to_the_origin_follows_its_definition(points: Floats, count: int) -> None:
    labels, centroids = k_means(points, cetr.spread_seeds(points, count), pinned=1)
    expected_labels, expected_centroids = tied_clusters([(x, y) for x, y in points.tolist()], count)
    assert labels.tolist() == expected_labels
    assert centroids.tolist() == [list(centroid) for centroid in expected_centroids]
    assert centroids[0].tolist() == [0, 0]


def tied_clusters(points: list[tuple[float, float]], count: int) -> tuple[list[int], list[tuple[float, float]]]:
    """The published clustering in plain loops, begun at the points farthest from the origin and from each other."""

    def distance(one: tuple[float, float], other: tuple[float, float]) -> float:
        return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2

    centroids = [(0.0, 0.0)]
    while len(centroids) < count:
        centroids.append(max(points, key=lambda point: min(distance(point, seed) for seed in centroids)))
    labels = [-1] * len(points)
    while True:
        nearest = [min(range(count), key=lambda c: distance(point, centroids[c])) for point in points]
        if nearest == labels:
            return labels, centroids
        labels = nearest
        for cluster in range(1, count):
            members = [point for point, label in zip(points, labels, strict=True) if label == cluster]
            if members:
                x, y = (sum(values) / len(members) for values in zip(*members, strict=True))
                centroids[cluster] = (x, y)


def test_the_gate_keeps_a_page_without_links_whole() -> None:
    page = tamis.parse(article("early") + "<ul>\n" + "<li>item</li>\n" * 60 + "</ul>\n")
    assert kept(page, "cetr").count("item") < 30
    assert kept(page, "cetr", gate=True).count("item") == 60


def test_the_gate_changes_nothing_on_a_page_with_menus() -> None:
    page = tamis.parse(menu("top") + article("early") + menu("bottom"))
    assert extract(page, "cetr", gate=True).spans == extract(page, "cetr").spans


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("cetr_tm", {"threshold": -0.1}, "threshold is -0.1, but must be from 0 to 100"),
        ("cetr_tm", {"threshold": float("nan")}, "threshold is nan, but must be from 0 to 100"),
        ("cetr_tm", {"sigma": 0}, "sigma is 0, but 'std' or a number from 0.1 to 1000"),
        ("cetr_km", {"sigma": 1001}, "sigma is 1001, but 'std' or a number from 0.1 to 1000"),
        ("cetr_km", {"clusters": 1}, "clusters is 1, but must be from 2 to 20"),
        ("cetr_km", {"clusters": 21}, "clusters is 21, but must be from 2 to 20"),
        ("cetr", {"clusters": 1}, "clusters is 1, but must be from 2 to 20"),
        ("cetr", {"alpha": 0}, "alpha is 0, but must be from 1 to 1000"),
        ("cetr", {"break_over": 64}, "break_over is 64, but must be at least 65"),
    ],
)
def test_options_out_of_range_are_answered_with_the_range(method: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        extract(tamis.parse("<p>text"), method, **options)


def test_a_width_that_is_neither_a_number_nor_std_is_refused() -> None:
    wrong: Any = "wide"
    with pytest.raises(OptionError, match="sigma is 'wide'"):
        cetr.Options(sigma=wrong)
