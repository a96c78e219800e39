"""When a page was published."""

from __future__ import annotations

import pytest

import tamis
from tamis.about.metadata import Metadata
from tamis.about.publication import date_in_url


def read(markup: str, url: str | None = None) -> Metadata:
    return tamis.parse(markup, url=url).metadata


def json_ld(**values: str) -> str:
    pairs = ", ".join(f'"{name}": "{value}"' for name, value in values.items())
    return f'<script type="application/ld+json">{{"@type": "NewsArticle", {pairs}}}</script>'


GRAPH = "<meta property='article:published_time' content='2020-02-02T10:00:00+01:00'>"
DUBLIN = "<meta name='DC.date.issued' content='2020-03-03'>"
MICRODATA = "<p itemprop=datePublished content='2020-04-04'>"
OTHER = "<meta name=pubdate content='2020-05-05'>"
SHOWN = "<h1>A river rises</h1><p>Published 6 June 2020</p>"


@pytest.mark.parametrize(
    ("markup", "date", "source"),
    [
        (json_ld(datePublished="2020-01-01T08:00Z") + GRAPH + DUBLIN, "2020-01-01T08:00Z", "JSON-LD datePublished"),
        (
            GRAPH + DUBLIN + MICRODATA + OTHER + SHOWN,
            "2020-02-02T10:00:00+01:00",
            "meta article:published_time",
        ),
        (DUBLIN + MICRODATA + OTHER + SHOWN, "2020-03-03", "meta dc.date.issued"),
        (MICRODATA + OTHER + SHOWN, "2020-04-04", "microdata datePublished"),
        (OTHER + SHOWN, "2020-05-05", "meta pubdate"),
        (SHOWN, "2020-06-06", "a line with a date"),
    ],
)
def test_sources_have_an_order_and_are_named(markup: str, date: str, source: str) -> None:
    found = read(markup)
    assert (found.date, found.sources["date"]) == (date, source)


@pytest.mark.parametrize("wrong", ["1970-01-01T00:00:00Z", "0000-00-00", "2099-01-01", "unknown"])
def test_a_placeholder_gives_way_to_the_next_source(wrong: str) -> None:
    assert read(json_ld(datePublished=wrong) + DUBLIN).date == "2020-03-03"


def test_the_address_counts_after_what_is_declared() -> None:
    url = "http://a.example/2020/07/07/a-title"
    assert read(SHOWN, url).date == "2020-07-07"
    assert read(GRAPH, url).date == "2020-02-02T10:00:00+01:00"


def test_a_time_in_universal_time_has_the_day_that_the_address_names() -> None:
    stamp = "<meta property='article:published_time' content='2020-07-08T02:00:00Z'>"
    assert read(stamp, "http://a.example/2020/07/07/x").date == "2020-07-07"
    assert read(stamp, "http://a.example/2020/07/06/x").date == "2020-07-08T02:00:00Z"
    local = stamp.replace("Z", "+02:00")
    assert read(local, "http://a.example/2020/07/07/x").date == "2020-07-08T02:00:00+02:00"


@pytest.mark.parametrize(
    ("url", "day"),
    [
        ("http://a.example/2017/8/26/x", "2017-08-26"),
        ("http://a.example/2017-08-26-x", "2017-08-26"),
        ("http://a.example/news/20170826/x", "2017-08-26"),
        ("http://a.example/2017/aug/26/x", "2017-08-26"),
        ("http://a.example/2017/08/x", None),
        ("http://a.example/2024-4-4-2024-5-0-issue", None),
        ("http://[a/2017/08/26", None),
        (None, None),
    ],
)
def test_addresses_name_days(url: str | None, day: str | None) -> None:
    found = date_in_url(url)
    assert (str(found) if found else None) == day


def test_the_date_near_the_headline_goes_before_dates_of_other_articles() -> None:
    teasers = "".join(f"<li class=teaser><a href=/{n}>Other</a> <span>{n} May 2021</span></li>" for n in range(1, 9))
    page = f"<ul>{teasers}</ul><h1>A river rises</h1><p class=byline>By Ann Lee, 6 June 2020</p><p>{'words ' * 50}</p>"
    assert read(page).date == "2020-06-06"


def test_copyright_and_comments_are_no_dates_of_publication() -> None:
    page = (
        "<h1>A river rises</h1><span class=date>6 June 2020</span><p>text</p>"
        "<div class=comments><p class=date>7 June 2020</p></div><footer>© 1 January 2021</footer>"
    )
    assert read(page).date == "2020-06-06"


def test_an_update_is_told_from_a_publication() -> None:
    found = read("<h1>A river rises</h1><p>Published 6 June 2020</p><p>Updated 8 June 2020</p>")
    assert (found.date, found.modified) == ("2020-06-06", "2020-06-08")


def test_nothing_was_published_after_its_last_change() -> None:
    page = "<meta name=last-modified content=2020-06-08><h1>A river rises</h1><p class=date>12 June 2021</p>"
    assert read(page).date == "2020-06-08"


def test_a_change_before_the_publication_is_none() -> None:
    assert read(json_ld(datePublished="2020-06-06", dateModified="2020-06-05")).modified is None
    assert read(json_ld(datePublished="2020-06-06", dateModified="2020-06-07")).modified == "2020-06-07"


def test_a_date_in_pieces_is_put_together() -> None:
    page = "<h1>T</h1><div class=post-date><div>26</div><div>Aug</div><div>2017</div></div>"
    assert read(page).date == "2017-08-26"


def test_a_date_that_only_a_script_knows_is_found_if_there_is_one() -> None:
    script = '<script>x = {a: 1, "publishedAt": "2020-06-06T10:00:00Z"}</script>'
    assert read(script).date == "2020-06-06T10:00:00Z"
    assert read(script + script.replace("06-06", "07-07")).date is None


def test_numbers_are_read_in_the_order_of_the_language() -> None:
    page = "<html lang={}><h1>A river rises</h1><p class=date>03/04/2020</p>"
    assert read(page.format("en-US")).date == "2020-03-04"
    assert read(page.format("en-GB")).date == "2020-04-03"
    assert read(page.format("fr")).date == "2020-04-03"
