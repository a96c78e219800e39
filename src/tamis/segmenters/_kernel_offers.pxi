# The pairs of groups that may be joined next, as a heap.

cdef struct Offer:
    double value, size, top, left
    int64_t low, high


cdef bint _is_better(Offer* one, Offer* other) noexcept:
    if one.value != other.value:
        return one.value < other.value
    if one.size != other.size:
        return one.size < other.size
    if one.top != other.top:
        return one.top < other.top
    if one.left != other.left:
        return one.left < other.left
    if one.low != other.low:
        return one.low < other.low
    return one.high < other.high


cdef class _Offers:
    """The best one is at its top."""

    cdef Offer* heap
    cdef Py_ssize_t size, room

    def __cinit__(self):
        self.heap = NULL
        self.size = self.room = 0

    def __dealloc__(self):
        free(self.heap)

    cdef int push(self, Offer offer) except -1:
        cdef Py_ssize_t place = self.size, above
        if self.size == self.room:
            self.room = max(2 * self.room, 64)
            self.heap = <Offer*> _enlarged(self.heap, self.room * sizeof(Offer))
        self.size += 1
        while place:
            above = (place - 1) // 2
            if not _is_better(&offer, &self.heap[above]):
                break
            self.heap[place] = self.heap[above]
            place = above
        self.heap[place] = offer
        return 0

    cdef Offer pop(self) noexcept:
        cdef Offer best = self.heap[0], moved
        cdef Py_ssize_t place = 0, below
        self.size -= 1
        moved = self.heap[self.size]
        while True:
            below = 2 * place + 1
            if below >= self.size:
                break
            if below + 1 < self.size and _is_better(&self.heap[below + 1], &self.heap[below]):
                below += 1
            if not _is_better(&self.heap[below], &moved):
                break
            self.heap[place] = self.heap[below]
            place = below
        self.heap[place] = moved
        return best
