"""Formulas of a page as LaTeX: from their source where the page carries it, else from MathML.

Renderers write one formula up to three times: as boxes for the eye, as MathML for screen readers, and as its source in
an annotation, an attribute or a script. What belongs to one formula is found here as one range of nodes.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from tamis.outputs._mathml import to_latex
from tamis.page.model import NOSCRIPT, PREFORMATTED, Page
from tamis.page.text import Ints

MAX_LENGTH = 20_000  # characters of LaTeX; what is longer stays what it is on the page

_RENDERERS = ("mathjax", "katex")
_RAW_HOLDERS = ".math, .math-container, .math-tex, .tex2jax_process, .arithmatex"
_DOLLARS = re.compile(r"\$\$|\$[^\s$][^$]{0,500}\$(?!\w)")
_COMMAND = re.compile(r"\\(?:[a-z]{2,}\b|[A-Za-z]+\{)")
_FORMULAS = (
    "math, .katex-display, .katex, .MathJax_Preview, .MathJax, .MathJax_Display, .MathJax_SVG, .MathJax_SVG_Display, "
    ".MathJax_CHTML, .MathJax_CHTML_Display, .mjx-chtml, mjx-container, .mwe-math-element, [data-tex], [data-latex], "
    'script[type^="math/" i], img.latex, img.tex, img[src*="latex" i], img[class*="math" i], img[alt^="$"], '
    "img[alt^='\\\\(']"
)
_FORMULA_SCRIPTS = 'script[type^="math/"]'
_DISPLAYED = re.compile(
    r"katex-display|MathJax(?:_SVG|_CHTML)?_Display|MJXc-display|fallback-image-display|element-block"
)
_NODES_BETWEEN = 4  # a rendering and its script: blank texts, and the other rendering
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_STYLE_WRAPPER = re.compile(r"\{\\(?:displaystyle|textstyle)\s*(.*)\}", re.DOTALL)
_DELIMITERS = re.compile(r"\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\]", re.DOTALL)
_IN_ADDRESS = re.compile(
    r"(?:latex\.php\?(?:.*&)?latex=|codecogs\.com/[^?]*\?|[?&]chl=|mathtex\.cgi\?)((?:[^&]|&space;)+)", re.IGNORECASE
)
_COMMENTED = re.compile(r"\A\s*%?\s*<!\[CDATA\[(.*?)%?\s*\]\]>\s*\Z", re.DOTALL)
_ENVIRONMENTS = "align|alignat|displaymath|eqnarray|equation|flalign|gather|math|multline"
# Each part ends before the next opening mark of its kind, so that marks which are never closed cost nothing.
_RAW = re.compile(
    rf"""
      \$\$ (?P<dollars>[^$]+) \$\$
    | (?<!\\)\\\[ (?P<brackets>(?:(?!(?<!\\)\\\[).)+?) (?<!\\)\\\]
    | (?P<environment>\\begin\{{(?P<kind>{_ENVIRONMENTS})\*?\}}(?:(?!\\begin\{{(?P=kind)).)+?\\end\{{(?P=kind)\*?\}})
    | (?<!\\)\\\( (?P<round>(?:(?!(?<!\\)\\\().)+?) \\\)
    | (?<![\\$\w])\$ (?P<dollar>[^\s$](?:[^$]{{0,500}}?[^\s$\\])?) \$(?![\w$])
    """,
    re.VERBOSE | re.DOTALL,
)
# Formulas that only define commands show nothing.
_DEFINITIONS = re.compile(r"(?:\\(?:re)?newcommand|\\providecommand|\\DeclareMathOperator|\\def\b)\*?[^$]*", re.DOTALL)
_KINDS = ("dollars", "brackets", "environment", "round", "dollar")
_INLINE_KINDS = frozenset({"round", "dollar"})


class Formula(NamedTuple):
    """The nodes that show one formula, and its LaTeX."""

    node: int
    end: int
    latex: str
    is_display: bool


def find_formulas(page: Page) -> list[Formula]:
    """The formulas that are elements of the page, in page order."""
    if not _may_have_formulas(page):
        return []
    found: list[Formula] = []
    complete = -1  # the last formula that has its source in a script
    for node in page.select(_FORMULAS):
        if (found and node < found[-1].end) or page.nodes.flags[node] & PREFORMATTED:
            continue
        start, end = node, int(page.nodes.end[node])
        if page.name(node) == "script":
            latex, is_display = _of_script(page, node), "display" in page.attributes(node).get("type", "")
            while found and found[-1].node > complete and _belongs_to(page, found[-1].node, start):
                rendering = found.pop()
                start, latex = rendering.node, latex or rendering.latex
            complete = start
        else:
            latex, is_display = _latex(page, node), _is_display(page, node)
            if found and page.nodes.flags[node] & NOSCRIPT and latex == found[-1].latex:
                start = found.pop().node  # the same again for readers without scripts
        found.append(Formula(start, end, latex, is_display))
    return [formula for formula in found if 0 < len(formula.latex) <= MAX_LENGTH]


def _may_have_formulas(page: Page) -> bool:
    """Whether it is worth to look closer: renderers leave MathML, scripts or images with a formula's name."""
    if page.nodes.has("math") or _has_formula_scripts(page):
        return True
    if not page.nodes.has("img"):
        return False
    images = np.flatnonzero(page.nodes.named("img"))
    said = [value for name in ("src", "class") for value in page.attribute(images, name)]
    every = "\n".join([value for value in said if value and value[:5] != "data:"])  # one search is quicker than many
    if "tex" in every or "math" in every:
        return True
    texts = "\n".join(["", *filter(None, page.attribute(images, "alt"))])
    return "\n$" in texts or "\n\\(" in texts


def _has_formula_scripts(page: Page) -> bool:
    kinds = page.attribute(np.flatnonzero(page.nodes.named("script")), "type")
    return any(kind and kind[:5].lower() == "math/" for kind in {*kinds}) and bool(page.select(_FORMULA_SCRIPTS))


def has_raw_formulas(page: Page) -> bool:
    """Whether formulas stand in the text between marks, because something on the page would render them."""
    text = page.text
    has_marks = "\\" in text and ("\\(" in text or "\\[" in text or "\\begin{" in text)
    if has_marks and _COMMAND.search(text):
        return True
    if not has_marks and not ("$" in text and _DOLLARS.search(text)):
        return False
    nodes = page.nodes
    programs, styles = (np.flatnonzero(nodes.named(name)) for name in ("script", "link"))
    said = (*page.attribute(programs, "src"), *page.attribute(programs, "type"), *page.attribute(styles, "href"))
    every = "\n".join(filter(None, said)).lower()
    if any(name in every for name in _RENDERERS):
        return True
    return bool(page.select(_RAW_HOLDERS))


def split_formulas(text: str) -> list[tuple[str, str]]:
    r"""Text and formulas in turn: what kind each is ("text", "inline", "display") and what it says.

    >>> split_formulas(r"so $x^2$, or \[y\]")
    [('text', 'so '), ('inline', 'x^2'), ('text', ', or '), ('display', 'y')]
    """
    parts, done = [], 0
    for match in _RAW.finditer(text):
        kind = next(kind for kind in _KINDS if match[kind] is not None)
        latex = match[kind].strip()
        if not latex:
            continue
        if match.start() > done:
            parts.append(("text", text[done : match.start()]))
        if not _DEFINITIONS.fullmatch(latex):
            parts.append(("inline" if kind in _INLINE_KINDS else "display", latex))
        done = match.end()
    if done < len(text):
        parts.append(("text", text[done:]))
    return parts


def raw_ranges(text: str) -> tuple[Ints, Ints]:
    """Where formulas stand in a text, their marks included."""
    places = np.array([match.span() for match in _RAW.finditer(text)], dtype=np.int64).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def _belongs_to(page: Page, rendering: int, script: int) -> bool:
    """Whether an element shows the formula whose source is in a script: it stands right before it."""
    nodes, classes = page.nodes, page.attributes(rendering).get("class", "")
    is_rendering = "MathJax" in classes or "mjx" in classes
    between = page.text[nodes.text_end[rendering] : nodes.text_start[script]]
    return is_rendering and not between.strip() and script - nodes.end[rendering] <= _NODES_BETWEEN


def _of_script(page: Page, node: int) -> str:
    kind = page.attributes(node).get("type", "").lower()
    return "" if kind.startswith("math/mml") else _cleaned(_COMMENTED.sub(r"\1", page.code(node)))


def _latex(page: Page, node: int) -> str:
    """The source of a formula that an element shows, or its MathML in LaTeX; empty if it shows none."""
    name, attributes = page.name(node), page.attributes(node)
    if name == "img":
        return _of_image(attributes.get("alt", ""), attributes.get("src", ""), attributes.get("class", ""))
    for key in ("data-tex", "data-latex"):
        if attributes.get(key):
            return _cleaned(attributes[key])
    maths = []
    for below in range(node, int(page.nodes.end[node])):
        below_name = page.name(below)
        if below_name == "annotation" and "tex" in page.attributes(below).get("encoding", "").lower():
            return _cleaned(page.node_text(below))
        if below_name == "math":
            maths.append(below)
        elif below_name == "script" and page.attributes(below).get("type", "").lower().startswith("math/"):
            return _of_script(page, below)
    for math in maths[:1]:
        alternative = page.attributes(math).get("alttext", "")
        return _cleaned(alternative) or to_latex(page, math)
    return ""


def _of_image(alternative: str, address: str, classes: str) -> str:
    alternative = alternative.strip()
    in_address = _IN_ADDRESS.search(address)
    if in_address:
        return _cleaned(alternative or unquote(in_address[1].replace("&space;", " ").replace("+", " ")))
    if _DELIMITERS.fullmatch(alternative) or ("latex" in classes or "tex" in classes.split() or "mwe-math" in classes):
        return _cleaned(alternative)
    return ""


def _cleaned(latex: str) -> str:
    """LaTeX without the marks around it.

    >>> _cleaned("{\\\\displaystyle x}"), _cleaned("$x$")
    ('x', 'x')
    """
    latex = _LINE_BREAK.sub(" ", latex).strip()
    latex = latex.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")  # written twice over in attributes
    if delimited := _DELIMITERS.fullmatch(latex):
        latex = next(filter(None, delimited.groups()), "").strip()
    if wrapped := _STYLE_WRAPPER.fullmatch(latex):
        latex = wrapped[1].strip() if _is_balanced(wrapped[1]) else latex
    return latex


def _is_balanced(latex: str) -> bool:
    """Whether no brace closes that was not opened."""
    depth = 0
    for char in latex.replace("\\{", "").replace("\\}", ""):
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def _is_display(page: Page, node: int) -> bool:
    above = int(page.nodes.parent[node])
    for place in (node, above):
        attributes = page.attributes(place)
        if _DISPLAYED.search(attributes.get("class", "")) or attributes.get("display") in ("block", "true"):
            return True
    inner = next((below for below in range(node, int(page.nodes.end[node])) if page.name(below) == "math"), -1)
    return inner >= 0 and page.attributes(inner).get("display") == "block"
