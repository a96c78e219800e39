# cython: language_level=3, freethreading_compatible=True
"""From the parser's tree to arrays: the compiled twin of ``_reference.py``, function by function.

What each function promises is said there. Here every node is visited once, in document order, and nothing but the two
functions that talk to the parser holds the interpreter's lock while it counts.
"""

from types import GetSetDescriptorType, MethodDescriptorType

import numpy as np

from tamis.page._reference import BlockArrays, FlowArrays, NodeArrays, NodeList, Survey
from tamis.page import _reference
from tamis.page import table_contents as table_facts
from tamis.page.html import CODE_NAMES, TAG_CODES, TAG_NAMES, TEXT, VOID_NAMES
from tamis.page.model import FOREIGN, HIDDEN, INVISIBLE, LINK, PREFORMATTED, UNRENDERED
from tamis.page.sniff import CONTROLS, HEAD_SIZE, RAW_TEXT_NAMES
from tamis.page.spans import Span
from tamis.page.text import LETTER, SPACE, class_table

cimport cython
from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.dict cimport PyDict_GetItem
from cpython.exc cimport PyErr_Clear, PyErr_ExceptionMatches, PyErr_Occurred
from cpython.object cimport PyObject
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport Py_DECREF, Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from cpython.unicode cimport (
    Py_UNICODE_ISALNUM,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset, strchr

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST
    void* memmem(const void* text, size_t size, const void* sought, size_t length) noexcept nogil

cdef extern from "Python.h":
    # How a class written in C answers for one of its attributes.
    ctypedef PyObject* (*getter)(PyObject*, void*) except NULL
    ctypedef struct PyGetSetDef:
        getter get
        void* closure
    ctypedef struct PyGetSetDescrObject:
        PyGetSetDef* d_getset
    # How a class written in C answers a call with arguments.
    ctypedef PyObject* (*PyCFunctionWithKeywords)(PyObject*, PyObject*, PyObject*) except NULL
    ctypedef struct PyMethodDef:
        void* ml_meth
        int ml_flags
    ctypedef struct PyMethodDescrObject:
        PyMethodDef* d_method
    int METH_VARARGS
    int METH_KEYWORDS
    # How an iterator gives the next of its objects; NULL at the end.
    ctypedef PyObject* (*iternextfunc)(PyObject*)
    ctypedef struct PyTypeObject:
        iternextfunc tp_iternext
    PyTypeObject* Py_TYPE(object)
    object PyType_GenericAlloc(PyTypeObject*, Py_ssize_t)
    str PyUnicode_New(Py_ssize_t length, uint32_t highest)
    uint32_t PyUnicode_MAX_CHAR_VALUE(object)

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

# Constants of the document model, read once; nothing writes them afterwards.
cdef uint8_t _TEXT = TEXT, _CODE = TAG_CODES["#code"], _OTHER = TAG_CODES["#other"]
cdef uint8_t _ANCHOR = TAG_CODES["a"], _BREAK = TAG_CODES["br"], _HTML = TAG_CODES["html"], _BODY = TAG_CODES["body"]
cdef uint8_t _SCRIPT = TAG_CODES["script"], _STYLE = TAG_CODES["style"]
cdef uint8_t _DIALOG = TAG_CODES["dialog"]
cdef uint8_t _MOST_COUNTED = _reference.MOST_COUNTED
cdef uint8_t _TEMPLATE = TAG_CODES["template"], _IFRAME = TAG_CODES["iframe"]
cdef uint8_t _NOFRAMES = TAG_CODES["noframes"], _TEXTAREA = TAG_CODES["textarea"]
cdef uint8_t _FOREIGN = FOREIGN, _HIDDEN = HIDDEN, _INVISIBLE = INVISIBLE, _LINK = LINK
cdef uint8_t _CLOSED = UNRENDERED | PREFORMATTED
cdef enum:
    _ROOM = 4096  # nodes that most pages do not have
    _STRETCH = 65536  # characters of text that most pages do not have
    _SLOTS = 512
    _RECENT = 256  # texts, of which a page has fewer kinds than that
    _MOST_OPEN = 512
    _MOST_ALIKE = 3
    _MOST_NODES = 514
assert (LETTER, SPACE) == (0, 1)  # as in the loops over characters
assert (_MOST_OPEN, _MOST_ALIKE) == (_reference.MOST_OPEN, _reference.MOST_ALIKE)
assert _MOST_NODES == _reference.MOST_NODES
assert CODE_NAMES == {"script", "style"}
assert _reference.UNASKED == ""
cdef int64_t _HEAD_SIZE = HEAD_SIZE
cdef const uint8_t[::1] _IS_CONTROL = bytes(code in CONTROLS for code in range(32))
assert max(CONTROLS) < 32
cdef tuple _RAW_TEXT_NAMES = tuple([name.encode() for name in RAW_TEXT_NAMES])

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t

ctypedef fused Wide:
    uint8_t
    uint16_t
    uint32_t

include "../_kernel_arrays.pxi"
include "_kernel_scans.pxi"

cdef const uint8_t[::1] _CLASSES = class_table()
cdef Py_ssize_t _CODES = len(TAG_NAMES)


cdef inline const uint8_t* _table(table) except? NULL:
    """What is known of every tag code."""
    return _bytes(table, _CODES)


cdef inline bytearray _room(Py_ssize_t size):
    """Zeros to count in, which are gone with the object that holds them; made more quickly than an array and its view."""
    cdef bytearray room = PyByteArray_FromStringAndSize(NULL, size)
    memset(PyByteArray_AS_STRING(room), 0, size)
    return room


cdef inline bint _is_holder(uint8_t code) noexcept nogil:
    return code == _TEMPLATE or code == _IFRAME or code == _NOFRAMES or code == _TEXTAREA


cdef inline bint _is_seen(uint8_t code, uint8_t flags) noexcept nogil:
    return (code == _TEXT) & (flags & _INVISIBLE == 0)


@cython.final
cdef class _Merge:
    """Elements in document order that a walk in document order meets one by one."""

    cdef list _elements
    cdef Py_ssize_t _place
    cdef PyObject* _next

    def __cinit__(self, list elements):
        self._elements = elements
        self._place = 0
        self._next = <PyObject*>elements[0] if elements else NULL

    cdef inline bint meets(self, PyObject* handle):
        if handle is not self._next:
            return False
        self._place += 1
        self._next = <PyObject*>self._elements[self._place] if self._place < len(self._elements) else NULL
        return True


@cython.final
cdef class _Field:
    """An attribute that all nodes of one class have, asked of the class once and not anew for every node."""

    cdef object _descriptor
    cdef str _name
    cdef PyGetSetDef* _answer

    def __cinit__(self, kind, str name):
        self._descriptor = getattr(kind, name)  # which holds what is pointed to
        self._name = name
        self._answer = NULL
        if type(self._descriptor) is GetSetDescriptorType:
            self._answer = (<PyGetSetDescrObject*>self._descriptor).d_getset

    cdef inline object of(self, object node):
        """The value for a node, which must be of the class."""
        cdef PyObject* found
        if self._answer is NULL or self._answer.get is NULL:
            return getattr(node, self._name)
        found = self._answer.get(<PyObject*>node, self._answer.closure)
        value = <object>found
        Py_DECREF(value)
        return value


@cython.final
cdef class _Attribute:
    """One attribute asked of many elements: how their class answers is looked up once and not anew for every element."""

    cdef object _kind, _descriptor
    cdef tuple _arguments
    cdef PyCFunctionWithKeywords _answer

    def __cinit__(self, str name):
        self._kind, self._arguments, self._answer = None, (name,), NULL

    cdef inline object of(self, object handle):
        """The value for an element; None if it has none."""
        cdef PyObject* found
        if type(handle) is not self._kind:
            self._learn(type(handle))
        if self._answer is NULL:
            return handle.attr(self._arguments[0])
        found = self._answer(<PyObject*>handle, <PyObject*>self._arguments, NULL)
        value = <object>found
        Py_DECREF(value)
        return value

    cdef int _learn(self, kind) except -1:
        cdef PyMethodDef* method
        self._kind, self._descriptor, self._answer = kind, kind.attr, NULL  # which holds what is pointed to
        if type(self._descriptor) is MethodDescriptorType:
            method = (<PyMethodDescrObject*>self._descriptor).d_method
            if method.ml_flags == METH_VARARGS | METH_KEYWORDS:
                self._answer = <PyCFunctionWithKeywords>method.ml_meth
        return 0


@cython.final
cdef class _Hiding:
    """What is asked of elements that say how they are shown."""

    cdef _Attribute _aria, _style, _identity

    def __cinit__(self):
        self._aria, self._style, self._identity = _Attribute("aria-hidden"), _Attribute("style"), _Attribute("id")

    cdef bint hides(self, handle, attributes) except -1:
        """Whether such an element hides itself. To look for a name among its attributes is quicker than to ask for it."""
        if "aria-hidden" in attributes and (self._aria.of(handle) or "").lower() == "true":
            return True
        if "style" in attributes:
            style = self._style.of(handle)
            if style is not None and _may_hide(style) and _reference.HIDING_STYLE.search(style) is not None:
                return True
        return "hidden" in attributes and not _reference.STREAMED.match(self._identity.of(handle) or "")


@cython.final
cdef class _Texts:
    """Texts that become one, copied one behind the other as soon as they come: most pages have thousands of them."""

    cdef void* _data
    cdef Py_ssize_t _length, _most
    cdef int _unit  # bytes of a character
    cdef uint32_t _highest  # no character is above it
    cdef list _full

    def __cinit__(self):
        self._length, self._unit, self._highest, self._full = 0, 1, 0, []
        self._data = PyMem_Malloc(_STRETCH)
        if self._data is NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self._data)

    cdef Py_ssize_t add(self, str text) except -1:
        """Copy a text; gives its length."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        cdef int unit = PyUnicode_KIND(text)
        if self._length + length > _STRETCH:
            self._close()
        if length > _STRETCH:
            self._full.append(text)
            return length
        if unit > self._unit:
            self._widen(unit)
        self._highest = max(self._highest, PyUnicode_MAX_CHAR_VALUE(text))
        _copy(PyUnicode_DATA(text), unit, <char*>self._data + self._length * self._unit, self._unit, length)
        self._length += length
        return length

    cdef int _widen(self, int unit) except -1:
        """Room for wider characters, in which those that are there stand as well."""
        cdef void* data = PyMem_Malloc(_STRETCH * unit)
        if data is NULL:
            raise MemoryError
        _copy(self._data, self._unit, data, unit, self._length)
        PyMem_Free(self._data)
        self._data, self._unit = data, unit
        return 0

    cdef int _close(self) except -1:
        """Make a string of what was copied."""
        cdef str stretch = PyUnicode_New(self._length, self._highest)
        _copy(self._data, self._unit, PyUnicode_DATA(stretch), PyUnicode_KIND(stretch), self._length)
        self._full.append(stretch)
        self._length = self._highest = 0
        return 0

    cdef str joined(self):
        self._close()
        return self._full[0] if len(self._full) == 1 else "".join(self._full)


cdef void _copy(const void* data, int unit, void* target, int target_unit, Py_ssize_t length) noexcept nogil:
    """Copy characters of one width to where they have another; they must fit."""
    if unit == target_unit:
        memcpy(target, data, length * unit)
    elif unit == 1 and target_unit == 2:
        _recode(<const uint8_t*>data, <uint16_t*>target, length)
    elif unit == 1:
        _recode(<const uint8_t*>data, <uint32_t*>target, length)
    elif unit == 2 and target_unit == 4:
        _recode(<const uint16_t*>data, <uint32_t*>target, length)
    elif unit == 2:
        _recode(<const uint16_t*>data, <uint8_t*>target, length)
    elif target_unit == 2:
        _recode(<const uint32_t*>data, <uint16_t*>target, length)
    else:
        _recode(<const uint32_t*>data, <uint8_t*>target, length)


cdef inline void _recode(const Char* data, Wide* target, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t place
    for place in range(length):
        target[place] = <Wide>data[place]


# Names of up to eight letters and their codes, by a hash of the letters.
cdef uint64_t _SHORT_NAMES[_SLOTS]
cdef uint8_t _SHORT_CODES[_SLOTS]


cdef uint64_t _packed(name):
    """Up to eight letters as one number."""
    return int.from_bytes(name.encode().ljust(8, b"\0"), "little")


cdef inline Py_ssize_t _slot(uint64_t name) noexcept nogil:
    """Where a name stands, or would stand."""
    cdef Py_ssize_t slot = <Py_ssize_t>(name * <uint64_t>0x9E3779B97F4A7C15 >> 55)
    while _SHORT_NAMES[slot] and _SHORT_NAMES[slot] != name:
        slot = (slot + 1) % _SLOTS
    return slot


def _fill_short_names():
    for name, code in TAG_CODES.items():
        if len(name) <= 8:
            slot = _slot(_packed(name))
            _SHORT_NAMES[slot], _SHORT_CODES[slot] = _packed(name), code


_fill_short_names()
assert 2 * len(TAG_CODES) <= _SLOTS


cdef uint8_t _code_of(str name):
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(name)
    cdef uint64_t packed = 0
    cdef PyObject* found
    if PyUnicode_KIND(name) == 1 and length <= 8:
        memcpy(&packed, PyUnicode_DATA(name), length)
        return _SHORT_CODES[_slot(packed)]
    found = PyDict_GetItem(TAG_CODES, name)
    return 0 if found is NULL else <object>found


def read_nodes(document, list stylish, kinds, const uint8_t[::1] flags_of_tags, Py_ssize_t max_nodes):
    cdef _Merge may_hide = _Merge(stylish)
    cdef object element = kinds.element, text = kinds.text, kind
    cdef object others = kinds.others
    cdef _Attribute shadow = _Attribute("shadowrootmode"), opened = _Attribute("open")
    cdef _Hiding own_words = _Hiding()
    cdef _Field name = _Field(element, "tag"), attributes = _Field(element, "attrs"), written = _Field(text, "data")
    cdef list handles = []
    cdef _Texts texts = _Texts()
    cdef Py_ssize_t node = 0, room = min(_ROOM, max_nodes), most_attributes = 0, number
    cdef uint8_t code = 0, before, own
    cdef bint is_cut = False
    facts, numbers = np.empty((4, room), dtype=np.uint8), np.empty((2, room), dtype=np.int32)
    cdef uint8_t[:, ::1] fact = facts
    cdef int32_t[:, ::1] number_of = numbers
    cdef uint8_t[::1] tag = fact[0], flag = fact[1], attribute_count = fact[2], is_styled = fact[3]
    cdef int32_t[::1] child_counts = number_of[0], text_lengths = number_of[1]
    cdef object handle = document
    cdef object following = iter(document.descendants)
    cdef iternextfunc step = Py_TYPE(following).tp_iternext
    cdef PyObject* found
    while True:
        if node == max_nodes:
            is_cut = True
            break
        if node == room:
            room = min(2 * room, max_nodes)
            facts, numbers = _wider(facts, room), _wider(numbers, room)
            fact, number_of = facts, numbers
            tag, flag, attribute_count, is_styled = fact[0], fact[1], fact[2], fact[3]
            child_counts, text_lengths = number_of[0], number_of[1]
        kind = type(handle)
        before = code
        text_lengths[node] = attribute_count[node] = is_styled[node] = 0
        if kind is text:
            child_counts[node] = 0
            code = _CODE if (before == _SCRIPT or before == _STYLE) and child_counts[node - 1] else _TEXT
        elif kind is element:
            code = _code_of(name.of(handle))
            child_counts[node] = <int32_t>len(handle)
        else:
            code = others[kind]
            child_counts[node] = <int32_t>len(handle)
        own = flags_of_tags[code]
        if code == _TEXT:
            text_lengths[node] = <int32_t>texts.add(written.of(handle) if kind is text else handle.data)
        elif kind is element:
            own_attributes = attributes.of(handle)
            number = len(own_attributes)
            attribute_count[node] = min(number, <Py_ssize_t>_MOST_COUNTED)
            if number > most_attributes:
                most_attributes = number
            if code == _ANCHOR and "href" not in own_attributes:
                own = 0
            if _is_holder(code) and shadow.of(handle) is not None:
                own &= ~_CLOSED
            if may_hide.meets(<PyObject*>handle):
                is_styled[node] = 1
                if own_words.hides(handle, own_attributes):
                    own |= _HIDDEN
            if code == _DIALOG and opened.of(handle) is None:
                own |= _HIDDEN
            if code == _HTML or code == _BODY:
                own = 0
                if code == _HTML and _is_holder(before):
                    flag[node - 1] &= ~_CLOSED
        tag[node] = code
        flag[node] = own
        handles.append(None if kind is text else handle)
        node += 1
        found = step(<PyObject*>following)
        if found is NULL:
            break
        handle = <object>found
        Py_DECREF(handle)
    _end_of_walk()
    tags, flags, attribute_counts, styled = facts[:, :node].copy()
    counts, lengths = numbers[:, :node].copy()
    return NodeList(
        handles, tags, counts, flags, lengths, attribute_counts, styled, texts.joined(), most_attributes, is_cut
    )


cdef int _end_of_walk() except -1:
    """An iterator that gives nothing is at its end, or has failed."""
    if PyErr_Occurred() is NULL:
        return 0
    if not PyErr_ExceptionMatches(StopIteration):
        return -1
    PyErr_Clear()
    return 0


def _wider(rows, count):
    """The same rows with room for so many."""
    wider = np.empty((len(rows), count), dtype=rows.dtype)
    wider[:, : rows.shape[1]] = rows
    return wider


def node_arrays(child_counts, own_flags, text_lengths, Py_ssize_t max_depth):
    cdef Py_ssize_t count = len(child_counts), node, above = -1
    cdef int64_t offset = 0, deepest = 0
    cdef const int32_t* children = _integers(child_counts, count)
    cdef const uint8_t* own = _bytes(own_flags, count)
    cdef const int32_t* lengths = _integers(text_lengths, count)
    arrays, flags_array = _empty((5, count), _long), _empty(count, _byte)  # five rows: to make five arrays takes longer
    cdef int64_t* parent = <int64_t*>_longs(arrays, 5 * count)
    cdef int64_t* depth = parent + count
    cdef int64_t* end = depth + count
    cdef int64_t* text_start = end + count
    cdef int64_t* text_end = text_start + count
    cdef uint8_t* flags = <uint8_t*>_bytes(flags_array, count)
    # Ends are unknown until a subtree is over; until then the array holds how many children are still to come.
    with nogil:
        for node in range(count):
            while above >= 0 and end[above] == 0:
                end[above] = node
                text_end[above] = offset
                above = parent[above]
            parent[node] = above
            if above >= 0:
                end[above] -= 1
                depth[node] = depth[above] + 1
                flags[node] = own[node] | flags[above]
                if depth[node] > deepest:
                    deepest = depth[node]
            else:
                depth[node] = 0
                flags[node] = own[node]
            text_start[node] = offset
            offset += lengths[node]
            end[node] = children[node]
            above = node
        while above >= 0:
            end[above] = count
            text_end[above] = offset
            above = parent[above]
        if deepest > max_depth:
            _cap(parent, depth, end, text_start, text_end, lengths, count, max_depth)
    return NodeArrays(*arrays, flags_array, deepest > max_depth)


cdef void _cap(
    int64_t* parent,
    int64_t* depth,
    int64_t* end,
    const int64_t* text_start,
    int64_t* text_end,
    const int32_t* lengths,
    Py_ssize_t count,
    Py_ssize_t max_depth,
) noexcept nogil:
    """Make leaves of all nodes at the limit, and what is deeper their siblings."""
    cdef Py_ssize_t node
    for node in range(count):
        if depth[node] >= max_depth:
            end[node] = node + 1
            text_end[node] = text_start[node] + lengths[node]
            if depth[node] > max_depth:
                # The parent came before and has been moved to the limit, if it was not there.
                parent[node] = parent[parent[node]]
                depth[node] = max_depth


def text_sizes(tag, flags, text_start, text_end, is_raw):
    cdef Py_ssize_t count = len(tag), node
    cdef const uint8_t* codes = _bytes(tag, count)
    cdef const uint8_t* known = _bytes(flags, count)
    cdef const int64_t* start = _longs(text_start, count)
    cdef const int64_t* end = _longs(text_end, count)
    cdef const uint8_t* raw = _table(is_raw)
    cdef int64_t seen = 0, largest = 0, length
    with nogil:
        for node in range(count):  # without a branch: nobody could guess which way it goes
            length = end[node] - start[node]
            seen += length * _is_seen(codes[node], known[node])
            largest = max(largest, length * raw[codes[node]])
    return seen, largest


def line_tags(tag, flags, parent, perhaps_inline, ends_line, holds_line, uint8_t inline):
    cdef Py_ssize_t count = len(tag), node = 0
    cdef const uint8_t* codes = _bytes(tag, count)
    cdef const uint8_t* known = _bytes(flags, count)
    cdef const int64_t* above = _longs(parent, count)
    cdef const uint8_t* perhaps = _table(perhaps_inline)
    cdef const uint8_t* ends = _table(ends_line)
    cdef const uint8_t* holds = _table(holds_line)
    cdef bint has_others = False
    while node < count and not (perhaps[codes[node]] and not known[node] & _FOREIGN):
        node += 1
    if node == count:
        return tag, False
    tags = tag.copy()
    cdef uint8_t* found = <uint8_t*>_bytes(tags, count)
    cdef bytearray room = _room(count)
    cdef uint8_t* in_line = <uint8_t*>PyByteArray_AS_STRING(room)  # whether the nearest block around it holds only lines
    with nogil:
        for node in range(count):
            if node == 0 or ends[codes[node]]:
                in_line[node] = holds[codes[node]]
            else:
                in_line[node] = in_line[above[node]]
            if perhaps[codes[node]] and not known[node] & _FOREIGN:
                has_others |= codes[node] == _OTHER
                if node and in_line[above[node]]:
                    found[node] = inline
    return tags, bool(has_others)


def flow_arrays(str text, tag, flags, end, text_start, text_end, interrupts):
    cdef Py_ssize_t count = len(tag), node
    cdef const uint8_t* codes = _bytes(tag, count)
    cdef const uint8_t* known = _bytes(flags, count)
    cdef const int64_t* ends = _longs(end, count)
    cdef const int64_t* begin = _longs(text_start, count)
    cdef const int64_t* stop = _longs(text_end, count)
    cdef const uint8_t* stops = _table(interrupts)
    cdef Source source = _source(text)
    cdef bytearray bits_room = _room(2 * _words_of_bits(source.size) * sizeof(uint64_t)), borders_room = _room(count + 1)
    cdef uint64_t* bits = <uint64_t*>PyByteArray_AS_STRING(bits_room)
    cdef uint8_t* borders = <uint8_t*>PyByteArray_AS_STRING(borders_room)
    cdef Marks marks = Marks(bits, bits + _words_of_bits(source.size), source.size)
    arrays = _empty((4, count), _long)
    cdef int64_t* run = <int64_t*>_longs(arrays, 4 * count)
    cdef int64_t* line = run + count
    cdef int64_t* words = line + count
    cdef int64_t* characters = words + count
    cdef int64_t runs = 0, lines = 0, last_line = -1, at_break = -1, words_before, characters_before
    cdef Stream stream = Stream(0, 0, False)
    cdef bint is_border
    with nogil:
        _mark(source, &_CLASSES[0], marks)
        for node in range(count):
            if stops[codes[node]] and not known[node] & _FOREIGN:
                borders[node] = 1
                borders[ends[node]] = 1
            is_border = borders[node]
            if codes[node] == _BREAK:
                is_border = is_border or stream.characters == at_break
                at_break = stream.characters
                lines += 1
            else:
                lines += is_border
            runs += is_border
            run[node] = runs
            line[node] = lines
            words[node] = characters[node] = 0
            if _is_seen(codes[node], known[node]):
                if lines > last_line:
                    stream.in_word = False
                last_line = lines
                words_before, characters_before = stream.words, stream.characters
                _count(marks, begin[node], stop[node], &stream)
                words[node] = stream.words - words_before
                characters[node] = stream.characters - characters_before
    return FlowArrays(*arrays)


def block_arrays(flow, tag, flags, parent, text_start, text_end, interrupts):
    cdef Py_ssize_t count = len(tag), node, above, texts = 0, runs = 0, leaf = 0, place, block = -1
    cdef const uint8_t* stops = _table(interrupts)
    cdef const int64_t* run = _longs(flow.run, count)
    cdef const int64_t* words = _longs(flow.words, count)
    cdef const int64_t* characters = _longs(flow.characters, count)
    cdef const uint8_t* codes = _bytes(tag, count)
    cdef const uint8_t* known = _bytes(flags, count)
    cdef const int64_t* parents = _longs(parent, count)
    cdef const int64_t* begin = _longs(text_start, count)
    cdef const int64_t* end = _longs(text_end, count)
    cdef int64_t last_run = -1
    # The first pass says how much room is needed and which runs are filled.
    cdef bytearray filled_room = _room((run[count - 1] if count else 0) + 1)
    cdef bytearray seen_room = _room((count + 1) * sizeof(int32_t))
    cdef uint8_t* filled = <uint8_t*>PyByteArray_AS_STRING(filled_room)
    cdef int32_t* seen = <int32_t*>PyByteArray_AS_STRING(seen_room)
    cdef uint8_t is_filled
    with nogil:
        for node in range(count):  # without branches: nobody could guess which way they go
            seen[texts] = <int32_t>node
            texts += _is_seen(codes[node], known[node])
        for place in range(texts):
            is_filled = characters[seen[place]] > 0
            runs += is_filled & ~filled[run[seen[place]]]
            filled[run[seen[place]]] |= is_filled
        for place in range(texts):
            seen[leaf] = seen[place]
            leaf += filled[run[seen[place]]]
        texts = leaf
    arrays, leaves_array, first_array = _empty((7, runs), _long), _empty(texts, _long), _empty(runs + 1, _long)
    cdef int64_t* holder = <int64_t*>_longs(arrays, 7 * runs)
    cdef int64_t* start = holder + runs
    cdef int64_t* stop = start + runs
    cdef int64_t* word_sums = stop + runs
    cdef int64_t* link_words = word_sums + runs
    cdef int64_t* sums = link_words + runs
    cdef int64_t* link_sums = sums + runs
    cdef int64_t* leaves = <int64_t*>_longs(leaves_array, texts)
    cdef int64_t* first = <int64_t*>_longs(first_array, runs + 1)
    memset(word_sums, 0, 4 * runs * sizeof(int64_t))
    with nogil:
        for leaf in range(texts):
            node = seen[leaf]
            if run[node] != last_run:
                last_run = run[node]
                block += 1
                above = node
                while above > 0 and not (stops[codes[above]] and not known[above] & _FOREIGN):
                    above = parents[above]
                holder[block] = above
                start[block] = begin[node]
                first[block] = leaf
            stop[block] = end[node]
            word_sums[block] += words[node]
            sums[block] += characters[node]
            if known[node] & _LINK:
                link_words[block] += words[node]
                link_sums[block] += characters[node]
            leaves[leaf] = node
        first[runs] = texts
    return BlockArrays(*arrays, leaves_array, first_array)


def filled_spans(
    const int64_t[::1] run,
    const int64_t[::1] characters,
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
):
    cdef Py_ssize_t count = tag.shape[0], node, texts = 0, first = 0, place
    cdef int64_t last_run = -1, start = 0, end = -1  # of the span that is open, if it has begun
    cdef bint is_filled = False
    cdef list found = []
    if not flags.shape[0] == text_start.shape[0] == text_end.shape[0] == run.shape[0] == characters.shape[0] == count:
        raise ValueError("arrays that do not belong together")
    cdef int32_t[::1] chosen = np.empty(count, dtype=np.int32)
    with nogil:
        for node in range(count):
            if not _is_seen(tag[node], flags[node]):
                continue
            if run[node] != last_run:
                if not is_filled:
                    texts = first
                last_run, first, is_filled = run[node], texts, False
            is_filled |= characters[node] > 0
            if text_end[node] > text_start[node]:
                chosen[texts] = <int32_t>node
                texts += 1
    if not is_filled:
        texts = first
    for place in range(texts):
        node = chosen[place]
        if end < 0 or text_start[node] > end:
            if end >= 0:
                found.append(_span(start, end))
            start = text_start[node]
        end = text_end[node]
    if end >= 0:
        found.append(_span(start, end))
    return tuple(found)


cdef inline object _span(int64_t start, int64_t end):
    """A ``Span``, made as ``tuple.__new__`` makes one, without a tuple of its fields."""
    span = PyType_GenericAlloc(<PyTypeObject*>Span, 2)
    cdef object first = start, last = end
    Py_INCREF(first)
    PyTuple_SET_ITEM(span, 0, first)
    Py_INCREF(last)
    PyTuple_SET_ITEM(span, 1, last)
    return span


def revealed_flags(tag, flags, parent, end, is_block):
    cdef Py_ssize_t count = len(tag), node = 0, inner
    cdef const uint8_t* codes = _bytes(tag, count)
    cdef const uint8_t* known = _bytes(flags, count)
    cdef const int64_t* ends = _longs(end, count)
    cdef const uint8_t* blocks = _table(is_block)
    cdef bint any_hidden = False, any_shown = False, holds_block
    with nogil:
        for node in range(count):
            if known[node] & _HIDDEN:
                any_hidden = True
                break
    if not any_hidden:
        return None
    shown_array = flags.copy()
    cdef uint8_t* shown = <uint8_t*>_bytes(shown_array, count)
    with nogil:
        node = 0
        while node < count:
            if not known[node] & _HIDDEN:
                node += 1
                continue
            holds_block = False
            for inner in range(node, ends[node]):
                if blocks[codes[inner]]:
                    holds_block = True
                    break
            if holds_block:
                any_shown = True
                for inner in range(node, ends[node]):
                    shown[inner] &= ~_HIDDEN
            node = ends[node]
    return shown_array if any_shown else None


cdef struct Open:
    # Formatting that is open: its name, and where its attributes stand in the markup.
    uint64_t name
    int64_t start
    int64_t length


# What the letters of a name say of its element.
cdef uint8_t _IS_FORMATTING[256]
cdef uint8_t _IS_VOID[256]


def _fill_kinds_of_names():
    for name, code in TAG_CODES.items():
        _IS_FORMATTING[code], _IS_VOID[code] = name in _reference.FORMATTING_NAMES, name in VOID_NAMES


_fill_kinds_of_names()
assert all(len(name) <= 8 and name in TAG_CODES for name in _reference.FORMATTING_NAMES)
cdef uint64_t[::1] _OTHER_VOID = np.array(
    [_packed(name) for name in sorted(VOID_NAMES) if name not in TAG_CODES], dtype=np.uint64
)
assert all(len(name) <= 8 for name in VOID_NAMES)
cdef uint64_t _A = _packed("a")


def survey(source):
    cdef Look look
    cdef int64_t place, controls = 0
    cdef const uint8_t[::1] is_control = _IS_CONTROL
    cdef uint32_t character
    cdef Source data = _source(source)
    with nogil:
        look = _look(data)
        for place in range(min(data.size, _HEAD_SIZE)):
            character = _character(data, place)
            if character < 32 and is_control[character]:
                controls += 1
    return Survey(bool(look.halves), bool(look.nuls), look.brackets - look.ends, look.ends, controls)


def affordable_length(markup, int64_t budget, seen):
    cdef Source source = _source(markup)
    cdef int64_t starts = seen.starts, ends = seen.ends
    cdef Open still_open[_MOST_OPEN]
    cdef int64_t length
    with nogil:
        if source.unit == 1:
            length = _affordable(<const uint8_t*>source.data, source.size, budget, starts, ends, still_open)
        elif source.unit == 2:
            length = _affordable(<const uint16_t*>source.data, source.size, budget, starts, ends, still_open)
        else:
            length = _affordable(<const uint32_t*>source.data, source.size, budget, starts, ends, still_open)
    return length


cdef inline bint _ends_name(uint32_t character) noexcept nogil:
    return (
        character == 32 or character == 62 or character == 47 or 9 <= character <= 10 or 12 <= character <= 13
    )


cdef bint _among(uint64_t name, uint64_t[::1] names) noexcept nogil:
    cdef Py_ssize_t place
    for place in range(names.shape[0]):
        if names[place] == name:
            return True
    return False


cdef bint _alike(const Char* data, int64_t first, int64_t second, int64_t length) noexcept nogil:
    cdef int64_t place
    for place in range(length):
        if data[first + place] != data[second + place]:
            return False
    return True


cdef int64_t _affordable(
    const Char* data, int64_t size, int64_t budget, int64_t starts, int64_t ends, Open* still_open
) noexcept nogil:
    cdef int64_t place = 0, start, attributes, length
    cdef uint64_t name
    cdef uint32_t character
    cdef uint8_t code
    cdef int open_count = 0, entry, alike
    cdef bint is_end
    while starts * _MOST_NODES + ends > budget:  # those that are left might cost too much
        place = _next(data, place, size, 60, 60)
        if place >= size:
            return size
        start = place
        place += 1
        is_end = place < size and data[place] == 47
        place += is_end
        ends -= is_end
        starts -= not is_end
        if place >= size:
            break
        character = data[place]
        if not (65 <= character <= 90 or 97 <= character <= 122 or character == 33 or character == 63):
            continue
        name, length = 0, 0
        while place < size and not (_ends_name(data[place]) and length > 0):
            character = data[place]
            if 65 <= character <= 90:
                character += 32
            if length < 8 and 0 < character < 128:
                name |= <uint64_t>character << (8 * length)
            else:
                name = 1  # too long, not in ASCII, or NUL, which would count for nothing: none of ours
                length = 8
            length += 1
            place += 1
        budget -= 1 if is_end else 2
        code = _SHORT_CODES[_slot(name)]
        if _IS_FORMATTING[code]:
            attributes = place
            place = _next(data, place, size, 60, 62)
            if is_end or name == _A:
                for entry in range(open_count - 1, -1, -1):
                    if still_open[entry].name == name:
                        open_count -= 1
                        memmove(&still_open[entry], &still_open[entry + 1], (open_count - entry) * sizeof(Open))
                        break
            if not is_end and open_count < _MOST_OPEN:
                alike = 0
                for entry in range(open_count):
                    if (
                        still_open[entry].name == name
                        and still_open[entry].length == place - attributes
                        and _alike(data, still_open[entry].start, attributes, place - attributes)
                    ):
                        alike += 1
                if alike < _MOST_ALIKE:
                    still_open[open_count] = Open(name, attributes, place - attributes)
                    open_count += 1
        elif not is_end and not _IS_VOID[code] and not (code == 0 and _among(name, _OTHER_VOID)):
            budget -= open_count
        if budget < 0:
            return start
    return size


def node_numbers(list handles, list chosen):
    cdef _Merge merge = _Merge(chosen)
    cdef Py_ssize_t place
    cdef list found = []
    for place in range(len(handles)):
        if merge._next is NULL:
            break
        if merge.meets(<PyObject*>handles[place]):
            found.append(place)
    return found


def nearest(marked, const int64_t[::1] parent):
    cdef const uint8_t[::1] is_marked = np.ascontiguousarray(marked, dtype=np.bool_).view(np.uint8)
    cdef Py_ssize_t count = is_marked.shape[0], node
    if parent.shape[0] != count:
        raise ValueError("a number for each node of the page was expected")
    found_array = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] found = found_array
    with nogil:
        for node in range(count):
            found[node] = node if node == 0 or is_marked[node] else found[parent[node]]
    return found_array


def inside(marked, const int64_t[::1] end):
    cdef const uint8_t[::1] is_marked = np.ascontiguousarray(marked, dtype=np.bool_).view(np.uint8)
    cdef Py_ssize_t count = is_marked.shape[0], node
    cdef int64_t last = 0
    if end.shape[0] != count:
        raise ValueError("a number for each node of the page was expected")
    found_array = np.empty(count, dtype=np.bool_)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    with nogil:
        for node in range(count):
            if is_marked[node] and end[node] > last:
                last = end[node]
            found[node] = node < last
    return found_array


def totals(values, const int64_t[::1] end):
    cdef const int64_t[::1] numbers = np.ascontiguousarray(values, dtype=np.int64)
    cdef Py_ssize_t count = numbers.shape[0], node
    if end.shape[0] != count:
        raise ValueError("a number for each node of the page was expected")
    cdef int64_t[::1] sums = np.empty(count + 1, dtype=np.int64)
    totals_array = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] found = totals_array
    with nogil:
        sums[0] = 0
        for node in range(count):
            sums[node + 1] = sums[node] + numbers[node]
        for node in range(count):
            found[node] = sums[end[node]] - sums[node]
    return totals_array


def kept_lengths(
    const int64_t[::1] text_start, const int64_t[::1] text_end, const int64_t[::1] leaves, starts, ends
):
    cdef const int64_t[::1] first = np.ascontiguousarray(starts), last = np.ascontiguousarray(ends)
    cdef Py_ssize_t count = leaves.shape[0], size = text_start.shape[0], ranges = first.shape[0], place, number = 0, other
    cdef int64_t start, end, length
    lengths_array = np.zeros(count, dtype=np.int64)
    cdef int64_t[::1] lengths = lengths_array
    if text_end.shape[0] != size or last.shape[0] != ranges:
        raise ValueError("arrays that do not belong together")
    for place in range(count):
        if not 0 <= leaves[place] < size:
            raise IndexError("no node of the page")
        start, end, length = text_start[leaves[place]], text_end[leaves[place]], 0
        while number < ranges and last[number] <= start:
            number += 1
        other = number
        while other < ranges and first[other] < end:
            length += max(min(end, last[other]) - max(start, first[other]), 0)
            other += 1
        lengths[place] = length
    return lengths_array


cdef const int64_t* _chosen(nodes, Py_ssize_t count) except? NULL:
    """Numbers of nodes that come from callers: none may lie outside of a page with so many."""
    cdef const int64_t* numbers = _longs(nodes, len(nodes))
    cdef Py_ssize_t place
    for place in range(len(nodes)):
        if not 0 <= numbers[place] < count:
            raise IndexError(f"the page has no node {numbers[place]}, only {count}")
    return numbers


def attribute_column(list handles, nodes, str name, carried):
    cdef Py_ssize_t place
    cdef const int64_t* chosen = _chosen(nodes, len(handles))
    cdef const uint8_t* carries = _bytes(carried, len(handles))
    cdef list values = []
    cdef _Attribute attribute = _Attribute(name)
    for place in range(len(nodes)):
        values.append(attribute.of(handles[chosen[place]]) if carries[chosen[place]] else None)
    return values


def carried(list handles, list carriers):
    cdef _Merge merge = _Merge(carriers)
    cdef Py_ssize_t place = 0, count = len(handles)
    found_array = _zeros(count, _byte)
    cdef uint8_t* found = <uint8_t*>_bytes(found_array, count)
    while merge._next is not NULL and place < count:
        found[place] = merge.meets(<PyObject*>handles[place])
        place += 1
    return found_array


def carried_values(list handles, nodes, str name, carried):
    cdef Py_ssize_t place
    cdef const int64_t* chosen = _chosen(nodes, len(handles))
    cdef const uint8_t* carries = _bytes(carried, len(handles))
    cdef dict values = {}
    cdef _Attribute attribute = _Attribute(name)
    for place in range(len(nodes)):
        if carries[chosen[place]]:
            value = attribute.of(handles[chosen[place]])
            if value:
                values[chosen[place]] = value
    return values


@cython.final
cdef class _Classes:
    """The classes of elements, which are asked of the parser once; of equal ones, which are many, few are kept."""

    cdef list _handles, _known, _recent
    cdef object _held
    cdef const uint8_t* _counts
    cdef _Attribute _attribute

    def __cinit__(self, list handles, counts, list known):
        if len(known) != len(handles):
            raise ValueError("something for each node of the page was expected")
        self._handles, self._held, self._known = handles, counts, known
        self._counts = _bytes(counts, len(handles))
        self._recent, self._attribute = [""] * _RECENT, _Attribute("class")

    cdef inline str of(self, Py_ssize_t node):
        """None for a node without; the node must be one of the page."""
        cdef str value = self._known[node]
        if value is None or PyUnicode_GET_LENGTH(value):
            return value
        value = self._attribute.of(self._handles[node]) if self._counts[node] else None
        if value is not None:
            value = self._alike(value)
        self._known[node] = value
        return value

    cdef inline str _alike(self, str value):
        """The same text as it was met before, if it was met lately: quicker than to keep all in a dictionary."""
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(value)
        cdef int unit = PyUnicode_KIND(value)
        cdef const uint8_t* data = <const uint8_t*>PyUnicode_DATA(value)
        cdef Py_ssize_t slot = 0
        if size:
            slot = (size + 5 * data[0] + 17 * data[size // 2 * unit] + 31 * data[(size - 1) * unit]) % _RECENT
        cdef str other = self._recent[slot]
        if PyUnicode_GET_LENGTH(other) == size and PyUnicode_KIND(other) == unit:
            if not memcmp(PyUnicode_DATA(other), data, size * unit):
                return other
        self._recent[slot] = value
        return value


def class_column(list handles, nodes, counts, list known):
    cdef Py_ssize_t place
    cdef const int64_t* chosen = _chosen(nodes, len(handles))
    cdef list values = []
    cdef _Classes classes = _Classes(handles, counts, known)
    for place in range(len(nodes)):
        values.append(classes.of(chosen[place]))
    return values


def called(list handles, nodes, counts, carried, list known):
    cdef const int64_t* chosen = _chosen(nodes, len(handles))
    cdef const uint8_t* carries = _bytes(carried, len(handles))
    cdef list found = [], parts = [(key, _Attribute(key), mark) for key, mark in _reference.NAME_PARTS]
    cdef Py_ssize_t place
    cdef object handle, attributes, value
    cdef str name, key, mark
    cdef _Classes classes = _Classes(handles, counts, known)
    cdef _Attribute part
    cdef Py_ssize_t node
    for place in range(len(nodes)):
        node = chosen[place]
        name = classes.of(node) or ""
        if carries[node] and classes._counts[node] > (known[node] is not None):
            handle = handles[node]
            attributes = handle.attrs  # to look for a name there is quicker than to ask for its value
            for key, part, mark in parts:
                if key in attributes:
                    value = part.of(handle)
                    if value:
                        name = name + mark + <str>value
        found.append(name)
    return found


cdef bint _may_hide(str style) except -1:
    """Whether a style says something of what hides."""
    cdef Source source = _source(style)
    if source.unit == 1:
        return _has_hiding(<const uint8_t*>source.data, source.size)
    if source.unit == 2:
        return _has_hiding(<const uint16_t*>source.data, source.size)
    return _has_hiding(<const uint32_t*>source.data, source.size)


cdef bint _has_hiding(const Char* data, int64_t size) noexcept nogil:
    cdef int64_t place
    for place in range(size):
        if data[place] | 32 == 100 and _begins(data + place, size - place, b"display", 7):
            return True
        if data[place] | 32 == 118 and _begins(data + place, size - place, b"visibility", 10):
            return True
    return False


cdef inline bint _begins(const Char* data, int64_t size, const char* word, int length) noexcept nogil:
    """Whether a text begins with a word of small letters, whatever their case there."""
    cdef int place = 0
    while place < length and place < size and data[place] | 32 == <uint8_t>word[place]:
        place += 1
    return place == length


def maybe_cells(list classes):
    cdef Source source
    cdef object last = None
    for value in classes:
        if value is None or value is last:  # of equal ones most are one object
            continue
        last = value
        source = _source(value)
        if source.unit == 1:
            if _maybe_cell(<const uint8_t*>source.data, source.size):
                return True
        elif source.unit == 2:
            if _maybe_cell(<const uint16_t*>source.data, source.size):
                return True
        elif _maybe_cell(<const uint32_t*>source.data, source.size):
            return True
    return False


cdef bint _maybe_cell(const Char* data, int64_t size) noexcept nogil:
    cdef int64_t place
    for place in range(size - 1):
        if data[place] | 32 == 116 and (data[place + 1] | 32 == 100 or data[place + 1] | 32 == 104):  # "td", "th"
            if place and _is_latin(data[place - 1]):
                continue
            if place + 2 == size or not (_is_latin(data[place + 2]) or data[place + 2] == 45):
                return True
        elif (
            data[place] | 32 == 99
            and place + 4 <= size
            and data[place + 1] | 32 == 101
            and data[place + 2] | 32 == 108
            and data[place + 3] | 32 == 108
        ):
            return True
    return False


cdef inline bint _is_latin(uint32_t character) noexcept nogil:
    return 97 <= character | 32 <= 122


def folded(str text):
    cdef str lowered = text.casefold() if _needs_casefold(text) else text
    cdef int unit = PyUnicode_KIND(lowered)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(lowered), length
    cdef const void* data = PyUnicode_DATA(lowered)
    cdef void* room = PyMem_Malloc(max(size, 1) * unit)
    if room is NULL:
        raise MemoryError
    try:
        if unit == 1:
            length = _fold(<const uint8_t*>data, size, <uint8_t*>room)
        elif unit == 2:
            length = _fold(<const uint16_t*>data, size, <uint16_t*>room)
        else:
            length = _fold(<const uint32_t*>data, size, <uint32_t*>room)
        return PyUnicode_FromKindAndData(unit, room, length)
    finally:
        PyMem_Free(room)


cdef bint _needs_casefold(str text):
    """Whether there are letters beyond ASCII; to fold the case of texts without them is no more than to add a bit."""
    cdef int unit = PyUnicode_KIND(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    if text.isascii():
        return False
    if unit == 1:
        return _has_letters(<const uint8_t*>PyUnicode_DATA(text), size)
    if unit == 2:
        return _has_letters(<const uint16_t*>PyUnicode_DATA(text), size)
    return _has_letters(<const uint32_t*>PyUnicode_DATA(text), size)


cdef bint _has_letters(const Char* data, Py_ssize_t size) noexcept:
    """Whether a letter or digit beyond ASCII stands in a text, or U+0345, the one mark of which folding makes a letter."""
    cdef Py_ssize_t place
    for place in range(size):
        if data[place] > 127 and (Py_UNICODE_ISALNUM(data[place]) or data[place] == 0x345):
            return True
    return False


cdef Py_ssize_t _fold(const Char* data, Py_ssize_t size, Char* out) noexcept:
    """Copy letters and digits, and one blank for whatever stands between two of them; how many characters that is."""
    cdef Py_ssize_t place, length = 0
    cdef bint is_gap = False
    cdef Char code
    for place in range(size):
        code = data[place]
        if 65 <= code <= 90:
            code += 32
        if 97 <= code <= 122 or 48 <= code <= 57 or (code > 127 and Py_UNICODE_ISALNUM(code)):
            if is_gap and length:
                out[length] = 32
                length += 1
            is_gap = False
            out[length] = code
            length += 1
        else:
            is_gap = True
    return length


def without_nuls(str text):
    return _reference.without_nuls(text) if _look(_source(text)).nuls else text


def has_self_closed_raw(source):
    cdef Source data = _source(source)
    cdef bint is_text = isinstance(source, str)
    if data.unit == 1:
        return _has_self_closed(<const uint8_t*>data.data, data.size, is_text)
    if data.unit == 2:
        return _has_self_closed(<const uint16_t*>data.data, data.size, is_text)
    return _has_self_closed(<const uint32_t*>data.data, data.size, is_text)


cdef bint _has_self_closed(const Char* data, int64_t size, bint is_text) except -1:
    """From the ends of elements that are closed at once, which are rare, back to their names."""
    cdef int64_t place = _closing(data, 0, size), start
    while place < size:
        start = place - 1
        while start >= 0 and data[start] != 60 and data[start] != 62:  # no further than to the end before
            start -= 1
        if start >= 0 and data[start] == 60 and _is_raw(data + start + 1, place - start - 1, is_text):
            return True
        place = _closing(data, place + 2, size)
    return False


cdef bint _is_raw(const Char* data, int64_t size, bint is_text) except -1:
    """Whether what stands in a tag begins with the name of an element whose content is text; behind it is a slash."""
    cdef bytes name
    cdef int64_t letter, length
    for name in _RAW_TEXT_NAMES:
        letter, length = 0, len(name)
        while letter < length and letter < size and _bare(data[letter], is_text) == <uint8_t>name[letter]:
            letter += 1
        if letter == length:
            return not (_is_latin(data[letter]) or 48 <= data[letter] <= 57 or data[letter] == 95) and not (
                is_text and data[letter] > 127 and Py_UNICODE_ISALNUM(data[letter])
            )
    return False


cdef inline uint32_t _bare(uint32_t letter, bint is_text) noexcept nogil:
    """A letter as patterns know it that ignore case."""
    if letter < 128:
        return letter | 32 if _is_latin(letter) else letter
    if is_text and (letter == 0x130 or letter == 0x131):
        return 105
    return 115 if is_text and letter == 0x17F else letter


def occurrences(str text, str sought):
    cdef int unit = PyUnicode_KIND(text), own = PyUnicode_KIND(sought)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(sought), size = length * unit, found = 0
    cdef const char* place = <const char*>PyUnicode_DATA(text)
    cdef const char* start = place
    cdef const char* end = place + PyUnicode_GET_LENGTH(text) * unit
    cdef void* wide
    if not length:
        return PyUnicode_GET_LENGTH(text) + 1
    if own > unit:
        return 0
    wide = PyMem_Malloc(size)
    if wide is NULL:
        raise MemoryError
    try:
        _copy(PyUnicode_DATA(sought), own, wide, unit, length)
        while True:
            place = <const char*>memmem(place, end - place, wide, size)
            if place is NULL:
                return found
            if (place - start) % unit:  # in the middle of a character
                place += 1
            else:
                found += 1
                place += size
    finally:
        PyMem_Free(wide)


include "_kernel_tables.pxi"
