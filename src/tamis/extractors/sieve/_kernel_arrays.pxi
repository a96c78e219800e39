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


cdef enum:
    _MOST_ROOMS = 32


cdef class _Rooms:
    """Room for numbers, held as long as this object lives."""

    cdef void* rooms[_MOST_ROOMS]
    cdef int room_count

    cdef void* room(self, Py_ssize_t count, size_t size) except NULL:
        """Room for so many things of a size, filled with zeros."""
        if self.room_count == _MOST_ROOMS:
            raise AssertionError("more rooms than there is room for")
        found = calloc(max(count, 1), size)
        if found == NULL:
            raise MemoryError
        self.rooms[self.room_count] = found
        self.room_count += 1
        return found

    def __dealloc__(self):
        cdef int place
        for place in range(self.room_count):
            free(self.rooms[place])
