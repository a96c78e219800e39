from __future__ import annotations

import itertools

import pytest

import tamis
from tamis.clusterers import representatives
from tamis.errors import OptionError
from tests.sites.generator import make_corpus

LIST = "<ul>" + "<li><a href=x>entry</a></li>" * 5 + "</ul>"


def test_pages_are_answered_as_they_come() -> None:
    pages = (tamis.parse(markup) for markup in itertools.cycle(["<p>text", LIST]))
    assert list(itertools.islice(representatives.assign(pages, representatives.Options()), 5)) == [0, 1, 0, 1, 0]


def test_the_first_page_of_a_group_stands_for_it() -> None:
    found = tamis.cluster(["<p>a", LIST, "<p>b", LIST], method="representatives")
    assert found.groups == ((0, 2), (1, 3))
    assert found.representatives == (0, 1)


@pytest.mark.parametrize(("shared", "groups"), [(6, 2), (7, 2), (8, 1)])
def test_more_than_seven_tenths_of_the_paths_must_match(shared: int, groups: int) -> None:
    names = "p h1 h2 h3 h4 h5 h6 pre hr address".split()
    page = "".join(f"<{name}></{name}>" for name in names)
    other = "".join(f"<{name}></{name}>" for name in [*names[:shared], *"ul ol dl menu".split()[: 10 - shared]])
    assert len(tamis.cluster([page, other], method="representatives").groups) == groups


def test_an_id_makes_another_element_unless_ids_are_ignored() -> None:
    pages = ["<div id=a><p>text</div>", "<div id=b><p>text</div>", "<div><p>text</div>"]
    assert len(tamis.cluster(pages, method="representatives").groups) == 3
    assert len(tamis.cluster(pages, method="representatives", ids=False).groups) == 1


def test_pages_of_other_sites_are_not_compared() -> None:
    pages = [tamis.parse("<p>text", url=f"http://{host}/") for host in ("a.org", "b.org", "www.a.org")]
    assert representatives.cluster(pages, representatives.Options()).groups == ((0, 2), (1,))


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://news.a.org/x", "a.org"),
        ("http://a.co.uk/", "a.co.uk"),
        ("http://www.a.co.uk/", "a.co.uk"),
        ("http://co.uk/", "co.uk"),
        ("http://localhost/", "localhost"),
        ("http://127.0.0.1:80/", "127.0.0.1"),
        ("http://[::1]/", "::1"),
        ("http://[broken/", ""),
        ("no address", ""),
    ],
)
def test_the_site_of_an_address(url: str, site: str) -> None:
    assert representatives.site_of(url) == site


def test_what_a_reader_cannot_see_is_pruned() -> None:
    page = tamis.parse(
        "<title>t</title><script>s</script><body><noscript><p>n</p></noscript><template><p>t</template><p id=x>text"
    )
    pruned = representatives.prune(page)
    assert [page.name(node) for node in pruned.node] == ["html", "body", "p"]
    assert pruned.ids == [None, None, "x"]
    assert pruned.elements.parent.tolist() == [-1, 0, 1]


def test_no_group_mixes_sites_of_the_generator() -> None:
    corpus = make_corpus(5, 2, 3)
    found = representatives.cluster([tamis.parse(page.html) for page in corpus], representatives.Options())
    assert all(len({corpus[page].site for page in group}) == 1 for group in found.groups)


def test_a_similarity_outside_its_range_is_refused() -> None:
    with pytest.raises(OptionError):
        representatives.Options(min_similarity=1.5)
