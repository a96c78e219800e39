# cython: language_level=3, freethreading_compatible=True
"""The source beside the text of the tree: the compiled twin of ``_reference.py``.

What each function promises is said there. Tokens and characters are visited once.
"""

import numpy as np

from tamis.page.source._reference import Events
from tamis.page.text import SPACE, class_table

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

cdef uint8_t _SPACE = SPACE
cdef enum:
    _ROOM = 4096  # tokens, to begin with
    _STRETCH = 4096  # characters

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t


def without_nameless_ends(str markup):
    cdef int unit = PyUnicode_KIND(markup)
    cdef const void* data = PyUnicode_DATA(markup)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(markup)
    cdef bint found
    if unit == 1:
        found = _has_nameless_end(<const uint8_t*>data, size)
    elif unit == 2:
        found = _has_nameless_end(<const uint16_t*>data, size)
    else:
        found = _has_nameless_end(<const uint32_t*>data, size)
    return markup.replace("</>", "<!>") if found else markup


cdef bint _has_nameless_end(const Char* data, Py_ssize_t size) noexcept nogil:
    """Whether there is one, which is seen of many characters at a time."""
    cdef Py_ssize_t place = 0, end
    cdef Char found = 0
    while place < size - 2 and not found:
        end = min(place + _STRETCH, size - 2)
        while place < end:
            found |= (data[place] == c"<") & (data[place + 1] == c"/") & (data[place + 2] == c">")
            place += 1
    return found != 0


def read_events(tokens, dict kinds, raw_names):
    cdef list values = [], raw = []
    cdef object token, tag, value, source
    cdef Py_ssize_t count = 0, room = _ROOM
    arrays = np.empty((2, room), dtype=np.int64)
    cdef int64_t[:, ::1] rows = arrays
    for token in tokens:
        if count == room:
            arrays = np.concatenate((arrays, np.empty((2, room), dtype=np.int64)), axis=1)
            rows = arrays
            room *= 2
        tag = token.tag
        value = tag or token.data or ""
        source = token.source
        rows[0, count] = kinds[token.type]
        rows[1, count] = len(source or value)
        values.append(value)
        if tag is not None and tag in raw_names:
            raw.append(count)
        count += 1
    return Events(arrays[0, :count].copy(), arrays[1, :count].copy(), values, raw)


def code_lengths(str source, const int64_t[::1] starts, const int64_t[::1] ends):
    cdef int unit = PyUnicode_KIND(source)
    cdef const void* data = PyUnicode_DATA(source)
    cdef int64_t size = PyUnicode_GET_LENGTH(source)
    cdef Py_ssize_t place, count = starts.shape[0]
    lengths_array = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] lengths = lengths_array
    cdef const uint8_t[::1] classes = class_table()
    for place in range(count):
        if not 0 <= starts[place] <= ends[place] <= size:
            raise ValueError("a range outside the source")
    for place in range(count):
        if unit == 1:
            lengths[place] = _solid(<const uint8_t*>data, starts[place], ends[place], &classes[0])
        elif unit == 2:
            lengths[place] = _solid(<const uint16_t*>data, starts[place], ends[place], &classes[0])
        else:
            lengths[place] = _solid(<const uint32_t*>data, starts[place], ends[place], &classes[0])
    return lengths_array


cdef int64_t _solid(const Char* data, int64_t start, int64_t end, const uint8_t* classes) noexcept nogil:
    """How many characters of a range are no white space."""
    cdef int64_t place, found = 0
    for place in range(start, end):
        found += classes[data[place]] != _SPACE
    return found


def places_in_order(str source, str text, const int64_t[::1] starts, const int64_t[::1] ends):
    cdef int unit = PyUnicode_KIND(source), text_unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(source)
    cdef const void* text_data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(source), text_size = PyUnicode_GET_LENGTH(text)
    cdef int64_t place, here = 0, count = starts.shape[0], word = 0
    cdef uint32_t character, other = 0
    cdef const uint8_t[::1] classes = class_table()
    found_starts, found_ends = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    cdef int64_t[::1] start = found_starts, end = found_ends
    cdef bint is_contiguous = True
    for place in range(size):
        character = PyUnicode_READ(unit, data, place)
        if classes[character] == _SPACE:
            continue
        while here < text_size:
            other = PyUnicode_READ(text_unit, text_data, here)
            if classes[other] != _SPACE:
                break
            here += 1
        if here == text_size or other != character:
            return None
        if word < count and starts[word] == place:
            start[word] = here
        if word < count and ends[word] - 1 == place:
            end[word] = here + 1
            is_contiguous &= end[word] - start[word] == ends[word] - starts[word]
            word += 1
        here += 1
    while here < text_size:
        if classes[PyUnicode_READ(text_unit, text_data, here)] != _SPACE:
            return None
        here += 1
    return (found_starts, found_ends) if is_contiguous and word == count else None
