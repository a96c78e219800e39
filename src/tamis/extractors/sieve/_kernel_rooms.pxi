# Room for numbers that are needed while a page is read.

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
        return memset(self.space(count, size), 0, max(count, 1) * size)

    cdef void* space(self, Py_ssize_t count, size_t size) except NULL:
        """Room that is written before it is read."""
        cdef size_t needed = (<size_t>max(count, 1) * size + _ALIGNED - 1) // _ALIGNED * _ALIGNED
        cdef void* found
        if 4 * needed > TAMIS_PIECE:
            return self._piece(malloc(needed))
        if needed > self.left:
            found = self._piece(malloc(TAMIS_PIECE + _ALIGNED))
            self.spare = <char*>((<uintptr_t>found + _ALIGNED - 1) // _ALIGNED * _ALIGNED)
            self.left = TAMIS_PIECE
        found = self.spare
        self.spare += needed
        self.left -= needed
        return found

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
