"""Pages that would blow up an output: it stays in proportion, says what is missing, and never fails."""

from __future__ import annotations

import pytest

import tamis

FORMATS = ("text", "markdown", "html", "json", "tei")


@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr>" + "<td>x" * 10_000 + "<tr><td>y<td>z</table>",
        "<table><tr><th colspan=1000000>a<th>b<tr><td rowspan=1000000>c<td>d</table>",
        "<table>" + "<tr><td colspan=1000 rowspan=1000>a<td>b" * 300 + "</table>",
        "<table>" + "<tr><td rowspan=1000>a<td>b" * 2_000 + "</table>",
        "<table><tr><td>x<td>" * 100,
        "<p>x<math>" + "<msqrt><mfrac><mi>a</mi>" * 2_000 + "</math>y",
        "<p>x<math>" + "<msup><mi>a</mi>" * 5_000 + "</math>y",
        "<p>x<math>" + "<mi>a</mi><mo>+</mo>" * 20_000 + "</math>y",
        "<p>x<script type='math/tex'>" + "{" * 100_000 + "</script>y",
        "<script src=mathjax.js></script><p>" + "\\( a " * 20_000,
        "<script src=mathjax.js></script><p>" + "\\[ a $ b $$ \\begin{align} " * 5_000,
        "<script src=mathjax.js></script><p>" + "$" * 20_001,
        "<p>x<img alt=y srcset='" + "a 1w," * 20_000 + "'>z",
        "<p>x" + "<img src=a.png alt=b>" * 5_000 + "y",
        "<p>" + "<sup><a href=#n>1</a></sup>" * 2_000 + "<p id=n>note",
        "<pre>" + "<span class=lineno>1</span>x\n" * 5_000 + "</pre>",
        "<pre><button>Copy</button></pre>" * 2_000 + "<p>x",
        "<table>" + "<tr><td class=blob-num>1<td class=blob-code>x" * 5_000 + "</table>",
        "<ruby>" * 300 + "x<rt>y" * 300,
        "<p>" + "<sub><sup>" * 200 + "x",
    ],
)
def test_outputs_stay_in_proportion(markup: str, output: str) -> None:
    written = tamis.extract(markup, method="keep_all").render(output)
    assert len(written) < 60 * len(markup) + 10_000


def test_an_image_in_the_markup_is_left_out_with_a_note() -> None:
    page = "<p>Before the image.</p><img alt=big src='data:image/png;base64," + "A" * 2_000_000 + "'><p>After it.</p>"
    result = tamis.extract(page, method="keep_all")
    assert result.warnings == ("images: 1 image is written out in the page (data:) and left out",)
    for output in FORMATS:
        assert len(result.render(output)) < 3_000


def test_small_placeholders_are_not_worth_a_note() -> None:
    page = "<p>Before.</p><img src='data:image/gif;base64,R0lGOD'><p>After.</p>"
    assert tamis.extract(page, method="keep_all").warnings == ()


@pytest.mark.parametrize(("length", "is_noted"), [(9_999, False), (10_000, True)])
def test_the_border_between_placeholder_and_image(length: int, is_noted: bool) -> None:
    address = "data:" + "x" * (length - 5)
    assert bool(tamis.extract(f"<p>a<img src='{address}'>b", method="keep_all").warnings) == is_noted


def test_a_formula_that_is_too_long_stays_as_it_is() -> None:
    result = tamis.extract("<p>x<math alttext='" + "a" * 20_001 + "'><mi>y</mi></math>z", method="keep_all")
    assert result.markdown == "xyz"


def test_relative_links_without_an_address_stay_relative() -> None:
    result = tamis.extract("<p><a href='a/b?c#d'>x</a><img src='../e.png' alt=f>", method="keep_all")
    assert result.markdown == "[x](a/b?c#d)![f](../e.png)"
