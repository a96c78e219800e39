"""Boxes for Box Clustering Segmentation: an example page, boxes anywhere, and what is told of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from tamis.page.model import Page
from tamis.results import Segmentation
from tamis.segmenters import bcs
from tamis.segmenters._box_graph import neighbours
from tests.segmenters.boxes_of import Rectangle, nodes_of, page_of

BLUE, GREY, DARK = (0, 0, 0.8), (0.5, 0.5, 0.5), (0.2, 0.2, 0.2)


def rect_of(*boxes: tuple[float, float, float, float]) -> Any:
    """From left, top, width and height."""
    array = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    return np.column_stack((array[:, :2], array[:, :2] + array[:, 2:]))


def page_of_rect(rect: Any) -> Page:
    return page_of([Rectangle(left=l, top=t, width=r - l, height=b - t) for l, t, r, b in rect.tolist()])  # noqa: E741


def segments_of(segmentation: Segmentation) -> list[tuple[int, ...]]:
    """Segments as positions in the list the page was made of; a loose box is no segment."""
    position = {node: place for place, node in enumerate(nodes_of(segmentation.page).tolist())}
    found = [part for part in segmentation.root.parts if part.label != bcs.LOOSE]
    return [tuple(position[node] for node in part.nodes) for part in found]


EXAMPLE = [
    *(Rectangle(left=20 + 100 * k, top=10, width=70, height=16, color=BLUE) for k in range(5)),
    Rectangle(left=20, top=60, width=400, height=30),
    *(
        Rectangle(left=20, top=110 + 20 * k, width=width, height=16, color=DARK)
        for k, width in enumerate((500, 498, 502, 495, 500, 210))
    ),
    *(Rectangle(left=600, top=60 + 30 * k, width=120, height=16, color=BLUE) for k in range(5)),
    *(Rectangle(left=20 + 150 * k, top=300, width=90, height=12, color=GREY) for k in range(3)),
]
NAV, ARTICLE, SIDE, FOOT = (tuple(range(*ends)) for ends in ((0, 5), (5, 12), (12, 17), (17, 20)))
HEAD, P0 = 5, 6


def widest_gap(rect: Any, box: int) -> float:
    pairs = neighbours(rect)
    return float(pairs.gap[(pairs.first == box) | (pairs.second == box)].max())


def overlap(a: Any, b: Any) -> bool:
    return bool(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


BOXES_ANYWHERE = st.lists(
    st.tuples(*(st.integers(0, 40) for _ in range(2)), *(st.integers(1, 15) for _ in range(2))), max_size=25
)


THRESHOLDS = st.sampled_from([0.1, 0.3, 0.6, 1.0])
