"""What inputs are made from: the project's own pages and files, and real pages where there are some."""

from __future__ import annotations

import functools
import gzip
import importlib
import json
import re
import sys
import tempfile
from pathlib import Path

import tamis
from bench.pages import ROOT
from tamis.errors import InputError
from tamis.evaluation.datasets import open_dataset

DATASETS = ("train/wcxb", "train/trafilatura_eval", "train/forum_harvest")
_PAGES_EACH = 150  # ours: enough kinds of pages, read in seconds
_MAX_CHARACTERS = 300_000
_JOB = """\
method = "sieve"
format = "markdown"
output = "jsonl"
metadata = true

[options]
[limits]
seconds = 3.5
memory_mb = 2048
bytes = 1000000

[columns]
html = "html"

[[filters]]
name = "length"
min_words = 5

[duplicates]
resemblance = 0.8

[templates]
method = "slots"
min_pages = 5
max_pages = 20
"""
_HEADS = (
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>on\r\n1\r\ne\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html; charset=latin-1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: br, zstd\r\nContent-Type: text/plain; charset=x-user-defined\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Type: application/xml\r\n\r\n",
    "HTTP/1.1 301 Moved\r\nLocation: https://a.example/b?c#d\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: //[x]/\r\n\r\n",
    "HTTP/1.1 503 Busy\r\nRetry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n\r\n",
    'HTTP/1.0 304 Not Modified\r\nETag: W/"1"\r\nLast-Modified: yesterday\r\n\r\n',
)


def use_tests() -> None:
    """Let the generators of the tests be imported."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


@functools.cache
def pages(real: bool) -> tuple[bytes, ...]:
    """Pages of the tests and examples, and real ones if they are wanted and there."""
    found = [*_own_pages(), *(_real_pages() if real else ())]
    return tuple(page.encode("utf-8", "surrogatepass") if isinstance(page, str) else page for page in found)


def _own_pages() -> list[str | bytes]:
    use_tests()
    from tests.hostile import HOSTILE

    attacks: list[str] = importlib.import_module("tests.outputs.test_attacks").ATTACKS
    cases = [
        re.split(r"^=== \w+\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
        for file in sorted((ROOT / "tests/structure/pages").glob("*.txt"))
    ]
    examples = [file.read_bytes() for file in sorted((ROOT / "examples").rglob("*.html"))]
    hostile = [case.make(case.small // 10 + 1) for case in HOSTILE.values()]
    return [*cases, *attacks, *examples, *hostile]


def _real_pages() -> list[str]:
    found: list[str] = []
    for name in DATASETS:
        try:
            for _, sample in zip(range(_PAGES_EACH), open_dataset(name), strict=False):
                found.append(sample.markup[:_MAX_CHARACTERS])
        except InputError:
            continue
    return found


@functools.cache
def responses() -> tuple[bytes, ...]:
    """Answers of web servers."""
    own = pages(False)
    bodies = [own[number * 7 % len(own)] for number in range(len(_HEADS))]
    return tuple(
        head.encode() + (gzip.compress(body, mtime=0) if "gzip" in head else body)
        for head, body in zip(_HEADS, bodies, strict=True)
    )


@functools.cache
def archives() -> tuple[bytes, ...]:
    """Web archives, packed and not."""
    use_tests()
    from tests.scaling.archives import page, warc_record

    records = [warc_record(page(word), f"https://a.example/{word}") for word in ("one", "two", "three")]
    records += [warc_record(answer) for answer in responses()]
    records.append(
        b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: <http://a.example/>\r\n"
        b"Content-Length: 4\r\n\r\ntext\r\n\r\n"
    )
    plain = [b"".join(records[start : start + 3]) for start in range(0, len(records), 3)]
    members = [
        b"".join(gzip.compress(record, 1, mtime=0) for record in records[start : start + 2]) for start in (0, 2, 4)
    ]
    return (*plain, *members)


@functools.cache
def models() -> tuple[bytes, ...]:
    """The models that are shipped."""
    folder = Path(tamis.__file__).parent
    return tuple(file.read_bytes() for file in sorted((*folder.rglob("*.npz"), *folder.rglob("elements.json"))))


@functools.cache
def templates() -> tuple[bytes, ...]:
    """A template of every method, as it is saved."""
    made = [
        f"<body class=a><nav><a href=/>Home</a> <a href=/b>About</a></nav><h1>Story {number}</h1><p>What is told on "
        f"page {number} is told in {number + 3} words, and on no other page.</p><footer>The same on all</footer>"
        for number in range(6)
    ]
    return tuple(
        json.dumps(tamis.learn_template(made, method=method).to_dict()).encode()
        for method in tamis.methods("templates")
    )


@functools.cache
def jobs() -> tuple[bytes, ...]:
    """Job files: a whole one, and each of its tables alone."""
    return (_JOB.encode(), *(part.encode() for part in _JOB.split("\n\n")))


@functools.cache
def scratch() -> Path:
    """A folder for files that readers are given by name; it goes away with the process."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    folder = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
    _KEPT.append(folder)
    return Path(folder.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []
