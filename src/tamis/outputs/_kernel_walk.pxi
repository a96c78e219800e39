# The walk over the kept texts: the compiled twin of ``_walk.py``, which says what each step is for.


cdef enum:  # what the name of an element makes it
    _NOTHING = 0
    _INLINE = 1
    _HEADING = 2
    _BLOCK = 3

cdef dict _ROLES_OF_NAMES = {
    **dict.fromkeys(_events.INLINES, _INLINE),
    **dict.fromkeys(_HEADINGS, _HEADING),
    **dict.fromkeys(_events.BLOCKS, _BLOCK),
}
cdef list _NAMES = list(_walk.NAMES)
cdef dict _HOLDERS = _walk.HOLDERS
cdef object _Event = _events.Event, _ONE_CELL = _events.ONE_CELL
cdef int64_t _OPEN = _events.OPEN, _CLOSE = _events.CLOSE, _TEXT_KIND = _events.TEXT, _FORMULA = _events.FORMULA
cdef object _BREAK = _events.Event(_events.BREAK)
cdef Py_ssize_t _LONGEST_ADDRESS = _MAX_LENGTH


cdef extern from "Python.h":
    ctypedef PyObject* (*_Allocate)(_Type*, Py_ssize_t) except NULL
    ctypedef struct _Type "PyTypeObject":
        _Allocate tp_alloc
    void PyObject_GC_UnTrack(void*)


cdef inline void _set(event, Py_ssize_t place, value):
    Py_INCREF(value)  # the tuple takes a reference over
    PyTuple_SET_ITEM(event, place, value)


cdef object _event(int64_t kind, str name, int64_t node, str text, str address, span):
    """A tuple of the class ``Event``, made as ``tuple`` makes those of its subclasses, without one to copy from."""
    cdef _Type* type_of_events = <_Type*>_Event
    event = <object>type_of_events.tp_alloc(type_of_events, 6)
    Py_DECREF(event)  # the reference that it was made with
    _set(event, 0, kind)
    _set(event, 1, name)
    _set(event, 2, node)
    _set(event, 3, text)
    _set(event, 4, address)
    _set(event, 5, span)
    PyObject_GC_UnTrack(<void*>event)  # of strings and numbers no ring can be made, and a page has hundreds of events
    return event


cdef Py_ssize_t _EVENT_FIELDS = len(_events.Event._fields)


cdef inline int64_t _kind_of(event):
    if not isinstance(event, tuple) or len(<tuple>event) != _EVENT_FIELDS:
        raise TypeError("what is written is not an event")
    return (<tuple>event)[0]  # the fields of a tuple by inheritance are read without asking for their names


cdef inline str _name_of(event):
    return <str>(<tuple>event)[1]


cdef inline int64_t _node_of(event):
    return (<tuple>event)[2]


@cython.final
@cython.freelist(64)
@cython.no_gc  # of strings, numbers and tuples of them no ring can be made
cdef class _Context:
    """What the elements around a text mean for it."""

    cdef str holder, paragraph, note
    cdef int64_t pre
    cdef tuple inlines


cdef _Context _context(str holder, str paragraph, int64_t pre, tuple inlines, str note):
    cdef _Context made = _Context.__new__(_Context)
    made.holder, made.paragraph, made.pre, made.inlines, made.note = holder, paragraph, pre, inlines, note
    return made


@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class _OpenElement:
    """An element around the current text."""

    cdef int64_t node, end
    cdef str block
    cdef _Context context


cdef _OpenElement _open_element(int64_t node, int64_t end, str block, _Context context):
    cdef _OpenElement made = _OpenElement.__new__(_OpenElement)
    made.node, made.end, made.block, made.context = node, end, block, context
    return made


cdef enum:  # how a stretch of text is spaced
    _BEGINS_BLANK = 1
    _ENDS_BLANK = 2
    _UNEVEN = 4  # white space in it that is no single blank
    _ALL_BLANK = 8


cdef int _spacing(const Char* data, int64_t* start, int64_t* end, const uint8_t* classes) noexcept nogil:
    """How a stretch of text is spaced; it is made shorter by the white space at its ends."""
    cdef int64_t place
    cdef int found = 0
    cdef bint is_after_blank = False
    while start[0] < end[0] and classes[data[start[0]]] == _SPACE:
        start[0] += 1
        found = _BEGINS_BLANK
    if start[0] == end[0]:
        return _ALL_BLANK
    while classes[data[end[0] - 1]] == _SPACE:
        end[0] -= 1
        found |= _ENDS_BLANK
    for place in range(start[0], end[0]):
        if classes[data[place]] != _SPACE:
            is_after_blank = False
        elif is_after_blank or data[place] != _BLANK:
            return found | _UNEVEN
        else:
            is_after_blank = True
    return found


cdef str _collapsed(str text, int64_t start, int64_t end, const uint8_t* classes):
    """A stretch of text that begins and ends with no white space, with single blanks in the place of it."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t length
    cdef void* written = PyMem_Malloc((end - start) * unit)
    if written is NULL:
        raise MemoryError
    try:
        if unit == 1:
            length = _collapse(<const uint8_t*>data, start, end, <uint8_t*>written, classes)
        elif unit == 2:
            length = _collapse(<const uint16_t*>data, start, end, <uint16_t*>written, classes)
        else:
            length = _collapse(<const uint32_t*>data, start, end, <uint32_t*>written, classes)
        return PyUnicode_FromKindAndData(unit, written, length)
    finally:
        PyMem_Free(written)


cdef int64_t _collapse(
    const Char* data, int64_t start, int64_t end, Char* written, const uint8_t* classes
) noexcept nogil:
    """Write a stretch without repeated white space; gives the number of characters."""
    cdef int64_t place, length = 0
    cdef bint is_space, is_after_space = False
    for place in range(start, end):
        is_space = classes[data[place]] == _SPACE
        if not (is_space and is_after_space):
            written[length] = <Char>_BLANK if is_space else data[place]
            length += 1
        is_after_space = is_space
    return length


@cython.final
cdef class _Walk:
    """Where the walk is, and what it has written so far."""

    cdef object page
    cdef str text, home, origin, spaces
    cdef const uint8_t[::1] tag, flags
    cdef const uint8_t* classes
    cdef const int64_t[::1] subtree_end, parent, holder
    cdef int64_t count, size, paragraph_run, pre_end, run, line
    cdef bint splits_formulas, is_broken
    cdef dict roles, notes, tables, tasks, spans, links, hrefs
    cdef object plain, code, areas
    cdef list events, path
    cdef _OpenElement top
    cdef object paragraph
    cdef tuple inlines
    cdef set begun_notes

    def __init__(self, plan):
        nodes = plan.page.nodes
        self.page, self.text = plan.page, plan.page.text
        self.home = _walk.home_address(self.page)
        self.origin = _origin(self.home)
        self.splits_formulas = plan.has_raw_formulas
        self.tag, self.flags, self.subtree_end, self.parent = nodes.tag, nodes.flags, nodes.end, nodes.parent
        self.holder = plan.holder
        self.count, self.size = len(nodes), len(self.text)
        self.classes = &_CLASSES[0]
        self.roles, self.notes, self.tables, self.tasks = plan.roles, plan.notes.notes, plan.tables, plan.tasks
        self.spans, self.links, self.hrefs = plan.spans, plan.notes.links, plan.hrefs
        self.plain, self.code, self.areas = plan.plain, plan.code, plan.areas
        self.events = []
        self.top = _open_element(0, self.count + 1, "", _context("", "p", -1, (), ""))
        self.path = [self.top]
        self.paragraph = None
        self.paragraph_run = self.pre_end = self.run = self.line = -1
        self.inlines = ()
        self.spaces = ""
        self.is_broken = False
        self.begun_notes = set()

    cdef int add_thing(self, int64_t node, int64_t run, int64_t line, event) except -1:
        cdef int64_t holder = self.around(node)
        cdef bint is_first
        if node < self.pre_end:
            return 0
        if _name_of(event) == "hr":
            return self.add_rule(node)
        if _kind_of(event) == _OPEN:
            self.end_paragraph()
            return self.enter(node, node)
        self.note_place(run, line)
        is_first = run != self.paragraph_run
        if is_first:
            self.end_paragraph()
        self.enter(node, holder)
        if self.top.context.pre >= 0:
            return 0
        if is_first:
            self.open_paragraph(run, -1)
        self.write_thing("" if is_first or self.is_broken or not self.spaces else " ", event)
        self.spaces = ""
        self.is_broken = False
        return 0

    cdef int add_rule(self, int64_t node) except -1:
        self.end_paragraph()
        self.leave(node)
        if not self.top.context.holder and self.events and _name_of(self.events[len(self.events) - 1]) != "hr":
            self.events.append(_event(_OPEN, "hr", node, "", "", _ONE_CELL))
            self.events.append(_event(_CLOSE, "hr", node, "", "", _ONE_CELL))
        return 0

    cdef int add_text(
        self, int64_t node, int64_t holder, int64_t run, int64_t line, int64_t start, int64_t end, bint is_cut
    ) except -1:
        cdef bint is_code = (self.flags[node] & _PREFORMATTED) != 0
        cdef str text
        if is_code or node < self.pre_end or self.areas:
            text = self.text[start:end]
            text = " " + text if is_cut else text
            if node in self.areas:
                for number, part in enumerate(text.split("\n")):
                    self.add_part(node, holder, run, line + number, part)
                return 0
            if is_code or node < self.pre_end:
                return self.add_preformatted(node, holder, run, line, text, is_code)
        return self.add_running(node, holder, run, line, self.text, start, end, is_cut)

    cdef int add_part(self, int64_t node, int64_t holder, int64_t run, int64_t line, str part) except -1:
        return self.add_running(node, holder, run, line, part, 0, len(part), False)

    cdef int add_running(
        self,
        int64_t node,
        int64_t holder,
        int64_t run,
        int64_t line,
        str text,
        int64_t start,
        int64_t end,
        bint is_cut,
    ) except -1:
        cdef int64_t first = start, last = end
        cdef int unit = PyUnicode_KIND(text), spacing
        cdef const void* data = PyUnicode_DATA(text)
        cdef bint is_first
        cdef str core, space
        if unit == 1:
            spacing = _spacing(<const uint8_t*>data, &first, &last, self.classes)
        elif unit == 2:
            spacing = _spacing(<const uint16_t*>data, &first, &last, self.classes)
        else:
            spacing = _spacing(<const uint32_t*>data, &first, &last, self.classes)
        self.note_place(run, line)
        if spacing == _ALL_BLANK:
            self.spaces += " " + text[start:end] if is_cut else text[start:end]
            return 0
        is_first = run != self.paragraph_run
        if is_first:
            self.end_paragraph()
        self.enter(node, holder)
        if self.top.context.pre >= 0:
            core = " " + text[start:end] if is_cut else text[start:end]
            return self.add_preformatted(node, holder, run, line, core, False)
        if is_first:
            self.open_paragraph(run, -1)
            space = ""
        else:
            space = " " if (is_cut or spacing & _BEGINS_BLANK or self.spaces) and not self.is_broken else ""
        if spacing & _UNEVEN:
            core = _collapsed(text, first, last, self.classes)
        else:
            core = PyUnicode_Substring(text, first, last)
        self.write_text(space, core)
        self.spaces = " " if spacing & _ENDS_BLANK else ""
        self.is_broken = False
        return 0

    cdef void note_place(self, int64_t run, int64_t line):
        if run != self.run:
            self.spaces = ""
            self.is_broken = False
        elif line != self.line:
            self.is_broken = True
        self.run = run
        self.line = line

    cdef int add_preformatted(
        self, int64_t node, int64_t holder, int64_t run, int64_t line, str text, bint is_code
    ) except -1:
        cdef int64_t lines = line - self.line
        cdef bint is_first
        cdef str core, space
        if node >= self.pre_end and run != self.run:
            self.spaces = ""
        elif self.line >= 0:
            is_first = run == self.run or self.spaces.endswith("\n")
            self.spaces += "\n" * (lines if is_first else max(1, lines))
        self.run = run
        self.line = line
        self.is_broken = False
        if not is_code and "\n" in text and text.isspace():
            return 0
        core = text.strip()
        if not core:
            self.spaces += text
            return 0
        is_first = run != self.paragraph_run and node >= self.pre_end
        if is_first:
            self.end_paragraph()
        self.enter(node, holder)
        if is_first:
            self.open_paragraph(run, self.pre_around(node))
        space = self.spaces + text[: len(text) - len(text.lstrip())]
        space = space.lstrip("\n") if is_first else space
        self.write_text(space.replace("\xa0", " "), core.replace("\xa0", " "))
        self.spaces = text[len(text.rstrip()) :]
        return 0

    cdef list finish(self):
        self.end_paragraph()
        self.leave(self.count)
        return self.events

    cdef int leave(self, int64_t node) except -1:
        cdef _OpenElement place
        while self.top.end <= node:
            place = self.path.pop()
            self.top = self.path[len(self.path) - 1]
            if place.block:
                if place.block == "table" and place.node in self.roles:
                    self.events.append(_event(_CLOSE, "tbody", place.node, "", "", _ONE_CELL))
                self.events.append(_event(_CLOSE, place.block, place.node, "", "", _ONE_CELL))
        return 0

    cdef int enter(self, int64_t node, int64_t element) except -1:
        cdef list missing
        if self.top.end <= node:
            self.leave(node)
        if element == self.top.node:
            return 0
        missing = []
        while element != self.top.node:
            if element <= 0:
                raise IndexError("an element is not where the walk is")
            missing.append(element)
            element = self.around(element)
        missing.reverse()
        for element in missing:
            self.open_element(element)
        return 0

    cdef int open_element(self, int64_t node) except -1:
        cdef _Context around = self.top.context, context = around
        cdef str block = "", name = _NAMES[self.tag[node]]
        cdef int role
        if self.roles:
            name = self.roles.get(node) or name
        role = _ROLES_OF_NAMES.get(name, _NOTHING)
        if node in self.plain:
            pass
        elif node in self.code:
            context = _preformatted(around, node)
        elif role == _INLINE:
            context = self.with_inline(around, name, node)
        elif self.flags[node] & _PREFORMATTED or around.pre >= 0:
            context = _preformatted(around, node)
        elif role == _HEADING:
            context = _context(around.holder, name, around.pre, around.inlines, around.note)
        elif role == _BLOCK and (name not in _HOLDERS or around.holder in _HOLDERS[name]):
            block = name
            context = _context(name, "p", -1, around.inlines, "")
        elif node in self.notes:
            context = _context(around.holder, around.paragraph, around.pre, around.inlines, self.notes[node])
        self.top = _open_element(node, self.subtree_end[node], block, context)
        self.path.append(self.top)
        if block:
            text = self.tables.get(node) or self.tasks.get(node, "")
            span = self.spans.get(node, _ONE_CELL)
            self.events.append(_event(_OPEN, block, node, text, self.notes.get(node, ""), span))
            if block == "table" and node in self.roles:
                self.events.append(_event(_OPEN, "tbody", node, "", "", _ONE_CELL))
        return 0

    cdef _Context with_inline(self, _Context context, str name, int64_t node):
        cdef str address = ""
        for inline in context.inlines:
            if _name_of(inline) == name:
                return context
        if name == "a":
            if node in self.links:
                address = self.links[node]
            else:
                address = _link_address(self.hrefs.get(node), self.home, self.origin)
            if not address:
                return context
        opened = (*context.inlines, _event(_OPEN, name, node, "", address, _ONE_CELL))
        return _context(context.holder, context.paragraph, context.pre, opened, context.note)

    cdef int64_t pre_around(self, int64_t node) except -2:
        cdef int64_t pre = self.top.context.pre, above = self.parent[node]
        if pre >= 0:
            return pre
        while above >= 0 and self.flags[above] & _PREFORMATTED:
            pre, above = above, self.parent[above]
        return pre if pre >= 0 else self.top.node

    cdef int open_paragraph(self, int64_t run, int64_t pre) except -1:
        cdef _Context context = self.top.context
        cdef str note
        if pre >= 0:
            self.pre_end = self.subtree_end[pre]
            self.paragraph = _event(_OPEN, "pre", pre, _code_language(self.page, pre), "", _ONE_CELL)
        else:
            note = "" if context.note in self.begun_notes else context.note
            self.begun_notes.add(note)
            self.paragraph = _event(_OPEN, context.paragraph, self.top.node, "", note, _ONE_CELL)
        self.paragraph_run = run
        self.is_broken = False
        self.events.append(self.paragraph)
        return 0

    cdef int end_paragraph(self) except -1:
        if self.paragraph is not None:
            self.close_inlines(0)
            self.events.append(_event(_CLOSE, _name_of(self.paragraph), _node_of(self.paragraph), "", "", _ONE_CELL))
        self.paragraph = None
        self.paragraph_run = self.pre_end = -1
        return 0

    cdef int write_thing(self, str space, event) except -1:
        space = self.open_inlines(space)
        if _kind_of(event) != _TEXT_KIND:
            if space:
                self.events.append(_event(_TEXT_KIND, "", -1, space, "", _ONE_CELL))
            self.events.append(event)
        elif space or self.may_hold_formulas():
            self.add_settled(space + event[3])
        else:
            self.events.append(event)
        return 0

    cdef int write_text(self, str space, str text) except -1:
        space = self.open_inlines(space)
        return self.add_settled(space + text if space else text)

    cdef str open_inlines(self, str space):
        cdef tuple wanted = self.top.context.inlines
        cdef Py_ssize_t common = 0, number = len(self.inlines)
        if number:
            number = min(number, len(wanted))
            while common < number:
                if _node_of(self.inlines[common]) != _node_of(wanted[common]):
                    break
                common += 1
            self.close_inlines(common)
        if self.is_broken:
            self.events.append(_BREAK)
        if len(wanted) > common:
            if space:
                self.events.append(_event(_TEXT_KIND, "", -1, space, "", _ONE_CELL))
            self.events += wanted[common:]
            self.inlines = wanted
            space = ""
        return space

    cdef int add_settled(self, str text) except -1:
        if self.splits_formulas and self.may_hold_formulas():
            for kind, part in _split_formulas(text):
                if kind == "text":
                    self.events.append(_event(_TEXT_KIND, "", -1, part, "", _ONE_CELL))
                else:
                    self.events.append(_event(_FORMULA, kind, -1, part, "", _ONE_CELL))
        else:
            self.events.append(_event(_TEXT_KIND, "", -1, text, "", _ONE_CELL))
        return 0

    cdef bint may_hold_formulas(self):
        if not self.splits_formulas or self.pre_end >= 0:
            return False
        for inline in self.inlines:
            if _name_of(inline) == "code":
                return False
        return True

    cdef int close_inlines(self, Py_ssize_t common) except -1:
        cdef Py_ssize_t place = len(self.inlines)
        if place <= common:
            return 0
        while place > common:
            place -= 1
            inline = self.inlines[place]
            self.events.append(_event(_CLOSE, _name_of(inline), _node_of(inline), "", "", _ONE_CELL))
        self.inlines = self.inlines[:common]
        return 0

    cdef inline int64_t around(self, int64_t node) except -1:
        if node <= 0 or node >= self.count:
            raise IndexError("there is nothing around the document")
        return self.holder[self.parent[node]]


cdef str _origin(str home):
    """What stands before a path from the root; None if such a path is nothing that can be linked."""
    cdef str root = _resolve("/", home)
    return root[: PyUnicode_GET_LENGTH(root) - 1] if root.endswith("/") else None


cdef str _link_address(str href, str home, str origin):
    """What ``resolve`` gives; addresses of the most usual kinds stay what they are, but for what stands before them."""
    cdef const uint8_t* data
    cdef Py_ssize_t size
    if href is not None and PyUnicode_KIND(href) == 1 and PyUnicode_GET_LENGTH(href) <= _LONGEST_ADDRESS:
        data, size = <const uint8_t*>PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href)
        if _is_usual(data, size):
            return href
        if origin is not None and _is_usual_path(data, size):
            if PyUnicode_GET_LENGTH(origin) + size <= _LONGEST_ADDRESS:
                return origin + href
    return _resolve(href, home)


cdef bint _is_usual_path(const uint8_t* data, Py_ssize_t size) noexcept nogil:
    """Whether an address is a path from the root, of usual characters, in which no part begins or ends with a dot."""
    cdef Py_ssize_t place = 1
    if size == 0 or data[0] != 47 or (size > 1 and data[1] == 47):
        return False
    while place < size and data[place] not in b"?#":
        if data[place] == 46:
            if place + 1 == size or data[place - 1] == 47 or data[place + 1] in b"./?#":
                return False
        elif not _is_latin_alnum(data[place]) and data[place] not in b"_/%~+,=-":
            return False
        place += 1
    return _is_usual_end(data, place, size)


cdef bint _is_usual(const uint8_t* data, Py_ssize_t size) noexcept nogil:
    """Whether an address is a scheme of the web, a host, and a path of usual characters without ``./`` or ``..``."""
    cdef Py_ssize_t place = 8 if size > 8 and data[4] == 115 else 7  # "https://" or "http://"
    cdef Py_ssize_t host = place
    if size <= place or memcmp(data, b"https://" if place == 8 else b"http://", place) != 0:
        return False
    while place < size and (97 <= data[place] <= 122 or 48 <= data[place] <= 57 or data[place] in b"-."):
        place += 1
    if place == host or place == size or data[place] != 47:
        return False
    while place < size and data[place] not in b"?#":
        if data[place] == 46:
            if place + 1 < size and data[place + 1] in b"./":
                return False
        elif not _is_latin_alnum(data[place]) and data[place] not in b"_/%~+,=@:!$-":
            return False
        place += 1
    return _is_usual_end(data, place, size)


cdef bint _is_usual_end(const uint8_t* data, Py_ssize_t place, Py_ssize_t size) noexcept nogil:
    """Whether what stands from a place on is a query, a fragment, or both, of usual characters; or nothing."""
    cdef Py_ssize_t first
    if place < size and data[place] == 63:
        first = place + 1
        place = _usual_until(data, first, size, 45)
        if place == first:
            return False
    if place < size and data[place] == 35:
        first = place + 1
        place = _usual_until(data, first, size, 58)
        if place == first:
            return False
    return place == size


cdef Py_ssize_t _usual_until(const uint8_t* data, Py_ssize_t place, Py_ssize_t size, uint8_t other) noexcept nogil:
    """The first place from one on that is not of the usual characters, of which one more is given."""
    while place < size and (_is_latin_alnum(data[place]) or data[place] in b"_/%~+,=&.-" or data[place] == other):
        place += 1
    return place


cdef _Context _preformatted(_Context around, int64_t node):
    if around.pre >= 0:
        return around
    return _context(around.holder, around.paragraph, node, around.inlines, around.note)


def walked(
    plan,
    const int64_t[::1] node,
    const int64_t[::1] start,
    const int64_t[::1] end,
    const int64_t[::1] run,
    is_cut,
    const int64_t[::1] lines,
    dict things,
):
    cdef _Walk walk = _Walk(plan)
    cdef const uint8_t[::1] cut = is_cut.view(np.uint8)
    cdef Py_ssize_t pieces = node.shape[0], piece = 0, following, thing = 0
    cdef const int64_t[::1] places = np.array(sorted(things), dtype=np.int64), runs = plan.page.flow.run
    cdef int64_t text, holder
    cdef Py_ssize_t last = places.shape[0] - 1
    if min(start.shape[0], end.shape[0], run.shape[0], cut.shape[0]) < pieces:
        raise IndexError("there are fewer numbers than pieces")
    if min(walk.holder.shape[0], lines.shape[0], runs.shape[0]) < walk.count:
        raise IndexError("there are fewer numbers than nodes")
    if last >= 0 and (places[0] <= 0 or places[last] >= walk.count):
        raise IndexError("a thing lies outside of the page")
    for piece in range(pieces):
        text = node[piece]
        if text <= 0 or text >= walk.count or start[piece] < 0 or end[piece] > walk.size or end[piece] <= start[piece]:
            raise IndexError("a piece lies outside of the page")
    piece = 0
    while piece < pieces:
        text = node[piece]
        while thing < places.shape[0] and places[thing] < text:
            walk.add_thing(places[thing], runs[places[thing]], lines[places[thing]], things[places[thing]])
            thing += 1
        holder = walk.around(text)
        following = piece + 1
        while (
            following < pieces
            and walk.around(node[following]) == holder
            and run[following] == run[piece]
            and lines[node[following]] == lines[text]
            and start[following] == end[following - 1]
            and not cut[following]
            and (thing == places.shape[0] or places[thing] > node[following])
        ):
            following += 1
        walk.add_text(text, holder, run[piece], lines[text], start[piece], end[following - 1], cut[piece])
        piece = following
    while thing < places.shape[0]:
        walk.add_thing(places[thing], runs[places[thing]], lines[places[thing]], things[places[thing]])
        thing += 1
    return walk.finish()
