from __future__ import annotations

import numpy as np
import pytest

from bench.mining import mining
from bench.mining_models import counts, k_means, listening_minutes, macro_f1, naive_bayes, seen_at_once, weighted
from bench.mining_page import PAGE, TABLE, render_page
from tamis.evaluation.datasets import Sample

CARS = ["engine wheel engine", "wheel engine brake", "brake wheel"]
BOOKS = ["chapter page", "page author page", "author chapter page"]


def test_the_page_is_written_from_the_numbers_beside_it() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(TABLE), "run python -m bench.mining --write"


def test_naive_bayes_learns_from_the_pages_that_are_not_tested() -> None:
    table = counts([*CARS, *BOOKS, "page engine page"])
    labels = [*["car"] * 3, *["book"] * 3, "unknown"]
    tested = np.array([False] * 6 + [True])
    assert naive_bayes(table, labels, tested) == ["book"]


def test_k_means_finds_groups_that_share_no_word() -> None:
    rows = weighted(counts([*CARS, *BOOKS]))
    for seed in range(5):
        assert k_means(rows, 2, seed) == [0, 0, 0, 1, 1, 1]


def test_a_class_that_is_never_found_counts_as_nothing() -> None:
    assert macro_f1(["a", "a"], ["a", "b"]) == pytest.approx((2 / 3 + 0) / 2)


def test_reading_takes_longer_the_more_words_there_are() -> None:
    assert listening_minutes("word " * 360) == 2 * listening_minutes("word " * 180) == 2


def test_clutter_pushes_the_text_off_a_small_screen() -> None:
    story = "The river rose in the night"
    assert seen_at_once(story, story, columns=40, rows=2) == 6
    assert seen_at_once(f"Home\nNews\n{story}", story, columns=40, rows=2) == 0


def test_every_method_is_judged_by_every_task() -> None:
    samples = [
        Sample(
            id=f"{kind}{site}{number}",
            html=f"<nav>menu of site {site}</nav><p>{word} and {word} of {'abcdef'[number]} for {word}</p>",
            url=f"http://{kind}{site}.example/{number}",
            extra={"vertical": kind, "site": site},
        )
        for kind, word in (
            ("auto", "engine"),
            ("book", "chapter"),
            ("camera", "lens"),
            ("job", "wage"),
            ("nbaplayer", "ball"),
        )
        for site in ("one", "two")
        for number in range(2)
    ]
    found = {(number.task, number.method): number.value for number in mining(samples)}
    assert found["naive Bayes, new sites", "keep_all"] == 1
    assert {method for _, method in found} == {"keep_all", "lqf", "accb", "sieve", "what sieve drops", "sst", "site"}
