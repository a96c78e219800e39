"""Formulas in MathML, written as LaTeX."""

from __future__ import annotations

import pytest

import tamis


@pytest.mark.parametrize(
    ("markup", "latex"),
    [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", r"\binom{n}{k}"),
        ("<msqrt><mi>x</mi></msqrt>", r"\sqrt{x}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<mfenced><mi>a</mi><mi>b</mi><mi>c</mi></mfenced>", r"\left( a,b,c \right)"),
        ("<mfenced open='[' close='' separators=';'><mi>a</mi><mi>b</mi></mfenced>", r"\left[ a;b \right."),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", r"\bar{x}"),
        ("<mover><mi>x</mi><mi>y</mi></mover>", r"\overset{y}{x}"),
        ("<munder><mi>x</mi><mi>y</mi></munder>", r"\underset{y}{x}"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>22</mn></msubsup>", "x_1^{22}"),
        ("<mi>x</mi><mtext> if 5% </mtext><mi>y</mi>", r"x\text{ if 5\% }y"),
    ],
)
def test_a_formula_means_the_same_in_latex(markup: str, latex: str) -> None:
    written = tamis.extract(f"<p>So <math>{markup}</math> it is.", method="keep_all").markdown
    assert written == f"So ${latex}$ it is."
