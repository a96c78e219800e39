# cython: language_level=3, freethreading_compatible=True
"""What sieve computes for every page: the compiled twin of ``_reference.py``, function by function.

What each function promises is said there and in ``features/``. The parts stand in files of their own, one idea each.
A feature stands once by its name, in the table of ``_kernel_rows.pxi``, and once where it is written; a twin that
knows other features than ``features/`` does not load. Whole numbers are added up in ``double`` as there, divisions are
the same ones, so that features agree to the last bit and fall on the same side of every border of a tree. The network
adds up in another order and agrees to some 1e-6. Words and texts are told apart by 64-bit hashes.
"""

import numpy as np

from tamis.about.comment_names import COMMENT_NAMES
from tamis.extractors.sieve import containers, decide, regions, units
from tamis.extractors.sieve.containers import LEVELS, Containers
from tamis.extractors.sieve.features import NAMES, PLACES, Evidence, candidate, counts, links, markup, wording
from tamis.extractors.sieve.features import text_matches as matches
from tamis.extractors.sieve.features.sayings import SAYINGS, claims
from tamis.extractors.sieve.features.title import heading_levels
from tamis.extractors.sieve.network import OFFSETS as network_offsets
from tamis.page.html import HEADINGS, PSEUDO_NAMES, TAG_CODES, TAG_NAMES, mask
from tamis.page.kernel import kernel as page_kernel
from tamis.page.model import FOREIGN, FORM_TEXT, HIDDEN, LINK, NOSCRIPT, PREFORMATTED
from tamis.page.spans import Span
from tamis.page.text import IDEOGRAPH, SPACE, class_table

cimport cython
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.dict cimport PyDict_GetItem
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport (
    Py_UNICODE_ISSPACE,
    PyUnicode_DATA,
    PyUnicode_FromStringAndSize,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.math cimport INFINITY, exp, expf, fabs, log, logf, sqrt, sqrtf
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset, strchr

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST
    const int64_t INT32_MAX, INT64_MAX
    void* memmem(const void* text, size_t size, const void* sought, size_t length) noexcept nogil

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t

include "../../_kernel_arrays.pxi"
include "_kernel_rooms.pxi"
include "_kernel_rows.pxi"
include "_kernel_containers.pxi"
include "_kernel_wording.pxi"
include "_kernel_texts.pxi"
include "_kernel_network.pxi"
include "_kernel_sought.pxi"
include "_kernel_names.pxi"
include "_kernel_features.pxi"
include "_kernel_scores.pxi"
include "_kernel_units.pxi"
include "_kernel_copies.pxi"
include "_kernel_decision.pxi"
