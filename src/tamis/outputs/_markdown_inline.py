"""The content of one paragraph → Markdown that reads back as the same text.

Characters are escaped only where Markdown would take them for markup, and emphasis is written only where Markdown
would recognise it. What Markdown has no mark for (superscript, subscript, ruby) is written as HTML.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from tamis.outputs._events import CLOSE, FORMULA, IMAGE, OPEN, TEXT, Event

_HARD_BREAK = "  \n"
_DELIMITERS = {"em": "*", "i": "*", "strong": "**", "b": "**", "del": "~~", "s": "~~"}
_CODE_NAMES = frozenset({"code", "kbd", "samp"})
_HTML_NAMES = frozenset({"rt", "ruby", "sub", "sup"})

_PERHAPS_SPECIAL = re.compile(r"[\\`_~*<&\[\]]")
_ALWAYS_SPECIAL = r"""
      \\(?=[!-/:-@\[-`{-~]|\Z)          # before punctuation, or where markup may follow
    | ` | _+ | ~~+
    | (?<!\s)\* | \*(?!\s)              # not alone between blanks
    | <(?=[A-Za-z/!?])
    | &(?=\#?\w{1,32};)
    """
_SPECIAL = re.compile(rf"{_ALWAYS_SPECIAL} | \](?=[(:])", re.VERBOSE)
_SPECIAL_IN_LINKS = re.compile(rf"{_ALWAYS_SPECIAL} | [\[\]]", re.VERBOSE)
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
_STARTS = frozenset("-+#>=:|0123456789")
_HEADING_END = re.compile(r"(?<![^ ])#+\Z")
_BACKTICKS = re.compile("`+")
_TAG_START = re.compile("<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_ADDRESS_ESCAPES = str.maketrans({char: f"%{ord(char):02X}" for char in ' "()<>\\`|'})


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
            if self._note:
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
            self._marks.append(_Mark("done", [self._image(event)]))
        elif kind == FORMULA:
            if self._marks and self._marks[-1].parts[-1].endswith("$"):
                self._marks.append(_Mark("done", [" "]))  # or both would be one
            self._marks.append(_Mark("done", [self._formula(event)]))
        else:
            self._marks.append(_Mark("break", [_HARD_BREAK]))

    def _opened(self, event: Event) -> tuple[str, int]:
        name = event.name
        delimiter = _DELIMITERS.get(name, "")
        place = len(self._marks)
        if self._is_code or self._note:
            return "", -1
        if name in _CODE_NAMES:
            self._is_code = True
            return "code", -1
        if name == "a":
            return self._opened_link(event.address, place)
        if name in _HTML_NAMES:
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
            self._marks.append(_Mark("link", [f"]({_written_address(self._address)})"]))
        elif kind in _HTML_NAMES:
            self._marks.append(_Mark("done", [f"</{kind}>"]))
        elif kind:
            self._marks.append(_Mark(kind, [kind], place))

    def _image(self, event: Event) -> str:
        text = _SPECIAL_IN_LINKS.sub(_escape, event.text)
        if event.name != "img" and not self._links:
            return text
        is_link = event.name != "img"
        return f"{'' if is_link else '!'}[{text}]({_written_address(event.address)})"

    def _formula(self, event: Event) -> str:
        latex = without_tags(" ".join(event.text.split()))
        return f"$${latex}$$" if event.name == "display" else f"${latex}$"

    def paragraph(self) -> str:
        """As lines of their own."""
        written = self._written()
        if "\n" not in written:
            return _escape_start(written) if written[:1] in _STARTS else written
        return "\n".join(map(_escape_start, written.split("\n")))

    def heading(self) -> str:
        """As one line, of which only the end may be taken for markup."""
        return _HEADING_END.sub(r"\\\g<0>", self._written().replace(_HARD_BREAK, " "))

    def cell(self) -> str:
        """As a cell of a table."""
        return self._written().replace(_HARD_BREAK, "<br>").replace("|", r"\|")

    def _written(self) -> str:
        if len(self._marks) == 1 and self._marks[0].kind == "text":
            value = "".join(self._marks[0].parts)
            return _SPECIAL.sub(_escape, value) if _PERHAPS_SPECIAL.search(value) else value
        has_emphasis = any(mark.opening >= 0 for mark in self._marks)
        unreadable = self._unreadable_emphasis() if has_emphasis else frozenset()
        written: list[str] = []
        special = _SPECIAL
        for place, mark in enumerate(self._marks):
            value = "".join(mark.parts)
            if place in unreadable:
                continue
            if mark.kind == "text":
                if _PERHAPS_SPECIAL.search(value):
                    value = special.sub(_escape, value)
            elif mark.kind == "code":
                value = _code_span(value)
            elif value == "[":
                special = _SPECIAL_IN_LINKS
                if written and written[-1].endswith("!"):  # it would make the link an image
                    written[-1] = written[-1][:-1] + r"\!"
            elif mark.kind == "link":
                special = _SPECIAL
            written.append(value)
        return "".join(written)

    def _unreadable_emphasis(self) -> frozenset[int]:
        """Delimiters between a letter and punctuation, which Markdown reads as text, and their partners."""
        found: set[int] = set()
        before, after = self._neighbours(1), self._neighbours(-1)
        for closing, mark in enumerate(self._marks):
            if (opening := mark.opening) >= 0:
                starts = after[opening].isalnum() or _is_border(before[opening])
                ends = before[closing].isalnum() or _is_border(after[closing])
                if not (starts and ends):
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
            elif mark.kind not in ("*", "**", "~~"):
                last = mark.parts[-1][-1] if step == 1 else mark.parts[0][0]
        return found[::step]


def fence(text: str) -> str:
    """Backticks that do not occur in a text, to stand around it as a block."""
    return "`" * max(3, _longest_backticks(text) + 1)


def without_tags(text: str) -> str:
    """Text that is written as it is, except that nothing in it is HTML."""
    return _TAG_START.sub("&lt;", text)


def _code_span(text: str) -> str:
    longest = _longest_backticks(text)
    return f"{'`' * (longest + 1)} {text} {'`' * (longest + 1)}" if longest else f"`{text}`"


def _longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def _escape(match: re.Match[str]) -> str:
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


def _written_address(address: str) -> str:
    return _ENTITY.sub("&amp;", address.translate(_ADDRESS_ESCAPES))


def _is_border(char: str) -> bool:
    return not char or char.isspace() or unicodedata.category(char)[0] in "PS"
