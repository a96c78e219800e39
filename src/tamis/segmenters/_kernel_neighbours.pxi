# Which boxes are beside each other, and which hang together.

def connected(Py_ssize_t count, first, second):
    roots = np.arange(count, dtype=np.int64)
    cdef int64_t[::1] root = roots
    cdef const int64_t[::1] ones = np.ascontiguousarray(first, dtype=np.int64)
    cdef const int64_t[::1] others = np.ascontiguousarray(second, dtype=np.int64)
    cdef Py_ssize_t place
    cdef int64_t a, b
    for place in range(ones.shape[0]):
        a, b = _find(root, ones[place]), _find(root, others[place])
        root[max(a, b)] = min(a, b)
    for place in range(count):
        root[place] = _find(root, place)
    return roots


cdef int64_t _find(int64_t[::1] root, int64_t box) noexcept:
    while root[box] != box:
        root[box] = root[root[box]]
        box = root[box]
    return box


def nearest_before(low, high, start, end):
    cdef Py_ssize_t count = len(low)
    order = np.lexsort((low, start))
    # A box takes the place of the stretches it covers and adds two at most: so large can the front become, and so many
    # stretches are looked at in all.
    cdef double[::1] cuts = np.empty(2 * count + 2)
    cdef int64_t[::1] owners = np.empty(2 * count + 2, dtype=np.int64)
    founds, met = np.empty(3 * count + 2, dtype=np.int64), np.empty(3 * count + 2, dtype=np.int64)
    cdef int64_t[::1] found = founds, others = met
    cdef int64_t[::1] seen_by = np.full(count, -1, dtype=np.int64)
    cdef const int64_t[::1] ordered = order
    cdef const double[::1] lows = np.ascontiguousarray(low), highs = np.ascontiguousarray(high)
    cdef const double[::1] ends = np.ascontiguousarray(end)
    cdef Py_ssize_t size = 1, pairs = 0, place, first, last, at, added
    cdef int64_t box, owner
    cdef double begin, stop, closest
    cdef bint keeps_head, keeps_tail
    cuts[0], owners[0] = -INFINITY, -1
    for place in range(count):
        box = ordered[place]
        begin, stop = lows[box], highs[box]
        first = _place(cuts, size, begin, True) - 1
        last = _place(cuts, size, stop, False)
        closest = -INFINITY
        for at in range(first, last):
            if owners[at] >= 0 and ends[owners[at]] > closest:
                closest = ends[owners[at]]
        for at in range(first, last):
            owner = owners[at]
            if owner >= 0 and ends[owner] == closest and seen_by[owner] != box:
                seen_by[owner] = box
                found[pairs], others[pairs] = box, owner
                pairs += 1
        keeps_head = cuts[first] < begin
        keeps_tail = last == size or cuts[last] > stop
        added = 1 + keeps_head + keeps_tail
        owner = owners[last - 1]
        if last < size:
            memmove(&cuts[first + added], &cuts[last], (size - last) * sizeof(double))
            memmove(&owners[first + added], &owners[last], (size - last) * sizeof(int64_t))
        size += added - (last - first)
        at = first + keeps_head
        cuts[at], owners[at] = begin, box
        if keeps_tail:
            cuts[at + 1], owners[at + 1] = stop, owner
    return founds[:pairs], met[:pairs]


cdef Py_ssize_t _place(double[::1] cuts, Py_ssize_t size, double value, bint is_behind) noexcept:
    """Where a value belongs among sorted ones: before those equal to it, or behind them."""
    cdef Py_ssize_t low = 0, high = size, middle
    while low < high:
        middle = (low + high) // 2
        if cuts[middle] < value or (is_behind and cuts[middle] == value):
            low = middle + 1
        else:
            high = middle
    return low
