"""How much memory a page takes, as a multiple of its size: ordinary pages, and pages made to take much.

    python -m bench.memory                    every shape, each in a process of its own
    python -m bench.memory --only lists       shapes whose name holds this
    python -m bench.memory --step parse       parse, blocks, extract (what is measured if nothing is said), markdown

Prints the peak above what the process held before, the same per byte of the page, seconds, and whether the page was
cut. The exit status is 1 when an ordinary page takes more than 12 times its size or any page more than the limit that
the documentation states.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.pages import ROOT
from tamis.page.limits import Limits

MEGABYTE = 1_000_000
MAX_RATIO = 12  # of an ordinary page
STEPS = {
    "parse": "tamis.parse(page)",
    "blocks": "tamis.parse(page).blocks",
    "extract": "(result := tamis.extract(page), result.text)",
    "markdown": "(result := tamis.extract(page), result.markdown)",
}

# Run by an interpreter of its own, so that the peak is that of one page.
_PROGRAM = """
import sys, time, tamis
def memory(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))
page = sys.stdin.buffer.read()
warm = tamis.extract(b"<p>some words that warm up what is loaded when first needed")
warm.text, warm.markdown
open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew
before, start = memory("VmRSS"), time.process_time()
kept = {step}
print(memory("VmHWM") - before, time.process_time() - start, any("truncated" in w for w in {warnings}))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--step", choices=STEPS, default="extract")
    asked = parser.parse_args()
    failed = False
    print(f"{'page':34}{'MB':>7}{'peak MB':>9}{'x page':>8}{'seconds':>9}  cut")
    for name, make in shapes().items():
        if asked.only not in name:
            continue
        page = make()
        peak, seconds, cut = measure(page, asked.step)
        ratio = peak / len(page)
        failed |= name.startswith("ordinary") and ratio > MAX_RATIO
        failed |= peak > Limits().max_memory
        print(
            f"{name:34}{len(page) / MEGABYTE:7.1f}{peak / MEGABYTE:9.0f}{ratio:8.1f}{seconds:9.2f}  {cut}", flush=True
        )
    return int(failed)


def shapes() -> dict[str, Callable[[], bytes]]:
    """Pages by name; those made to break something come from the tests, at their full size."""
    sys.path.insert(0, str(ROOT))  # the generators belong to the tests
    from tests.hostile import HOSTILE

    def hostile(name: str) -> Callable[[], bytes]:
        def make() -> bytes:
            markup = HOSTILE[name].make(HOSTILE[name].full)
            return markup if isinstance(markup, bytes) else markup.encode("utf-8", "replace")

        return make

    return {
        "ordinary 0.2 MB": lambda: ordinary(MEGABYTE // 5),
        "ordinary 2 MB": lambda: ordinary(2 * MEGABYTE),
        "ordinary 20 MB": lambda: ordinary(20 * MEGABYTE),
        "ordinary 20 MB, ideographs": lambda: ordinary(20 * MEGABYTE, "汉字"),
        "dense 20 MB": lambda: ordinary(20 * MEGABYTE, attributes=""),
        "500,000 rows": lambda: b"<table>" + b"<tr><td>a<td>b</tr>" * 500_000,
        "lists nested to 1.8 MB": lambda: b"<ul><li>" * 225_000 + b"core",
        **{f"hostile: {name}": hostile(name) for name in HOSTILE},
    }


# What elements of public pages carry, so that a node takes as much markup as there: 90 bytes (public/wcxb).
_ATTRIBUTES = (
    ' class="css-1q2w3e4 layout__item layout__item--wide u-margin-bottom-large js-tracked" data-testid="element-12"'
    ' data-track="section:main;position:7" id="element-0123456789"'
)


def ordinary(size: int, words: str = "", attributes: str = _ATTRIBUTES) -> bytes:
    """The example page of the project with its body repeated until it has this size."""
    markup = Path(ROOT, "examples", "article.html").read_text(encoding="utf-8")
    head, body, tail = re.split(r"(?<=<body>)|(?=</body>)", markup)
    body = re.sub(r"<(\w+)", rf"<\1{attributes}", body.replace(" the ", f" the {words} ") if words else body)
    return (head + body * max(1, size // len(body.encode())) + tail).encode()


def measure(page: bytes, step: str) -> tuple[int, float, bool]:
    """Bytes at the peak, seconds of processor time, and whether the page was cut."""
    warnings = "kept[0].warnings" if step in ("extract", "markdown") else "getattr(kept, 'page', kept).warnings"
    program = _PROGRAM.replace("{step}", STEPS[step]).replace("{warnings}", warnings)
    said = subprocess.run([sys.executable, "-c", program], input=page, capture_output=True, check=True).stdout.split()
    return int(said[0]), float(said[1]), said[2] == b"True"


if __name__ == "__main__":
    sys.exit(main())
