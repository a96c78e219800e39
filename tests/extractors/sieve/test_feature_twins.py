"""Every column of a page against a count block by block."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings

from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.features import FAMILIES, STATIC, NameScores, name_columns
from tamis.page.model import Page
from tests.block_pages import FILLED_PAGES, lineage
from tests.extractors.sieve.block_twin import HEADINGS, Twin, candidate_range, evidence_of


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_every_column_is_what_a_count_block_by_block_gives(page: Page) -> None:
    twin = Twin(page)
    columns = dict(zip(STATIC, evidence_of(page).columns, strict=True))
    expected = twin.block_family() | twin.range_family() | twin.group_family()
    ours = {"in_candidate", "in_window", *FAMILIES["candidate"], *FAMILIES["page"]}
    assert set(expected) == set(STATIC) - ours
    for name, values in expected.items():
        np.testing.assert_allclose(columns[name], values, rtol=1e-5, atol=1e-6, err_msg=name)
    for name, value in twin.page_family().items():
        np.testing.assert_allclose(columns[name], value, rtol=1e-5, atol=1e-6, err_msg=name)


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_the_window_is_the_best_of_all_windows(page: Page) -> None:
    twin, columns = Twin(page), dict(zip(STATIC, evidence_of(page).columns, strict=True))
    gains = [twin.words[i] - 2 * twin.link_words[i] - twin.tags[i] for i in twin.places]
    best = max(sum(gains[start:end]) for start, end in combinations_with_replacement(range(twin.size + 1), 2))
    inside = np.flatnonzero(columns["in_window"]).tolist()
    assert sum(gains[place] for place in inside) == best
    assert inside == list(range(inside[0], inside[-1] + 1)) if inside else best == 0
    share = sum(twin.words[place] for place in inside) / twin.total["words"]
    assert columns["page_window"].tolist() == pytest.approx([share] * twin.size)
    for place in twin.places if inside else ():
        expected = min(place - inside[0], 0) + max(place - inside[-1], 0)
        assert columns["window_distance"][place] == expected


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_the_candidate_is_the_container_with_the_most_points(page: Page) -> None:
    twin, evidence = Twin(page), evidence_of(page)
    columns = dict(zip(STATIC, evidence.columns, strict=True))
    strength = dict.fromkeys(sorted({node for chain in twin.chains for node in chain}), 0.0)
    for place, chain in enumerate(twin.chains):
        if twin.characters[place] >= 25 and twin.link_words[place] < 0.5 * twin.words[place]:
            points = 1 + twin.kinds(twin.texts[place])["comma"] + min(twin.characters[place] / 100, 3)
            inner = twin.names[place] in ("p", "pre", "td", "li", "blockquote", *HEADINGS)
            near = [*chain, 0, 0][1 if inner else 0 :]
            strength[near[0]] += points
            strength[near[1]] += points / 2
    for node in strength:
        sums = twin.sums(twin.below[node])
        strength[node] *= 1 - sums["link_words"] / max(sums["words"], 1)
    low, high = candidate_range(evidence)
    most = max(strength.values())
    ranges = [twin.below[node] for node in strength if strength[node] == pytest.approx(most)]
    assert list(range(low, high)) in ranges
    assert np.flatnonzero(columns["in_candidate"]).tolist() == list(range(low, high))
    relative = {node: value / max(most, 1e-9) for node, value in strength.items()}
    for place, chain in enumerate(twin.chains):
        assert columns["candidate_score"][place] == pytest.approx(max(relative[node] for node in chain), abs=1e-6)
        assert columns["over_candidate"][place] == pytest.approx(relative[chain[0]], abs=1e-6)
        steps = [relative[twin.container(place, level)] for level in range(4)]
        assert columns["above_score"][place] == pytest.approx(max(steps), abs=1e-6)
        assert columns["candidate_distance"][place] == min(place - low, 0) + max(place - high + 1, 0)
    share = sum(twin.running[low:high]) / twin.total["running"]
    assert columns["candidate_share"].tolist() == columns["page_candidate"].tolist()
    assert columns["page_candidate"][0] == pytest.approx(share)


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_names_are_summed_and_compared_along_the_path(page: Page) -> None:
    containers = build_containers(page)
    random = np.random.default_rng(len(containers))
    own, around = random.integers(-4000, 4000, (2, len(containers)))
    columns = dict(zip(FAMILIES["names"], name_columns(containers, NameScores(own, around)), strict=True))
    place_of = {node: place for place, node in enumerate(containers.node.tolist())}
    for number, block in enumerate(page.blocks):
        path = [place_of[node] for node in lineage(page, block.node)]
        ended = [*path, 0, 0]
        expected = {
            "own_name": own[path[0]],
            "leaf_name": own[place_of[lineage(page, block.leaves[0])[0]]],
            "parent_name": around[ended[1]],
            "grandparent_name": around[ended[2]],
            "path_name": around[path].sum(),
            "worst_name": around[path].min(),
            "best_name": around[path].max(),
            "whole_name": own[path].sum(),
        }
        assert {name: columns[name][number] for name in FAMILIES["names"]} == expected


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_blocks_are_in_one_group_if_and_only_if_their_paths_look_alike(page: Page) -> None:
    twin, groups = Twin(page), evidence_of(page).groups.tolist()
    paths = [twin.path(block.node) for block in page.blocks]
    assert len(set(groups)) == len(set(paths)) == len(set(zip(groups, paths, strict=True)))


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_comments_are_what_is_below_an_element_named_after_them(page: Page) -> None:
    twin = Twin(page)
    expected = [any(twin.names_comments(node) for node in chain) for chain in twin.chains]
    assert evidence_of(page).in_comments.tolist() == expected
