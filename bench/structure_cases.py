"""Pages with code, formulas and tables, what their gold holds of each, and the same of what an output marks so.

The gold of llm_webkit_bench is one text without marks. Its tables are written as HTML; code and formulas are those of
the page (``pre``, and ``code`` with line breaks in it; TeX in annotations, scripts, attributes and between delimiters)
that occur in the gold, compared without white space: the gold of some pages has its lines glued. Code and formulas of
the page that the gold lacks, since it is a fragment of some pages, do not count. Lines are those of the page: ``br``,
and elements that highlighters make of a line. Formulas of one or two letters are left out on both sides, and so are
those in text areas, which are forms to write a formula, and the twin of an image in ``noscript``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import turbohtml

from bench.rendered_text import elements_above
from tamis.errors import InputError
from tamis.evaluation.datasets import Sample, open_dataset

KINDS = ("code", "formula", "table")
DATASET = "public/llm_webkit_bench"
STRUCTURE_PAGES = Path(__file__).resolve().parent.parent / "tests" / "structure" / "pages"
_SHORTEST_CODE, _SHORTEST_FORMULA = 8, 3  # characters; shorter ones occur in any text
_AROUND = "<p>" + "This paragraph stands beside what is looked at, and is long enough to be content. " * 3 + "</p>"

_FENCE = re.compile(
    r"^([ >]*(?:[-*+] |\d+[.)] )?[ >]*)(`{3,}|~{3,})[^\n`]*\n(.*?)\n[ >]*\2[ \t]*$", re.MULTILINE | re.DOTALL
)
_PRE = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL | re.IGNORECASE)
_FORMULA = re.compile(
    r"\$\$(.+?)\$\$|(?<![\\$\w])\$([^\s$](?:[^$\n]*?[^\s$\\])?)\$(?![\w$])|\\\((.+?)\\\)|\\\[(.+?)\\\]"
    r"|(\\begin\{(equation|align|gather|multline|eqnarray)\*?\}.+?\\end\{\6\*?\})",
    re.DOTALL,
)
_ROW = re.compile(r"^[ >]*\|(.*)\|[ \t]*$", re.MULTILINE)
_PIPE_TABLE = re.compile(r"(?:^[ >]*\|.*\|[ \t]*\n?)+", re.MULTILINE)
_RULE = re.compile(r"[\s|:-]+")
_HTML_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL | re.IGNORECASE)
_TAGS = re.compile(r"<[^>]+>")
_TEX_COMMAND = re.compile(r"\$[^$\n]*\\[a-z]{2,}[^$\n]*\$")
_LINE = re.compile(r"(?:^|\s)(?:line|code-line|token-line|cl)(?:\s|$)")
_CELL_FORMULA = re.compile(r"\{\\displaystyle\s*((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}")
_TEX_WRAPPER = re.compile(r"\{\\(?:displaystyle|textstyle)\s*(.*)\}", re.DOTALL)

Blocks = dict[str, list[str]]


class Case(NamedTuple):
    """A page, the blocks that its gold holds, and those of the page that it does not hold, without white space."""

    html: str
    gold: Blocks
    others: frozenset[str] = frozenset()


def marked_blocks(output: str) -> Blocks:
    """What an output marks as code, formulas and tables, in Markdown or HTML."""
    code: list[str] = []

    def take_fence(match: re.Match[str]) -> str:
        indent = len(match[1])
        code.append("\n".join(_unindented(line, match[1], indent) for line in match[3].split("\n")))
        return "\n"

    def take_pre(match: re.Match[str]) -> str:
        code.append(unescape(_TAGS.sub("", match[1])).strip("\n"))
        return "\n"

    rest = _PRE.sub(take_pre, _FENCE.sub(take_fence, output))
    tables = [_html_table(match[0]) for match in _HTML_TABLE.finditer(rest)]
    rest = _HTML_TABLE.sub("\n", rest)
    tables += [_pipe_table(match[0]) for match in _PIPE_TABLE.finditer(rest)]
    formulas = [_one_line(next(filter(None, match.groups()))) for match in _FORMULA.finditer(rest)]
    return {
        "code": [tidy_lines(block) for block in code],
        "formula": [unescape(formula) for formula in formulas if len(squeezed(formula)) >= _SHORTEST_FORMULA],
        "table": list(filter(None, tables)),
    }


def _unindented(line: str, prefix: str, indent: int) -> str:
    if ">" in prefix:
        return re.sub(r"^[ ]*(?:> ?)+", "", line)
    return line[indent:] if not line[:indent].strip() else line


def _pipe_table(text: str) -> str:
    rows = [re.split(r"(?<!\\)\|", row[1]) for row in _ROW.finditer(text) if not _RULE.fullmatch(row[1])]
    return _table([[_plain_cell(cell) for cell in row] for row in rows])


def _html_table(markup: str) -> str:
    rows = re.split(r"<tr\b[^>]*>", markup, flags=re.IGNORECASE)[1:]
    cells = [re.split(r"<t[dh]\b[^>]*>", row, flags=re.IGNORECASE)[1:] for row in rows]
    return _table([[unescape(unescape(_TAGS.sub("", cell.replace("<br>", " ")))) for cell in row] for row in cells])


def _table(rows: list[list[str]]) -> str:
    """A line for each row; nothing if there is one row or one column, which is layout to some and a table to others."""
    if len(rows) < 2 or max(map(len, rows)) < 2:
        return ""
    lines = (" ".join(map(_without_marks, row)).replace("<br>", " ") for row in rows)
    return "\n".join(filter(None, map(_one_line, lines)))


def _without_marks(cell: str) -> str:
    """A cell whose formulas are written without what stands around them, and without what Markdown escapes."""
    return re.sub(r"\\(?=[^\w\s])|\$", " ", _CELL_FORMULA.sub(r"\1", cell))


def _plain_cell(text: str) -> str:
    """A cell without images, and without the marks of emphasis, links and code in it."""
    text = re.sub(r"!\[(?:[^\[\]]|\[[^\]]*\])*\]\([^()\s]*\)", " ", text)
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^()\s]*(?: \"[^\"]*\")?\)", r"\1", text)
    return re.sub(r"\\(?=[^\w\s])|[*`]|(?<!\w)_|_(?!\w)|<br\s*/?>", " ", text)


def own_cases() -> Iterator[Case]:
    """Our pages between two paragraphs; the gold is what we expect of them in Markdown."""
    for file in sorted(STRUCTURE_PAGES.glob("*.txt")):
        parts = re.split(r"^=== (\w+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        sections = dict(zip(parts[1::2], parts[2::2], strict=True))
        html = f"<html><body><article><h1>Title</h1>{_AROUND}{sections['page']}{_AROUND}</article></body></html>"
        yield Case(html, marked_blocks(sections["markdown"]))


def dataset_cases() -> Iterator[Case]:
    try:
        samples = list(open_dataset(DATASET))
    except InputError as error:
        print(f"\n{DATASET} is left out: {error}")
        return
    for sample in samples:
        yield _dataset_case(sample)


def _dataset_case(sample: Sample) -> Case:
    document = turbohtml.parse(sample.markup)
    gold = sample.gold or ""
    whole = squeezed(_HTML_TABLE.sub("\n", gold))
    marked = [one for one in document.select("pre, code") if one.tag == "pre" or one.select("br")]
    pres = [pre for pre in marked if not any(above.tag == "pre" for above in elements_above(pre))]
    code = [tidy_lines(_text_of(pre)) for pre in pres]
    formulas = _formulas(document)
    return Case(
        sample.markup,
        {
            "code": [one for one in code if len(squeezed(one)) >= _SHORTEST_CODE and squeezed(one) in whole],
            "formula": [one for one in formulas if len(squeezed(one)) >= _SHORTEST_FORMULA and squeezed(one) in whole],
            "table": list(filter(None, (_html_table(match[0]) for match in _HTML_TABLE.finditer(gold)))),
        },
        frozenset(one for one in map(squeezed, (*code, *formulas)) if one not in whole),
    )


def _text_of(element: Any) -> str:
    """The text of code, with a line end wherever one is shown."""
    parts: list[str] = []
    for node in element.descendants:
        name = getattr(node, "tag", "")
        if name == "br":
            parts.append("\n")
        elif name and (name in ("div", "li", "tr", "p") or _LINE.search(str(node.attr("class")))):
            if parts and not parts[-1].endswith("\n"):
                parts.append("\n")
        elif type(node) is turbohtml.Text:
            parts.append(node.data)
    return "".join(parts)


def _formulas(document: turbohtml.Document) -> list[str]:
    """TeX on a page, in order: annotations, scripts, attributes, and text between delimiters."""
    found: list[str] = []
    has_tex = "\\(" in document.text or _TEX_COMMAND.search(document.text) is not None  # else dollars are money
    node: Any
    for node in document.descendants:
        name = getattr(node, "tag", "")
        if any(above.tag == "textarea" for above in elements_above(node)):
            continue
        is_annotation = name == "annotation" and "tex" in (node.attr("encoding") or "")
        if is_annotation or (name == "script" and (node.attr("type") or "").startswith("math/tex")):
            found.append(node.text)
        elif name == "math" and node.attr("alttext") and not node.select("annotation"):
            found.append(node.attr("alttext") or "")
        elif name == "img" and "latex" in f"{node.attr('class')} {node.attr('src')}" and node.attr("alt"):
            is_twin = any(above.tag == "noscript" for above in elements_above(node)) and found[-1:] == [
                node.attr("alt")
            ]
            found += [] if is_twin else [node.attr("alt") or ""]
        elif type(node) is turbohtml.Text and ("\\" in node.data or (has_tex and "$" in node.data)):
            above = getattr(node.parent, "tag", "")
            if above not in ("script", "style", "annotation", "code", "pre", "textarea"):
                found += [next(filter(None, match.groups())) for match in _FORMULA.finditer(node.data)]
    cleaned = []
    for formula in found:
        wrapped = _TEX_WRAPPER.fullmatch(formula.strip())
        cleaned.append(_one_line(wrapped[1] if wrapped else formula))
    return cleaned


def tidy_lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\xa0", " ").strip("\n").split("\n")).strip("\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def squeezed(text: str) -> str:
    return "".join(text.split())
