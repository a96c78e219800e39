"""How well structure survives: code, formulas and tables of Tamis and of peers, on the same pages in the same run.

python -m bench.structure            block-level edit similarity on public/llm_webkit_bench and on our structure pages
python -m bench.structure --glued    words of result.text that are no words of the page, on every page of public/
python -m bench.structure --speed    time of all renderings beside that of extraction itself

Similarity: what an output marks as code, formula or table, joined, against the same of the gold; 1 minus the
Levenshtein distance divided by the longer of both, white space reduced to single blanks except in code. "verbatim" is
the share of gold blocks that occur in the output as they are, marked or not (code with its indentation, formulas
without regard to white space). A page counts for a kind when its gold has blocks of the kind. Tables of one row or one
column are left out on both sides; formulas in cells are compared without the marks around them. Pages and
gold are those of ``structure_cases``.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import turbohtml
from rapidfuzz.distance import Levenshtein

import tamis
from bench.installed import installed
from bench.pages import load_pages
from bench.rendered_text import rendered_text
from bench.structure_cases import DATASET, KINDS, Case, dataset_cases, marked_blocks, own_cases, squeezed, tidy_lines
from tamis.evaluation.datasets import data_folder, open_dataset
from tamis.page.text import IDEOGRAPH, char_classes, words

_UNSPACED = 0.1  # of the characters: on such pages Latin words stand between others without blanks

System = Callable[[str], str]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--glued", action="store_true")
    arguments.add_argument("--speed", action="store_true")
    arguments.add_argument("--dataset", help="with --glued or --speed: these pages only")
    arguments.add_argument("--pages", type=int, default=100)
    arguments.add_argument("--method", help="of Tamis; the usual one if not given")
    chosen = arguments.parse_args()
    if chosen.glued:
        print_glued(chosen.dataset, chosen.method)
    elif chosen.speed:
        print_speed(chosen.dataset or "public/wcxb", chosen.pages, chosen.method)
    else:
        systems = {
            "tamis": lambda page: tamis.extract(page, method=chosen.method).markdown,
            "tamis keep_all": lambda page: tamis.extract(page, method="keep_all").markdown,  # as converters do
            **_peers(),
        }
        for title, cases in (("structure pages of this project", own_cases()), (DATASET, dataset_cases())):
            print_similarities(title, list(cases), systems)


def print_similarities(title: str, cases: list[Case], systems: dict[str, System]) -> None:
    counts = {kind: sum(bool(case.gold[kind]) for case in cases) for kind in KINDS}
    blocks = {kind: sum(len(case.gold[kind]) for case in cases) for kind in KINDS}
    shown = ", ".join(f"{kind} {blocks[kind]} on {counts[kind]} pages" for kind in KINDS)
    print(f"\n{title}: {shown}\n\n{'system':<18}" + "".join(f"{kind:>10}{'verbatim':>10}" for kind in KINDS))
    for name, system in systems.items():
        scores: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
        for case in cases:
            output = system(case.html)
            found = marked_blocks(output)
            for kind in KINDS:
                if case.gold[kind]:
                    counted = [block for block in found[kind] if squeezed(block) not in case.others]
                    scores[kind].append((_similarity(case.gold[kind], counted), _verbatim(kind, case, output)))
        row = ""
        for kind in KINDS:
            similar, verbatim = (
                statistics.fmean(column) if column else 0.0 for column in zip(*scores[kind], strict=True)
            )
            row += f"{similar:>10.3f}" + (f"{verbatim:>10.3f}" if kind != "table" else f"{'':>10}")
        print(f"{name:<18}{row}")


def _similarity(gold: list[str], found: list[str]) -> float:
    return float(Levenshtein.normalized_similarity("\n".join(gold), "\n".join(found)))


def _verbatim(kind: str, case: Case, output: str) -> float:
    tidy = tidy_lines if kind == "code" else squeezed
    text = tidy(output)
    return statistics.fmean(tidy(block) in text for block in case.gold[kind])


def _peers() -> dict[str, System]:
    """Peers that are installed (extra ``peers``), each with its own way to Markdown or, if it has none, to text."""
    systems: dict[str, System] = {
        "turbohtml": lambda page: str(((document := turbohtml.parse(page)).main_content() or document).to_markdown())
    }
    if trafilatura := installed("trafilatura"):
        systems["trafilatura"] = lambda page: (
            trafilatura.extract(page, output_format="markdown", include_images=True) or ""
        )
    if resiliparse := installed("resiliparse.extract.html2text"):
        systems["resiliparse"] = lambda page: resiliparse.extract_plain_text(
            page, main_content=True, preserve_formatting="minimal_html"
        )
    if html_to_markdown := installed("html_to_markdown"):
        systems["html-to-markdown"] = lambda page: html_to_markdown.convert(page).content or ""
    if markdownify := installed("markdownify"):
        systems["markdownify"] = markdownify.markdownify
    return systems


def print_glued(dataset: str | None, method: str | None) -> None:
    """Words of the text that are no words of the page as a reader sees it."""
    folder = data_folder()
    if folder is None:
        print("there is no data folder: set TAMIS_DATA")
        return
    names = [dataset] if dataset else sorted(f"public/{file.name}" for file in (folder / "public").iterdir())
    for name in names:
        pages = strange = 0
        examples: Counter[str] = Counter()
        for sample in open_dataset(name.removesuffix(".jsonl.xz")):
            pages += 1
            page = sample.markup
            options: dict[str, Any] = {"hidden": "drop"} if method in (None, "sieve") else {}  # as in the twin
            result = tamis.extract(page, method=method, **options)
            text = result.text
            found = set(words(text)) - set(words(rendered_text(page)))
            is_unspaced = text and np.mean(char_classes(text) == IDEOGRAPH) > _UNSPACED
            is_embedded = any(warning.startswith("embedded") for warning in result.warnings)  # from a script
            if is_unspaced or is_embedded or result.shown.page.format == "xhtml":  # which the twin cannot mend
                found = set()
            strange += len(found)
            examples.update(sorted(found)[:3])
        shown = ", ".join(word for word, _ in examples.most_common(5))
        print(f"{name:<42}{pages:>6} pages{strange:>6} words  {shown}", flush=True)


def print_speed(dataset: str, limit: int, method: str | None) -> None:
    pages, origin = load_pages(dataset, limit)
    stages = ("extract", "metadata", "text", "markdown", "html", "json")
    totals = dict.fromkeys(stages, 0.0)
    for page in pages:
        best = dict.fromkeys(stages, float("inf"))
        for _ in range(5):
            started = time.perf_counter()
            result = tamis.extract(page, method=method)
            best["extract"] = min(best["extract"], time.perf_counter() - started)
            for stage in stages[1:]:  # metadata is no rendering, but part of what JSON writes
                started = time.perf_counter()
                result.render(stage) if stage == "json" else getattr(result, stage)
                best[stage] = min(best[stage], time.perf_counter() - started)
        for stage, seconds in best.items():
            totals[stage] += seconds
    print(f"{len(pages)} pages from {origin}, method {result.made.method}; each stage after the one before it")
    for stage, seconds in totals.items():
        print(f"{stage:<12}{seconds / len(pages) * 1000:>8.2f} ms{seconds / totals['extract']:>8.2f} x extract")
    rendering = sum(totals[stage] for stage in stages[2:])
    print(f"{'all formats':<12}{rendering / len(pages) * 1000:>8.2f} ms{rendering / totals['extract']:>8.2f} x extract")


if __name__ == "__main__":
    main()
