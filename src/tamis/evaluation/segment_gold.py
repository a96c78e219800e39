"""Pages with blocks that people marked: the random pages of Kreuzer's thesis, saved with their style sheets and images.

Kreuzer, Hage & Feelders (2015), public domain; 82 pages of as many sites, one of them without a block. Elements that
are blocks carry ``data-block`` (1 for the main ones, 2 for those within) and ``data-block-type``. The marks are taken
out before a page is parsed or rendered, and so is what else the tool for marking left behind, so that no method can see
where the blocks are; node numbers stay the same. The page is the file with the marks: the file beside it that should be
the same page without them is another page for at least one site.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import tamis
from tamis.errors import InputError
from tamis.evaluation.datasets import DATA_VARIABLE, data_folder
from tamis.page.model import Page
from tamis.rendering.kept import read_rendering, write_rendering
from tamis.results import Region
from tamis.stored.keys import folder_digest, key_of

ARCHIVE = "segmentation/kreuzer-random.tar.xz"
_MARKED = ".blocks.html"
_MAX_UNPACKED = 1 << 30  # ours: the archive holds 34 MB
_MARKS = (
    (re.compile(rb"""\sdata-block(?:-type)?=(?:"[^"]*"|'[^']*')"""), b""),
    (re.compile(rb"""(\sclass="[^"]*?)\s?\bhighlight(?=")"""), rb"\1"),  # what the pointer was on
    (re.compile(rb"""\sclass=""|\sclass=''"""), b""),  # most blocks were left with one, hardly anything else was
    (re.compile(rb"""(?m)^\s*(?:\.highlight|\*\[data-block\])\s*\{[^}]*\}"""), b""),  # outlines for the people
)
"""What the tool that people marked blocks with left in the pages, and what is there without it."""


@dataclass(frozen=True, kw_only=True)
class GoldBlock:
    """A marked block: the element, its level (1 or 2), what people call it, and the block around it, or -1."""

    node: int
    level: int
    type: str
    parent: int  # number among the blocks


@dataclass(frozen=True, kw_only=True)
class MarkedPage:
    """One page, its blocks in document order, and where it is saved with what it needs to be shown."""

    site: str
    url: str | None
    html: bytes
    file: Path  # with the marks; style sheets and images are addressed relative to it
    folder: Path  # nothing outside is needed
    blocks: tuple[GoldBlock, ...]

    def parse(self) -> Page:
        return tamis.parse(self.html, self.url)


@contextmanager
def marked_pages(archive: Path | None = None) -> Iterator[list[MarkedPage]]:
    """The pages of an archive, unpacked into a folder that is there until the end; by default the one with the data."""
    with TemporaryDirectory(prefix="tamis-") as folder:
        unpack(archive or find_archive(), Path(folder))
        yield read_marked_pages(Path(folder))


def find_archive() -> Path:
    """The archive in the data folder."""
    folder = data_folder()
    archive = folder / ARCHIVE if folder else None
    if archive is None or not archive.is_file():
        raise InputError(f"no {ARCHIVE} in the data folder: set {DATA_VARIABLE} to a folder that has it")
    return archive


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of an archive below a folder: no links, and nothing outside the folder.

    The standard library can do so by itself from Python 3.11.4 on; Debian 12 has 3.11.2.
    """
    try:
        with tarfile.open(archive) as files:
            left = _MAX_UNPACKED
            for member in files:
                left -= member.size
                if left < 0:
                    raise InputError(f"cannot unpack {str(archive)!r}: it holds more than {_MAX_UNPACKED} bytes")
                target = (folder / member.name).resolve()
                if not target.is_relative_to(folder.resolve()):
                    raise InputError(f"cannot unpack {str(archive)!r}: {member.name!r} lies outside of it")
                content = files.extractfile(member) if member.isreg() else None
                if content is not None:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with target.open("wb") as file:
                        shutil.copyfileobj(content, file)
    except (OSError, tarfile.TarError, EOFError) as error:
        raise InputError(f"cannot decompress {str(archive)!r}: {error}") from error


def read_marked_pages(folder: Path) -> list[MarkedPage]:
    """The pages below a folder that have marks, sorted by site."""
    pages = []
    addresses: dict[Path, dict[str, str]] = {}
    for file in sorted(folder.rglob(f"*{_MARKED}")):
        top = _top_folder(file, folder)
        data = file.read_bytes()
        blocks = read_blocks(tamis.parse(data))
        if blocks:
            listed = addresses.setdefault(top.parent, _addresses(top.parent))
            url = listed.get(file.relative_to(top.parent).as_posix().removesuffix(_MARKED) + ".html")
            pages.append(
                MarkedPage(site=top.name, url=url, html=without_marks(data), file=file, folder=top, blocks=blocks)
            )
    return sorted(pages, key=lambda page: page.site)


def without_marks(data: bytes) -> bytes:
    """A page as it was before people marked its blocks; nodes are the same.

    >>> without_marks(b'<div class="left highlight"><p class="" data-block-type="Ad" data-block="2">')
    b'<div class="left"><p>'
    """
    for pattern, instead in _MARKS:
        data = pattern.sub(instead, data)
    return data


def read_blocks(page: Page) -> tuple[GoldBlock, ...]:
    """The blocks of a page that has its marks."""
    blocks: list[GoldBlock] = []
    for node in page.select("[data-block]"):
        marks = page.attributes(node)
        parent = len(blocks) - 1
        while parent >= 0 and page.nodes.end[blocks[parent].node] <= node:
            parent = blocks[parent].parent
        level = 1 if marks["data-block"].strip() == "1" else 2
        blocks.append(GoldBlock(node=node, level=level, type=marks.get("data-block-type", ""), parent=parent))
    return tuple(blocks)


def gold(blocks: tuple[GoldBlock, ...], level: int | None = None) -> Region:
    """The blocks as a tree of regions below the document; only those of a level if one is given.

    Blocks of level 1 within others of level 1 stay below them, and so on: an element belongs to the deepest around it.
    """
    is_kept = [level is None or block.level == level for block in blocks]
    parts: dict[int, list[Region]] = {}
    for number in reversed(range(len(blocks))):
        if not is_kept[number]:
            continue
        parent = blocks[number].parent
        while parent >= 0 and not is_kept[parent]:
            parent = blocks[parent].parent
        below = tuple(reversed(parts.pop(number, [])))
        region = Region(nodes=(blocks[number].node,), label=blocks[number].type, parts=below)
        parts.setdefault(parent, []).append(region)
    return Region(nodes=(0,), parts=tuple(reversed(parts.get(-1, []))))


def render_marked(marked: MarkedPage, width: int = 1366, kept: Path | None = None) -> tuple[Page, bytes | None]:
    """The page without marks, with the boxes a browser shows of it, and the screenshot (extra ``rendering``).

    With a folder ``kept``, what was rendered once is read from there, as long as the page, its files, the browser and
    the code stay the same. A page that the browser could not show has no boxes.
    """
    file = None if kept is None else kept / f"{marked.site}-{width}-{_rendering_key(marked, width)}.npz"
    if file is not None and file.is_file():
        boxes, screenshot = read_rendering(file)
    else:
        from tamis.rendering.render import render_full

        # Where the browser believes the page to be, its links lead to the files beside it.
        place = f"https://page.invalid/{quote(marked.file.relative_to(marked.folder).as_posix())}"
        rendering = render_full(marked.html, place, assets=marked.folder, width=width)
        boxes, screenshot = rendering.page.boxes, rendering.screenshot
        if file is not None:
            write_rendering(file, boxes, screenshot)
    page = marked.parse()
    return page if boxes is None else page.with_boxes(boxes), screenshot


def _rendering_key(marked: MarkedPage, width: int) -> str:
    from tamis.rendering.browser import find_browser

    browser = Path(find_browser()).stat()  # a new version is another file
    data = [hashlib.sha256(marked.html).hexdigest(), folder_digest(marked.folder), str(marked.file.name)]
    return key_of(data, [width, browser.st_size, browser.st_mtime_ns], ["tamis.rendering.render"], resources=True)


def _top_folder(file: Path, folder: Path) -> Path:
    """The folder of the site: right below the one with the list of addresses, else the one of the file."""
    for parent in file.parents:
        if (parent.parent / "mapping.txt").is_file():
            return parent
        if parent == folder:
            break
    return file.parent


def _addresses(folder: Path) -> dict[str, str]:
    """Addresses by path, from lines such as ``"http://a.example/" : "/opt/dataset/a.example/index.html",``."""
    listed = folder / "mapping.txt"
    if not listed.is_file():
        return {}
    pairs = re.findall(
        r'^(?:# )?("(?:[^"\\]|\\.)*")\s*:\s*"/opt/[^/]+/([^"]*)"', listed.read_text("utf-8"), re.MULTILINE
    )
    try:
        return {path: json.loads(url) for url, path in pairs}
    except ValueError as error:
        raise InputError(f"{str(listed)!r} holds a URL that is no JSON string: {error}") from error
