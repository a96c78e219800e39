"""The compiled kernel of the outputs and its readable reference are one truth, written twice."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis import Page, kernels, parse
from tamis.outputs import _reference
from tamis.page.spans import Span
from tests.hostile import HOSTILE

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted(file for folder in ("examples", "tests/guard") for file in (ROOT / folder).rglob("*.html"))

_reason = kernels.why_not("tamis.outputs")
pytestmark = pytest.mark.skipif(
    bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin to compare with"
)


def both(name: str, *arguments: object) -> list[object]:
    """What each twin makes of the same arguments, as lists."""
    results = [getattr(twin, name)(*arguments) for twin in (kernels.choose("tamis.outputs"), _reference)]
    plain: list[object] = []
    for result in results:
        parts = result if isinstance(result, tuple) else (result,)
        plain.append([part.tolist() if isinstance(part, np.ndarray) else part for part in parts])
    return plain


def assert_alike(page: Page, kept: tuple[Span, ...]) -> None:
    """All functions give the same for a page of which these spans are kept."""
    nodes = page.nodes
    compiled, readable = both("merged", kept)
    assert compiled == readable
    starts, ends = _reference.merged(kept)
    arrays = (nodes.text_start, nodes.text_end)
    compiled, readable = both("holders", starts, ends, nodes.tag, nodes.parent, nodes.end, *arrays)
    assert compiled == readable
    for clutter in (None, nodes.inside(nodes.named("b"))):
        pieces = (page.text, starts, ends, clutter, nodes.tag, nodes.flags, *arrays, page.flow.run)
        compiled, readable = both("cut_pieces", *pieces)
        assert compiled == readable
        node, start, end, run, is_cut, _ = _reference.cut_pieces(*pieces)
        first = np.flatnonzero(np.diff(run, prepend=-1))
        compiled, readable = both("running_texts", page.text, start, end, page.flow.line[node], is_cut, first)
        assert compiled == readable
    is_list = nodes.named("ul", "ol", "dl")
    is_item = nodes.named("li", "dd", "dt") & is_list[nodes.parent]
    compiled, readable = both("list_places", nodes.texts, is_list, is_item, nodes.parent, nodes.end)
    assert compiled == readable


def every_third(length: int) -> tuple[Span, ...]:
    return tuple(Span(start, min(start + 40, length)) for start in range(0, length, 120))


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_pages_of_the_project_give_the_same(file: Path) -> None:
    page = parse(file.read_text(encoding="utf-8", errors="replace"))
    assert_alike(page, (Span(0, len(page.text)),))
    assert_alike(page, every_third(len(page.text)))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_give_the_same(name: str) -> None:
    page = parse(HOSTILE[name].make(HOSTILE[name].small))
    assert_alike(page, (Span(0, len(page.text)),))
    assert_alike(page, every_third(len(page.text)))


_MARKUP = (
    "<p> <b> <br> </p> <ul> <li> <ul><li> </ul> <dl> <dt> <dd> <i_hidden> </i> <pre> </pre> &nbsp; &#x1F600;".split()
)


@given(
    st.lists(st.one_of(st.text(max_size=6), st.sampled_from(_MARKUP)), max_size=30),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5),
)
def test_any_text_and_any_spans_give_the_same(parts: list[str], ranges: list[tuple[int, int]]) -> None:
    page = parse("".join(parts).replace("_", " "))
    length = len(page.text)
    assert_alike(page, tuple(Span(min(start, length), min(end, length)) for start, end in ranges))


def test_pieces_outside_of_the_text_are_refused() -> None:
    """The kernel reads memory, so it does not trust its arguments."""
    one, none = np.array([5]), np.array([0])
    for start, end in ((one, one + 1), (none - 1, one), (one, none)):
        with pytest.raises(IndexError):
            kernels.choose("tamis.outputs").running_texts("abc", start, end, none, np.array([False]), none)


def test_every_function_of_one_twin_is_in_the_other() -> None:
    compiled = kernels.choose("tamis.outputs")
    readable = {
        name
        for name, function in inspect.getmembers(_reference, inspect.isfunction)
        if function.__module__ == _reference.__name__
    }
    own = {name for name in dir(compiled) if callable(getattr(compiled, name)) and not name.startswith("_")}
    assert readable == own - {"CutPieces", "ListPlaces", "class_table"}
