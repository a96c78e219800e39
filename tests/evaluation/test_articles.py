from __future__ import annotations

from tamis.evaluation.articles import Judged, confusion, judge
from tamis.evaluation.datasets import Sample

STORY = "<div><p>" + "The river rose in the night and the road along it was closed. " * 40 + "</p></div>"
LINKS = "<ul>" + "".join(f"<li><a href=/{number}>{number}</a></li>" for number in range(200)) + "</ul>"


def test_pages_are_judged_beside_what_the_dataset_says() -> None:
    samples = [
        Sample(id="story", html=LINKS[:600] + STORY, page_type="article"),
        Sample(id="links", html=LINKS, page_type="listing"),
        Sample(id="unknown", html=STORY),
    ]
    judged = list(judge(samples))
    assert judged == [("story", True, True), ("links", False, False), ("unknown", True, None)]
    assert confusion(judged) == (1, 0, 0, 1)


def test_each_cell_of_the_matrix_is_counted() -> None:
    cells = [(False, False), (True, False), (True, False), *[(False, True)] * 3, *[(True, True)] * 4]
    assert confusion(Judged("", found, labelled) for found, labelled in cells) == (1, 2, 3, 4)
