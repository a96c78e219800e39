"""The reader view: what it shows, in which direction, and what it leaves out."""

from __future__ import annotations

import re

import httpx
import pytest

import tamis
from tamis.page.load import parse
from tamis.service.problems import ProblemError
from tamis.service.reader import Read, direction, problem_page, read
from tests.fetching.web import Web, answer
from tests.service.running import BROWSER
from tests.service.test_api import PAGE

ARTICLE = """<html lang="{language}"><head><title>The title of it</title><meta name=author content="A. Writer">
<meta property="article:published_time" content="2024-05-01T10:00:00Z"></head><body><article>{content}
<p>The height of the sea at Brest was written down each day for three centuries, by hand and later by machine.</p>
<p>The record is one of the longest in the world, and many who study the sea use it to this day.</p></article></body>"""


def _view(content: str = "", language: str = "en", url: str = "https://news.example/a/page") -> str:
    page = parse(ARTICLE.format(content=content, language=language), url)
    return read(Read(method="keep_all"), page).body.decode()


def test_a_heading_is_shown_once() -> None:
    assert re.findall(r"<h1>(.*?)</h1>", _view("<h1>The <i>real</i> heading</h1>")) == ["The <i>real</i> heading"]
    assert re.findall(r"<h1>(.*?)</h1>", _view()) == ["The title of it"]


def test_who_wrote_it_and_when_stands_below_the_heading() -> None:
    view = _view("<h1>Heading</h1>")
    about = view.partition('<p class="about">')[2].partition("</p>")[0]
    assert "A. Writer" in about
    assert '<time datetime="2024-05-01">2024-05-01</time>' in about
    assert view.index("<h1>") < view.index('class="about"') < view.index('class="content"')


def test_links_lead_to_reader_views_and_images_come_from_the_service() -> None:
    view = _view(
        '<p>See <a href="/other?a=1&amp;b=2">the other page</a> and <img src="/i.png?x=1&amp;y=2" alt="A picture">.</p>'
    )
    assert 'href="/read?url=https%3A%2F%2Fnews.example%2Fother%3Fa%3D1%26b%3D2&amp;method=keep_all"' in view
    assert 'src="/image?url=https%3A%2F%2Fnews.example%2Fi.png%3Fx%3D1%26y%3D2" alt="A picture"' in view


def test_mail_and_notes_are_linked_as_they_are() -> None:
    view = _view('<p>Write to <a href="mailto:a@b.example">us</a> about it.</p>')
    assert "/read?url=mailto" not in view


def test_tables_scroll_by_themselves() -> None:
    view = _view("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>")
    assert view.count('<div class="wide"') == view.count("<table>") == view.count("</table></div>") == 1


@pytest.mark.parametrize(
    ("markup", "language", "expected"),
    [
        ("<p>x", "en", "ltr"),
        ("<p>x", "ar", "rtl"),
        ("<p>x", "ar-EG", "rtl"),
        ("<p>x", "he", "rtl"),
        ("<p>x", "fa", "rtl"),
        ("<p>x", "arn", "ltr"),
        ("<html dir=rtl><p>x", "en", "rtl"),
        ("<html dir=LTR><p>x", "ar", "ltr"),
        ("<body dir=rtl><p>x", "", "rtl"),
        ("<html dir=auto><p>x", "ar", "rtl"),
    ],
)
def test_direction_is_what_the_page_says_or_its_language(markup: str, language: str, expected: str) -> None:
    assert direction(tamis.parse(markup), language) == expected


def test_an_empty_page_says_so_and_leads_to_the_original() -> None:
    view = read(Read(), parse("", "https://news.example/")).body.decode()
    assert "No main content was found on this page" in view
    assert 'href="https://news.example/"' in view


def test_metadata_cannot_break_out() -> None:
    page = parse(
        "<title>&lt;/title&gt;&lt;script&gt;bad()&lt;/script&gt;</title>"
        '<meta name=author content="&lt;b onclick=bad()&gt;">'
        '<html lang="en&quot; onload=&quot;bad()"><p>A sentence that is long enough to be kept by every method.',
        "javascript:bad()",
    )
    view = read(Read(method="keep_all"), page).body.decode()
    assert "<script" not in view
    assert "<b onclick" not in view
    assert ' onload="' not in view
    assert 'href="javascript' not in view


def test_the_style_in_the_view_is_the_one_the_policy_allows() -> None:
    import base64
    import hashlib

    found = read(Read(), parse(PAGE))
    style = re.search(r"<style>(.*?)</style>", found.body.decode(), re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in found.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in found.headers["Content-Security-Policy"]


def test_pages_are_read_through_the_service(private_service: httpx.Client, web: Web) -> None:
    web.answers["/page"] = answer(PAGE)
    found = private_service.get("/read", params={"url": web.url("/page", "127.0.0.1")}, headers=BROWSER)
    assert found.status_code == 200
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    assert "written down each day" in found.text
    assert "/robots.txt" not in web.paths


@pytest.mark.parametrize(
    ("asked", "status", "says"),
    [
        ({"url": "nonsense"}, 422, "nonsense"),
        ({"url": "http://127.0.0.1/"}, 422, "this machine"),
        ({"url": "http://a.example/", "method": "siev"}, 422, "did you mean sieve"),
        ({"url": "http://a.example/", "other": "1"}, 422, "other"),
        ({"url": "javascript:alert(1)"}, 422, "javascript"),
        ({"url": "http://a.example/", "html": "<p>not of this page"}, 422, "remove html"),
    ],
)
def test_what_cannot_be_read_is_told_as_a_page(
    service: httpx.Client, asked: dict[str, str], status: int, says: str
) -> None:
    found = service.get("/read", params=asked, headers=BROWSER)
    assert found.status_code == status
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    assert says in found.text
    assert 'href="javascript' not in found.text


def test_without_an_address_there_is_a_field_for_it(service: httpx.Client) -> None:
    found = service.get("/read", headers=BROWSER)
    assert found.status_code == 200
    assert 'name="url"' in found.text


def test_every_view_has_a_field_for_the_next_page_which_keeps_the_method(service: httpx.Client) -> None:
    view = _view()
    assert view.index("</header>") < view.index('<form class="next" action="/read"') < view.index("<main>")
    assert '<label for="next">' in view
    assert '<input type="hidden" name="method" value="keep_all">' in view
    assert 'name="method"' not in read(Read(), parse(PAGE)).body.decode()
    assert 'id="next" name="url"' in service.get("/read?url=nonsense", headers=BROWSER).text


@pytest.mark.parametrize("path", ["/", "/api"])
def test_pages_of_the_service_lead_to_the_reader(service: httpx.Client, path: str) -> None:
    assert 'href="/read">Reader</a>' in service.get(path).text


def test_problems_are_escaped() -> None:
    page = problem_page(ProblemError(502, "x", "<script>bad()</script>"), "https://a.example/?a=<b>").body.decode()
    assert "<script" not in page
    assert "<b>" not in page


def test_images_come_through_the_service_and_nothing_else_does(private_service: httpx.Client, web: Web) -> None:
    web.answers["/i.png"] = answer(b"\x89PNG....", content_type="image/png")
    web.answers["/page"] = answer(PAGE)
    found = private_service.get("/image", params={"url": web.url("/i.png", "127.0.0.1")})
    assert (found.status_code, found.content) == (200, b"\x89PNG....")
    assert found.headers["content-type"] == "image/png"
    assert "sandbox" in found.headers["content-security-policy"]
    assert private_service.get("/image", params={"url": web.url("/page", "127.0.0.1")}).status_code == 422
    assert private_service.get("/image").status_code == 422


def test_private_images_are_not_reached(service: httpx.Client, web: Web) -> None:
    assert service.get("/image", params={"url": web.url("/i.png", "127.0.0.1")}).status_code == 422
    assert web.requests == []
