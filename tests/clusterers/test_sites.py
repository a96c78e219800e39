"""Gottron's experiment (2008, section 7.1.3) on the sites of the generator, with fewer pages of each."""

from __future__ import annotations

import functools

import pytest

import tamis
from tamis import distances
from tamis.clusterers import k_median, single_linkage
from tamis.evaluation.clusterings import adjusted_rand_index, dunn_index
from tamis.page.model import Page
from tamis.page.text import Floats
from tests.sites.families import make_families
from tests.sites.generator import make_corpus

CORPUS = make_corpus(5, 5, 2)
SITES = [page.site for page in CORPUS]
PERFECT = ("common_paths", "common_path_shingles", "longest_common_tag_subsequence", "common_tag_sequence_shingles")


@functools.cache
def pages() -> tuple[Page, ...]:
    return tuple(tamis.parse(page.html, url=page.url) for page in CORPUS)


@functools.cache
def matrix(method: str) -> Floats:
    return distances.matrix(pages(), method)


@pytest.mark.parametrize("method", PERFECT)
def test_single_linkage_finds_the_five_sites(method: str) -> None:
    found = single_linkage.cluster_by(matrix(method), single_linkage.Options(distance=method, k=5))
    assert adjusted_rand_index(found.labels, SITES) == 1


@pytest.mark.parametrize(
    ("method", "threshold"),
    [("common_paths", 0.7), ("common_path_shingles", 0.6), ("common_tag_sequence_shingles", 0.85)],
)
def test_the_thresholds_of_the_thesis_find_them_without_knowing_how_many(method: str, threshold: float) -> None:
    found = single_linkage.cluster_by(matrix(method), single_linkage.Options(distance=method, threshold=threshold))
    assert adjusted_rand_index(found.labels, SITES) == 1


FAMILIES = make_families(5, 5, 1, systems=5)
FAMILY_SITES = [page.site for page in FAMILIES]


@functools.cache
def family_matrix(method: str) -> Floats:
    return distances.matrix([tamis.parse(page.html) for page in FAMILIES], method)


@pytest.mark.parametrize("method", ["common_paths", "common_path_shingles", "common_tag_sequence_shingles"])
def test_paths_and_shingles_tell_sites_apart_whatever_the_length_of_their_pages(method: str) -> None:
    """On sites whose rules were fixed beforehand, as in Gottron's tables 7.2 and 7.4."""
    found = single_linkage.cluster_by(family_matrix(method), single_linkage.Options(distance=method, k=5))
    assert adjusted_rand_index(found.labels, FAMILY_SITES) == 1
    assert dunn_index(family_matrix(method), FAMILY_SITES) > 1


@pytest.mark.parametrize("method", ["rtdm", "tag_vector"])
def test_edits_and_counts_take_a_long_page_for_a_site(method: str) -> None:
    """The failure of Gottron's table 7.4: a page that is like no other is a group, and two sites are one."""
    found = single_linkage.cluster_by(family_matrix(method), single_linkage.Options(distance=method, k=5))
    assert min(map(len, found.groups)) == 1
    assert adjusted_rand_index(found.labels, FAMILY_SITES) < 1
    assert dunn_index(family_matrix(method), FAMILY_SITES) < 0.5


def test_a_single_start_of_k_median_is_often_wrong() -> None:
    found = [
        k_median.cluster_by(matrix("common_paths"), k_median.Options(k=5, restarts=1, seed=seed)).labels
        for seed in range(20)
    ]
    right = [adjusted_rand_index(labels, SITES) == 1 for labels in found]
    assert any(right)
    assert not all(right)


@pytest.mark.parametrize("method", ["single_linkage", "average_linkage", "minhash"])
def test_every_clusterer_without_a_number_finds_the_sites(method: str) -> None:
    assert adjusted_rand_index(tamis.cluster(pages(), method=method).labels, SITES) == 1


@pytest.mark.parametrize("method", tamis.methods("clusterers"))
def test_one_page_two_identical_pages_and_empty_pages(method: str) -> None:
    assert tamis.cluster([], method=method).groups == ()
    assert tamis.cluster(["<p>one"], method=method).groups == ((0,),)
    same = tamis.cluster(["<p>one", "<p>one"], method=method, **({"k": 1} if method == "k_median" else {}))
    assert same.groups == ((0, 1),)
    nothing = tamis.cluster(["", b"", CORPUS[0].html], method=method, **({"k": 2} if method == "k_median" else {}))
    assert nothing.groups == ((0, 1), (2,))
