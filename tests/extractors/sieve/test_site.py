"""What other pages of a site repeat is evidence: it moves log odds, and decides nothing alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

import tamis
from tamis.errors import OptionError
from tamis.extractors.sieve.memory import Site, make_sketch
from tamis.extractors.sieve.site import Repetition, repetitions, shifts

PITCH = (
    "Subscribe to our newsletter today and receive the most important stories of the week in your inbox every single "
    "Friday morning, free of charge and without any obligation."
)


def paragraphs(name: str, count: int = 4) -> list[str]:
    return [
        f"In part {part} of {name} the river rose in the night, and the road to the village was closed because of it, "
        f"said the mayor of {name}, who had been there {part} times before."
        for part in range(count)
    ]


def article(name: str, texts: Iterable[str], below: str = "") -> str:
    body = "".join(f"<p>{text}</p>" for text in texts) + f"<div class='newsletter'><p>{below}</p></div>"
    return f"<html><head><title>{name}</title></head><body><h1>{name}</h1>{body}</body></html>"


def story(number: int) -> str:
    return article(f"Story {number}", paragraphs(f"story {number}"), PITCH)


def site_of(pages: Iterable[str]) -> Site:
    site = Site()
    for page in pages:
        site.add(tamis.parse(page))
    return site


def test_what_every_page_has_is_dropped_and_says_why() -> None:
    page = story(3)
    assert PITCH in tamis.extract(page).text
    result = tamis.extract(page, site=site_of(map(story, range(12))))
    assert PITCH not in result.text
    assert all(text in result.text for text in paragraphs("story 3"))
    pitch = next(block for block in result.blocks if block.text == PITCH)
    assert not pitch.kept
    assert "stands on 12 of 12 pages of this site" in pitch.reason
    assert not any("of this site" in block.reason for block in result.blocks if block.kept)


@pytest.mark.parametrize("others", [[], [3]])
def test_an_empty_memory_and_the_page_itself_change_nothing(others: list[int]) -> None:
    alone = tamis.extract(story(3))
    assert tamis.extract(story(3), site=site_of(map(story, others))).blocks == alone.blocks


def test_extraction_leaves_the_memory_as_it_is() -> None:
    site = site_of(map(story, range(3)))
    before = site.index().text.tobytes()
    tamis.extract(story(9), site=site)
    assert (len(site), site.index().text.tobytes()) == (3, before)


def test_a_story_that_was_published_again_is_no_boilerplate() -> None:
    """Near-twins share more than half of their long texts, and do not count for each other."""
    texts = paragraphs("the flood", 5)
    reposts = [article("Flood", [*texts[:4], f"Published for reader {number}."]) for number in range(3)]
    site = site_of([*reposts, *map(story, range(4))])
    assert all(text in tamis.extract(article("Flood", texts), site=site).text for text in texts)


def test_an_introduction_of_a_series_counts_on_every_page_but_makes_no_twins() -> None:
    intro = "This is one part of a series on rivers, which the editors have put together over the course of the year."
    series = [article(f"Part {part}", [intro, *paragraphs(f"part {part}")]) for part in range(5)]
    result = tamis.extract(series[0], site=site_of(series))
    block = next(block for block in result.blocks if block.text == intro)
    assert "stands on 5 of 5 pages of this site" in block.reason
    assert all(text in result.text for text in paragraphs("part 0"))


def test_a_quoted_post_does_not_vanish_from_a_forum() -> None:
    def post(author: str, text: str) -> str:
        return f"<div class='post'><a href='/u/{author}'>{author}</a><div class='post-body'>{text}</div></div>"

    def thread(name: str, texts: list[str]) -> str:
        posts = "".join(post(f"user{number}", text) for number, text in enumerate(texts))
        return f"<html><head><title>{name} - forum</title></head><body><div class='thread'>{posts}</div></body></html>"

    first, second = paragraphs("the first page"), paragraphs("the second page")
    quoted = first[1]
    site = site_of([thread("Flood", first), thread("Flood", [*second, quoted])])
    site.merge(site_of(thread(f"Thread {number}", paragraphs(f"thread {number}")) for number in range(4)))
    assert quoted in tamis.extract(thread("Flood", first), site=site).text
    assert quoted in tamis.extract(thread("Flood", [*second, quoted]), site=site).text


def hashes(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    return np.array(numbers, dtype=np.uint32)


def memory_of(*pages: tuple[list[int], list[int]]) -> Site:
    """Pages by the numbers of their short and of their long texts."""
    site = Site()
    for short, long in pages:
        site.take([make_sketch(hashes(*short, *long), np.array([False] * len(short) + [True] * len(long)))])
    return site


def test_texts_are_counted_over_other_pages() -> None:
    site = memory_of(([1, 2], []), ([1, 3], []), ([1, 2, 9], []))
    found = repetitions(hashes(1, 2, 8, 2), np.zeros(4, dtype=np.bool_), site)
    assert (found.found.tolist(), found.pages.tolist()) == ([3, 2, 0, 2], [3, 3, 3, 3])


@pytest.mark.parametrize(
    ("shared", "counted"),
    [([11, 12], 1), ([11, 12, 13], 0)],  # of four long texts on each page: half, and more than half
)
def test_pages_that_share_more_than_half_of_their_long_texts_are_twins(shared: list[int], counted: int) -> None:
    site = memory_of(([1], [*shared, *range(20, 24 - len(shared))]))
    found = repetitions(hashes(1, 11, 12, 13, 14), np.array([False, True, True, True, True]), site)
    assert found.found[0] == counted


def test_what_most_pages_have_makes_no_twins() -> None:
    """Short articles below long notices: the notices are most of their long texts, and still boilerplate."""
    notices = [30, 31, 32]
    site = memory_of(*(([], [*notices, 40 + number]) for number in range(5)))
    found = repetitions(hashes(*notices, 50), np.ones(4, dtype=np.bool_), site)
    assert found.found.tolist() == [5, 5, 5, 0]


def test_pages_of_which_only_a_part_is_held_do_not_speak_of_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.extractors.sieve.memory.MAX_TEXTS", 2)
    site = memory_of(([1, 2, 3], []), ([1, 5], []))
    found = repetitions(hashes(1, 2, 3, 5), np.zeros(4, dtype=np.bool_), site)
    assert found.found.tolist() == [2, 1, 0, 1]
    assert found.pages.tolist() == [2, 2, 1, 1]


def test_the_more_pages_repeat_a_text_the_less_likely_it_is_content() -> None:
    pages = np.full(9, 8, dtype=np.int64)
    shift = shifts(Repetition(np.arange(9), pages), np.full(9, 30), "article")
    assert shift[0] == 0, "nobody repeats it"
    assert (np.diff(shift) < 0).all()
    words = shifts(Repetition(pages, pages), np.arange(9) * 10, "article")
    assert (np.diff(words) < 0).all(), "long texts are repeated on purpose"


def test_repetition_never_speaks_for_content() -> None:
    found = Repetition(np.array([1]), np.array([100]))
    assert shifts(found, np.array([1]), "documentation").tolist() == [0.0]


def test_a_method_that_knows_nothing_of_sites_says_so() -> None:
    with pytest.raises(OptionError, match=r"the method bte does not use a site memory.*sieve"):
        tamis.extract("<p>Text", method="bte", site=Site())


def test_only_a_memory_is_a_site() -> None:
    with pytest.raises(OptionError, match=r"a tamis\.Site is expected"):
        tamis.extract("<p>Text", site="example.org")  # type: ignore[arg-type]
