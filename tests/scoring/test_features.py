from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings

import tamis
from tamis.page.model import HIDDEN, Page
from tamis.page.text import words as words_of
from tamis.scoring import features
from tamis.scoring.containers import LEVELS, build_containers
from tamis.scoring.features import FAMILIES, NAMES, STATIC, Evidence, Names, name_columns, page_evidence
from tests.block_pages import FILLED_PAGES, held, lineage
from tests.hostile import HOSTILE

ENDS, COMMAS = ".!?;:…。！？；：।؟", ",،、，"
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def evidence_of(page: Page) -> Evidence:
    return page_evidence(page, build_containers(page))


def columns_of(markup: str) -> dict[str, list[float]]:
    """The features of a page whose hidden blocks are shown, by name."""
    columns = evidence_of(tamis.parse(markup).revealed()).columns
    return dict(zip(STATIC, columns.tolist(), strict=True))


class Twin:
    """Every feature as its words say it, one block at a time."""

    def __init__(self, page: Page) -> None:
        self.page, self.blocks = page, list(page.blocks)
        self.size = len(self.blocks)
        self.places = range(self.size)
        self.words = [block.words for block in self.blocks]
        self.link_words = [block.link_words for block in self.blocks]
        self.texts = ["".join(page.node_text(leaf) for leaf in block.leaves) for block in self.blocks]
        self.characters = [sum(not character.isspace() for character in text) for text in self.texts]
        self.names = [page.name(block.node) for block in self.blocks]
        self.levels = [HEADINGS.index(name) + 1 if name in HEADINGS else 0 for name in self.names]
        leaves = [block.leaves[0] for block in self.blocks]
        self.tags = [after - before for before, after in zip(leaves, [*leaves[1:], len(page.nodes)], strict=True)]
        self.running = [
            words if words >= 10 and links / words < 0.5 else 0
            for words, links in zip(self.words, self.link_words, strict=True)
        ]
        self.total = {name: max(sum(getattr(self, name)), 1) for name in ("words", "running", "tags")}
        self.chains = [lineage(page, block.node) for block in self.blocks]
        self.below = {node: held(page, node) for chain in self.chains for node in chain}

    def kinds(self, text: str) -> Counter[str]:
        def kind(character: str) -> str:
            if character in ENDS:
                return "end"
            if character in COMMAS:
                return "comma"
            return "digit" if character.isdigit() else "capital" if character.isupper() else ""

        return Counter(map(kind, text))

    def titles(self) -> tuple[list[float], list[float]]:
        page = self.page
        titles = [node for node in range(len(page.nodes)) if page.name(node) == "title"]
        title = self.bag(page.node_text(titles[0])) if titles else set()
        main = [block for block, name in zip(self.blocks, self.names, strict=True) if name == "h1"]
        heading = self.bag(page.text[slice(*main[0].span)]) if main else set()
        by_title, by_heading = [0.0] * self.size, [0.0] * self.size
        for place, block in enumerate(self.blocks):
            if 2 <= block.words <= 30 and 2 * block.link_words <= block.words:
                own = self.bag(page.text[slice(*block.span)])
                if own & title:
                    by_title[place] = len(own & title) / len(own) * min(1, 2 * len(own) / len(title))
                by_heading[place] = len(own & heading) / len(own)
        return by_title, by_heading

    def bag(self, text: str) -> set[str]:
        spaced = set(text.lower().split())
        return spaced if text.isascii() or len(spaced) > 2 else set(words_of(text.lower()))

    def block_family(self) -> dict[str, list[float]]:
        kinds = [self.kinds(text) for text in self.texts]
        whole = [max(count, 1) for count in self.characters]
        by_title, by_heading = self.titles()
        likeness = [(0.3 / level if level else 0) + match for level, match in zip(self.levels, by_title, strict=True)]
        title_place = likeness.index(max(likeness))
        headings = [place for place in self.places if self.levels[place]]
        spans = [self.page.text[slice(*block.span)] for block in self.blocks]
        around = [[self.page.name(node) for node in lineage(self.page, block.leaves[0])] for block in self.blocks]
        family: dict[str, list[float]] = {
            "words": [*self.words],
            "link_density": [links / max(words, 1) for links, words in zip(self.link_words, self.words, strict=True)],
            "word_length": [count / max(words, 1) for count, words in zip(whole, self.words, strict=True)],
            "ends": [kind["end"] for kind in kinds],
            "commas": [kind["comma"] / max(words, 1) for kind, words in zip(kinds, self.words, strict=True)],
            "digits": [kind["digit"] / count for kind, count in zip(kinds, whole, strict=True)],
            "capitals": [kind["capital"] / count for kind, count in zip(kinds, whole, strict=True)],
            "tags": [*self.tags],
            "heading_level": [*self.levels],
            "hidden": [float(bool(self.page.hidden_flags[block.node] & HIDDEN)) for block in self.blocks],
            "noscript": [float("noscript" in names) for names in around],
            "form_text": [float("textarea" in names) for names in around],
            "preformatted": [float("pre" in names) for names in around],
            "in_link": [float(any(self.is_link(node) for node in chain)) for chain in self.chains],
            "position": [place / self.size for place in self.places],
            "words_before": [sum(self.words[:place]) / self.total["words"] for place in self.places],
            "depth": [self.depth(block.node) for block in self.blocks],
            "duplicates": [spans.count(text) for text in spans],
            "title_match": by_title,
            "heading_match": by_heading,
            "after_heading": [
                min((place - heading for heading in headings if heading <= place), default=self.size)
                for place in self.places
            ],
            "to_heading": [
                min((heading - place for heading in headings if heading >= place), default=self.size - place)
                for place in self.places
            ],
            "after_title": [place - title_place for place in self.places],
        }
        for kind, tags in features._KINDS.items():
            family[f"is_{kind}"] = [float(name in tags) for name in self.names]
        for kind, tags in features._AROUND.items():
            family[f"in_{kind}"] = [sum(self.page.name(node) in tags for node in chain) for chain in self.chains]
        return family

    def is_link(self, node: int) -> bool:
        return self.page.name(node) == "a" and "href" in self.page.attributes(node)

    def depth(self, node: int) -> int:
        return 0 if node == 0 else 1 + self.depth(int(self.page.nodes.parent[node]))

    def container(self, place: int, level: int) -> int:
        chain = self.chains[place]
        return chain[min(level, len(chain) - 1)]

    def sums(self, held_blocks: list[int]) -> dict[str, int]:
        names = ("words", "link_words", "characters", "running", "tags")
        return {name: sum(getattr(self, name)[block] for block in held_blocks) for name in names}

    def range_family(self) -> dict[str, list[float]]:
        family: dict[str, list[float]] = {}
        for level in range(LEVELS):
            ranges = [self.below[self.container(place, level)] for place in self.places]
            all_sums = [self.sums(blocks) for blocks in ranges]
            family |= {
                f"level{level}_share": [sums["running"] / self.total["running"] for sums in all_sums],
                f"level{level}_links": [sums["link_words"] / max(sums["words"], 1) for sums in all_sums],
                f"level{level}_length": [
                    sums["words"] / len(blocks) for sums, blocks in zip(all_sums, ranges, strict=True)
                ],
                f"level{level}_density": [sums["characters"] / max(sums["tags"], 1) for sums in all_sums],
                f"level{level}_text": [sums["running"] / max(sums["words"], 1) for sums in all_sums],
                f"level{level}_total": [sums["words"] for sums in all_sums],
            }
        for count in (1, 4, 12):
            for side in ("before", "after"):
                family[f"{side}{count}_links"] = [
                    self.link_share(
                        self.places[max(place - count, 0) : place]
                        if side == "before"
                        else self.places[place + 1 : place + 1 + count]
                    )
                    for place in self.places
                ]
        return family

    def link_share(self, blocks: range) -> float:
        sums = self.sums(list(blocks))
        return sums["link_words"] / max(sums["words"], 1)

    def look(self, node: int) -> tuple[int, str]:
        classes = (self.page.attributes(node).get("class", "") if node else "").strip()
        return int(self.page.nodes.tag[node]), classes

    def path(self, node: int) -> tuple[tuple[int, str], ...]:
        return tuple(self.look(step) for step in lineage(self.page, node))

    def group_family(self) -> dict[str, list[float]]:
        repeated = self.repeated()
        family: dict[str, list[float]] = {name: [] for name in features.GROUPS}
        for place in self.places:
            alike = self.looking_like(place, 0)
            sums = self.sums(alike)
            family["alike"].append(len(alike))
            family["alike_share"].append(sums["running"] / self.total["running"])
            family["alike_links"].append(sums["link_words"] / max(sums["words"], 1))
            family["alike_words"].append(sums["words"] / len(alike))
            siblings = self.looking_like(place, 1)
            sums = self.sums(siblings)
            family["siblings_alike"].append(len(siblings))
            family["siblings_share"].append(sums["running"] / self.total["running"])
            family["siblings_links"].append(sums["link_words"] / max(sums["words"], 1))
            steps = [self.container(place, level) for level in range(LEVELS)]
            counts = [repeated[self.path(node)] for node in steps]
            for level in range(1, LEVELS):
                family[f"repeated{level}"].append(counts[level])
            family["most_repeated"].append(max(counts))
            card = self.sums(self.below[steps[counts.index(max(counts))]])
            family["card_words"].append(card["words"])
            family["card_links"].append(card["link_words"] / max(card["words"], 1))
            family["card_share"].append(card["running"] * max(counts) / self.total["running"])
        return family

    def repeated(self) -> Counter[tuple[tuple[int, str], ...]]:
        """How many elements with a block below them have the same path."""
        leaves = [block.leaves[0] for block in self.blocks]
        return Counter(self.path(node) for node in {node for leaf in leaves for node in lineage(self.page, leaf)})

    def looking_like(self, place: int, level: int) -> list[int]:
        own = self.path(self.container(place, level))
        return [other for other in self.places if self.path(self.container(other, level)) == own]

    def page_family(self) -> dict[str, float]:
        page, words = self.page, self.total["words"]
        kinds = [self.kinds(text) for text in self.texts]
        elements = Counter(page.name(node) for node in range(len(page.nodes)))
        in_comments = [any(self.names_comments(node) for node in chain) for chain in self.chains]
        return {
            "page_blocks": self.size,
            "page_words": sum(self.words),
            "page_links": sum(self.link_words) / words,
            "page_text": sum(self.running) / words,
            "page_punctuation": sum(kind["end"] + kind["comma"] for kind in kinds) / words,
            "page_density": sum(self.characters) / self.total["tags"],
            "page_longest": max(self.words),
            "page_headings": sum(level > 0 for level in self.levels) / self.size,
            "page_articles": elements["article"],
            "page_items": sum(name in ("li", "dt", "dd", "option") for name in self.names) / self.size,
            "page_cells": elements["td"],
            "page_inputs": elements["input"] + elements["textarea"] + elements["select"],
            "page_images": elements["img"],
            "page_hidden": sum(bool(page.hidden_flags[block.node] & HIDDEN) for block in self.blocks) / self.size,
            "page_repeated": max(self.repeated().values()),
            "page_named_comments": sum(count for count, named in zip(self.words, in_comments, strict=True) if named)
            / words,
        }

    def names_comments(self, node: int) -> bool:
        if not node or self.page.name(node) in ("html", "body"):
            return False
        attributes = self.page.attributes(node)
        called = " ".join(attributes.get(name, "") for name in ("class", "id", "role", "itemprop")).lower()
        return any(word in called for word in features.COMMENT_NAMES)


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_every_column_is_what_a_count_block_by_block_gives(page: Page) -> None:
    twin = Twin(page)
    columns = dict(zip(STATIC, evidence_of(page).columns, strict=True))
    expected = twin.block_family() | twin.range_family() | twin.group_family()
    assert set(expected) == {*features.BLOCK, *features.RANGES, *features.GROUPS}
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
    low, high = _candidate_range(evidence)
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
    columns = dict(zip(features.PATHS, name_columns(containers, Names(own, around)), strict=True))
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
        assert {name: columns[name][number] for name in features.PATHS} == expected


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


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div class=comments><p>x</p></div><p>y</p>", [True, False]),
        ("<div id=Disqus_Thread><p>x</p></div><p>y</p>", [True, False]),
        ("<div class='has comment'>x</div><div class=commentary>y</div>", [True, True]),
        ("<div class=comm>x</div><div class=ents>y</div>", [False, False]),
        ("<body class=comments-open><p>x</p><p>y</p>", [False, False]),  # blogs say so of the whole page
        # Lower case may be longer than upper case: names after this one must not be taken for each other.
        (f"<p class={'İ' * 9}>x</p><p class=aa>y</p><p class=comments>z</p>", [False, False, True]),
        (f"<p class={'İ' * 9}>x</p><p class=comments>y</p><p class=bb>z</p>", [False, True, False]),
    ],
)
def test_comments_are_known_by_name(markup: str, expected: list[bool]) -> None:
    assert evidence_of(tamis.parse(markup)).in_comments.tolist() == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", []),
        ("<meta property=og:type content=article>", ["article"]),
        ("<meta property=OG:Type content=Product>", ["product"]),
        ("<meta property=og:type content=website><meta property=og:type content=article>", ["site"]),
        ("<meta name=og:type content=article>", []),
        ('<script type=\'application/LD+json\'>{"@type":[ "QAPage"]}</script>', ["forum"]),
        (
            '<script type=application/ld+json>{"@type" : "ItemList"}{"@type":"NewsArticle"}</script>',
            ["article", "listing"],
        ),
        ('<script>{"@type":"Product"}</script>', []),
        ('<script type=application/ld+json>"Product", {"type": "Product"}</script>', []),
    ],
)
def test_a_page_says_what_it_is_in_open_graph_and_linked_data(markup: str, expected: list[str]) -> None:
    columns = columns_of(markup + "<p>text</p>")
    said = [name for name in ("article", "product", "forum", "listing", "site") if columns[f"says_{name}"][0]]
    assert said == expected


def test_running_text_begins_at_ten_words_and_ends_where_half_of_them_are_links() -> None:
    links = "<a href=x>one two three four five</a>"
    markup = f"<p>{'word ' * 9}</p><p>{'word ' * 10}</p><p>{links} {'word ' * 5}</p><p>{links} {'word ' * 6}</p>"
    assert [value > 0 for value in columns_of(markup)["level0_share"]] == [False, True, False, True]


@pytest.mark.parametrize(
    ("markup", "after"),
    [
        ("<h2>one</h2><h1>two</h1><h1>three</h1>", [-1, 0, 1]),  # the first of the highest headings
        ("<title>one more</title><h2>one more</h2><h1>two</h1>", [0, 1]),
        ("<title>one more</title><p>one more</p><h1>two</h1>", [0, 1]),
        ("<p>no heading</p><p>at all</p>", [0, 1]),
    ],
)
def test_places_are_counted_from_what_seems_to_be_the_title(markup: str, after: list[float]) -> None:
    assert columns_of(markup)["after_title"] == after


@pytest.mark.parametrize(("links", "expected"), [(5, [1, 1, 1]), (30, [1, 0, 0])])
def test_the_window_reaches_over_links_only_if_more_is_beyond(links: int, expected: list[float]) -> None:
    markup = f"<p>{'word ' * 40}</p><p><a href=x>{'word ' * links}</a></p><p>{'word ' * 25}</p>"
    assert columns_of(markup)["in_window"] == expected


def test_a_title_is_known_by_its_words_in_any_script() -> None:
    columns = columns_of("<title>河水上涨_新闻</title><h1>河水上涨</h1><p>今天下雨</p>")
    assert columns["title_match"][0] == pytest.approx(1.0)  # all of its words, and more than half of the title's
    assert columns["title_match"][1] == 0
    assert columns["after_title"] == [0, 1]


def test_hidden_blocks_are_told_from_shown_ones_though_both_are_read() -> None:
    columns = columns_of("<div hidden><p>one</p><b>two</b></div><p>three</p>")
    assert columns["hidden"] == [1, 1, 0]
    assert columns["page_hidden"][0] == pytest.approx(2 / 3)


def test_every_feature_is_in_one_family_of_reasons_at_most_and_is_named_once() -> None:
    grouped = [name for family in FAMILIES.values() for name in family]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) <= set(NAMES)
    assert len(NAMES) == len(set(NAMES))
    assert "in_nav" in FAMILIES["elements"]
    assert "in_link" in FAMILIES["links"]


@pytest.mark.parametrize("name", HOSTILE)
def test_values_are_finite_whatever_the_page(name: str) -> None:
    page = tamis.parse(HOSTILE[name].make(HOSTILE[name].small)).revealed()
    if len(page.blocks):
        containers = build_containers(page)
        evidence = page_evidence(page, containers)
        assert evidence.columns.shape == (len(STATIC), len(page.blocks))
        assert np.isfinite(evidence.columns).all()
        low, high = _candidate_range(evidence)
        assert 0 <= low < high <= len(page.blocks)


_PROGRAM = """
import hashlib, sys, tamis
from tamis.scoring.containers import build_containers
from tamis.scoring.features import page_evidence
for markup in sys.stdin.read().split("\\0"):
    page = tamis.parse(markup).revealed()
    evidence = page_evidence(page, build_containers(page))
    print(hashlib.sha256(evidence.columns.tobytes() + evidence.groups.tobytes()).hexdigest())
"""
_TELLING = (
    "<title>Rivers of the north</title><h1>Rivers north of the town</h1><p class='a b c'>One two three, four.</p>"
    "<div id=comments><ul><li class=card>Rivers of the north</li><li class=card>two words</li></ul></div>",
    "<title>河水上涨</title><h2>上涨</h2><p role=main itemprop=articleBody>河水在夜里上涨。</p>",
)


def test_features_do_not_depend_on_the_hash_seed() -> None:
    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", _PROGRAM]
        done = subprocess.run(
            command, input="\0".join(_TELLING), env=environment, capture_output=True, check=True, encoding="utf-8"
        )
        return done.stdout

    first = run("1")
    assert re.fullmatch(r"[0-9a-f]{64}\n[0-9a-f]{64}\n", first)
    assert run("2") == first


def _candidate_range(evidence: features.Evidence) -> tuple[int, int]:
    """The blocks of the best candidate; they stand side by side."""
    inside = np.flatnonzero(evidence.columns[features.NAMES.index("in_candidate")])
    assert len(inside) == inside[-1] + 1 - inside[0]
    return int(inside[0]), int(inside[-1]) + 1
