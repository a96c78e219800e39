# The numbers of an array where they stand, which is quicker than a view of it: the small steps read many arrays.


cdef const void* _numbers(array, Py_ssize_t count, Py_ssize_t size) except? NULL:
    """Where the numbers of an array begin, so many and of such a size; for as long as something else holds the array."""
    cdef Py_buffer view
    cdef const void* found
    cdef bint fits
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    found, fits = view.buf, view.itemsize == size and view.len == count * size
    PyBuffer_Release(&view)
    if not fits:
        raise ValueError(f"an array of {count} numbers was expected, not one of {array.shape} {array.dtype}")
    return found


cdef inline const int64_t* _longs(array, Py_ssize_t count) except? NULL:
    return <const int64_t*>_numbers(array, count, sizeof(int64_t))


cdef inline const uint8_t* _bytes(array, Py_ssize_t count) except? NULL:
    return <const uint8_t*>_numbers(array, count, 1)
