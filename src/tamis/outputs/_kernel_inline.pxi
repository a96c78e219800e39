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
cdef frozenset _PARAGRAPHS = _events.PARAGRAPHS, _CELL_NAMES = _events.CELLS
cdef dict _HEADING_MARKS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
cdef str _STARTS = "".join(sorted(_inline.STARTS))
cdef object _SPECIAL = _inline.SPECIAL, _SPECIAL_IN_LINKS = _inline.SPECIAL_IN_LINKS, _escape = _inline.escape
cdef int64_t _IMAGE = _events.IMAGE
cdef str _NOTE_START = "#note-"


cdef struct _Mark:
    # Text, or a piece of markup.
    int kind
    Py_ssize_t opening  # of a closing delimiter: where it was opened, else -1
    Py_ssize_t first  # its parts are parts[first:stop]
    Py_ssize_t stop


cdef bint _perhaps_special(const Char* data, Py_ssize_t size, bint is_in_link) noexcept nogil:
    """Whether a text has a character that Markdown may take for markup where it stands."""
    cdef Py_ssize_t place = 0
    cdef uint32_t character, before, after
    while place < size:
        character = data[place]
        if character > 126 or not _MAY_BE_SPECIAL[character]:
            place += 1
            continue
        before = data[place - 1] if place else 0
        place += 1
        if character == 95:  # underscores inside a word
            while place < size and data[place] == 95:
                place += 1
        after = data[place] if place < size else 0
        if character == 95:
            if not _is_latin_alnum(before) or not _is_latin_alnum(after):
                return True
        elif character == 38:  # "&"
            if after >= 128 or after == 35 or after == 95 or _is_latin_alnum(after):
                return True
        elif character == 60:  # "<"
            if after == 33 or after == 47 or after == 63 or _is_latin_letter(after):
                return True
        elif character == 42:  # "*"
            if before != _BLANK or after != _BLANK:
                return True
        elif character == 126:  # "~"
            if after == 126:
                return True
        elif character == 91 or character == 93:  # brackets
            if is_in_link or (character == 93 and (after == 40 or after == 58)):
                return True
        else:
            return True
    return False


cdef const uint8_t[::1] _MAY_BE_SPECIAL = bytes(chr(code) in "\\`_~*<&[]" for code in range(127))


cdef inline bint _is_latin_letter(uint32_t code) noexcept nogil:
    return 97 <= code | 32 <= 122


cdef inline bint _is_latin_alnum(uint32_t code) noexcept nogil:
    return 48 <= code <= 57 or _is_latin_letter(code)


cdef str _escaped(str text, bint is_in_link):
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    cdef bint is_special
    if unit == 1:
        is_special = _perhaps_special(<const uint8_t*>data, size, is_in_link)
    elif unit == 2:
        is_special = _perhaps_special(<const uint16_t*>data, size, is_in_link)
    else:
        is_special = _perhaps_special(<const uint32_t*>data, size, is_in_link)
    if not is_special:
        return text
    return (_SPECIAL_IN_LINKS if is_in_link else _SPECIAL).sub(_escape, text)


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
    """Collects the content of one paragraph after the other, event by event."""

    cdef _Mark* marks
    cdef Py_ssize_t count, room
    cdef list parts
    cdef int[_DEEPEST] open_kinds
    cdef Py_ssize_t[_DEEPEST] open_places
    cdef Py_ssize_t depth
    cdef str address
    cdef bint is_code, is_note, links

    def __cinit__(self, bint links):
        self.marks, self.room, self.links = NULL, 0, links
        self.begin()

    def __dealloc__(self):
        PyMem_Free(self.marks)

    cdef int begin(self) except -1:
        """Empty, for the next paragraph."""
        self.count = self.depth = 0
        self.parts, self.address = [], ""
        self.is_code = self.is_note = False
        return 0

    cdef int add(self, int kind, str part, Py_ssize_t opening=-1) except -1:
        cdef _Mark* grown
        if self.count == self.room:
            grown = <_Mark*>PyMem_Realloc(self.marks, (2 * self.room + 16) * sizeof(_Mark))
            if grown is NULL:
                raise MemoryError
            self.marks, self.room = grown, 2 * self.room + 16
        self.parts.append(part)
        self.marks[self.count] = _Mark(kind, opening, len(self.parts) - 1, len(self.parts))
        self.count += 1
        return 0

    cdef int remove_last(self) except -1:
        """Take back a mark of one part."""
        self.parts.pop()
        self.count -= 1
        return 0

    cdef inline str first_part(self, Py_ssize_t place):
        return <str>self.parts[self.marks[place].first]

    cdef inline str last_part(self, Py_ssize_t place):
        return <str>self.parts[self.marks[place].stop - 1]

    cdef int take(self, int64_t kind, event) except -1:
        cdef str part
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
                self.add(_DONE_MARK, part)
        elif kind == _FORMULA:
            if self.count and self.last_part(self.count - 1).endswith("$"):
                self.add(_DONE_MARK, " ")
            self.add(_DONE_MARK, _inline.formula_mark(event))
        else:
            self.add(_BREAK_MARK, _inline.HARD_BREAK)
        return 0

    cdef int take_text(self, str text) except -1:
        cdef int kind = _CODE_MARK if self.is_code else _TEXT_MARK
        if self.is_note or not text:
            return 0
        if self.count and self.marks[self.count - 1].kind == kind:
            self.parts.append(text)
            self.marks[self.count - 1].stop += 1
            return 0
        return self.add(kind, text)

    cdef int opened(self, int kind, Py_ssize_t place) except -1:
        self.open_kinds[self.depth], self.open_places[self.depth] = kind, place
        return 0

    cdef int open(self, str name, str address) except -1:
        cdef int kind = _MARKS_OF_NAMES.get(name, _NO_MARK)
        cdef Py_ssize_t place = self.count, number
        cdef _Mark last
        if self.is_code or self.is_note:
            return self.opened(_NO_MARK, -1)
        if kind == _CODE_MARK:
            self.is_code = True
            return self.opened(_CODE_MARK, -1)
        if kind == _LINK_MARK:
            return self.open_link(address, place)
        if kind == _HTML_MARK:
            self.add(_DONE_MARK, f"<{name}>")
            return self.opened(_HTML_MARK, place)
        if kind == _NO_MARK:
            return self.opened(_NO_MARK, -1)
        for number in range(self.depth):
            if self.open_kinds[number] == kind:
                return self.opened(_NO_MARK, -1)
        if self.count:
            last = self.marks[self.count - 1]
            if last.kind == kind and last.opening >= 0:
                self.remove_last()
                return self.opened(kind, last.opening)
        self.add(kind, _DELIMITERS[kind - _STAR])
        return self.opened(kind, place)

    cdef int open_link(self, str address, Py_ssize_t place) except -1:
        cdef Py_ssize_t last = self.count - 1
        if address.startswith(_NOTE_START):
            self.is_note = True
            if self.depth and self.open_kinds[self.depth - 1] == _HTML_MARK and last >= 0:
                if self.marks[last].stop - self.marks[last].first == 1 and self.last_part(last) == "<sup>":
                    self.remove_last()
                    self.open_kinds[self.depth - 1] = _NO_MARK
            self.add(_DONE_MARK, f"[^{address[len(_NOTE_START) :]}]")
            return self.opened(_NOTE_MARK, place)
        if not self.links:
            return self.opened(_NO_MARK, -1)
        self.address = address
        self.add(_LINK_MARK, "[")
        return self.opened(_LINK_MARK, place)

    cdef int close(self, int kind, Py_ssize_t place, str name) except -1:
        if kind == _CODE_MARK:
            self.is_code = False
        elif kind == _NOTE_MARK:
            self.is_note = False
        elif kind == _LINK_MARK:
            self.add(_LINK_MARK, f"]({_written_address(self.address)})")
        elif kind == _HTML_MARK:
            self.add(_DONE_MARK, f"</{name}>")
        elif kind != _NO_MARK:
            self.add(kind, _DELIMITERS[kind - _STAR], place)
        return 0

    cdef str written(self):
        cdef list written = []
        cdef Py_ssize_t place
        cdef _Mark mark
        cdef str value, before
        cdef bint is_in_link = False
        self.settle()
        for place in range(self.count):
            mark = self.marks[place]
            value = self.first_part(place)
            if mark.stop - mark.first > 1:
                value = "".join(self.parts[mark.first : mark.stop])
            if mark.kind == _TEXT_MARK:
                value = self.beside(_escaped(value, is_in_link), place)
            elif mark.kind == _CODE_MARK:
                value = _inline.code_span(value)
            elif mark.kind == _LINK_MARK:
                is_in_link = value == "["
                if is_in_link and written:
                    before = <str>written[len(written) - 1]
                    if before.endswith("!"):
                        written[len(written) - 1] = before[: len(before) - 1] + r"\!"
            written.append(value)
        return "".join(written) if len(written) != 1 else <str>written[0]

    cdef str beside(self, str text, Py_ssize_t place):
        """An escaped text that makes no markup together with the marks beside it."""
        cdef int before = self.marks[place - 1].kind if place else _NO_MARK
        cdef int after = self.marks[place + 1].kind if place + 1 < self.count else _NO_MARK
        if before == _DONE_MARK and self.last_part(place - 1).endswith("]") and text[0] in "(:[":
            text = "\\" + text
        if before == _TILDES or after == _TILDES:
            text = _inline.LONE_TILDE.sub(r"\\~", text)
        if after == _NO_MARK:
            return text
        if text.endswith("<") and self.first_part(place + 1).startswith("!"):
            text = text[: len(text) - 1] + "&lt;"
        if after == _CODE_MARK and text.endswith("\\`"):
            text = text[: len(text) - 2] + "&#96;"
        return text

    cdef int settle(self) except -1:
        """Leave only the marks that are written; what stands between two of them is one, so that it is escaped as one."""
        cdef Py_ssize_t place, kept = 0
        cdef int before
        cdef _Mark mark
        for place in range(self.count):
            if self.marks[place].opening >= 0:
                self.drop_unreadable()
                break
        for place in range(self.count):
            mark = self.marks[place]
            before = self.marks[kept - 1].kind if kept else _BREAK_MARK
            if mark.kind == _NO_MARK or (mark.kind == _BREAK_MARK and before == _BREAK_MARK):
                continue
            if mark.kind == before and (mark.kind == _TEXT_MARK or mark.kind == _CODE_MARK):
                self.marks[kept - 1].stop = mark.stop
            else:
                self.marks[kept] = mark
                kept += 1
        self.count = kept
        return 0

    cdef int drop_unreadable(self) except -1:
        """Make delimiters that Markdown would not recognise, and those around nothing, no marks with an empty part."""
        cdef list before = self.neighbours(True), after = self.neighbours(False), dropped = []
        cdef Py_ssize_t closing, opening, contents = 0
        cdef list counts = []
        for closing in range(self.count):
            contents += self.marks[closing].kind < _STAR
            counts.append(contents)
            opening = self.marks[closing].opening
            if opening >= 0 and (
                not _is_flanked(<str>before[opening], <str>after[opening])
                or not _is_flanked(<str>after[closing], <str>before[closing])
                or counts[opening] == contents
            ):
                dropped += (opening, closing)
        for place in dropped:
            self.marks[<Py_ssize_t>place].kind = _NO_MARK
            self.parts[self.marks[<Py_ssize_t>place].first] = ""
        return 0

    cdef list neighbours(self, bint is_before):
        """For each mark the character before it, or the one after it; delimiters do not count."""
        cdef list found = [None] * self.count
        cdef Py_ssize_t place, number
        cdef str last = "", part
        for number in range(self.count):
            place = number if is_before else self.count - 1 - number
            found[place] = last
            if self.marks[place].kind == _CODE_MARK:
                last = "`"
            elif self.marks[place].kind < _STAR:
                part = self.last_part(place) if is_before else self.first_part(place)
                last = part[len(part) - 1 :] if is_before else part[:1]
        return found


cdef bint _is_flanked(str outside, str inside):
    """Whether Markdown recognises a delimiter between these two characters."""
    return inside.isalnum() or (_inline.is_border(outside) and _inline.is_solid(inside))


def inline(list events, Py_ssize_t place, bint links):
    if place < 0:
        raise IndexError("a paragraph begins before its events")
    written = _paragraph_content(events, &place, _Inline.__new__(_Inline, links))
    return written, place


cdef str _paragraph_content(list events, Py_ssize_t* place, _Inline content):
    """What ``inline`` gives; the place is moved on to where the paragraph closes."""
    cdef Py_ssize_t count = len(events)
    cdef int64_t kind
    if place[0] + 1 < count and _is_alone(events[place[0]], events[place[0] + 1]):
        place[0] += 1
        return _escaped(<str>(<tuple>events[place[0] - 1])[3], False)
    content.begin()
    while place[0] < count:
        event = events[place[0]]
        kind = _kind_of(event)
        if kind == _TEXT_KIND:
            content.take_text(<str>(<tuple>event)[3])
        elif kind == _CLOSE and _name_of(event) in _PARAGRAPHS:
            break
        else:
            content.take(kind, event)
        place[0] += 1
    return content.written()


cdef bint _is_alone(first, second):
    """Whether a paragraph is one text, as most are."""
    return _kind_of(first) == _TEXT_KIND and _kind_of(second) == _CLOSE and _name_of(second) in _PARAGRAPHS


def blocks(list events, Py_ssize_t place, bint links):
    cdef list found = []
    cdef str name, written
    cdef _Inline content = _Inline.__new__(_Inline, links)
    if place < 0:
        raise IndexError("a paragraph begins before its events")
    while place < len(events) and _opens_block(events[place]):
        name = _name_of(events[place])
        place += 1
        written = _paragraph_content(events, &place, content)
        found.append(_block(name, written))
        place += 1
    return found, place


def items(list events, Py_ssize_t place, bint links):
    cdef list found = [], nodes = []
    cdef Py_ssize_t end, count = len(events)
    cdef str line
    cdef _Inline content = _Inline.__new__(_Inline, links)
    if place < 0:
        raise IndexError("a paragraph begins before its events")
    while place + 2 < count and _opens_plain_item(events[place]) and _opens_paragraph(events[place + 1]):
        end = place + 2
        line = _line(_paragraph_content(events, &end, content))
        if end + 1 >= count or not _closes_item(events[end + 1]) or "\n" in line:
            break
        found.append(line)
        nodes.append(_node_of(events[place]))
        place = end + 2
    return found, nodes, place


def cells(list events, Py_ssize_t place, bint links):
    cdef list found = [], texts
    cdef Py_ssize_t inner, count = len(events)
    cdef str name
    cdef _Inline content = _Inline.__new__(_Inline, links)
    if place < 0:
        raise IndexError("a cell begins before its events")
    while place < count and _kind_of(events[place]) == _OPEN and _name_of(events[place]) in _CELL_NAMES:
        name = _name_of(events[place])
        texts = []
        inner = place + 1
        while inner < count and _opens_running(events[inner]):
            inner += 1
            texts.append(_inline.table_cell(_paragraph_content(events, &inner, content)))
            inner += 1
        if inner >= count or _kind_of(events[inner]) != _CLOSE or _name_of(events[inner]) != name:
            break
        found.append((name, "<br>".join(texts), (<tuple>events[place])[5]))
        place = inner + 1
    return found, place


cdef str _block(str name, str written):
    """A paragraph or a heading; one with a line break, or with marks at its end, as the reference writes it."""
    if name == "p":
        return _line(written)
    if "\n" in written or written.endswith("#"):
        return _inline.block(name, written)
    return <str>_HEADING_MARKS[name] + written


cdef str _line(str written):
    """A paragraph as it is, which is usual, or as the reference writes it."""
    cdef Py_UCS4 first = written[0] if written else u" "
    if first == u" " or first in _STARTS or "\n" in written:
        return _inline.paragraph(written)
    return written


cdef bint _opens_running(event):
    return _kind_of(event) == _OPEN and _name_of(event) in _PARAGRAPHS and _name_of(event) != "pre"


cdef bint _opens_block(event):
    return _opens_running(event) and not <str>(<tuple>event)[4]


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
