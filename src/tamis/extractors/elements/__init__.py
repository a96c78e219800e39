"""The content elements, images included, that a decision tree for their kind classifies as main.

Idea:      a page consists of content elements (p, li, td, headings, images ...), each either main or noise. Rules find
           the obvious noise (in links, menus, advertisements); a decision tree per kind of element classifies the
           rest by its position, its text, its siblings and the names of its ancestors.
Reference: Yunis (2016), Content Extraction from Webpages Using Machine Learning.
Departs:   text outside all content elements is also classified, by a tree for ``rest``. Positions and sizes are
           estimated if the page was not rendered. The name of an element that holds most of the page does not make its
           content a menu or an advertisement. White space beside a link does not count. The trees are ours, because
           those of the thesis are not printed.
Strong at: pages whose parts differ in kind; keeping the images that belong to the text; rules that can be read.
Weak at:   short elements; pages in which the same kind of element is content here and noise there.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamis.extractors.elements.features import element_features
from tamis.extractors.elements.groups import IMAGE, find_elements
from tamis.extractors.elements.noise_headings import under_noise_heading
from tamis.extractors.elements.trees import MODELS, ElementModel, Judgement, conditions, judge, load_model
from tamis.page.layout import laid_out
from tamis.page.model import Page
from tamis.page.text import Bools
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which trees to use, and the threshold of their probability."""

    model: str = ""  # a file made by tamis train --model elements; default: the shipped model
    threshold: float = 0.5  # an element is kept above it; half is what a vote in a leaf means
    noise_headings: bool = False  # drop sections under headings such as "Related"; proposed, not evaluated, there


def extract(page: Page, options: Options) -> Extraction:
    """Keep the elements that are main by their trees."""
    model = load_model(options.model)
    seen = page if page.boxes is not None else page.revealed()
    elements = find_elements(seen)
    names = model.used
    features = element_features(laid_out(seen), elements, names)
    judgement = judge(model, names, features, elements.group)
    is_main = (judgement.chance > options.threshold) & (features[names.index("rect_size")] != 0)
    if options.noise_headings:
        is_main &= ~under_noise_heading(seen)[elements.node]
    owner = elements.owner[seen.blocks.leaves[seen.blocks.first_leaf[:-1]]]
    told = _reasons(model, judgement, is_main)
    return Extraction(
        page=page,
        view=None if seen is page else seen,
        spans=seen.text_spans(elements.leaves(seen, is_main)),
        images=tuple(elements.node[is_main & (elements.group == IMAGE)].tolist()),
        scores=tuple(judgement.chance[owner].tolist()),
        reasons=tuple(told[element] for element in owner.tolist()),
    )


def _reasons(model: ElementModel, judgement: Judgement, is_main: Bools) -> list[str]:
    """Why each element was kept or dropped."""
    known: dict[tuple[int, int], str] = {}
    told = []
    rows = zip(
        judgement.model.tolist(), judgement.leaf.tolist(), judgement.is_ruled.tolist(), is_main.tolist(), strict=True
    )
    for number, leaf, is_ruled, kept in rows:
        if (number, leaf) not in known:
            tree = model.trees.get(MODELS[number])
            asked = conditions(tree, leaf, model.features) if tree is not None and leaf >= 0 else ()
            known[number, leaf] = f"{MODELS[number]}: {', '.join(asked) or 'no question asked'}"
        why = f"{MODELS[number]}: a rule for noise" if is_ruled else known[number, leaf]
        told.append(f"{'kept' if kept else 'dropped'}: {why}")
    return told
