"""Pages written to run something in the output: nothing that could survives, in any format."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page.spans import Span
from tamis.results import Extraction
from tests.outputs.attacks import ATTACKS, UNSAFE, check, fuzzed_pages

ANY_CLASS = r"math|language-\S+"  # plain text may have fences of its own, and Markdown any word behind them
MODES = ("delete", "hide", "mark", "replace", "restructure")
ADDRESSES = frozenset("action background cite data formaction href longdesc poster src xlink:href".split())
UNSAFE_IN_PAGES = re.compile(r"\s*(?!https?:|mailto:|tel:|sms:|data:image/)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def readers() -> dict[str, Callable[[str], str]]:
    """Two readers of Markdown that write what stands there, HTML and links of any kind included."""
    usual = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True})
    usual.enable(["table", "strikethrough"]).validateLink = lambda _: True
    return {"markdown-it": usual.render, "marko": pytest.importorskip("marko").Markdown(extensions=["gfm"]).convert}


def extractions(attack: str) -> list[Extraction]:
    page = tamis.parse(attack)
    return [
        tamis.extract(attack, method="keep_all"),
        tamis.extract(attack, method="keep_all", url="https://example.org/a/"),
        tamis.extract(attack, method="keep_all", url="javascript:alert(1)//"),
        tamis.extract(attack, method="keep_all", url="java\u200bscript:alert(1)//"),
        Extraction(page=page, spans=(Span(0, len(page.text)),)),  # hidden text too
    ]


def addresses(value: Any, key: str = "") -> Iterator[str]:
    """All that JSON gives as an address."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from addresses(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from addresses(part, key)
    elif isinstance(value, str) and key in (
        "address",
        "author_url",
        "feeds",
        "image",
        "licence",
        "next_page",
        "previous_page",
    ):
        yield value


def check_everywhere(extraction: Extraction) -> None:
    """Fails if anything could run in HTML, JSON or TEI, or in what readers make of the Markdown."""
    check(extraction.html)
    for reader in readers().values():
        check(reader(extraction.markdown), ANY_CLASS)
    for address in addresses(json.loads(extraction.render("json", posts=True))):
        assert not UNSAFE.match(address)
    for element in ElementTree.fromstring(extraction.to_tei()).iter():  # noqa: S314 - our own output
        for name in ("target", "url"):
            assert not UNSAFE.match(element.get(name, ""))


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_runs_in_any_format(attack: str) -> None:
    for extraction in extractions(attack):
        check_everywhere(extraction)


@given(fuzzed_pages())
def test_nothing_runs_in_any_format_of_fuzzed_pages(markup: str) -> None:
    check_everywhere(tamis.extract(markup, method="keep_all"))


@given(st.lists(st.sampled_from(ATTACKS), min_size=2, max_size=4).map("".join), st.data())
def test_nothing_runs_when_attacks_are_cut_and_joined(markup: str, data: st.DataObject) -> None:
    check_everywhere(tamis.extract(markup[data.draw(st.integers(0, len(markup))) :], method="keep_all"))


@pytest.mark.parametrize("mode", MODES)
def test_nothing_runs_in_whole_pages(mode: str) -> None:
    for attack in ATTACKS:
        for extraction in extractions(attack)[:2]:
            page = tamis.parse(extraction.render(mode))
            for node in range(len(page.nodes)):
                assert page.name(node) not in ("script", "base") or page.attributes(node).get("href", "").startswith(
                    "http"
                )
                for name, value in page.attributes(node).items():
                    assert not name.lower().startswith("on"), attack
                    assert name.lower() not in ADDRESSES or not UNSAFE_IN_PAGES.match(value), attack
