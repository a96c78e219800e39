# The numbers of an array where they stand, which is quicker than a view of it: the small steps read many arrays.


cdef const void* _numbers(array, Py_ssize_t count, Py_ssize_t size, const char* kinds) except? NULL:
    """Where the numbers of an array begin, so many and of such a kind; for as long as something else holds the array."""
    cdef Py_buffer view
    cdef const void* found
    cdef bint fits
    PyObject_GetBuffer(array, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
    found, fits = view.buf, view.itemsize == size and view.len == count * size and _is_among(view.format, kinds)
    PyBuffer_Release(&view)
    if not fits:
        raise ValueError(f"an array of {count} numbers was expected, not one of {array.shape} {array.dtype}")
    return found


cdef inline const int64_t* _longs(array, Py_ssize_t count) except? NULL:
    return <const int64_t*>_numbers(array, count, sizeof(int64_t), b"lq")


cdef inline const double* _doubles(array, Py_ssize_t count) except? NULL:
    return <const double*>_numbers(array, count, sizeof(double), b"d")


cdef inline const uint8_t* _bytes(array, Py_ssize_t count) except? NULL:
    return <const uint8_t*>_numbers(array, count, 1, b"B?")


cdef inline bint _is_among(const char* written, const char* kinds) noexcept:
    return written is not NULL and written[0] != 0 and written[1] == 0 and strchr(kinds, written[0]) is not NULL


cdef object _empty = np.empty
cdef object _long = np.dtype(np.int64), _byte = np.dtype(np.uint8), _truth = np.dtype(np.bool_)
cdef object _single = np.dtype(np.float32), _bits = np.dtype(np.uint64)


cdef inline object _new_longs(Py_ssize_t count, int64_t** numbers):
    """An array of whole numbers that are not yet written, and where they stand."""
    found = _empty(count, _long)
    numbers[0] = <int64_t*>_longs(found, count)
    return found


cdef extern from *:
    """
    /* Small rooms share a piece of memory of this size, where nothing watches over their ends. */
    #ifndef __has_feature
    #define __has_feature(name) 0
    #endif
    #if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
    #define TAMIS_PIECE 0
    #else
    #define TAMIS_PIECE 65536
    #endif
    """
    const size_t TAMIS_PIECE

cdef enum:
    _MOST_ROOMS = 32
    _ALIGNED = 64  # bytes: where a room begins


cdef class _Rooms:
    """Room for numbers, held as long as this object lives."""

    cdef void* rooms[_MOST_ROOMS]
    cdef int room_count
    cdef char* spare  # what is left of the last piece
    cdef size_t left

    cdef void* room(self, Py_ssize_t count, size_t size) except NULL:
        """Room for so many things of a size, filled with zeros."""
        cdef size_t needed = (<size_t>max(count, 1) * size + _ALIGNED - 1) // _ALIGNED * _ALIGNED
        cdef void* found
        if 4 * needed > TAMIS_PIECE:
            return self._piece(calloc(max(count, 1), size))
        if needed > self.left:
            found = self._piece(malloc(TAMIS_PIECE + _ALIGNED))
            self.spare = <char*>((<uintptr_t>found + _ALIGNED - 1) // _ALIGNED * _ALIGNED)
            self.left = TAMIS_PIECE
        found = self.spare
        self.spare += needed
        self.left -= needed
        return memset(found, 0, needed)

    cdef void* _piece(self, void* found) except NULL:
        """Memory that is given back with this object."""
        if found == NULL:
            raise MemoryError
        if self.room_count == _MOST_ROOMS:
            free(found)
            raise AssertionError("more rooms than there is room for")
        self.rooms[self.room_count] = found
        self.room_count += 1
        return found

    def __dealloc__(self):
        cdef int place
        for place in range(self.room_count):
            free(self.rooms[place])
