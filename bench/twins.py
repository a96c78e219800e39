"""Shows that the compiled kernels and the readable references give the same, page by page: arrays and extractions.

    python -m bench.twins [--fuzzed 100000] [--seed 0] [public/wcxb …]      all public pages if none are named

Prints how many pages were compared and where the first differences are; the exit status is 1 when there is one, and
when nothing was compiled.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from bench.about_twins import about_differences
from bench.output_twins import output_differences
from bench.sieve_twins import sieve_differences
from tamis import kernels
from tamis.characters import writable
from tamis.evaluation.datasets import data_folder, open_dataset
from tamis.page import _reference
from tamis.page.blocks import INTERRUPTING, LINE_TABLES
from tamis.page.limits import Limits
from tamis.page.listing import FLAGS_OF_TAGS
from tamis.page.model import IS_BLOCK
from tamis.page.parse import KINDS, build_tree, parse_nested, stylish_elements

_SHOWN = 10
_NAMES = (
    "a a a b br br body button div div div em h2 hr html i iframe img li math mi noscript ol option p p p pre font "
    "script section select span span style svg table tbody td template textarea title tr ul x-card desc"
).split()
_ATTRIBUTES = (
    ' class="a b"',
    ' id="main"',
    " hidden",
    ' style="display:none"',
    ' style="color:red;visibility: hidden"',
    ' aria-hidden="TRUE"',
    ' href="/x"',
    ' href="/x"',
    ' role="main"',
    ' itemprop="text"',
    ' shadowrootmode="open"',
    ' srcdoc="&lt;p&gt;inner &lt;b hidden&gt;page&lt;/b&gt;"',
    ' class="\ud800 half"',
    *(f" n{number}" for number in range(8)),
)
_TEXTS = (
    *(
        "one ",
        "two words",
        " ",
        "\n\t ",
        "end.",
        "&nbsp;",
        "&amp;",
        "\u00a0",
        "\u3000",
        "漢字",
        "кот и",
        "ไทย",
        "😀",
        "\ud83d",
    ),
    *(
        "\u2028",
        "a\u200bb",
        "\x1c",
        "\x85",
        "<!-- note -->",
        "<![CDATA[x]]>",
        "</p>",
        "</div>",
        "</table>",
        "</template>",
    ),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", metavar="DATASET")
    parser.add_argument("--fuzzed", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if reason := next(filter(None, map(kernels.why_not, kernels.PACKAGES)), ""):
        print(f"nothing to compare: {reason}", file=sys.stderr)
        return 1
    wrong = 0
    for name, pages in _sources(asked.datasets, asked.fuzzed, asked.seed):
        count = 0
        for count, markup in enumerate(pages, start=1):
            found = [*differences(markup), *about_differences(markup), *sieve_differences(markup)]
            found += output_differences(markup)
            wrong += bool(found)
            if found and wrong <= _SHOWN:
                print(f"{name}, page {count}: {', '.join(found)} differ; it begins {markup[:200]!r}")
        print(f"{name}: {count} pages compared", flush=True)
    print(f"{wrong} pages with differences")
    return int(wrong > 0)


def _sources(datasets: list[str], fuzzed: int, seed: int) -> Iterator[tuple[str, Iterator[str]]]:
    folder = data_folder()
    if not datasets and folder is not None:
        datasets = sorted(f"public/{file.name.partition('.')[0]}" for file in folder.glob("public/*.jsonl*"))
    for name in datasets:
        yield name, (sample.markup for sample in open_dataset(name))
    yield "fuzzed", (fuzzed_page(number) for number in range(seed, seed + fuzzed))


def differences(markup: str, limits: Limits | None = None) -> list[str]:
    """What the twins do not agree on for one page."""
    compiled = importlib.import_module("tamis.page._kernel")
    limits = limits or Limits()
    ours, theirs = (arrays(twin, markup, limits) for twin in (compiled, _reference))
    return [name for name in theirs if not _same(ours[name], theirs[name])]


def arrays(twin: ModuleType, markup: str, limits: Limits) -> dict[str, Any]:
    """Everything that a twin makes of a page."""
    document = build_tree(writable(twin.without_nuls(markup)))
    parse_nested(document, limits.node_budget(len(markup)))
    listing = twin.read_nodes(document, stylish_elements(document), KINDS, FLAGS_OF_TAGS, limits.max_nodes)
    nodes = twin.node_arrays(listing.child_counts, listing.own_flags, listing.text_lengths, limits.max_depth)
    every = np.arange(len(listing.tag))
    counts = listing.attribute_counts
    said = [name for group in _reference.CARRIED for name in group]
    carried = twin.carried(listing.handles, document.select(",".join(f"[{name}]" for name in said)))
    shown = twin.revealed_flags(listing.tag, nodes.flags, nodes.parent, nodes.end, IS_BLOCK)
    found = {
        **_named("listing", listing),
        **_named("nodes", nodes),
        "revealed": shown,
        "carried": carried,
        "called": twin.called(listing.handles, every, counts, carried, [_reference.UNASKED] * len(every)),
        "classes": twin.class_column(listing.handles, every, counts, [_reference.UNASKED] * len(every)),
        **{f"carried {name}": twin.attribute_column(listing.handles, every, name, carried) for name in said},
        **{f"said {name}": [twin.carried_values(listing.handles, every, name, carried)] for name in said},
        **{
            f"attribute {name}": twin.attribute_column(listing.handles, every, name, counts)
            for name in ("class", "href", "missing")
        },
        **dict(
            zip(
                ("tables", "cells"),
                twin.table_contents(listing.tag, *_table_places(nodes), every[::3].copy()),
                strict=True,
            )
        ),
        **dict(
            zip(
                ("line tags", "own kind"),
                twin.line_tags(listing.tag, nodes.flags, nodes.parent, *LINE_TABLES),
                strict=True,
            )
        ),
        "maybe cells": [twin.maybe_cells([word]) for word in (markup, *markup.split(), None)],
        "numbers": twin.node_numbers(listing.handles, document.select("p, [class], template *")),
        **{
            f"affordable for {budget}": twin.affordable_length(markup, budget, twin.survey(markup))
            for budget in (3, 30, 300, 3000, 30_000)
        },
        "affordable bytes": twin.affordable_length(
            markup.encode("utf-8", "replace"), 50, twin.survey(markup.encode("utf-8", "replace"))
        ),
        "survey": twin.survey(markup),
        "survey of bytes": twin.survey(markup.encode("utf-8", "replace")),
        "folded": [twin.folded(markup), twin.folded(listing.text)],
    }
    for name, flags in {"as parsed": nodes.flags, "revealed": nodes.flags if shown is None else shown}.items():
        text, tag, end, places = listing.text, listing.tag, nodes.end, (nodes.text_start, nodes.text_end)
        flow = twin.flow_arrays(text, tag, flags, end, *places, INTERRUPTING)
        found |= _named(f"flow {name}", flow)
        found[f"sizes {name}"] = twin.text_sizes(tag, flags, *places, IS_BLOCK)
        found |= _named(f"blocks {name}", twin.block_arrays(flow, tag, flags, nodes.parent, *places, INTERRUPTING))
        found[f"spans {name}"] = twin.filled_spans(flow.run, flow.characters, tag, flags, *places)
    return found


def _table_places(nodes: _reference.NodeArrays) -> tuple[Any, ...]:
    return nodes.flags, nodes.parent, nodes.end, nodes.text_start, nodes.text_end


def _named(name: str, result: Any) -> dict[str, Any]:
    fields = {f"{name}.{field}": value for field, value in result._asdict().items()}
    return {field: value for field, value in fields.items() if not field.endswith(".handles")}


def _same(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, np.ndarray):
        return isinstance(ours, np.ndarray) and ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
    return type(ours) is type(theirs) and bool(ours == theirs)


def fuzzed_page(seed: int) -> str:
    """A page of tags, texts and oddities in no order, the same for the same number."""
    chance = random.Random(seed)
    parts: list[str] = []
    for _ in range(chance.randrange(1, 60)):
        kind = chance.random()
        if kind < 0.45:
            attributes = chance.choices(_ATTRIBUTES, k=chance.choice((0, 0, 1, 2)))
            parts.append(f"<{chance.choice(_NAMES)}{''.join(attributes)}>")
        elif kind < 0.6:
            parts.append(f"</{chance.choice(_NAMES)}>")
        else:
            parts.append(chance.choice(_TEXTS))
    return "".join(parts)


if __name__ == "__main__":
    sys.exit(main())
