# How texts begin: the compiled twins of ``opening_so`` and ``values_opening_so`` in ``_reference.py``.

from cpython.unicode cimport PyUnicode_READ


def opening_so(str text, const int64_t[::1] starts, const int64_t[::1] ends, bytes table):
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    cdef Py_ssize_t number, count = starts.shape[0]
    cdef const unsigned char* may_open = _openings(table)
    cdef list found = []
    if ends.shape[0] < count:
        raise IndexError("there are fewer ends than starts")
    for number in range(count):
        if _opens_so(text, max(starts[number], 0), min(ends[number], size), may_open):
            found.append(number)
    return found


def values_opening_so(list values, bytes table):
    cdef Py_ssize_t number
    cdef const unsigned char* may_open = _openings(table)
    cdef list found = []
    cdef object value
    for number in range(len(values)):
        value = values[number]
        if value is not None and _opens_so(<str>value, 0, PyUnicode_GET_LENGTH(value), may_open):
            found.append(number)
    return found


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
