# cython: language_level=3, freethreading_compatible=True
"""Where in a text a date may be written, and what may tell the headline: the compiled twin of ``_reference.py``.

What each function promises is said there. Characters are visited once, without a Python object.
"""

from html import unescape as _unescape

import numpy as np

from tamis.about import likeness as _likeness
from tamis.about.declared import cleaned as _cleaned
from tamis.page import model as _model
from tamis.page.html import TAG_CODES as _TAG_CODES
from tamis.page.html import TEXT as _TEXT_CODE
from tamis.page.kernel import kernel as _page_kernel

cimport cython
from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from cpython.unicode cimport (
    Py_UNICODE_ISALNUM,
    Py_UNICODE_ISDECIMAL,
    Py_UNICODE_ISSPACE,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_FromStringAndSize,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset, strchr

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST
    const Py_ssize_t PY_SSIZE_T_MAX

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

cdef enum:
    _QUOTE = 0x27
    _STRETCH = 32  # characters
    _HIGH_QUOTE = 0x2019

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t

include "../_kernel_arrays.pxi"


def date_places(str text):
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    cdef list found = []
    if unit == 1:
        _find_dates(<const uint8_t*>data, size, found)
    elif unit == 2:
        _find_dates(<const uint16_t*>data, size, found)
    else:
        _find_dates(<const uint32_t*>data, size, found)
    return np.array(found, dtype=np.int64)


cdef int _find_dates(const Char* data, int64_t size, list found) except -1:
    cdef int64_t place = 0, end
    while place < size - 2:
        end = min(place + _STRETCH, size - 2)
        if end - place == _STRETCH and not _has_beginnings(data + place):
            place = end
        while place < end:
            if _is_beginning(data[place]) and _may_begin(data, place, size):
                found.append(place)
            place += 1
    return 0


cdef bint _has_beginnings(const Char* data) noexcept:
    """Whether a stretch holds a character with which a date may begin, which is seen of many characters at a time."""
    cdef int place
    cdef bint found = False
    for place in range(_STRETCH):
        found |= _is_beginning(data[place])
    return found


cdef inline bint _is_beginning(Char character) noexcept:
    """True for digits and quotation marks; beyond ASCII for all, which are few."""
    return (character >= 0x80) | ((character >= 0x30) & (character <= 0x39)) | (character == _QUOTE)


cdef bint _may_begin(const Char* data, int64_t place, int64_t size) noexcept:
    cdef uint32_t character = data[place]
    cdef int64_t digits
    if character == _QUOTE or character == _HIGH_QUOTE:
        return _digits(data, place + 1, size) == 2
    if not _is_digit(character):
        return False
    if (character == c"1" and data[place + 1] == c"9") or (character == c"2" and data[place + 1] == c"0"):
        if _digits(data, place + 2, size) == 2:
            return True
    place = _after_separator(data, place + 1, size)
    digits = _digits(data, place, size)
    if digits == 0:
        return False
    return _digits(data, _after_separator(data, place + digits, size), size) == 2


cdef int64_t _digits(const Char* data, int64_t place, int64_t size) noexcept:
    """How many digits stand at a place, two at most."""
    if place >= size or not _is_digit(data[place]):
        return 0
    return 2 if place + 1 < size and _is_digit(data[place + 1]) else 1


cdef int64_t _after_separator(const Char* data, int64_t place, int64_t size) noexcept:
    """The place after a full stop, a slash or a hyphen and the white space behind it; the end if there is none."""
    if place >= size or not (0x2D <= data[place] <= 0x2F):
        return size
    place += 1
    while place < size and Py_UNICODE_ISSPACE(data[place]):
        place += 1
    return place


cdef inline bint _is_digit(uint32_t character) noexcept:
    return 0x30 <= character <= 0x39 if character < 0x80 else Py_UNICODE_ISDECIMAL(character)


include "_kernel_headlines.pxi"
include "_kernel_titles.pxi"
include "_kernel_openings.pxi"
include "_kernel_words.pxi"
include "_kernel_blocks.pxi"
include "_kernel_meta.pxi"
