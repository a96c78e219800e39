"""Pages of known types: their segments are marked, and the marks leave no trace."""

from __future__ import annotations

import pytest

import tamis
from bench.segmentation_protocol import crawls
from bench.segmentation_types import SITES, TYPES, make_page
from tamis.evaluation.segment_gold import gold, read_blocks, without_marks


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("kind", TYPES)
def test_every_text_belongs_to_one_segment(site: str, kind: str) -> None:
    page = make_page(site, kind, 3)
    bare = without_marks(page.marked)
    assert b"data-block" not in bare
    blocks = read_blocks(tamis.parse(page.marked))
    parsed = tamis.parse(bare, page.url)
    texts = [parsed.node_text(part.nodes[0]) for part in gold(blocks).parts]
    assert len(texts) >= 5
    assert "".join("".join(texts).split()) == "".join(parsed.node_text(parsed.select("body")[0]).split())


def test_pages_of_a_type_differ_in_content_and_are_the_same_each_time() -> None:
    assert make_page("grid", "article", 1) == make_page("grid", "article", 1)
    assert make_page("grid", "article", 1).marked != make_page("grid", "article", 2).marked


def test_pages_of_a_crawled_site_take_segments_over() -> None:
    site, report, templates = next(crawls())
    assert (site, report.pages) == ("grid", 10)
    assert report.hits + templates == 10
    assert report.hits > 0
