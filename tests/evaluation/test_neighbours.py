from __future__ import annotations

from pathlib import Path

import pytest

import tamis
from tamis.errors import OptionError, UnknownNameError
from tamis.evaluation.datasets import LINKED_PAGES, Sample, open_dataset, write
from tamis.evaluation.evaluate import EvaluationPlan, evaluate
from tamis.evaluation.neighbours import detection, with_neighbours
from tamis.evaluation.systems import made_by, open_system

MENU = (
    "<div id=menu><p>Home and News and Sports and Weather of the whole region</p>"
    "<p>Our terms of use and imprint</p></div>"
)
STORIES = {
    "rain": "Rain fell on the hills all night and by the morning the river had risen.",
    "road": "The road along the valley was closed because stones had come down.",
    "goat": "A goat was found on the roof of the school and nobody knew how it got there.",
    "fair": "The fair will open next week with more stalls than in any other year.",
    "mill": "The old mill has a new owner who wants to bake bread there again.",
}


def page(name: str) -> Sample:
    text = STORIES[name]
    links = '<a href="/goat#top">More</a>' if name == "rain" else ""
    html = f"<html><body>{MENU}<div><h1>{name}</h1><p>{text}</p>{links}</div></body></html>"
    return Sample(id=name, html=html, gold=f"{name} {text}", url=f"http://paper.example/{name}")


SAMPLES = [page(name) for name in STORIES]


def test_a_page_gets_the_pages_of_its_host_and_first_those_it_links_to() -> None:
    other = Sample(id="x", html="<p>x", url="http://other.example/")
    found = {sample.id: sample for sample in with_neighbours([*SAMPLES, other, Sample(id="y", html="<p>y")], most=2)}
    assert list(found["rain"].extra[LINKED_PAGES]) == ["http://paper.example/goat", "http://paper.example/road"]
    assert found["x"].extra[LINKED_PAGES] == found["y"].extra[LINKED_PAGES] == {}


@pytest.mark.parametrize("method", ["site", "document_frequency:distance=common_paths,threshold=0.7"])
def test_a_template_method_learns_from_the_pages_beside_the_page(method: str) -> None:
    linked = list(with_neighbours(SAMPLES))
    answer = open_system(method).answer(linked[0])
    assert STORIES["rain"] in answer.text
    assert "Weather" not in answer.text
    assert answer.spans


def test_a_page_alone_is_left_to_the_fallback() -> None:
    alone = open_system("document_frequency:fallback=keep_all").extract(SAMPLES[0])
    assert alone == tamis.extract(SAMPLES[0].html, method="keep_all").text


def test_template_methods_are_evaluated_like_others(tmp_path: Path) -> None:
    write(tmp_path / "linked.zip", with_neighbours(SAMPLES))
    plan = EvaluationPlan(
        datasets=(str(tmp_path / "linked.zip"),), systems=("keep_all", "document_frequency"), workers=1
    )
    rows = evaluate(plan, tmp_path / "out")
    means = {system: [row.f1 for row in rows if row.system == system] for system in plan.systems}
    assert min(means["document_frequency"]) > max(means["keep_all"])
    assert [sample.id for sample in open_dataset(tmp_path / "linked.zip")] == list(STORIES)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"fallback": "sive"}, UnknownNameError),
        ({"clusterer": "none"}, UnknownNameError),
        ({"nothing": 1}, OptionError),
        ({"distance": "none"}, UnknownNameError),
    ],
)
def test_wrong_options_are_answered_before_any_work(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        detection("site", options)


def test_results_of_template_methods_have_a_key_of_their_own() -> None:
    assert made_by("site") != made_by("slots") != made_by("keep_all")
