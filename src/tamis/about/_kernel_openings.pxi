# How texts begin: the compiled twins of ``opening_so``, ``values_opening_so`` and ``short_links`` in ``_reference.py``.

from cpython.unicode cimport PyUnicode_READ

cdef enum:
    _LONGEST_HEAD = 4  # characters
    _MOST_HEADS = 128

cdef struct Heads:
    Py_ssize_t count
    uint32_t codes[_MOST_HEADS]  # of those in ASCII, a byte for each of their characters


def opening_so(
    str text, const int64_t[::1] starts, const int64_t[::1] ends, bytes table, frozenset heads=frozenset()
):
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    cdef int64_t start, end
    cdef Py_ssize_t number, count = starts.shape[0]
    cdef const unsigned char* may_open = _openings(table)
    cdef Heads known = _known_heads(heads)
    cdef list found = []
    if ends.shape[0] < count:
        raise IndexError("there are fewer ends than starts")
    for number in range(count):
        start, end = max(starts[number], 0), min(ends[number], size)
        if _begins_so(text, start, end, may_open, heads, &known) if heads else _opens_so(text, start, end, may_open):
            found.append(number)
    return found


def values_opening_so(list values, bytes table, frozenset heads):
    cdef Py_ssize_t number
    cdef const unsigned char* may_open = _openings(table)
    cdef Heads known = _known_heads(heads)
    cdef list found = []
    cdef str value
    for number in range(len(values)):
        value = values[number]
        if value is not None and _begins_so(value, 0, PyUnicode_GET_LENGTH(value), may_open, heads, &known):
            found.append(number)
    return found


def short_links(page, Py_ssize_t longest, Py_ssize_t most, bytes table, frozenset heads):
    cdef object nodes = page.nodes
    cdef str text = page.text
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    cdef Py_ssize_t node, seen = 0, count = len(nodes.tag)
    cdef const uint8_t* tag = _bytes(nodes.tag, count)
    cdef const uint8_t* flags = _bytes(nodes.flags, count)
    cdef const int64_t* starts = _longs(nodes.text_start, count)
    cdef const int64_t* ends = _longs(nodes.text_end, count)
    cdef uint8_t link = _TAG_CODES["a"]
    cdef const unsigned char* may_open = _openings(table)
    cdef Heads known = _known_heads(heads)
    cdef list short = [], opening = []
    for node in range(count):
        if tag[node] != link or flags[node] & _FOREIGN:
            continue
        if seen == most:
            break
        seen += 1
        if ends[node] - starts[node] < longest:
            short.append(node)
            if _begins_so(text, max(starts[node], 0), min(ends[node], size), may_open, heads, &known):
                opening.append(node)
    return short, opening


cdef const unsigned char* _openings(bytes table) except NULL:
    if len(table) < 0x4000:
        raise IndexError("pairs of characters are missing in the table")
    return <const unsigned char*>table


cdef Heads _known_heads(frozenset heads) except *:
    cdef Heads known
    cdef str head
    cdef Py_ssize_t place
    known.count = 0
    for head in heads:
        if known.count == _MOST_HEADS:
            raise ValueError("there are too many heads")
        if head.isascii() and 0 < len(head) <= _LONGEST_HEAD:
            known.codes[known.count] = 0
            for place in range(len(head)):
                known.codes[known.count] = known.codes[known.count] << 8 | <uint32_t>head[place]
            known.count += 1
    return known


cdef bint _opens_so(str text, int64_t place, int64_t end, const unsigned char* may_open):
    """Whether what stands from a place to an end, which is in the text, may begin as the table says."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t first, second
    while place < end and Py_UNICODE_ISSPACE(PyUnicode_READ(unit, data, place)):
        place += 1
    if place >= end:
        return False
    first = PyUnicode_READ(unit, data, place)
    second = PyUnicode_READ(unit, data, place + 1) if place + 1 < end else 0
    return first > 0x7F or second > 0x7F or may_open[first << 7 | second] != 0


cdef bint _begins_so(
    str text, int64_t place, int64_t end, const unsigned char* may_open, frozenset heads, const Heads* known
):
    """The same; and the first word, in lower case, begins with one of the heads, unless it begins with a mark."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = 0, number
    cdef uint32_t character, code = 0
    cdef str word
    if not _opens_so(text, place, end, may_open):
        return False
    while Py_UNICODE_ISSPACE(PyUnicode_READ(unit, data, place)):
        place += 1
    while length < _LONGEST_HEAD and place + length < end:
        character = PyUnicode_READ(unit, data, place + length)
        if character > 0x7F:
            break
        if Py_UNICODE_ISSPACE(character):
            return False
        if length == 0 and not Py_UNICODE_ISALNUM(character):
            return True
        code = code << 8 | _lowered(character)
        for number in range(known.count):
            if known.codes[number] == code:
                return True
        length += 1
    else:
        return False
    # Outside of ASCII a letter may be several in lower case, and another one at the end of a word.
    word = text[place:end].split(None, 1)[0].lower()
    if not word[0].isalnum():
        return True
    for length in range(1, _LONGEST_HEAD + 1):
        if word[:length] in heads:
            return True
    return False
