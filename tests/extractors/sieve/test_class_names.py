from __future__ import annotations

import html

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tamis
from tamis.extractors.sieve import _reference, class_names, kernel
from tamis.extractors.sieve.class_names import ClassNames, NameTable
from tamis.extractors.sieve.containers import build_containers, tokens
from tamis.extractors.sieve.features import FAMILIES, PLACES
from tamis.page.html import TAG_NAMES
from tamis.page.model import Page
from tests.block_pages import FILLED_PAGES
from tests.toy_model import toy_model, toy_table

_KNOWN = ("post", "Post", "sidebar", "main", "body", "Comment", " ", "x" * 30)


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_the_score_of_a_container_is_the_sum_of_its_tokens_and_its_tag(page: Page) -> None:
    table, containers = toy_table(), build_containers(page)
    places = {word: place for place, word in enumerate(table.words)}
    names = ClassNames(table)
    for scores in (names.scores(containers), names.scores(containers)):  # the second time from memory
        for place, (name, tag) in enumerate(zip(containers.name.tolist(), containers.tag.tolist(), strict=True)):
            found = [token for word in containers.names[name].split() for token in tokens(word)]
            known = [places[token] for token in (*found, f"<{TAG_NAMES[tag]}>") if token in places]
            assert scores.own[place] == table.own[known].sum()
            assert scores.around[place] == table.around[known].sum()


@pytest.mark.parametrize(
    ("name", "own", "around"),
    [
        ("", 500, 0),
        ("class=unknown", 500, 0),
        ("class=post", 1200, 900),
        ("class=POST", 1200, 900),
        ("class='post post'", 1900, 1800),
        ("class=post-body", 1205, 907),
        ("class=sidebar id=main", -1000, -1300),
        ("role=main", 510, 20),
        ("class=main", 500, 0),  # another word than #main and role=main
    ],
)
def test_words_count_whole_and_in_parts(name: str, own: int, around: int) -> None:
    containers = build_containers(tamis.parse(f"<p {name}>x</p>"))
    scores = ClassNames(toy_table()).scores(containers)
    assert (scores.own[-1], scores.around[-1]) == (own, around)


def test_tags_count_like_words() -> None:
    containers = build_containers(tamis.parse("<nav class=post><p>x</p></nav>"))
    scores = ClassNames(toy_table()).scores(containers)
    assert (scores.own[-2:].tolist(), scores.around[-2:].tolist()) == ([700, 500], [900 - 2000, 0])


def test_memory_has_an_end_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_names, "_MAX_MEMORY", 2)
    names = ClassNames(toy_table())
    containers = build_containers(tamis.parse("".join(f"<p class='a{i} post'>x</p>" for i in range(9))))
    assert names.scores(containers).around[containers.holder].tolist() == [900] * 9
    assert len(names) == 2


def test_the_strongest_word_is_the_one_that_weighs_most_either_way() -> None:
    names = ClassNames(toy_table())
    assert names.strongest("post sidebar-post other") == ("sidebar", -2500)
    assert names.strongest("x #main") == ("#main", 1200)
    assert names.strongest("nothing known")[1] == 0
    assert names.strongest("") == ("", 0)


def test_an_empty_table_says_nothing() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    containers = build_containers(tamis.parse("<p class=post>x</p>"))
    scores = ClassNames(NameTable((), nothing, nothing)).scores(containers)
    assert not scores.own.any()
    assert not scores.around.any()


_WORDS = st.lists(st.text("aZbB-_=#9\té", max_size=6) | st.sampled_from(_KNOWN), max_size=6).map("".join)


@given(st.lists(st.tuples(_WORDS, _WORDS, _WORDS), min_size=1, max_size=4))
@example([("postBody POST", "main", "main")])
@example([("HTMLPost", "", "")])
@example([("x" * 41 + "Post" + "y" * 40, "", "")])
@example([("xKommentarX", "", "")])
def test_the_kernel_knows_the_same_of_a_name(names: list[tuple[str, str, str]]) -> None:
    """It reads names of ASCII by itself."""
    boxes = (f'<p class="{html.escape(a)} x" id="{html.escape(b)}" role="{html.escape(c)}">y z' for a, b, c in names)
    page = tamis.parse("".join(boxes))
    model, containers = toy_model(), build_containers(page)
    ours, theirs = (
        twin.read_evidence(page, containers, ClassNames(toy_table()), model.word_table)
        for twin in (kernel.kernel, _reference)
    )
    rows = [PLACES[name] for name in FAMILIES["names"]]
    np.testing.assert_array_equal(ours.columns[rows], theirs.columns[rows])
    np.testing.assert_array_equal(ours.in_comments, theirs.in_comments)
    np.testing.assert_array_equal(ours.groups, theirs.groups)
