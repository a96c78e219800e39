"""JSON: everything known of an extraction."""

from __future__ import annotations

import dataclasses
import json
import math

import tamis
from tamis.outputs._options import Options
from tamis.outputs.json import to_dict
from tamis.page.spans import Span
from tamis.results import Extraction, Made

PAGE = "<title>Title</title><meta name=author content='An Author'><p>kept &lt;text&gt;</p><p>dropped</p>"


def extraction() -> Extraction:
    page = tamis.parse(PAGE.encode(), url="https://example.org/")
    start = page.text.index("kept")
    return Extraction(
        page=page,
        spans=(Span(start, start + len("kept <text>")),),
        scores=(0.5, math.inf),
        reasons=("words", "none"),
        notes=("a note",),
        made=Made(method="by_hand", options={"names": ("a", "b"), "deep": {"count": 1}}, version="1"),
    )


def test_all_keys_are_there() -> None:
    assert to_dict(extraction(), Options(blocks=True)) == {
        "schema_version": 2,
        "url": "https://example.org/",
        "encoding": extraction().page.encoding,
        "status": "ok",
        "warnings": ["a note"],
        "method": "by_hand",
        "options": {"names": ["a", "b"], "deep": {"count": 1}},
        "version": "1",
        "metadata": json.loads(json.dumps(dataclasses.asdict(extraction().metadata))),
        "text": "kept <text>",
        "markdown": "kept &lt;text>",
        "html": "<p>kept &lt;text&gt;</p>",
        "content": [{"type": "p", "text": "kept <text>"}],
        "spans": [[5, 16]],
        "blocks": [
            {
                "number": 0,
                "span": [5, 16],
                "kept": True,
                "score": 0.5,
                "label": "main",
                "reason": "words",
                "text": "kept <text>",
            },
            {
                "number": 1,
                "span": [16, 23],
                "kept": False,
                "score": None,
                "label": "other",
                "reason": "none",
                "text": "dropped",
            },
        ],
    }


def test_blocks_are_there_only_when_they_are_asked_for() -> None:
    assert "blocks" not in extraction().to_dict()
    assert "blocks" in extraction().to_dict(blocks=True)
    assert [block["reason"] for block in extraction().to_dict(reasons=True)["blocks"]] == ["words", "none"]


def test_marks_say_which_part_of_a_text_is_a_link_emphasis_or_code() -> None:
    page = (
        "<p>See <a href=https://example.org/x>the <em>page</em></a> and <code>f(x)</code>.</p><pre><code>a</code></pre>"
    )
    first, code = tamis.extract(page, method="keep_all").to_dict()["content"]
    assert first["text"] == "See the page and f(x)."
    marked = [(mark["type"], first["text"][mark["start"] : mark["end"]]) for mark in first["marks"]]
    assert marked == [("a", "the page"), ("em", "page"), ("code", "f(x)")]
    assert first["marks"][0]["address"] == "https://example.org/x"
    assert "marks" not in code
    unlinked = tamis.extract(page, method="keep_all").to_dict(links=False)["content"][0]
    assert [mark["type"] for mark in unlinked["marks"]] == ["em", "code"]


def test_what_is_read_back_is_what_was_written() -> None:
    assert json.loads(extraction().render("json")) == extraction().to_dict()


def test_the_output_is_one_line_of_readable_characters() -> None:
    written = tamis.extract("<p>naïve 漢字<br>second line", method="keep_all").render("json")
    assert "\n" not in written
    assert "naïve 漢字" in written


def test_an_empty_extraction_is_still_an_object() -> None:
    found = json.loads(tamis.extract("", method="keep_all").render("json"))
    assert (found["text"], found["markdown"], found["html"], found["spans"], found["content"]) == ("", "", "", [], [])
    assert found["status"] == "empty"


def test_only_cells_cover_columns() -> None:
    markup = "<table colspan=4><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>"
    (table,) = tamis.extract(markup, method="keep_all").to_dict()["content"]
    cells = [cell for part in table["content"] for row in part["content"] for cell in row["content"]]
    assert "colspan" not in table
    assert [cell.get("colspan") for cell in cells] == [2, None, None, None, None]
