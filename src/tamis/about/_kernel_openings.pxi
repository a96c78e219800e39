# How texts begin: the compiled twins of ``opening_so``, ``values_opening_so`` and ``short_links`` in ``_reference.py``.

from cpython.unicode cimport PyUnicode_READ

cdef enum:
    _LONGEST_HEAD = 4  # characters


def opening_so(
    str text, const int64_t[::1] starts, const int64_t[::1] ends, bytes table, frozenset heads=frozenset()
):
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    cdef int64_t start, end
    cdef Py_ssize_t number, count = starts.shape[0]
    cdef const unsigned char* may_open = _openings(table)
    cdef list found = []
    if ends.shape[0] < count:
        raise IndexError("there are fewer ends than starts")
    for number in range(count):
        start, end = max(starts[number], 0), min(ends[number], size)
        if _begins_so(text, start, end, may_open, heads) if heads else _opens_so(text, start, end, may_open):
            found.append(number)
    return found


def values_opening_so(list values, bytes table, frozenset heads):
    cdef Py_ssize_t number
    cdef const unsigned char* may_open = _openings(table)
    cdef list found = []
    cdef str value
    for number in range(len(values)):
        value = values[number]
        if value is not None and _begins_so(value, 0, PyUnicode_GET_LENGTH(value), may_open, heads):
            found.append(number)
    return found


def short_links(page, Py_ssize_t longest, Py_ssize_t most, bytes table, frozenset heads):
    cdef object nodes = page.nodes
    cdef str text = page.text
    cdef const uint8_t[::1] tag = nodes.tag, flags = nodes.flags
    cdef const int64_t[::1] starts = nodes.text_start, ends = nodes.text_end
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    cdef Py_ssize_t node, seen = 0, count = tag.shape[0]
    cdef uint8_t link = _TAG_CODES["a"]
    cdef const unsigned char* may_open = _openings(table)
    cdef list short = [], opening = []
    if flags.shape[0] != count or starts.shape[0] != count or ends.shape[0] != count:
        raise ValueError("arrays that do not belong together")
    for node in range(count):
        if tag[node] != link or flags[node] & _FOREIGN:
            continue
        if seen == most:
            break
        seen += 1
        if ends[node] - starts[node] < longest:
            short.append(node)
            if _begins_so(text, max(starts[node], 0), min(ends[node], size), may_open, heads):
                opening.append(node)
    return short, opening


cdef const unsigned char* _openings(bytes table) except NULL:
    if len(table) < 0x4000:
        raise IndexError("pairs of characters are missing in the table")
    return <const unsigned char*>table


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


cdef bint _begins_so(str text, int64_t place, int64_t end, const unsigned char* may_open, frozenset heads):
    """The same; and the first word, in lower case, begins with one of the heads, unless it begins with a mark."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = 0
    cdef str word
    if not _opens_so(text, place, end, may_open):
        return False
    while Py_UNICODE_ISSPACE(PyUnicode_READ(unit, data, place)):
        place += 1
    while length < _LONGEST_HEAD and place + length < end:
        if Py_UNICODE_ISSPACE(PyUnicode_READ(unit, data, place + length)):
            break
        length += 1
    word = text[place : place + length]
    # Outside of ASCII a letter may be several in lower case, and another one at the end of a word.
    word = (word if word.isascii() else text[place:end].split(None, 1)[0]).lower()
    if not word[0].isalnum():
        return True
    for length in range(1, _LONGEST_HEAD + 1):
        if word[:length] in heads:
            return True
    return False
