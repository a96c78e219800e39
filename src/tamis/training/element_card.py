"""The card of a model of elements: from what it was made, how, how good it is, and its rules."""

from __future__ import annotations

from pathlib import Path

from tamis.evaluation.element_scores import report_table
from tamis.training.element_trees import TrainedElements
from tamis.training.folds import FOLDS
from tamis.training.tree_rules import rules_text


def write_card(trained: TrainedElements, file: Path) -> str:
    """The card, as Markdown."""
    model, card = trained.model, trained.model.card
    recipe = card["recipe"]
    growth = ", ".join(f"{name} {value}" for name, value in recipe["growth"].items())
    rows = "\n".join(
        f"| {name} | {card['pages'][name]} | {trained.oracle_f1[name]:.3f} | {trained.page_f1[name]:.3f} |"
        for name in trained.page_f1
    )
    return f"""# Model card: {file.name}

Trees of the extractor `elements`, made with {card["made"]}. {len(model.trees)} trees for {", ".join(model.trees)};
{card["elements"]:,} content elements. Features: the families {", ".join(recipe["families"])}; boxes: {recipe["boxes"]};
{growth}.

## Made from

Labels come from gold text that is aligned with the page, or from functional blocks. *Oracle* is the word F1 of the text
of the elements that are labelled main: no choice of elements can be much better. *F1* is that of the trees against the
labels, on hosts that were left out ({FOLDS} folds by host), as a mean over pages.

| dataset | pages | oracle | F1 |
|---|---:|---:|---:|
{rows}

Gold text says nothing about images: there, an image counts as main when the elements with words before and after it do.

## By element and by word, beside the thesis (other pages)

{report_table(trained.report)}

## Rules

Before the trees, elements in links, menus and advertisements are called noise by rules (`NOISE_RULES`).

```
{rules_text(model)}```
"""
