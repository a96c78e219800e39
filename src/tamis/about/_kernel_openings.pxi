# How texts begin: the compiled twin of ``opening_so`` in ``_reference.py``.

from cpython.unicode cimport PyUnicode_READ


def opening_so(str text, const int64_t[::1] starts, const int64_t[::1] ends, bytes table):
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text), place, end
    cdef Py_ssize_t number, count = starts.shape[0]
    cdef uint32_t first, second
    cdef const unsigned char* may_open = table
    cdef list found = []
    if ends.shape[0] < count or len(table) < 0x4000:
        raise IndexError("there are fewer ends than starts, or pairs of characters are missing in the table")
    for number in range(count):
        place, end = max(starts[number], 0), min(ends[number], size)
        while place < end and Py_UNICODE_ISSPACE(PyUnicode_READ(unit, data, place)):
            place += 1
        if place >= end:
            continue
        first = PyUnicode_READ(unit, data, place)
        second = PyUnicode_READ(unit, data, place + 1) if place + 1 < end else 0
        if first > 0x7F or second > 0x7F or may_open[first << 7 | second]:
            found.append(number)
    return found
