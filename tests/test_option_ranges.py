"""Options outside their range are refused by name, before any page is looked at."""

from __future__ import annotations

from typing import Any

import pytest

from tamis import registry
from tamis.errors import OptionError

WRONG: list[tuple[str, str, dict[str, Any]]] = [
    ("distances", "bag_of_paths", {"min_pages": 0}),
    ("distances", "bag_of_paths", {"max_share": 0.0}),
    ("distances", "bag_of_paths", {"max_share": 1.1}),
    ("distances", "common_path_shingles", {"length": 0}),
    ("distances", "common_tag_sequence_shingles", {"length": 0}),
    ("distances", "longest_common_tag_subsequence", {"max_tags": 0}),
    ("distances", "pq_grams", {"p": 0}),
    ("distances", "pq_grams", {"q": 0}),
    ("distances", "rtdm", {"max_cost": -0.1}),
    ("distances", "rtdm", {"max_elements": 0}),
    ("distances", "weighted_tag_frequency", {"block_weight": 0.0}),
    ("templates", "content_extractor", {"min_cosine": 0.0}),
    ("templates", "content_extractor", {"max_share": 1.1}),
    ("templates", "document_frequency", {"max_share": -0.1}),
    ("templates", "dom_hash", {"min_pages": 1}),
    ("templates", "infodiscoverer", {"threshold": 1.1}),
    ("templates", "lamis", {"max_hubs": 0}),
    ("templates", "ne_patterns", {"min_body_words": 0}),
    ("templates", "page_classifier", {"min_templateness": -0.1}),
    ("templates", "pagelets", {"min_links": 0}),
    ("templates", "positions", {"min_similarity": 1.1}),
    ("templates", "positions", {"min_found": -0.1}),
    ("templates", "site", {"place_weight": 1.1}),
    ("templates", "sst", {"gamma": -0.1}),
    ("templates", "text_windows", {"window": 0}),
    ("clusterers", "k_median", {"k": 0}),
    ("clusterers", "minhash", {"threshold": 1.1}),
    ("clusterers", "representatives", {"min_similarity": -0.1}),
    ("segmenters", "bcs", {"threshold": 1.1}),
    ("segmenters", "box_tree", {"close_lines": -1}),
    ("segmenters", "mesh", {"mesh": 1.1}),
    ("segmenters", "vips", {"pdoc": 0}),
    ("segmenters", "visual_records", {"min_records": 1}),
]


@pytest.mark.parametrize(("folder", "method", "values"), WRONG)
def test_a_value_outside_its_range_is_refused(folder: str, method: str, values: dict[str, Any]) -> None:
    (name,) = values
    with pytest.raises(OptionError, match=name):
        registry.make_options(folder, method, values)
