"""The Model Context Protocol server: what it answers, line by line, and with the reference client."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import InputError
from tamis.mcp import TOOLS, VERSIONS, Server, serve
from tamis.page.model import Page

PAGE = (
    "<title>Rain at last</title><nav><a href=/>Home</a></nav><main><h1>Rain at last</h1><p>After forty dry days the "
    "valley has water again, and the old mills are turning as they did before.</p><h2>The mills</h2><p>There are seven "
    "Old  Mills in the valley, all of them older than the road.</p><pre># no heading</pre></main>"
)


def read(source: str) -> Page:
    if source != "page.html":
        raise InputError(f"cannot read {source!r}: pass a file that exists")
    return tamis.parse(PAGE)


def ask(method: str, server: Server | None = None, **parameters: Any) -> dict[str, Any]:
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": parameters})
    answer = (server or Server(read)).answer(line.encode())
    assert answer is not None
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer


def call(tool: str, **arguments: Any) -> str:
    result = ask("tools/call", name=tool, arguments=arguments)["result"]
    assert result["isError"] is False
    text: str = result["content"][0]["text"]
    return text


@pytest.mark.parametrize(("asked", "spoken"), [(VERSIONS[-1], VERSIONS[-1]), ("1999-01-01", VERSIONS[0])])
def test_a_known_revision_is_spoken_and_else_the_newest(asked: str, spoken: str) -> None:
    result = ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "x", "version": "1"})[
        "result"
    ]
    assert result["protocolVersion"] == spoken
    assert result["capabilities"] == {"tools": {}}
    assert ask("ping")["result"] == {}


def test_tools_are_listed_with_schemas() -> None:
    tools = {tool["name"]: tool["inputSchema"] for tool in ask("tools/list")["result"]["tools"]}
    assert set(tools) == set(TOOLS) == {"read_page", "outline", "find_on_page"}
    assert tools["find_on_page"]["required"] == ["source", "query"]


def test_page_is_read_in_parts() -> None:
    whole = call("read_page", source="page.html")
    assert whole.startswith("Title: Rain at last\n")
    assert "Home" not in whole
    markdown = tamis.extract(PAGE).markdown
    assert whole.endswith(markdown)
    first = call("read_page", source="page.html", max_characters=20)
    assert f"[{len(markdown) - 20} more characters: ask again with start=20]" in first
    assert call("read_page", source="page.html", start=20) == markdown[20:]


def test_a_wall_is_told_and_not_read() -> None:
    server = Server(lambda _: tamis.parse("<title>Log in</title><p>You must be logged in to view this page.</p>"))
    result = ask("tools/call", server, name="read_page", arguments={"source": "page.html"})["result"]
    said = result["content"][0]["text"]
    assert "Warning: wall: the page is a login form" in said
    assert "You must be logged in to view this page" not in said.rpartition("Warning")[2].partition("\n")[2]


def test_outline_says_where_headings_begin() -> None:
    outline = call("outline", source="page.html")
    assert "no heading" not in outline
    for line, heading in zip(outline.splitlines(), ("# Rain at last", "## The mills"), strict=True):
        place = int(line.rpartition("start=")[2].rstrip(")"))
        assert call("read_page", source="page.html", start=place or 0).find(heading) >= 0


def test_code_with_fences_in_it_hides_no_heading_after_it_and_shows_none_of_its_own() -> None:
    code = "<pre># one\n```\n# two\n````\n# three</pre>"
    many = "".join(f"<h2>Part {number}</h2><p>{'Old mills turn. ' * 8}</p>{code}" for number in range(300))
    extraction = tamis.extract(f"<main>{many}</main>", method="keep_all")
    outline = TOOLS["outline"].run(extraction).splitlines()
    assert [line.strip().split(" (")[0] for line in outline] == [f"- Part {number}" for number in range(300)]


def test_words_are_found_whatever_case_and_blanks() -> None:
    found = call("find_on_page", source="page.html", query="old mills")
    assert found.startswith("2 matches for 'old mills'")
    assert call("find_on_page", source="page.html", query="(snow").startswith("0 matches")


def test_page_that_cannot_be_read_is_told_to_the_model() -> None:
    result = ask("tools/call", name="outline", arguments={"source": "gone.html"})["result"]
    assert result["isError"] is True
    assert "gone.html" in result["content"][0]["text"]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"name": "write_page"}, "there is no tool 'write_page'"),
        ({"name": ["read_page"]}, "there is no tool ['read_page']"),
        ({"name": {}}, "there is no tool {}"),
        ({"name": "read_page"}, "'source' is missing"),
        ({"name": "read_page", "arguments": {"source": 3}}, "must be of the type string"),
        ({"name": "read_page", "arguments": {"source": "page.html", "start": -1}}, "must not be negative"),
        ({"name": "outline", "arguments": {"source": "page.html", "query": "x"}}, "there is no argument 'query'"),
    ],
)
def test_wrong_arguments_are_errors_of_the_protocol(parameters: dict[str, Any], told: str) -> None:
    error = ask("tools/call", **parameters)["error"]
    assert error["code"] == -32602
    assert told in error["message"]


def test_page_is_read_once_for_several_questions() -> None:
    asked: list[str] = []

    def counting(source: str) -> Page:
        asked.append(source)
        return read(source)

    server = Server(counting)
    for tool in ("read_page", "outline"):
        ask("tools/call", server, name=tool, arguments={"source": "page.html"})
    assert asked == ["page.html"]


@given(st.binary(max_size=60) | st.from_regex(rb'\{"id": [0-9]{1,3}, "method": "[a-z/]{0,12}"\}', fullmatch=True))
def test_any_line_is_answered_or_passed_over(line: bytes) -> None:
    answer = Server(read).answer(line)
    assert answer is None or answer["jsonrpc"] == "2.0"


def test_notifications_and_answers_want_no_answer() -> None:
    said: list[str] = []
    lines = [
        b'{"method": "notifications/initialized"}',
        b"\n",
        b'{"id": 1, "result": {}}',
        b'{"id": 2, "method": "ping"}',
    ]
    serve(lines, said.append, read)
    assert [json.loads(line)["id"] for line in said] == [2]


@pytest.mark.parametrize("identity", [b"NaN", b"-Infinity", b"1e999", b"true", b"[1]", b"{}", b"[" * 400 + b"]" * 400])
def test_an_id_that_is_no_text_or_number_is_an_error_of_the_protocol(identity: bytes) -> None:
    answer = Server(read).answer(b'{"method": "ping", "id": ' + identity + b"}")
    assert answer is not None
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


def test_the_id_of_a_message_may_be_a_very_large_number() -> None:
    answer = Server(read).answer(b'{"method": "ping", "id": 1' + b"0" * 400 + b"}")
    assert answer is not None
    assert answer["id"] == 10**400


def test_half_characters_in_a_message_do_not_end_the_session() -> None:
    said: list[bytes] = []
    call_of = b'{"id": %s, "method": "tools/call", "params": {"name": "find_on_page", "arguments": %s}}'
    lines = [
        b'{"id": "\\ud800", "method": "ping"}',
        call_of % (b"1", b'{"source": "\\ud800", "query": "x"}'),
        call_of % (b"2", b'{"source": "page.html", "query": "\\ud800"}'),
        b'{"id": "last", "method": "ping"}',
    ]
    serve(lines, lambda line: said.append(line.encode()), lambda _: tamis.parse(PAGE))
    assert [json.loads(line)["id"] for line in said] == ["\ud800", 1, 2, "last"]


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    (tmp_path / "page.html").write_text(PAGE)
    command = [sys.executable, "-m", "tamis", "mcp"]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, cwd=tmp_path) as started:
        yield started
        if started.stdin and not started.stdin.closed:
            started.stdin.close()


def test_the_command_speaks_until_its_input_ends(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    parameters = {"name": "read_page", "arguments": {"source": "page.html"}}
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert "After forty dry days" in answer["result"]["content"][0]["text"]
    process.stdin.close()
    assert process.wait(timeout=60) == 0


def test_the_reference_client_reads_a_page(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the reference client (PyPI: mcp) brings sixteen packages and is not in dev")
    (tmp_path / "page.html").write_text(PAGE)
    script = (
        "import asyncio, sys\n"
        "from mcp import ClientSession, StdioServerParameters\n"
        "from mcp.client.stdio import stdio_client\n"
        "async def main():\n"
        "    server = StdioServerParameters(command=sys.executable, args=['-m', 'tamis', 'mcp'], env=None)\n"
        "    async with stdio_client(server) as streams, ClientSession(*streams) as session:\n"
        "        await session.initialize()\n"
        "        print(sorted(tool.name for tool in (await session.list_tools()).tools))\n"
        "        found = await session.call_tool('find_on_page', {'source': 'page.html', 'query': 'seven'})\n"
        "        print(found.content[0].text.splitlines()[0])\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.startswith("['find_on_page', 'outline', 'read_page']\n1 match for 'seven'")
