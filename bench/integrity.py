"""Whether results are documents: the headline first, tables, lists and code whole, headings with a body, nothing twice.

    python -m bench.integrity --out DIR     all public pages; an hour on two cores with all peers
    python -m bench.integrity --pages 20    so many of each dataset, chosen by the hash of their ids

No gold is needed: what a page holds is compared with the Markdown that is made of it, for every system in the same way.
A cell, an item or a line is found by its words, and counts only if it stands once on its page and is long enough to be
told from others. Peers come with the extra ``peers``; Defuddle runs where ``--defuddle`` names a folder in which npm
installed ``defuddle`` and ``linkedom``. Those that are missing are named.

    headline        pages whose h1 repeats the title: it is there, and it is the first line
    partial table   of the data tables of which a quarter of the cells is kept: some cell is missing
    head cells      of the head cells of these tables: missing
    bare heading    of the headings written: nothing stands under it, although something does on the page
    split list      of the lists of which most items are kept: some item is missing
    lost code       of the listings with kept text on both sides: not there, or not whole
    lost caption    of the captions of figures with kept text on both sides: not there
    vain colon      of the kept lines that end in a colon before a list, a listing or a data table: nothing follows
    doubled         pages on which a paragraph of twelve words or more is written twice
    glued           pages with a word that is two words of the page
    raw HTML        pages with tags in the Markdown outside code; br is left out, the only line break in a cell
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tamis
from bench.markdown_systems import System, markdown_systems
from bench.rendered_text import rendered_text
from bench.structure_cases import KINDS, marked_blocks, own_cases
from tamis.about.headlines import headline_candidates
from tamis.about.likeness import PART
from tamis.about.titles import folded
from tamis.evaluation.datasets import Sample, data_folder, open_dataset, take
from tamis.page.blocks import block_texts
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.tables import LAYOUT, spanning, table_kinds

_NOT_PAGES = ("swde_sample", "date_htmldate")  # templates of a few sites, and pages that are in other sets
_SHORTEST = 6  # characters of a cell, an item or a line that is looked for
_LONG_LINE = 12  # words of a paragraph that is written twice
_KEPT_CELLS, _KEPT_ITEMS = 0.25, 0.5  # shares with which a table or a list is kept; fewer may stand elsewhere too
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*)$")
_FENCE = re.compile(r"^[ >]*(`{3,}|~{3,})[^\n]*\n.*?^[ >]*\1[ \t]*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"(?<!\\)</?(?:a|article|b|div|em|font|h[1-6]|img|li|p|section|span|table|td|th|tr|ul)\b[^<>]*>")
_INLINE_TAG = re.compile(r"</?(?:a|b|code|em|i|kbd|s|span|strong|sub|sup|u)\b[^<>]*>")
_LINK = re.compile(r"(!?)\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\\]|\\.|\([^()]*\))*\)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"(?<!\w)[*_~`]+|[*_~`]+(?!\w)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COLONS = (":", "：")
_COMMAND = re.compile(r"\\[A-Za-z]+")


@dataclass
class Counts:
    """What was found of what a system could have kept."""

    found: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, hits: int, possible: int, example: str = "") -> None:
        self.found[name] += hits
        self.of[name] += possible
        if hits and example:
            self.examples.setdefault(name, []).append(example)


COLUMNS = {
    "headline": "headline present",
    "first": "present and first",
    "tables": "partial tables",
    "heads": "head cells lost",
    "bare": "headings without body",
    "lists": "split lists",
    "code": "lost code",
    "captions": "lost captions",
    "colons": "colons before nothing",
    "doubled": "pages with doubles",
    "glued": "pages with glued words",
    "raw": "pages with raw HTML",
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pages", type=int, help="of each dataset; all if not given")
    arguments.add_argument("--datasets", nargs="*", help="instead of all public ones")
    arguments.add_argument("--only", nargs="*", help="these systems")
    arguments.add_argument("--defuddle", type=Path, help="a folder with node_modules")
    arguments.add_argument("--out", type=Path, help="a folder for the tables and the pages that count")
    chosen = arguments.parse_args()
    systems = {
        name: run for name, run in markdown_systems(chosen.defuddle).items() if not chosen.only or name in chosen.only
    }
    counts = {name: Counts() for name in systems}
    pages = 0
    for dataset in chosen.datasets or _public():
        for sample in take(open_dataset(dataset), chosen.pages) if chosen.pages else open_dataset(dataset):
            pages += 1
            measure(sample, systems, counts)
        print(f"{dataset}: {pages} pages so far", file=sys.stderr, flush=True)
    text = f"{pages} pages\n\n{to_markdown(counts)}\n{cases_table(systems)}"
    print(text)
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        (chosen.out / "integrity.md").write_text(text, encoding="utf-8")
        told = {name: own.examples for name, own in counts.items()}
        (chosen.out / "examples.json").write_text(json.dumps(told, indent=1, ensure_ascii=False), encoding="utf-8")


def measure(sample: Sample, systems: dict[str, System], counts: dict[str, Counts]) -> None:
    """Add what each system makes of one page."""
    page = tamis.parse(sample.html, url=sample.url)
    things = _things(page)
    known = {word.casefold() for word in _WORD.findall(rendered_text(page.source) + " " + _declared(page))}
    for name, system in systems.items():
        try:
            output = system(sample)
        except Exception as error:  # another program's failure is its own, and costs it nothing here
            print(f"{name} on {sample.id}: {error!r}"[:200], file=sys.stderr)
            continue
        if output.strip():
            _count(things, known, output, counts[name], f"{sample.dataset}/{sample.id}")


@dataclass(frozen=True)
class _Things:
    """What a page holds, as folded texts."""

    headline: str
    tables: list[tuple[list[str], list[str]]]  # cells, and head cells, of each
    lists: list[list[str]]
    listings: list[tuple[str, list[str], str]]  # text before, lines, text behind
    captions: list[tuple[str, str, str]]  # text before the figure, caption, text behind the figure
    announced: list[tuple[str, list[str]]]  # text that ends in a colon, what the structure behind it holds
    bare: frozenset[str]  # headings with nothing under them


def _things(page: Page) -> _Things:
    nodes, blocks = page.nodes, page.blocks
    best = [one for one in headline_candidates(page) if one.likeness >= PART and one.level == 1]
    texts = [folded(text) for text in block_texts(blocks)]
    whole = f" {' '.join(texts)} "

    def told(holders: Any) -> list[str]:
        """Texts of the blocks below some nodes, if they can be told from others."""
        first, last = np.searchsorted(starts, holders), np.searchsorted(starts, nodes.end[holders])
        own = [texts[number] for one, other in zip(first, last, strict=True) for number in range(one, other)]
        return [text for text in own if len(text) >= _SHORTEST and whole.count(f" {text} ") == 1]

    def announce(holder: int, parts: list[str]) -> None:
        """Note the parts of a structure if the text right before it ends in a colon."""
        first = int(np.searchsorted(starts, holder))
        if parts and first > 0 and len(texts[first - 1]) >= _SHORTEST:
            end = int(blocks.end[first - 1])
            if page.text[max(0, end - _SHORTEST) : end].rstrip().endswith(_COLONS):
                announced.append((texts[first - 1], parts))

    starts = blocks.leaves[blocks.first_leaf[:-1]] if len(blocks) else np.zeros(0, dtype=np.int64)
    tables, lists, listings = [], [], []
    announced: list[tuple[str, list[str]]] = []
    taken = np.zeros(len(nodes), dtype=np.bool_)
    for table, kind in sorted(table_kinds(page, blocks.leaves, spanning(page)).items()):
        if kind != LAYOUT and not taken[table]:
            taken[table : nodes.end[table]] = True
            inside = np.arange(table, nodes.end[table])
            heads = inside[mask("th")[nodes.tag[inside]]]
            tables.append((told(np.array([table])), told(heads)))
            announce(table, tables[-1][0])
    for node in np.flatnonzero(nodes.named("ul", "ol")).tolist():
        inside = np.arange(node, nodes.end[node])
        items = inside[mask("li")[nodes.tag[inside]]]
        first, last = np.searchsorted(starts, (node, nodes.end[node]))
        if not taken[node] and len(items) > 2 and last - first <= 1.5 * len(items):
            lists.append(told(np.array([node])))
        if not taken[node]:
            announce(node, told(np.array([node])))
        taken[node : nodes.end[node]] = True
    for node in np.flatnonzero(nodes.named("pre")).tolist():
        first, last = np.searchsorted(starts, (node, nodes.end[node]))
        lines = [folded(line) for line in page.node_text(node).splitlines()]
        lines = [line for line in lines if len(line) >= _SHORTEST]
        if lines and first > 0 and last < len(texts):
            listings.append((texts[first - 1], lines, texts[last]))
            announce(node, lines)
    captions = []
    figures = nodes.nearest(nodes.named("figure"))
    for node in np.flatnonzero(nodes.named("figcaption")).tolist():
        figure = int(figures[node])
        first, last = np.searchsorted(starts, (figure, nodes.end[figure]))
        if figure and first > 0 and last < len(texts):
            captions += [(texts[first - 1], text, texts[last]) for text in told(np.array([node]))[:1]]
    headline = folded(page.node_text(best[0].node)) if best else ""
    return _Things(headline, tables, lists, listings, captions, announced, _bare(page, texts))


def _bare(page: Page, texts: Sequence[str]) -> frozenset[str]:
    """Headings that head nothing on the page itself."""
    level = np.zeros(len(page.nodes), dtype=np.int64)
    for number in range(1, 7):
        level[page.nodes.named(f"h{number}")] = number
    of_block = level[page.nodes.nearest(level > 0)][page.blocks.node] if len(texts) else level[:0]
    found = [
        texts[number]
        for number in np.flatnonzero(of_block).tolist()
        if number + 1 == len(texts) or 0 < of_block[number + 1] <= of_block[number]
    ]
    return frozenset(found)


def _count(things: _Things, known: set[str], output: str, counts: Counts, where: str) -> None:
    plain = _plain(output)
    text = f" {folded(plain)} "
    if things.headline:
        is_there = f" {things.headline} " in text
        first = next((line for line in map(folded, plain.splitlines()) if line), "")
        counts.add("headline", is_there, 1)
        counts.add("first", is_there and things.headline in first, 1)
        if things.headline not in first:
            counts.examples.setdefault("not first", []).append(f"{where}: {things.headline[:60]} / {first[:60]}")
    for cells, heads in things.tables:
        kept = sum(f" {cell} " in text for cell in cells)
        if kept > 1 and kept >= _KEPT_CELLS * len(cells):
            counts.add("tables", kept < len(cells), 1, f"{where}: {kept} of {len(cells)} {cells[0][:40]}")
            counts.add("heads", sum(f" {cell} " not in text for cell in heads), len(heads), f"{where}: {heads[:3]}")
    for items in things.lists:
        kept = sum(f" {item} " in text for item in items)
        if kept > _KEPT_ITEMS * len(items):
            counts.add("lists", kept < len(items), 1, f"{where}: {kept} of {len(items)} {items[0][:40]}")
    for before, lines, behind in things.listings:
        is_between = before and behind and f" {before} " in text and f" {behind} " in text
        if is_between:
            counts.add("code", any(f" {line} " not in text for line in lines), 1, f"{where}: {lines[0][:60]}")
    for before, caption, behind in things.captions:
        if before and behind and f" {before} " in text and f" {behind} " in text:
            counts.add("captions", f" {caption} " not in text, 1, f"{where}: {caption[:60]}")
    for line, parts in things.announced:
        if f" {line} " in text:
            counts.add("colons", all(f" {part} " not in text for part in parts), 1, f"{where}: {line[-40:]}")
    bare, headings = _bare_headings(output, things.bare | {things.headline})
    counts.add("bare", len(bare), headings, f"{where}: {bare[:3]}")
    written = Counter(map(folded, _plain(_FENCE.sub("", output)).splitlines()))
    doubled = [line for line, count in written.items() if count > 1 and len(line.split()) >= _LONG_LINE]
    counts.add("doubled", bool(doubled), 1, f"{where}: {doubled[:1]}")
    glued = _glued(plain, known)
    counts.add("glued", bool(glued), 1, f"{where}: {glued[:3]}")
    tags = _TAG.findall(_FENCE.sub("", output))
    counts.add("raw", bool(tags), 1, f"{where}: {tags[:2]}")


def _plain(output: str) -> str:
    """Markdown without its marks, good enough for comparing words; code stays as it is."""
    parts, place = [], 0
    for fence in _FENCE.finditer(output):
        parts += [_unmarked(output[place : fence.start()]), fence[0]]
        place = fence.end()
    return "".join((*parts, _unmarked(output[place:])))


def _unmarked(text: str) -> str:
    text = _LINK.sub(lambda match: "" if match[1] else match[2], text)
    text = _LINK.sub(lambda match: "" if match[1] else match[2], text)  # an image in a link leaves a link
    text = re.sub(r"\[\^[\w-]+\]:?|</?[a-z][^<>]*>", " ", _INLINE_TAG.sub("", text))
    return _EMPHASIS.sub("", _ESCAPE.sub(r"\1", html.unescape(text)))


def _bare_headings(output: str, exempt: frozenset[str]) -> tuple[list[str], int]:
    """Headings of Markdown with nothing under them, and how many headings there are."""
    lines = [line for line in _FENCE.sub("code", output).splitlines() if line.strip()]
    found, count = [], 0
    for number, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading and folded(_plain(heading[2])):
            count += 1
            behind = _HEADING.match(lines[number + 1]) if number + 1 < len(lines) else None
            is_bare = number + 1 == len(lines) or (behind is not None and len(behind[1]) <= len(heading[1]))
            if is_bare and folded(_plain(heading[2])) not in exempt:
                found.append(heading[2])
    return found, count


def _glued(plain: str, known: set[str]) -> list[str]:
    """Words that are none of the page's, but two of them; commands of formulas are no words."""
    strange = {word.casefold() for word in _WORD.findall(_COMMAND.sub(" ", plain))} - known
    return sorted(
        word
        for word in strange
        if word.isascii() and any(word[:cut] in known and word[cut:] in known for cut in range(2, len(word) - 1))
    )


def _declared(page: Page) -> str:
    """What attributes and meta elements say in words."""
    return page.source if len(page.source) < 3_000_000 else ""


def to_markdown(counts: dict[str, Counts]) -> str:
    """One line per measure, one column per system: share, and how many of how many."""
    lines = ["| | " + " | ".join(counts) + " |", "|---|" + "---:|" * len(counts)]
    for key, title in COLUMNS.items():
        cells = [
            f"{own.found[key] / max(own.of[key], 1):.1%} ({own.found[key]} of {own.of[key]})" for own in counts.values()
        ]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def cases_table(systems: dict[str, System]) -> str:
    """The structure pages of the repository: those whose code, formulas and tables come out as they should."""
    cases = list(own_cases())
    lines = [
        f"{len(cases)} structure pages of the repository",
        "",
        "| | code | formulas | tables |",
        "|---|---:|---:|---:|",
    ]
    for name, system in systems.items():
        lines.append(f"| {name} | {' | '.join(_case_cells(cases, system))} |")
    return "\n".join(lines) + "\n"


def _case_cells(cases: Sequence[Any], system: System) -> Iterator[str]:
    for kind in KINDS:
        own = [case for case in cases if case.gold[kind]]
        right = 0
        for case in own:
            found = marked_blocks(system(Sample(id="case", html=case.html, gold="")))
            right += [" ".join(one.split()) for one in found[kind]] == [
                " ".join(one.split()) for one in case.gold[kind]
            ]
        yield f"{right} of {len(own)}"


def _public() -> list[str]:
    folder = data_folder()
    if folder is None:
        sys.exit("there is no data folder: set TAMIS_DATA")
    names = sorted(file.name.removesuffix(".jsonl.xz") for file in (folder / "public").glob("*.jsonl.xz"))
    return [f"public/{name}" for name in names if name not in _NOT_PAGES]


if __name__ == "__main__":
    main()
