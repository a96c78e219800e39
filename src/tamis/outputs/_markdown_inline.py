"""The content of one paragraph → Markdown that reads back as the same text.

Characters are escaped only where Markdown would take them for markup, and emphasis is written only where Markdown
would recognise it. What is escaped is what is written: first the marks are settled, then each run of text between two
of them is escaped as a whole. What Markdown has no mark for (superscript, subscript, ruby) is written as HTML.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass
from html import unescape
from urllib.parse import quote

from tamis import urls
from tamis.outputs._events import CLOSE, FORMULA, IMAGE, OPEN, TEXT, Event

HARD_BREAK = "  \n"
DELIMITERS = {"em": "*", "i": "*", "strong": "**", "b": "**", "del": "~~", "s": "~~"}
_EMPHASIS = frozenset(DELIMITERS.values())
CODE_NAMES = frozenset({"code", "kbd", "samp"})
HTML_NAMES = frozenset({"rt", "ruby", "sub", "sup"})

_PERHAPS_SPECIAL = re.compile(r"[\\`_~*<&\[\]]")
_ALWAYS_SPECIAL = r"""
      \\(?=[!-/:-@\[-`{-~]|\Z)          # before punctuation, or where markup may follow
    | ` | _+ | ~~+
    | (?<!\s)\* | \*(?!\s)              # not alone between blanks
    | <(?=[A-Za-z/!?])
    | &(?=\#?\w{1,32};)
    """
SPECIAL = re.compile(rf"{_ALWAYS_SPECIAL} | \](?=[(:])", re.VERBOSE)
SPECIAL_IN_LINKS = re.compile(rf"{_ALWAYS_SPECIAL} | [\[\]]", re.VERBOSE)
_SPECIAL_AT_START = re.compile(
    r"""
      [-+](?=\s|\Z)                     # item of a list
    | \#(?=\#{0,5}(?:\s|\Z))            # heading
    | >                                 # quote
    | [-=:|](?=[-=:|\ ]*\Z)             # underline of a heading or of the first row of a table
    """,
    re.VERBOSE,
)
_LIST_NUMBER = re.compile(r"[0-9]{1,9}(?=[.)](?:\s|\Z))")
STARTS = frozenset("-+#>=:|0123456789")
"""Characters at the beginning of a line that may mean something to Markdown."""
_HEADING_END = re.compile(r"(?<![^ ])#+\Z")
_BACKTICKS = re.compile("`+")
_TAG_START = re.compile("<(?=[A-Za-z/!?])")
_LINK_TARGET = re.compile(r"(?<=\])[(:]")
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_NOT_IN_ADDRESS = re.compile(r"[\s\x00-\x20\x7f\"()<>\\`|]")
# LaTeX cannot be escaped as text is: a blank between brackets means nothing in it, and entities are read before it.
_SPECIAL_IN_FORMULA = re.compile(r"<(?=[A-Za-z/!?])|`|(?<=\])\(")
_FORMULA_ESCAPES = {"<": "< ", "`": "&#96;", "(": " ("}
LONE_TILDE = re.compile(r"(?<!\\)~")
_LONE_TAGS = re.compile(r"^((?:</?(?:rt|ruby|sub|sup)>)+) *\n", re.MULTILINE)  # would begin a block of HTML
_REFERENCE = re.compile(r"(\S+)(?: *(?:\n|\Z)|\s+[\"'(])")
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~])")


@dataclass(slots=True)
class _Mark:
    """Text, or a piece of markup."""

    kind: str  # "text", "code", "link", "break", "done" or the delimiter of emphasis
    parts: list[str]
    opening: int = -1  # of a closing delimiter: where it was opened


class Inline:
    """Collects the content of one paragraph, event by event."""

    def __init__(self, *, links: bool = True) -> None:
        self._marks: list[_Mark] = []
        self._open: list[tuple[str, int]] = []  # for each open element the kind and place of its mark, if it has one
        self._address = ""
        self._is_code = False
        self._note = False  # inside a link to a note, whose text is its mark
        self._links = links

    def take(self, event: Event) -> None:
        kind = event.kind
        if kind == TEXT:
            if self._note or not event.text:
                return
            mark = "code" if self._is_code else "text"
            if self._marks and self._marks[-1].kind == mark:
                self._marks[-1].parts.append(event.text)
            else:
                self._marks.append(_Mark(mark, [event.text]))
        elif kind == OPEN:
            self._open.append(self._opened(event))
        elif kind == CLOSE:
            self._close(*self._open.pop())
        elif kind == IMAGE:
            if image := image_mark(event, self._links):
                self._marks.append(_Mark("done", [image]))
        elif kind == FORMULA:
            if self._marks and self._marks[-1].parts[-1].endswith("$"):
                self._marks.append(_Mark("done", [" "]))  # or both would be one
            self._marks.append(_Mark("done", [formula_mark(event)]))
        else:
            self._marks.append(_Mark("break", [HARD_BREAK]))

    def _opened(self, event: Event) -> tuple[str, int]:
        name = event.name
        delimiter = DELIMITERS.get(name, "")
        place = len(self._marks)
        if self._is_code or self._note:
            return "", -1
        if name in CODE_NAMES:
            self._is_code = True
            return "code", -1
        if name == "a":
            return self._opened_link(event.address, place)
        if name in HTML_NAMES:
            self._marks.append(_Mark("done", [f"<{name}>"]))
            return name, place
        if not delimiter or any(kind == delimiter for kind, _ in self._open):
            return "", -1
        if self._marks and self._marks[-1].kind == delimiter and self._marks[-1].opening >= 0:
            return delimiter, self._marks.pop().opening  # goes on where the last one ended
        self._marks.append(_Mark(delimiter, [delimiter]))
        return delimiter, place

    def _opened_link(self, address: str, place: int) -> tuple[str, int]:
        if address.startswith("#note-"):
            self._note = True
            if self._open and self._open[-1][0] == "sup" and self._marks[-1].parts == ["<sup>"]:
                self._marks.pop()
                self._open[-1] = ("", -1)
            self._marks.append(_Mark("done", [f"[^{address[len('#note-') :]}]"]))
            return "note", place
        if not self._links:
            return "", -1
        self._address = address
        self._marks.append(_Mark("link", ["["]))
        return "link", place

    def _close(self, kind: str, place: int) -> None:
        if kind == "code":
            self._is_code = False
        elif kind == "note":
            self._note = False
        elif kind == "link":
            self._marks.append(_Mark("link", [f"]({written_address(self._address)})"]))
        elif kind in HTML_NAMES:
            self._marks.append(_Mark("done", [f"</{kind}>"]))
        elif kind:
            self._marks.append(_Mark(kind, [kind], place))

    def written(self) -> str:
        """The paragraph, ready but for what depends on where it is written."""
        if len(self._marks) == 1 and self._marks[0].kind == "text":
            value = "".join(self._marks[0].parts)
            return SPECIAL.sub(escape, value) if _PERHAPS_SPECIAL.search(value) else value
        marks = self._settled()
        written: list[str] = []
        special = SPECIAL
        for place, mark in enumerate(marks):
            value = "".join(mark.parts)
            if mark.kind == "text":
                if _PERHAPS_SPECIAL.search(value):
                    value = special.sub(escape, value)
                value = _beside(
                    value, marks[place - 1] if place else None, next(iter(marks[place + 1 : place + 2]), None)
                )
            elif mark.kind == "code":
                value = code_span(value)
            elif value == "[":
                special = SPECIAL_IN_LINKS
                if written and written[-1].endswith("!"):  # it would make the link an image
                    written[-1] = written[-1][:-1] + r"\!"
            elif mark.kind == "link":
                special = SPECIAL
            written.append(value)
        return "".join(written)

    def _settled(self) -> list[_Mark]:
        """The marks that are written: what stands between two of them is one piece, so that it is escaped as one."""
        has_emphasis = any(mark.opening >= 0 for mark in self._marks)
        unreadable = self._unreadable_emphasis() if has_emphasis else frozenset()
        found: list[_Mark] = []
        for place, mark in enumerate(self._marks):
            before = found[-1].kind if found else "break"
            if place in unreadable or mark.kind == before == "break":
                continue
            if mark.kind == before and mark.kind in ("text", "code"):
                found[-1] = _Mark(mark.kind, [*found[-1].parts, *mark.parts])
            else:
                found.append(mark)
        return found

    def _unreadable_emphasis(self) -> frozenset[int]:
        """Delimiters around nothing, or between a letter and punctuation, which Markdown reads as text."""
        found: set[int] = set()
        before, after = self._neighbours(1), self._neighbours(-1)
        contents = list(itertools.accumulate(mark.kind not in _EMPHASIS for mark in self._marks))
        for closing, mark in enumerate(self._marks):
            if (opening := mark.opening) >= 0:
                starts = after[opening].isalnum() or (is_border(before[opening]) and is_solid(after[opening]))
                ends = before[closing].isalnum() or (is_border(after[closing]) and is_solid(before[closing]))
                if not (starts and ends) or contents[opening] == contents[closing]:
                    found |= {opening, closing}
        return frozenset(found)

    def _neighbours(self, step: int) -> list[str]:
        """For each mark the character before it, or with step -1 the one after it; delimiters do not count."""
        found = []
        last = ""
        for mark in self._marks[::step]:
            found.append(last)
            if mark.kind == "code":
                last = "`"
            elif mark.kind not in _EMPHASIS:
                last = mark.parts[-1][-1] if step == 1 else mark.parts[0][0]
        return found[::step]


def image_mark(event: Event, links: bool) -> str:
    """An image, or a link to a video or audio."""
    text = SPECIAL_IN_LINKS.sub(escape, event.text)
    if event.name != "img" and not links:
        return text
    return f"{'!' if event.name == 'img' else ''}[{text}]({written_address(event.address)})"


def formula_mark(event: Event) -> str:
    """A formula between dollars."""
    latex = _SPECIAL_IN_FORMULA.sub(lambda found: _FORMULA_ESCAPES[found[0]], " ".join(event.text.split()))
    return f"$${latex}$$" if event.name == "display" else f"${latex}$"


def paragraph(written: str) -> str:
    """What is written as lines of their own."""
    written = written.lstrip(" ")
    if "\n" not in written:
        return _escape_start(written) if written[:1] in STARTS else written
    lines = "\n".join(line.lstrip(" ") for line in written.split("\n"))
    return "\n".join(map(_escape_start, _LONE_TAGS.sub(r"\1<br>", lines).split("\n")))


def block(name: str, written: str) -> str:
    """What is written as a paragraph or a heading."""
    return paragraph(written) if name == "p" else f"{'#' * int(name[1])} {heading(written)}"


def heading(written: str) -> str:
    """What is written as one line, of which only the end may be taken for markup."""
    written = written.replace(HARD_BREAK, " ")
    return _HEADING_END.sub(r"\\\g<0>", written) if written.endswith("#") else written


def table_cell(written: str) -> str:
    """What is written as a cell of a table."""
    return written.replace(HARD_BREAK, "<br>").replace("|", r"\|")


def fence(text: str) -> str:
    """Backticks that do not occur in a text, to stand around it as a block."""
    return "`" * max(3, _longest_backticks(text) + 1)


def plain(text: str) -> str:
    """Plain text as it is, except that nothing in it is HTML or a link; its lists and quotes look as in Markdown.

    >>> plain("- [a](b) <c> [d]: e")
    '- [a]\\\\(b) &lt;c> [d]\\\\: e'
    """
    return _LINK_TARGET.sub(r"\\\g<0>", _TAG_START.sub("&lt;", text))


def seems_reference(text: str) -> bool:
    """Whether readers that know no notes would take ``[^1]:`` and a text for an address, of a kind that is not safe.

    >>> seems_reference("javascript:alert(1)"), seems_reference("Ibid."), seems_reference("Note: as above")
    (True, False, False)
    """
    found = _REFERENCE.match(text)
    return found is not None and not urls.resolve(unescape(_BACKSLASH.sub("", found[1])), "")


def code_span(text: str) -> str:
    longest = _longest_backticks(text)
    return f"{'`' * (longest + 1)} {text} {'`' * (longest + 1)}" if longest else f"`{text}`"


def _beside(text: str, before: _Mark | None, after: _Mark | None) -> str:
    """An escaped text that makes no markup together with the marks beside it."""
    if before and before.kind == "done" and before.parts[-1].endswith("]") and text[0] in "(:[":
        text = "\\" + text  # the mark of a note would be a link
    if "~~" in (before and before.kind, after and after.kind):
        text = LONE_TILDE.sub(r"\\~", text)  # three begin a block of code
    if text.endswith("<") and after and after.parts[0].startswith("!"):
        text = text[:-1] + "&lt;"
    if text.endswith("\\`") and after and after.kind == "code":
        text = text[:-2] + "&#96;"  # some readers would take it for a longer mark of code, which nothing closes
    return text


def _longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def escape(match: re.Match[str]) -> str:
    found = match[0]
    if found == "<":
        return "&lt;"
    if found == "&":
        return "&amp;"
    text, start, end = match.string, match.start(), match.end()
    if found[0] == "_" and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum():
        return found  # inside a word it is no markup
    return "".join("\\" + char for char in found)


def _escape_start(line: str) -> str:
    """A line that Markdown takes for nothing but text of a paragraph.

    >>> _escape_start("1. May"), _escape_start("1.5 m")
    ('1\\\\. May', '1.5 m')
    """
    if number := _LIST_NUMBER.match(line):
        return f"{number[0]}\\{line[number.end() :]}"
    return "\\" + line if _SPECIAL_AT_START.match(line) else line


def written_address(address: str) -> str:
    return _ENTITY.sub("&amp;", _NOT_IN_ADDRESS.sub(lambda found: quote(found[0]), address))


def is_solid(char: str) -> bool:
    return bool(char) and not char.isspace()


def is_border(char: str) -> bool:
    return not char or char.isspace() or unicodedata.category(char)[0] in "PS"
