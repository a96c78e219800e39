from __future__ import annotations

import ipaddress
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import AddressError, MissingExtraError
from tamis.fetching.addresses import MAX_LENGTH, check, join, literal, read, resolve, why_refused

LOOPBACK = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://0x7f.1/",
    "http://0x7F.0x0.0x0.0x1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://127.0.0.1./",
    "http://127.8.9.10/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[2002:7f00:1::1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[2606:2800:220:1:0:5efe:127.0.0.1]/",
    "HTTP://127.0.0.1",
    "http:\\\\127.0.0.1\\a",
    "ht\ntp://127.0.0.1/",
]
OTHERS = [
    ("http://10.0.0.1/", "private"),
    ("http://172.16.0.1/", "private"),
    ("http://172.31.255.255/", "private"),
    ("http://192.168.1.1/", "private"),
    ("http://100.64.0.1/", "provider"),
    ("http://[fd12:3456::1]/", "private"),
    ("http://[64:ff9b:1::1]/", "private"),
    ("http://169.254.169.254/latest/meta-data/", "link-local"),
    ("http://0xa9fea9fe/", "link-local"),
    ("http://[::ffff:169.254.169.254]/", "link-local"),
    ("http://[fe80::1]/", "link-local"),
    ("http://100.100.100.200/", "metadata"),
    ("http://168.63.129.16/", "metadata"),
    ("http://[fd00:ec2::254]/", "metadata"),
    ("http://0.0.0.0/", "no address"),
    ("http://0/", "no address"),
    ("http://[::]/", "no address"),
    ("http://224.0.0.1/", "multicast"),
    ("http://[ff02::1]/", "multicast"),
    ("http://255.255.255.255/", "reserved"),
    ("http://[2001:db8::1]/", "examples"),
    ("http://[4000::1]/", "reserved"),
]
MALFORMED = [
    "",
    "example.org",
    "//example.org/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "gopher://example.org/",
    "http:example.org",
    "http:///path",
    "http://",
    "http://user@example.org/",
    "http://example.org@127.0.0.1/",
    "http://a:b@example.org/",
    "http://exa mple.org/",
    "http://example.org:0/",
    "http://example.org:65536/",
    "http://example.org:x/",
    "http://a..b/",
    "http://-a.example/",
    "http://" + "a" * 64 + ".example/",
    "http://" + "a." * 130 + "example/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "http://①②⑦.0.0.1/",
    "http://1.2.3.4.5/",
    "http://1.2.3.256/",
    "http://4294967296/",
    "http://08.1/",
    "http://0177.0.0.1/",
    "http://example.0x/",
    "http://[::1/",
    "http://[fe80::1%25eth0]/",
    "http://[1.2.3.4]/",
    "http://example.org/" + "a" * MAX_LENGTH,
]


@pytest.mark.parametrize("url", LOOPBACK)
def test_this_machine_is_refused_however_it_is_written(url: str) -> None:
    with pytest.raises(AddressError, match="allow_private"):
        check(url)
    assert check(url, allow_private=True)


@pytest.mark.parametrize(("url", "reason"), OTHERS)
def test_what_is_not_the_public_web_is_refused_with_its_reason(url: str, reason: str) -> None:
    with pytest.raises(AddressError, match=reason):
        check(url)


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "http://100.100.100.200/", "http://[fd00:ec2::254]/", "http://0.0.0.0/"]
)
def test_keys_of_clouds_stay_refused_when_private_machines_are_allowed(url: str) -> None:
    with pytest.raises(AddressError, match="never"):
        check(url, allow_private=True)


@pytest.mark.parametrize(
    ("ip", "may_be_allowed"),
    [
        ("4000::1", False),  # reserved
        ("2001:0:7f00:1::f7f7:f7f7", True),  # Teredo: the server is this machine, the client 8.8.8.8
        ("2001:0:808:808::80ff:fffe", True),  # Teredo: the server is 8.8.8.8, the client this machine
        ("2001:0:a9fe:a9fe::80ff:fffe", False),  # Teredo: of two reasons the one that may never be allowed counts
        ("2002:a9fe:a9fe::1", False),  # 6to4: link-local
        ("2606:2800::5efe:a00:1", True),  # ISATAP: a private network
        ("2606:2800::200:5efe:a00:1", True),  # ISATAP, marked as unique
    ],
)
def test_whoever_is_inside_an_ipv6_address_is_judged(ip: str, may_be_allowed: bool) -> None:
    reason, is_private = why_refused(ipaddress.IPv6Address(ip))
    assert reason is not None
    assert is_private == may_be_allowed


def test_ipv6_addresses_with_public_machines_inside_are_public() -> None:
    for ip in ("2001:0:808:808::f7f7:f7f7", "2002:808:808::1", "2606:2800::200:5efe:808:808", "2606:2800::5eff:a00:1"):
        assert why_refused(ipaddress.IPv6Address(ip))[0] is None


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("1.2.3.4.5", "'1.2.3.4.5' ends in a number and is not an IP address"),
        ("a.1", "'a.1' ends in a number and is not an IP address"),
        ("256.1.1.1", "'256.1.1.1' has a part above 255"),
        ("1.256.1", "'1.256.1' has a part above 255"),
        ("1.2.3.256", "256 does not fit"),
        ("1.2.65536", "65536 does not fit"),
        ("1.16777216", "16777216 does not fit"),
        ("4294967296", "4294967296 does not fit"),
        ("fe80::1%eth0", "a zone is known only inside a network"),
    ],
)
def test_numbers_that_are_no_ip_address_are_not_taken_for_another(host: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        literal(host)


@pytest.mark.parametrize(
    ("host", "ip"),
    [
        ("1.2.3.255", "1.2.3.255"),
        ("255.2.65535", "255.2.255.255"),
        ("1.16777215", "1.255.255.255"),
        ("0", "0.0.0.0"),  # noqa: S104
        ("0x", "0.0.0.0"),  # noqa: S104
        ("010.0x10.10", "8.16.0.10"),
    ],
)
def test_the_last_number_fills_what_is_left(host: str, ip: str) -> None:
    assert str(literal(host)) == ip


def test_a_name_that_is_an_ip_address_stands_for_itself_once() -> None:
    assert resolve("127.0.0.1", 80) == ["127.0.0.1"]


def test_a_refused_port_is_answered_with_those_that_may_be_used() -> None:
    with pytest.raises(AddressError, match="only 80 and 443 are allowed"):
        check("http://example.org:81/")
    with pytest.raises(AddressError, match="only none are allowed"):
        check("http://example.org/", ports=())


@pytest.mark.parametrize("port", [1, 65535])
def test_the_first_and_the_last_port_exist(port: int) -> None:
    assert check(f"http://example.org:{port}/", allow_private=True).port == port


def test_an_address_may_have_8000_characters() -> None:
    longest = "http://example.org/".ljust(8000, "a")
    assert str(read(longest)) == longest
    with pytest.raises(AddressError, match="has 8001 characters"):
        read(longest + "a")


def test_only_blanks_and_controls_around_an_address_are_dropped() -> None:
    assert str(read(" \x00http://example.org/!\x1f ")) == "http://example.org/!"


def test_without_the_extra_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"fetching pages.*tamis\[fetching\]"):
        read("http://example.org/")


@pytest.mark.parametrize("url", MALFORMED)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(AddressError):
        check(url, allow_private=True)


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("http://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a?b=c#d", "https://example.org/a?b=c"),
        ("http://example.org./", "http://example.org/"),
        ("http://8.8.8.8/", "http://8.8.8.8/"),
        ("http://0x08080808/", "http://8.8.8.8/"),
        ("http://9.255.255.255/", "http://9.255.255.255/"),
        ("http://11.0.0.0/", "http://11.0.0.0/"),
        ("http://172.15.255.255/", "http://172.15.255.255/"),
        ("http://172.32.0.0/", "http://172.32.0.0/"),
        ("http://[2606:2800::1]/", "http://[2606:2800::1]/"),
        ("http://[64:ff9b::808:808]/", "http://[64:ff9b::808:808]/"),
        ("http://straße.example/ü?ß", "http://xn--strae-oqa.example/%C3%BC?%C3%9F"),
        ("http://example.org/a b/%41%zz", "http://example.org/a%20b/%41%zz"),
        ("http://example.org\\@127.0.0.1/", "http://example.org/@127.0.0.1/"),
        ("http://example.org/?u=http://a@b\\", "http://example.org/?u=http://a@b\\"),
    ],
)
def test_an_address_has_one_form(url: str, written: str) -> None:
    assert str(check(url)).replace("%5C", "\\") == written
    assert str(check(str(check(url)))) == str(check(url))


@pytest.mark.parametrize("port", [22, 25, 79, 81, 442, 444, 6379, 8080])
def test_ports_are_those_of_the_web_unless_allowed(port: int) -> None:
    url = f"http://example.org:{port}/"
    with pytest.raises(AddressError, match=f"port {port}"):
        check(url)
    assert check(url, ports=(80, port)).port == check(url, allow_private=True).port == port


def test_links_are_joined_to_their_page() -> None:
    home = "https://example.org/a/b?c"
    assert join(home, " ../x#y ") == "https://example.org/x"
    assert join(home, "//Other.example") == "https://other.example/"
    assert join(home, "?q") == "https://example.org/a/b?q"
    assert join(home, "mailto:a@example.org") is join(home, "http://[") is join(home, "java\nscript:x") is None


@given(st.integers(0, 2**32 - 1), st.sampled_from(["{:d}", "{:#x}", "0{:o}"]))
def test_one_number_is_the_ip_address_with_this_value(value: int, form: str) -> None:
    assert literal(form.format(value)) == ipaddress.IPv4Address(value)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["::ffff:", "64:ff9b::", "::ffff:0:"]))
def test_an_ipv4_address_inside_an_ipv6_address_is_judged_like_itself(value: int, prefix: str) -> None:
    inner = ipaddress.IPv4Address(value)
    assert why_refused(ipaddress.IPv6Address(f"{prefix}{inner}")) == why_refused(inner)


@given(st.integers(0, 2**32 - 1))
def test_nothing_is_allowed_that_the_library_takes_for_private(value: int) -> None:
    ip = ipaddress.IPv4Address(value)
    if ip.is_private or ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved:
        assert why_refused(ip)[0] is not None


@given(st.integers(0, 2**128 - 1))
def test_no_ipv6_address_outside_the_public_block_is_allowed(value: int) -> None:
    ip = ipaddress.IPv6Address(value)
    if why_refused(ip)[0] is None:
        assert value >> 125 == 1 or value >> 32 in (0x0064FF9B0000000000000000, 0xFFFF, 0xFFFF0000, 0)


@given(st.text() | st.text(alphabet="htps:/\\@.[]0x1a%#?").map(lambda text: "http://" + text))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = read(text)
    except AddressError:
        return
    assert read(str(address)) == address
