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

# --- Neighbours -------------------------------------------------------------------------------------------------------


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


# --- Joining ----------------------------------------------------------------------------------------------------------

cdef enum Shape:
    BOX, COLUMN, ROW

cdef struct Rect:
    double left, top, right, bottom

cdef struct Offer:
    double value, size, top, left
    int64_t low, high


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
    # The grid: for each cell a chain of groups.
    cdef Py_ssize_t columns, rows
    cdef double left, top, per_x, per_y
    cdef int64_t[::1] cell_head
    cdef int64_t* chain_group
    cdef int64_t* chain_next
    cdef Py_ssize_t chain_size, chain_room, chain_free
    cdef Offer* heap
    cdef Py_ssize_t heap_size, heap_room
    # What was met in this turn.
    cdef int64_t[::1] met_at, joined_at, parts, in_the_way, further
    cdef int64_t turn
    cdef int64_t[::1] kept_view, given_view
    cdef double[::1] at_view

    def __cinit__(self):
        self.rects = NULL
        self.chain_group = self.chain_next = NULL
        self.heap = NULL

    def __dealloc__(self):
        free(self.rects)
        free(self.chain_group)
        free(self.chain_next)
        free(self.heap)

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
        self._make_grid(grid_of(rect))
        self._make_relations(pairs, dissimilarity, relations)

    cdef _make_grid(self, grid):
        cdef Py_ssize_t box
        self.columns, self.rows, self.left, self.top, self.per_x, self.per_y = grid
        self.cell_head = np.full(self.columns * self.rows, -1)
        self.chain_size, self.chain_room, self.chain_free = 0, 0, -1
        for box in range(self.count):
            self._enter(box, self.rects[box], False)

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
        self.heap_size = self.heap_room = 0
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
        while self.heap_size:
            best = self._pop()
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

    # --- Offers: a heap of the pairs that may be joined next

    cdef int _offer(self, int64_t relation) except -1:
        cdef double value = self._mean(relation)
        if value > self.limit:
            return 0
        if self.heap_size == self.heap_room:
            self.heap_room = max(2 * self.heap_room, 64)
            self.heap = <Offer*> _enlarged(self.heap, self.heap_room * sizeof(Offer))
        cdef int64_t one = self.group_of[2 * relation], other = self.group_of[2 * relation + 1]
        cdef Rect a = self.rects[one], b = self.rects[other]
        cdef Offer offer = Offer(
            value, _area(a) + _area(b), min(a.top, b.top), min(a.left, b.left), min(one, other), max(one, other)
        )
        cdef Py_ssize_t place = self.heap_size, above
        self.heap_size += 1
        while place:
            above = (place - 1) // 2
            if not _is_better(&offer, &self.heap[above]):
                break
            self.heap[place] = self.heap[above]
            place = above
        self.heap[place] = offer
        return 0

    cdef Offer _pop(self) noexcept:
        cdef Offer best = self.heap[0], moved
        cdef Py_ssize_t place = 0, below
        self.heap_size -= 1
        moved = self.heap[self.heap_size]
        while True:
            below = 2 * place + 1
            if below >= self.heap_size:
                break
            if below + 1 < self.heap_size and _is_better(&self.heap[below + 1], &self.heap[below]):
                below += 1
            if not _is_better(&self.heap[below], &moved):
                break
            self.heap[place] = self.heap[below]
            place = below
        self.heap[place] = moved
        return best

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
            self._cells(parts[part], ends)
            for row in range(ends[1], ends[3] + 1):
                for column in range(ends[0], ends[2] + 1):
                    link = self.cell_head[row * self.columns + column]
                    while link >= 0:
                        group = self.chain_group[link]
                        link = self.chain_next[link]
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

    # --- Joining

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
            self._enter(keeper, parts[place], True)
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

    # --- The grid

    cdef void _cells(self, Rect rect, Py_ssize_t* ends) noexcept:
        """The first and the last column and row, as left, top, right, bottom."""
        ends[0] = <Py_ssize_t> ((rect.left - self.left) * self.per_x)
        ends[1] = <Py_ssize_t> ((rect.top - self.top) * self.per_y)
        ends[2] = min(<Py_ssize_t> ((rect.right - self.left) * self.per_x), self.columns - 1)
        ends[3] = min(<Py_ssize_t> ((rect.bottom - self.top) * self.per_y), self.rows - 1)

    cdef int _enter(self, int64_t group, Rect rect, bint is_cleaned) except -1:
        """Enter a group in cells; groups that are no more leave them if ``is_cleaned``."""
        cdef Py_ssize_t ends[4]
        cdef Py_ssize_t row, column, cell
        self._cells(rect, ends)
        for row in range(ends[1], ends[3] + 1):
            for column in range(ends[0], ends[2] + 1):
                cell = row * self.columns + column
                if is_cleaned:
                    self._clean(cell, group)
                self._append(cell, group)
        return 0

    cdef void _clean(self, Py_ssize_t cell, int64_t group) noexcept:
        cdef int64_t link = self.cell_head[cell], last = -1, after
        while link >= 0:
            after = self.chain_next[link]
            if self.members[self.chain_group[link]] and self.chain_group[link] != group:
                last = link
            else:
                if last >= 0:
                    self.chain_next[last] = after
                else:
                    self.cell_head[cell] = after
                self.chain_next[link] = self.chain_free
                self.chain_free = link
            link = after

    cdef int _append(self, Py_ssize_t cell, int64_t group) except -1:
        cdef int64_t link
        if self.chain_free >= 0:
            link = self.chain_free
            self.chain_free = self.chain_next[link]
        else:
            if self.chain_size == self.chain_room:
                self.chain_room = max(2 * self.chain_room, 4 * self.count + 16)
                self.chain_group = <int64_t*> _enlarged(self.chain_group, self.chain_room * sizeof(int64_t))
                self.chain_next = <int64_t*> _enlarged(self.chain_next, self.chain_room * sizeof(int64_t))
            link = self.chain_size
            self.chain_size += 1
        self.chain_group[link], self.chain_next[link] = group, self.cell_head[cell]
        self.cell_head[cell] = link
        return 0


cdef void* _enlarged(void* room, size_t size) except NULL:
    cdef void* larger = realloc(room, size)
    if larger == NULL:
        raise MemoryError
    return larger


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


cdef double _area(Rect rect) noexcept:
    return (rect.right - rect.left) * (rect.bottom - rect.top)


cdef Rect _around(Rect a, Rect b) noexcept:
    return Rect(min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom))


cdef Py_ssize_t _without(Rect outer, Rect inner, Rect* parts) noexcept:
    """The up to four rectangles that remain of one when another inside it is taken out."""
    cdef Rect all_parts[4]
    all_parts[0] = Rect(outer.left, outer.top, outer.right, inner.top)
    all_parts[1] = Rect(outer.left, inner.bottom, outer.right, outer.bottom)
    all_parts[2] = Rect(outer.left, inner.top, inner.left, inner.bottom)
    all_parts[3] = Rect(inner.right, inner.top, outer.right, inner.bottom)
    cdef Py_ssize_t count = 0, part
    for part in range(4):
        if all_parts[part].left < all_parts[part].right and all_parts[part].top < all_parts[part].bottom:
            parts[count] = all_parts[part]
            count += 1
    return count
