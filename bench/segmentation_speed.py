"""What bcs and vips cost, by the number of boxes on the page and step by step.

    python -m bench.segmentation_speed --work DIR       half a minute; pages of DIR if bench.segmentation rendered some
    python -m bench.segmentation_speed --work DIR --keep-docs

Processor time, best of some runs, of a page that is parsed and laid out. The reference is measured in a process of its
own (``TAMIS_PURE=1``). Writes the section on speed of docs/segmenters/bcs.md and its figure.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import tamis
from bench.drawing import BLUE, GREY, ORANGE, WIDTH, curve, figure, legend, line, text
from bench.marks import refilled
from bench.scores import ROOT
from tamis.evaluation.segment_gold import read_marked_pages
from tamis.kernels import PURE_VARIABLE
from tamis.page.layout import laid_out
from tamis.page.model import Page
from tamis.rendering.kept import read_rendering
from tamis.segmenters import bcs, shown_pieces, vips

DOCS = ROOT / "docs" / "segmenters" / "bcs.md"
FIGURE = ROOT / "docs" / "figures" / "segments" / "bcs_speed.svg"
SIZES = (2, 8, 32, 128, 512, 2048)  # sections of the made-up page
_RUNS = 5
_SECTION = (
    "<section><h2>Title {0}</h2><ul><li><a href='/'>One</a></li><li><a href='/'>Two three</a></li><li><a href='/'>Four"
    "</a></li></ul><p>" + "Some words of a paragraph that is longer than a line. " * 5 + "</p><p>Short.</p>"
    "<img src='a.png' width=100 height=50></section>"
)
STEPS: Mapping[ModuleType, Mapping[str, str]] = {
    bcs: {
        "nest": "boxes and what holds them",
        "smallest_boxes": "the smallest boxes",
        "disjoint": "overlaps removed",
        "neighbours": "neighbours",
        "colors": "colours",
        "dissimilarities": "dissimilarities",
        "join_boxes": "joining",
        "_regions": "regions",
    },
    vips: {
        "nest": "boxes and what holds them",
        "elements_with_content": "elements with content",
        "_divided": "ten rounds of blocks and separators",
        "_judge": "degrees of coherence",
        "_region": "regions",
    },
}
"""The steps of each method: the function that takes it, and what it is called here."""

Curve = dict[str, list[float]]  # milliseconds by method, one for each size


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder in which bench.segmentation rendered pages")
    parser.add_argument("--keep-docs", action="store_true", help="do not write the documentation")
    parser.add_argument("--curve-only", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    boxes, measured = measure_curve()
    if arguments.curve_only:
        print(json.dumps(measured))
        return 0
    reference = subprocess.run(
        [sys.executable, "-m", "bench.segmentation_speed", "--work", str(arguments.work), "--curve-only"],
        env={**os.environ, PURE_VARIABLE: "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    measured["bcs, reference"] = json.loads(reference.stdout)["bcs"]
    real = list(rendered_pages(arguments.work))
    told = "\n".join([curve_table(boxes, measured), *page_table(real), *step_tables(made_page(SIZES[3]), real)])
    print(told)
    if not arguments.keep_docs:
        FIGURE.write_text(curve_figure(boxes, measured), encoding="utf-8")
        DOCS.write_text(refilled(DOCS.read_text(encoding="utf-8"), {"speed": told}), encoding="utf-8")
    return 0


def made_page(sections: int) -> Page:
    page = laid_out(tamis.parse("".join(_SECTION.format(number) for number in range(sections))))
    _ = page.flow  # a view that both methods read
    return page


def rendered_pages(work: Path) -> Iterator[Page]:
    """Every fourth page with marked blocks, if they were rendered into the folder."""
    if not (work / "pages").is_dir():
        return
    for marked in read_marked_pages(work / "pages")[::4]:
        files = list((work / "rendered").glob(f"{marked.site}-1366-*.npz"))
        boxes = read_rendering(files[0])[0] if files else None
        if boxes is not None:
            page = marked.parse().with_boxes(boxes)
            _ = page.flow
            yield page


def measure_curve() -> tuple[list[int], Curve]:
    """Milliseconds of both methods on pages of growing size."""
    boxes, found = [], Curve(bcs=[], vips=[])
    for sections in SIZES:
        page = made_page(sections)
        boxes.append(len(shown_pieces(page)))
        for name, method in (("bcs", bcs), ("vips", vips)):
            found[name].append(milliseconds(method, page))
    return boxes, found


def milliseconds(method: ModuleType, page: Page) -> float:
    options = method.Options()
    return 1000 * min(_seconds(lambda: method.segment(page, options)) for _ in range(_RUNS))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


@contextmanager
def watched(module: ModuleType, names: Sequence[str]) -> Iterator[dict[str, float]]:
    """Adds up the seconds that each of some functions takes when its module calls it."""
    spent = dict.fromkeys(names, 0.0)
    kept = {name: getattr(module, name) for name in names}

    def counted(name: str) -> Callable[..., Any]:
        depth = 0

        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal depth
            start, depth = time.process_time(), depth + 1
            try:
                return kept[name](*arguments, **options)
            finally:
                depth -= 1
                if not depth:  # a function that calls itself is counted once
                    spent[name] += time.process_time() - start

        return call

    for name in names:
        setattr(module, name, counted(name))
    try:
        yield spent
    finally:
        for name, function in kept.items():
            setattr(module, name, function)


def steps(module: ModuleType, page: Page) -> dict[str, float]:
    """Microseconds of each step, of the run that was quickest in all."""
    runs = []
    for _ in range(_RUNS):
        with watched(module, list(STEPS[module])) as spent:
            module.segment(page, module.Options())
        runs.append(spent)
    best = min(runs, key=lambda run: sum(run.values()))
    return {STEPS[module][name]: 1e6 * seconds for name, seconds in best.items()}


def curve_table(boxes: Sequence[int], measured: Curve) -> str:
    rows = zip(boxes, measured["bcs, reference"], measured["bcs"], measured["vips"], strict=True)
    lines = [
        "| texts and pictures | `bcs`, reference: ms | `bcs`, compiled: ms | `vips`: ms | `vips` / `bcs` |",
        "|---:|---:|---:|---:|---:|",
    ]
    lines += [f"| {n} | {slow:.1f} | {fast:.1f} | {other:.1f} | {other / fast:.1f} |" for n, slow, fast, other in rows]
    return "\n".join(lines) + "\n"


def page_table(pages: Sequence[Page]) -> list[str]:
    if not pages:
        return []
    spent = {method: [milliseconds(method, page) for page in pages] for method in (bcs, vips)}
    ratios = [slow / fast for fast, slow in zip(spent[bcs], spent[vips], strict=True)]
    texts = statistics.median(len(shown_pieces(page)) for page in pages)
    return [
        f"On {len(pages)} rendered pages (every fourth of those with marked blocks, {texts:.0f} texts and pictures in "
        f"the middle) `bcs` takes {statistics.median(spent[bcs]):.1f} ms in the middle, and `vips` "
        f"{statistics.median(spent[vips]):.1f} ms; `vips` takes {min(ratios):.1f} to {max(ratios):.1f} times as long, "
        f"{statistics.median(ratios):.1f} times in the middle.\n"
    ]


def step_tables(large: Page, real: Sequence[Page]) -> list[str]:
    """Each step on a large page, and on real pages in the middle."""
    parts = []
    for module, name in ((bcs, "bcs"), (vips, "vips")):
        on_large = steps(module, large)
        on_real = [steps(module, page) for page in real]
        lines = [
            f"| step of `{name}` | µs, page of {len(shown_pieces(large))} | µs, rendered pages |",
            "|---|---:|---:|",
        ]
        for step, microseconds in on_large.items():
            usual = f"{statistics.median(one[step] for one in on_real):.0f}" if on_real else ""
            lines.append(f"| {step} | {microseconds:.0f} | {usual} |")
        parts.append("\n".join(lines) + "\n")
    parts[-1] = parts[-1].rstrip("\n")
    return parts


def curve_figure(boxes: Sequence[int], measured: Curve) -> str:
    """Milliseconds over the number of boxes, both by powers of ten."""
    left, top, width, height = 60.0, 56.0, WIDTH - 90.0, 280.0
    most = max(max(values) for values in measured.values())
    decades = (math.floor(math.log10(boxes[0])), math.ceil(math.log10(boxes[-1])))
    levels = (-1, math.ceil(math.log10(most)))

    def x(value: float) -> float:
        return left + width * (math.log10(value) - decades[0]) / (decades[1] - decades[0])

    def y(value: float) -> float:
        return top + height * (1 - (math.log10(value) - levels[0]) / (levels[1] - levels[0]))

    parts = []
    for power in range(decades[0], decades[1] + 1):
        parts += [line(x(10**power), top, x(10**power), top + height, opacity=0.15)]
        parts += [text(x(10**power), top + height + 16, f"{10**power:,}", anchor="middle")]
    for power in range(levels[0], levels[1] + 1):
        parts += [line(left, y(10.0**power), left + width, y(10.0**power), opacity=0.15)]
        parts += [text(left - 6, y(10.0**power) + 4, f"{10.0**power:g} ms", anchor="end")]
    colours = {"bcs": BLUE, "bcs, reference": GREY, "vips": ORANGE}
    for name, values in measured.items():
        parts.append(curve([(x(n), y(value)) for n, value in zip(boxes, values, strict=True)], colours[name]))
    parts.append(text(left + width / 2, top + height + 36, "texts and pictures on the page", anchor="middle"))
    parts.append(legend(left, 38, [(colour, name) for name, colour in colours.items()]))
    return figure("Processor time of bcs and vips", parts, top + height + 48)


if __name__ == "__main__":
    sys.exit(main())
