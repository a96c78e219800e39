# Which groups are near, by the cells of a grid.

cdef class _Grid:
    """For each cell a chain of groups; those without ``members`` are no more, and leave it when it is cleaned."""

    cdef Py_ssize_t columns, rows, groups
    cdef double left, top, per_x, per_y
    cdef int64_t[::1] head, members
    cdef int64_t* held
    cdef int64_t* next
    cdef Py_ssize_t size, room, free

    def __cinit__(self):
        self.held = self.next = NULL

    def __dealloc__(self):
        free(self.held)
        free(self.next)

    def __init__(self, grid, int64_t[::1] members):
        self.columns, self.rows, self.left, self.top, self.per_x, self.per_y = grid
        self.groups, self.members = members.shape[0], members
        self.head = np.full(self.columns * self.rows, -1)
        self.size, self.room, self.free = 0, 0, -1

    cdef void cells(self, Rect rect, Py_ssize_t* ends) noexcept:
        """The first and the last column and row, as left, top, right, bottom."""
        ends[0] = <Py_ssize_t> ((rect.left - self.left) * self.per_x)
        ends[1] = <Py_ssize_t> ((rect.top - self.top) * self.per_y)
        ends[2] = min(<Py_ssize_t> ((rect.right - self.left) * self.per_x), self.columns - 1)
        ends[3] = min(<Py_ssize_t> ((rect.bottom - self.top) * self.per_y), self.rows - 1)

    cdef int enter(self, int64_t group, Rect rect, bint is_cleaned) except -1:
        """Enter a group in cells; groups that are no more leave them if ``is_cleaned``."""
        cdef Py_ssize_t ends[4]
        cdef Py_ssize_t row, column, cell
        self.cells(rect, ends)
        for row in range(ends[1], ends[3] + 1):
            for column in range(ends[0], ends[2] + 1):
                cell = row * self.columns + column
                if is_cleaned:
                    self._clean(cell, group)
                self._append(cell, group)
        return 0

    cdef void _clean(self, Py_ssize_t cell, int64_t group) noexcept:
        cdef int64_t link = self.head[cell], last = -1, after
        while link >= 0:
            after = self.next[link]
            if self.members[self.held[link]] and self.held[link] != group:
                last = link
            else:
                if last >= 0:
                    self.next[last] = after
                else:
                    self.head[cell] = after
                self.next[link] = self.free
                self.free = link
            link = after

    cdef int _append(self, Py_ssize_t cell, int64_t group) except -1:
        cdef int64_t link
        if self.free >= 0:
            link = self.free
            self.free = self.next[link]
        else:
            if self.size == self.room:
                self.room = max(2 * self.room, 4 * self.groups + 16)
                self.held = <int64_t*> _enlarged(self.held, self.room * sizeof(int64_t))
                self.next = <int64_t*> _enlarged(self.next, self.room * sizeof(int64_t))
            link = self.size
            self.size += 1
        self.held[link], self.next[link] = group, self.head[cell]
        self.head[cell] = link
        return 0
