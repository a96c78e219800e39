"""Draws docs/figures/: what each extractor sees on examples/article.html, and what the methods for several pages see.

python -m bench.figures
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bench import (
    block_figures,
    clusterer_figures,
    distance_figures,
    flow_figure,
    region_figures,
    source_figures,
    template_figures,
    tree_figures,
)
from bench.scores import ROOT
from tamis.extractors.elements.trees import load_model
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.training.tree_rules import tree_picture

EXAMPLE = ROOT / "examples" / "article.html"
FOLDER = ROOT / "docs" / "figures"

FIGURES: Mapping[str, Callable[[Page], str]] = {
    **source_figures.FIGURES,
    **block_figures.FIGURES,
    **tree_figures.FIGURES,
    **region_figures.FIGURES,
    **flow_figure.FIGURES,
    "elements": lambda _: tree_picture(load_model(), "p"),
}

SEVERAL_PAGES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "distances": distance_figures.FIGURES,
    "clusterers": clusterer_figures.FIGURES,
    "templates": template_figures.FIGURES,
}
"""Figures on small pages of their own, by the folder they lie in."""


def main() -> int:
    write_figures(FOLDER)
    return 0


def write_figures(folder: Path) -> None:
    page = parse(EXAMPLE)
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in FIGURES.items():
        (folder / f"{name}.svg").write_text(draw(page), encoding="utf-8")
    for kind, figures in SEVERAL_PAGES.items():
        (folder / kind).mkdir(exist_ok=True)
        for name, draw_pages in figures.items():
            (folder / kind / f"{name}.svg").write_text(draw_pages(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
