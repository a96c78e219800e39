"""The page as a whole, and what it says it is: the same numbers for all of its blocks."""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.features.material import Columns, Material
from tamis.extractors.sieve.features.sayings import sayings
from tamis.page.html import mask
from tamis.page.model import HIDDEN


def columns(material: Material) -> Columns:
    page, counts, sums = material.page, material.counts, material.counts.page
    blocks, words = sums["blocks"], max(sums["words"], 1)
    tag_counts = np.bincount(page.nodes.tag, minlength=len(mask()))
    return {
        "page_blocks": blocks,
        "page_words": sums["words"],
        "page_links": sums["link_words"] / words,
        "page_text": sums["text_words"] / words,
        "page_punctuation": (sums["ends"] + sums["commas"]) / words,
        "page_density": sums["characters"] / max(sums["tags"], 1),
        "page_longest": float(counts.words.max()),
        "page_headings": sums["headings"] / blocks,
        "page_articles": float(tag_counts[mask("article")].sum()),
        "page_items": sums["items"] / blocks,
        "page_cells": float(tag_counts[mask("td")].sum()),
        "page_inputs": float(tag_counts[mask("input", "textarea", "select")].sum()),
        "page_images": float(tag_counts[mask("img")].sum()),
        "page_hidden": float(((page.hidden_flags[page.blocks.node] & HIDDEN) != 0).mean()),
        "page_repeated": float(material.repeats.max()),
        "page_named_comments": float((material.in_comments * counts.words).sum()) / words,
        **sayings(page),
    }
