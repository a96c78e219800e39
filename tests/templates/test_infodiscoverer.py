"""Words that all pages use alike are redundant, and so are the blocks made of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.templates._entropy import block_entropy, entropy, features, greedy_threshold, word_entropies
from tamis.templates._stems import stem


@pytest.mark.parametrize(
    ("counts", "value"),
    [((1, 1, 1, 1), 1.0), ((1, 0, 0, 0), 0.0), ((2, 1, 1, 0), 0.75), ((5, 5, 5, 5), 1.0)],
)
def test_the_entropy_of_a_word_on_four_pages(counts: tuple[int, ...], value: float) -> None:
    assert entropy(counts, 4) == pytest.approx(value)


def test_the_entropies_of_table_2_1_of_yunis() -> None:
    assert entropy((14, 9, 8, 5, 12), 5) == pytest.approx(0.9656, abs=5e-5)
    assert entropy((0, 18, 2, 4, 6), 5) == pytest.approx(0.6695, abs=5e-5)


@given(st.lists(st.integers(0, 30), min_size=2, max_size=8).filter(any))
def test_entropy_lies_between_0_and_1(counts: list[int]) -> None:
    assert -1e-9 <= entropy(counts, len(counts)) <= 1 + 1e-9


def test_one_page_has_no_entropy() -> None:
    assert math.isnan(entropy((3,), 1))


def test_a_block_has_the_mean_of_its_different_words() -> None:
    assert block_entropy(["a", "b", "b"], {"a": 1.0, "b": 0.0}) == 0.5
    assert block_entropy([], {}) == 1.0, "nothing in it can inform"


def test_word_counts_are_taken_per_page() -> None:
    pages = [{1: ["menu", "menu"], 2: ["river"]}, {1: ["menu", "menu"]}, {1: ["menu"], 4: ["menu"]}]
    assert word_entropies(pages) == {"menu": pytest.approx(1.0), "river": 0.0}


def test_the_threshold_stops_at_the_first_step_without_new_words() -> None:
    assert greedy_threshold([(0.05, "ab"), (0.15, "c"), (0.95, "menu")]) == 0.2
    assert greedy_threshold([(0.05, "ab"), (0.15, "ba"), (0.95, "menu")]) == 0.1
    assert greedy_threshold([(0.55, "ab"), (0.95, "menu")]) == 0.6, "a beginning without blocks does not stop it"
    assert greedy_threshold([]) == 1.0
    assert greedy_threshold((tenth / 10, [str(tenth)]) for tenth in range(11)) == 1.0


def page(number: int, unique: str) -> str:
    return f"<table><tr><td>home news sport weather</td><td>{unique}</td></tr></table>"


def test_a_menu_is_redundant_and_an_article_informative() -> None:
    texts = ["flood river bridge", "snow village winter", "engine garden letter", "museum island coast", "market ship"]
    pages = [page(number, text) for number, text in enumerate(texts)]
    for blocks in ("tables", "layout"):
        template = tamis.learn_template(pages, method="infodiscoverer", blocks=blocks)
        assert template.model["threshold"] == 0.0
        assert [template.extract(tamis.parse(one)).text for one in pages] == texts


def test_the_threshold_can_be_given() -> None:
    pages = [page(number, f"word{number} other{number}") for number in range(5)]
    everything = tamis.learn_template(pages, method="infodiscoverer", threshold=1.0)
    assert "home news" in everything.extract(tamis.parse(pages[0])).text
    with pytest.raises(OptionError, match="threshold"):
        tamis.learn_template(pages, method="infodiscoverer", threshold=1.5)


def test_wisdom_keeps_the_blocks_around_an_informative_one() -> None:
    def nested(number: int) -> str:
        return f"<div>frame text everywhere<div>alpha{number} beta{number}</div></div><div>frame menu everywhere</div>"

    pages = [nested(number) for number in range(5)]
    informative = tamis.learn_template(pages, method="infodiscoverer").extract(tamis.parse(pages[1])).text
    carried = tamis.learn_template(pages, method="wisdom").extract(tamis.parse(pages[1])).text
    assert informative == "alpha1 beta1"
    assert carried == "frame text everywhere\n\nalpha1 beta1"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"),
        ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"), ("sing", "sing"), ("conflated", "conflat"),
        ("troubled", "troubl"), ("sized", "size"), ("hopping", "hop"), ("falling", "fall"), ("hissing", "hiss"),
        ("failing", "fail"), ("filing", "file"), ("happy", "happi"), ("sky", "sky"), ("relational", "relat"),
        ("conditional", "condit"), ("digitizer", "digit"), ("vietnamization", "vietnam"), ("triplicate", "triplic"),
        ("formative", "form"), ("electrical", "electr"), ("hopefulness", "hope"), ("revival", "reviv"),
        ("allowance", "allow"), ("adjustable", "adjust"), ("replacement", "replac"), ("adoption", "adopt"),
        ("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controll", "control"), ("roll", "roll"),
    ],
)  # fmt: skip
def test_stems_are_those_of_porter(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_features_leave_stop_words_and_marks_out() -> None:
    assert features("The Rivers, and it's 12 bridges — of the town!") == ["river", "it's", "12", "bridg", "town"]
