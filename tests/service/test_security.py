"""Who is let in, and what a browser may do with answers."""

from __future__ import annotations

import httpx
import pytest
from starlette.datastructures import Headers

from tamis.errors import OptionError
from tamis.service.problems import ProblemError
from tamis.service.security import Guard, _take, check_origin, host_of, reading_key
from tamis.service.settings import Settings
from tests.service.running import BROWSER, TOKEN
from tests.service.test_api import PAGE


async def _nothing(scope: object, receive: object, send: object) -> None: ...


def _guard(**values: object) -> Guard:
    return Guard(_nothing, Settings(**{"token": TOKEN, **values}))  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST:1"])
def test_names_of_this_machine_are_known(host: str) -> None:
    _guard().check_host(Headers({"host": host}))


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io:8000", "", "10.0.0.5"])
def test_other_names_are_refused(host: str) -> None:
    with pytest.raises(ProblemError, match="is not allowed") as caught:
        _guard().check_host(Headers({"host": host}))
    assert caught.value.status == 421


AMBIGUOUS_HOSTS = (
    *("127.0.0.1:80@evil.example", "localhost@evil.example", "evil.example@localhost", "localhost/evil.example"),
    *("localhost#evil.example", "localhost?evil.example", "localhost\\evil.example", "localhost:80:80", "localhost:x"),
    *(
        "[::1]evil.example",
        "[::1",
        "[localhost]",
        "localhost evil.example",
        "localhost,evil.example",
        "localhost:123456",
    ),
    *("::1", "localhost\x00", "löcalhost", "localhost%00", "user:word@localhost:8000"),
)


@pytest.mark.parametrize("host", AMBIGUOUS_HOSTS)
def test_what_is_more_than_a_host_and_a_port_is_refused(host: str) -> None:
    with pytest.raises(ProblemError, match="send one host") as caught:
        _guard().check_host(Headers(raw=[(b"host", host.encode("latin-1"))]))
    assert caught.value.status == 400


def test_two_hosts_are_refused() -> None:
    with pytest.raises(ProblemError, match="send one host"):
        _guard().check_host(Headers(raw=[(b"host", b"localhost"), (b"host", b"evil.example")]))


def test_an_origin_that_is_no_address_is_foreign() -> None:
    with pytest.raises(ProblemError) as caught:
        check_origin(Headers({"host": "localhost:8000", "origin": "http://[x"}))
    assert caught.value.status == 403


def test_an_open_service_is_asked_by_address_or_by_an_allowed_name() -> None:
    guard = _guard(host="0.0.0.0", allowed_hosts=("Box.Example:443",))  # noqa: S104 - that is the point
    guard.check_host(Headers({"host": "192.168.1.9:8000"}))
    guard.check_host(Headers({"host": "box.example"}))
    with pytest.raises(ProblemError):
        guard.check_host(Headers({"host": "evil.example"}))


@pytest.mark.parametrize("value", ["", "bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x"])
def test_a_wrong_token_is_refused(value: str) -> None:
    with pytest.raises(ProblemError) as caught:
        _guard().check_token(Headers({"authorization": value}))
    assert caught.value.status == 401
    assert "printed when the service started" in caught.value.detail


def test_the_token_is_taken_from_header_or_cookie() -> None:
    guard = _guard(port=8123)
    guard.check_token(Headers({"authorization": f"Bearer {TOKEN}"}))
    guard.check_token(Headers({"cookie": f"a=b; tamis-8123={TOKEN}"}))
    with pytest.raises(ProblemError):
        guard.check_token(Headers({"cookie": f"tamis-8124={TOKEN}"}))


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "localhost:8000", "origin": "http://evil.example"},
        {"host": "localhost:8000", "origin": "http://localhost:9000"},
        {"host": "localhost:8000", "origin": "null"},
        {"host": "localhost:8000", "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"host": "localhost:8000", "sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
    ],
)
def test_pages_of_other_origins_cannot_ask(headers: dict[str, str]) -> None:
    with pytest.raises(ProblemError) as caught:
        check_origin(Headers(headers))
    assert caught.value.status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "localhost:8000"},
        {"host": "localhost:8000", "origin": "http://localhost:8000", "sec-fetch-site": "same-origin"},
        {"host": "localhost:8000", "sec-fetch-site": "none", "sec-fetch-mode": "navigate"},
        {"host": "localhost:8000", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    ],
)
def test_programs_and_own_pages_can_ask(headers: dict[str, str]) -> None:
    check_origin(Headers(headers))


def test_hosts_are_read_with_and_without_port() -> None:
    assert [host_of(value) for value in ("a:1", "[::1]", "[::1]:2", " A ")] == ["a", "::1", "::1", "a"]


def test_health_needs_no_token_and_everything_else_does(service: httpx.Client) -> None:
    with httpx.Client(base_url=service.base_url, trust_env=False) as stranger:
        assert stranger.get("/healthz").status_code == 200
        for path in ("/", "/metrics", "/api/methods", "/read", "/static/reader.css", "/nothing"):
            answer = stranger.get(path)
            assert answer.status_code == 401, path
            assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_browser_without_the_token_is_shown_a_page_that_says_what_to_do(service: httpx.Client) -> None:
    asked = {"Authorization": "", "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for headers, status, way_out in (
        (asked, 401, "open the URL that was printed"),
        ({**asked, "Host": "evil.example"}, 421, "--allow-host evil.example"),
        ({**asked, "Host": "<b>evil.example"}, 400, "&lt;b&gt;evil.example"),
    ):
        found = service.get("/", headers=headers)
        assert found.status_code == status
        assert found.headers["content-type"] == "text/html; charset=utf-8"
        assert way_out in found.text
        assert "default-src 'none'" in found.headers["content-security-policy"]
    posted = service.post("/api/extract", headers=asked)
    assert posted.headers["content-type"] == "application/problem+json"


def test_the_printed_address_signs_a_browser_in_and_hides_the_token(service: httpx.Client) -> None:
    with httpx.Client(base_url=service.base_url, trust_env=False, headers=BROWSER) as browser:
        answer = browser.get(f"/read?a=1&token={TOKEN}&b=x%26y")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/read?a=1&b=x%26y"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert browser.get("/read").status_code == 200


def test_a_program_is_answered_at_once_when_the_token_is_in_the_query(service: httpx.Client) -> None:
    with httpx.Client(base_url=service.base_url, trust_env=False) as program:
        found = program.get(f"/api/methods?token={TOKEN}")
        assert (found.status_code, found.headers.get("set-cookie")) == (200, None)
        assert program.post(f"/api/score?token={TOKEN}", json={}).status_code == 200
        assert program.get("/api/methods?token=wrong-token").status_code == 401
        assert program.get("/api/methods").status_code == 401


@pytest.mark.parametrize(
    ("query", "left"),
    [
        (f"token={TOKEN}", ""),
        (f"a=%7e&token={TOKEN}&b+c=d", "a=%7e&b+c=d"),
        (f"token=other&token={TOKEN}", "token=other"),
        (f"tokens={TOKEN}", None),
    ],
)
def test_nothing_but_the_token_is_taken_out_of_the_query(query: str, left: str | None) -> None:
    scope = {"query_string": query.encode()}
    assert _take(scope, "token", TOKEN) == (left is not None)
    assert scope["query_string"].decode() == (query if left is None else left)


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example/", "///evil.example"])
def test_signing_in_never_leads_elsewhere(path: str) -> None:
    home = _guard()._sign_in({"type": "http", "method": "GET", "path": path, "query_string": b""})
    assert home.headers["location"].startswith("/")
    assert not home.headers["location"].startswith(("//", "/\\"))


def test_the_key_lets_pages_of_all_origins_be_read_and_nothing_else(service: httpx.Client) -> None:
    with httpx.Client(
        base_url=service.base_url, trust_env=False, headers={"Origin": "https://news.example"}
    ) as browser:
        key, sent = f"key={reading_key(TOKEN)}", {"url": "https://news.example/", "html": PAGE}
        assert browser.post(f"/read?{key}", data=sent).status_code == 200
        assert browser.post("/read?key=", data=sent).status_code == 403
        assert browser.post(f"/read?token={TOKEN}", data=sent).status_code == 403
        assert browser.post(f"/api/extract?{key}", json=sent).status_code == 403
        browser.headers.pop("Origin")
        for path in ("/read", "/api/methods", "/https://news.example/"):
            assert browser.get(f"{path}?{key}").status_code == 401, path
        assert browser.post(f"/read?{key}", data=sent, headers={"Host": "evil.example"}).status_code == 421


def test_the_key_tells_nothing_of_the_token_and_changes_with_it() -> None:
    assert reading_key(TOKEN) != reading_key(TOKEN + "x")
    assert TOKEN not in reading_key(TOKEN)


@pytest.mark.parametrize("token", ["short", "with blank", "semi;colon", "umlaut-ü-here", "new\nline-token"])
def test_tokens_that_cannot_be_sent_or_are_soon_guessed_are_refused(token: str) -> None:
    with pytest.raises(OptionError, match="at least 8 characters") as caught:
        Settings(token=token)
    assert token not in str(caught.value)


def test_a_request_by_another_name_is_refused_with_the_token(service: httpx.Client) -> None:
    answer = service.get("/api/methods", headers={"Host": "rebound.example"})
    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"


def test_every_answer_has_the_headers_of_security(service: httpx.Client) -> None:
    answers = [
        service.get("/healthz"),
        service.get("/nothing"),
        service.post("/api/extract", json={"html": "<p>x", "format": "html"}),
        httpx.get(f"{service.base_url}/", trust_env=False),
    ]
    for answer in answers:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
    assert "sandbox" in answers[2].headers["content-security-policy"]


def test_settings_are_closed_unless_opened() -> None:
    assert Settings().is_loopback
    assert len(Settings().token) >= 24
    assert Settings().token != Settings().token
    assert TOKEN not in repr(Settings(token=TOKEN))
    assert not Settings().allow_private
    assert not Settings(host="0.0.0.0").is_loopback  # noqa: S104
