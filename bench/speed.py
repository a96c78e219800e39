"""How long each view and each method takes, and how that compares with peers on the same pages in the same run.

python -m bench.speed [--dataset public/wcxb] [--pages 100] [--repeat 5] [--only sieve] [--busy 2]
python -m bench.speed --threads 8      only threads: pages per second of one and of eight in the same process

``--only sieve:`` prints the stages of the default, each with all that come before it. ``--busy`` has so many other
processes compute meanwhile.

Every stage goes over all pages, one after the other as in a batch run; then the next stage does. All of that several
times, the best time of each page counting. So no stage finds a page and its own code in the caches because another one
has just read the same page. It is processor time, that of all threads, so that a busy machine tells nearly the same as
a quiet one. Ratios between stages of one run mean something; milliseconds only on one machine.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import turbohtml

import tamis
from bench.installed import installed
from bench.pages import load_pages
from tamis import registry
from tamis.extractors.sieve import Options, choosing
from tamis.extractors.sieve.kernel import kernel
from tamis.extractors.sieve.model import load_model
from tamis.extractors.sieve.reading import Reading, read_page
from tamis.page.model import Page

Stage = Callable[[str], object]
_MEASURABLE = 200_000  # smaller pages disappear in the memory a process holds anyway
_MEASURED = 10


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--dataset", default="public/wcxb")
    arguments.add_argument("--pages", type=int, default=100)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--only", default="", help="stages whose name holds this; references are always measured")
    arguments.add_argument("--busy", type=int, default=0, help="other processes that compute meanwhile")
    arguments.add_argument("--threads", type=int, default=0, help="so many threads beside one; only that")
    chosen = arguments.parse_args()
    pages, origin = load_pages(chosen.dataset, chosen.pages)
    size = sum(map(len, pages))
    print(f"{len(pages)} pages, {size / len(pages) / 1000:.0f} kB on average, from {origin}\n")
    if chosen.threads:
        _print_threads(pages, chosen.threads, chosen.repeat)
        return
    own = {name: stage for name, stage in _tamis_stages().items() if chosen.only in name or name == "turbohtml.parse"}
    stages = {**own, **_peer_stages()}
    with _busy(chosen.busy):
        best = _measure(stages, pages, chosen.repeat)
    _print_table(best, len(pages), size)
    print(f"\npeak memory of parse + blocks: {_peak_memory(pages)}")


def _tamis_stages() -> dict[str, Stage]:
    stages: dict[str, Stage] = {
        "turbohtml.parse": turbohtml.parse,
        "parse": tamis.parse,
        "parse + blocks": lambda page: tamis.parse(page).blocks,
        "parse + tokens": lambda page: tamis.parse(page).tokens,
        "parse + lines": lambda page: tamis.parse(page).lines,
        "parse + metadata": lambda page: tamis.parse(page).metadata,
    }
    stages |= _sieve_stages()
    stages["sieve, Markdown"] = lambda page: tamis.extract(page).markdown
    stages["sieve, Markdown and metadata"] = lambda page: ((found := tamis.extract(page)).markdown, found.metadata)
    for name in registry.names("extractors"):
        stages[f"extract {name}, text"] = lambda page, name=name: tamis.extract(page, method=name).text  # type: ignore[misc]
    for name in registry.names("outputs"):
        stages[f"keep_all, {name}"] = lambda page, name=name: tamis.extract(page, method="keep_all").render(name)  # type: ignore[misc]
    return stages


def _sieve_stages() -> dict[str, Stage]:
    """What the default does after parsing, one step more each time."""
    model = load_model("")

    def blocks(markup: str) -> Page:
        page = tamis.parse(markup).revealed()
        return page if len(page.blocks) else tamis.parse("<p>x")

    def features(markup: str) -> object:
        page = blocks(markup)
        return kernel.read_evidence(page, kernel.build_containers(page), model.class_names, model.word_table)

    def reading(markup: str) -> tuple[Page, Reading]:
        page = blocks(markup)
        return page, read_page(page, model)

    return {
        "sieve: … hidden shown, blocks": blocks,
        "sieve: … containers": lambda markup: kernel.build_containers(blocks(markup)),
        "sieve: … features": features,
        "sieve: … names, trees, network": reading,
        "sieve: … decision": lambda markup: choosing.choose(*reading(markup), Options()),
        "sieve: … result": lambda markup: tamis.extract(markup, method="sieve"),
        "sieve: … text": lambda markup: tamis.extract(markup, method="sieve").text,
    }


def _peer_stages() -> dict[str, Stage]:
    """Peers that are installed (extra ``peers``), called as their documentation recommends."""
    stages: dict[str, Stage] = {"turbohtml main_text": lambda page: turbohtml.parse(page).main_text()}
    if resiliparse := installed("resiliparse.extract.html2text"):
        stages["resiliparse"] = lambda page: resiliparse.extract_plain_text(page, main_content=True)
    if trafilatura := installed("trafilatura"):
        stages["trafilatura"] = trafilatura.extract
    return stages


def _measure(stages: dict[str, Stage], pages: list[str], repeat: int) -> dict[str, float]:
    """Seconds for all pages, the best of several runs per page."""
    best = {name: [float("inf")] * len(pages) for name in stages}
    for _ in range(repeat):
        for name, stage in stages.items():
            for place, page in enumerate(pages):
                start = time.process_time()
                stage(page)
                best[name][place] = min(best[name][place], time.process_time() - start)
    return {name: sum(seconds) for name, seconds in best.items()}


@contextlib.contextmanager
def _busy(count: int) -> Iterator[None]:
    """While so many other processes compute."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def _print_threads(pages: list[str], count: int, repeat: int) -> None:
    """Pages per second by the clock, the best of several runs."""
    stages: dict[str, Stage] = {
        "turbohtml.parse": turbohtml.parse,
        "sieve, text": lambda page: tamis.extract(page).text,
    }
    for name, stage in stages.items():
        rates = {threads: max(_rate(stage, pages, threads) for _ in range(repeat)) for threads in (1, count)}
        print(f"{name:<34}" + ", ".join(f"{rate:.0f} pages/s in {threads} threads" for threads, rate in rates.items()))


def _rate(stage: Stage, pages: list[str], threads: int) -> float:
    for page in pages:  # what is remembered of a page must not count for one of the two alone
        stage(page)
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        for _ in pool.map(stage, pages * threads):
            pass
        return len(pages) * threads / (time.perf_counter() - start)


def _print_table(seconds: dict[str, float], count: int, size: int) -> None:
    references = [name for name in ("turbohtml.parse", "resiliparse", "trafilatura") if name in seconds]
    print(f"{'stage':<34}{'ms/page':>9}{'MB/s':>8}" + "".join(f"{'x ' + name:>19}" for name in references))
    for name, spent in seconds.items():
        ratios = "".join(f"{spent / seconds[reference]:>19.2f}" for reference in references)
        print(f"{name:<34}{spent / count * 1000:>9.2f}{size / spent / 1e6:>8.1f}{ratios}")


def _peak_memory(pages: list[str]) -> str:
    """How much memory a fresh process needs for parse + blocks of one page, as a multiple of the page's size."""
    large = [page.encode() for page in pages if len(page) > _MEASURABLE][:_MEASURED]
    if sys.platform != "linux":
        return "not measured (needs Linux)"
    if not large:
        return "not measured (the pages are too small)"
    ratios = []
    for page in large:
        process = subprocess.run([sys.executable, "-c", _MEMORY_PROGRAM], input=page, capture_output=True, check=True)
        ratios.append(int(process.stdout) / len(page))
    return (
        f"{statistics.median(ratios):.1f} x the page in the middle, {max(ratios):.1f} x at most ({len(ratios)} pages)"
    )


_MEMORY_PROGRAM = """
import sys, tamis
def memory(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))
page = sys.stdin.buffer.read()
tamis.parse(b"<p>warm").blocks
open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew
before = memory("VmRSS")
kept = tamis.parse(page).blocks
print(memory("VmHWM") - before)
"""


if __name__ == "__main__":
    main()
