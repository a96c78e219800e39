"""Anything that may be passed as a page becomes one, decoded as browsers decode it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.errors import InputError, OptionError
from tamis.page.limits import Limits

# The encodings of the WHATWG Encoding standard: name, some of its labels, and a word with its bytes.
ENCODINGS = [
    ("UTF-8", "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8", "é", b"\xc3\xa9"),
    ("IBM866", "ibm866 866 cp866 csibm866", "Да", b"\x84\xa0"),
    ("ISO-8859-2", "iso-8859-2 latin2 l2 csisolatin2 iso88592", "ż", b"\xbf"),
    ("ISO-8859-3", "iso-8859-3 latin3 l3", "ħ", b"\xb1"),
    ("ISO-8859-4", "iso-8859-4 latin4 l4", "ą", b"\xb1"),
    ("ISO-8859-5", "iso-8859-5 cyrillic csisolatincyrillic", "Да", b"\xb4\xd0"),
    ("ISO-8859-6", "iso-8859-6 arabic asmo-708 ecma-114", "ا", b"\xc7"),
    ("ISO-8859-7", "iso-8859-7 greek greek8 sun_eu_greek", "α", b"\xe1"),
    ("ISO-8859-8", "iso-8859-8 hebrew visual", "א", b"\xe0"),
    ("ISO-8859-8-I", "iso-8859-8-i logical csiso88598i", "א", b"\xe0"),
    ("ISO-8859-10", "iso-8859-10 latin6 l6", "ą", b"\xb1"),
    ("ISO-8859-13", "iso-8859-13 iso885913", "ą", b"\xe0"),
    ("ISO-8859-14", "iso-8859-14 iso885914", "ŵ", b"\xf0"),
    ("ISO-8859-15", "iso-8859-15 l9 csisolatin9", "€", b"\xa4"),
    ("ISO-8859-16", "iso-8859-16", "ș", b"\xba"),
    ("KOI8-R", "koi8-r koi koi8 koi8_r", "Да", b"\xe4\xc1"),
    ("KOI8-U", "koi8-u koi8-ru", "є", b"\xa4"),
    ("macintosh", "macintosh mac x-mac-roman csmacintosh", "é", b"\x8e"),
    ("windows-874", "windows-874 tis-620 dos-874 iso-8859-11", "ก", b"\xa1"),
    ("windows-1250", "windows-1250 cp1250 x-cp1250", "ż", b"\xbf"),
    ("windows-1251", "windows-1251 cp1251 x-cp1251", "Да", b"\xc4\xe0"),
    ("windows-1252", "windows-1252 latin1 iso-8859-1 ascii us-ascii l1", "“é”", b"\x93\xe9\x94"),
    ("windows-1253", "windows-1253 cp1253", "α", b"\xe1"),
    ("windows-1254", "windows-1254 latin5 iso-8859-9 l5", "ş", b"\xfe"),
    ("windows-1255", "windows-1255 cp1255", "א", b"\xe0"),
    ("windows-1256", "windows-1256 cp1256", "ا", b"\xc7"),
    ("windows-1257", "windows-1257 cp1257", "ą", b"\xe0"),
    ("windows-1258", "windows-1258 cp1258", "đ", b"\xf0"),
    ("x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian", "Д", b"\x84"),
    ("GBK", "gbk gb2312 chinese gb_2312-80 x-gbk", "漢", b"\x9dh"),
    ("gb18030", "gb18030", "漢", b"\x9dh"),
    ("Big5", "big5 big5-hkscs cn-big5 x-x-big5", "漢", b"\xba~"),
    ("EUC-JP", "euc-jp x-euc-jp cseucpkdfmtjapanese", "日", b"\xc6\xfc"),
    ("ISO-2022-JP", "iso-2022-jp csiso2022jp", "日", b"\x1b$BF|\x1b(B"),
    ("Shift_JIS", "shift_jis sjis shift-jis ms_kanji windows-31j x-sjis", "日", b"\x93\xfa"),
    ("EUC-KR", "euc-kr korean ks_c_5601-1987 windows-949", "한", b"\xc7\xd1"),
    ("UTF-16BE", "utf-16be unicodefffe", "é", b"\x00\xe9"),
    ("UTF-16LE", "utf-16le utf-16 ucs-2 unicode csunicode", "é", b"\xe9\x00"),
    ("x-user-defined", "x-user-defined", "\uf7e9", b"\xe9"),
]
PARAGRAPH = {"UTF-16BE": b"\x00<\x00p\x00>", "UTF-16LE": b"<\x00p\x00>\x00"}
LABELS = [(name, label, text, data) for name, labels, text, data in ENCODINGS for label in labels.split()]


@pytest.mark.parametrize(("name", "label", "text", "data"), LABELS, ids=[label for _, label, _, _ in LABELS])
def test_the_encoding_announced_by_the_transport_is_used(name: str, label: str, text: str, data: bytes) -> None:
    page = tamis.parse(PARAGRAPH.get(name, b"<p>") + data, encoding=label)
    assert page.text == text
    assert page.encoding == name


@pytest.mark.parametrize(
    ("name", "label", "text", "data"),
    [case for case in LABELS if case[0] not in ("UTF-16BE", "UTF-16LE", "x-user-defined")],
    ids=[label for name, label, _, _ in LABELS if name not in ("UTF-16BE", "UTF-16LE", "x-user-defined")],
)
def test_the_encoding_declared_in_a_meta_element_is_used(name: str, label: str, text: str, data: bytes) -> None:
    page = tamis.parse(b"<meta charset='%s'><p>" % label.encode() + data)
    assert page.text == text
    assert page.encoding == name


@pytest.mark.parametrize("label", ["  UTF-8\n", "Utf8", "LATIN1"])
def test_labels_are_read_as_browsers_read_them(label: str) -> None:
    assert tamis.parse(b"<p>x", encoding=label).text == "x"


@pytest.mark.parametrize("label", ["klingon", "utf-7", "cp037", "", "rot13", "utf-8-sig"])
def test_an_unknown_label_is_named(label: str) -> None:
    with pytest.raises(OptionError, match=repr(label)):
        tamis.parse(b"<p>x", encoding=label)


def test_an_encoding_that_browsers_refuse_gives_no_text_of_the_page() -> None:
    assert "x" not in tamis.parse(b"<p>x", encoding="iso-2022-kr").text


E_ACUTE = b"<p>\xc3\xa9</p>"  # é in UTF-8, Ã© in windows-1252


def test_a_byte_order_mark_beats_the_transport() -> None:
    assert tamis.parse(b"\xef\xbb\xbf" + E_ACUTE, encoding="windows-1252").text == "é"


def test_the_transport_beats_a_meta_element() -> None:
    assert tamis.parse(b"<meta charset=utf-8>" + E_ACUTE, encoding="windows-1252").text == "Ã©"


def test_a_meta_element_beats_a_guess() -> None:
    assert tamis.parse(b"<meta charset=windows-1252>" + E_ACUTE).text == "Ã©"


def test_a_content_type_in_a_meta_element_counts() -> None:
    meta = b"<meta http-equiv=content-type content='text/html; charset=windows-1252'>"
    assert tamis.parse(meta + E_ACUTE).text == "Ã©"


def test_a_late_meta_element_counts() -> None:
    assert tamis.parse(b"<!--" + b" " * 3000 + b"--><meta charset=windows-1252>" + E_ACUTE).text == "Ã©"


def test_utf_16_declared_in_a_meta_element_means_utf_8() -> None:
    assert tamis.parse(b"<meta charset=utf-16le>" + E_ACUTE).text == "é"


def test_an_unknown_label_in_a_meta_element_is_passed_over() -> None:
    assert tamis.parse(b"<meta charset=klingon>" + E_ACUTE).text == "é"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Größe, Übermut und Äpfel: süße Öfen schmücken die Straße", "utf-8"),
        ("Größe, Übermut und Äpfel: süße Öfen schmücken die Straße", "cp1252"),
        ("В чащах юга жил бы цитрус? Да, но фальшивый экземпляр!", "cp1251"),
        ("В чащах юга жил бы цитрус? Да, но фальшивый экземпляр!", "koi8-r"),
        ("これは日本語で書かれた文章です。とても短いです。", "shift_jis"),
        ("これは日本語で書かれた文章です。とても短いです。", "euc-jp"),
        ("这是一个用中文写的句子，用来测试编码的检测。", "gb18030"),
    ],
)
def test_an_undeclared_encoding_is_guessed(text: str, encoding: str) -> None:
    assert tamis.parse(f"<p>{text}</p>".encode(encoding)).text == text


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_recognised_with_and_without_its_mark(codec: str) -> None:
    assert tamis.parse("<p>naïve 漢字</p>".encode(codec)).text == "naïve 漢字"


def test_the_mark_of_utf_16_beats_the_transport() -> None:
    assert tamis.parse("\ufeff<p>naïve</p>".encode("utf-16-be"), encoding="utf-8").text == "naïve"


def test_a_mark_left_in_decoded_text_is_no_text() -> None:
    page = tamis.parse("\ufeff<p>text</p>")
    assert page.text == "text"
    assert page.source == "<p>text</p>"


def test_text_has_no_encoding() -> None:
    assert tamis.parse("<meta charset=shift_jis><p>é").encoding is None
    assert tamis.parse("<meta charset=shift_jis><p>é").text == "é"


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda data: data.decode()])
def test_text_and_all_kinds_of_bytes_are_pages(wrap: Any) -> None:
    assert tamis.parse(wrap(b"<p>text</p>")).text == "text"


def test_a_file_is_a_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"<meta charset=koi8-r><p>\xe4\xc1</p>")
    assert tamis.parse(file).text == "Да"


def test_a_page_is_itself() -> None:
    page = tamis.parse("<p>text</p>", url="http://a.example/")
    assert tamis.parse(page) is page


def test_a_page_with_another_address_shares_its_arrays() -> None:
    page = tamis.parse("<p>text</p>", url="http://a.example/")
    moved = tamis.parse(page, url="http://b.example/")
    assert (page.url, moved.url) == ("http://a.example/", "http://b.example/")
    assert moved.nodes is page.nodes


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.html"):
        tamis.parse(tmp_path / "missing.html")


def test_a_folder_is_no_page(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        tamis.parse(tmp_path)


@pytest.mark.parametrize("source", [None, 7, ["<p>"], object()])
def test_another_type_is_named(source: Any) -> None:
    with pytest.raises(InputError, match=type(source).__name__):
        tamis.parse(source)


def test_bytes_beyond_the_limit_are_left_out() -> None:
    page = tamis.parse("<p>" + "x" * 20, limits=Limits(max_bytes=10))
    assert page.text == "x" * 7
    assert page.truncated
    assert "max_bytes" in page.warnings[0]


def test_a_page_as_long_as_the_limit_is_whole() -> None:
    assert not tamis.parse("<p>" + "x" * 7, limits=Limits(max_bytes=10)).truncated


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"<p>" + b"x" * 20)
    page = tamis.parse(file, limits=Limits(max_bytes=10))
    assert page.text == "x" * 7
    assert page.truncated


@pytest.mark.parametrize("name", ["max_bytes", "max_nodes", "max_depth", "max_attributes"])
def test_a_limit_below_one_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match=name):
        Limits(**{name: 0})


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n1 0 obj <p>text</p>", "PDF"),
        (b"PK\x03\x04word/document.xml", "zip"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (bytes(range(256)) * 20, "binary data"),
    ],
)
def test_what_is_no_text_gives_an_empty_result_that_says_why(data: bytes, kind: str) -> None:
    extraction = tamis.extract(data)
    assert extraction.page.format == "binary"
    assert extraction.status == "empty"
    assert any(warning.startswith("binary:") and kind in warning for warning in extraction.warnings)


def test_plain_text_is_a_page_that_says_so() -> None:
    page = tamis.parse("Just a line.\n\nAnd   another.")
    assert page.format == "text"
    assert [block.text for block in page.blocks] == ["Just a line.\n\nAnd   another."]
    assert page.warnings == ("plain text: the input has no tags",)


def test_an_address_passed_as_a_page_is_recognised() -> None:
    assert "address" in tamis.parse("https://example.org/a?b=c").warnings[0]


@pytest.mark.parametrize("source", ["", b"", " \n ", "<!-- -->", "<html></html>"])
def test_nothing_gives_an_empty_result_with_a_reason(source: str | bytes) -> None:
    extraction = tamis.extract(source)
    assert extraction.status == "empty"
    assert extraction.warnings


def test_utf16_that_only_the_transport_announces_is_no_binary_data() -> None:
    assert tamis.parse("plain words".encode("utf-16-le"), encoding="utf-16le").text == "plain words"
