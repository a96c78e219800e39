"""The compiled kernel and the readable reference are one truth, written twice."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bench import twins
from tamis import kernels
from tamis.page import _reference, _reference_attributes, _reference_source
from tamis.page.blocks import LINE_TABLES
from tamis.page.limits import Limits
from tamis.page.load import parse
from tests.hostile import HOSTILE

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted(file for folder in ("examples", "tests") for file in (ROOT / folder).rglob("*.html"))
LOW_LIMITS = Limits(max_nodes=40, max_depth=5)

_reason = kernels.why_not("tamis.page")
compiled = pytest.mark.skipif(bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin")


def test_there_is_something_to_compare() -> None:
    assert len(PAGES) > 10


@compiled
@pytest.mark.parametrize("limits", [Limits(), LOW_LIMITS], ids=["limits", "low limits"])
@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_pages_of_the_project_give_the_same_arrays(file: Path, limits: Limits) -> None:
    assert twins.differences(file.read_text(encoding="utf-8", errors="replace"), limits) == []


@compiled
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_give_the_same_arrays(name: str) -> None:
    markup = HOSTILE[name].make(HOSTILE[name].small)
    text = markup if isinstance(markup, str) else markup.decode("latin-1")
    assert twins.differences(text) == []
    assert twins.differences(text, LOW_LIMITS) == []


@compiled
def test_fuzzed_pages_give_the_same_arrays() -> None:
    assert [seed for seed in range(300) if twins.differences(twins.fuzzed_page(seed))] == []
    assert [seed for seed in range(300) if twins.differences(twins.fuzzed_page(seed), LOW_LIMITS)] == []


_TABLES = (
    *(f"<{name}>" for name in "table table tr tr td td th caption thead tbody ul h2 section pre".split()),
    *(f"</{name}>" for name in "table tr td ul section".split()),
    *("<td colspan=2>", "<svg><table><tr><td>", "<math><td>", "</svg>", "word ", "two words"),
)


@compiled
@given(st.lists(st.sampled_from(_TABLES), min_size=3, max_size=60))
def test_tables_hold_the_same(parts: list[str]) -> None:
    assert twins.differences("".join(parts)) == []


@compiled
@given(st.lists(st.one_of(st.text(max_size=6), st.sampled_from(["<p>", "<b>", "<br>", "</p>", "<i hidden>"]))))
def test_any_characters_give_the_same_arrays(parts: list[str]) -> None:
    assert twins.differences("".join(parts)) == []


@compiled
@example("“One” – TWO’s")
@example("a\u0345B")
@given(st.text(st.characters() | st.sampled_from(" _-.\u00a0\u0130\u00df\u01c5\u0660\u00b2\u2167漢\u0301\U0001d7d8")))
def test_texts_are_folded_the_same(text: str) -> None:
    assert kernels.choose("tamis.page").folded(text) == _reference.folded(text)


@compiled
@example("a" * 64 + "\u2019b" + "c d" * 40)
@example("\u2003" + "漢 a" * 40)
@example("\x85\xa0\x1f\x0e\u0dff\u0e01\u200a\u200b\u2027\u2028\u3000" * 20)
@given(st.text(st.characters() | st.sampled_from("ab  \t\u00a0\u2019\u2003漢\U0001d7d8"), min_size=60, max_size=300))
def test_words_and_characters_are_counted_the_same_where_many_are_compared_at_a_time(text: str) -> None:
    assert twins.differences(f"<p>x{text}<b>y{text}") == []


@compiled
@pytest.mark.parametrize("around", ["a", "é", "Ā", "\U0001f600"])
def test_texts_are_joined_whatever_their_characters_and_length(around: str) -> None:
    """A wider character may come first, last, or in a text that is longer than what is copied at a time."""
    for parts in ((around * 70_000, "b"), ("b", around * 40_000, "c" * 40_000), ("b" * 65_536, around), (around, "b")):
        assert twins.differences("<p>".join(parts)) == []


@compiled
def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_reference, "SPACE", 9)
    found = twins.differences("<p>two words")
    assert "flow as parsed.characters" in found
    assert "blocks as parsed.characters" in found


@compiled
def test_every_function_of_one_twin_is_in_the_other() -> None:
    """What is added to one must be added to ``_kernel.pyx`` and ``_reference.py`` (or one of its parts) both."""
    compiled_twin = kernels.choose("tamis.page")
    shared = {
        name
        for module in (_reference, _reference_attributes, _reference_source)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_") and name != "grouped"
    }
    assert all(hasattr(_reference, name) for name in shared)
    own = {
        name
        for name, function in vars(compiled_twin).items()
        if callable(function)
        and getattr(function, "__module__", "") == compiled_twin.__name__
        and not name.startswith("_")
    }
    assert own == shared


@pytest.mark.parametrize(("value", "word"), [("1", "reference"), ("", "compiled"), ("0", "compiled")])
def test_the_environment_chooses(value: str, word: str) -> None:
    if word == "compiled" and _reason:
        pytest.skip(f"the kernel is {_reason}")
    program = "import tamis.page.kernel as k; from tamis import kernels; print(k.kernel.__name__, kernels.summary())"
    environment = {**os.environ, kernels.PURE_VARIABLE: value}
    said = subprocess.check_output([sys.executable, "-c", program], env=environment, text=True).split()
    assert said[0] == f"tamis.page.{'_reference' if word == 'reference' else '_kernel'}"
    assert said[1].startswith(word)


@compiled
def test_a_kernel_older_than_its_source_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "digest", lambda _: -1)
    assert "older source" in kernels.why_not("tamis.page")
    assert kernels.choose("tamis.page") is _reference


@pytest.mark.parametrize("error", [ImportError("gone"), AttributeError("a table of an older version")])
def test_a_kernel_that_cannot_be_loaded_is_not_used(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    load = importlib.import_module

    def fail(name: str) -> object:
        if name.endswith("._kernel"):
            raise error
        return load(name)

    monkeypatch.setattr(kernels, "why_absent", lambda _: "")
    monkeypatch.setattr(importlib, "import_module", fail)
    assert str(error) in kernels.why_not("tamis.page")
    assert kernels.choose("tamis.page") is _reference


@compiled
@pytest.mark.parametrize("seed", range(50))
def test_subtrees_and_ancestors_are_the_same(seed: int) -> None:
    """Whatever is marked or counted: also in trees that are flattened at the limit of depth."""
    compiled_twin = kernels.choose("tamis.page")
    chance = np.random.default_rng(seed)
    for limits in (Limits(), LOW_LIMITS):
        nodes = parse(twins.fuzzed_page(seed), limits=limits).nodes
        marked = chance.random(len(nodes)) < 0.2
        values = chance.integers(-5, 9, len(nodes))
        for name, given_values, links in (
            ("nearest", marked, nodes.parent),
            ("inside", marked, nodes.end),
            ("totals", values, nodes.end),
        ):
            ours, theirs = (getattr(twin, name)(given_values, links) for twin in (compiled_twin, _reference))
            assert ours.dtype == theirs.dtype, name
            assert np.array_equal(ours, theirs), name


_LAYOUTS = (
    *_TABLES,
    *("<table role=grid>", "<table role=PRESENTATION>", "<table role=None>", "<table role>", "<td>" + "long " * 999),
)


@compiled
@given(st.lists(st.sampled_from(_LAYOUTS), max_size=60), st.integers(1, 3))
def test_the_same_tables_are_layout(parts: list[str], step: int) -> None:
    for limits in (Limits(), LOW_LIMITS):
        page = parse("".join(parts), limits=limits)
        compiled_twin, texts = kernels.choose("tamis.page"), np.arange(0, len(page.nodes), step)
        ours, theirs = (twin.layout_tables(page, texts) for twin in (compiled_twin, _reference))
        assert [*ours.items()] == [*theirs.items()]


@pytest.mark.parametrize(
    ("table", "is_layout"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", False),
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", True),
        ("<table><tr><td>a</table>", True),
        ("<table><tr><td>a<td>b</table>", True),
        ("<table><tr><td>a<tr><td>b</table>", True),
        ("<table><tr><td colspan=2>a<tr><td>b</table>", False),
        ("<table><tr><th>a<th>b</table>", False),
        ("<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>", True),
        ("<table><tr><th><h2>a</h2><td>b<tr><td>c<td>d</table>", False),
        ("<table role=table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>", False),
        (f"<table><tr><td>{'long ' * 999}<td>b<tr><td>c<td>d</table>", True),
    ],
)
def test_tables_that_hold_the_page_or_stand_in_a_line_are_layout(table: str, is_layout: bool) -> None:
    page = parse(table)
    for twin in (kernels.choose("tamis.page"), _reference):
        assert [*twin.layout_tables(page, page.blocks.leaves).values()] == [is_layout]
        assert twin.layout_tables(page, page.blocks.leaves[:0]) == {}


@compiled
@pytest.mark.parametrize("seed", range(50))
def test_as_much_of_each_text_is_kept(seed: int) -> None:
    compiled_twin, chance = kernels.choose("tamis.page"), np.random.default_rng(seed)
    page = parse(twins.fuzzed_page(seed))
    places = np.unique(chance.integers(0, len(page.text) + 1, chance.integers(0, 40)))
    starts, ends = places[: len(places) // 2 * 2 : 2], places[1::2]
    given = (page.nodes.text_start, page.nodes.text_end, page.blocks.leaves, starts, ends)
    assert compiled_twin.kept_lengths(*given).tolist() == _reference.kept_lengths(*given).tolist()
    kept = {place for start, end in zip(starts, ends, strict=True) for place in range(start, end)}
    for leaf, length in zip(page.blocks.leaves, compiled_twin.kept_lengths(*given), strict=True):
        assert length == len(kept.intersection(range(page.nodes.text_start[leaf], page.nodes.text_end[leaf])))


@compiled
def test_nodes_outside_of_the_page_keep_nothing() -> None:
    places, none = np.arange(3), np.zeros(0, dtype=np.int64)
    for leaf in (-1, 3):
        with pytest.raises(IndexError):
            kernels.choose("tamis.page").kept_lengths(places, places, np.array([leaf]), none, none)


@compiled
@pytest.mark.parametrize("number", [-5, -1, 10, 10**9])
def test_numbers_that_no_node_has_are_refused(number: int) -> None:
    """The kernel reads memory, so it does not trust its arguments."""
    page, nodes = parse("<p class=a id=b role=c>one</p>two"), np.array([1, number])
    assert len(page.nodes) < 10
    for asked in (
        lambda: page.attribute(nodes, "href"),
        lambda: page.names(nodes),
        lambda: page.said("role", nodes),
        lambda: page.attribute(nodes, "class"),
        lambda: page.attribute(nodes, "id"),
    ):
        with pytest.raises(IndexError, match=f"no node {number}"):
            asked()


@compiled
@pytest.mark.parametrize("count", [0, 3, 10**5])
def test_numbers_for_other_nodes_are_refused(count: int) -> None:
    nodes = parse("<p>one</p>two").nodes
    for tell in (nodes.nearest, nodes.inside, nodes.totals):
        with pytest.raises(ValueError, match="for each node"):
            tell(np.ones(count, dtype=np.int64))


@compiled
@pytest.mark.parametrize("place", [0, 223, 224, 1023, 1024, 2047, 2048, 2050])
@pytest.mark.parametrize("around", ["a", "é", "Ā", "汉", "\U0001f600"])
def test_no_character_is_overlooked_where_many_are_compared_at_a_time(around: str, place: int) -> None:
    from tamis.page import _kernel  # type: ignore[attr-defined, unused-ignore]

    assert _kernel.survey(around * 2051) == (False, False, 0, 0, 0)
    halves = (("\ud800", "has_halves"), ("\udfff", "has_halves"))
    for wrong, found in (*halves, ("\0", "has_nuls"), ("<", "starts"), ("</", "ends")):
        text = around * place + wrong + around * (2050 - place)
        assert _kernel.survey(text) == _reference.survey(text)
        assert getattr(_kernel.survey(text), found)
    text = around * place + "\0" + around * (2050 - place)
    assert _kernel.without_nuls(text) == around * 2050
    assert _kernel.without_nuls(around * 2051) == around * 2051
    tags = around * place + "<p>" * 3 + around * (2050 - place)
    needed, seen = 3 * (_reference.MOST_OPEN + 2), _kernel.survey(tags)
    for budget in (1, 3, 5, 6, needed - 1, needed):
        assert _kernel.affordable_length(tags, budget, seen) == _reference.affordable_length(tags, budget, seen)


@compiled
@pytest.mark.parametrize("around", ["", "a", "é", "Ā", "汉", "\U0001f600"])
@pytest.mark.parametrize("sought", ["", "a", "aa", "aba", "\x01", "é", "Ā", "\u0101\u0101", "\U0001f600a"])
def test_texts_are_counted_alike_whatever_their_characters(around: str, sought: str) -> None:
    from tamis.page import _kernel  # type: ignore[attr-defined, unused-ignore]

    for text in (around, around.join("aababaaa"), f"{sought}{around}{sought}{sought}", "\u0101\u0101\u0101", "Āa\x01"):
        assert _kernel.occurrences(text, sought) == _reference.occurrences(text, sought) == text.count(sought)


@compiled
def test_a_tag_name_with_nul_is_none_of_those_that_are_opened_again() -> None:
    from tamis.page import _kernel  # type: ignore[attr-defined, unused-ignore]

    markup = "<b><b><bb><b><bb><i><I\0><ii><i"
    seen = _kernel.survey(markup)
    for budget in range(40):
        assert _kernel.affordable_length(markup, budget, seen) == _reference.affordable_length(markup, budget, seen)


@pytest.mark.parametrize("twin", [pytest.param("_kernel", marks=compiled), "_reference"])
@pytest.mark.parametrize(
    ("markup", "in_line", "has_others"),
    [
        ("<p>one <b>two</b>", [], False),
        ("<p>one <svg><own-kind>two</own-kind></svg>", [], False),
        ("<p>one <button>two</button>", ["button"], False),
        ("<div>one <own-kind>two</own-kind></div>", [], True),
        ("<p>one <own-kind>two</own-kind>", ["own-kind"], True),
    ],
)
def test_elements_of_their_own_kind_stand_in_a_line_of_words_but_not_inside_pictures(
    twin: str, markup: str, in_line: list[str], has_others: bool
) -> None:
    page = parse(markup)
    tags, others = importlib.import_module(f"tamis.page.{twin}").line_tags(
        page.nodes.tag, page.nodes.flags, page.nodes.parent, *LINE_TABLES
    )
    changed = np.flatnonzero(tags != page.nodes.tag)
    assert [page.name(int(node)) for node in changed] == in_line
    assert others is has_others
