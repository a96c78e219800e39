"""Which file of a folder stands for an address, and where a page is served."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.rendering.browser import Browser
from tamis.rendering.doorkeeper import ORIGIN, find_asset, served_address
from tamis.rendering.render import render, render_full


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "saved"
    for name in ("a.css", "sub/b.css", "cdn.example/c.css", "query?x=1&y=2", "sp ace.css"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "secret.css").write_text("secret")
    (folder / "link.css").symlink_to(tmp_path / "secret.css")
    (folder / "inner.css").symlink_to(folder / "a.css")
    return folder.resolve()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/a.css", "a.css"),
        ("/a.css?version=3", "a.css"),
        ("/a.css#part", "a.css"),
        ("//a.css", "a.css"),
        ("/sub/b.css", "sub/b.css"),
        ("/sub/../a.css", "a.css"),
        ("/query?x=1&y=2", "query?x=1&y=2"),
        ("/sp%20ace.css", "sp ace.css"),
        ("/inner.css", "a.css"),
        ("/cdn.example/c.css", "cdn.example/c.css"),
        ("/sub", None),
        ("/missing.css", None),
        ("/../secret.css", None),
        ("/%2e%2e/secret.css", None),
        ("/..%2fsecret.css", None),
        ("/sub/../../secret.css", None),
        ("/link.css", None),
        ("/a%00.css", None),
        ("/" + "a" * 5000, None),
    ],
)
def test_an_address_finds_files_of_the_folder_alone(folder: Path, url: str, expected: str | None) -> None:
    found = find_asset(ORIGIN + url, ORIGIN + "/", folder)
    assert found == (None if expected is None else (folder / expected).resolve())


def test_an_absolute_path_in_an_address_stays_inside(folder: Path) -> None:
    secret = folder.parent / "secret.css"
    assert find_asset(f"{ORIGIN}/{secret}", ORIGIN + "/", folder) is None


def test_files_of_other_hosts_are_below_folders_called_after_them(folder: Path) -> None:
    assert find_asset("http://cdn.example/c.css", ORIGIN + "/", folder) == folder / "cdn.example/c.css"
    assert find_asset("http://cdn.example/a.css", ORIGIN + "/", folder) is None
    assert find_asset("http://../secret.css", ORIGIN + "/", folder) is None
    assert find_asset("http://[bad/a.css", ORIGIN + "/", folder) is None
    assert find_asset((folder / "a.css").as_uri(), ORIGIN + "/", folder) is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (None, f"{ORIGIN}/"),
        ("http://example.org/a b?c#d", "https://example.org/a%20b"),
        ("https://user:pw@example.org:8443/x", "https://example.org/x"),
        ("https://example.org", "https://example.org/"),
        ("ftp://example.org/x", f"{ORIGIN}/"),
        ("javascript:alert(1)", f"{ORIGIN}/"),
        ("https://[bad", f"{ORIGIN}/"),
        ("https://a..b/", f"{ORIGIN}/"),
        ("not an address", f"{ORIGIN}/"),
    ],
)
def test_a_page_is_served_at_the_host_of_its_address_or_at_one_made_up(url: str | None, expected: str) -> None:
    assert served_address(url, None, None) == expected


def test_a_file_inside_the_folder_is_served_where_it_lies(folder: Path) -> None:
    page = folder / "sub" / "page one.html"
    assert served_address("https://example.org/x", page, folder) == f"{ORIGIN}/sub/page%20one.html"
    assert served_address("https://example.org/x", folder.parent / "page.html", folder) == "https://example.org/x"
    assert served_address("https://example.org/x", page, None) == "https://example.org/x"


def test_a_saved_page_loads_its_files_only_when_they_are_allowed(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "style.css").write_text("p{margin-left:200px}")
    size = "width='40' height='30'"
    picture = f"<svg xmlns='http://www.w3.org/2000/svg' {size}><rect {size} fill='#0f0'/></svg>"
    (tmp_path / "picture.svg").write_text(picture)
    source = tmp_path / "pages" / "page.html"
    source.write_text("<link rel=stylesheet href=../style.css><p>x</p><img src=/picture.svg>")
    plain = render(source, browser=browser)
    styled = render(source, browser=browser, assets=tmp_path)
    assert plain.boxes is not None
    assert styled.boxes is not None
    assert plain.boxes.rect[:, 0].max() < 200
    assert styled.boxes.rect[:, 0].max() == 208
    image = int(styled.boxes.of_nodes(len(styled.nodes))[styled.select("img")[0]])
    left, top, right, bottom = styled.boxes.rect[image].tolist()
    assert (right - left, bottom - top) == (40, 30)
    assert styled.boxes.color[image].tolist() == [0, 255, 0]


def test_a_file_that_is_too_large_is_not_loaded(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("p{margin-left:200px}" + " " * 1000)
    page = "<link rel=stylesheet href=style.css><p>x"
    lefts = [
        boxes.rect[:, 0].max()
        for max_bytes in (1019, 1020)
        if (boxes := render_full(page, browser=browser, assets=tmp_path, max_bytes=max_bytes).page.boxes)
    ]
    assert lefts == [8, 208]
