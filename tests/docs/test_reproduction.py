from __future__ import annotations

import pytest

from bench import cetr_claims, gottron_claims
from bench.claims import NOT, PARTLY, claim_verdict, kendall, part_verdict
from bench.reproduction import groups_of
from bench.reproduction_headline import TABLE
from bench.reproduction_page import PAGE, render_page
from bench.scores import LINK_RICH, OWN, SHORT, Cell, Scores, of_means, read_scores
from tamis.evaluation.datasets import Sample


@pytest.mark.proof
def test_the_page_is_written_from_the_scores_beside_it() -> None:
    written = render_page(read_scores(OWN), read_scores(TABLE))
    assert PAGE.read_text(encoding="utf-8") == written, "run python -m bench.reproduction"


@pytest.mark.parametrize(
    ("claim", "counts"),
    [
        ("C2", ["78 of 78", "1 of 1", "5 of 5"]),
        ("C3", ["10 of 14", "4 of 14"]),
        ("C5", ["8 of 14"]),
        ("C9", ["5 of 14", "11 of 14"]),
        ("C14", ["11 of 14", "9 of 14"]),
        ("C15", ["10 of 14", "11 of 14"]),
    ],
)
def test_the_comparisons_count_on_the_tables_of_the_thesis_what_the_thesis_says(claim: str, counts: list[str]) -> None:
    scores, packages = gottron_claims.published()
    parts = next(one.parts for one in gottron_claims.CLAIMS if one.name == claim)
    assert [part.count(scores, packages).partition(" (")[0] for part in parts] == counts


def test_every_comparison_is_true_of_the_table_of_the_cetr_paper() -> None:
    scores, sources = cetr_claims.published()
    assert {part.share(scores, sources) for claim in cetr_claims.CLAIMS for part in claim.parts} == {1.0}


def test_a_part_holds_from_nine_tenths_of_the_published_share_on() -> None:
    assert part_verdict(1.0, 0.9) == "holds"
    assert part_verdict(1.0, 0.89) == PARTLY
    assert part_verdict(0.4, 0.2) == PARTLY
    assert part_verdict(0.4, 0.19) == NOT


def test_a_claim_whose_parts_differ_holds_partly() -> None:
    assert claim_verdict([NOT, NOT]) == NOT
    assert claim_verdict([NOT, "holds"]) == PARTLY


def test_reversed_rankings_have_the_lowest_agreement() -> None:
    values = {"a": 0.1, "b": 0.2, "c": 0.3}
    cells = {("d", name, "words"): Cell(1, 0, 0, value, 0, 0) for name, value in values.items()}
    cells |= {("d", name, "bag"): Cell(1, 0, 0, 1 - value, 0, 0) for name, value in values.items()}
    assert kendall(Scores(cells), "d", list(values), "bag") == -1
    assert kendall(Scores(cells), "d", list(values), "words") == 1


def test_pages_are_grouped_by_links_in_the_gold_text_and_by_its_share() -> None:
    sentence = "one two three four five six"
    extras = "<p>" + "more " * 100 + "</p>"
    linked = f'<p><a href="/">{sentence}</a></p>'
    assert groups_of(Sample(id="1", html=linked, gold=sentence)) == [LINK_RICH]
    assert groups_of(Sample(id="2", html=f"<p>{sentence}</p>{extras}", gold=sentence)) == [SHORT]
    assert groups_of(Sample(id="3", html=linked + extras, gold=sentence)) == [LINK_RICH, SHORT]
    assert groups_of(Sample(id="4", html=f"<p>{sentence}</p>", gold=sentence)) == []


def test_f1_of_means_is_the_convention_of_the_cetr_paper() -> None:
    cells = {("d", "a", "words"): Cell(2, 1.0, 0.5, 0.1, 0, 0)}
    assert of_means(Scores(cells)).f1("d", "a") == pytest.approx(2 / 3)
