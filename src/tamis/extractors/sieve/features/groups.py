"""Blocks and containers that look alike: cards, posts, menu entries."""

from __future__ import annotations

from tamis.extractors.sieve.features.material import Columns, Material, per_level


def columns(material: Material) -> Columns:
    alike, siblings, card = material.alike, material.siblings, material.card
    page_text = max(material.counts.page["text_words"], 1)
    levels = material.repeats[material.containers.ancestors]
    return {
        "alike": alike.blocks[alike.of],
        "alike_share": (alike.text_words / page_text)[alike.of],
        "alike_words": (alike.words / alike.blocks)[alike.of],
        "siblings_alike": siblings.blocks[siblings.of],
        "siblings_share": (siblings.text_words / page_text)[siblings.of],
        **per_level("repeated{}", levels[1:], first=1),
        "most_repeated": card.repeats,
        "card_words": card.words,
        "card_share": card.text_words * card.repeats / page_text,
    }
