# cython: language_level=3, freethreading_compatible=True
"""What segmenters compute box by box: the compiled twin of ``_reference.py``, function by function.

What each function promises is said there and in ``_joining.py``. Rectangles are compared, and areas and means computed,
by the same operations on ``double``; sums are added up in another order, which the rounding of means hides.
"""

import numpy as np

from tamis.segmenters._joining import CLOSE_PX, GRAIN, LEAST, MOST, grid_of, touching

from libc.math cimport INFINITY, floor
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memmove

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

cdef double _LEAST = LEAST, _MOST = MOST, _CLOSE_PX = CLOSE_PX, _GRAIN = GRAIN

include "_kernel_neighbours.pxi"
include "_kernel_rects.pxi"
include "_kernel_offers.pxi"
include "_kernel_grid.pxi"
include "_kernel_joining.pxi"
