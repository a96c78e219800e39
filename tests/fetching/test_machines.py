"""Machines that may not be reached, and that the right one is."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tamis.errors import AddressError, TransferError
from tests.fetching.fetchers import PAGE, PUBLIC, fetcher, record_connections
from tests.fetching.web import Web, answer


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["169.254.169.254"], ["fe80::1%eth0"]]
)
def test_a_name_that_leads_to_a_private_machine_is_refused_before_it_is_asked(
    web: Web, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = record_connections(monkeypatch, web)
    with pytest.raises(AddressError, match="inner"):
        fetcher(resolve=lambda *_: found, allow_private=False, ports=(web.port,)).fetch(web.url(host="inner.example"))
    assert asked == []
    assert web.requests == []


def test_the_machine_that_was_checked_is_the_one_that_is_asked(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that changes its meaning after the check gains nothing: it is looked up once per connection."""
    asked = record_connections(monkeypatch, web)
    lookups: list[str] = []

    def rebinding(host: str, _: int) -> list[str]:
        lookups.append(host)
        return [PUBLIC] if len(lookups) == 1 else ["127.0.0.1"]

    web.answers["/"] = answer(PAGE)
    fetching = fetcher(resolve=rebinding, allow_private=False, ports=(web.port,))
    assert fetching.fetch(web.url()).status == 200
    assert (asked, lookups) == ([PUBLIC], ["site.example"])
    with pytest.raises(AddressError):
        fetching.fetch(web.url())
    assert asked == [PUBLIC]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{port}/secret",
        "http://2130706433:{port}/secret",
        "http://[::ffff:127.0.0.1]:{port}/secret",
        "//inner.example:{port}/secret",
        "http://169.254.169.254/latest/",
        "http://site.example:22/",
        "http://user@site.example/",
        "file:///etc/passwd",
        "gopher://site.example/",
        "http://",
    ],
)
def test_redirects_are_checked_like_any_address(web: Web, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = record_connections(monkeypatch, web)
    web.answers["/"] = answer(b"", "302 Found", Location=location.format(port=web.port))
    web.answers["/secret"] = answer("secret")

    def resolve(host: str, _: int) -> list[str]:
        return ["127.0.0.1"] if host == "inner.example" else [PUBLIC]

    with pytest.raises(AddressError):
        fetcher(resolve=resolve, allow_private=False, ports=(web.port,)).fetch(web.url())
    assert asked == [PUBLIC]
    assert web.paths == ["/"]


def test_the_next_machine_of_a_name_is_asked_when_the_first_is_silent(web: Web) -> None:
    web.answers["/"] = answer(PAGE)
    assert fetcher(resolve=lambda *_: ["127.0.0.2", "127.0.0.1"]).fetch(web.url()).status == 200


def test_the_name_goes_into_the_tls_handshake() -> None:
    hello = b""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> bytes:
            connection, _ = server.accept()
            with connection:
                return connection.recv(4096)

        with ThreadPoolExecutor() as pool:
            heard = pool.submit(listen)
            with pytest.raises(TransferError):
                fetcher(retries=0).fetch(f"https://secret.example:{server.getsockname()[1]}/")
            hello = heard.result(timeout=5)
    assert b"secret.example" in hello


def test_a_server_that_cannot_prove_who_it_is_is_refused(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    named = ["-subj", "/CN=secret.example", "-keyout", str(key), "-out", str(certificate)]
    made = subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *named],
        capture_output=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:

        def listen() -> None:
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as secure:
                secure.recv(4096)

        done = pool.submit(listen)
        with pytest.raises(AddressError, match="has no valid TLS certificate"):
            fetcher().fetch(f"https://secret.example:{server.getsockname()[1]}/")
        done.result(timeout=20)


def test_a_name_that_stands_for_nothing_is_an_error(web: Web) -> None:
    def unknown(*_: object) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    def failing(*_: object) -> list[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "later")

    with pytest.raises(AddressError, match="check the name"):
        fetcher(resolve=unknown).fetch(web.url())
    with pytest.raises(AddressError, match="no IP address"):
        fetcher(resolve=lambda *_: []).fetch(web.url())
    with pytest.raises(TransferError, match="cannot be resolved now"):
        fetcher(resolve=failing).fetch(web.url())
