from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tamis.errors import OptionError
from tamis.fetching.answers import Fetched, Hop
from tamis.fetching.cache import Cache, age_seconds, questions


def fetched(url: str = "https://example.org/a", *headers: tuple[str, str], body: bytes = b"<p>page</p>") -> Fetched:
    hops = (Hop("https://example.org/", 302, url),)
    return Fetched(
        requested=url, url=url, status=200, headers=headers, body=body, time="2024-05-01T12:00:00Z", hops=hops
    )


@pytest.mark.parametrize("body", [b"", b"\n", b"<p>\n\n", bytes(range(256))])
def test_what_was_put_is_got(tmp_path: Path, body: bytes) -> None:
    page = fetched("https://example.org/é", ("X-One", "ü"), ("X-One", "2"), body=body)
    Cache(tmp_path).put(page)
    kept = Cache(tmp_path).get(page.requested)
    assert kept is not None
    assert kept.from_cache
    assert (kept.body, kept.headers, kept.hops, kept.time) == (page.body, page.headers, page.hops, page.time)
    assert Cache(tmp_path).get("https://example.org/other") is None


def test_a_server_is_asked_with_what_it_gave() -> None:
    assert questions(fetched()) == {}
    assert questions(fetched("https://a.example/", ("ETag", 'W/"1"'))) == {"If-None-Match": 'W/"1"'}
    assert questions(fetched("https://a.example/", ("last-modified", "x"))) == {"If-Modified-Since": "x"}
    assert questions(fetched("https://a.example/", ("ETag", "ü"), ("Last-Modified", "a\nb"))) == {}


def test_the_age_is_counted_from_when_the_page_came() -> None:
    assert age_seconds(fetched()) > 0


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OptionError, match="pass a folder"):
        Cache(tmp_path / "file")


def test_a_page_is_replaced_only_by_a_whole_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    cache.put(fetched(body=b"old"))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cache.put(fetched(body=b"new"))
    kept = cache.get("https://example.org/a")
    assert kept is not None
    assert kept.body == b"old"
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


WRITER = """
import sys
from pathlib import Path
from tests.fetching.test_cache import Cache, fetched
cache, number = Cache(Path(sys.argv[1])), 0
while True:
    cache.put(fetched("https://example.org/same", body=b"%d " % number * 100_000))
    number += 1
    print(number, flush=True)
"""


def test_a_process_that_is_killed_leaves_whole_pages(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    arguments = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(arguments, cwd=root, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.05)
        process.kill()
    kept = Cache(tmp_path).get("https://example.org/same")
    assert kept is not None
    assert len(set(kept.body.split())) == 1
