# Which boxes are joined to groups, one pair after the other.


def join_boxes(rect, pairs, dissimilarity, *, threshold, absorb):
    groups = _Groups(rect, pairs, dissimilarity, threshold, absorb)
    count = groups.join_all()
    return groups.kept[:count], groups.given[:count], groups.at[:count] / GRAIN


cdef class _Groups:
    """Clusters and single boxes while they are joined, as in ``_joining.py``, in arrays.

    A relation is two halves, 2r and 2r + 1, one in the list of each of its groups. Refused ones stand first in both
    lists, so that those that must be offered again are found without looking at the others.
    """

    cdef public object kept, given, at
    cdef object boxes, pairs
    cdef Py_ssize_t count, moves
    cdef double limit
    cdef bint absorb
    cdef Rect* rects
    # Of boxes: the group they are in, and the next member of it.
    cdef int64_t[::1] owner, next_member
    # Of groups, by the number of the box that stands for them.
    cdef int64_t[::1] members, last_member, beside, stacked, degree, head, tail
    # Of halves and relations.
    cdef int64_t[::1] group_of, after, before
    cdef double[::1] total
    cdef int64_t[::1] connections, across
    cdef uint8_t[::1] refused
    # Relations by their two groups: open addressing, a power of two of places, -1 for an empty one.
    cdef int64_t[::1] table
    cdef uint64_t table_mask
    cdef int table_shift
    cdef int64_t[::1] touch_from, touch_to
    cdef _Grid grid
    cdef _Offers offers
    # What was met in this turn.
    cdef int64_t[::1] met_at, joined_at, parts, in_the_way, further
    cdef int64_t turn
    cdef int64_t[::1] kept_view, given_view
    cdef double[::1] at_view

    def __cinit__(self):
        self.rects = NULL

    def __dealloc__(self):
        free(self.rects)

    def __init__(self, rect, pairs, dissimilarity, threshold, absorb):
        cdef Py_ssize_t count = len(rect), relations = len(pairs), box, place
        self.count, self.moves, self.absorb = count, 0, absorb
        self.limit = floor(threshold * _GRAIN + 0.5)
        cdef const double[:, ::1] edges = np.ascontiguousarray(rect, dtype=np.float64)
        self.rects = <Rect*> realloc(NULL, max(count, 1) * sizeof(Rect))
        if self.rects == NULL:
            raise MemoryError
        for box in range(count):
            self.rects[box] = Rect(edges[box, 0], edges[box, 1], edges[box, 2], edges[box, 3])
        self.kept, self.given = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        self.at = np.empty(count)
        self.kept_view, self.given_view, self.at_view = self.kept, self.given, self.at
        self.owner, self.last_member = np.arange(count), np.arange(count)
        self.next_member = np.full(count, -1)
        self.members = np.ones(count, dtype=np.int64)
        self.beside, self.stacked, self.degree = (np.zeros(count, dtype=np.int64) for _ in range(3))
        self.head, self.tail = np.full(count, -1), np.full(count, -1)
        self.met_at, self.joined_at = np.full(count, -1), np.full(count, -1)
        self.parts, self.in_the_way, self.further = (np.empty(count, dtype=np.int64) for _ in range(3))
        self.turn = 0
        self.boxes, self.pairs, self.touch_from = rect, pairs, None
        self.grid = _Grid(grid_of(rect), self.members)
        for box in range(count):
            self.grid.enter(box, self.rects[box], False)
        self._make_relations(pairs, dissimilarity, relations)

    cdef _make_relations(self, pairs, dissimilarity, Py_ssize_t relations):
        cdef const int64_t[::1] firsts = np.ascontiguousarray(pairs.first), seconds = np.ascontiguousarray(pairs.second)
        cdef const uint8_t[::1] is_stacked = np.ascontiguousarray(pairs.is_stacked).view(np.uint8)
        cdef Py_ssize_t relation
        cdef int bits = 2
        while (1 << bits) < 3 * relations:
            bits += 1
        self.table = np.full(1 << bits, -1)
        self.table_mask, self.table_shift = (1 << bits) - 1, 64 - bits
        self.group_of = np.empty(2 * relations, dtype=np.int64)
        self.after, self.before = np.full(2 * relations, -1), np.full(2 * relations, -1)
        self.total = np.array(dissimilarity, dtype=np.float64)
        self.connections = np.ones(relations, dtype=np.int64)
        self.across = np.zeros(relations, dtype=np.int64)
        self.refused = np.zeros(relations, dtype=np.uint8)
        self.offers = _Offers()
        for relation in range(relations):
            self.group_of[2 * relation], self.group_of[2 * relation + 1] = firsts[relation], seconds[relation]
            self.across[relation] = not is_stacked[relation]
            self._remember(relation)
            self._put_last(2 * relation)
            self._put_last(2 * relation + 1)
            self._offer(relation)

    def join_all(self):
        cdef Offer best
        cdef int64_t relation
        cdef Py_ssize_t drawn_in
        while self.offers.size:
            best = self.offers.pop()
            relation = self._relation(best.low, best.high)
            if relation < 0 or self._mean(relation) != best.value:
                continue
            if best.size != _area(self.rects[best.low]) + _area(self.rects[best.high]):  # one of them has grown since
                self._offer(relation)
                continue
            drawn_in = self._joinable(best.low, best.high)
            if drawn_in < 0:
                self._refuse(relation)
            else:
                self._join(2 + drawn_in, best.value)
        return self.moves

    cdef int _join(self, Py_ssize_t size, double value) except -1:
        # The largest part keeps its number: what is moved goes to something twice as large each time, so seldom.
        cdef int64_t keeper = self.parts[0], part, half, weight, most = -1
        cdef Py_ssize_t place
        for place in range(size):
            part = self.parts[place]
            weight = self.members[part] + self.degree[part]
            if weight > most or (weight == most and part < keeper):
                keeper, most = part, weight
        cdef Rect before = self.rects[keeper]
        for place in range(size):
            part = self.parts[place]
            if part != keeper:
                self.kept_view[self.moves], self.given_view[self.moves] = keeper, part
                self.at_view[self.moves] = value
                self.moves += 1
                self._move(part, keeper)
        half = self.head[keeper]
        while half >= 0 and self.refused[half >> 1]:
            self.refused[half >> 1] = False
            self._take_out(half)
            self._put_last(half)
            self._take_out(half ^ 1)
            self._put_last(half ^ 1)
            self._offer(half >> 1)
            half = self.head[keeper]
        cdef Rect parts[4]
        cdef Py_ssize_t count = _without(self.rects[keeper], before, parts)
        for place in range(count):
            self.grid.enter(keeper, parts[place], True)
        return 0

    cdef void _move(self, int64_t part, int64_t keeper) noexcept:
        """Give everything of a group to another one."""
        cdef int64_t half, relation, partner, other, box
        self.rects[keeper] = _around(self.rects[keeper], self.rects[part])
        box = part
        while box >= 0:
            self.owner[box] = keeper
            box = self.next_member[box]
        self.next_member[self.last_member[keeper]] = part
        self.last_member[keeper] = self.last_member[part]
        self.members[keeper] += self.members[part]
        self.members[part] = 0
        self.beside[keeper] += self.beside[part]
        self.stacked[keeper] += self.stacked[part]
        while self.head[part] >= 0:
            half = self.head[part]
            relation, partner = half >> 1, self.group_of[half ^ 1]
            self._forget(relation)
            self._take_out(half)
            if partner == keeper:
                self.beside[keeper] += self.across[relation]
                self.stacked[keeper] += self.connections[relation] - self.across[relation]
                self._take_out(half ^ 1)
                continue
            other = self._relation(keeper, partner)
            if other >= 0:
                self.total[other] += self.total[relation]
                self.connections[other] += self.connections[relation]
                self.across[other] += self.across[relation]
                self._take_out(half ^ 1)
                self._refuse(other)  # to be offered when all parts are moved
            else:
                self.group_of[half] = keeper
                self._remember(relation)
                self._put_first(half)
                self.refused[relation] = True
                self._take_out(half ^ 1)
                self._put_first(half ^ 1)

    # --- Relations

    cdef double _mean(self, int64_t relation) noexcept:
        return floor(self.total[relation] / self.connections[relation] * _GRAIN + 0.5)

    cdef uint64_t _home(self, int64_t one, int64_t other) noexcept:
        cdef uint64_t low = min(one, other), high = max(one, other)
        return ((low * <uint64_t> self.count + high) * <uint64_t> 0x9E3779B97F4A7C15) >> self.table_shift

    cdef int64_t _relation(self, int64_t one, int64_t other) noexcept:
        """The relation of two groups, -1 for none."""
        cdef uint64_t place = self._home(one, other)
        cdef int64_t a, b
        while self.table[place] >= 0:
            a, b = self.group_of[2 * self.table[place]], self.group_of[2 * self.table[place] + 1]
            if (a == one and b == other) or (a == other and b == one):
                return self.table[place]
            place = (place + 1) & self.table_mask
        return -1

    cdef void _remember(self, int64_t relation) noexcept:
        cdef uint64_t place = self._home(self.group_of[2 * relation], self.group_of[2 * relation + 1])
        while self.table[place] >= 0:
            place = (place + 1) & self.table_mask
        self.table[place] = relation

    cdef void _forget(self, int64_t relation) noexcept:
        """Take a relation out of the table; those behind it move up, so that none is cut off from its home."""
        cdef uint64_t hole = self._home(self.group_of[2 * relation], self.group_of[2 * relation + 1]), place, home
        while self.table[hole] != relation:
            hole = (hole + 1) & self.table_mask
        place = hole
        while True:
            place = (place + 1) & self.table_mask
            if self.table[place] < 0:
                break
            home = self._home(self.group_of[2 * self.table[place]], self.group_of[2 * self.table[place] + 1])
            if ((place - home) & self.table_mask) >= ((place - hole) & self.table_mask):
                self.table[hole] = self.table[place]
                hole = place
        self.table[hole] = -1

    cdef void _take_out(self, int64_t half) noexcept:
        cdef int64_t group = self.group_of[half], after = self.after[half], before = self.before[half]
        if before >= 0:
            self.after[before] = after
        else:
            self.head[group] = after
        if after >= 0:
            self.before[after] = before
        else:
            self.tail[group] = before
        self.degree[group] -= 1

    cdef void _put_first(self, int64_t half) noexcept:
        cdef int64_t group = self.group_of[half], first = self.head[group]
        self.before[half], self.after[half] = -1, first
        if first >= 0:
            self.before[first] = half
        else:
            self.tail[group] = half
        self.head[group] = half
        self.degree[group] += 1

    cdef void _put_last(self, int64_t half) noexcept:
        cdef int64_t group = self.group_of[half], last = self.tail[group]
        self.before[half], self.after[half] = last, -1
        if last >= 0:
            self.after[last] = half
        else:
            self.head[group] = half
        self.tail[group] = half
        self.degree[group] += 1

    cdef void _refuse(self, int64_t relation) noexcept:
        cdef int64_t half
        self.refused[relation] = True
        for half in range(2 * relation, 2 * relation + 2):
            self._take_out(half)
            self._put_first(half)

    cdef int _offer(self, int64_t relation) except -1:
        cdef double value = self._mean(relation)
        if value > self.limit:
            return 0
        cdef int64_t one = self.group_of[2 * relation], other = self.group_of[2 * relation + 1]
        cdef Rect a = self.rects[one], b = self.rects[other]
        return self.offers.push(
            Offer(value, _area(a) + _area(b), min(a.top, b.top), min(a.left, b.left), min(one, other), max(one, other))
        )

    # --- May two groups be joined?

    cdef Py_ssize_t _joinable(self, int64_t one, int64_t other) except -2:
        """How many further boxes must come along if two groups are joined; -1 if they may not be.

        All that is joined stands in ``parts`` then.
        """
        cdef Rect a = self.rects[one], b = self.rects[other], around, before
        cdef Shape shape = self._shape(one), other_shape = self._shape(other)
        cdef bint across
        cdef double density
        cdef Py_ssize_t size = 2, found, place
        cdef int64_t box
        if shape == other_shape and shape != BOX:
            if shape == COLUMN:
                across = a.top < b.bottom and b.top < a.bottom
            else:
                across = a.left < b.right and b.left < a.right
            if across:
                density = self._density(one, shape) / self._density(other, shape)
                if not (_LEAST <= density <= _MOST):
                    return -1
        self.turn += 1
        cdef int64_t turn = self.turn
        self.joined_at[one] = self.joined_at[other] = turn
        self.parts[0], self.parts[1] = one, other
        around = _around(a, b)
        # Neither has others inside its own rectangle.
        found = self._others(around, a if _area(a) > _area(b) else b, turn, self.in_the_way)
        if shape != other_shape and found:
            return -1
        while found:
            for place in range(found):
                if self.members[self.in_the_way[place]] > 1:
                    return -1
            for place in range(found):
                box = self.in_the_way[place]
                if not (self._touches(box, turn) or self._absorbs(around, box, turn, found)):
                    return -1
            before = around
            for place in range(found):
                box = self.in_the_way[place]
                self.joined_at[box] = turn
                self.parts[size] = box
                size += 1
                around = _around(around, self.rects[box])
            found = self._others(around, before, turn, self.in_the_way)
        return size - 2

    cdef Shape _shape(self, int64_t group) noexcept:
        cdef int64_t beside = self.beside[group], stacked = self.stacked[group]
        if beside < _LEAST * stacked:
            return COLUMN
        return ROW if beside > _MOST * stacked else BOX

    cdef double _density(self, int64_t group, Shape shape) noexcept:
        cdef Rect rect = self.rects[group]
        if shape == COLUMN:
            return self.stacked[group] / (rect.bottom - rect.top)
        return self.beside[group] / (rect.right - rect.left)

    cdef Py_ssize_t _others(self, Rect around, Rect known, int64_t turn, int64_t[::1] found) noexcept:
        """Groups that overlap a rectangle, but not the part of it that is known to hold no others."""
        cdef Rect parts[4]
        cdef Rect rect
        cdef Py_ssize_t count = _without(around, known, parts), part, size = 0, row, column, cell
        cdef Py_ssize_t ends[4]
        cdef int64_t link, group
        self.turn += 1
        for part in range(count):
            self.grid.cells(parts[part], ends)
            for row in range(ends[1], ends[3] + 1):
                for column in range(ends[0], ends[2] + 1):
                    link = self.grid.head[row * self.grid.columns + column]
                    while link >= 0:
                        group = self.grid.held[link]
                        link = self.grid.next[link]
                        if not self.members[group] or self.met_at[group] == self.turn or self.joined_at[group] == turn:
                            continue
                        rect = self.rects[group]
                        if (
                            rect.left < around.right and around.left < rect.right
                            and rect.top < around.bottom and around.top < rect.bottom
                        ):
                            self.met_at[group] = self.turn
                            found[size] = group
                            size += 1
        return size

    cdef int _touches(self, int64_t box, int64_t turn) except -1:
        cdef int64_t place
        if self.touch_from is None:  # a third of the pages are joined without asking
            self.touch_from, self.touch_to = touching(self.boxes, self.pairs)
        for place in range(self.touch_from[box], self.touch_from[box + 1]):
            if self.joined_at[self.owner[self.touch_to[place]]] == turn:
                return True
        return False

    cdef bint _absorbs(self, Rect around, int64_t box, int64_t turn, Py_ssize_t in_the_way) noexcept:
        """Whether a box that touches nothing may come along: it changes little."""
        cdef Rect rect = self.rects[box], wider = _around(around, rect), other
        cdef Py_ssize_t place, count
        if not self.absorb:
            return False
        for place in range(in_the_way):
            self.joined_at[self.in_the_way[place]] = turn
        count = self._others(wider, around, turn, self.further)
        for place in range(in_the_way):
            self.joined_at[self.in_the_way[place]] = -1
        for place in range(count):
            other = self.rects[self.further[place]]
            if max(other.left - rect.right, rect.left - other.right, other.top - rect.bottom, rect.top - other.bottom) \
                    > _CLOSE_PX:
                return False
        return True
