"""Pages written for one difficulty each, and what becomes of them in every format.

A file holds why it is there, the page, and the expected outputs. ``python -m tests.structure.test_structure`` writes
the outputs anew; what changed is then to be read, not trusted.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tamis
from tamis.outputs._options import Options

FOLDER = Path(__file__).parent / "pages"
URL = "https://example.org/dir/page.html"
SECTIONS = ("text", "markdown", "html", "content")
SLUGS = sorted(file.stem for file in FOLDER.glob("*.txt"))


def read(slug: str) -> dict[str, str]:
    """The sections of a file; the first, without a name, says why it is there."""
    parts = re.split(r"^=== (\w+)\n", (FOLDER / f"{slug}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(("why", *parts[1::2]), (part.removesuffix("\n") for part in parts[::2]), strict=True))


def outputs(page: str) -> dict[str, str]:
    result = tamis.extract(page, url=URL, method="keep_all")
    content = "\n".join(json.dumps(block, ensure_ascii=False) for block in result.to_dict()["content"])
    return {"text": result.text, "markdown": result.markdown, "html": result.html, "content": content}


def write(slug: str) -> None:
    sections = read(slug)
    written = outputs(sections["page"])
    parts = [sections["why"], "=== page", sections["page"]]
    for name in SECTIONS:
        parts += [f"=== {name}", written[name]]
    (FOLDER / f"{slug}.txt").write_text("\n".join(parts) + "\n", encoding="utf-8")


def test_there_are_enough_pages() -> None:
    assert len(SLUGS) >= 60
    assert all(read(slug)["why"].endswith(".") for slug in SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("section", SECTIONS)
def test_the_output_is_as_expected(slug: str, section: str) -> None:
    expected = read(slug)
    assert outputs(expected["page"])[section] == expected[section]


@pytest.mark.parametrize("slug", SLUGS)
def test_html_that_is_read_again_is_written_the_same(slug: str) -> None:
    """Nothing is lost or added when the output is the input."""
    first = tamis.extract(read(slug)["page"], url=URL, method="keep_all").html
    assert tamis.extract(f"<body>{first}", url=URL, method="keep_all").html == first


@pytest.mark.parametrize("slug", SLUGS)
def test_links_images_tables_and_formulas_can_be_left_out(slug: str) -> None:
    result = tamis.extract(read(slug)["page"], url=URL, method="keep_all")
    bare = result.render("html", links=False, images=False, tables=False, formulas=False)
    assert not re.search(r"<a |<img|<table|class=\"math\"", bare)
    assert result.render("html", **vars(Options())) == result.html


if __name__ == "__main__":
    for name in SLUGS:
        write(name)
