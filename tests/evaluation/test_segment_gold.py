from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.errors import InputError
from tamis.evaluation import segment_gold
from tamis.evaluation.segment_gold import (
    gold,
    marked_pages,
    read_blocks,
    read_marked_pages,
    render_marked,
    without_marks,
)
from tamis.page.layout import estimate_boxes
from tamis.regions import walk
from tamis.rendering.render import Rendering

MARKED = (
    '<body><div data-block="1" data-block-type="Header">Top <img data-block="2" data-block-type="Logo" src=a.png></div>'
    '<div class="wrap"><div data-block="1" data-block-type="Content">Words <p data-block="2" data-block-type="Article">'
    'Story <i data-block="2" data-block-type="Author">by me</i></p><div data-block="1" data-block-type="Sidebar">Side'
    '</div></div></div><p data-block="2" data-block-type="Ad">Buy</p></body>'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "set" / "a.example" / "a.example"
    site.mkdir(parents=True)
    (site / "index.blocks.html").write_text(MARKED)
    (site / "index.dom.html").write_text("<p>another page</p>")
    (site / "a.png").write_bytes(b"picture")
    other = tmp_path / "set" / "b.example" / "b.example" / "shop"
    other.mkdir(parents=True)
    (other / "cart.php.blocks.html").write_text("<p>no block at all</p>")
    (tmp_path / "set" / "mapping.txt").write_text(
        '"http://b.example/shop/cart.php" : "/opt/set/b.example/b.example/shop/cart.php.html",\n'
        '# "http://a.example/" : "/opt/set/a.example/a.example/index.html",\n'
    )
    return tmp_path


def names(level: int | None) -> list[tuple[str, int]]:
    return [(item.region.label, item.depth) for item in walk(gold(read_blocks(tamis.parse(MARKED)), level))[1:]]


def test_blocks_know_the_block_around_them() -> None:
    blocks = read_blocks(tamis.parse(MARKED))
    assert [(block.type, block.level, block.parent) for block in blocks] == [
        ("Header", 1, -1),
        ("Logo", 2, 0),
        ("Content", 1, -1),
        ("Article", 2, 2),
        ("Author", 2, 3),
        ("Sidebar", 1, 2),
        ("Ad", 2, -1),
    ]


def test_all_blocks_are_a_tree() -> None:
    assert names(None) == [
        ("Header", 1), ("Logo", 2), ("Content", 1), ("Article", 2), ("Author", 3), ("Sidebar", 2), ("Ad", 1)
    ]  # fmt: skip


def test_blocks_of_a_level_are_below_those_of_the_same_level() -> None:
    assert names(1) == [("Header", 1), ("Content", 1), ("Sidebar", 2)]
    assert names(2) == [("Logo", 1), ("Article", 1), ("Author", 2), ("Ad", 1)]


def test_pages_come_without_marks_and_with_the_same_nodes(folder: Path) -> None:
    (page,) = read_marked_pages(folder)
    assert b"data-block" not in page.html
    parsed, marked = page.parse(), tamis.parse(MARKED)
    assert parsed.text == marked.text
    assert [parsed.name(block.node) for block in page.blocks] == ["div", "img", "div", "p", "i", "div", "p"]
    assert parsed.nodes.parent.tolist() == marked.nodes.parent.tolist()


TOOL = b"""<style>
    .highlight {box-shadow: inset 0 0 0 10px grey !important;}
        *[data-block] {outline: 1px solid blue !important;}
    p { color: red }
</style><div class="left highlight" id=a><p class="" data-block="1" data-block-type="Ad">Buy</p>
<i class="highlight">x</i><b class="highlights">y</b><u class='' data-block='2'>z</u></div>"""


def test_nothing_that_the_tool_for_marking_left_behind_is_seen() -> None:
    """Outlines would show where the blocks are, and an empty class would tell most of them from other elements."""
    page = tamis.parse(without_marks(TOOL))
    attributes = {name: dict(page.attributes(page.select(name)[0])) for name in ("div", "p", "i", "b", "u")}
    assert attributes == {"div": {"class": "left", "id": "a"}, "p": {}, "i": {}, "b": {"class": "highlights"}, "u": {}}
    style = page.code(page.select("style")[0])
    assert style.split() == ["p", "{", "color:", "red", "}"]
    assert page.nodes.parent.tolist() == tamis.parse(TOOL).nodes.parent.tolist()


def test_what_was_rendered_once_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def render_full(source: bytes, url: str, **options: Any) -> Rendering:
        asked.append((source, url, options))
        page = tamis.parse(source)
        return Rendering(page=page.with_boxes(estimate_boxes(page)), screenshot=b"picture")

    monkeypatch.setattr("tamis.rendering.render.render_full", render_full)
    (marked,) = read_marked_pages(folder)
    first, screenshot = render_marked(marked, 800, folder / "kept")
    again, _ = render_marked(marked, 800, folder / "kept")
    assert screenshot == b"picture"
    assert first.boxes is not None
    assert again.boxes is not None
    assert first.boxes.rect.tolist() == again.boxes.rect.tolist()
    assert first.url == "http://a.example/"
    place = "https://page.invalid/a.example/index.blocks.html"
    assert asked == [(marked.html, place, {"assets": marked.folder, "width": 800})]
    render_marked(marked, 900, folder / "kept")
    assert len(asked) == 2


def test_pages_know_their_site_address_and_folder(folder: Path) -> None:
    (page,) = read_marked_pages(folder)
    assert (page.site, page.url) == ("a.example", "http://a.example/")
    assert page.folder == folder / "set" / "a.example"
    assert page.file.parent.joinpath("a.png").is_file()
    assert page.file.is_relative_to(page.folder)


def test_a_folder_without_a_list_of_addresses_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.blocks.html").write_text(MARKED)
    (page,) = read_marked_pages(tmp_path)
    assert (page.url, page.folder) == (None, tmp_path)


def test_an_archive_is_unpacked_as_long_as_it_is_needed(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "set.tar.xz"
    with tarfile.open(archive, "w:xz") as files:
        files.add(folder / "set", "set")
    with marked_pages(archive) as pages:
        assert [page.site for page in pages] == ["a.example"]
        assert pages[0].file.is_file()
    assert not pages[0].file.exists()


@pytest.mark.parametrize("name", ["../outside.txt", "/outside.txt", "set/../../outside.txt"])
def test_an_archive_that_reaches_outside_is_refused(tmp_path: Path, name: str) -> None:
    archive = tmp_path / "bad.tar"
    with tarfile.open(archive, "w") as files:
        entry = tarfile.TarInfo(name)
        entry.size = 1
        files.addfile(entry, io.BytesIO(b"x"))
    with pytest.raises(InputError, match="lies outside of it"), marked_pages(archive):
        pass


def test_links_of_an_archive_are_not_followed(tmp_path: Path) -> None:
    archive, folder = tmp_path / "links.tar", tmp_path / "unpacked"
    with tarfile.open(archive, "w") as files:
        link = tarfile.TarInfo("set")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
        files.addfile(link)
        entry = tarfile.TarInfo("set/inside.txt")
        entry.size = 1
        files.addfile(entry, io.BytesIO(b"x"))
    segment_gold.unpack(archive, folder)
    assert (folder / "set" / "inside.txt").read_bytes() == b"x"
    assert not (tmp_path / "inside.txt").exists()


def test_an_archive_that_unpacks_to_too_much_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "large.tar"
    with tarfile.open(archive, "w") as files:
        files.add(folder / "set", "set")
    monkeypatch.setattr(segment_gold, "_MAX_UNPACKED", 100)
    with pytest.raises(InputError, match="holds more than 100 bytes"), marked_pages(archive):
        pass


def test_an_address_that_cannot_be_read_is_told_with_its_file(folder: Path) -> None:
    (folder / "set" / "mapping.txt").write_text('"http://a.example/\\q" : "/opt/set/a.example/a.example/index.html",')
    with pytest.raises(InputError, match=r"mapping\.txt"):
        read_marked_pages(folder)


def test_what_is_no_archive_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.tar.xz").write_bytes(b"no archive")
    with pytest.raises(InputError, match="cannot decompress"), marked_pages(tmp_path / "bad.tar.xz"):
        pass
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path))
    with pytest.raises(InputError, match="TAMIS_DATA"), marked_pages():
        pass
