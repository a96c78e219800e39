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
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from cpython.unicode cimport (
    Py_UNICODE_ISDECIMAL,
    Py_UNICODE_ISSPACE,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_Substring,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset, strchr

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

include "../_kernel_arrays.pxi"

# Quicker than to name the fields one by one.
cdef object _cut_pieces = functools.partial(tuple.__new__, CutPieces)
cdef object _kept_text = functools.partial(tuple.__new__, KeptText)
cdef object _runs = functools.partial(tuple.__new__, Runs)
cdef object _list_places = functools.partial(tuple.__new__, ListPlaces)
cdef object _row_places = functools.partial(tuple.__new__, RowPlaces)
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


def kept_text(str text not None, tuple kept, tag, flags, parent, subtree_end, text_start, text_end, run):
    starts, ends = _merged(kept)
    pieces = _cut(text, starts, ends, None, tag, flags, text_start, text_end, run)
    node, tags, names = _holders((<tuple>pieces)[0], tag, parent)
    return _kept_text((starts, ends, pieces, node, tags, names))


cdef tuple _merged(tuple kept):
    """Starts and ends of spans, sorted; those that touch are one."""
    cdef Py_ssize_t count = len(kept), place = 0
    cdef int64_t start, end, last = -1
    cdef int64_t* starts = NULL
    cdef int64_t* ends = NULL
    start_array, end_array = _new_longs(count, &starts), _new_longs(count, &ends)
    for span in kept:
        if not isinstance(span, tuple) or len(<tuple>span) != 2:
            raise ValueError("a span is a start and an end")
        start, end = (<tuple>span)[0], (<tuple>span)[1]
        if end <= start or start < last:
            return _union(*_as_arrays(kept))
        if place and start == last:
            ends[place - 1] = end
        else:
            starts[place], ends[place] = start, end
            place += 1
        last = end
    return (start_array, end_array) if place == count else (start_array[:place], end_array[:place])


cdef object _copied(const int64_t* numbers, Py_ssize_t count):
    """An array of so many whole numbers."""
    cdef int64_t* own = NULL
    found = _new_longs(count, &own)
    memcpy(own, numbers, count * sizeof(int64_t))
    return found


cdef object _copied_marks(const uint8_t* marks, Py_ssize_t count):
    found = _empty(count, _truth)
    memcpy(<uint8_t*>_bytes(found, count), marks, count)
    return found


cdef object _new_marks(Py_ssize_t count, uint8_t** marks):
    """An array of marks that are all false, and where they stand."""
    found = _zeros(count, _truth)
    marks[0] = <uint8_t*>_bytes(found, count)
    return found


cdef int _check_parents(const int64_t[::1] parent) except -1:
    """No node but the first has a parent that is not on the page."""
    cdef Py_ssize_t size = parent.shape[0], node
    cdef bint is_astray = False
    for node in range(1, size):
        is_astray |= not 0 <= parent[node] < size
    if is_astray:
        raise IndexError("a parent lies outside of the page")
    return 0


cdef tuple _holders(texts, tag, parent):
    """The elements that hold some text nodes, in page order; their tags, and those that are among them as bits."""
    cdef Py_ssize_t size = len(tag), pieces = len(texts), number, place, first, count = 0
    cdef const uint8_t* tags = _bytes(tag, size)
    cdef const int64_t* parents = _longs(parent, size)
    cdef const int64_t* nodes = _longs(texts, pieces)
    cdef int64_t above
    cdef uint64_t[4] names  # of the tags that are among them, a bit for each
    cdef int64_t* found = <int64_t*>PyMem_Calloc(size, sizeof(int64_t) + 1)
    cdef uint8_t* held = <uint8_t*>(found + size)
    cdef uint8_t* own_tags
    if found is NULL:
        raise MemoryError
    memset(names, 0, sizeof(names))
    try:
        for number in range(pieces):
            # Elements above a text that are above none before it are below all that were found, so that to write them
            # down from the outermost to the innermost keeps the order of the page.
            first = count
            above = parents[nodes[number]]
            while above > 0:
                if above >= size:
                    raise IndexError("a parent lies outside of the page")
                if held[above]:
                    break
                held[above] = 1
                count += 1
                above = parents[above]
            above = parents[nodes[number]]
            for place in range(count - 1, first - 1, -1):
                found[place] = above
                above = parents[above]
        tag_array = _empty(count, _byte)
        own_tags = <uint8_t*>_bytes(tag_array, count)
        for place in range(count):
            own_tags[place] = tags[found[place]]
            names[own_tags[place] >> 6] |= <uint64_t>1 << (own_tags[place] & 63)
        bits = <object>names[0]
        for place in range(1, 4):
            if names[place]:
                bits |= <object>names[place] << (64 * place)
        return _copied(found, count), tag_array, bits
    finally:
        PyMem_Free(found)


def cut_pieces(str text not None, starts, ends, clutter, tag, flags, text_start, text_end, run):
    return _cut(text, starts, ends, clutter, tag, flags, text_start, text_end, run)


cdef object _cut(str text, starts, ends, clutter, tag, flags, text_start, text_end, run):
    """Sorted spans, cut where text nodes begin and end, without the nodes that are clutter, if any is given."""
    cdef Py_ssize_t count = len(tag), spans = len(starts), node, span = 0, place, number = 0, first, room
    cdef bint is_kept
    cdef int64_t start, end, seen = 0, last_seen = -1, last_run = -1
    cdef const int64_t* span_start = _longs(starts, spans)
    cdef const int64_t* span_end = _longs(ends, spans)
    cdef const uint8_t* is_clutter = NULL
    cdef const uint8_t* tags = _bytes(tag, count)
    cdef const uint8_t* flag = _bytes(flags, count)
    cdef const int64_t* node_start = _longs(text_start, count)
    cdef const int64_t* node_end = _longs(text_end, count)
    cdef const int64_t* runs = _longs(run, count)
    cdef const uint8_t* classes = &_CLASSES[0]
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    if clutter is not None:
        is_clutter = _bytes(clutter, count)
    first = _first_node(node_start, count, span_start[0]) if spans else count
    room = spans + count - first  # each span gives a piece, and one more for each border of a text node in it
    cdef int64_t* nodes = <int64_t*>PyMem_Malloc(room * (4 * sizeof(int64_t) + 2))
    if nodes is NULL:
        raise MemoryError
    cdef int64_t* begins = nodes + room
    cdef int64_t* stops = begins + room
    cdef int64_t* own_runs = stops + room
    cdef uint8_t* is_cut = <uint8_t*>(own_runs + room)
    cdef uint8_t* is_blank = is_cut + room
    try:
        for node in range(first, count):
            if tags[node] != _TEXT or (is_clutter is not NULL and is_clutter[node]):
                continue
            while span < spans and span_end[span] <= node_start[node]:
                span += 1
            if span == spans:
                break
            place = span
            is_kept = False
            while place < spans and span_start[place] < node_end[node]:
                start = max(span_start[place], node_start[node], 0)
                end = min(span_end[place], node_end[node], size)
                if end > start:
                    if number == room:
                        raise IndexError("spans that are not in order")
                    is_kept = True
                    nodes[number], begins[number], stops[number], own_runs[number] = node, start, end, runs[node]
                    is_cut[number] = (
                        number > 0 and runs[node] == last_run and seen + start - node_start[node] > last_seen
                    )
                    if unit == 1:
                        is_blank[number] = _is_blank(<const uint8_t*>data, start, end, classes)
                    elif unit == 2:
                        is_blank[number] = _is_blank(<const uint16_t*>data, start, end, classes)
                    else:
                        is_blank[number] = _is_blank(<const uint32_t*>data, start, end, classes)
                    last_seen = seen + end - node_start[node]
                    last_run = runs[node]
                    number += 1
                place += 1
            if is_kept or not flag[node] & _INVISIBLE:
                seen += node_end[node] - node_start[node]
        numbers = _copied(nodes, number), _copied(begins, number), _copied(stops, number), _copied(own_runs, number)
        return _cut_pieces((*numbers, _copied_marks(is_cut, number), _copied_marks(is_blank, number)))
    finally:
        PyMem_Free(nodes)


cdef Py_ssize_t _first_node(const int64_t* text_start, Py_ssize_t count, int64_t place) noexcept nogil:
    """A node before which no text reaches beyond a place: that in which it lies, or the first that begins later."""
    cdef Py_ssize_t low = 0, high = count, middle
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
include "_kernel_things.pxi"
include "_kernel_walk.pxi"
include "_kernel_inline.pxi"
