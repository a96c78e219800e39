"""URLs as they stand in pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.outputs._links import home_address
from tamis.urls import MAX_LENGTH, SAFE_SCHEMES, WEB_SCHEMES, host, join, normalised, resolve, scheme, split

HOME = "https://example.org/a/b?q"


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("c", "https://example.org/a/c"),
        ("/c", "https://example.org/c"),
        ("//other.org/c", "https://other.org/c"),
        ("#part", "https://example.org/a/b?q#part"),
        ("", "https://example.org/a/b?q"),
        ("HTTP://other.org", "HTTP://other.org"),
        (" \n c\td ", "https://example.org/a/cd"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_addresses_are_made_absolute(href: str, address: str) -> None:
    assert resolve(href, HOME) == address


@given(
    st.tuples(
        st.sampled_from(["", "/", "//", "../", "#", "http://a.b/", "https://a.b/"]),
        st.text(alphabet="/ab.?=&%~-#:_,+@!$é\t", max_size=12),
    ).map("".join),
    st.sampled_from(
        [HOME, "http://example.org", "https://example.org:80/x/", "https://EXAMPLE.org/a", "", "/a/b", "mailto:a"]
    ),
)
def test_the_short_way_from_usual_addresses_leads_where_the_long_one_does(href: str, home: str) -> None:
    """Addresses are joined without a parser where that is known to give the same."""
    url = normalised(join(home, normalised(href)))
    assert resolve(href, home) == (url if {scheme(href), scheme(url)} <= SAFE_SCHEMES else "")


def test_an_address_that_cannot_be_read_is_none() -> None:
    assert resolve("http://[broken", HOME) == ""


def test_an_unknown_home_leaves_relative_addresses_as_they_are() -> None:
    assert resolve("../c#d", "") == "../c#d"
    assert resolve("/c/./d.html?e=f", "") == resolve("/c/./d.html?e=f", "", WEB_SCHEMES) == "/c/./d.html?e=f"
    assert resolve("/c", "") == "/c"
    assert resolve("/c", "", frozenset({"https"})) == ""


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " \x01javascript:alert(1)",
        "java\nscript:alert(1)",
        "java\tscript\r:alert(1)",
        "java\u200bscript:alert(1)",
        "\ufeffjava\xadscript:alert(1)",
        "java\u2060script\u200b:alert(1)",
        "java\u200d\u202escript:alert(1)",
        "java\x7fscript:alert(1)",
        "\u2028javascript:alert(1)",
        "\xa0\u3000javascript:alert(1)",
        "\u200b\x01\u200bjavascript:alert(1)",
        "vbscript:x",
        "v\u200bbscript:x",
        "d\xadata:text/html,<script>alert(1)</script>",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/passwd",
        "blob:https://example.org/1",
        None,
    ],
)
@pytest.mark.parametrize("home", [HOME, ""])
def test_what_must_not_be_followed_has_no_address(href: str | None, home: str) -> None:
    assert resolve(href, home) == ""


def test_an_address_of_the_greatest_length_is_kept_and_a_longer_one_is_not() -> None:
    longest = "http://example.org/" + "x" * (MAX_LENGTH - len("http://example.org/"))
    assert resolve(longest, "") == longest
    assert resolve(longest + "x", "") == ""


@pytest.mark.parametrize(
    ("base", "url", "home"),
    [
        ("", HOME, HOME),
        ("<base href='/c/'>", HOME, "https://example.org/c/"),
        ("<base target=x><base href='http://other.org/'><base href='/no'>", None, "http://other.org/"),
        ("<base href='javascript:x'>", HOME, HOME),
        ("<base href='/c/'>", None, ""),
        ("", "file:///home/page.html", ""),
    ],
)
def test_home_is_the_base_of_the_page(base: str, url: str | None, home: str) -> None:
    assert home_address(tamis.parse(f"<head>{base}</head><p>text", url=url)) == home


@pytest.mark.parametrize("url", ["//[x]", "https://[::1", "http://[", "http://a\u2100b.example/"])
def test_an_address_that_cannot_be_read_has_no_parts(url: str) -> None:
    assert (split(url).path, host(url), join("", url), join(HOME, url), join(url, "c")) == ("", "", "", "", "")
    assert resolve(url, "") == resolve(url, HOME) == ""


# What schemes are made of, what is removed from them, and what makes a host unreadable.
TEXTS = (
    st.text(st.sampled_from("javscriptdt:/[]?#@.\\ \t\n\x01\x7f\xad\u200b\u200d\u2060\u2100\ufeff\ud800")) | st.text()
)


@given(TEXTS, TEXTS)
def test_no_text_is_too_much(home: str, reference: str) -> None:
    split(reference)
    host(reference)
    join(home, reference)
    scheme(normalised(reference))


@given(TEXTS, st.sampled_from(["", HOME]))
def test_what_is_written_is_safe_and_written_the_same_again(href: str, home: str) -> None:
    url = resolve(href, home)
    assert scheme(url) in SAFE_SCHEMES
    assert normalised(url) == url
    assert not url or resolve(url, home) == url
