# The numbers of an array where they stand, which is quicker than a view of it: the small steps read many arrays.

cdef extern from *:
    """
    /* How NumPy lays out an array: the beginning is part of its binary interface. */
    typedef struct {
        PyObject_HEAD
        void *data;
        int axes;
        Py_ssize_t *shape, *strides;
        PyObject *base, *dtype;
        int flags;
    } tamis_array;
    """
    ctypedef struct tamis_array:
        void* data
        int axes
        Py_ssize_t* shape
        PyObject* dtype
        int flags

cdef enum:
    _IN_ORDER = 0x101  # flags of an array whose numbers stand one after the other, where processors want them

cdef object _array = np.ndarray, _empty = np.empty, _zeros = np.zeros
cdef object _long = np.dtype(np.int64), _double = np.dtype(np.float64), _single = np.dtype(np.float32)
cdef object _integer = np.dtype(np.int32), _bits = np.dtype(np.uint64)
cdef object _byte = np.dtype(np.uint8), _truth = np.dtype(np.bool_)


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


cdef inline bint _is_among(const char* written, const char* kinds) noexcept:
    return written is not NULL and written[0] != 0 and written[1] == 0 and strchr(kinds, written[0]) is not NULL


cdef inline const void* _plain(array, Py_ssize_t count, dtype) noexcept:
    """The same for an array of the type that NumPy itself makes, without asking it; else nothing."""
    cdef const tamis_array* own = <const tamis_array*><PyObject*>array
    cdef Py_ssize_t held = 1
    cdef int axis
    if type(array) is not _array or own.dtype is not <PyObject*>dtype or own.flags & _IN_ORDER != _IN_ORDER:
        return NULL
    for axis in range(own.axes):
        held *= own.shape[axis]
    return own.data if held == count else NULL


cdef inline const Py_ssize_t* _extent(array, int axes) noexcept:
    """The lengths of an array along its axes; nothing if it has not so many."""
    cdef const tamis_array* own = <const tamis_array*><PyObject*>array
    return own.shape if type(array) is _array and own.axes == axes else NULL


cdef int _check_layout() except -1:
    """An array of which something is known: whether it is laid out as is written above."""
    known = np.zeros((2, 3), dtype=np.int64)
    cdef const void* numbers = _numbers(known, 6, sizeof(int64_t), b"lq")
    cdef const tamis_array* own = <const tamis_array*><PyObject*>known
    if own.data != numbers or own.axes != 2 or own.dtype is not <PyObject*>_long or _plain(known, 6, _long) != numbers:
        raise ImportError("this NumPy lays out arrays in another way")
    if _plain(known[:, 1:], 4, _long) != NULL or _plain(known, 5, _long) != NULL or _plain(known, 6, _double) != NULL:
        raise ImportError("this NumPy lays out arrays in another way")
    return 0


_check_layout()


cdef inline const int64_t* _longs(array, Py_ssize_t count) except? NULL:
    return <const int64_t*>(_plain(array, count, _long) or _numbers(array, count, sizeof(int64_t), b"lq"))


cdef inline const int32_t* _integers(array, Py_ssize_t count) except? NULL:
    return <const int32_t*>(_plain(array, count, _integer) or _numbers(array, count, sizeof(int32_t), b"i"))


cdef inline const double* _doubles(array, Py_ssize_t count) except? NULL:
    return <const double*>(_plain(array, count, _double) or _numbers(array, count, sizeof(double), b"d"))


cdef inline const float* _floats(array, Py_ssize_t count) except? NULL:
    return <const float*>(_plain(array, count, _single) or _numbers(array, count, sizeof(float), b"f"))


cdef inline const uint8_t* _bytes(array, Py_ssize_t count) except? NULL:
    return <const uint8_t*>(
        _plain(array, count, _byte) or _plain(array, count, _truth) or _numbers(array, count, 1, b"B?")
    )


cdef inline object _new_longs(Py_ssize_t count, int64_t** numbers):
    """An array of whole numbers that are not yet written, and where they stand."""
    found = _empty(count, _long)
    numbers[0] = <int64_t*>_longs(found, count)
    return found
