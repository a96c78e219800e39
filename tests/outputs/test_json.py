"""JSON: everything known of an extraction."""

from __future__ import annotations

import dataclasses
import json
import math

import tamis
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
    assert to_dict(extraction()) == {
        "schema_version": 1,
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


def test_what_is_read_back_is_what_was_written() -> None:
    assert json.loads(extraction().render("json")) == extraction().to_dict()


def test_the_output_is_one_line_of_readable_characters() -> None:
    written = tamis.extract("<p>naïve 漢字<br>second line", method="keep_all").render("json")
    assert "\n" not in written
    assert "naïve 漢字" in written


def test_an_empty_extraction_is_still_an_object() -> None:
    found = json.loads(tamis.extract("", method="keep_all").render("json"))
    assert (found["text"], found["markdown"], found["html"], found["spans"], found["blocks"]) == ("", "", "", [], [])
    assert found["status"] == "empty"
