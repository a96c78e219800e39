"""TEI: well-formed, and valid by the rules of TEI P5 for the elements that are written.

The rules are written down here by hand, from the reference of TEI P5 (elements and their content models), for as much
of it as the output uses.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tests.structure.test_structure import SLUGS, URL, read

NAMESPACE = "{http://www.tei-c.org/ns/1.0}"
XML = "{http://www.w3.org/XML/1998/namespace}"
TEXT = "#text"
PHRASES = {TEXT, "hi", "ref", "code", "q", "del", "title", "lb", "formula", "graphic"}
PARTS = {"p", "list", "quote", "table", "figure", "milestone"}
CONTENT: dict[str, set[str]] = {
    "TEI": {"teiHeader", "text"},
    "teiHeader": {"fileDesc", "encodingDesc", "profileDesc"},
    "fileDesc": {"titleStmt", "publicationStmt", "sourceDesc"},
    "titleStmt": {"title", "author"},
    "publicationStmt": {"p", "publisher", "date"},
    "sourceDesc": {"p"},
    "encodingDesc": {"appInfo"},
    "appInfo": {"application"},
    "application": {"label"},
    "profileDesc": {"abstract"},
    "abstract": {"p"},
    "text": {"body"},
    "body": {"div"},
    "div": {"head"} | PARTS,
    "list": {"item"},
    "item": PHRASES | PARTS,
    "quote": PHRASES | PARTS,
    "table": {"head", "row"},
    "row": {"cell"},
    "cell": PHRASES | PARTS,
    "figure": {"graphic", "head"} | PARTS,
    "graphic": {"desc"},
    "lb": set(),
    "milestone": set(),
    "ptr": set(),
    "p": PHRASES | {"ptr"},
    **dict.fromkeys(("code", "head", "hi", "ref", "q", "del", "title"), PHRASES),
    **{name: {TEXT} for name in ("author", "publisher", "date", "label", "desc", "formula")},
}
ATTRIBUTES: dict[str, set[str]] = {
    "text": {XML + "lang"},
    "application": {"ident", "version"},
    "code": {"rend", "lang", XML + "space"},
    "ref": {"target"},
    "ptr": {"target"},
    "graphic": {"url"},
    "formula": {"notation", "rend"},
    "cell": {"role", "cols", "rows"},
    "milestone": {"unit", "rend"},
    **{name: {"rend", XML + "id"} for name in ("p", "head", "item", "quote", "list", "table", "figure", "hi", "row")},
}
REQUIRED = {"TEI": ["teiHeader", "text"], "fileDesc": ["titleStmt", "publicationStmt", "sourceDesc"], "text": ["body"]}
NOT_EMPTY = {"list": "item", "table": "row", "row": "cell", "body": "div"}


def problems(document: str) -> list[str]:
    """What is not as TEI wants it."""
    root = ElementTree.fromstring(document)  # noqa: S314 - our own output
    found: list[str] = [] if root.tag == NAMESPACE + "TEI" else ["the root is no TEI element"]
    identities: list[str] = []
    for element in root.iter():
        name = element.tag.removeprefix(NAMESPACE)
        children = [child.tag.removeprefix(NAMESPACE) for child in element]
        texts = [element.text, *(child.tail for child in element)]
        if any(text and text.strip() for text in texts):
            children.append(TEXT)
        if unknown := set(children) - CONTENT.get(name, set()):
            found.append(f"{name} holds {sorted(unknown)}")
        if unknown := set(element.keys()) - ATTRIBUTES.get(name, set()):
            found.append(f"{name} has {sorted(unknown)}")
        if children[: len(REQUIRED.get(name, []))] != REQUIRED.get(name, []):
            found.append(f"{name} lacks {REQUIRED[name]}")
        if name in NOT_EMPTY and NOT_EMPTY[name] not in children:
            found.append(f"{name} is empty")
        if (name == "div" and "head" in children[1:]) or (
            name == "table" and "head" in children[children.index("row") :]
        ):
            found.append(f"a head stands inside a {name}")
        identities += filter(None, [element.get(XML + "id")])
    return found + ["an id is given twice"] * (len(identities) != len(set(identities)))


@pytest.mark.parametrize("slug", SLUGS)
def test_structure_pages_are_valid(slug: str) -> None:
    result = tamis.extract(read(slug)["page"], url=URL, method="keep_all")
    assert problems(result.to_tei()) == []


NAMES = (
    "a b blockquote br caption code dd details dl dt em figcaption figure h1 h2 h3 hr img li ol p pre q ruby rt sub "
    "summary sup table td th tr ul".split()
)
PIECES = st.one_of(
    st.sampled_from([f"<{name}>" for name in NAMES]),
    st.sampled_from([f"</{name}>" for name in NAMES]),
    st.sampled_from(["word ", "<a href=/x>", "<img src=x alt=y>", "\x01", "&amp;", "\ufffe", "<td colspan=3>", "]]>"]),
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_page_is_valid(markup: str) -> None:
    assert problems(tamis.extract(markup, method="keep_all").to_tei()) == []


def test_words_are_those_of_the_text() -> None:
    result = tamis.extract("<h1>Title</h1><p>One <b>two</b></p><ul><li>three</ul>", method="keep_all")
    root = ElementTree.fromstring(result.to_tei())  # noqa: S314 - our own output
    body = root.find(f"{NAMESPACE}text/{NAMESPACE}body")
    assert body is not None
    assert "".join(body.itertext()).split() == result.text.split()


def test_sections_begin_at_headings() -> None:
    body = tamis.extract("<p>a<h1>b</h1><p>c<h2>d</h2><ul><li><h3>e</h3></ul>", method="keep_all").to_tei()
    assert body.count("<div>") == 3
    assert '<head rend="h1">b</head>' in body
    assert '<p rend="h3">e</p>' in body


def test_the_header_tells_what_the_page_tells() -> None:
    markup = (
        "<html lang=de><title>A &amp; B</title><meta name=author content='Ann Lee'>"
        "<meta property=og:site_name content=S><meta name=description content='What it is'><p>Text"
    )
    document = tamis.extract(markup, url="https://example.org/?a=1&b=2", method="keep_all").to_tei()
    assert problems(document) == []
    for part in (
        "A &amp; B",
        "<author>Ann Lee</author>",
        "<publisher>S</publisher>",
        "?a=1&amp;b=2",
        'xml:lang="de"',
    ):
        assert part in document
    assert "What it is" in document


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("<list/>", "list is empty"),
        ("<p><p/></p>", "p holds ['p']"),
        ("<p onclick='x'/>", "p has ['onclick']"),
        ("<p/><head/>", "a head stands inside a div"),
    ],
)
def test_the_rules_find_what_is_wrong(broken: str, said: str) -> None:
    document = tamis.extract("<p>x", method="keep_all").to_tei().replace("<p>x</p>", broken)
    assert said in problems(document)
