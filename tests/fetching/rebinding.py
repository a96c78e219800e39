"""A network of its own with a name server that lies, run inside new namespaces by ``test_rebinding``.

The name ``rebound.example`` is a public machine the first time it is looked up, and this machine ever after. Both
answer on port 80: the public one with a page, this one with a secret. What came of several ways to fetch the page is
written as JSON. Nothing of it leaves the namespaces.
"""

from __future__ import annotations

import http.client
import json
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

from tamis.errors import AddressError
from tamis.fetching.addresses import check_machine, literal
from tamis.fetching.http import Fetcher, Options

PUBLIC, PRIVATE = "93.184.216.34", "127.0.0.1"
NAME = "rebound.example"
PAGE, SECRET = "a page of the public machine", "a secret of this machine"
_IPV4, _NAME_AT = 1, 12


class NameServer:
    """Answers questions over UDP; ``lookups`` counts those for IPv4 addresses."""

    def __init__(self) -> None:
        self.lookups = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((PRIVATE, 53))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            question, asker = self._socket.recvfrom(512)
            self._socket.sendto(self._answer(question), asker)

    def _answer(self, question: bytes) -> bytes:
        end = question.index(b"\0", _NAME_AT) + 5
        (kind,) = struct.unpack_from("!H", question, end - 4)
        records = b""
        if kind == _IPV4:
            self.lookups += 1
            address = PUBLIC if self.lookups == 1 else PRIVATE
            records = struct.pack("!HHHIH", 0xC000 | _NAME_AT, kind, 1, 0, 4) + socket.inet_aton(address)
        counts = struct.pack("!HHHHH", 0x8180, 1, bool(records), 0, 0)
        return question[:2] + counts + question[_NAME_AT:end] + records


class WebServer:
    """Answers everything with one text, or sends askers to the same place once more."""

    def __init__(self, address: str, text: str) -> None:
        self.asked: list[str] = []
        seen = self.asked

        class Answer(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                path = self.rfile.readline().split()[1].decode()
                while self.rfile.readline().strip():
                    pass
                seen.append(path)
                status = "302 Found\r\nLocation: /page" if path == "/moved" else "200 OK"
                head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(text)}\r\n\r\n"
                self.wfile.write((head + text).encode())

        server = socketserver.ThreadingTCPServer((address, 80), Answer)
        threading.Thread(target=server.serve_forever, daemon=True).start()


def main(folder: Path) -> None:
    _prepare(folder)
    names, public, private = NameServer(), WebServer(PUBLIC, PAGE), WebServer(PRIVATE, SECRET)
    told: dict[str, Any] = {}

    def tell(what: str, came: str) -> None:
        told[what] = {"came": came, "lookups": names.lookups, "public": [*public.asked], "private": [*private.asked]}
        names.lookups = 0
        public.asked.clear()
        private.asked.clear()

    tell("careless", _careless())
    tell("page", _fetched("/page", respect_robots=False))
    tell("robots", _fetched("/page", respect_robots=True))
    tell("moved", _fetched("/moved", respect_robots=False))
    with Fetcher(Options(respect_robots=False, delay_seconds=0)) as fetcher:
        fetcher.fetch(f"http://{NAME}/page")
        tell("again", _outcome(fetcher, "/page"))
    sys.stdout.write(json.dumps(told))


def _prepare(folder: Path) -> None:
    """Two addresses, and a resolver that asks the name server here."""
    commands = [["ip", "link", "set", "lo", "up"], ["ip", "address", "add", f"{PUBLIC}/32", "dev", "lo"]]
    for name, text in (("resolv.conf", f"nameserver {PRIVATE}\n"), ("nsswitch.conf", "hosts: dns\n")):
        (folder / name).write_text(text)
        commands.append(["mount", "--bind", str(folder / name), f"/etc/{name}"])
    for command in commands:
        subprocess.run(command, check=True)


def _careless() -> str:
    """What a client gets that checks a name, and then connects by name."""
    address = socket.getaddrinfo(NAME, 80, socket.AF_INET, socket.SOCK_STREAM)[0][4][0]
    found = literal(str(address))
    assert found is not None
    check_machine(NAME, found, allow_private=False)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://{NAME}/page") as answer:
        assert isinstance(answer, http.client.HTTPResponse)
        return answer.read().decode()


def _fetched(path: str, *, respect_robots: bool) -> str:
    with Fetcher(Options(respect_robots=respect_robots, delay_seconds=0)) as fetcher:
        return _outcome(fetcher, path)


def _outcome(fetcher: Fetcher, path: str) -> str:
    try:
        return fetcher.fetch(f"http://{NAME}{path}").body.decode()
    except AddressError:
        return "refused"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
