from __future__ import annotations

import pytest

import tamis


def markdown(markup: str) -> str:
    return tamis.extract(markup, method="keep_all").markdown


@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗", " # "])
@pytest.mark.parametrize("name", ["h1", "h3", "h6"])
def test_a_sign_that_links_a_heading_to_itself_is_no_text(sign: str, name: str) -> None:
    page = f'<{name} id=a>Retries <a href="#a">{sign}</a></{name}><p>Text'
    level = "#" * int(name[1])
    assert markdown(page) == f"{level} Retries\n\nText"
    result = tamis.extract(page, method="keep_all")
    assert result.text == "Retries\n\nText"
    assert "href" not in result.html


def test_a_sign_beside_a_term_is_no_text_either() -> None:
    assert "¶" not in markdown('<dl><dt>open(file)<a href="#open">¶</a><dd>Opens it.</dl>')


@pytest.mark.parametrize(
    "page",
    [
        '<p>See <a href="#a">#</a> for more.',  # no heading
        '<h2>Part <a href="/b#c">§</a></h2>',  # leads elsewhere
        '<h2>In <a href="#a">F#</a></h2>',  # more than a sign
        "<h2>Sharp <b>#</b></h2>",  # no link
    ],
)
def test_other_signs_are_text(page: str) -> None:
    result = tamis.extract(page, method="keep_all")
    assert any(sign in result.text for sign in "#§")


def test_a_heading_that_is_nothing_but_a_sign_is_no_heading() -> None:
    assert markdown('<h2><a href="#a">#</a></h2><p>Text') == "Text"
