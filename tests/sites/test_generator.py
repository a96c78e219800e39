from __future__ import annotations

import re

from tests.sites.families import PARTS, _Site, make_families
from tests.sites.generator import Site, make_corpus


def test_a_corpus_has_every_site_category_and_page_once() -> None:
    pages = make_corpus(2, 3, 4)
    assert len({(page.site, page.category, page.number) for page in pages}) == len(pages) == 24
    assert len({page.url for page in pages}) == 24


def test_the_same_seed_gives_the_same_pages_and_another_one_others() -> None:
    assert make_corpus(1, 1, 2, seed=3) == make_corpus(1, 1, 2, seed=3)
    assert make_corpus(1, 1, 2, seed=3) != make_corpus(1, 1, 2, seed=4)


def test_a_site_is_the_same_wherever_it_stands_in_a_corpus() -> None:
    assert make_corpus(1, 1, 1, first_site=4)[0] == make_corpus(5, 1, 1)[4]


def test_pages_hold_their_content_and_share_the_framework() -> None:
    site = Site(1)
    first, second = site.page(0, 0), site.page(0, 1)
    for page in (first, second):
        plain = re.sub("<[^>]+>", "", page.html)
        assert page.title in plain
        assert all(paragraph in plain for paragraph in page.paragraphs)
        assert all(name in page.html for name in site.menu)
        assert site.imprint in page.html
    assert first.paragraphs != second.paragraphs


def test_families_are_the_same_for_one_seed_and_hold_every_page_once() -> None:
    pages = make_families(5, 2, 2, seed=4)
    assert pages == make_families(5, 2, 2, seed=4) != make_families(5, 2, 2, seed=5)
    assert len({(page.site, page.category, page.number) for page in pages}) == len(pages) == 20


def test_sites_of_one_system_share_most_designs_and_others_few() -> None:
    """Sites 0 and 1 have the first of three systems, site 4 the last."""
    sites = [_Site(number, number * 3 // 5, 0)._designs for number in range(5)]

    def shared(first: int, second: int) -> int:
        return sum(sites[first][part] == sites[second][part] for part in PARTS)

    assert shared(0, 1) > len(PARTS) / 3 > shared(0, 4)
    assert shared(2, 3) > len(PARTS) / 3 > shared(1, 2)
