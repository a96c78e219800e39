from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.extractors.sieve.containers import LEVELS, Containers, build_containers, tokens
from tamis.page.model import Page
from tamis.page.text import Ints
from tests.block_pages import FILLED_PAGES, PAGES, first_leaves, held, lineage


def around(containers: Containers, place: int) -> list[int]:
    """A container and all that are around it, by following parents."""
    path = [place]
    while containers.parent[path[-1]] != path[-1]:
        path.append(int(containers.parent[path[-1]]))
    return path


def values_of(containers: Containers, seed: int) -> Ints:
    return np.random.default_rng(seed).integers(-50, 50, len(containers))


@given(PAGES)
@settings(max_examples=50)
def test_containers_are_the_elements_with_a_block_below_them(page: Page) -> None:
    containers = build_containers(page)
    expected = sorted({node for leaf in first_leaves(page) for node in lineage(page, leaf)})
    assert containers.node.tolist() == expected
    assert len(containers) == len(expected)


@given(FILLED_PAGES)
@settings(max_examples=50)
def test_each_container_knows_its_blocks_its_parent_and_where_it_ends(page: Page) -> None:
    containers = build_containers(page)
    nodes = containers.node.tolist()
    assert (nodes[0], containers.parent[0]) == (0, 0)
    for place, node in enumerate(nodes):
        assert list(range(containers.first[place], containers.last[place])) == held(page, node)
        assert nodes[containers.parent[place]] == [*lineage(page, node), 0][1 if node else 0]
        below = [other for other in nodes if node in lineage(page, other)]
        assert nodes[place : containers.end[place]] == below
        assert containers.tag[place] == page.nodes.tag[node]
        assert containers.names[containers.name[place]] == page.names(np.array([node]))[0]


@given(FILLED_PAGES)
@settings(max_examples=50)
def test_each_block_knows_its_holder_and_the_element_around_its_first_text(page: Page) -> None:
    containers = build_containers(page)
    for number, (block, leaf) in enumerate(zip(page.blocks, first_leaves(page), strict=True)):
        assert containers.node[containers.holder[number]] == block.node
        assert containers.node[containers.leaf[number]] == lineage(page, leaf)[0]
        path = around(containers, int(containers.holder[number]))
        path += [0] * LEVELS
        assert containers.ancestors[:, number].tolist() == path[:LEVELS]


@given(FILLED_PAGES, st.integers(0, 1000))
@settings(max_examples=50)
def test_sums_and_minima_over_paths_are_those_of_a_walk(page: Page, seed: int) -> None:
    containers = build_containers(page)
    values = values_of(containers, seed)
    paths = [around(containers, place) for place in range(len(containers))]
    assert containers.path_sums(values).tolist() == [int(values[path].sum()) for path in paths]
    assert containers.path_least(values / 7).tolist() == [float((values / 7)[path].min()) for path in paths]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 8, 9, 100])
def test_minima_reach_the_root_at_any_depth(depth: int) -> None:
    containers = build_containers(tamis.parse("<div>" * depth + "text"))
    values = np.arange(len(containers), dtype=np.float64)
    assert containers.path_least(values).tolist() == [0.0] * len(containers)
    assert containers.path_least(-values).tolist() == (-values).tolist()


@given(FILLED_PAGES)
@settings(max_examples=50)
def test_paths_are_equal_if_and_only_if_all_tags_and_classes_on_them_are(page: Page) -> None:
    containers = build_containers(page)
    looks = [
        (int(containers.tag[place]), containers.names[containers.name[place]].partition(" #")[0].partition(" role=")[0])
        for place in range(len(containers))
    ]
    paths = [tuple(looks[step] for step in around(containers, place)) for place in range(len(containers))]
    for numbers, meant in ((containers.looks.tolist(), looks), (containers.paths.tolist(), paths)):
        assert len(set(numbers)) == len(set(meant)) == len(set(zip(numbers, meant, strict=True)))


def test_the_order_of_the_looks_on_a_path_counts() -> None:
    turned = "<div class=a><div class=b>x</div></div><div class=b><div class=a>y</div></div>"
    containers = build_containers(tamis.parse(turned))
    first, second = containers.paths[containers.holder].tolist()
    assert first != second


def test_ids_and_roles_do_not_change_a_look() -> None:
    containers = build_containers(
        tamis.parse("<p class=a id=one>x</p><p class=a id=two role=note>y</p><p class=b>z</p>")
    )
    first, second, third = containers.looks[containers.holder].tolist()
    assert first == second != third


def test_a_page_without_blocks_has_no_containers() -> None:
    containers = build_containers(tamis.parse("<div><p> </p><script>x</script></div>"))
    assert len(containers) == len(containers.holder) == 0
    assert containers.names == ()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("main", ["main"]),
        ("Post-Body2", ["post-body2", "post", "body"]),
        ("#leftCol", ["#leftcol", "left", "col"]),
        ("HTMLpage", ["htmlpage", "html", "page"]),
        ("role=main", ["role=main"]),
        ("prop=articleBody", ["prop=articlebody"]),
        ("内容-box", ["内容-box", "内容", "box"]),
        ("123", ["123"]),
        ("x" * 40, ["x" * 40]),
        ("a-" + "b" * 78 + "-c", ["a", "b" * 78]),  # the end of a very long name is not read
        ("", [""]),
    ],
)
def test_a_word_is_cut_where_designers_join_words(word: str, expected: list[str]) -> None:
    assert tokens(word) == expected
