from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.features import FAMILIES, NAMES, STATIC, page_evidence
from tests.extractors.sieve.block_twin import candidate_range, evidence_of
from tests.hostile import HOSTILE


def columns_of(markup: str) -> dict[str, list[float]]:
    """The features of a page whose hidden blocks are shown, by name."""
    columns = evidence_of(tamis.parse(markup).revealed()).columns
    return dict(zip(STATIC, columns.tolist(), strict=True))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div class=comments><p>x</p></div><p>y</p>", [True, False]),
        ("<div id=Disqus_Thread><p>x</p></div><p>y</p>", [True, False]),
        ("<div class='has comment'>x</div><div class=commentary>y</div>", [True, True]),
        ("<div class=comm>x</div><div class=ents>y</div>", [False, False]),
        ("<body class=comments-open><p>x</p><p>y</p>", [False, False]),  # blogs say so of the whole page
        # Lower case may be longer than upper case: names after this one must not be taken for each other.
        (f"<p class={'İ' * 9}>x</p><p class=aa>y</p><p class=comments>z</p>", [False, False, True]),
        (f"<p class={'İ' * 9}>x</p><p class=comments>y</p><p class=bb>z</p>", [False, True, False]),
    ],
)
def test_comments_are_known_by_name(markup: str, expected: list[bool]) -> None:
    assert evidence_of(tamis.parse(markup)).in_comments.tolist() == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", []),
        ("<meta property=og:type content=article>", ["article"]),
        ("<meta property=OG:Type content=Product>", ["product"]),
        ("<meta property=og:type content=website><meta property=og:type content=article>", ["site"]),
        ("<meta name=og:type content=article>", []),
        ('<script type=\'application/LD+json\'>{"@type":[ "QAPage"]}</script>', ["forum"]),
        (
            '<script type=application/ld+json>{"@type" : "ItemList"}{"@type":"NewsArticle"}</script>',
            ["article", "listing"],
        ),
        ('<script>{"@type":"Product"}</script>', []),
        ('<script type=application/ld+json>"Product", {"type": "Product"}</script>', []),
    ],
)
def test_a_page_says_what_it_is_in_open_graph_and_linked_data(markup: str, expected: list[str]) -> None:
    columns = columns_of(markup + "<p>text</p>")
    said = [name for name in ("article", "product", "forum", "listing", "site") if columns[f"says_{name}"][0]]
    assert said == expected


def test_running_text_begins_at_ten_words_and_ends_where_half_of_them_are_links() -> None:
    links = "<a href=x>one two three four five</a>"
    markup = f"<p>{'word ' * 9}</p><p>{'word ' * 10}</p><p>{links} {'word ' * 5}</p><p>{links} {'word ' * 6}</p>"
    assert [value > 0 for value in columns_of(markup)["level0_share"]] == [False, True, False, True]


@pytest.mark.parametrize(
    ("markup", "after"),
    [
        ("<h2>one</h2><h1>two</h1><h1>three</h1>", [-1, 0, 1]),  # the first of the highest headings
        ("<title>one more</title><h2>one more</h2><h1>two</h1>", [0, 1]),
        ("<title>one more</title><p>one more</p><h1>two</h1>", [0, 1]),
        ("<p>no heading</p><p>at all</p>", [0, 1]),
    ],
)
def test_places_are_counted_from_what_seems_to_be_the_title(markup: str, after: list[float]) -> None:
    assert columns_of(markup)["after_title"] == after


@pytest.mark.parametrize(("links", "expected"), [(5, [1, 1, 1]), (30, [1, 0, 0])])
def test_the_window_reaches_over_links_only_if_more_is_beyond(links: int, expected: list[float]) -> None:
    markup = f"<p>{'word ' * 40}</p><p><a href=x>{'word ' * links}</a></p><p>{'word ' * 25}</p>"
    assert columns_of(markup)["in_window"] == expected


def test_a_title_is_known_by_its_words_in_any_script() -> None:
    columns = columns_of("<title>河水上涨_新闻</title><h1>河水上涨</h1><p>今天下雨</p>")
    assert columns["title_match"][0] == pytest.approx(1.0)  # all of its words, and more than half of the title's
    assert columns["title_match"][1] == 0
    assert columns["after_title"] == [0, 1]


def test_hidden_blocks_are_told_from_shown_ones_though_both_are_read() -> None:
    columns = columns_of("<div hidden><p>one</p><b>two</b></div><p>three</p>")
    assert columns["hidden"] == [1, 1, 0]
    assert columns["page_hidden"][0] == pytest.approx(2 / 3)


def test_every_feature_is_in_one_family_of_reasons_at_most_and_is_named_once() -> None:
    grouped = [name for family in FAMILIES.values() for name in family]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) <= set(NAMES)
    assert len(NAMES) == len(set(NAMES))
    assert "in_nav" in FAMILIES["markup"]
    assert "in_link" in FAMILIES["links"]


@pytest.mark.parametrize("name", HOSTILE)
def test_values_are_finite_whatever_the_page(name: str) -> None:
    page = tamis.parse(HOSTILE[name].make(HOSTILE[name].small)).revealed()
    if len(page.blocks):
        containers = build_containers(page)
        evidence = page_evidence(page, containers)
        assert evidence.columns.shape == (len(STATIC), len(page.blocks))
        assert np.isfinite(evidence.columns).all()
        low, high = candidate_range(evidence)
        assert 0 <= low < high <= len(page.blocks)


_PROGRAM = """
import hashlib, sys, tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.features import page_evidence
for markup in sys.stdin.read().split("\\0"):
    page = tamis.parse(markup).revealed()
    evidence = page_evidence(page, build_containers(page))
    print(hashlib.sha256(evidence.columns.tobytes() + evidence.groups.tobytes()).hexdigest())
"""
_TELLING = (
    "<title>Rivers of the north</title><h1>Rivers north of the town</h1><p class='a b c'>One two three, four.</p>"
    "<div id=comments><ul><li class=card>Rivers of the north</li><li class=card>two words</li></ul></div>",
    "<title>河水上涨</title><h2>上涨</h2><p role=main itemprop=articleBody>河水在夜里上涨。</p>",
)


def test_features_do_not_depend_on_the_hash_seed() -> None:
    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", _PROGRAM]
        done = subprocess.run(
            command, input="\0".join(_TELLING), env=environment, capture_output=True, check=True, encoding="utf-8"
        )
        return done.stdout

    first = run("1")
    assert re.fullmatch(r"[0-9a-f]{64}\n[0-9a-f]{64}\n", first)
    assert run("2") == first
