"""What every extra promises, tried in an environment that has it: nothing here needs more than Tamis itself.

    python -P bench/extras.py cli fetching      the extras that must work; the core if none is named

Every extra that is named must keep its promise. Every feature whose extra is not installed must refuse with the line
that installs it. One line is printed for each; the exit status is 1 when one is broken.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import importlib
import json
import os
import pkgutil
import socketserver
import subprocess
import sys
import tempfile
import threading
import traceback
import urllib.request
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import tamis
from tamis.errors import MissingProgramError, TamisError

ARTICLE = (
    "<html><head><title>Rain at last</title></head><body><nav><a href='/'>Home</a> <a href='/news'>News</a></nav>"
    "<article><h1>Rain at last</h1><p>After forty dry days the valley has water again, and the mills are turning.</p>"
    "<p>The brook rose within an hour; by noon the first sluice was opened and the wheel began to move.</p></article>"
    "<footer><a href='/imprint'>Imprint</a></footer></body></html>"
)
GOLD = (
    "Rain at last\n\nAfter forty dry days the valley has water again, and the mills are turning.\n\n"
    "The brook rose within an hour; by noon the first sluice was opened and the wheel began to move."
)
SAID = "the valley has water again"
MORE_PEERS = ("newspaper4k", "readability-lxml")
ADAPTERS = ("datasets", "haystack", "langchain", "llama-index", "pandas", "polars", "scrapy")


def main() -> int:
    """Try the extras that are named on the command line, and what all others answer."""
    wanted = sys.argv[1:]
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "page.html").write_text(ARTICLE)
        (folder / "gold.txt").write_text(GOLD)
        sample = {"id": "rain", "html": ARTICLE, "url": "https://example.org/rain", "gold": GOLD}
        (folder / "pages.jsonl").write_text(json.dumps(sample) + "\n")
        os.chdir(folder)
        for extra in wanted or ("core",):
            failed |= not _holds(f"{extra} works", PROMISES[extra])
        for extra, module, feature, ask in (*REFUSALS, *(COMMANDS if find_spec("cyclopts") else ())):
            if find_spec(module) is None:
                failed |= not _holds(f"{feature} asks for {extra}", functools.partial(_refused, ask, extra))
    return int(failed)


def _holds(promise: str, check: Callable[[], str | None]) -> bool:
    try:
        remark = check()
    except Exception:
        traceback.print_exc()
        print(f"BROKEN  {promise}", flush=True)
        return False
    print(f"ok  {promise}" + (f": {remark}" if remark else ""), flush=True)
    return True


def _refused(ask: Callable[[], object], extra: str) -> None:
    """Pass if the feature that is asked for answers with the line that installs its extra."""
    try:
        ask()
    except TamisError as error:
        _must(f"pip install 'tamis[{extra}]'" in str(error), f"another answer: {error}")
    else:
        raise AssertionError("it did not refuse")


def _must(holds: object, otherwise: str) -> None:
    """Like assert, but not left out by ``python -O``."""
    if not holds:
        raise AssertionError(otherwise)


def _core() -> None:
    result = tamis.extract(ARTICLE, url="https://example.org/rain")
    _must(SAID in result.text and "Imprint" not in result.text, result.text)
    _must(result.markdown.startswith("# Rain at last"), result.markdown)
    _must(result.metadata.title == "Rain at last", "the title")
    _must(result.html and result.to_tei() and json.dumps(result.to_dict()), "the outputs")
    _must(len(tamis.cluster([ARTICLE, ARTICLE]).groups) == 1, "clustering")
    _must(tamis.segment(ARTICLE).leaves, "segmenting")
    template = tamis.learn_template([ARTICLE, ARTICLE.replace("valley", "hill")])
    _must(template.extract(tamis.parse(ARTICLE)).page, "templates")
    for kind in ("extractors", "segmenters", "clusterers", "distances", "templates", "outputs"):
        for name in tamis.methods(kind):
            importlib.import_module(f"tamis.{kind}.{name}")
    for module in pkgutil.walk_packages(tamis.__path__, "tamis."):
        if not _is_of_an_extra(module.name):
            importlib.import_module(module.name)
    data = Path(tamis.__file__).parent
    for file in (
        "py.typed",
        "extractors/sieve/sieve.npz",
        "extractors/sieve/sieve.md",
        "service/templates/reader.html",
    ):
        _must((data / file).is_file(), f"{file} is missing")


def _is_of_an_extra(module: str) -> bool:
    """Modules that cannot be defined without what their extra brings."""
    return module.startswith(("tamis.cli.", "tamis.service")) or module in ("tamis.__main__", "tamis.fetching.pinned")


def _command(*arguments: str) -> str:
    """What a command prints; what it refuses is raised."""
    flags = ["-P", "-S"] if sys.flags.no_site else ["-P"]
    done = subprocess.run([sys.executable, *flags, "-m", "tamis", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise TamisError(done.stderr)
    return done.stdout


def _cli() -> None:
    _must(SAID in _command("extract", "page.html"), "extract")
    _must(tamis.__version__ in _command("--version"), "the version")
    _must("sieve" in _command("methods"), "methods")
    _must("train" in _command("--help"), "help")
    _command("cluster", ".")
    _must('"works": true' in _command("doctor", "--json"), "doctor")


def _docs() -> None:
    settings = str(Path(__file__).resolve().parent.parent / "mkdocs.yml")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", settings, "--site-dir"]
    done = subprocess.run([*command, str(Path("site").resolve())], capture_output=True, text=True)
    _must(done.returncode == 0 and Path("site/index.html").is_file(), done.stderr)


def _evaluation() -> None:
    _must(tamis.score("one two three", "one two")["words"].precision == 1, "scoring")
    from tamis.evaluation.compare import compare

    _must(compare(tamis.parse(ARTICLE)), "comparing")


@contextlib.contextmanager
def _web(answers: dict[str, tuple[bytes, str]]) -> Iterator[str]:
    """A web server on this machine: by path, a body and how it is packed."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body, coding = answers.get(self.path, (b"", ""))
            self.send_response(200 if self.path in answers else 404)
            self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
            self.send_header("Content-Length", str(len(body)))
            if coding:
                self.send_header("Content-Encoding", coding)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def _fetching() -> None:
    from tamis.errors import AddressError
    from tamis.fetching.http import Fetcher, Options

    page = ARTICLE.encode()
    packers = {"br": importlib.import_module("brotli").compress, "zstd": importlib.import_module("zstandard").compress}
    packed = {f"/{name}": (pack(page), name) for name, pack in (packers | {"gzip": gzip.compress}).items()}
    rules = (b"User-agent: *\nDisallow: /closed", "")
    web = _web({**packed, "/robots.txt": rules, "/closed": (page, "")})
    with web as origin, Fetcher(Options(allow_private=True, delay_seconds=0)) as fetcher:
        for path in packed:
            _must(fetcher.fetch(origin + path).body == page, path)
        try:
            fetcher.fetch(f"{origin}/closed")
        except AddressError:
            return
    raise AssertionError("robots.txt was not obeyed")


def _rendering() -> str | None:
    try:
        page = tamis.render(ARTICLE)
    except MissingProgramError:
        return "no browser, so that nothing was rendered"
    _must(page.boxes is not None, "boxes")
    _must(tamis.segment(page).leaves, "segmenting")
    return None


def _service() -> None:
    from tamis.service.app import create_app
    from tamis.service.server import listen, make_server
    from tamis.service.settings import Settings

    listener, settings = listen(Settings(port=0, token="", workers=1))
    server = make_server(create_app(settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    origin = f"http://127.0.0.1:{settings.port}"
    asked = urllib.request.Request(  # noqa: S310 - to this machine
        f"{origin}/api/extract", json.dumps({"html": ARTICLE}).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:  # noqa: S310
            _must(SAID in answer.read().decode(), "the API")
        for path in ("/", "/api", "/api/openapi.json"):
            with urllib.request.urlopen(origin + path, timeout=60) as answer:  # noqa: S310
                _must(answer.read(), path)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def _run(engine: str, output: str, source: str, out: str) -> None:
    from tamis.scaling.job import Job
    from tamis.scaling.run import run

    report = run([source], Job(output=output), Path(out), engine=engine, workers=1)  # type: ignore[arg-type]
    if report.failures:
        raise TamisError(report.failures[0][1])
    _must(report.counts.get("ok") == 1, str(report.counts))


def _scaling() -> None:
    packed = importlib.import_module("zstandard").compress(Path("pages.jsonl").read_bytes())
    Path("pages.jsonl.zst").write_bytes(packed)
    _run("local", "parquet", "pages.jsonl.zst", "parquet-out")
    (table,) = Path("parquet-out").rglob("*.parquet")
    texts = importlib.import_module("pyarrow.parquet").read_table(table)["text"].to_pylist()
    _must(len(texts) == 1 and SAID in texts[0], "the text")
    _run("local", "jsonl", f"file://{Path('pages.jsonl').resolve()}", "jsonl-out")


def _ray() -> None:
    _run("ray", "parquet", "pages.jsonl", "ray-out")


def _train() -> None:
    import numpy as np

    from tamis.extractors.sieve.page_types import PAGE_TYPES
    from tamis.training.labels import text_labels
    from tamis.training.network import Example
    from tamis.training.page_types import fit_page_types
    from tamis.training.trees import fit_trees

    _must(text_labels([["home"], ["the", "dog"]], ["the", "dog"]).tolist() == [0.0, 1.0], "labels")
    numbers = np.random.default_rng(0)
    features = numbers.standard_normal((200, 4)).astype(np.float32)
    labels = (features[:, 0] > 0).astype(np.float32)
    ones = np.ones(200, np.float32)
    trees = fit_trees([Example(features, ones, labels, ones)])
    _must(((trees.log_odds(features.T) > 0) == (labels > 0)).mean() > 0.95, "trees")
    fit_page_types([features[0].astype(np.float64), features[1].astype(np.float64)], list(PAGE_TYPES[:2]))


def _peers(extra: str) -> str:
    from tamis.evaluation.peers import PEERS, run_peer

    names = [name for name, peer in PEERS.items() if (peer.package in MORE_PEERS) == (extra == "more-peers")]
    silent = [name for name in names if SAID not in (run_peer(name, ARTICLE, "https://example.org/rain") or "")]
    return f"all {len(names)} run" + (f"; {', '.join(silent)} find nothing on so small a page" if silent else "")


def _adapter(extra: str) -> None:
    """The real packages are used by ``tests/adapters``; here it is seen that the extra brings what is needed."""
    if extra in ("langchain", "llama-index", "haystack"):
        name = {"langchain": "TamisLoader", "llama-index": "TamisReader", "haystack": "TamisConverter"}[extra]
        _must(getattr(importlib.import_module(f"tamis.adapters.{extra.replace('-', '_')}"), name), "its class")
    else:
        importlib.import_module(extra)


PROMISES: dict[str, Callable[[], str | None]] = {
    "core": _core,
    "cli": _cli,
    "docs": _docs,
    "evaluation": _evaluation,
    "fetching": _fetching,
    "peers": functools.partial(_peers, "peers"),
    "more-peers": functools.partial(_peers, "more-peers"),
    **{extra: functools.partial(_adapter, extra) for extra in ADAPTERS},
    "ray": _ray,
    "rendering": _rendering,
    "scaling": _scaling,
    "service": _service,
    "train": _train,
}


def _import_peer() -> None:
    from tamis.evaluation.peers import PEERS, import_peer

    for name in PEERS:
        import_peer(name)


def _train_sieve() -> None:
    from tamis.training.sieve import train_sieve

    train_sieve(["pages.jsonl"], Path("work"))


def _fetch() -> None:
    from tamis.fetching.http import Fetcher

    Fetcher()


def _plan_remote() -> None:
    from tamis.scaling.shard_plan import plan

    plan(["s3://bucket/pages.jsonl"])


REFUSALS: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
    ("cli", "cyclopts", "the command line", lambda: _command("extract", "page.html")),
    ("evaluation", "rapidfuzz", "tamis.score", lambda: tamis.score("a b", "a")),
    ("fetching", "httpx", "a fetcher", _fetch),
    ("peers", "goose3", "a peer", _import_peer),
    ("ray", "ray", "the engine ray", lambda: _run("ray", "jsonl", "pages.jsonl", "no-ray")),
    ("rendering", "playwright", "tamis.render", lambda: tamis.render(ARTICLE)),
    ("scaling", "pyarrow", "Parquet", lambda: _run("local", "parquet", "pages.jsonl", "no-parquet")),
    ("scaling", "fsspec", "an address of fsspec", _plan_remote),
    ("service", "starlette", "the service", lambda: importlib.import_module("tamis.service.app")),
    ("train", "catboost", "training", _train_sieve),
)
"""An extra, what it brings, a feature of the library that needs this, and a way to ask for it."""

COMMANDS: tuple[tuple[str, str, str, Callable[[], object]], ...] = tuple(
    (extra, module, f"tamis {line}", functools.partial(_command, *line.split()))
    for extra, module, line in (
        ("evaluation", "rapidfuzz", "compare page.html --gold gold.txt"),
        ("evaluation", "rapidfuzz", "evaluate pages.jsonl --methods bte --out scores"),
        ("fetching", "httpx", "extract https://example.org/"),
        ("fetching", "httpx", "site https://example.org/ --out site"),
        ("rendering", "playwright", "render page.html --out boxes"),
        ("rendering", "playwright", "segment page.html --out regions"),
        ("scaling", "pyarrow", "run pages.jsonl --out texts"),
        ("ray", "ray", "run pages.jsonl --out texts-by-ray --output jsonl --engine ray"),
        ("service", "starlette", "serve"),
        ("service", "starlette", "proxy"),
        ("service", "starlette", "annotate ."),
        ("service", "starlette", "demo"),
        ("train", "catboost", "train pages.jsonl --out my.npz"),
    )
)
"""The same for commands; what they refuse is one line on standard error."""


if __name__ == "__main__":
    sys.exit(main())
