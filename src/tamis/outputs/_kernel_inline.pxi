# The content of one paragraph as Markdown: the compiled twin of ``Inline`` in ``_markdown_inline.py``, which says why.


cdef enum:  # kinds of marks, and of open elements
    _NO_MARK = 0
    _TEXT_MARK = 1
    _CODE_MARK = 2
    _LINK_MARK = 3
    _BREAK_MARK = 4
    _DONE_MARK = 5
    _NOTE_MARK = 6
    _HTML_MARK = 7
    _STAR = 8  # from here on delimiters of emphasis
    _STARS = 9
    _TILDES = 10
    _DEEPEST = 64  # inline elements in each other; of one name there is only one

cdef list _DELIMITERS = ["*", "**", "~~"]
cdef dict _MARKS_OF_NAMES = {
    **{name: _STAR + _DELIMITERS.index(delimiter) for name, delimiter in _inline.DELIMITERS.items()},
    **dict.fromkeys(_inline.CODE_NAMES, _CODE_MARK),
    **dict.fromkeys(_inline.HTML_NAMES, _HTML_MARK),
    "a": _LINK_MARK,
}
cdef frozenset _PARAGRAPHS = _events.PARAGRAPHS
cdef str _STARTS = "".join(sorted(_inline.STARTS))
cdef object _SPECIAL = _inline.SPECIAL, _SPECIAL_IN_LINKS = _inline.SPECIAL_IN_LINKS, _escape = _inline.escape
cdef int64_t _IMAGE = _events.IMAGE
cdef str _NOTE_START = "#note-"


cdef class _Mark:
    """Text, or a piece of markup."""

    cdef int kind
    cdef list parts
    cdef Py_ssize_t opening


cdef _Mark _mark(int kind, str part, Py_ssize_t opening=-1):
    cdef _Mark made = _Mark.__new__(_Mark)
    made.kind, made.parts, made.opening = kind, [part], opening
    return made


cdef inline str _first_part(_Mark mark):
    return <str>mark.parts[0]


cdef inline str _last_part(_Mark mark):
    return <str>mark.parts[len(mark.parts) - 1]


cdef bint _perhaps_special(str text):
    """Whether a text has a character that Markdown may take for markup."""
    cdef Py_UCS4 character
    for character in text:
        if character in u"\\`_~*<&[]":
            return True
    return False


cdef str _escaped(str text, special):
    return special.sub(_escape, text) if _perhaps_special(text) else text


cdef str _written_address(str address):
    """The address as it is, which is usual, or as the reference writes it."""
    cdef Py_UCS4 character
    cdef bint has_reference = False
    for character in address:
        if character <= 32 or character >= 127 or character in u"\"()<>\\`|":
            return _inline.written_address(address)
        if character == u"&":
            has_reference = True
    return _inline.written_address(address) if has_reference and ";" in address else address


cdef class _Inline:
    """Collects the content of one paragraph, event by event."""

    cdef list marks
    cdef int[_DEEPEST] open_kinds
    cdef Py_ssize_t[_DEEPEST] open_places
    cdef Py_ssize_t depth
    cdef str address
    cdef bint is_code, is_note, links

    cdef _Mark last(self):
        return <_Mark>self.marks[len(self.marks) - 1] if self.marks else None

    cdef int take(self, int64_t kind, event) except -1:
        cdef str part
        cdef _Mark last
        if kind == _OPEN:
            if self.depth == _DEEPEST:
                raise IndexError("too many inline elements in each other")
            self.open(_name_of(event), <str>(<tuple>event)[4])
            self.depth += 1
        elif kind == _CLOSE:
            if self.depth == 0:
                raise IndexError("an inline element closes that was not opened")
            self.depth -= 1
            self.close(self.open_kinds[self.depth], self.open_places[self.depth], _name_of(event))
        elif kind == _IMAGE:
            part = _inline.image_mark(event, self.links)
            if part:
                self.marks.append(_mark(_DONE_MARK, part))
        elif kind == _FORMULA:
            last = self.last()
            if last is not None and _last_part(last).endswith("$"):
                self.marks.append(_mark(_DONE_MARK, " "))
            self.marks.append(_mark(_DONE_MARK, _inline.formula_mark(event)))
        else:
            self.marks.append(_mark(_BREAK_MARK, _inline.HARD_BREAK))
        return 0

    cdef int take_text(self, str text) except -1:
        cdef int kind = _CODE_MARK if self.is_code else _TEXT_MARK
        cdef _Mark last = self.last()
        if self.is_note or not text:
            return 0
        if last is not None and last.kind == kind:
            last.parts.append(text)
        else:
            self.marks.append(_mark(kind, text))
        return 0

    cdef int opened(self, int kind, Py_ssize_t place) except -1:
        self.open_kinds[self.depth], self.open_places[self.depth] = kind, place
        return 0

    cdef int open(self, str name, str address) except -1:
        cdef int kind = _MARKS_OF_NAMES.get(name, _NO_MARK)
        cdef Py_ssize_t place = len(self.marks), number
        cdef _Mark last
        if self.is_code or self.is_note:
            return self.opened(_NO_MARK, -1)
        if kind == _CODE_MARK:
            self.is_code = True
            return self.opened(_CODE_MARK, -1)
        if kind == _LINK_MARK:
            return self.open_link(address, place)
        if kind == _HTML_MARK:
            self.marks.append(_mark(_DONE_MARK, f"<{name}>"))
            return self.opened(_HTML_MARK, place)
        if kind == _NO_MARK:
            return self.opened(_NO_MARK, -1)
        for number in range(self.depth):
            if self.open_kinds[number] == kind:
                return self.opened(_NO_MARK, -1)
        last = self.last()
        if last is not None and last.kind == kind and last.opening >= 0:
            self.marks.pop()
            return self.opened(kind, last.opening)
        self.marks.append(_mark(kind, _DELIMITERS[kind - _STAR]))
        return self.opened(kind, place)

    cdef int open_link(self, str address, Py_ssize_t place) except -1:
        if address.startswith(_NOTE_START):
            self.is_note = True
            if self.depth and self.open_kinds[self.depth - 1] == _HTML_MARK and self.last().parts == ["<sup>"]:
                self.marks.pop()
                self.open_kinds[self.depth - 1] = _NO_MARK
            self.marks.append(_mark(_DONE_MARK, f"[^{address[len(_NOTE_START) :]}]"))
            return self.opened(_NOTE_MARK, place)
        if not self.links:
            return self.opened(_NO_MARK, -1)
        self.address = address
        self.marks.append(_mark(_LINK_MARK, "["))
        return self.opened(_LINK_MARK, place)

    cdef int close(self, int kind, Py_ssize_t place, str name) except -1:
        if kind == _CODE_MARK:
            self.is_code = False
        elif kind == _NOTE_MARK:
            self.is_note = False
        elif kind == _LINK_MARK:
            self.marks.append(_mark(_LINK_MARK, f"]({_written_address(self.address)})"))
        elif kind == _HTML_MARK:
            self.marks.append(_mark(_DONE_MARK, f"</{name}>"))
        elif kind != _NO_MARK:
            self.marks.append(_mark(kind, _DELIMITERS[kind - _STAR], place))
        return 0

    cdef str written(self):
        cdef list marks = self.settled(), written = []
        cdef Py_ssize_t place, count = len(marks)
        cdef _Mark mark
        cdef str value, before
        special = _SPECIAL
        for place in range(count):
            mark = <_Mark>marks[place]
            value = "".join(mark.parts) if len(mark.parts) > 1 else <str>mark.parts[0]
            if mark.kind == _TEXT_MARK:
                value = _beside(
                    _escaped(value, special),
                    <_Mark>marks[place - 1] if place else None,
                    <_Mark>marks[place + 1] if place + 1 < count else None,
                )
            elif mark.kind == _CODE_MARK:
                value = _inline.code_span(value)
            elif mark.kind == _LINK_MARK:
                if value == "[":
                    special = _SPECIAL_IN_LINKS
                    before = <str>written[len(written) - 1] if written else ""
                    if before.endswith("!"):
                        written[len(written) - 1] = before[: len(before) - 1] + r"\!"
                else:
                    special = _SPECIAL
            written.append(value)
        return "".join(written)

    cdef list settled(self):
        cdef list found = []
        cdef _Mark mark, last = None
        cdef Py_ssize_t place = -1
        cdef int before
        cdef set unreadable = None
        for mark in self.marks:
            if mark.opening >= 0:
                unreadable = self.unreadable_emphasis()
                break
        for mark in self.marks:
            place += 1
            before = last.kind if last is not None else _BREAK_MARK
            if (unreadable is not None and place in unreadable) or (mark.kind == _BREAK_MARK and before == _BREAK_MARK):
                continue
            if mark.kind == before and (mark.kind == _TEXT_MARK or mark.kind == _CODE_MARK):
                last.parts += mark.parts
            else:
                found.append(mark)
                last = mark
        return found

    cdef set unreadable_emphasis(self):
        cdef set found = set()
        cdef list before = self.neighbours(True), after = self.neighbours(False), contents = []
        cdef Py_ssize_t closing = -1, opening, count = 0
        cdef _Mark mark
        for mark in self.marks:
            count += mark.kind < _STAR
            contents.append(count)
        for mark in self.marks:
            closing += 1
            opening = mark.opening
            if opening < 0:
                continue
            if (
                not _is_flanked(<str>before[opening], <str>after[opening])
                or not _is_flanked(<str>after[closing], <str>before[closing])
                or contents[opening] == contents[closing]
            ):
                found.add(opening)
                found.add(closing)
        return found

    cdef list neighbours(self, bint is_before):
        """For each mark the character before it, or the one after it; delimiters do not count."""
        cdef list found = [None] * len(self.marks)
        cdef Py_ssize_t place, number, count = len(self.marks)
        cdef str last = "", part
        cdef _Mark mark
        for number in range(count):
            place = number if is_before else count - 1 - number
            mark = <_Mark>self.marks[place]
            found[place] = last
            if mark.kind == _CODE_MARK:
                last = "`"
            elif mark.kind < _STAR:
                part = _last_part(mark) if is_before else _first_part(mark)
                last = part[len(part) - 1 :] if is_before else part[:1]
        return found


cdef bint _is_flanked(str outside, str inside):
    """Whether Markdown recognises a delimiter between these two characters."""
    return inside.isalnum() or (_inline.is_border(outside) and _inline.is_solid(inside))


cdef str _beside(str text, _Mark before, _Mark after):
    """An escaped text that makes no markup together with the marks beside it."""
    if before is not None and before.kind == _DONE_MARK and _last_part(before).endswith("]") and text[0] in "(:[":
        text = "\\" + text
    if (before is not None and before.kind == _TILDES) or (after is not None and after.kind == _TILDES):
        text = _inline.LONE_TILDE.sub(r"\\~", text)
    if after is None:
        return text
    if text.endswith("<") and _first_part(after).startswith("!"):
        text = text[: len(text) - 1] + "&lt;"
    if after.kind == _CODE_MARK and text.endswith("\\`"):
        text = text[: len(text) - 2] + "&#96;"
    return text


def inline(list events, Py_ssize_t place, bint links):
    cdef Py_ssize_t count = len(events)
    cdef int64_t kind
    cdef _Inline content
    if place < 0:
        raise IndexError("a paragraph begins before its events")
    if place + 1 < count and _is_alone(events[place], events[place + 1]):
        return _escaped(<str>(<tuple>events[place])[3], _SPECIAL), place + 1
    content = _Inline.__new__(_Inline)
    content.marks, content.links, content.address = [], links, ""
    while place < count:
        event = events[place]
        kind = _kind_of(event)
        if kind == _TEXT_KIND:
            content.take_text(<str>(<tuple>event)[3])
        elif kind == _CLOSE and _name_of(event) in _PARAGRAPHS:
            break
        else:
            content.take(kind, event)
        place += 1
    return content.written(), place


cdef bint _is_alone(first, second):
    """Whether a paragraph is one text, as most are."""
    return _kind_of(first) == _TEXT_KIND and _kind_of(second) == _CLOSE and _name_of(second) in _PARAGRAPHS


def blocks(list events, Py_ssize_t place, bint links):
    cdef list found = []
    cdef str name
    while place < len(events) and _opens_block(events[place]):
        name = _name_of(events[place])
        written, place = inline(events, place + 1, links)
        found.append(_line(written) if name == "p" else _inline.block(name, written))
        place += 1
    return found, place


def items(list events, Py_ssize_t place, bint links):
    cdef list found = [], nodes = []
    cdef Py_ssize_t end, count = len(events)
    cdef str line
    while place + 2 < count and _opens_plain_item(events[place]) and _opens_paragraph(events[place + 1]):
        written, end = inline(events, place + 2, links)
        line = _line(written)
        if end + 1 >= count or not _closes_item(events[end + 1]) or "\n" in line:
            break
        found.append(line)
        nodes.append(_node_of(events[place]))
        place = end + 2
    return found, nodes, place


cdef str _line(str written):
    """A paragraph as it is, which is usual, or as the reference writes it."""
    cdef Py_UCS4 first = written[0] if written else u" "
    if first == u" " or first in _STARTS or "\n" in written:
        return _inline.paragraph(written)
    return written


cdef bint _opens_block(event):
    return (
        _kind_of(event) == _OPEN
        and _name_of(event) in _PARAGRAPHS
        and _name_of(event) != "pre"
        and not <str>(<tuple>event)[4]
    )


cdef bint _opens_paragraph(event):
    return _kind_of(event) == _OPEN and _name_of(event) == "p" and not <str>(<tuple>event)[4]


cdef bint _opens_plain_item(event):
    return (
        _kind_of(event) == _OPEN
        and _name_of(event) == "li"
        and not <str>(<tuple>event)[3]
        and not <str>(<tuple>event)[4]
    )


cdef bint _closes_item(event):
    return _kind_of(event) == _CLOSE and _name_of(event) == "li"
