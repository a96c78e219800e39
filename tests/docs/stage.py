"""The files that commands of the documentation speak of: small, and written for it."""

from __future__ import annotations

import dataclasses
import gzip
import json
import shutil
import sys
from pathlib import Path

import tamis
from tamis.evaluation.datasets import write
from tamis.training.annotations import append
from tamis.training.attachments import from_extraction
from tests.scaling.archives import warc_record
from tests.sites.generator import SitePage, make_corpus
from tests.training.pages import sample

ROOT = Path(__file__).parents[2]
_DATASETS = ("public/cleaneval", "public/dragnet", "public/wcxb", "train/wcxb")
_MARKED = '<nav data-block="1" data-block-type="Menu">Home</nav><p data-block="1" data-block-type="Text">Words.</p>'
_STYLE = "h1 { font-size: 40px } p { max-width: 600px }"


def prepare(root: Path) -> None:
    """Everything a page of the documentation may name, in ``stage``; datasets that have a name are in ``data``."""
    folder, data = root / "stage", root / "data"
    folder.mkdir(parents=True)
    (folder / ".venv").symlink_to(sys.prefix)
    shutil.copytree(ROOT / "examples", folder / "examples")
    _write_pages(folder)
    _write_archives(folder)
    labelled = [sample(host, number) for host in range(6) for number in range(2)]
    write(folder / "my-pages.jsonl", labelled)
    for name in _DATASETS:
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        write(data / f"{name}.jsonl", labelled)
    marked = data / "segmentation" / "kreuzer-random" / "a.example"
    marked.mkdir(parents=True)
    (marked / "index.blocks.html").write_text(_MARKED)


def copy_repository(folder: Path) -> None:
    """What the scripts of ``bench`` read, and write anew, so that they leave the repository as it is."""
    for name in ("bench", "docs", "tests"):
        if not (folder / name).exists():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)


def _write_pages(folder: Path) -> None:
    one = sample(0, 0)
    assets = folder / "saved" / "style"
    assets.mkdir(parents=True)
    (assets / "page.css").write_text(_STYLE)
    (folder / "saved" / "page.html").write_text(f"<link rel=stylesheet href=style/page.css>{one.markup}")
    (folder / "page.html").write_text(one.markup)
    (folder / "page.txt").write_text(one.gold or "")
    for name, pages in (("pages", _site()[1:5]), ("saved-pages", _site())):
        (folder / name).mkdir()
        for page in pages:
            file = folder / name / f"{page.category}-{page.number}.html"
            file.write_text(page.html)
            file.with_suffix(".txt").write_text("\n".join([page.title, *page.paragraphs]))
    for file in sorted((folder / "pages").glob("*.html")):
        said = from_extraction(tamis.extract(file), file.name, "ann")
        append(folder / "pages" / "annotations.jsonl", dataclasses.replace(said, committed=True))


def _write_archives(folder: Path) -> None:
    import zstandard

    records = [warc_record(page.html.encode(), page.url) for page in _site()]
    (folder / "crawl").mkdir()
    for path, part in (("crawl/1.warc.gz", records[:3]), ("crawl/2.warc.gz", records[3:]), ("crawl.warc.gz", records)):
        (folder / path).write_bytes(b"".join(gzip.compress(record) for record in part))
    lines = "".join(json.dumps({"id": str(page.number), "url": page.url, "html": page.html}) + "\n" for page in _site())
    (folder / "pages.jsonl").write_text(lines)
    (folder / "pages.jsonl.zst").write_bytes(zstandard.compress(lines.encode()))


def _site() -> list[SitePage]:
    return make_corpus(sites=1, categories=2, pages=3)
