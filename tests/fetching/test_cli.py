"""Addresses on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tamis.cli import main
from tamis.errors import MissingExtraError
from tamis.fetching.http import Fetcher
from tests.fetching.web import Web, answer

PAGE = "<title>One</title><p>Grüße aus einer Seite, die lang genug ist, um gefunden zu werden.</p>"
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def url(web: Web) -> str:
    web.answers["/a"] = answer(PAGE.encode("latin-1"), Content_Type="text/html; charset=latin1")
    web.answers["/go"] = answer(b"", "302 Found", Location="/a")
    return f"http://127.0.0.1:{web.port}"


def test_a_page_is_extracted_from_its_address(url: str, capfd: Captured) -> None:
    assert main(["extract", f"{url}/go", "--method", "keep_all", "--format", "json", "--allow-private"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert "Grüße" in found["text"]
    assert (found["source"], found["url"]) == (f"{url}/go", f"{url}/a")


def test_the_character_set_and_the_address_may_be_given(url: str, capfd: Captured) -> None:
    arguments = ["--encoding", "windows-1251", "--url", "https://a.example/", "--allow-private", "--format", "json"]
    assert main(["extract", f"{url}/a", "--method", "keep_all", *arguments]) == 0
    found = json.loads(capfd.readouterr().out)
    assert "GrьЯe" in found["text"]
    assert found["url"] == "https://a.example/"


def test_results_are_called_after_addresses_and_bad_pages_cost_only_themselves(
    url: str, tmp_path: Path, capfd: Captured
) -> None:
    pages = [f"{url}/a", f"{url}/missing"]
    assert main(["extract", *pages, "--out", str(tmp_path), "--allow-private", "--method", "keep_all"]) == 1
    name = url.removeprefix("http://").replace(":", "_")
    assert (
        len([file for file in tmp_path.iterdir() if file.name.startswith(f"{name}_a-") and file.suffix == ".txt"]) == 1
    )
    error = capfd.readouterr().err
    assert "status 404" in error
    assert "2 pages: 1 ok, 0 empty, 0 truncated, 1 failed" in error


def test_robots_txt_and_private_machines_are_respected_unless_told_otherwise(
    url: str, web: Web, capfd: Captured
) -> None:
    web.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /", Content_Type="text/plain")
    assert main(["extract", f"{url}/a"]) == 1
    assert "allow_private" in capfd.readouterr().err
    assert web.requests == []
    assert main(["extract", f"{url}/a", "--allow-private"]) == 1
    assert "robots.txt" in capfd.readouterr().err
    assert main(["extract", f"{url}/a", "--allow-private", "--no-respect-robots", "--method", "keep_all"]) == 0
    assert web.paths == ["/robots.txt", "/a"]


def test_methods_are_compared_on_an_address(url: str, capfd: Captured) -> None:
    assert main(["compare", f"{url}/a", "--methods", "keep_all", "--allow-private"]) == 0
    assert capfd.readouterr().out.splitlines()[1].startswith("keep_all")
    assert main(["compare", f"{url}/missing", "--methods", "keep_all", "--allow-private"]) == 2
    assert "status 404" in capfd.readouterr().err


def test_a_missing_extra_is_answered_with_its_install_line(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tamis\[fetching\]'"):
        Fetcher()
    assert main(["extract", "https://example.org/"]) == 2
    assert "pip install 'tamis[fetching]'" in capfd.readouterr().err
