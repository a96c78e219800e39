"""MathML → LaTeX, for formulas that come without their source.

The common part of presentation MathML is covered; what is unknown is written as its content. Nesting and length are
bounded, so that a formula without end costs no more than its text.
"""

from __future__ import annotations

from collections.abc import Callable

from tamis.page.html import TAG_NAMES
from tamis.page.model import Page
from tamis.page.text import collapse

MAX_DEPTH = 100  # levels of elements; deeper ones are written as plain text
_TEXT_CODE = TAG_NAMES.index("#text")

_SYMBOLS = {
    **dict(
        pair.split("=", 1)
        for pair in (
            "α=alpha β=beta γ=gamma δ=delta ε=varepsilon ϵ=epsilon ζ=zeta η=eta θ=theta ϑ=vartheta ι=iota κ=kappa "
            "λ=lambda μ=mu µ=mu ν=nu ξ=xi π=pi ϖ=varpi ρ=rho ϱ=varrho σ=sigma ς=varsigma τ=tau υ=upsilon φ=varphi "
            "ϕ=phi χ=chi ψ=psi ω=omega Γ=Gamma Δ=Delta Θ=Theta Λ=Lambda Ξ=Xi Π=Pi Σ=Sigma Υ=Upsilon Φ=Phi Ψ=Psi "
            "Ω=Omega ∂=partial ∇=nabla ∞=infty ∑=sum ∏=prod ∐=coprod ∫=int ∬=iint ∭=iiint ∮=oint √=surd ±=pm ∓=mp "
            "×=times ÷=div ⋅=cdot ·=cdot ∗=ast ∘=circ ∙=bullet ≤=leq ≥=geq ⩽=leqslant ⩾=geqslant ≠=neq ≈=approx "
            "≡=equiv ≅=cong ∼=sim ≃=simeq ∝=propto ≪=ll ≫=gg ≺=prec ≻=succ ∈=in ∉=notin ∋=ni ⊂=subset ⊃=supset "
            "⊆=subseteq ⊇=supseteq ∪=cup ∩=cap ∖=setminus ∅=emptyset ∀=forall ∃=exists ¬=neg ∧=wedge ∨=vee ⊕=oplus "
            "⊗=otimes ⊥=perp ∥=parallel ∣=mid ∠=angle →=to ←=leftarrow ↔=leftrightarrow ⇒=Rightarrow ⇐=Leftarrow "
            "⇔=Leftrightarrow ↦=mapsto ⟶=longrightarrow ⟹=Longrightarrow ↑=uparrow ↓=downarrow …=ldots ⋯=cdots "
            "⋮=vdots ⋱=ddots ℏ=hbar ℓ=ell ℜ=Re ℑ=Im ℵ=aleph ℘=wp ⟨=langle ⟩=rangle ⌊=lfloor ⌋=rfloor ⌈=lceil ⌉=rceil "
            "‖=Vert †=dagger ‡=ddagger ⊢=vdash ⊨=models △=triangle □=square ′=prime ≜=triangleq ∴=therefore"
        ).split()
    )
}
_SYMBOLS = {char: "\\" + name for char, name in _SYMBOLS.items()}
_SYMBOLS |= {"−": "-", "‐": "-", "“": '"', "⁡": "", "⁢": "", "⁣": "", "⁤": "", "\u200b": "", "\xa0": " "}
_ESCAPED = {char: "\\" + char for char in "#$%&_{}"} | {"\\": r"\backslash", "~": r"\sim", "^": r"\hat{}"}
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh".split()
)
_ACCENTS = {
    "¯": "bar", "‾": "bar", "_": "bar", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "∼": "tilde", "→": "vec",
    "⃗": "vec", "˙": "dot", ".": "dot", "¨": "ddot", "ˇ": "check", "´": "acute", "`": "grave", "⏞": "overbrace",
    "⟵": "overleftarrow", "⟶": "overrightarrow",
}  # fmt: skip
_UNDERS = {"_": "underline", "̲": "underline", "⏟": "underbrace", "¯": "underline"}
_VARIANTS = {
    "bold": "mathbf", "bold-italic": "boldsymbol", "double-struck": "mathbb", "script": "mathcal",
    "fraktur": "mathfrak", "sans-serif": "mathsf", "monospace": "mathtt", "normal": "mathrm",
}  # fmt: skip
_STRETCHED = frozenset({"\\sum", "\\prod", "\\coprod", "\\int", "\\iint", "\\iiint", "\\oint", "\\bigcup", "\\bigcap"})
_LIMITS = _STRETCHED | {"\\" + name for name in ("lim", "max", "min", "sup", "inf", "limsup", "liminf", "det", "gcd")}


def to_latex(page: Page, node: int) -> str:
    """LaTeX of a ``math`` element."""
    return collapse(_Converter(page).content(node, 0))


class _Converter:
    def __init__(self, page: Page) -> None:
        self._page = page
        self._leaves: dict[str, Callable[[int], str]] = {
            "mi": self._identifier,
            "mn": self._number,
            "mo": self._operator,
            "mtext": self._words,
            "ms": self._words,
        }
        self._writers: dict[str, Callable[[int, int], str]] = {
            "msup": lambda node, depth: self._scripts(node, depth, "^"),
            "msub": lambda node, depth: self._scripts(node, depth, "_"),
            "msubsup": lambda node, depth: self._scripts(node, depth, "_^"),
            "munder": lambda node, depth: self._scripts(node, depth, "_", is_limit=True),
            "mover": lambda node, depth: self._scripts(node, depth, "^", is_limit=True),
            "munderover": lambda node, depth: self._scripts(node, depth, "_^", is_limit=True),
            "mfrac": self._fraction,
            "msqrt": lambda node, depth: f"\\sqrt{{{self.content(node, depth)}}}",
            "mroot": self._root,
            "mfenced": self._fenced,
            "mtable": self._table,
            "mtr": lambda node, depth: " & ".join(self._each(node, depth)),
            "mlabeledtr": lambda node, depth: " & ".join(self._each(node, depth)[1:]),
            "mphantom": lambda node, depth: f"\\phantom{{{self.content(node, depth)}}}",
            "menclose": lambda node, depth: f"\\boxed{{{self.content(node, depth)}}}",
            "semantics": lambda node, depth: self._nth(node, depth, 0),
        }

    def content(self, node: int, depth: int) -> str:
        """All children, one after the other."""
        return _joined(self._each(node, depth))

    def _written(self, node: int, depth: int) -> str:
        page = self._page
        if depth > MAX_DEPTH:
            return collapse(page.node_text(node))
        if page.nodes.tag[node] == _TEXT_CODE:
            return _characters(collapse(page.node_text(node)))
        name = page.name(node).lower().rpartition(":")[2]
        if name in self._leaves:
            return self._leaves[name](node)
        if name == "mspace":
            return " "
        if name.startswith(("#", "annotation")):
            return ""
        return self._writers.get(name, self.content)(node, depth)

    def _children(self, node: int) -> list[int]:
        """Elements, or texts where there are none."""
        nodes = self._page.nodes
        found, below, end = [], node + 1, int(nodes.end[node])
        while below < end:
            if nodes.tag[below] != _TEXT_CODE or not self._page.node_text(below).isspace():
                found.append(below)
            below = int(nodes.end[below])
        return found

    def _each(self, node: int, depth: int) -> list[str]:
        return [self._written(child, depth + 1) for child in self._children(node)]

    def _nth(self, node: int, depth: int, number: int) -> str:
        children = self._children(node)
        return self._written(children[number], depth + 1) if number < len(children) else ""

    def _identifier(self, node: int) -> str:
        text = collapse(self._page.node_text(node))
        variant = self._page.attributes(node).get("mathvariant", "")
        written = _characters(text)
        if text in _FUNCTIONS:
            return f"\\{text}"
        if variant in _VARIANTS and (variant != "normal" or text.isascii()):
            return f"\\{_VARIANTS[variant]}{{{written}}}"
        return f"\\mathrm{{{written}}}" if len(text) > 1 and text.isalpha() and text.isascii() else written

    def _number(self, node: int) -> str:
        return _characters(collapse(self._page.node_text(node)))

    def _operator(self, node: int) -> str:
        text = collapse(self._page.node_text(node))
        return f"\\{text}" if text in _FUNCTIONS else _characters(text)

    def _words(self, node: int) -> str:
        text = self._page.node_text(node).replace("\xa0", " ")
        words = collapse(text)
        if not words:
            return " "
        padded = (" " if text[0].isspace() else "") + words + (" " if text[-1].isspace() else "")
        return "\\text{" + "".join(_ESCAPED.get(char, char) for char in padded) + "}"

    def _fraction(self, node: int, depth: int) -> str:
        above, below = self._nth(node, depth, 0), self._nth(node, depth, 1)
        if self._page.attributes(node).get("linethickness", "").startswith("0"):
            return f"\\binom{{{above}}}{{{below}}}"
        return f"\\frac{{{above}}}{{{below}}}"

    def _root(self, node: int, depth: int) -> str:
        return f"\\sqrt[{self._nth(node, depth, 1)}]{{{self._nth(node, depth, 0)}}}"

    def _fenced(self, node: int, depth: int) -> str:
        attributes = self._page.attributes(node)
        opening, closing = attributes.get("open", "("), attributes.get("close", ")")
        marks = attributes.get("separators", ",").replace(" ", "") or " "
        parts = self._each(node, depth)
        inside = "".join(
            part + (marks[min(place, len(marks) - 1)] if place + 1 < len(parts) else "")
            for place, part in enumerate(parts)
        )
        return f"\\left{_fence(opening)} {inside} \\right{_fence(closing)}"

    def _table(self, node: int, depth: int) -> str:
        return "\\begin{matrix}" + r" \\ ".join(self._each(node, depth)) + "\\end{matrix}"

    def _scripts(self, node: int, depth: int, marks: str, *, is_limit: bool = False) -> str:
        base, *scripts = (*self._each(node, depth), "")[: len(marks) + 1]
        if is_limit and len(marks) == 1 and base.strip() not in _LIMITS:
            return self._stacked(node, base, scripts[0] if scripts else "", marks)
        written = base if len(base) == 1 or base.strip() in _LIMITS else f"{{{base}}}"
        for mark, script in zip(marks, scripts, strict=False):
            if script:
                written += mark + (script if len(script) == 1 else f"{{{script}}}")
        return written

    def _stacked(self, node: int, base: str, script: str, mark: str) -> str:
        children = self._children(node)
        accent = collapse(self._page.node_text(children[1])) if len(children) > 1 else ""
        names = _ACCENTS if mark == "^" else _UNDERS
        if accent in names:
            return f"\\{names[accent]}{{{base}}}"
        return f"\\{'overset' if mark == '^' else 'underset'}{{{script}}}{{{base}}}"


def _joined(parts: list[str]) -> str:
    """Parts in a row, with a blank where a command would swallow a letter that follows it."""
    written: list[str] = []
    for part in filter(None, parts):
        if written and part[0].isalpha() and _ends_in_command(written[-1]):
            written.append(" ")
        written.append(part)
    return "".join(written)


def _ends_in_command(text: str) -> bool:
    backslash = text.rfind("\\")
    return backslash >= 0 and text[backslash + 1 :].isalpha()


def _characters(text: str) -> str:
    return _joined([_SYMBOLS.get(char) or _ESCAPED.get(char, char if char not in _SYMBOLS else "") for char in text])


def _fence(mark: str) -> str:
    mark = collapse(mark)
    return _ESCAPED.get(mark) or _SYMBOLS.get(mark) or mark or "."
