"""All methods on one page, side by side, and the extractors of others where they are installed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from tamis import extractors, registry
from tamis.evaluation.measures import Score, bag_of_words, word_sequence
from tamis.evaluation.peers import PEERS, import_peer, peer_version, run_peer
from tamis.evaluation.words import compare_words
from tamis.page.blocks import block_texts
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import collapse
from tamis.pictures.frame import html_page
from tamis.results import BlockChoice, Extraction


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What one method made of the page."""

    method: str
    extraction: Extraction  # of a peer, the blocks whose text is in what it gives
    text: str  # what it gives, in its own words
    words: int
    share: float  # of the words a reader can see
    agreement: float  # F1 of its words against those of the default method
    seconds: float  # from the source to the text, when the method is loaded
    gold_bag: Score | None = None
    gold_sequence: Score | None = None
    error: str = ""  # of a peer that failed on the page; it has no text then


def compare(page: Page, methods: Sequence[str] = (), gold: str | None = None) -> list[Comparison]:
    """Each method's result beside the default's, the default first; with a gold text the best come first.

    ``methods`` are names of ours or of peers; without any, all of ours.
    """
    default = extractors.extract(page).text
    total = max(len(compare_words(extractors.extract(page, "keep_all").text)), 1)
    found = []
    for name in methods or default_first(registry.names("extractors")):
        error = ""
        if name in PEERS:
            import_peer(name)  # that it is missing is no failure on this page
            text, error = _peers_text(name, page)
            seconds = _seconds(_peers_text, name, page)
            extraction = _peers_choice(page.revealed(), text)
        else:
            extraction = extractors.extract(page, name)
            text = extraction.text
            seconds = _seconds(_text, name, page)
        words = len(compare_words(text))
        found.append(
            Comparison(
                method=name,
                extraction=extraction,
                text=text,
                words=words,
                share=words / total,
                agreement=bag_of_words(default, text).f1,
                seconds=seconds,
                gold_bag=None if gold is None else bag_of_words(gold, text),
                gold_sequence=None if gold is None else word_sequence(gold, text),
                error=error,
            )
        )
    return sorted(found, key=lambda one: -one.gold_bag.f1) if gold is not None else found  # type: ignore[union-attr]


def default_first(names: Iterable[str]) -> list[str]:
    """The names with that of the default method in front.

    >>> default_first(["bte", "sieve", "wish"])
    ['sieve', 'bte', 'wish']
    """
    return sorted(names, key=lambda name: name != extractors.DEFAULT)


def installed_peers() -> list[str]:
    """Names of extractors of others that can be run here."""
    return [name for name in PEERS if peer_version(name)]


def _seconds(give: Callable[[str, Page], object], name: str, page: Page) -> float:
    start = time.perf_counter()
    give(name, page)
    return time.perf_counter() - start


def _text(name: str, page: Page) -> str:
    """What a method of ours gives for a page on which nothing was computed; one with boxes cannot be had again."""
    return extractors.extract(page if page.boxes is not None else parse(page.source, page.url), name).text


def _peers_text(name: str, page: Page) -> tuple[str, str]:
    """What a peer gives, and why it gives nothing if it fails: the code of others may raise anything."""
    try:
        return run_peer(name, page.source, page.url) or "", ""
    except Exception as error:
        return "", f"{type(error).__name__}: {error}"


def _peers_choice(page: Page, text: str) -> Extraction:
    """The blocks that a peer keeps, judged by its text: it says nothing about where that stands in the page."""
    given = f" {collapse(text)} "
    kept = np.array([bool(block) and collapse(block) in given for block in block_texts(page.blocks)], dtype=bool)
    return Extraction(page=page, spans=page.clip(page.blocks.start[kept], page.blocks.end[kept]))


def disagreements(page: Page, found: Sequence[Comparison]) -> list[tuple[str, list[str], list[str]]]:
    """The blocks that some methods keep and others drop: the text, who keeps it, and who drops it."""
    differing = []
    for row in zip(*_choices(page, found), strict=True):
        kept = [one.method for one, choice in zip(found, row, strict=True) if choice.kept]
        if 0 < len(kept) < len(found):
            differing.append((row[0].text, kept, [one.method for one in found if one.method not in kept]))
    return differing


def table(found: Sequence[Comparison]) -> tuple[list[str], list[list[str]]]:
    """Column names and cells, ready to print."""
    columns = ["method", "words", "share", f"like {extractors.DEFAULT}", "ms"]
    with_gold = bool(found) and found[0].gold_bag is not None
    columns += ["precision", "recall", "F1", "F1 in order"] if with_gold else []
    rows = []
    for one in found:
        cells = [one.method, str(one.words), f"{one.share:.0%}", f"{one.agreement:.3f}", f"{one.seconds * 1000:.1f}"]
        if one.gold_bag and one.gold_sequence:
            cells += [f"{value:.3f}" for value in (*one.gold_bag, one.gold_sequence.f1)]
        rows.append(cells)
    return columns, rows


def _choices(page: Page, found: Sequence[Comparison]) -> list[tuple[BlockChoice, ...]]:
    """What each method made of the same blocks: those of the page with its hidden blocks shown.

    A method that did not look at these blocks has no scores for them, only the share of each that it keeps.
    """
    seen = page.revealed()
    choices = []
    for one in found:
        own = one.extraction
        is_same = own.embedded is None and len(own.shown.page.blocks) == len(seen.blocks)
        choices.append(own.blocks if is_same else Extraction(page=seen, spans=own.spans).blocks)
    return choices


def to_html(page: Page, found: Sequence[Comparison], title: str) -> str:
    """One page to look at: every block of the page, and which method keeps it."""
    columns, rows = table(found)
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr><th scope=row>{escape(first)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in rest)}</tr>"
        for first, *rest in rows
    )
    names = "".join(f"<th scope=col><span>{escape(one.method)}</span></th>" for one in found)
    choices = zip(*_choices(page, found), strict=True)
    blocks = "".join(
        ("<tr>" if len({choice.kept for choice in row}) > 1 else '<tr class="same">')
        + "".join(
            f'<td class="{"kept" if choice.kept else ""}" title="{escape(one.method)}: {choice.score:.2f} '
            f'{escape(choice.reason)}"><span>{"kept" if choice.kept else "dropped"}</span></td>'
            for one, choice in zip(found, row, strict=True)
        )
        + f"<td class=text>{escape(row[0].text)}</td></tr>"
        for row in choices
    )
    return html_page(
        title,
        [
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
            "<h2>Blocks of the page</h2>",
            "<p>A filled cell: the method keeps more than half of the block. Point at it for the score.</p>",
            '<input type="checkbox" id="only"> <label for="only">only where the methods disagree</label>',
            f'<table class="blocks"><thead><tr>{names}<th></th></tr></thead><tbody>{blocks}</tbody></table>',
        ],
        _STYLE,
    )


_STYLE = """\
table { margin-bottom: 2rem; }
th, td { text-align: right; }
th:first-child, td.text { text-align: left; }
.blocks th { height: 7rem; vertical-align: bottom; padding: .3rem .1rem; }
.blocks th span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
.blocks td { padding: 0; width: 1.4rem; min-width: 1.4rem; }
.blocks td.text { width: auto; padding: .25rem .8rem; white-space: pre-wrap; max-width: 55rem; }
#only:checked ~ .blocks tr.same { display: none; }
.blocks td.kept { background: #009e73; }
.blocks td:not(.text) span { position: absolute; clip-path: inset(50%); }"""
