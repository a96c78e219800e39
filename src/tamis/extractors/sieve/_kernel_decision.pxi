# From log odds to a choice; see ``decide.py`` and ``regions.py``.

cdef enum:
    _POINTS = 9
    _END_CHARACTERS = 8
    # What is computed of each unit.
    _UNIT_ODDS = 0
    _LIFTED_ODDS = 1
    _UNIT_WORDS = 2
    _WEIGHTS = 3
    _CHANCES = 4
    _ROWS = 5

cdef double COMMENT_PENALTY = regions.COMMENT_PENALTY, ALL_COMMENTS = regions.ALL_COMMENTS
cdef double MAIN_PENALTY = regions.MAIN_PENALTY, MAIN_SHARE = regions.MAIN_SHARE, SURE = regions.SURE
cdef double NOTHING = decide.NOTHING, HEADING_FLOOR = decide.HEADING_FLOOR
cdef double LIFT_MARGIN = decide.LIFT_MARGIN, NOTE_FLOOR = decide.NOTE_FLOOR
cdef int64_t COLON_MARGIN = decide.COLON_MARGIN
cdef int ELLIPSIS_TAIL = decide.ELLIPSIS_TAIL
cdef double LIFT_FLOORS[16]
cdef uint8_t IS_BODY[16]
cdef double SHARES[_POINTS]
cdef double SHIFT_FACTORS[_POINTS]  # of exp(-odds)
SHARES[:] = decide.shifts()[1]
SHIFT_FACTORS[:] = np.exp(-decide.PAGE_ERROR * decide.shifts()[0])
cdef double _LEAST = exp(-30.0), _MOST = exp(30.0)  # of exp(-odds); beyond, probabilities are 0 or 1 anyway
for _kind in range(16):
    LIFT_FLOORS[_kind] = decide.LIFT_FLOORS.get(_kind, np.inf)
    IS_BODY[_kind] = _kind in decide.BODIES


_span = partial(tuple.__new__, Span)


cdef inline double _chance(double odds) noexcept nogil:
    return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))


cdef inline uint32_t _code_at(int unit, const void* data, int64_t place) noexcept nogil:
    if unit == 1:
        return (<const uint8_t*>data)[place]
    return (<const uint16_t*>data)[place] if unit == 2 else (<const uint32_t*>data)[place]


def expected_words(const double[::1] log_odds, const double[::1] words):
    cdef Py_ssize_t size = log_odds.shape[0], place
    expected_array = np.empty(size)
    cdef double[::1] expected = expected_array
    with nogil:
        for place in range(size):
            expected[place] = words[place] * _chance(log_odds[place])
    return expected_array


def hidden_blocks(const uint8_t[::1] flags, const int64_t[::1] nodes, const double[::1] log_odds, double least):
    cdef Py_ssize_t size = nodes.shape[0], block
    cdef bint any_hidden = False
    if log_odds.shape[0] != size:
        raise ValueError("arrays that do not belong together")
    hidden_array = np.empty(size, dtype=np.bool_)
    cdef uint8_t[::1] is_hidden = hidden_array.view(np.uint8)
    with nogil:
        for block in range(size):
            is_hidden[block] = flags[nodes[block]] & _HIDDEN != 0 and log_odds[block] >= least
            any_hidden = any_hidden or is_hidden[block]
    return hidden_array if any_hidden else None


def is_short(const double[::1] log_odds, const double[::1] words, Py_ssize_t end, double share):
    cdef Py_ssize_t size = log_odds.shape[0], place
    cdef double expected, before = 0, total = 0
    with nogil:
        for place in range(size):
            expected = words[place] * _chance(log_odds[place])
            total += expected
            if place < end:
                before += expected
    return before <= share * total


def chances(const double[::1] log_odds):
    cdef Py_ssize_t place
    return tuple([_chance(log_odds[place]) for place in range(log_odds.shape[0])])


def named(const int64_t[::1] numbers, tuple names):
    cdef Py_ssize_t count = len(names), place
    cdef list found = []
    for place in range(numbers.shape[0]):
        if not 0 <= numbers[place] < count:
            raise ValueError("a number without a name")
        found.append(names[numbers[place]])
    return tuple(found)


def beside_content(in_comments, const double[::1] log_odds, const double[::1] words):
    cdef const uint8_t[::1] is_comment = in_comments.view(np.uint8)
    cdef Py_ssize_t size = log_odds.shape[0], place
    cdef double expected, inside = 0, total = 0
    cdef bint any_comment = False
    with nogil:
        for place in range(size):
            any_comment = any_comment or is_comment[place]
        if any_comment:
            for place in range(size):
                expected = words[place] * _chance(log_odds[place])
                total += expected
                if is_comment[place]:
                    inside += expected
    return in_comments if any_comment and inside <= ALL_COMMENTS * total else None


def placed(const double[::1] log_odds, const double[::1] words, containers, comments, double article):
    cdef const int64_t[::1] first = containers.first, last = containers.last
    cdef const uint8_t[::1] is_comment = None if comments is None else comments.view(np.uint8)
    cdef bint any_comment = comments is not None
    cdef Py_ssize_t size = log_odds.shape[0], place, main = -1
    odds_array = np.empty(size)
    cdef double[::1] odds = odds_array, sums = np.empty(size + 1)
    with nogil:
        sums[0] = 0
        for place in range(size):
            odds[place] = log_odds[place]
            if any_comment and is_comment[place]:
                odds[place] -= COMMENT_PENALTY
            sums[place + 1] = sums[place] + (words[place] if _chance(odds[place]) >= SURE else 0.0)
        if sums[size] > 0:
            for place in range(first.shape[0]):
                if sums[last[place]] - sums[first[place]] >= MAIN_SHARE * sums[size] and (
                    main < 0 or last[place] - first[place] <= last[main] - first[main]
                ):
                    main = place
        if main >= 0:
            for place in range(size):
                if not first[main] <= place < last[main]:
                    odds[place] -= MAIN_PENALTY * article
    return odds_array


def levelled(log_odds, words, groups):
    cdef const double[::1] odds = log_odds, counted = words
    cdef const int64_t[::1] group = groups
    cdef Py_ssize_t size = odds.shape[0], place, number
    cdef double share = decide.GROUP_SHARE, weight
    level_array = np.empty(size)
    cdef double[::1] level = level_array
    cdef double[:, ::1] sums = np.zeros((2, max(groups.max(initial=-1) + 1, 1)))
    if groups.min(initial=0) < 0:
        raise ValueError("numbers of groups are not negative")
    with nogil:
        for place in range(size):
            weight = counted[place] + 1e-3
            sums[0, group[place]] += odds[place] * weight
            sums[1, group[place]] += weight
        for place in range(size):
            number = group[place]
            level[place] = (1 - share) * odds[place] + share * (sums[0, number] / sums[1, number])
    return level_array


def likeliest(page, list nodes, const double[::1] odds):
    cdef const int64_t[::1] end = page.nodes.end, leaves = page.blocks.leaves, first_leaf = page.blocks.first_leaf
    cdef Py_ssize_t count = odds.shape[0], size = end.shape[0], place, best = 0, start = 0, stop = 0, first, last, block
    cdef int64_t node
    cdef double most = -INFINITY, highest
    if first_leaf.shape[0] != count + 1:
        raise ValueError("arrays that do not belong together")
    for place in range(len(nodes)):
        node = nodes[place]
        if not 0 <= node < size:
            raise ValueError("no node of the page")
        first, last = _below(leaves, leaves.shape[0], node), _below(leaves, leaves.shape[0], end[node])
        if first == last:
            continue
        first, last = _below(first_leaf, count + 1, first + 1) - 1, _below(first_leaf, count + 1, last)
        highest = -INFINITY
        for block in range(first, last):
            highest = max(highest, odds[block])
        if highest > most:
            most, best, start, stop = highest, place, first, last
    return best, range(start, stop)


cdef inline Py_ssize_t _below(const int64_t[::1] numbers, Py_ssize_t size, int64_t number) noexcept nogil:
    """How many of some sorted numbers are smaller than another."""
    cdef Py_ssize_t low = 0, high = size, middle
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


def decided(
    page,
    units,
    const double[::1] odds,
    const double[::1] words,
    headline,
    notes,
    bint is_loose,
    bint is_tiled,
    bint is_forum,
    double bias,
    const int64_t[:, ::1] rules,
):
    cdef Py_ssize_t count = len(units), size = len(page.blocks), unit, block
    cdef const int64_t* kind = _longs(units.kind, count)
    cdef const int64_t* of_block = _longs(units.of_block, size)
    cdef int64_t first = headline.start, last = headline.stop
    if odds.shape[0] != size or words.shape[0] != size or not 0 <= first <= last <= size:
        raise ValueError("arrays that do not belong together")
    cdef double[:, ::1] room = np.empty((_ROWS, count))
    cdef int32_t[:, ::1] numbers = np.empty((3, count), dtype=np.int32)
    cdef int32_t[::1] sizes = numbers[0]
    cdef uint8_t[:, ::1] marks = np.empty((2, count), dtype=np.uint8)
    cdef uint8_t[::1] is_free = marks[0], kept = marks[1]
    found_array, number_array = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.int64)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    cdef int64_t[::1] number = number_array
    _pool(odds, words, of_block, room, sizes)
    _free(_longs(units.level, count), count, of_block[first] if first < last else 0, is_forum, is_free)
    if not is_loose:
        _lift(page.text, _longs(page.blocks.end, size), odds, units, is_free, room)
    if len(notes[0]):
        _note(notes[0], notes[1], room)
    _head(units, kind, of_block, is_free, is_tiled, room)
    for unit in range(count):
        kept[unit] = True  # open to the cut
    for block in range(first, last):
        kept[of_block[block]] = IS_STRUCTURE[kind[of_block[block]]]
    _cut(room, 4.0**bias, numbers[1], numbers[2], kept)
    with nogil:
        for block in range(size):
            unit = of_block[block]
            found[block] = kept[unit]
            number[block] = rules[sizes[unit] > 1, kind[unit]] + kept[unit]
    return found_array, number_array


cdef void _pool(
    const double[::1] odds,
    const double[::1] words,
    const int64_t* of_block,
    double[:, ::1] room,
    int32_t[::1] sizes,
) noexcept nogil:
    """Log odds and words of units: a word of a unit is content as likely as its words are on average."""
    cdef Py_ssize_t block, unit
    cdef double weight, mean
    for unit in range(sizes.shape[0]):
        sizes[unit] = 0
        room[_UNIT_WORDS, unit] = room[_WEIGHTS, unit] = room[_CHANCES, unit] = 0
    for block in range(odds.shape[0]):
        unit = of_block[block]
        sizes[unit] += 1
        room[_UNIT_WORDS, unit] += words[block]
        room[_UNIT_ODDS, unit] = odds[block]
    for block in range(odds.shape[0]):
        unit = of_block[block]
        if sizes[unit] > 1:
            weight = words[block] + 1e-3
            room[_WEIGHTS, unit] += weight
            room[_CHANCES, unit] += _chance(odds[block]) * weight
    for unit in range(sizes.shape[0]):
        if sizes[unit] > 1:
            mean = min(max(room[_CHANCES, unit] / room[_WEIGHTS, unit], 1e-13), 1 - 1e-13)
            room[_UNIT_ODDS, unit] = log(mean / (1 - mean))


cdef void _free(
    const int64_t* level, Py_ssize_t count, int64_t headline, bint is_forum, uint8_t[::1] is_free
) noexcept nogil:
    """Headings that are not drawn to what they head: those of posts, of the first level, and before the headline."""
    cdef Py_ssize_t unit
    for unit in range(count):
        is_free[unit] = is_forum or level[unit] == 1 or unit < headline


cdef int _lift(
    str text, const int64_t* ends, const double[::1] odds, units, const uint8_t[::1] is_free, double[:, ::1] room
) except -1:
    """Raise structures to what stands around them."""
    cdef Py_ssize_t count = is_free.shape[0], unit
    cdef const int64_t* kind = _longs(units.kind, count)
    cdef const int64_t* before = _longs(units.before, count)
    cdef const int64_t* after = _longs(units.after, count)
    cdef const int64_t* follows = _longs(units.follows, count)
    cdef const int64_t* under = _longs(units.under, count)
    cdef double own, most
    for unit in range(count):
        most = own = room[_UNIT_ODDS, unit]
        if own >= LIFT_FLOORS[kind[unit]]:
            if before[unit] >= 0 and after[unit] >= 0:
                most = max(most, min(odds[before[unit]], odds[after[unit]]) - LIFT_MARGIN)
            if under[unit] >= 0 and not is_free[under[unit]] and IS_BODY[kind[unit]]:
                most = max(most, room[_UNIT_ODDS, under[unit]] - LIFT_MARGIN)
        if follows[unit] >= 0 and odds[follows[unit]] - LIFT_MARGIN > most:
            if _ends_in_colon(text, ends[follows[unit]]):
                most = odds[follows[unit]] - LIFT_MARGIN
        room[_LIFTED_ODDS, unit] = most
    for unit in range(count):
        room[_UNIT_ODDS, unit] = room[_LIFTED_ODDS, unit]
    return 0


cdef bint _ends_in_colon(str text, int64_t end) noexcept:
    """Whether a colon stands at the end of a text, blanks behind it or not."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t last = min(end, <int64_t>PyUnicode_GET_LENGTH(text)) - 1, least = max(end - COLON_MARGIN, <int64_t>0)
    cdef uint32_t code
    while last >= least:
        code = _code_at(unit, data, last)
        if not Py_UNICODE_ISSPACE(code):
            return code == 0x3A or code == 0xFF1A
        last -= 1
    return False


cdef void _note(const int64_t[::1] marks, const int64_t[::1] notes, double[:, ::1] room) noexcept nogil:
    """Set the log odds of notes by those of the text that refers to them."""
    cdef Py_ssize_t place, unit
    cdef double own
    for place in range(notes.shape[0]):
        room[_LIFTED_ODDS, notes[place]] = -INFINITY
    for place in range(notes.shape[0]):
        room[_LIFTED_ODDS, notes[place]] = max(room[_LIFTED_ODDS, notes[place]], room[_UNIT_ODDS, marks[place]])
    for place in range(notes.shape[0]):
        unit = notes[place]
        if room[_LIFTED_ODDS, unit] == INFINITY:
            continue  # done with
        own = room[_UNIT_ODDS, unit]
        room[_UNIT_ODDS, unit] = room[_LIFTED_ODDS, unit] if own >= NOTE_FLOOR else min(own, room[_LIFTED_ODDS, unit])
        room[_LIFTED_ODDS, unit] = INFINITY


cdef int _head(
    units,
    const int64_t* kind,
    const int64_t* of_block,
    const uint8_t[::1] is_free,
    bint is_tiled,
    double[:, ::1] room,
) except -1:
    """Draw headings to what they head."""
    cdef Py_ssize_t count = is_free.shape[0], unit
    cdef const int64_t* next_head = _longs(units.next_head, count)
    cdef const int64_t* body_start = _longs(units.body_start, count)
    cdef const int64_t* body_end = _longs(units.body_end, count)
    cdef const uint8_t* shows = _bytes(units.shows, count)
    cdef const double[::1] unit_odds = room[_UNIT_ODDS]
    cdef double own
    cdef bint any_head = False
    with nogil:
        for unit in range(count):
            own = room[_UNIT_ODDS, unit]
            if kind[unit] == _HEADING:
                any_head = True
                if own >= HEADING_FLOOR and not is_free[unit]:
                    own = max(own, _most(unit_odds, kind, of_block, body_start[unit], body_end[unit]))
                if not (shows[unit] or is_tiled):
                    own = min(own, _most(unit_odds, kind, of_block, body_start[unit], next_head[unit]))
            room[_LIFTED_ODDS, unit] = own
        for unit in range(count):
            room[_UNIT_ODDS, unit] = max(room[_LIFTED_ODDS, unit], NOTHING) if any_head else room[_LIFTED_ODDS, unit]
    return 0


cdef inline double _most(
    const double[::1] unit_odds,
    const int64_t* kind,
    const int64_t* of_block,
    Py_ssize_t start,
    Py_ssize_t end,
) noexcept nogil:
    """The largest log odds of a range of blocks, those of headings taken for nothing."""
    cdef double most = -INFINITY
    cdef Py_ssize_t block, unit
    for block in range(start, end):
        unit = of_block[block]
        if kind[unit] == _HEADING:
            most = max(most, NOTHING)
        else:
            most = max(most, unit_odds[unit])
    return most


cdef int _cut(
    double[:, ::1] room, double beta, int32_t[::1] order, int32_t[::1] spare, uint8_t[::1] kept
) except -1:
    """Keep the units with the best expected F1, a prefix of those that are open to it, which ``kept`` says at first."""
    cdef Py_ssize_t count = kept.shape[0], size = 0, place, point, best = -1, unit
    cdef double total = 0, most = -INFINITY, held = 0, value, odds
    cdef double matched[_POINTS]
    cdef double gains[_POINTS]
    cdef double parts[_POINTS]
    cdef double[:, ::1] found = np.empty((count, _POINTS))
    with nogil:
        for unit in range(count):
            if kept[unit]:
                order[size] = <int32_t>unit
                size += 1
                total += room[_UNIT_WORDS, unit]
            kept[unit] = False
        if total <= 0:
            return 0
        _sort_by_odds(room[_UNIT_ODDS], order[:size], spare[:size])
        for point in range(_POINTS):
            matched[point] = gains[point] = 0
        for place in range(size):
            unit = order[place]
            odds = exp(-room[_UNIT_ODDS, unit])  # against it
            for point in range(_POINTS):
                found[place, point] = room[_UNIT_WORDS, unit] / (
                    1 + min(max(odds * SHIFT_FACTORS[point], _LEAST), _MOST)
                )
                matched[point] += found[place, point]
        for place in range(size):
            held += room[_UNIT_WORDS, order[place]]
            value = 0
            for point in range(_POINTS):
                gains[point] += found[place, point]
                parts[point] = (1 + beta) * gains[point] / max(held + beta * matched[point], 1e-9)
            for point in range(_POINTS):
                value += SHARES[point] * parts[point]
            if value > most:
                most, best = value, place
        for place in range(best + 1):
            kept[order[place]] = True
    return 0


cdef void _sort_by_odds(const double[::1] odds, int32_t[::1] order, int32_t[::1] spare) noexcept nogil:
    """Sort numbers of units by their log odds, the largest first; equals stay as they are. Runs are merged in pairs."""
    cdef Py_ssize_t size = order.shape[0], run = 1, start, middle, end, left, right, place
    while run < size:
        end = 0
        while end < size:
            start, middle, end = end, min(end + run, size), min(end + 2 * run, size)
            left, right = start, middle
            for place in range(start, end):
                if right >= end or (left < middle and not odds[order[right]] > odds[order[left]]):
                    spare[place] = order[left]
                    left += 1
                else:
                    spare[place] = order[right]
                    right += 1
        for place in range(size):
            order[place] = spare[place]
        run *= 2


def kept_spans(
    kept,
    const int64_t[::1] leaves,
    const int64_t[::1] first_leaf,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
):
    cdef const uint8_t[::1] is_kept = kept.view(np.uint8)
    cdef Py_ssize_t block, leaf
    cdef int64_t start = 0, end = -1  # of the span that is open, if it has begun
    cdef list starts = [], ends = []
    for block in range(is_kept.shape[0]):
        if not is_kept[block]:
            continue
        for leaf in range(first_leaf[block], first_leaf[block + 1]):
            if text_end[leaves[leaf]] <= text_start[leaves[leaf]]:
                continue
            if end >= 0 and text_start[leaves[leaf]] <= end:
                end = max(end, text_end[leaves[leaf]])
                continue
            if end >= 0:
                starts.append(start)
                ends.append(end)
            start, end = text_start[leaves[leaf]], text_end[leaves[leaf]]
    if end >= 0:
        starts.append(start)
        ends.append(end)
    return tuple(map(_span, zip(starts, ends)))
