from __future__ import annotations

import json

import tamis
from tamis.regions import owners, texts, walk
from tamis.results import Made, Region, Segmentation

PAGE = tamis.parse(
    "<nav>Home News</nav><main><h1>Title</h1><p>Some <b>bold</b> words</p>Rest<br>of it</main><i>End</i>"
)


def region(selector: str, *parts: Region, label: str = "") -> Region:
    return Region(nodes=tuple(PAGE.select(selector)), label=label, parts=parts)


ROOT = Region(nodes=(0,), parts=(region("nav", label="navigation"), region("main", region("h1"), region("p"))))


def test_regions_come_before_their_parts() -> None:
    placed = walk(ROOT)
    assert [PAGE.name(item.region.nodes[0]) for item in placed] == ["#document", "nav", "main", "h1", "p"]
    assert [item.parent for item in placed] == [-1, 0, 0, 2, 2]
    assert [item.depth for item in placed] == [0, 1, 1, 2, 2]


def test_a_thousand_regions_within_each_other_are_walked() -> None:
    deep = Region(nodes=(0,))
    for _ in range(5000):
        deep = Region(nodes=(0,), parts=(deep,))
    assert len(walk(deep)) == 5001


def test_every_node_belongs_to_the_deepest_region() -> None:
    owner = owners(PAGE, walk(ROOT))
    assert [owner[PAGE.select(each)[0]] for each in ("nav", "main", "h1", "b", "br", "i", "html")] == [
        1,
        2,
        3,
        4,
        2,
        0,
        0,
    ]


def test_nodes_outside_all_regions_have_none() -> None:
    assert owners(PAGE, walk(region("p")))[PAGE.select("nav")[0]] == -1


def test_texts_are_told_once_by_the_deepest_region() -> None:
    assert texts(PAGE, walk(ROOT)) == ["End", "Home News", "Rest\nof it", "Title", "Some bold words"]


def test_a_paragraph_shared_by_two_regions_is_divided() -> None:
    root = Region(nodes=(0,), parts=(region("p"), region("b")))
    assert texts(PAGE, walk(root))[1:] == ["Some\nwords", "bold"]


def test_leaves_are_what_is_not_divided_further() -> None:
    leaves = Segmentation(page=PAGE, root=ROOT).leaves
    assert [PAGE.name(leaf.nodes[0]) for leaf in leaves] == ["nav", "h1", "p"]
    assert Segmentation(page=PAGE, root=Region(nodes=(0,))).leaves == ()


def test_a_segmentation_survives_json() -> None:
    part = Region(nodes=(1, 2), box=(0.04, 1, 2.26, 3), score=0.123456, label="main")
    made = Made(method="one", options={"depth": 2}, version="1")
    told = Segmentation(page=PAGE, root=Region(nodes=(0,), parts=(part,)), made=made).to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["method"] == "one"
    assert told["estimated"]
    (main,) = told["root"]["parts"]
    assert main["box"] == [0.0, 1, 2.3, 3]
    assert main["score"] == 0.1235
    assert main["nodes"] == [1, 2]
    assert main["label"] == "main"
    assert main["parts"] == []


def test_status_tells_whether_there_is_anything() -> None:
    assert Segmentation(page=PAGE, root=ROOT).status == "ok"
    assert Segmentation(page=tamis.parse(""), root=Region(nodes=(0,))).status == "empty"
    assert Segmentation(page=PAGE.cut(1, "too long"), root=ROOT).status == "truncated"
