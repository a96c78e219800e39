from __future__ import annotations

import pytest

from bench.gottron_claims import ALL, published
from bench.reproduction_headline import HEADLINE, TEMPLATES, first_without, leads, published_templates
from bench.reproduction_packages import is_linked_article, is_short_under_comments, site_of
from bench.scores import Cell, Scores
from tamis.evaluation.datasets import Sample


def test_the_headline_is_true_of_the_tables_of_the_thesis() -> None:
    scores, _ = published()
    (part,) = HEADLINE.parts
    assert part.count(scores, scores.datasets) == "52 of 52"


def test_all_of_table_7_6_is_true_of_the_tables_of_the_thesis() -> None:
    scores = published_templates()
    assert {part.share(scores, scores.datasets) for part in TEMPLATES.parts} == {1.0}


def test_a_method_that_is_best_everywhere_leads_in_every_draw() -> None:
    cells = {
        (name, system, "words"): Cell(1, 0, 0, 0.9 if system == "dsc" else 0.5, 0, 0)
        for name in "abc"
        for system in ALL
    }
    assert leads(Scores(cells)) == {"dsc": 1.0}
    assert set(first_without(Scores(cells)).values()) == {"dsc"}


@pytest.mark.parametrize(("comments", "is_short"), [(29, False), (30, True)])
def test_short_texts_have_three_times_as_many_words_of_comments(comments: int, is_short: bool) -> None:
    sample = Sample(id="a", html="", gold="word " * 10, extra={"comments": "word " * comments})
    assert is_short_under_comments(sample) is is_short


@pytest.mark.parametrize(
    ("links", "words", "is_linked"), [(1, 40, True), (0, 40, False), (1, 20, False), (5, 40, False)]
)
def test_linked_articles_are_long_and_have_some_links(links: int, words: int, is_linked: bool) -> None:
    sentence = "one two three four five six seven eight nine ten"
    linked = "".join(f"<p><a href=/x>{sentence}</a></p>" for _ in range(links * 4))
    plain = "".join(f"<p>{sentence}</p>" for _ in range(words - links * 4 if links < 5 else 10))
    gold = " ".join([sentence] * words)
    assert is_linked_article(Sample(id="a", html=linked + plain, gold=gold)) is is_linked


def test_hosts_of_one_site_are_one_site() -> None:
    hosts = ("www1.paper.gr", "www2.paper.gr")
    assert {site_of(Sample(id="a", html="", extra={"host": host})) for host in hosts} == {"paper.gr"}
