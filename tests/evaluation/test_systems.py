from __future__ import annotations

import pickle
import re
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, build_opener

import pytest

from tamis.errors import OptionError, UnknownNameError
from tamis.evaluation.datasets import Sample
from tamis.evaluation.systems import open_system

PAGE = Sample(
    id="a b",
    url="http://news.example/a",
    html="<nav><a href='/'>Menü</a></nav><p>A sentence that says something, and one more.</p>",
)
TEXT = "A sentence that says something, and one more."
Answer = Callable[[BaseHTTPRequestHandler], tuple[int, str, bytes]]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """A web server that answers everything with what a function says; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, content_type, body = answer(self)
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the name that the standard library calls

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def posted(handler: BaseHTTPRequestHandler) -> bytes:
    return handler.rfile.read(int(handler.headers["Content-Length"]))


def without_menu(handler: BaseHTTPRequestHandler) -> tuple[int, str, bytes]:
    """A proxy that fetches what it is asked for and takes the menu out."""
    try:
        with build_opener(ProxyHandler({})).open(handler.path) as answer:
            body: bytes = answer.read()
            return 200, answer.headers["Content-Type"], re.sub(rb"<nav>.*?</nav>", b"", body)
    except HTTPError as error:
        with error:
            return error.code, "text/plain", b""


@pytest.mark.parametrize(
    "text",
    ["keep_all", "lqf", "lqf:threshold=0.9", "lqf:variant=mantratzis,discard_nested=true", 'lqf:blocks=["nav","p"]'],
)
def test_a_method_is_opened_by_its_name_and_options(text: str) -> None:
    system = open_system(text)
    assert system.name == text
    assert TEXT in system.extract(PAGE)


def test_options_reach_the_method() -> None:
    assert "Menü" not in open_system("lqf:threshold=0.5").extract(PAGE)
    assert "Menü" in open_system("lqf:threshold=1").extract(PAGE)


def test_bytes_are_decoded() -> None:
    page = Sample(id="a", html='<meta charset="latin-1"><p>Füße'.encode("latin-1"))
    assert open_system("keep_all").extract(page) == "Füße"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lqf:treshold=0.5", "did you mean threshold"),
        ("lqf:threshold=high", "float"),
        ("lqf:threshold", "name=value"),
        ("lgf", "did you mean lqf"),
        ("trafilatur", "did you mean trafilatura"),
        ("trafilatura:fast=true", "trafilatura"),
        ("python:nothing", "python:module:function"),
        ("python:no_such_module:f", "PYTHONPATH"),
        ("python:json:no_such_function", "no_such_function"),
        ("command: ", "a shell command"),
        ("http://", "not a URL"),
        ("http://host:99999/", "not a URL"),
        ("proxy:localhost:80", "not a URL"),
    ],
)
def test_a_wrong_line_is_answered_with_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(OptionError, match=re.escape(said)):
        open_system(text)


def test_a_peer_is_opened_by_its_name_whatever_the_case() -> None:
    assert open_system("turbohtml").extract(PAGE) == open_system("TurboHTML").extract(PAGE)


def test_a_method_goes_before_a_peer_of_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from tamis.evaluation import peers

    monkeypatch.setitem(peers.PEERS, "keep_all", peers.Peer("x", "json", lambda *_: "from the peer"))
    assert TEXT in open_system("keep_all").extract(PAGE)


def test_near_matches_are_looked_for_among_methods_and_peers() -> None:
    with pytest.raises(UnknownNameError) as method:
        open_system("cet")
    with pytest.raises(UnknownNameError) as peer:
        open_system("gose3")
    assert "cetr" in str(method.value)
    assert "goose3" in str(peer.value)


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a module of functions to evaluate."""
    (tmp_path / "odd_functions.py").write_text(
        "def plain(html): return html.upper()\n"
        "def with_url(html, *, url=None): return f'{url}'\n"
        "def with_anything(html, **given): return f'{given}'\n"
        "def nothing(html): return None\n"
        "def number(html): return 5\n"
        "def failing(html): raise RuntimeError('broken')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield "odd_functions"
    sys.modules.pop("odd_functions", None)


def test_a_function_gets_the_page_and_the_address_if_it_takes_one(functions: str) -> None:
    assert open_system(f"python:{functions}:plain").extract(PAGE) == PAGE.markup.upper()
    assert open_system(f"python:{functions}:with_url").extract(PAGE) == PAGE.url
    assert open_system(f"python:{functions}:with_anything").extract(PAGE) == "{'url': 'http://news.example/a'}"


def test_a_function_may_find_nothing_but_must_give_text(functions: str) -> None:
    assert open_system(f"python:{functions}:nothing").extract(PAGE) == ""
    with pytest.raises(TypeError, match="int, not str"):
        open_system(f"python:{functions}:number").extract(PAGE)
    with pytest.raises(RuntimeError, match="broken"):
        open_system(f"python:{functions}:failing").extract(PAGE)


def test_a_command_reads_the_page_and_writes_the_text() -> None:
    assert open_system("command:cat").extract(PAGE) == PAGE.html
    assert open_system("command:tr a-z A-Z | head -c 5").extract(PAGE) == "<NAV>"
    latin = Sample(id="a", html='<meta charset="latin-1">Füße'.encode("latin-1"))
    assert open_system("command:cat").extract(latin).endswith("Füße")


def test_a_command_may_print_what_is_no_text() -> None:
    assert open_system(r"command:printf '\377\000abc'").extract(PAGE) == "\ufffd\0abc"


def test_a_command_need_not_read_the_page() -> None:
    large = Sample(id="a", html="x" * 5_000_000)
    assert open_system("command:echo done").extract(large) == "done\n"


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="ended with 3: the last line"):
        open_system("command:echo first >&2; echo the last line >&2; exit 3").extract(PAGE)


def test_systems_can_be_sent_to_a_process() -> None:
    for text in ("keep_all", f"command:{shlex.quote(sys.executable)} -V"):
        assert pickle.loads(pickle.dumps(open_system(text))).extract(PAGE)  # noqa: S301 - made here


def test_an_endpoint_gets_the_page_with_its_type_and_answers_with_text() -> None:
    def answer(handler: BaseHTTPRequestHandler) -> tuple[int, str, bytes]:
        body = posted(handler).decode()
        return 200, "text/plain; charset=utf-16", f"{handler.headers['Content-Type']} {body}".encode("utf-16")

    with serving(answer) as address:
        text = open_system(f"{address}/extract").extract(PAGE)
    assert text == f"text/html; charset=utf-8 {PAGE.markup}"


def test_an_endpoint_that_fails_or_is_not_there_is_a_failure() -> None:
    with (
        serving(lambda handler: (500, "text/plain", posted(handler))) as address,
        pytest.raises(HTTPError, match="500"),
    ):
        open_system(address).extract(PAGE)
    with pytest.raises(URLError, match="refused"):
        open_system(address).extract(PAGE)


@pytest.mark.parametrize("no_proxy", ["", "*", "127.0.0.1"])
def test_a_proxy_is_asked_for_the_page_and_all_text_of_its_answer_counts(
    no_proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", no_proxy)
    with serving(without_menu) as address:
        assert open_system(f"proxy:{address}").extract(PAGE) == TEXT


def test_a_proxy_that_refuses_is_a_failure() -> None:
    with (
        serving(lambda _: (403, "text/plain", b"not this one")) as address,
        pytest.raises(RuntimeError, match="403"),
    ):
        open_system(f"proxy:{address}").extract(PAGE)
    with pytest.raises(ConnectionRefusedError):
        open_system(f"proxy:{address}").extract(PAGE)


def test_a_proxy_sees_linked_pages_and_nothing_else() -> None:
    seen: list[int] = []

    def curious(handler: BaseHTTPRequestHandler) -> tuple[int, str, bytes]:
        for other in ("b", "c"):
            handler_path = handler.path
            handler.path = handler_path.replace("news.example/a", f"news.example/{other}")
            seen.append(without_menu(handler)[0])
            handler.path = handler_path
        return without_menu(handler)

    page = Sample(id="a", html=PAGE.html, url=PAGE.url, extra={"linked_pages": {"http://news.example/b": "<p>b"}})
    with serving(curious) as address:
        assert open_system(f"proxy:{address}").extract(page) == TEXT
    assert seen == [200, 404]


def test_a_page_without_address_gets_one_from_its_id() -> None:
    with serving(without_menu) as address:
        assert open_system(f"proxy:{address}").extract(Sample(id="ä/1 ?#", html="<p>x")) == "x"
