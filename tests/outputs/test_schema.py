"""The JSON schema that is shipped says what ``to_dict`` gives; keys it does not name would be new, and need a line."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

import tamis
from tamis.outputs.json import SCHEMA_VERSION
from tests.structure.test_structure import SLUGS, URL, read

SCHEMA: dict[str, Any] = json.loads(files("tamis.outputs").joinpath("schema.json").read_text(encoding="utf-8"))
TYPES = {"string": str, "array": list, "object": dict, "boolean": bool, "null": type(None)}


def problems(value: Any, schema: dict[str, Any], place: str = "result") -> list[str]:
    """Where a value is not as the schema says: as much of JSON Schema as ours uses, and no unnamed keys."""
    if "$ref" in schema:
        return problems(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], place)
    wanted = schema.get("type", [])
    if wanted and not any(_is(value, name) for name in ([wanted] if isinstance(wanted, str) else wanted)):
        return [f"{place} is no {wanted}"]
    found = [f"{place} is {value!r}"] if "enum" in schema and value not in schema["enum"] else []
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{place} has {len(value)} items")
        for number, item in enumerate(value):
            found += problems(item, schema["items"], f"{place}[{number}]")
    if isinstance(value, dict) and "properties" in schema:
        found += [f"{place} lacks {key}" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            known = key in schema["properties"]
            found += problems(item, schema["properties"][key], f"{place}.{key}") if known else [f"{place} has {key}"]
    return found


def _is(value: Any, name: str) -> bool:
    if name in ("integer", "number"):
        return isinstance(value, int if name == "integer" else int | float) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


@pytest.mark.parametrize("slug", SLUGS)
def test_structure_pages_are_as_the_schema_says(slug: str) -> None:
    assert problems(tamis.extract(read(slug)["page"], url=URL).to_dict(), SCHEMA) == []


@pytest.mark.parametrize("markup", ["", "text", b"%PDF-1.4", "<p>" * 600 + "deep"])
def test_odd_input_is_as_the_schema_says(markup: str | bytes) -> None:
    assert problems(tamis.extract(markup, method="keep_all").to_dict(), SCHEMA) == []


def test_the_schema_is_of_this_version() -> None:
    assert SCHEMA["properties"]["schema_version"]["enum"] == [SCHEMA_VERSION]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": "fine"}, "result.status is 'fine'"),
        ({"url": 1}, "result.url is no ['string', 'null']"),
        ({"spans": [[1]]}, "result.spans[0] has 1 items"),
        ({"extra": 1}, "result has extra"),
        ({"content": [{"type": "div"}]}, "result.content[0].type is 'div'"),
    ],
)
def test_the_check_finds_what_is_wrong(change: dict[str, Any], said: str) -> None:
    assert problems({**tamis.extract("<p>x").to_dict(), **change}, SCHEMA) == [said]
