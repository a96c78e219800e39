from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import OptionError
from tamis.extractors._blur import gaussian_kernel
from tamis.extractors._code_blur import Border, character_row, check, choose, token_row
from tamis.page.load import parse
from tamis.page.text import Bools


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Settings for a test; small enough to follow by hand."""

    delta: int = 2
    threshold: float = 0.75
    stop: float = 0.01
    max_passes: int = 10
    expand: bool = True
    border: Border = "renormalise"


def row(pattern: str) -> Bools:
    return np.array([element == "1" for element in pattern], dtype=np.bool_)


def written(is_content: Bools) -> str:
    return "".join(map(str, is_content.astype(int).tolist()))


def shown(pattern: str, chosen: Bools) -> str:
    """The pattern with content that was not chosen written as a dot."""
    decided = iter(chosen.tolist())
    return "".join(element if element == "0" else "1" if next(decided) else "." for element in pattern)


def printed_algorithm(pattern: list[bool], settings: Chosen) -> tuple[list[bool], list[float], int, float]:
    """Gottron's algorithm 6.3 element by element, with run expansion.

    Also says how near a ratio ever came to the threshold.
    """
    size, delta = len(pattern), settings.delta
    weights = {j: math.exp(-(j**2) / (2 * (delta / 2) ** 2)) for j in range(-delta, delta + 1)}
    all_weights = sum(weights.values())
    values = [float(is_content) for is_content in pattern]
    content = [i for i in range(size) if pattern[i]]
    before: list[bool] | None = None
    nearest, passes = 1.0, 0
    while passes < settings.max_passes:
        passes += 1
        blurred = []
        for i in range(size):
            here = [j for j in weights if 0 <= i + j < size]
            shared = sum(weights[j] for j in here) if settings.border == "renormalise" else all_weights
            blurred.append(sum(values[i + j] * weights[j] for j in here) / shared)
        values = blurred
        chosen = [is_content and value > settings.threshold for is_content, value in zip(pattern, values, strict=True)]
        nearest = min([nearest, *(abs(values[i] - settings.threshold) for i in content)])
        if settings.expand:
            for i in [i for i in content if chosen[i]]:
                for way in (-1, 1):
                    j = i + way
                    while 0 <= j < size and pattern[j]:
                        chosen[j] = True
                        j += way
        if before is not None:
            changed = sum(now != then for now, then in zip(chosen, before, strict=True))
            if changed <= settings.stop * len(content):
                break
        before = chosen
    return [chosen[i] for i in content], [values[i] for i in content], passes, nearest


PATTERNS = st.lists(st.tuples(st.booleans(), st.integers(1, 30)), max_size=8).map(
    lambda stretches: [kind for kind, length in stretches for _ in range(length)]
)
SETTINGS = st.builds(
    Chosen,
    delta=st.integers(1, 6),
    threshold=st.floats(0.05, 0.95),
    stop=st.sampled_from([0.0, 0.01, 0.2]),
    max_passes=st.integers(1, 4),
    expand=st.booleans(),
    border=st.sampled_from(["renormalise", "zero"]),
)


@given(PATTERNS, SETTINGS)
def test_the_choice_is_that_of_the_printed_algorithm(pattern: list[bool], settings: Chosen) -> None:
    chosen, ratios, passes, nearest = printed_algorithm(pattern, settings)
    blurred = choose(np.array(pattern, dtype=np.bool_), settings)
    if nearest > 1e-9:  # nearer than this the order of summation decides
        assert blurred.chosen.tolist() == chosen
        assert blurred.passes == passes
        assert blurred.ratios == pytest.approx(ratios, abs=1e-9)


@pytest.mark.parametrize(("delta", "size"), [(40, 81), (25, 51)])
def test_the_kernel_is_a_bell_that_sums_to_one(delta: int, size: int) -> None:
    kernel = gaussian_kernel(delta, delta / 2)
    assert len(kernel) == size
    assert kernel.sum() == pytest.approx(1)
    assert np.array_equal(kernel, kernel[::-1])
    assert kernel.argmax() == delta
    assert kernel[0] / kernel[delta] == pytest.approx(math.exp(-2))  # the range ends at two standard deviations


def test_content_lies_strictly_above_the_threshold() -> None:
    is_content = row("0001110000")
    peak = float(choose(is_content, Chosen(max_passes=1)).ratios.max())
    above, below = math.nextafter(peak, 1), math.nextafter(peak, 0)
    assert not choose(is_content, Chosen(max_passes=1, threshold=above)).chosen.any()
    assert not choose(is_content, Chosen(max_passes=1, threshold=peak)).chosen.any()
    assert choose(is_content, Chosen(max_passes=1, threshold=below)).chosen.all()


def test_one_bright_element_saves_its_run() -> None:
    pattern = "0000111111100000"
    assert shown(pattern, choose(row(pattern), Chosen(max_passes=1)).chosen) == pattern
    cut = choose(row(pattern), Chosen(max_passes=1, expand=False)).chosen
    assert shown(pattern, cut) == "0000.11111.00000"


def test_a_short_run_far_from_others_is_dark() -> None:
    pattern = "00000000100000000111111111111"
    assert shown(pattern, choose(row(pattern), Chosen()).chosen) == "00000000.00000000111111111111"


def test_long_content_keeps_what_is_interrupted_by_little_code() -> None:
    pattern = "0000000011111111110111101111111111"
    assert shown(pattern, choose(row(pattern), Chosen()).chosen) == pattern


def test_zeros_beyond_the_border_darken_the_ends() -> None:
    is_content = row("1111111111")
    assert choose(is_content, Chosen()).ratios == pytest.approx(np.ones(10))
    ratios = choose(is_content, Chosen(border="zero")).ratios
    assert ratios[0] == ratios.min() < 0.75 < ratios.max()


def test_blurring_takes_two_passes_at_least_and_no_more_than_allowed() -> None:
    assert choose(row("0011111111100"), Chosen()).passes == 2
    assert choose(row("0011111111100"), Chosen(max_passes=1)).passes == 1


@pytest.mark.parametrize(
    ("stop", "passes"),
    # The second pass takes 2 of the 7 elements below the threshold.
    [(2 / 7 + 0.01, 2), (2 / 7, 2), (2 / 7 - 0.01, 3)],
)
def test_blurring_stops_when_few_enough_elements_change(stop: float, passes: int) -> None:
    settings = Chosen(threshold=0.9, stop=stop, expand=False, max_passes=3)
    assert choose(row("0000111111100000"), settings).passes == passes


@given(PATTERNS, st.integers(0, 300))
def test_code_out_of_reach_changes_nothing(pattern: list[bool], more: int) -> None:
    settings = Chosen(max_passes=3)
    far = [False] * (settings.delta * settings.max_passes)
    is_content = np.array(far + pattern + far, dtype=np.bool_)
    wider = np.array([False] * more + is_content.tolist() + [False] * more, dtype=np.bool_)
    assert choose(wider, settings).ratios == pytest.approx(choose(is_content, settings).ratios)


@pytest.mark.parametrize(("pattern", "chosen"), [("", []), ("0", []), ("0000", []), ("1", [True]), ("10", [False])])
def test_rows_of_next_to_nothing_are_decided(pattern: str, chosen: list[bool]) -> None:
    assert choose(row(pattern), Chosen(delta=40)).chosen.tolist() == chosen


def test_a_character_row_counts_what_is_no_white_space() -> None:
    page = parse("<p>ab <a href='x  y'>c &amp; d</a><!-- no --><script>no</script>")
    with_anchors = character_row(page.tokens, anchors=True)
    anchor = "0" * len("<ahref='xy'>")
    assert written(with_anchors.is_content) == f"00011{anchor}1110000"
    without = character_row(page.tokens, anchors=False)
    assert written(without.is_content) == "00011111"
    assert "".join(page.text[start] for start in without.start) == "abc&d"
    assert np.array_equal(without.end, without.start + 1)


def test_a_token_row_has_words_and_tags_but_no_anchors() -> None:
    page = parse("<p>two words <a href=x>linked</a> <br>end</p>")
    tokens = token_row(page.tokens)
    words = [page.text[start:end] for start, end in zip(tokens.start, tokens.end, strict=True)]
    assert written(tokens.is_content) == "0111010"
    assert words == ["two", "words", "linked", "end"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"delta": 0},
        {"delta": 1001},
        {"threshold": -0.01},
        {"threshold": 1.01},
        {"threshold": math.nan},
        {"stop": -0.01},
        {"stop": 1.01},
        {"max_passes": 0},
        {"max_passes": 101},
        {"border": "keep"},
    ],
)
def test_settings_outside_their_range_are_refused_by_name(wrong: dict[str, float | str]) -> None:
    (name, value), *_ = wrong.items()
    range_answer = f"^{name} is {value!r}, but must be from "
    answer = "option border is 'keep', but .* expected" if name == "border" else range_answer
    with pytest.raises(OptionError, match=answer):
        check(Chosen(**wrong))  # type: ignore[arg-type]


def test_settings_at_the_ends_of_their_range_are_accepted() -> None:
    check(Chosen(delta=1, threshold=0.0, stop=0.0, max_passes=1))
    check(Chosen(delta=1000, threshold=1.0, stop=1.0, max_passes=100, border="zero"))
