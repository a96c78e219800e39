"""The features of blocks, each as its words say it."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from tamis.about.comment_names import COMMENT_NAMES
from tamis.extractors.sieve import features
from tamis.extractors.sieve.containers import LEVELS, build_containers
from tamis.extractors.sieve.features import Evidence, markup, page_evidence
from tamis.page.model import HIDDEN, Page
from tamis.page.text import words as words_of
from tests.block_pages import held, lineage

ENDS, COMMAS = ".!?;:…。！？；：।؟", ",،、，"
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def evidence_of(page: Page) -> Evidence:
    return page_evidence(page, build_containers(page))


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
        for kind, tags in markup.KINDS.items():
            family[f"is_{kind}"] = [float(name in tags) for name in self.names]
        for kind, tags in markup.AROUND.items():
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
        family: dict[str, list[float]] = defaultdict(list)
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
        return any(word in called for word in COMMENT_NAMES)


def candidate_range(evidence: features.Evidence) -> tuple[int, int]:
    """The blocks of the best candidate; they stand side by side."""
    inside = np.flatnonzero(evidence.columns[features.PLACES["in_candidate"]])
    assert len(inside) == inside[-1] + 1 - inside[0]
    return int(inside[0]), int(inside[-1]) + 1
