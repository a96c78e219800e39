"""Site memory: the same pages give the same memory, however they come; it stays small, and is read back as written."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.errors import FileFormatError, InputError
from tamis.extractors.sieve import memory
from tamis.extractors.sieve.memory import Site, Sketch, make_sketch

TEXTS = st.lists(st.integers(0, 40), min_size=1, max_size=12)
PAGES = st.lists(TEXTS, max_size=8)


def sketch_of(numbers: list[int]) -> Sketch:
    text = np.array(numbers, dtype=np.uint32) * np.uint32(97_654_321)
    return make_sketch(text, text % np.uint32(2) == 0)


def site_of(*sketches: Sketch) -> Site:
    site = Site()
    site.take(sketches)
    return site


def merged(*sites: Site) -> Site:
    def join(one: Site, other: Site) -> Site:
        one.merge(other)
        return one

    return reduce(join, sites, Site())


def held(site: Site) -> list[bytes]:
    index = site.index()
    return [part.tobytes() for part in (index.name, index.limit, index.page, index.text, index.is_long)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a few small pages reach."""
    monkeypatch.setattr(memory, "MAX_PAGES", 4)
    monkeypatch.setattr(memory, "MAX_TEXTS", 6)


@settings(max_examples=60)
@given(PAGES, st.randoms(use_true_random=False))
def test_the_order_of_pages_does_not_matter(pages: list[list[int]], random: object) -> None:
    sketches = [sketch_of(page) for page in pages]
    turned = sketches[::-1] + sketches  # and twice is once
    random.shuffle(turned)  # type: ignore[attr-defined]
    assert held(site_of(*turned)) == held(site_of(*sketches))


@settings(max_examples=60)
@given(st.tuples(PAGES, PAGES, PAGES))
def test_parts_of_a_site_are_merged_in_any_order(parts: tuple[list[list[int]], ...]) -> None:
    one, two, three = (site_of(*map(sketch_of, pages)) for pages in parts)
    whole = held(site_of(*(sketch_of(page) for pages in parts for page in pages)))
    assert held(merged(one, two, three)) == held(merged(three, merged(two, one))) == whole
    assert held(merged(merged(one, one), merged(two, three))) == whole


@settings(max_examples=40)
@given(st.lists(TEXTS, max_size=30))
def test_a_memory_is_bounded(pages: list[list[int]]) -> None:
    site = site_of(*map(sketch_of, pages))
    assert len(site) <= memory.MAX_PAGES
    assert len(site.index().text) <= memory.MAX_PAGES * memory.MAX_TEXTS


@settings(max_examples=25)
@given(PAGES)
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, pages: list[list[int]]) -> None:
    path = tmp_path_factory.mktemp("site") / "site.npz"
    site = site_of(*map(sketch_of, pages))
    site.save(path)
    assert held(Site.load(path)) == held(site)


def test_links_make_another_page_of_the_same_texts() -> None:
    """Else it would depend on the order which of the two is held."""
    words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    site = Site()
    site.add(tamis.parse(f"<p>{words}</p>"))
    site.add(tamis.parse(f"<p><a href='/'>{words}</a></p>"))
    assert len(site) == 2


def test_a_page_without_text_is_not_held() -> None:
    site = Site()
    site.add(tamis.parse("<p> </p>"))
    assert len(site) == 0


def test_hidden_text_and_white_space_make_no_other_page() -> None:
    site = Site()
    site.add(tamis.parse("<p>Two  words</p>"))
    site.add(tamis.parse("<p>Two\n words</p>"))
    assert len(site) == 1


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "site.npz"
    site_of(sketch_of([1, 2, 3]), sketch_of([4, 5])).save(path)
    return path


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "gone"])
def test_a_damaged_file_gives_one_clear_error(saved: Path, damage: str) -> None:
    whole = saved.read_bytes()
    if damage == "gone":
        saved.unlink()
    else:
        saved.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "text": b"no memory"}[damage])
    with pytest.raises(FileFormatError, match=r"the site memory .*site\.npz.*make it again") as caught:
        Site.load(saved)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": np.array(2)}, "has format 2"),
        ({"name": np.array([7, 7], dtype=np.uint64)}, "one of them twice"),
        ({"size": np.array([1, 1])}, "too many texts or too few"),
        ({"size": np.array([5, 0])}, "too many texts or too few"),
        ({"text": np.array([3, 2, 1, 5, 4], dtype=np.uint32)}, "not in order"),
        ({"limit": np.array([0, 0], dtype=np.uint32)}, "not in order"),
        ({"text": np.zeros(5, dtype=np.int64)}, "holds int64"),
        ({"more": np.array(1)}, "nobody knows its array"),
    ],
)
def test_a_file_that_says_something_impossible_is_refused(saved: Path, change: dict[str, object], told: str) -> None:
    with np.load(saved) as file:
        arrays = {**file, **change}
    np.savez(saved, **arrays)
    with pytest.raises(FileFormatError, match=told):
        Site.load(saved)


def test_a_memory_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(InputError, match="file/site"):
        Site().save(tmp_path / "file" / "site.npz")


def test_pages_are_added_parsed_or_not() -> None:
    parsed, plain = Site(), Site()
    parsed.add(tamis.parse("<p>Rain at last."))
    plain.add("<p>Rain at last.")
    plain.add(b"<p>Rain at last.")
    assert held(parsed) == held(plain)


def test_what_is_no_page_and_no_site_is_an_error_of_ours() -> None:
    site = Site()
    with pytest.raises(InputError, match="a page is str"):
        site.add(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"only a tamis\.Site"):
        site.merge("<p>Rain at last.")  # type: ignore[arg-type]
    assert len(site) == 0


@pytest.mark.parametrize("name", ["\0", "/", "", "\ud800"])
def test_a_name_that_no_file_can_have_is_an_error_of_ours(name: str) -> None:
    with pytest.raises(InputError, match="cannot write"):
        Site().save(name)
