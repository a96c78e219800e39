# cython: language_level=3, freethreading_compatible=True
"""From kept spans to pieces, paragraphs and places in lists: the compiled twin of ``_reference.py``.

What each function promises is said there. Nodes are visited once, in document order, without a Python object.
"""

import functools

import numpy as np

from tamis.outputs import _events, _reference, _walk
from tamis.outputs import _markdown_inline as _inline
from tamis.outputs._code_language import code_language as _code_language
from tamis.outputs._formulas import split_formulas as _split_formulas
from tamis.outputs._reference import CutPieces, KeptText, ListPlaces, RowPlaces, Runs
from tamis.page.html import HEADINGS as _HEADINGS
from tamis.page.html import TEXT
from tamis.page.model import INVISIBLE, PREFORMATTED
from tamis.page.spans import as_arrays as _as_arrays
from tamis.page.spans import union as _union
from tamis.page.text import LETTER, SPACE, class_table
from tamis.urls import MAX_LENGTH as _MAX_LENGTH
from tamis.urls import resolve as _resolve

cimport cython
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from cpython.unicode cimport (
    Py_UNICODE_ISSPACE,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_Substring,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

cdef object _empty = np.empty, _zeros = np.zeros
cdef object _INTS = np.dtype(np.int64), _BYTES = np.dtype(np.uint8), _BOOLS = np.dtype(np.bool_)
cdef object _cut_pieces = functools.partial(tuple.__new__, CutPieces)  # quicker than to name the fields one by one
cdef uint8_t _TEXT = TEXT, _INVISIBLE = INVISIBLE, _PREFORMATTED = PREFORMATTED, _SPACE = SPACE, _LETTER = LETTER
cdef int64_t _MOST_INDENTS = _reference.MOST_INDENTS
cdef const uint8_t[::1] _CLASSES = class_table()
cdef enum:
    _BLANK = 32
    _LINE_END = 10
    _TAB = 9
    _WORD = 8  # bytes that are looked at together
    _MOST_WHITE = 1 << 30  # characters between blocks; more than any table of a page asks for

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t


def kept_text(
    str text,
    tuple kept,
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] parent,
    const int64_t[::1] subtree_end,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
    const int64_t[::1] run,
):
    starts, ends = _merged(kept)
    pieces = _cut(text, starts, ends, None, tag, flags, text_start, text_end, run)
    return KeptText(starts, ends, pieces, *_holders(pieces.node, tag, parent))


cdef tuple _merged(tuple kept):
    """Starts and ends of spans, sorted; those that touch are one."""
    cdef Py_ssize_t count = len(kept), place = 0
    borders = _empty((2, count), _INTS)
    cdef int64_t[:, ::1] border = borders
    cdef int64_t start, end, last = -1
    for start, end in kept:
        if end <= start or start < last:
            return _union(*_as_arrays(kept))
        if place and start == last:
            border[1, place - 1] = end
        else:
            border[0, place] = start
            border[1, place] = end
            place += 1
        last = end
    return borders[0, :place], borders[1, :place]


cdef int _check_parents(const int64_t[::1] parent) except -1:
    """No node but the first has a parent that is not on the page."""
    cdef Py_ssize_t size = parent.shape[0], node
    cdef bint is_astray = False
    for node in range(1, size):
        is_astray |= not 0 <= parent[node] < size
    if is_astray:
        raise IndexError("a parent lies outside of the page")
    return 0


cdef tuple _holders(const int64_t[::1] texts, const uint8_t[::1] tag, const int64_t[::1] parent):
    """The elements that hold some text nodes, in page order; their tags, and those that are among them as bits."""
    cdef Py_ssize_t size = tag.shape[0], number, place, first, count = 0
    cdef int64_t above
    cdef uint64_t[4] names  # of the tags that are among them, a bit for each
    cdef uint8_t* held
    if parent.shape[0] != size:
        raise IndexError("columns that do not belong together")
    node_array, tag_array = _empty(size, _INTS), _empty(size, _BYTES)
    cdef int64_t[::1] found = node_array
    cdef uint8_t[::1] tags = tag_array
    memset(names, 0, sizeof(names))
    held = <uint8_t*>PyMem_Calloc(size, 1)
    if held is NULL:
        raise MemoryError
    try:
        for number in range(texts.shape[0]):
            # Elements above a text that are above none before it are below all that were found, so that to write them
            # down from the outermost to the innermost keeps the order of the page.
            first = count
            above = parent[texts[number]]
            while above > 0:
                if above >= size:
                    raise IndexError("a parent lies outside of the page")
                if held[above]:
                    break
                held[above] = 1
                count += 1
                above = parent[above]
            above = parent[texts[number]]
            for place in range(count - 1, first - 1, -1):
                found[place], tags[place] = above, tag[above]
                names[tag[above] >> 6] |= <uint64_t>1 << (tag[above] & 63)
                above = parent[above]
    finally:
        PyMem_Free(held)
    bits = names[0] | <object>names[1] << 64 | <object>names[2] << 128 | <object>names[3] << 192
    return node_array[:count], tag_array[:count], bits


def cut_pieces(
    str text,
    const int64_t[::1] starts,
    const int64_t[::1] ends,
    clutter,
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
    const int64_t[::1] run,
):
    is_clutter = None if clutter is None else clutter.view(np.uint8)
    return _cut(text, starts, ends, is_clutter, tag, flags, text_start, text_end, run)


cdef object _cut(
    str text,
    const int64_t[::1] starts,
    const int64_t[::1] ends,
    const uint8_t[::1] is_clutter,
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
    const int64_t[::1] run,
):
    """Sorted spans, cut where text nodes begin and end, without the nodes that are clutter, if any is given."""
    cdef Py_ssize_t count = tag.shape[0], spans = starts.shape[0], node, span = 0, place, number = 0, first, room
    cdef bint has_clutter = is_clutter is not None, is_kept
    cdef int64_t start, end, seen = 0, last_seen = -1, last_run = -1
    if not count == flags.shape[0] == text_start.shape[0] == text_end.shape[0] == run.shape[0]:
        raise IndexError("columns that do not belong together")
    if ends.shape[0] != spans or (has_clutter and is_clutter.shape[0] != count):
        raise IndexError("columns that do not belong together")
    first = _first_node(text_start, starts[0]) if spans else count
    room = spans + count - first  # each span gives a piece, and one more for each border of a text node in it
    number_arrays, mark_arrays = _empty((4, room), _INTS), _empty((2, room), _BOOLS)
    cdef int64_t[:, ::1] numbers = number_arrays
    cdef uint8_t[:, ::1] marks = mark_arrays.view(np.uint8)
    cdef const uint8_t* classes = &_CLASSES[0]
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    for node in range(first, count):
        if tag[node] != _TEXT or (has_clutter and is_clutter[node]):
            continue
        while span < spans and ends[span] <= text_start[node]:
            span += 1
        if span == spans:
            break
        place = span
        is_kept = False
        while place < spans and starts[place] < text_end[node]:
            start = max(starts[place], text_start[node], 0)
            end = min(ends[place], text_end[node], size)
            if end > start:
                if number == room:
                    raise IndexError("spans that are not in order")
                is_kept = True
                numbers[0, number] = node
                numbers[1, number] = start
                numbers[2, number] = end
                numbers[3, number] = run[node]
                marks[0, number] = (
                    number > 0 and run[node] == last_run and seen + start - text_start[node] > last_seen
                )
                if unit == 1:
                    marks[1, number] = _is_blank(<const uint8_t*>data, start, end, classes)
                elif unit == 2:
                    marks[1, number] = _is_blank(<const uint16_t*>data, start, end, classes)
                else:
                    marks[1, number] = _is_blank(<const uint32_t*>data, start, end, classes)
                last_seen = seen + end - text_start[node]
                last_run = run[node]
                number += 1
            place += 1
        if is_kept or not flags[node] & _INVISIBLE:
            seen += text_end[node] - text_start[node]
    return _cut_pieces((*number_arrays[:, :number], *mark_arrays[:, :number]))


cdef Py_ssize_t _first_node(const int64_t[::1] text_start, int64_t place) noexcept nogil:
    """A node before which no text reaches beyond a place: that in which it lies, or the first that begins later."""
    cdef Py_ssize_t low = 0, high = text_start.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if text_start[middle] < place:
            low = middle + 1
        else:
            high = middle
    return max(low - 1, 0)


cdef bint _is_blank(const Char* data, int64_t start, int64_t end, const uint8_t* classes) noexcept nogil:
    cdef int64_t place
    for place in range(start, end):
        if classes[data[place]] != _SPACE:
            return False
    return True


include "_kernel_marks.pxi"
include "_kernel_text.pxi"
include "_kernel_walk.pxi"
include "_kernel_inline.pxi"
