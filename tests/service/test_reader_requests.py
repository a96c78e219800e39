"""Pages to read for programs: by their URL, in the form that is asked for, or sent as they are."""

from __future__ import annotations

import shutil
import subprocess

import httpx
import pytest

import tamis
from tamis.service.negotiation import wanted
from tests.fetching.web import Web, answer
from tests.service.running import BROWSER, TOKEN
from tests.service.test_api import PAGE


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", "markdown"),
        ("*/*", "markdown"),
        ("text/*", "markdown"),
        (BROWSER["Accept"], "reader"),
        ("text/html", "reader"),
        ("text/markdown", "markdown"),
        ("text/plain, */*", "text"),
        ("application/json", "json"),
        ("application/*", "json"),
        ("application/jsonl", "chunks"),
        ("application/tei+xml", "tei"),
        ("text/html;q=0.1, text/plain;q=0.5", "text"),
        ("text/html; q=0.5, text/plain; charset=utf-8; q=0.4", "reader"),
        ("TEXT/PLAIN", "text"),
        ("text/markdown;q=0, */*", "text"),
        ("text/markdown;q=0", None),
        ("image/png", None),
        ("text/plain;q=much", None),
        ("text/html;q=nan, application/json", "json"),
        ("application/json;q=nan", None),
        (",;,", None),
    ],
)
def test_the_form_that_is_liked_best_is_given(accept: str, form: str | None) -> None:
    assert wanted(accept) == form


@pytest.fixture
def page(web: Web) -> str:
    web.answers["/page?a=%7e&b=%20"] = web.answers["/page"] = answer(PAGE)
    return web.url("/page", "127.0.0.1")


@pytest.mark.parametrize(
    ("accept", "name", "media_type"),
    [
        ("*/*", "markdown", "text/markdown; charset=utf-8"),
        ("text/plain", "text", "text/plain; charset=utf-8"),
        ("application/json", "json", "application/json"),
    ],
)
def test_programs_get_the_format_that_they_accept(
    service: httpx.Client, accept: str, name: str, media_type: str
) -> None:
    url, kind = "https://news.example/", {"Content-Type": "text/html"}
    expected = tamis.extract(PAGE.encode(), url=url).render(name)
    for found in (
        service.post("/read", params={"url": url}, content=PAGE, headers={**kind, "Accept": accept}),
        service.post("/read", params={"url": url, "format": name}, content=PAGE, headers={**kind, **BROWSER}),
    ):
        assert found.status_code == 200
        assert found.text == expected
        assert found.headers["content-type"] == media_type
        assert found.headers["vary"] == "Accept"
        assert found.headers["tamis-status"] == "ok"


def _curl(*arguments: str) -> str:
    program = shutil.which("curl")
    if program is None:
        pytest.skip("curl is not installed")
    command = [program, "--silent", "--noproxy", "*", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_url_in_the_path_keeps_its_query_letter_by_letter(
    private_service: httpx.Client, web: Web, page: str
) -> None:
    asked = f"{private_service.base_url}/{page}?a=%7e&b=%20&token={TOKEN}"
    assert _curl(asked) == tamis.extract(PAGE, url=page).markdown
    assert web.paths[-1] == "/page?a=%7e&b=%20"


def test_a_slash_that_was_lost_on_the_way_is_put_back(private_service: httpx.Client, page: str) -> None:
    assert private_service.get("/" + page.replace("://", ":/"), headers=BROWSER).status_code == 200


def test_the_documented_line_of_curl_prints_the_page(private_service: httpx.Client, page: str) -> None:
    asked = f"{private_service.base_url}/read?url={page}&token={TOKEN}"
    assert _curl("--location", asked) == tamis.extract(PAGE, url=page).markdown


def test_programs_are_polite_and_people_are_not_kept_waiting(
    private_service: httpx.Client, web: Web, page: str
) -> None:
    private_service.get("/read", params={"url": page}, headers=BROWSER)
    assert "/robots.txt" not in web.paths
    private_service.get("/read", params={"url": page})
    assert "/robots.txt" in web.paths


@pytest.mark.parametrize(
    ("robots", "status", "told"),
    [
        (answer("User-agent: *\nDisallow: /"), 422, "robots.txt disallows"),
        (answer("", "500 Error"), 502, "(the server answered with status 500), so nothing of the site"),
        (answer("User-agent: *\nCrawl-delay: 900"), 422, "asks for 900 s"),
    ],
)
def test_who_may_not_fetch_a_page_is_told_what_the_service_can_do(
    private_service: httpx.Client, web: Web, page: str, robots: bytes, status: int, told: str
) -> None:
    web.answers["/robots.txt"] = robots
    for given in (
        private_service.get("/read", params={"url": page}),
        private_service.post("/api/extract", json={"url": page}),
    ):
        detail = given.json()["detail"]
        assert given.status_code == status
        assert told in detail
        assert "send what it shows as html, or read it in the reader view" in detail
        assert "respect" not in detail


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/read", 422, "/read?url=https://"),
        ("/read?url=nonsense", 422, "nonsense"),
        ("/http://127.0.0.1/", 422, "this machine"),
        ("/read?url=127.0.0.1/news", 422, "'https://127.0.0.1/news' leads to 127.0.0.1 (this machine)"),
        ("/read?url=%20127.0.0.1:443", 422, "'https://127.0.0.1:443' leads to"),
        ("/read?url=javascript:alert(1)", 422, "'javascript:alert(1)' is not a URL"),
        ("/read?url=http://a.example/&format=markdwn", 422, "did you mean markdown"),
        ("/read?url=http://a.example/&options=1", 422, "dict is expected"),
    ],
)
def test_programs_are_told_of_problems_as_programs(service: httpx.Client, path: str, status: int, says: str) -> None:
    found = service.get(path)
    assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
    assert says in found.json()["detail"]


def test_who_accepts_nothing_that_there_is_is_told_what_there_is(service: httpx.Client) -> None:
    found = service.get("/read?url=http://a.example/", headers={"Accept": "image/png"})
    assert found.status_code == 406
    assert "text/markdown" in found.json()["detail"]


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        (answer("", "503 Service Unavailable", retry_after="120"), "120"),
        (answer("", "429 Too Many Requests", retry_after="3600"), "3600"),
    ],
)
def test_a_site_that_is_busy_says_when_to_come_again(
    private_service: httpx.Client, web: Web, told: bytes, seconds: str
) -> None:
    web.answers["/busy"] = told
    found = private_service.get(f"/{web.url('/busy', '127.0.0.1')}", headers=BROWSER)
    assert (found.status_code, found.headers["retry-after"]) == (503, seconds)


def test_a_page_that_is_sent_is_read_without_being_fetched(service: httpx.Client) -> None:
    url = "https://news.example/a"
    html = PAGE.replace("<article>", "<article><p>Ähnlich & größer+mehr: 100%, see <a href=b>the other</a> page.</p>")
    sent = [
        service.post("/read", data={"url": url, "html": html}),
        service.post("/read", params={"url": url}, content=html.encode(), headers={"Content-Type": "text/html"}),
        service.post("/read", json={"url": url, "html": html}),
    ]
    for found in sent:
        assert found.status_code == 200
        assert found.text == tamis.extract(html, url=url).markdown
    assert "Ähnlich & größer+mehr: 100%" in sent[0].text
    shown = service.post("/read", data={"url": url, "html": html}, headers=BROWSER)
    assert 'href="/read?url=https%3A%2F%2Fnews.example%2Fb"' in shown.text


@pytest.mark.parametrize("path", ["/api/extract", "/api/score"])
def test_forms_are_for_reading_alone(service: httpx.Client, path: str) -> None:
    assert service.post(path, data={"html": "<p>x"}).status_code == 415


def test_a_form_of_many_fields_is_refused(service: httpx.Client) -> None:
    assert service.post("/read", data={f"field{number}": "x" for number in range(50)}).status_code == 400


def test_the_field_for_the_url_comes_with_a_bookmarklet_unless_there_is_no_token(service: httpx.Client) -> None:
    told = service.get("/read", headers=BROWSER).text
    assert 'href="javascript:' in told
    assert TOKEN not in told
