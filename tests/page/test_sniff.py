"""What kind of thing was passed as a page."""

from __future__ import annotations

import pytest

from tamis.page import sniff
from tamis.page.html import VOID_NAMES
from tamis.page.kernel import kernel


def _kind(data: str | bytes) -> str | None:
    return sniff.binary_kind(data, kernel.survey(data).controls)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.4", "a PDF file"),
        (b"PK\x03\x04", "a zip archive or office document"),
        (b"\x1f\x8b\x08", "gzip-compressed data"),
        (b"\x28\xb5\x2f\xfd\x00", "zstd-compressed data"),
        (b"\x89PNG\r\n", "a PNG image"),
        (b"GIF89a", "a GIF image"),
        (b"\xff\xd8\xff\xe0", "a JPEG image"),
        (b"RIFF\x00\x00", "a RIFF media file"),
        (b"\x7fELF\x02", "a program"),
        (b"\xd0\xcf\x11\xe0", "an old office document"),
    ],
)
def test_files_are_known_by_how_they_begin(data: bytes, kind: str) -> None:
    assert _kind(data) == kind
    assert _kind(data.decode("latin-1")) == kind
    assert _kind(b" " + data.lstrip(b"\x00")[:2] + b"<p>text " * 10) is None


@pytest.mark.parametrize(("controls", "kind"), [(4, None), (5, None), (6, "binary data")])
def test_more_control_characters_than_a_twentieth_are_no_text(controls: int, kind: str | None) -> None:
    text = "a" * (100 - controls) + "\x01" * controls
    assert _kind(text) == kind
    assert _kind(text.encode()) == kind


@pytest.mark.parametrize("data", [b"", "", "\t\n\f\r\x1b", "text", "漢字".encode(), "漢字"])
def test_text_is_no_binary(data: str | bytes) -> None:
    assert _kind(data) is None


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("<p>".encode("utf-16-le"), "utf-16le"),
        ("<p>".encode("utf-16-be"), "utf-16be"),
        (b"<p>", None),
        (b"<", None),
        (b"", None),
        (b"\x00", None),
    ],
)
def test_utf_16_is_known_by_its_first_bracket(data: bytes, encoding: str | None) -> None:
    assert sniff.unmarked_utf16(data) == encoding


@pytest.mark.parametrize(
    ("markup", "tags"), [("<p>", True), ("</p", True), ("<!x", True), ("a < b", False), ("", False)]
)
def test_a_tag_begins_with_a_bracket_and_a_letter(markup: str, tags: bool) -> None:
    assert sniff.has_tags(markup) == tags


@pytest.mark.parametrize(
    ("markup", "xml"),
    [("<?xml version='1.0'?>", True), ("\ufeff \n<?xml ", True), ("<?xmlx?>", False), ("<p><?xml ?>", False)],
)
def test_xml_begins_with_its_declaration(markup: str, xml: bool) -> None:
    assert sniff.is_xml(markup) == xml


@pytest.mark.parametrize(
    ("markup", "expanded"),
    [
        ("<div/>", "<div></div>"),
        ("<DIV />", "<DIV ></DIV>"),
        ("<a href='x'/>b", "<a href='x'></a>b"),
        ("<br/><img src='x' />", "<br/><img src='x' />"),
        ("<ns:tag/>", "<ns:tag></ns:tag>"),
        ("<p>a / b</p>", "<p>a / b</p>"),
        ("<p>a /> b</p>", "<p>a /> b</p>"),
        ("<i title='a > b'/>c", "<i title='a > b'></i>c"),
        ("/><i/></>", "/><i></i></>"),
        ("a <b", "a <b"),
    ],
)
def test_self_closed_elements_are_written_out(markup: str, expanded: str) -> None:
    assert sniff.expand_self_closed(markup, VOID_NAMES) == expanded
