"""Small archives and job stages that misbehave, for tests of runs."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

STAGES = """
import os, signal, time


def misbehave(row):
    text = row["text"]
    if "SEGFAULT" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "FOREVER" in text:
        while True:
            pass
    if "MEMORY" in text:
        bytes(50 << 30)
    if "RAISE" in text:
        raise ValueError("no reason")
    if "SLOW" in text:
        time.sleep(0.3)
    return None
"""


def page(words: str) -> bytes:
    sentence = f"This page says {words} in a sentence that is long enough to be taken for content, and then goes on. "
    return f"<!doctype html><title>{words}</title><article><p>{sentence * 3}</p></article>".encode()


def warc_record(
    body: bytes, url: str = "https://example.org/", kind: str = "text/html; charset=utf-8", status: str = "200 OK"
) -> bytes:
    block = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


def write_warc(path: Path, bodies: Iterable[bytes]) -> Path:
    records = (warc_record(body, f"https://example.org/{number}") for number, body in enumerate(bodies))
    path.write_bytes(b"".join(gzip.compress(record) for record in records))
    return path
