"""How well structure survives: code, formulas and tables of Tamis and of peers, on the same pages in the same run.

python -m bench.structure            block-level edit similarity on public/llm_webkit_bench and on our structure pages
python -m bench.structure --glued    words of result.text that are no words of the page, on every page of public/
python -m bench.structure --speed    time of all renderings beside that of extraction itself

Similarity: what an output marks as code, formula or table, joined, against the same of the gold; 1 minus the
Levenshtein distance divided by the longer of both, white space reduced to single blanks except in code. "verbatim" is
the share of gold blocks that occur in the output as they are, marked or not (code with its indentation, formulas
without regard to white space). A page counts for a kind when its gold has blocks of the kind. Tables of one row or one
column are left out on both sides; formulas in cells are compared without the marks around them.

The gold of llm_webkit_bench is one text without marks. Its tables are written as HTML; code and formulas are those of
the page (``pre``, and ``code`` with line breaks in it; TeX in annotations, scripts, attributes and between delimiters)
that occur in the gold, compared without white space: the gold of some pages has its lines glued. Code and formulas of
the page that the gold lacks, since it is a fragment of some pages, do not count. Lines are those of the page: ``br``,
and elements that highlighters make of a line. Formulas of one or two letters are left out on both sides, and so are
those in text areas, which are forms to write a formula, and the twin of an image in ``noscript``.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import turbohtml
from rapidfuzz.distance import Levenshtein

import tamis
from bench.installed import installed
from bench.pages import load_pages
from tamis.errors import InputError
from tamis.evaluation.datasets import Sample, open_dataset
from tamis.page.text import IDEOGRAPH, char_classes, words

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
System = Callable[[str], str]


class Case(NamedTuple):
    """A page, the blocks that its gold holds, and those of the page that it does not hold, without white space."""

    html: str
    gold: Blocks
    others: frozenset[str] = frozenset()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--glued", action="store_true")
    arguments.add_argument("--speed", action="store_true")
    arguments.add_argument("--dataset", help="with --glued or --speed: these pages only")
    arguments.add_argument("--pages", type=int, default=100)
    arguments.add_argument("--method", help="of Tamis; the usual one if not given")
    chosen = arguments.parse_args()
    if chosen.glued:
        print_glued(chosen.dataset, chosen.method)
    elif chosen.speed:
        print_speed(chosen.dataset or "public/wcxb", chosen.pages, chosen.method)
    else:
        systems = {
            "tamis": lambda page: tamis.extract(page, method=chosen.method).markdown,
            "tamis keep_all": lambda page: tamis.extract(page, method="keep_all").markdown,  # as converters do
            **_peers(),
        }
        for title, cases in (("structure pages of this project", _own_cases()), (DATASET, _dataset_cases())):
            print_similarities(title, list(cases), systems)


def print_similarities(title: str, cases: list[Case], systems: dict[str, System]) -> None:
    counts = {kind: sum(bool(case.gold[kind]) for case in cases) for kind in KINDS}
    blocks = {kind: sum(len(case.gold[kind]) for case in cases) for kind in KINDS}
    shown = ", ".join(f"{kind} {blocks[kind]} on {counts[kind]} pages" for kind in KINDS)
    print(f"\n{title}: {shown}\n\n{'system':<18}" + "".join(f"{kind:>10}{'verbatim':>10}" for kind in KINDS))
    for name, system in systems.items():
        scores: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
        for case in cases:
            output = system(case.html)
            found = marked_blocks(output)
            for kind in KINDS:
                if case.gold[kind]:
                    counted = [block for block in found[kind] if _squeezed(block) not in case.others]
                    scores[kind].append((_similarity(case.gold[kind], counted), _verbatim(kind, case, output)))
        row = ""
        for kind in KINDS:
            similar, verbatim = (
                statistics.fmean(column) if column else 0.0 for column in zip(*scores[kind], strict=True)
            )
            row += f"{similar:>10.3f}" + (f"{verbatim:>10.3f}" if kind != "table" else f"{'':>10}")
        print(f"{name:<18}{row}")


def _similarity(gold: list[str], found: list[str]) -> float:
    return float(Levenshtein.normalized_similarity("\n".join(gold), "\n".join(found)))


def _verbatim(kind: str, case: Case, output: str) -> float:
    tidy = _lines if kind == "code" else _squeezed
    text = tidy(output)
    return statistics.fmean(tidy(block) in text for block in case.gold[kind])


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
        "code": [_lines(block) for block in code],
        "formula": [unescape(formula) for formula in formulas if len(_squeezed(formula)) >= _SHORTEST_FORMULA],
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


def _own_cases() -> Iterator[Case]:
    """Our pages between two paragraphs; the gold is what we expect of them in Markdown."""
    for file in sorted(STRUCTURE_PAGES.glob("*.txt")):
        parts = re.split(r"^=== (\w+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        sections = dict(zip(parts[1::2], parts[2::2], strict=True))
        html = f"<html><body><article><h1>Title</h1>{_AROUND}{sections['page']}{_AROUND}</article></body></html>"
        yield Case(html, marked_blocks(sections["markdown"]))


def _dataset_cases() -> Iterator[Case]:
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
    squeezed = _squeezed(_HTML_TABLE.sub("\n", gold))
    marked = [one for one in document.select("pre, code") if one.tag == "pre" or one.select("br")]
    pres = [pre for pre in marked if not any(above.tag == "pre" for above in _above(pre))]
    code = [_lines(_text_of(pre)) for pre in pres]
    formulas = _formulas(document)
    return Case(
        sample.markup,
        {
            "code": [one for one in code if len(_squeezed(one)) >= _SHORTEST_CODE and _squeezed(one) in squeezed],
            "formula": [
                one for one in formulas if len(_squeezed(one)) >= _SHORTEST_FORMULA and _squeezed(one) in squeezed
            ],
            "table": list(filter(None, (_html_table(match[0]) for match in _HTML_TABLE.finditer(gold)))),
        },
        frozenset(one for one in map(_squeezed, (*code, *formulas)) if one not in squeezed),
    )


def _above(element: Any) -> Iterator[Any]:
    return (node for node in element.ancestors if hasattr(node, "tag"))


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
        if any(above.tag == "textarea" for above in _above(node)):
            continue
        is_annotation = name == "annotation" and "tex" in (node.attr("encoding") or "")
        if is_annotation or (name == "script" and (node.attr("type") or "").startswith("math/tex")):
            found.append(node.text)
        elif name == "math" and node.attr("alttext") and not node.select("annotation"):
            found.append(node.attr("alttext") or "")
        elif name == "img" and "latex" in f"{node.attr('class')} {node.attr('src')}" and node.attr("alt"):
            is_twin = any(above.tag == "noscript" for above in _above(node)) and found[-1:] == [node.attr("alt")]
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


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\xa0", " ").strip("\n").split("\n")).strip("\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _peers() -> dict[str, System]:
    """Peers that are installed (extra ``peers``), each with its own way to Markdown or, if it has none, to text."""
    systems: dict[str, System] = {
        "turbohtml": lambda page: str(((document := turbohtml.parse(page)).main_content() or document).to_markdown())
    }
    if trafilatura := installed("trafilatura"):
        systems["trafilatura"] = lambda page: (
            trafilatura.extract(page, output_format="markdown", include_images=True) or ""
        )
    if resiliparse := installed("resiliparse.extract.html2text"):
        systems["resiliparse"] = lambda page: resiliparse.extract_plain_text(
            page, main_content=True, preserve_formatting="minimal_html"
        )
    if html_to_markdown := installed("html_to_markdown"):
        systems["html-to-markdown"] = lambda page: html_to_markdown.convert(page).content or ""
    if markdownify := installed("markdownify"):
        systems["markdownify"] = markdownify.markdownify
    return systems


def print_glued(dataset: str | None, method: str | None) -> None:
    """Words of the text that are no words of the page as a reader sees it."""
    from tamis.evaluation.datasets import data_folder

    folder = data_folder()
    if folder is None:
        print("there is no data folder: set TAMIS_DATA")
        return
    names = [dataset] if dataset else sorted(f"public/{file.name}" for file in (folder / "public").iterdir())
    for name in names:
        pages = strange = 0
        examples: Counter[str] = Counter()
        for sample in open_dataset(name.removesuffix(".jsonl.xz")):
            pages += 1
            page = sample.markup
            # The twin shows no hidden text.
            options: dict[str, Any] = (
                {"hidden": "drop"} if method in (None, "sieve") else {}
            )  # the twin shows no hidden text
            result = tamis.extract(page, method=method, **options)
            text = result.text
            found = set(words(text)) - set(words(rendered_text(page)))
            is_unspaced = text and np.mean(char_classes(text) == IDEOGRAPH) > _UNSPACED
            is_embedded = any(warning.startswith("embedded") for warning in result.warnings)  # from a script
            if is_unspaced or is_embedded or result.shown.page.format == "xhtml":  # which the twin cannot mend
                found = set()
            strange += len(found)
            examples.update(sorted(found)[:3])
        shown = ", ".join(word for word, _ in examples.most_common(5))
        print(f"{name:<42}{pages:>6} pages{strange:>6} words  {shown}", flush=True)


_UNSPACED = 0.1  # of the characters: on such pages Latin words stand between others without blanks
_SILENT = frozenset(
    "annotation annotation-xml audio canvas datalist desc head iframe noembed noframes rp script style template title "
    "video".split()
)
_GUTTER = re.compile(r"\bline-?(?:no|num)", re.IGNORECASE)  # numbers beside code stand apart from it
_HIDING_STYLE = re.compile("(?:^|;)(?:display:none|visibility:(?:hidden|collapse))")
_PICTURES = ("math", "svg")  # what is in them is one line
_IN_PICTURES = ("annotation", "annotation-xml", "desc")
_UNSEEN = re.compile("[\xad\u200b\u2060\ufeff]")


def rendered_text(page: str) -> str:
    """All text of a page with a blank wherever an element other than an inline one begins or ends: a plain twin."""
    from tamis.page.html import INLINE_NAMES

    parts: list[str] = []
    pending: list[Any] = [turbohtml.parse(page, detect_encoding=True)]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
        elif type(node) in (turbohtml.Text, turbohtml.CData):
            parts.append(node.data)
        elif type(node) is turbohtml.Element and node.tag in ("iframe", "noframes", "textarea") and _inner_markup(node):
            parts.append(f" {rendered_text(_inner_markup(node))} ")
        elif type(node) is turbohtml.Element and (node.tag in _SILENT or _is_hidden(node)):
            parts.append("" if node.tag in INLINE_NAMES or node.tag in _IN_PICTURES else " ")
        elif type(node) is turbohtml.Element:
            is_inline = node.tag in INLINE_NAMES - {"br"} or any(above.tag in _PICTURES for above in _above(node))
            border = "" if is_inline and not _GUTTER.search(str(node.attr("class"))) else " "
            pending += [border, *reversed(list(node.children)), border]
        elif type(node) is turbohtml.Document:
            pending += reversed(list(node.children))
    return _UNSEEN.sub("", "".join(parts))


def _is_hidden(node: Any) -> bool:
    if type(node) is not turbohtml.Element or node.tag in ("body", "html"):
        return False
    style = (node.attr("style") or "").lower().replace(" ", "")
    is_streamed = re.fullmatch("S:[0-9a-f]+", node.attr("id") or "") is not None  # scripts put it in its place
    return (
        (node.attr("hidden") is not None and not is_streamed)
        or (node.attr("aria-hidden") or "").lower() == "true"
        or _HIDING_STYLE.search(style) is not None
    )


def _inner_markup(node: Any) -> str:
    markup = node.attr("srcdoc") if node.tag == "iframe" else node.text
    return markup if markup and re.match(r"\s*<[a-zA-Z!][^<]*>", markup) else ""


def print_speed(dataset: str, limit: int, method: str | None) -> None:
    pages, origin = load_pages(dataset, limit)
    stages = ("extract", "metadata", "text", "markdown", "html", "json")
    totals = dict.fromkeys(stages, 0.0)
    for page in pages:
        best = dict.fromkeys(stages, float("inf"))
        for _ in range(5):
            started = time.perf_counter()
            result = tamis.extract(page, method=method)
            best["extract"] = min(best["extract"], time.perf_counter() - started)
            for stage in stages[1:]:  # metadata is no rendering, but part of what JSON writes
                started = time.perf_counter()
                result.render(stage) if stage == "json" else getattr(result, stage)
                best[stage] = min(best[stage], time.perf_counter() - started)
        for stage, seconds in best.items():
            totals[stage] += seconds
    print(f"{len(pages)} pages from {origin}, method {result.made.method}; each stage after the one before it")
    for stage, seconds in totals.items():
        print(f"{stage:<12}{seconds / len(pages) * 1000:>8.2f} ms{seconds / totals['extract']:>8.2f} x extract")
    rendering = sum(totals[stage] for stage in stages[2:])
    print(f"{'all formats':<12}{rendering / len(pages) * 1000:>8.2f} ms{rendering / totals['extract']:>8.2f} x extract")


if __name__ == "__main__":
    main()
