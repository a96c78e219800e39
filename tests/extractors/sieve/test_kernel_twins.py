"""The compiled kernel of sieve and its readable reference are one truth, written twice."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from bench.sieve_twins import SCORE_DIFFERENCE, sieve_differences
from bench.twins import fuzzed_page
from tamis import kernels
from tamis.extractors.sieve import _reference
from tamis.extractors.sieve.features import NAMES, text_matches
from tamis.extractors.sieve.model import load_model
from tests.hostile import HOSTILE
from tests.toy_model import toy_network, toy_trees

ROOT = Path(__file__).parent.parent.parent.parent
PAGES = sorted(file for folder in ("examples", "tests") for file in (ROOT / folder).rglob("*.html"))

_reason = kernels.why_not("tamis.extractors.sieve")
compiled = pytest.mark.skipif(bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin")
kernel = kernels.choose("tamis.extractors.sieve")


@compiled
@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_pages_of_the_project_are_extracted_the_same(file: Path) -> None:
    assert sieve_differences(file.read_text(encoding="utf-8", errors="replace")) == []


@compiled
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_extracted_the_same(name: str) -> None:
    markup = HOSTILE[name].make(HOSTILE[name].small)
    assert sieve_differences(markup if isinstance(markup, str) else markup.decode("latin-1")) == []


@compiled
def test_fuzzed_pages_are_extracted_the_same() -> None:
    assert [seed for seed in range(200) if sieve_differences(fuzzed_page(seed))] == []


_PARTS = (
    "<p>",
    "<h1>",
    "<li class=comment>",
    "<div id=main>",
    "</div>",
    "<a href=x>",
    "</a>",
    "<td>",
    "<title>",
    "İ. Ǆ",
)


@compiled
@given(st.lists(st.one_of(st.text(max_size=8), st.sampled_from(_PARTS)), max_size=40))
def test_any_characters_are_extracted_the_same(parts: list[str]) -> None:
    assert sieve_differences("".join(parts)) == []


_STRUCTURES = (
    *(f"<{name}>" for name in "article h1 h2 h3 li nav p section summary td th tr caption".split()),
    *(f"<{name}>" for name in "blockquote dd details div dl dt figure ol pre table thead tbody ul".split()),
    *(f"</{name}>" for name in "article blockquote div dl figure li ol pre section table td tr ul".split()),
    *("<div role=table>", "<div role=row>", "<div role=cell>", "<ul role=table>", "<li role=row>"),
    *("<div class=table>", "<div class=tr>", "<div class=td>"),
    *("<img src=a>", "<svg><table><tr><td>", "</svg>", "One line:", "Some words of a text, and more. ", "word "),
)


@compiled
@given(st.lists(st.sampled_from(_STRUCTURES), min_size=4, max_size=60))
def test_structures_are_decided_the_same(parts: list[str]) -> None:
    assert sieve_differences("".join(parts)) == []


@compiled
@pytest.mark.parametrize(
    "block",
    [
        "Big News TODAY",  # ASCII, in any case
        "ΟΔΟΣ ΣΑΣ ΟΔΟΣ",  # a sigma at the end of a word has another small letter
        "漢字 の 見出し",  # characters are words where there are no blanks
        "İstanbul'da güzel haber",  # one letter becomes two
        "word " * 3 + "<i hidden>" + " ".join(f"w{number}" for number in range(80)) + "</i> end",  # more than fit
        "e\u0301te\u0301 la\u0301",
        "Σ Σ",
    ],
)
def test_words_are_compared_with_the_title_as_they_are_there(block: str) -> None:
    page = f"<title>{block} and more</title><h1>{block}</h1><p>{block}</p><p>{block.lower()} indeed</p>"
    assert sieve_differences(page) == []
    matches = text_matches.text_matches(tamis.parse(page))
    assert matches.title[1] > 0, "there is something to compare"


@compiled
@pytest.mark.parametrize(
    "first", [0x80, 0x180, 0x280, 0x380, 0x480, 0x580, 0x1E00, 0x2000, 0x2C00, 0x3040, 0xA640, 0xFF00]
)
def test_letters_of_all_scripts_are_compared_in_lower_case(first: int) -> None:
    letters = [chr(code) for code in range(first, first + 256)]
    title = " ".join(f"a{letter.lower()}b" for letter in letters)
    blocks = "".join(f"<p>A{letter}B A{letter.upper()}B other" for letter in letters)
    page = f"<title>{title}</title><h1>a</h1>{blocks}"
    assert sieve_differences(page) == []
    assert text_matches.text_matches(tamis.parse(page)).title.max() > 0, "there is something to compare"


@compiled
def test_texts_whose_hashes_begin_alike_are_counted_alike() -> None:
    """They are sorted by the first bytes of their hashes, which somebody may choose."""
    numbers = np.arange(10_000_000, 14_000_000)
    digits = numbers[:, None] // 10 ** np.arange(7, -1, -1) % 10 + 48
    part = digits.astype(np.uint8).view(np.uint64)[:, 0]
    with np.errstate(over="ignore"):
        value = (np.uint64(8) * np.uint64(0x9E3779B97F4A7C15) ^ part) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ value >> np.uint64(32)) * np.uint64(0x94D049BB133111EB)
    begins = (value ^ value >> np.uint64(29)) >> np.uint64(48)
    alike = numbers[begins == np.bincount(begins.astype(np.int64)).argmax()]
    assert len(alike) > 40
    assert sieve_differences("".join(f"<p>{number}" for number in (*alike, *alike[::2]))) == []


@compiled
@pytest.mark.parametrize("rows", [1, 31, 32, 33, 100])
def test_features_that_are_the_same_for_all_blocks_agree(rows: int) -> None:
    random = np.random.default_rng(rows)
    columns = (random.standard_normal((7, rows)) * 5).astype(np.float32)
    columns[[1, 4, 6]] = columns[[1, 4, 6], :1]
    words = random.integers(0, 500, rows).astype(np.float32)
    trees, network = toy_trees(inputs=7), toy_network(inputs=7, width=8, summaries=4)
    ours, theirs = (twin.score_columns(trees, network, columns, words, 0.5) for twin in (kernel, _reference))
    for mine, other in zip(ours, theirs, strict=True):
        assert np.abs(mine - other).max() <= SCORE_DIFFERENCE * max(1, np.abs(other).max())


@compiled
@pytest.mark.parametrize("twin", [kernel, _reference])
def test_a_page_without_blocks_is_refused(twin: ModuleType) -> None:
    page, model = tamis.parse("<script>1</script>"), load_model("")
    with pytest.raises(ValueError, match="without blocks"):
        twin.read_evidence(page, twin.build_containers(page), model.class_names, model.word_table)


@compiled
def test_a_long_block_counts_past_sixteen_bits_alike() -> None:
    assert sieve_differences(f"<p>{'a. ' * 70_000}</p><p>{'B, 1 ' * 30_000}") == []


@compiled
def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.extractors.sieve.features.candidate.MIN_CHARACTERS", 3)
    assert "feature candidate_score" in sieve_differences("<p>one<div>two, three and four")


@compiled
def test_the_kernel_knows_every_feature_once() -> None:
    """A feature is written in ``features/`` and in ``_kernel.pyx``: one that is in one of them only fails here."""
    missing, unknown = set(NAMES) - set(kernel.FEATURES), set(kernel.FEATURES) - set(NAMES)
    assert not missing, f"add to src/tamis/extractors/sieve/_kernel.pyx: {sorted(missing)}"
    assert not unknown, f"add to src/tamis/extractors/sieve/features/: {sorted(unknown)}"
    assert len(kernel.FEATURES) == len(NAMES)


def test_features_are_the_reason_why_a_kernel_does_not_load() -> None:
    """A kernel that knows other features says so when it is loaded, and the reference runs instead."""
    assert "know different features" not in _reason, _reason


@compiled
def test_every_function_of_one_twin_is_in_the_other() -> None:
    """What is added to one must be added to ``_kernel.pyx`` and ``_reference.py`` both."""
    own = {
        name
        for name, function in vars(kernel).items()
        if callable(function) and getattr(function, "__module__", "") == kernel.__name__ and not name.startswith("_")
    }
    assert own == set(_reference.__all__)


@compiled
@pytest.mark.parametrize("width", [1, 4, 24, 48, 51])
@pytest.mark.parametrize("summaries", [1, 3, 4, 8])
@pytest.mark.parametrize("size", [1, 2, 3, 17, 64, 65])
def test_networks_of_any_size_agree(width: int, summaries: int, size: int) -> None:
    random = np.random.default_rng(width * 100 + summaries * 10 + size)
    columns = (random.standard_normal((7, size)) * 5).astype(np.float32)
    words = random.integers(0, 500, size).astype(np.float32)
    network = toy_network(inputs=7, width=width, summaries=summaries)
    trees = toy_trees(inputs=7)
    ours, theirs = (twin.score_columns(trees, network, columns, words, 0.5) for twin in (kernel, _reference))
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.dtype == other.dtype
        # Toy weights are large and add up to large odds; what is compared is the error relative to them.
        assert np.abs(mine - other).max() <= SCORE_DIFFERENCE * max(1, np.abs(other).max())


@compiled
@pytest.mark.parametrize("depth", [1, 5, 6, 7])  # 64 leaves are looked up otherwise where processors can
def test_trees_of_any_depth_agree(depth: int) -> None:
    random = np.random.default_rng(depth)
    columns = (random.standard_normal((7, 200)) * 3 + 1.5).astype(np.float32)
    trees, network = toy_trees(inputs=7, trees=40, depth=depth), toy_network(inputs=7)
    ours, theirs = (
        twin.score_columns(trees, network, columns, columns[0] ** 2, 1.0)[0] for twin in (kernel, _reference)
    )
    assert np.abs(ours - theirs).max() <= 1e-12


@compiled
def test_a_page_of_thousands_of_blocks_is_summed_up_to_the_end() -> None:
    size = 6000
    columns = np.full((7, size), 3.3, np.float32)
    words = np.arange(size, dtype=np.float32) % 977 + 0.1
    trees, network = toy_trees(inputs=7), toy_network(inputs=7, width=8, summaries=4)
    ours, theirs = (twin.score_columns(trees, network, columns, words, 0.5)[1] for twin in (kernel, _reference))
    assert np.abs(ours - theirs).max() <= 1e-6 * np.abs(theirs).max()


@compiled
@pytest.mark.parametrize("size", [2047, 2048, 2049, 5000])
def test_large_pages_are_scored_tile_by_tile(size: int) -> None:
    random = np.random.default_rng(size)
    columns = (random.standard_normal((7, size)) * 5).astype(np.float32)
    words = random.integers(0, 500, size).astype(np.float32)
    trees, network = toy_trees(inputs=7), toy_network(inputs=7, width=8, summaries=4)
    ours, theirs = (twin.score_columns(trees, network, columns, words, 0.5) for twin in (kernel, _reference))
    for mine, other in zip(ours, theirs, strict=True):
        assert np.abs(mine - other).max() <= SCORE_DIFFERENCE * max(1, np.abs(other).max())


@compiled
def test_arrays_of_another_kind_or_size_are_refused() -> None:
    """The kernel reads memory, so it does not trust its arguments."""
    kernel, one = kernels.choose("tamis.extractors.sieve"), np.array([0, 1])
    for end in (one.astype(np.int32), one.astype(float), one.astype(np.uint64), one[:1], one[::-1]):
        with pytest.raises((ValueError, BufferError)):
            kernel.same_texts("abc", one, end)
        with pytest.raises((ValueError, BufferError)):
            kernel.break_off("abc", one, end)
    with pytest.raises(ValueError, match="outside of the page"):
        kernel.break_off("abc", one, one + 9)


@compiled
def test_weights_that_do_not_belong_together_are_refused() -> None:
    """The kernel reads memory: a model whose arrays have other sizes must not get that far."""
    columns, words = np.zeros((7, 3), dtype=np.float32), np.ones(3, dtype=np.float32)
    network, trees = toy_network(inputs=7), toy_trees(inputs=7)
    short = dataclasses.replace(network, down=network.down[:, :-1].copy())
    for wrong_trees, wrong_network in (
        (trees, short),
        (trees, toy_network(inputs=6)),
        (toy_trees(inputs=9, trees=50), network),
        (dataclasses.replace(trees, leaf=trees.leaf[:, :-1].copy()), network),
    ):
        with pytest.raises(ValueError, match=r"shape|features|belong|asks"):
            kernel.score_columns(wrong_trees, wrong_network, columns, words, 0.5)
