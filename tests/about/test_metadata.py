"""What a page says about itself."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.about.metadata import Metadata
from tamis.page.text import words


def read(head: str, url: str | None = None) -> Metadata:
    return tamis.parse(f"<html lang=en><head>{head}</head><body><p>text", url=url).metadata


def json_ld(**item: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(item)}</script>'


def test_nothing_declared_is_none() -> None:
    assert tamis.parse("<p>text").metadata == Metadata()
    assert tamis.parse("").metadata == Metadata()


@pytest.mark.parametrize(
    ("field", "head", "value"),
    [
        ("description", "<meta NAME='Description' content=' a  b '>", "a b"),
        ("description", "<meta name=description content=b><meta property=og:description content=a>", "a"),
        (
            "description",
            "<meta property=og:description content=a>" + json_ld(**{"@type": "Article"}, description="j k"),
            "j k",
        ),
        ("site_name", "<meta property='og:site_name' content='Site'>", "Site"),
        ("site_name", json_ld(**{"@type": "WebSite"}, name="Site"), "Site"),
        ("site_name", json_ld(**{"@type": "Article"}, publisher={"name": "Site"}), "Site"),
        ("image", "<meta property='og:image' content='/a.png'>", "/a.png"),
        ("image", json_ld(**{"@type": "Article"}, image=[{"url": "http://a.example/b.png"}]), "http://a.example/b.png"),
        ("kinds", "<meta property='og:type' content='article'>", ("article",)),
        ("kinds", json_ld(**{"@type": ["NewsArticle", "https://schema.org/Report"]}), ("NewsArticle", "Report")),
        ("page_type", "<meta property='og:type' content='article'>", None),
        ("url", "<link rel='canonical' href='http://a.example/x'>", "http://a.example/x"),
        ("url", "<link rel='alternate' href='y'><meta property=og:url content=z>", "z"),
        ("url", "<link rel=canonical href='javascript:x'>", None),
        ("language", "<meta property=og:locale content=de>", "en"),
        ("tags", "<meta name=keywords content='a1, b2,,A1'><meta property=article:tag content=c3>", ("c3", "a1", "b2")),
        ("licence", "<link rel=license href='http://a.example/l'>", "http://a.example/l"),
        (
            "licence",
            "<a href='https://creativecommons.org/licenses/by/4.0/'>CC</a>",
            "https://creativecommons.org/licenses/by/4.0/",
        ),
        ("reading_minutes", json_ld(**{"@type": "Article"}, timeRequired="PT1H5M"), 65.0),
        ("categories", json_ld(**{"@type": "Article"}, articleSection=["News", "Rivers; news"]), ("News", "Rivers")),
        ("categories", "<meta property=article:section content=Local>", ("Local",)),
        ("hostname", "<link rel=canonical href='http://www.a.example:80/x'>", "www.a.example"),
        ("favicon", "<link rel='apple-touch-icon' href='/a.png'><link rel='shortcut icon' href='/i.ico'>", "/i.ico"),
        ("favicon", "<link rel=icon href='javascript:x'>", None),
        ("excerpt", "<meta name=description content='What it is about'>", "What it is about"),
        ("direction", "<meta name=description content=a>", None),
        (
            "images",
            json_ld(**{"@type": "Article"}, image={"url": "/a.png"}) + "<meta property=og:image content='/b.png'>",
            ("/a.png", "/b.png"),
        ),
        ("images", "<meta property=og:image content='data:image/png;base64,AAAA/'>", ()),
        (
            "videos",
            json_ld(**{"@type": "Article"}, video={"embedUrl": "http://a.example/v"}) + "<video src='/w.mp4'></video>",
            ("http://a.example/v", "/w.mp4"),
        ),
        (
            "videos",
            "<iframe src='https://www.youtube.com/embed/x'></iframe><iframe src='https://ads.example/'></iframe>",
            ("https://www.youtube.com/embed/x",),
        ),
    ],
)
def test_fields_are_read_from_the_best_source(field: str, head: str, value: object) -> None:
    assert getattr(read(head), field) == value


def test_addresses_are_absolute_where_the_page_has_one() -> None:
    found = read("<link rel=canonical href=/c><meta property=og:image content=i.png>", url="http://a.example/b/")
    assert (found.url, found.image) == ("http://a.example/c", "http://a.example/b/i.png")
    assert (
        read("<base href=http://b.example/><link rel=canonical href=/c>", url="http://a.example/").url
        == "http://b.example/c"
    )


def test_the_address_passed_in_is_the_last_resort() -> None:
    assert read("", url="http://a.example/").url == "http://a.example/"


def test_reading_takes_time_in_proportion_to_the_paragraphs() -> None:
    paragraph = "<p>" + "word " * 119 + "end.</p>"
    assert tamis.parse(paragraph * 4).metadata.reading_minutes == 2.0
    assert tamis.parse("<li>word</li>" * 500).metadata.reading_minutes is None


def test_the_excerpt_of_a_page_without_description_is_the_beginning_of_its_first_paragraph() -> None:
    first = "The river rose in the night and " * 12
    page = tamis.parse(f"<nav><a href=/>{'a menu of many words ' * 4}</a></nav><h1>Rivers</h1><p>{first}</p><p>Later.")
    excerpt = page.metadata.excerpt
    assert excerpt is not None
    assert excerpt == first[: len(excerpt)]
    assert 250 < len(excerpt) <= 300
    assert first[len(excerpt)] == " "


BYLINE = "By Ann Miller, Environment Correspondent in the north, and Bob Stone | The Valley Post"


def test_the_excerpt_is_no_byline_if_there_is_more_text() -> None:
    paragraph = "The river rose by two metres in the night, and many streets of the town were flooded."
    head = f"<h1>River rises</h1><div class=byline>{BYLINE}</div>"
    assert tamis.parse(f"{head}<p>{paragraph}").metadata.excerpt == paragraph
    assert tamis.parse(head).metadata.excerpt == BYLINE


def test_a_sentence_that_names_the_author_may_be_the_excerpt() -> None:
    first = "We asked our correspondent Ann Miller what the river did in that night."
    page = tamis.parse(f"<h1>River rises</h1><p class=byline>Ann Miller<p>{first}<p>{first} She told us.")
    assert (page.metadata.authors, page.metadata.excerpt) == (("Ann Miller",), first)


@pytest.mark.parametrize(
    ("title", "url", "name"),
    [
        ("River rises | The Valley Post", "https://www.the-valley-post.example/", "The Valley Post"),
        ("River rises - Post", "https://news.post.example/", "Post"),
        ("River rises | The Valley Post", "https://other.example/", None),
        ("River rises | The Valley Post", None, None),
        ("The Valley Post", "https://thevalleypost.example/", None),
        ("River rises | post.example", "https://post.example/", None),
        ("River rises | Exa", "https://exa.example/", None),
        ("River rises | Rivers of the north and west", "https://riversofthenorthandwest.example/", None),
    ],
)
def test_a_site_without_a_declared_name_is_named_by_title_and_host(
    title: str, url: str | None, name: str | None
) -> None:
    head = f"<title>{title}</title>"
    found = tamis.parse(head, url).metadata
    assert (found.site_name, found.sources.get("site_name")) == (name, name and "title element")
    declared = f"{head}<meta property=og:site_name content='Another name'>"
    assert tamis.parse(declared, url).metadata.site_name == "Another name"


def test_images_of_an_extraction_are_the_declared_ones_and_those_of_its_content() -> None:
    text = "<p>The river rose by two metres in the night, and many streets of the town were flooded.</p>"
    pixel = "<img src=/count.gif width=1 height=1>"
    content = f"{text}<img src=/a.jpg alt=River>{pixel}{text}<img src=/b.jpg>{text}"
    head = "<meta property=og:image content=/b.jpg>"
    for markup, images, source in (
        (content, ("/a.jpg", "/b.jpg"), "the content"),
        (head + content, ("/b.jpg", "/a.jpg"), "declared, and the content"),
        (head + text, ("/b.jpg",), "declared"),
        (f"{text}<img class=tex src=/formula.png alt='$x^2$'>{text}", (), None),
    ):
        result = tamis.extract(markup, method="keep_all", url="https://a.example/")
        assert result.metadata.images == tuple(f"https://a.example{image}" for image in images)
        assert result.metadata.sources.get("images") == source
        assert all(image in result.markdown for image in images if content in markup)


@pytest.mark.parametrize(
    ("markup", "direction"),
    [
        ("<html dir=RTL lang=en>", "rtl"),
        ("<html lang=ar><body dir=ltr>", "ltr"),
        ("<html lang=he-IL>", "rtl"),
        ("<html lang=de>", None),
        ("<html dir=auto>", None),
    ],
)
def test_the_direction_is_declared_or_that_of_the_language(markup: str, direction: str | None) -> None:
    assert tamis.parse(markup).metadata.direction == direction


def test_words_are_those_of_paragraphs_and_of_an_extraction_those_of_its_text() -> None:
    page = tamis.parse(f"<p>{'word ' * 20}</p><p>{'other ' * 12}</p><ul><li>one</li><li>two</li></ul>")
    assert page.metadata.word_count == 32
    assert tamis.extract(page, method="keep_all").metadata.word_count == 34


@pytest.mark.parametrize(
    "body",
    [
        "<ul><li>one<li>two<ul><li>three</ul></ul><table><tr><td>a<td>b c<tr><td>d</table>",
        "<p>soft\xadhyphen and\u200b\u200b none \u200b alone\xa0here<p>\u200b",
        "<p>漢字 and ไทย in one line, 𠀀<pre>  code(\n\n  x)</pre>",
        "<pre><span class=line>one</span><span class=line>two</span><br>x</pre><p>a<b>b</b><br>c<i>d</i> e",
    ],
)
def test_the_words_of_an_extraction_are_those_of_its_text(body: str) -> None:
    result = tamis.extract(body, method="keep_all")
    assert result.metadata.word_count == len(words(result.text))


def test_structured_data_are_those_of_the_page() -> None:
    page = tamis.parse(
        json_ld(**{"@type": "Recipe"}, yields=[4, {"unit": "cups"}])
        + "<meta name=author content='Ann Lee'><meta name=author content='Bo Chen'><i itemprop=cookTime>5 min</i>"
    )
    found = tamis.extract(page, method="keep_all").structured_data
    assert found["json_ld"] == [{"@type": "Recipe", "yields": [4, {"unit": "cups"}]}, {"unit": "cups"}]
    assert found["meta"] == {"author": ["Ann Lee", "Bo Chen"]}
    assert found["microdata"] == {"cooktime": ["5 min"]}
    assert tamis.extract("<p>text").structured_data == {}


def test_structured_data_can_be_written_whatever_they_hold() -> None:
    deep = '{"a":' * 300 + "1" + "}" * 300
    scripts = ("[" * 5000, f'{{"@type": "A", "b": {deep}}}', '{"@type": "A", "n": NaN, "s": "\\ud800"}')
    markup = "".join(f'<script type="application/ld+json">{code}</script>' for code in scripts)
    written = tamis.extract(markup + "<p>text").render("json", structured_data=True)
    found = json.loads(written.encode())["structured_data"]["json_ld"]
    assert {"@type": "A", "n": None, "s": "\ufffd"} in found
    assert "structured_data" not in tamis.extract(markup).to_dict()


def test_each_value_says_where_it_stands() -> None:
    found = read("<title>T</title><meta name=author content='Ann Lee'><meta name=date content=2020-01-02>")
    assert found.sources == {
        "title": "title element",
        "authors": "meta author",
        "date": "meta date",
        "language": "html lang",
    }


@pytest.mark.parametrize(
    "code",
    [
        '{"@type": "Article", "headline": "T",}',
        '<!-- {"@type": "Article", "headline": "T"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "T"}\n//]]>',
        '{"@type": "Article", "headline": "T"}; {"@type": "Other"}',
        "{&quot;@type&quot;: &quot;Article&quot;, &quot;headline&quot;: &quot;T&quot;}",
        '{"@type": "Article", "headline": "T", "description": "line\nbreak"}',
        '{"@graph": [{"@type": "WebPage"}, {"@type": "Article", "headline": "T"}]}',
        r'{"@type": "Article", "headline": "T", "x": "it\'s"}',
    ],
)
def test_broken_json_ld_is_repaired_where_that_is_simple(code: str) -> None:
    found = read(f'<script type="application/ld+json">{code}</script>')
    assert (found.title, found.sources["title"]) == ("T", "JSON-LD headline")


@pytest.mark.parametrize("code", ["", "nonsense", "[" * 5000, '{"a":' * 5000, '{"a": ' + "9" * 5000 + "}", '"', "{}"])
def test_hopeless_json_ld_is_ignored(code: str) -> None:
    assert read(f'<script type="application/ld+json">{code}</script>').title is None


def test_of_several_articles_the_one_with_the_title_of_the_page_counts() -> None:
    items = [{"@type": "Article", "headline": f"Number {n} of many", "author": f"Ann {chr(65 + n)}."} for n in range(6)]
    script = f'<script type="application/ld+json">{json.dumps(items)}</script>'
    assert read(script + "<title>Number 3 of many - Site</title>").authors == ("Ann D.",)
    assert read(script).authors == ()  # a list of articles is none of them


def test_metadata_is_ready_for_json() -> None:
    found = read(
        '<script type="application/ld+json">{"@type": "Article", "headline": "half \\ud800 a character"}</script>'
    )
    json.dumps(dataclasses.asdict(found)).encode()
    assert found.title == "half \ufffd a character"


def test_objects_may_be_called_by_what_is_no_text() -> None:
    item = {"@type": "Article", "headline": "A title", "publisher": {"@id": []}, "author": {"@id": {}}}
    assert read(json_ld(**item)).title == "A title"


PIECES = (
    "<meta name=author content='By '>",
    "<meta property=og:title content=' | '>",
    "<title>| - |</title>",
    "<h1>",
    "<time datetime='x'>",
    "<p class=date>99.99.2020 26.08.2017</p>",
    "<a rel=author>",
    "<a href='http://['>next</a>",
    "<link rel=canonical href='http://['>",
    "<base href='http://['>",
    "<span itemprop='author name' itemscope>",
    "<script type=application/ld+json>{'a'</script>",
    '<script type=application/ld+json>{"@type":["Article",1],"author":[null,{"name":{}}],"image":[[]]}</script>',
    '<script type=application/ld+json>{"@type":"BreadcrumbList","itemListElement":{"position":"x"}}</script>',
    "<div class='comment post'>",
    "by Ann Lee",
    "1 May 2020",
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=10)), max_size=12))
def test_any_page_has_metadata_of_the_promised_types(pieces: list[str]) -> None:
    page = tamis.parse("".join(pieces), url="http://a.example/")
    found = page.metadata
    assert found == tamis.parse("".join(pieces), url="http://a.example/").metadata
    json.dumps(dataclasses.asdict(found)).encode()
    for field in dataclasses.fields(found):
        value = getattr(found, field.name)
        assert value is None or isinstance(value, str | tuple | float | dict)
        assert field.name == "sources" or bool(value) == (field.name in found.sources)
