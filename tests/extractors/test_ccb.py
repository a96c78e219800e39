from __future__ import annotations

from types import ModuleType

import pytest

from tamis.errors import OptionError
from tamis.extractors import accb, ccb, tccb
from tamis.extractors._code_blur import BlurOptions, character_row, choose, token_row
from tamis.page.load import parse
from tamis.page.text import words

METHODS = pytest.mark.parametrize("method", [ccb, accb, tccb], ids=["ccb", "accb", "tccb"])

# Figure 6.1 of Gottron (2008), his example for content code blurring.
FIGURE = """\
<div class="details">
  <b>Posted by
  <a href="http://everything2.com/index.pl?node_id=322">Hemos</a>
  on Monday January 29, @09:12AM</b><br><br>
</div>
<div class="body">
<div class="topic">
  <a href="http://slashdot.org/search.pl?tid=95">
  </a>
</div>
<div class="intro">
  <a href="http://www.readwriteweb.com/" rel="nofollow">ReadWriteWeb</a> writes
  <i>Search Engine Optimizer (SEO) Charles S. Knight has compiled a list of
  <a href="http://www.readwriteweb.com/archives/top_100_alternative_search_engines.php">
  the top 100 alternative search engines</a>.
  The list includes Artificial Intelligence systems, Clustering engines,
  Recommendation Search engines, Metasearch, and many more hidden gems of
  search. People use four main search engines for 99.99% of their searches:
  Google, Yahoo!, MSN, and Ask.com (in that order). But Knight has discovered,
  via his work as an SEO, that in the other .01% lies a vast multitude of the
  most innovative and creative search engines around.</i>
</div>
<div class="ad6"></div>
</div>
<div id="tagbox-07:01:29:1134241" class="tags">
<div id="tagbox-title-07:01:29:1134241" class="tagtitleclosed">&nbsp;
  <a href="//slashdot.org/login.pl">
  <span class="tagsheader" id="toggleletags-button-07:01:29:1134241">[+] </span></a>
  <i><a href="//faq/tags.shtml">tagging beta</a></i>
</div>
</div>
"""

MENU = "".join(
    f"<li class=menu><a href=/topics/{name}>{name.title()}</a></li>" for name in "home news sport art".split()
)
TEXT = "The river rose again during the night, and by the morning the old bridge had to be closed to all traffic. " * 4


def kept(method: ModuleType, markup: str, **options: object) -> list[str]:
    page = parse(markup)
    extraction = method.extract(page, method.Options(**options))
    return [" ".join(page.text[start:end].split()) for start, end in extraction.spans]


@METHODS
def test_the_example_of_the_thesis_gives_its_paragraph_and_nothing_else(method: ModuleType) -> None:
    (text,) = kept(method, FIGURE)
    assert text.startswith("Search Engine Optimizer")
    assert text.endswith("search engines around.")
    assert len("".join(words(text))) == 449


def test_the_example_of_the_thesis_has_known_rows_passes_and_choices() -> None:
    tokens = parse(FIGURE).tokens
    rows = character_row(tokens, anchors=True), character_row(tokens, anchors=False), token_row(tokens)
    assert [(len(row.is_content), row.is_content.sum()) for row in rows] == [(1177, 520), (858, 520), (122, 98)]
    options: list[BlurOptions] = [ccb.Options(), accb.Options(), tccb.Options()]
    blurred = [choose(row.is_content, each) for row, each in zip(rows, options, strict=True)]
    assert [each.passes for each in blurred] == [2, 3, 2]
    assert [each.chosen.sum() for each in blurred] == [449, 449, 85]


@pytest.mark.parametrize("method", [ccb, accb], ids=["ccb", "accb"])
def test_without_expansion_words_are_cut(method: ModuleType) -> None:
    (text,) = kept(method, FIGURE, expand=False)
    assert "many more hidden gems of search." in text
    assert not text.endswith("around.")
    assert words(text)[-1] not in words("most innovative and creative search engines around.")


def test_without_expansion_tokens_stay_whole() -> None:
    (text,) = kept(tccb, FIGURE, expand=False)
    assert set(words(text)) <= set(words(parse(FIGURE).text))


@METHODS
def test_a_higher_threshold_keeps_less(method: ModuleType) -> None:
    sizes = [sum(map(len, kept(method, FIGURE, threshold=threshold))) for threshold in (0.0, 0.75, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[2] == 0


@METHODS
def test_content_in_two_pieces_is_found_without_what_lies_between(method: ModuleType) -> None:
    menu = f"<ul>{MENU * 4}</ul>"
    first, second = kept(method, f"{menu}<p>First piece. {TEXT}</p>{menu}<p>Second piece. {TEXT}</p>{menu}")
    assert first.startswith("First piece.")
    assert second.startswith("Second piece.")
    assert "Sport" not in first + second


@METHODS
def test_a_headline_among_menus_is_lost(method: ModuleType) -> None:
    """A weakness that the thesis names: short text next to much code."""
    menu = f"<ul>{MENU * 4}</ul>"
    (text,) = kept(method, f"{menu}<h1 class=title>Bridge closed</h1>{menu}<p>{TEXT}</p>{menu}")
    assert "Bridge closed" not in text


def test_links_darken_an_article_for_ccb_only() -> None:
    link = '<a href="https://encyclopaedia.example/articles/history-of-the-old-bridge">old bridge</a>'
    article = f"<p>By the {link} and the river {link} stood for years with no traffic at all. </p>" * 6
    page = f"<div class=head></div>{article}<div class=foot></div>"
    for method, finds in ((ccb, False), (accb, True), (tccb, True)):
        assert any("stood for years" in text for text in kept(method, page)) == finds


def test_lists_of_bare_links_are_bright_for_accb() -> None:
    """The price of not seeing links."""
    links = "".join(
        f"<a href=/archive/2008/{number}>Report number {number} of the archive</a> " for number in range(20)
    )
    assert kept(ccb, f"<div>{links}</div>") == []
    assert len(kept(accb, f"<div>{links}</div>")) == 1


@METHODS
def test_comments_scripts_and_styles_are_neither_content_nor_code(method: ModuleType) -> None:
    noise = f"<!-- {TEXT} --><script>{TEXT}</script><style>{TEXT}</style>"
    menu = f"<ul>{MENU * 4}</ul>"
    page = "{menu}<p>{text}{noise}{text}</p>{menu}"
    with_noise = kept(method, page.format(menu=menu, text=TEXT, noise=noise))
    assert with_noise == kept(method, page.format(menu=menu, text=TEXT, noise=""))
    assert with_noise


@METHODS
def test_text_that_nobody_sees_is_not_returned(method: ModuleType) -> None:
    texts = kept(method, f"<title>{TEXT}</title><p>{TEXT}<span hidden>secret {TEXT}</span></p>")
    assert len(texts) == 1
    assert "secret" not in texts[0]


@METHODS
def test_text_that_the_parser_moves_is_still_judged_by_its_source(method: ModuleType) -> None:
    """Text inside a table but outside its cells stands before the table in the tree."""
    rows = "<tr><td class=menu><b>Home</b></td></tr>" * 20
    assert kept(method, f"<table>{rows}{TEXT}{rows}</table>") == [TEXT.strip()]


@METHODS
def test_scores_are_the_mean_ratios_of_blocks(method: ModuleType) -> None:
    page = parse(f"<ul>{MENU * 4}</ul><p>{TEXT}</p><p hidden>{TEXT}</p>")
    blocks = method.extract(page, method.Options()).blocks
    assert len(blocks) == 17
    assert all(0 <= block.score < 0.75 for block in blocks[:8])
    assert 0.9 < blocks[-1].score <= 1


@METHODS
@pytest.mark.parametrize(
    ("markup", "texts"),
    [("", []), ("<p>", []), ("<p></p>" * 100, []), ("word", ["word"]), ("no tags at all", ["no tags at all"])],
)
def test_pages_of_next_to_nothing_have_an_answer(method: ModuleType, markup: str, texts: list[str]) -> None:
    assert kept(method, markup) == texts


@METHODS
def test_ideographs_are_kept_together(method: ModuleType) -> None:
    text = "川の水は夜のうちにまた増え、朝には古い橋が通行止めになった。" * 10
    menu = f"<ul>{MENU * 4}</ul>"
    assert kept(method, f"{menu}<p>{text}</p>{menu}") == [text]


@METHODS
def test_options_outside_their_range_are_refused(method: ModuleType) -> None:
    with pytest.raises(OptionError, match="delta is 0, but must be from 1 to 1000"):
        method.Options(delta=0)


def test_ranges_are_those_of_the_thesis() -> None:
    assert (ccb.Options().delta, accb.Options().delta, tccb.Options().delta) == (40, 40, 25)
