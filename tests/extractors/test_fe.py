"""FeatureExtractor and K-FeatureExtractor, which differ only in how many blocks they keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import OptionError
from tamis.extractors import extract, fe, kfe
from tamis.extractors.kfe import purest_group

# The worked example of the literature: purities 3/6, 4/5 and 0/2.
FIXTURE = """
<p><a href=x></a><a href=x>one</a> two three <img></p>
<p><a href=x>four</a> five six seven</p>
<p><a href=x></a><img></p>
"""

# Purities 1 for the headline, 19/20 for each paragraph.
ARTICLE = """
<p>A headline in a paragraph</p>
<p>The first paragraph of the article has a <b>bold</b> word and goes on for quite a while after it.</p>
<p>The second paragraph has <i>one</i> as well, and it too goes on for some time with no further markup.</p>
<ul><li><a href=x>One</a><li><a href=x>Two</a></ul>
"""
# Purities 3/4 and 1/2.
BYLINES = "<p>By <b>Ann</b> Nym</p><p>Print<br></p>"


def kept(html: str, method: str, **options: Any) -> str:
    extraction = extract(tamis.parse(html), method, **options)
    return " ".join(" ".join(extraction.page.text[start:end] for start, end in extraction.spans).split())


def test_the_purest_block_of_the_worked_example_wins() -> None:
    assert kept(FIXTURE, "fe") == "four five six seven"


def test_fe_takes_the_headline_for_the_article() -> None:
    assert kept(ARTICLE, "fe") == "A headline in a paragraph"


def test_kfe_keeps_what_is_about_as_pure() -> None:
    text = kept(ARTICLE + BYLINES, "kfe")
    assert text.startswith("A headline in a paragraph The first paragraph")
    assert text.endswith("with no further markup.")


def test_kfe_ends_like_fe_when_the_purest_blocks_form_a_group() -> None:
    assert kept(ARTICLE, "kfe") == kept(ARTICLE, "fe")


def test_a_purity_of_one_half_is_enough() -> None:
    half = "<p>word<br></p>"
    assert kept(half, "fe") == "word"
    assert kept(half, "fe", min_purity=0.51) == ""
    assert kept("<p>word<br><br></p>", "fe") == ""


@pytest.mark.parametrize(("tie", "winner"), [("first", "short"), ("longest", "much longer than that")])
def test_of_equally_pure_blocks_the_first_or_the_longest_wins(tie: str, winner: str) -> None:
    assert kept("<p>short</p><p>much longer than that</p><p>medium one</p>", "fe", tie=tie) == winner


@pytest.mark.parametrize("method", ["fe", "kfe"])
def test_text_outside_all_blocks_is_lost_unless_it_is_kept_as_a_block(method: str) -> None:
    html = "<body>loose words around it <p>in<br></p>"
    assert kept(html, method) == "in"
    assert kept(html, method, keep_residual=True) == "loose words around it"


@pytest.mark.parametrize("method", ["fe", "kfe"])
def test_elements_nested_in_their_like_are_blocks_with_all_they_hold_if_they_may_overlap(method: str) -> None:
    html = "<ul>outer words, more of them than of elements <li><ul>inner<li></li></ul></li></ul>"
    assert kept(html, method) == "inner"
    assert kept(html, method, overlap=True) == "outer words, more of them than of elements inner"


@pytest.mark.parametrize("method", ["fe", "kfe"])
def test_another_feature_can_be_wanted(method: str) -> None:
    html = "<p>only words</p><p><img><img>caption</p>"
    assert kept(html, method, feature="img") == "caption"


@pytest.mark.parametrize("method", ["fe", "kfe"])
def test_a_page_without_block_elements_is_one_block(method: str) -> None:
    assert kept("<div>" + "word " * 20 + "</div>", method) == ("word " * 20).strip()


def test_groups_are_found_from_the_least_the_median_and_the_greatest_purity() -> None:
    assert purest_group(np.array([0.5, 0.52, 0.75, 0.77, 0.98, 1.0, 0.99]), 3).tolist() == [4, 5, 6]


def test_with_few_different_purities_each_is_a_group() -> None:
    assert purest_group(np.array([0.9, 0.5, 0.9]), 3).tolist() == [0, 2]


def test_one_group_keeps_everything_pure_enough() -> None:
    assert purest_group(np.array([0.5, 0.7, 1.0]), 1).tolist() == [0, 1, 2]


def test_a_group_without_blocks_does_not_win() -> None:
    # Median and greatest are the same, so that the third group stays empty.
    assert purest_group(np.array([0.5, 0.55, 0.6, 1.0, 1.0, 1.0, 1.0]), 3).tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize("make", [fe.Options, kfe.Options])
def test_options_out_of_range_are_refused(make: Any) -> None:
    with pytest.raises(OptionError, match=r"min_purity is 1\.5, but must be from 0 to 1"):
        make(min_purity=1.5)
    with pytest.raises(OptionError, match="feature is 'words', but 'text' or the name of an HTML element"):
        make(feature="words")
    with pytest.raises(OptionError, match="overlap is True, but False is expected when keep_residual is True"):
        make(keep_residual=True, overlap=True)


@pytest.mark.parametrize("clusters", [0, 21])
def test_the_number_of_groups_is_limited(clusters: int) -> None:
    with pytest.raises(OptionError, match=f"clusters is {clusters}, but must be from 1 to 20"):
        kfe.Options(clusters=clusters)
