"""One region, and as many as there are texts and pictures: the two ends of what a segmenter may find."""

from __future__ import annotations

import tamis
from tests.segmenters.boxes_of import page_with_boxes

PAGE = """<body box="left:0;top:0;width:400;height:300"><h1 box="left:10;top:0;width:100;height:40">Title</h1>
<p box="left:10;top:50;width:300;height:40;lines:2">Two lines</p><img box="left:20;top:100;width:30;height:30">
<p>not shown</p>"""


def test_the_whole_page_is_one_region_around_all_that_is_shown() -> None:
    root = tamis.segment(page_with_boxes(PAGE), method="one").root
    assert root.box == (0.0, 0.0, 400.0, 300.0)
    assert [(part.nodes, part.box) for part in root.parts] == [((0,), (10.0, 0.0, 310.0, 130.0))]


def test_every_text_and_every_picture_is_a_region() -> None:
    page = page_with_boxes(PAGE)
    found = tamis.segment(page, method="text_nodes").root.parts
    assert [page.node_text(part.nodes[0]) for part in found] == ["Title", "Two lines", ""]
    assert [part.box for part in found] == [
        (10.0, 0.0, 110.0, 40.0),
        (10.0, 50.0, 310.0, 90.0),
        (20.0, 100.0, 50.0, 130.0),
    ]
