"""Pages written for one difficulty each, and what becomes of them in every format.

A file of ``pages`` holds why it is there, the page, and all expected outputs; ``python -m
tests.structure.test_structure`` writes these anew, and what changed is then to be read, not trusted. A file of
``cases`` holds only the outputs it is about, as they were written by hand before the fault was mended.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tamis
from tamis.outputs._options import Options

FOLDER, CASES = (Path(__file__).parent / name for name in ("pages", "cases"))
URL = "https://example.org/dir/page.html"
SECTIONS = ("text", "markdown", "html", "content")
SLUGS = sorted(file.stem for file in FOLDER.glob("*.txt"))
CASE_SLUGS = sorted(file.stem for file in CASES.glob("*.txt"))


def read(slug: str) -> dict[str, str]:
    """The sections of a file; the first, without a name, says why it is there."""
    folder = FOLDER if slug in SLUGS else CASES
    parts = re.split(r"^=== (\w+)\n", (folder / f"{slug}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
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
    assert all(read(slug)["why"].endswith(".") for slug in (*SLUGS, *CASE_SLUGS))


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("section", SECTIONS)
def test_the_output_is_as_expected(slug: str, section: str) -> None:
    expected = read(slug)
    assert outputs(expected["page"])[section] == expected[section]


@pytest.mark.parametrize("slug", CASE_SLUGS)
def test_the_case_is_solved(slug: str) -> None:
    expected = read(slug)
    found = outputs(expected["page"])
    wanted = {section: text for section, text in expected.items() if section in SECTIONS}
    assert wanted
    assert {section: found[section] for section in wanted} == wanted


@pytest.mark.parametrize("slug", [*SLUGS, *CASE_SLUGS])
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
