"""Keep all visible text.

Idea:      a baseline without extraction. Any useful method must beat its F1; what is missing here was lost in parsing.
Reference: the baseline ``plain`` of Gottron (2008), section 5.4.2; naive tag stripping in Weninger et al. (2010).
Departs:   text that no browser shows (hidden elements, the page title) is left out, as in every Tamis extraction. With
           ``title`` and ``hidden`` it is the baseline of the thesis: all text that is no script, style or comment.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamis.page.kernel import kernel
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import Ints
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """Both together are the baseline of the thesis, which strips tags, comments, scripts and styles only."""

    title: bool = False  # also the text of the element title
    hidden: bool = False  # also other text that no browser shows: hidden elements, templates, names of drawings


def extract(page: Page, options: Options) -> Extraction:
    if options.title or options.hidden:
        unseen = _unseen(page, options)
        if len(unseen):
            view = page.showing(unseen)
            return Extraction(page=page, spans=_spans(view), view=view)
    return Extraction(page=page, spans=_spans(page))


def _spans(page: Page) -> tuple[Span, ...]:
    """The visible text of all runs that hold more than white space; so do blocks, but what they count is not needed."""
    nodes, flow = page.nodes, page.flow
    return kernel.filled_spans(flow.run, flow.characters, nodes.tag, nodes.flags, nodes.text_start, nodes.text_end)


def _unseen(page: Page, options: Options) -> Ints:
    """The text nodes to be kept that no browser shows."""
    nodes = page.nodes
    in_title = nodes.inside(nodes.named("title") & nodes.inside(nodes.named("head")))
    is_code = nodes.inside(nodes.named("script", "style"))
    wanted = (in_title & options.title) | (~in_title & ~is_code & options.hidden)
    wanted[nodes.visible_texts] = False
    texts: Ints = nodes.texts[wanted[nodes.texts]]
    return texts
