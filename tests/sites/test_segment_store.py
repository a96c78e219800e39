"""What was learned of a site is kept in a file and used by the next run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.errors import FileFormatError, InputError
from tamis.sites.segment_cache import Options, SegmentCache
from tamis.sites.segment_store import load, save
from tests.sites.test_segment_cache import crawl, said


def learned(method: str = "partition") -> SegmentCache:
    cache = SegmentCache(method)
    for page in crawl(2, 2):
        cache.segment(page)
    return cache


@pytest.mark.parametrize("method", ["partition", "text_nodes", "visual_records"])
def test_regions_taken_over_are_the_same_with_representatives_from_a_file(method: str, tmp_path: Path) -> None:
    first, second = learned(method), SegmentCache(method)
    save(first, tmp_path / "known.json")
    load(second, tmp_path / "known.json")
    assert [len(known) for known in second.known.values()] == [len(known) for known in first.known.values()]
    for page in crawl(2, 6):
        answer, again = first.segment(page), second.segment(page)
        assert answer.hit == again.hit
        assert said(answer.segmentation) == said(again.segmentation)
        assert answer.segmentation.root == again.segmentation.root
        assert answer.segmentation.made == again.segmentation.made


def test_a_second_run_segments_nothing(tmp_path: Path) -> None:
    save(learned(), tmp_path / "known.json")
    cache = SegmentCache("partition")
    load(cache, tmp_path / "known.json")
    assert all(cache.segment(page).hit for page in crawl(2, 2))


def test_a_file_of_another_method_is_refused(tmp_path: Path) -> None:
    save(learned(), tmp_path / "known.json")
    others = (
        SegmentCache("one"),
        SegmentCache("partition", options={"min_links": 9}),
        SegmentCache("partition", Options(ids=False)),
    )
    for other in others:
        with pytest.raises(InputError, match="was written for"):
            load(other, tmp_path / "known.json")


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"format": 9}', '{"format": 1, "method": 1, "sites": {"a": [3]}}']
)
def test_a_file_that_holds_no_representatives_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text(content, encoding="utf-8")
    cache = SegmentCache("partition")
    with pytest.raises(FileFormatError, match=r"the file of representatives .*; delete it to begin anew"):
        load(cache, tmp_path / "known.json")
    assert cache.known == {}


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="cannot read the file of representatives"):
        load(SegmentCache("partition"), tmp_path / "known.json")
