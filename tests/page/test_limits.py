"""How much of a page is read at most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page import _reference
from tamis.page.kernel import kernel
from tamis.page.limits import Limits


def test_the_limits_are_those_of_the_documentation() -> None:
    assert vars(Limits()) == {
        "max_bytes": 32 << 20,
        "max_nodes": 1_000_000,
        "max_depth": 512,
        "max_attributes": 1_000,
        "max_memory": 1 << 30,
    }


@pytest.mark.parametrize("name", ["max_bytes", "max_nodes", "max_depth", "max_attributes", "max_memory"])
def test_a_limit_is_at_least_one(name: str) -> None:
    assert vars(Limits(**{name: 1}))[name] == 1
    for value in (0, -1):
        with pytest.raises(OptionError, match=f"{name} is {value}, but must be at least 1"):
            Limits(**{name: value})


def reopened(count: int) -> str:
    """Formatting that is never closed, which the parser opens again in every paragraph."""
    return "<p>" + "".join(f"<b n{number}>" for number in range(count)) + "</p>" + "<p>x</p>" * count


def test_a_small_source_cannot_become_a_large_tree() -> None:
    page = tamis.parse(reopened(4000), limits=Limits(max_nodes=10_000))
    assert page.truncated
    assert "max_nodes" in page.warnings[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16le", "utf-16be"])
def test_what_would_become_too_large_is_cut_before_it_is_parsed(encoding: str) -> None:
    markup = reopened(600).encode(encoding)
    limits = Limits(max_nodes=4_000)
    page = tamis.parse(markup, encoding=encoding, limits=limits)
    assert page.warnings[0].startswith("truncated: only the first ")
    kept = int(page.warnings[0].split()[4])
    assert 0 < kept < len(markup) * 2 // 3
    assert limits.max_nodes < len(tamis.parse(markup[:kept], encoding=encoding).nodes) <= limits.node_budget(0)
    assert len(tamis.parse(markup, encoding=encoding).nodes) > 20 * limits.max_nodes


def test_pages_inside_pages_share_one_budget() -> None:
    inner = reopened(600).replace("<", "&lt;")
    page = tamis.parse(f"<p>before<iframe srcdoc='{inner}'></iframe>" * 3, limits=Limits(max_nodes=4_000))
    assert any("pages inside pages were not read to their end" in warning for warning in page.warnings)


def test_less_memory_reads_less() -> None:
    markup = "<p>words and words</p>" * 100_000
    whole, part = tamis.parse(markup), tamis.parse(markup, limits=Limits(max_memory=10_000_000))
    assert not whole.truncated
    assert part.truncated
    assert "max_memory" in part.warnings[0]
    assert whole.text.startswith(part.text)


@pytest.mark.parametrize(
    ("markup", "cost", "last"),
    [
        ("<p>x" * 10, 20, 36),
        ("<p>x</p>" * 10, 30, 76),
        ("<b><b><b><b>" + "<p>x" * 10, 8 + 5 * 10, 48),  # four alike count as three
        ("<b></b>" * 2 + "<p>x" * 10, 6 + 2 * 10, 50),
        ("<a href=1><a href=2>" + "<p>x" * 10, 4 + 3 * 10, 56),  # a link ends the one before
        ("<b 1><B 2>" + "<br>" * 10, 4 + 2 * 10, 46),  # nothing is opened again in a void element
        ("<b 1><B 2>" + "<p>" * 10, 4 + 4 * 10, 37),
        ("<b 1>" + "<keygen class=a>" * 10, 2 + 2 * 10, 149),  # void, although no code is its own
    ],
)
def test_nodes_are_counted_before_parsing(markup: str, cost: int, last: int) -> None:
    """Up to the cost all is read; with less, all but the last tag."""
    for twin in (_reference, kernel):
        seen = twin.survey(markup)
        assert twin.affordable_length(markup, cost, seen) == len(markup)
        assert twin.affordable_length(markup, cost - 1, seen) == last
        assert twin.affordable_length(markup.encode(), cost - 1, seen) == last


_MANY_OPEN = "".join(f"<b {number}>" for number in range(_reference.MOST_OPEN + 10))


@given(
    st.lists(
        st.sampled_from(["<b>", "<i>", "<b 1>", "</b>", "<p>", "<p<", "<", "</", "</p>", "<a>", "<br>", "x"]),
        max_size=40,
    ),
    st.sampled_from(["", "<b>", _MANY_OPEN]),
    st.integers(0, 45 * _reference.MOST_NODES),
)
def test_the_count_ends_where_what_is_left_cannot_cost_too_much(parts: list[str], before: str, budget: int) -> None:
    """Which changes nothing: it is as if there were more to come."""
    markup = before + "".join(parts)
    seen = kernel.survey(markup)
    found = kernel.affordable_length(markup, budget, seen)
    assert found == kernel.affordable_length(markup, budget, seen._replace(starts=10**9))
    assert found == _reference.affordable_length(markup, budget, seen)
