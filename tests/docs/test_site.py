from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import tamis
from bench.site_hooks import ROOT, ROOT_PAGES
from tests.browsers import launched
from tests.once import made_once

DOCS = ROOT / "docs"
PAGES = sorted(file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md"))
_ADDRESS = re.compile(r"""(?:@import\s+["']?|url\(\s*["']?)([^"')\s]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built as the checks build it."""
    return made_once(tmp_path_factory, "documentation", _build)


def _build(folder: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_page_is_in_the_navigation(site: Path) -> None:
    front = tamis.parse(site / "index.html")
    linked = {front.attributes(node).get("href", "") for node in front.select("nav a[href]")}
    built = {page.removesuffix(".md") + ".html" for page in (*PAGES, *ROOT_PAGES.values())}
    built = {page for page in built if (site / page).exists()}
    assert len(built) >= len(PAGES)
    assert built - {"index.html"} <= linked


@pytest.mark.parametrize("kind", ["html", "css", "js"])
def test_nothing_is_loaded_from_elsewhere(site: Path, kind: str) -> None:
    files = [file for file in site.rglob(f"*.{kind}") if kind != "js" or "javascripts" not in file.parts]
    assert files
    foreign = {
        file.name: found for file in files if (found := foreign_addresses(file.read_text(encoding="utf-8"), kind))
    }
    assert foreign == {}


def foreign_addresses(text: str, kind: str) -> list[str]:
    """Addresses of scripts, styles, images, fonts and frames that are not the site's own."""
    found = _ADDRESS.findall(text)
    if kind == "html":
        page = tamis.parse(text)
        for selector, name in (
            ("script, img, iframe, source, video, audio, embed", "src"),
            ("link[rel~=stylesheet], link[rel~=icon], link[rel~=preload], link[rel~=preconnect]", "href"),
            ("img, source", "srcset"),
        ):
            found += [page.attributes(node).get(name, "") for node in page.select(selector)]
    return [address for address in found if urlsplit(address).netloc]


def test_foreign_addresses_are_noticed() -> None:
    markup = (
        '<link rel="stylesheet" href="https://a.example/x.css"><script src="//b.example/y.js"></script><img src="z">'
    )
    assert foreign_addresses(markup, "html") == ["//b.example/y.js", "https://a.example/x.css"]
    assert foreign_addresses("@font-face { src: url('http://c.example/f.woff') }", "css") == ["http://c.example/f.woff"]


def test_the_search_knows_every_page(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    known = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {page.removesuffix(".md") + ".html" for page in PAGES} <= known


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.mark.proof
def test_the_search_works_from_the_disk(site: Path, browser: Any) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "methods" / "bte.html").as_uri())
    page.locator("input[name=query]").click()
    page.locator("input[name=query]").press_sequentially("slope curve")
    page.locator(".md-search-result__item a").first.wait_for()
    found = page.locator(".md-search-result__item a").evaluate_all("links => links.map(link => link.href)")
    page.close()
    assert any("methods/dsc.html" in address for address in found)
    assert [address for address in asked if not address.startswith(("file:", "data:", "about:"))] == []


@pytest.mark.proof
def test_no_page_is_wider_than_a_small_window(site: Path, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    wide = []
    for name in ("index", "quality", "methods/bte", "migrating", "reference/commands", "reference/results"):
        page.goto((site / f"{name}.html").as_uri())
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(name)
    page.close()
    assert wide == []


@pytest.mark.proof
def test_figures_follow_the_scheme_that_is_chosen(site: Path, browser: Any) -> None:
    page = browser.new_page(color_scheme="light")
    page.goto((site / "methods" / "bte.html").as_uri())
    schemes = []
    for label in ("Switch to light", "Switch to dark", "Follow the system"):
        page.locator(f"label[title='{label}']").click()
        schemes.append(page.locator("article img").first.evaluate("image => getComputedStyle(image).colorScheme"))
    page.close()
    assert schemes == ["light", "dark", "light"]
