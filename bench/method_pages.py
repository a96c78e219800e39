"""Refreshes what docs/methods.md and docs/methods/*.md take from the code and from docs/reproduction.csv.

python -m bench.method_pages

Between the marks of a page everything is written anew; what stands outside of them is written by hand. A method without
a page gets one.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import re
import sys
import textwrap
import tokenize
import types
import typing
from pathlib import Path
from typing import Any

from bench.families import families
from bench.marks import refilled, skeleton
from bench.scores import OWN, ROOT, Scores, read_scores
from tamis import registry

FOLDER = ROOT / "docs" / "methods"
OVERVIEW = ROOT / "docs" / "methods.md"
PARTS = ("about", "options", "scores")


def main() -> int:
    scores = read_scores(OWN)
    FOLDER.mkdir(exist_ok=True)
    for name in registry.names("extractors"):
        file = page_path(name)
        page = file.read_text(encoding="utf-8") if file.exists() else skeleton(f"`{name}`", *PARTS)
        file.write_text(refreshed(page, name, scores), encoding="utf-8")
    OVERVIEW.write_text(overview(scores), encoding="utf-8")
    return 0


def page_path(name: str) -> Path:
    return FOLDER / f"{name}.md"


def refreshed(page: str, name: str, scores: Scores) -> str:
    """A method's page with everything between its marks written anew."""
    options = registry.load("extractors", name).Options
    parts = (about(name), options_table(options), score_table(name, scores))
    return refilled(page, dict(zip(PARTS, parts, strict=True)))


def overview(scores: Scores) -> str:
    """All methods, family by family."""
    public = _public(scores)
    parts = [
        "# Methods",
        'All extractors: choose one with `--method NAME` or `method="NAME"`. `tamis methods` lists them, and `tamis '
        "compare PAGE` runs all of them on a page. The scores are for words in order (measure `words`), with default "
        f"options, and are means over the samples of {len(public)} public datasets in [reproduction](reproduction.md).",
        "![Every method on an example page](figures/compare.svg)",
    ]
    for family, names in families().items():
        rows = [
            f"## {family}",
            "",
            "| method | keeps | source | F1 | precision | recall |",
            "|---|---|---|---:|---:|---:|",
        ]
        for name in names:
            keeps = registry.summary("extractors", name).rstrip(".")
            numbers = [
                f"{scores.mean(name, field, datasets=public):.3f}" if name in scores.systems else ""
                for field in ("f1", "precision", "recall")
            ]
            rows.append(f"| [`{name}`](methods/{name}.md) | {keeps} | {_source(name)} | {' | '.join(numbers)} |")
        parts.append("\n".join(rows))
    return "\n\n".join(parts) + "\n"


def about(name: str, kind: str = "extractors") -> str:
    """What the method's docstring says, as paragraphs."""
    first, *paragraphs = docstring_parts(name, kind).items()
    return "\n\n".join([first[1], *(f"**{heading}:** {words}" for heading, words in paragraphs)])


def docstring_parts(name: str, kind: str = "extractors") -> dict[str, str]:
    """The summary and the headed paragraphs of a method's docstring."""
    text = inspect.getdoc(registry.load(kind, name)) or ""
    parts = {"": ""}
    heading = ""
    for number, line in enumerate(text.splitlines()):
        found = re.match(r"([A-Z][a-z]+(?: at)?): +(.*)", line)
        if found and number:  # the first line may begin with a name and a colon, too
            heading = found[1]
            parts[heading] = found[2]
        else:
            parts[heading] = f"{parts[heading]} {line.strip()}".strip()
    return {heading: words.replace("``", "`") for heading, words in parts.items()}


def options_table(options: Any) -> str:
    """The options of a method with their defaults, and the comments in the code that say where these come from."""
    about_all = (inspect.getdoc(options) or "").replace("``", "`")
    fields = dataclasses.fields(options)
    if not fields:
        return about_all
    hints, comments = typing.get_type_hints(options), field_comments(options)
    rows = [
        f"| `{field.name}` | `{field.default!r}` | {_values(hints[field.name])} | {comments[field.name]} |"
        for field in fields
    ]
    return "\n".join([about_all, "", "| option | default | values | where it comes from |", "|---|---|---|---|", *rows])


def score_table(name: str, scores: Scores) -> str:
    """F1, precision and recall on every dataset of the reproduction."""
    if name not in scores.systems:
        return "Not measured yet: run `python -m bench.reproduction --work DIR`."
    public = _public(scores)
    plain = [system for system in scores.systems if ":" not in system]
    better = sum(scores.mean(other, datasets=public) > scores.mean(name, datasets=public) for other in plain)
    rows = [
        "Words in order (measure `words`), default options, on the samples of [reproduction](../reproduction.md). "
        f"By mean F1 it ranks {better + 1} of {len(plain)} methods.",
        "",
        "| dataset | F1 | precision | recall | deviation of F1 |",
        "|---|---:|---:|---:|---:|",
    ]
    for dataset in scores.datasets:
        cell = scores.cells[dataset, name, "words"]
        rows.append(f"| {dataset} | {cell.f1:.3f} | {cell.precision:.3f} | {cell.recall:.3f} | {cell.deviation:.3f} |")
    means = (scores.mean(name, field, datasets=public) for field in ("f1", "precision", "recall", "deviation"))
    rows.append(f"| **mean of public** | {' | '.join(f'**{value:.3f}**' for value in means)} |")
    return "\n".join(rows)


def _public(scores: Scores) -> list[str]:
    return [name for name in scores.datasets if name.startswith("public/")]


def _source(name: str) -> str:
    """The first work that a method's docstring refers to; a method without one is ours."""
    reference = docstring_parts(name).get("Reference", "")
    found = re.match(r".*?\d{4}\)", reference)
    return "Tamis" if reference.startswith("none") or not found else found[0]


def field_comments(options: type) -> dict[str, str]:
    """For each field the comments above it and on its lines."""
    source = textwrap.dedent(inspect.getsource(options))
    body = [node for node in ast.parse(source).body[0].body if isinstance(node, ast.AnnAssign)]  # type: ignore[attr-defined]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    found, before = {}, 0
    for field in body:
        last = typing.cast(int, field.end_lineno)
        words = " ".join(words for line, words in comments.items() if before < line <= last)
        found[typing.cast(ast.Name, field.target).id] = words.replace("|", r"\|")
        before = last
    return found


def _values(annotation: Any) -> str:
    """What an option may be."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return ", ".join(f"`{value!r}`" for value in arguments)
    if origin in (typing.Union, types.UnionType):
        return ", ".join(map(_values, arguments))
    if origin is tuple:
        return f"a list of {_values(arguments[0])}"
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text", type(None): "`None`"}
    return {**names, Path: "a path"}[annotation]


if __name__ == "__main__":
    sys.exit(main())
