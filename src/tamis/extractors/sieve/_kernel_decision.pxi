# From log odds to a choice; see ``decide.py`` and ``regions.py``.

cdef enum:
    _POINTS = 9
    _END_CHARACTERS = 8
    _MOST_TYPES = 16

cdef double COMMENT_PENALTY = regions.COMMENT_PENALTY, ALL_COMMENTS = regions.ALL_COMMENTS
cdef double MAIN_PENALTY = regions.MAIN_PENALTY, MAIN_SHARE = regions.MAIN_SHARE, SURE = regions.SURE
cdef double NOTHING = decide.NOTHING, HEADING_FLOOR = decide.HEADING_FLOOR
cdef double GROUP_SHARE = decide.GROUP_SHARE
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


cdef struct UnitRows:
    # What is computed of each unit.
    Py_ssize_t count
    double* odds
    double* lifted
    double* words
    double* weights
    double* chances
    uint8_t* is_free
    int32_t* sizes


cdef inline double _chance(double odds) noexcept nogil:
    return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))


cdef inline uint32_t _code_at(int unit, const void* data, int64_t place) noexcept nogil:
    if unit == 1:
        return (<const uint8_t*>data)[place]
    return (<const uint16_t*>data)[place] if unit == 2 else (<const uint32_t*>data)[place]


def type_chances(types, summary):
    cdef Py_ssize_t count = len(types.biases), features = len(summary), feature, kind
    cdef const float* told = _floats(summary, features)
    cdef const float* biases = _floats(types.biases, count)
    cdef const Py_ssize_t* extent = _extent(types.weights, 2)
    cdef const float* weights
    cdef double odds[_MOST_TYPES]
    cdef double most = -INFINITY, total = 0
    if extent is NULL or extent[0] != features or extent[1] != count or not 0 < count <= _MOST_TYPES:
        raise ValueError("page types are told by other features")
    weights = _floats(types.weights, features * count)
    for kind in range(count):
        odds[kind] = biases[kind]
    for feature in range(features):
        for kind in range(count):
            odds[kind] += <double>told[feature] * weights[feature * count + kind]
    for kind in range(count):
        most = max(most, odds[kind])
    for kind in range(count):
        odds[kind] = exp(odds[kind] - most)
        total += odds[kind]
    return [odds[kind] / total for kind in range(count)]


def expected_words(const double[::1] log_odds, const double[::1] words):
    cdef Py_ssize_t size = log_odds.shape[0], place
    expected_array = np.empty(size)
    cdef double[::1] expected = expected_array
    with nogil:
        for place in range(size):
            expected[place] = words[place] * _chance(log_odds[place])
    return expected_array


def hidden_blocks(flags, nodes, log_odds, double least):
    cdef Py_ssize_t size = len(nodes), count = len(flags), block, first = -1
    cdef const uint8_t* flag = _bytes(flags, count)
    cdef const int64_t* node = _longs(nodes, size)
    cdef const double* odds = _doubles(log_odds, size)
    cdef uint8_t* is_hidden
    for block in range(size):
        if not 0 <= node[block] < count:
            raise IndexError("a block lies outside of the page")
        if first < 0 and flag[node[block]] & _HIDDEN and odds[block] >= least:
            first = block
    if first < 0:
        return None
    hidden_array = np.empty(size, dtype=np.bool_)
    is_hidden = <uint8_t*>_bytes(hidden_array, size)
    for block in range(size):
        is_hidden[block] = flag[node[block]] & _HIDDEN != 0 and odds[block] >= least
    return hidden_array


def likely_holders(containers, log_odds, double least, int tag):
    cdef Py_ssize_t count = len(containers.node), size = len(log_odds), place, held = 0
    cdef const double* odds = _doubles(log_odds, size)
    cdef const int64_t* first = _longs(containers.first, count)
    cdef const int64_t* last = _longs(containers.last, count)
    cdef const int64_t* node = _longs(containers.node, count)
    cdef const uint8_t* tags = _bytes(containers.tag, count)
    cdef list tagged = []
    cdef _Rooms rooms = _Rooms()
    cdef int32_t* before = <int32_t*>rooms.room(size + 1, sizeof(int32_t))  # likely blocks before each
    cdef int64_t* found = <int64_t*>rooms.room(count, sizeof(int64_t))
    for place in range(size):
        before[place + 1] = before[place] + (odds[place] >= least)
    for place in range(count):
        if not 0 <= first[place] <= last[place] <= size:
            raise ValueError("arrays that do not belong together")
        if before[last[place]] > before[first[place]]:
            found[held] = node[place]
            held += 1
            if tags[place] == tag:
                tagged.append(place)
    return _as_array(found, held), tagged


def holders_around(containers, blocks):
    cdef Py_ssize_t count = len(containers.node), size = len(blocks), place, held = 0
    cdef const uint8_t* is_meant = _bytes(blocks, size)
    cdef const int64_t* holder = _longs(containers.holder, size)
    cdef const int64_t* parent = _longs(containers.parent, count)
    cdef _Rooms rooms = _Rooms()
    cdef uint8_t* is_around = <uint8_t*>rooms.room(count, 1)
    cdef int64_t* found = <int64_t*>rooms.room(count, sizeof(int64_t))
    for place in range(size):
        if is_meant[place]:
            if not 0 <= holder[place] < count:
                raise IndexError("a block is held by no container")
            is_around[holder[place]] = True
    for place in range(count - 1, 0, -1):
        if is_around[place]:
            if not 0 <= parent[place] < count:
                raise IndexError("a container lies in none")
            is_around[parent[place]] = True
    for place in range(count):
        if is_around[place]:
            found[held] = place
            held += 1
    return _as_array(found, held)


cdef object _as_array(const int64_t* numbers, Py_ssize_t count):
    array = np.empty(count, dtype=np.int64)
    memcpy(<void*>_longs(array, count), numbers, count * sizeof(int64_t))
    return array


def hold_back(log_odds, words, Py_ssize_t end, double share, double penalty):
    cdef Py_ssize_t size = len(log_odds), place
    cdef double* odds = <double*>_doubles(log_odds, size)
    cdef const double* counted = _doubles(words, size)
    cdef double expected, before = 0, total = 0
    if not 0 <= end <= size:
        raise ValueError("the first blocks are more than there are")
    for place in range(size):
        expected = counted[place] * _chance(odds[place])
        total += expected
        if place < end:
            before += expected
    if before <= share * total:
        for place in range(end):
            odds[place] -= penalty


def chances(log_odds):
    cdef Py_ssize_t size = len(log_odds), place
    cdef const double* odds = _doubles(log_odds, size)
    cdef tuple found = PyTuple_New(size)
    for place in range(size):
        _put(found, place, _chance(odds[place]))
    return found


def named(numbers, tuple names):
    cdef Py_ssize_t size = len(numbers), count = len(names), place
    cdef const int64_t* number = _longs(numbers, size)
    cdef tuple found
    for place in range(size):
        if not 0 <= number[place] < count:
            raise ValueError("a number without a name")
    found = PyTuple_New(size)
    for place in range(size):
        _put(found, place, names[number[place]])
    return found


cdef inline void _put(tuple room, Py_ssize_t place, object thing) noexcept:
    """Write into a tuple that is being made."""
    Py_INCREF(thing)  # the tuple takes a reference over
    PyTuple_SET_ITEM(room, place, thing)


def beside_content(in_comments, log_odds, words):
    cdef Py_ssize_t size = len(in_comments), place
    cdef const uint8_t* is_comment = _bytes(in_comments, size)
    cdef const double* odds = _doubles(log_odds, size)
    cdef const double* counted = _doubles(words, size)
    cdef double expected, inside = 0, total = 0
    if memchr(is_comment, 1, size) == NULL:
        return None
    for place in range(size):
        expected = counted[place] * _chance(odds[place])
        total += expected
        if is_comment[place]:
            inside += expected
    return in_comments if inside <= ALL_COMMENTS * total else None


def placed(log_odds, words, containers, comments, double article):
    cdef Py_ssize_t size = len(log_odds), count = len(containers.node), place, main = -1
    cdef const double* given = _doubles(log_odds, size)
    cdef const double* counted = _doubles(words, size)
    cdef const int64_t* first = _longs(containers.first, count)
    cdef const int64_t* last = _longs(containers.last, count)
    cdef const uint8_t* is_comment = NULL if comments is None else _bytes(comments, size)
    cdef _Rooms rooms = _Rooms()
    cdef double* sums = <double*>rooms.room(size + 1, sizeof(double))
    odds_array = np.empty(size)
    cdef double* odds = <double*>_doubles(odds_array, size)
    with nogil:
        for place in range(size):
            odds[place] = given[place]
            if is_comment != NULL and is_comment[place]:
                odds[place] -= COMMENT_PENALTY
            sums[place + 1] = sums[place] + (counted[place] if _chance(odds[place]) >= SURE else 0.0)
        if sums[size] > 0:
            for place in range(count):
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
    cdef Py_ssize_t size = len(log_odds), place
    cdef const double* odds = _doubles(log_odds, size)
    cdef const double* counted = _doubles(words, size)
    cdef const int64_t* group = _longs(groups, size)
    cdef int64_t number, largest = -1
    cdef double weight
    cdef _Rooms rooms = _Rooms()
    for place in range(size):
        if group[place] < 0:
            raise ValueError("numbers of groups are not negative")
        largest = max(largest, group[place])
    cdef double* weighted = <double*>rooms.room(2 * (largest + 1), sizeof(double))
    cdef double* weights = weighted + largest + 1
    level_array = _empty(size)
    cdef double* level = <double*>_doubles(level_array, size)
    with nogil:
        for place in range(size):
            weight = counted[place] + 1e-3
            weighted[group[place]] += odds[place] * weight
            weights[group[place]] += weight
        for place in range(size):
            number = group[place]
            level[place] = (1 - GROUP_SHARE) * odds[place] + GROUP_SHARE * (weighted[number] / weights[number])
    return level_array


def likeliest(page, list nodes, log_odds):
    blocks = page.blocks
    cdef Py_ssize_t count = len(log_odds), size = len(page.nodes.tag), texts = len(blocks.leaves)
    cdef Py_ssize_t place, best = 0, start = 0, stop = 0, first, last, block
    cdef const double* odds = _doubles(log_odds, count)
    cdef const int64_t* end = _longs(page.nodes.end, size)
    cdef const int64_t* leaves = _longs(blocks.leaves, texts)
    cdef const int64_t* first_leaf = _longs(blocks.first_leaf, count + 1)
    cdef int64_t node
    cdef double most = -INFINITY, highest
    for place in range(len(nodes)):
        node = nodes[place]
        if not 0 <= node < size:
            raise ValueError("no node of the page")
        first, last = _below(leaves, texts, node), _below(leaves, texts, end[node])
        if first == last:
            continue
        first, last = _below(first_leaf, count + 1, first + 1) - 1, _below(first_leaf, count + 1, last)
        highest = -INFINITY
        for block in range(max(first, <Py_ssize_t>0), min(last, count)):
            highest = max(highest, odds[block])
        if highest > most:
            most, best, start, stop = highest, place, first, last
    return best, range(start, stop)


cdef inline Py_ssize_t _below(const int64_t* numbers, Py_ssize_t size, int64_t number) noexcept nogil:
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
    odds,
    words,
    headline,
    notes,
    bint is_loose,
    bint is_tiled,
    bint is_forum,
    double bias,
    rules,
    int64_t headline_rule,
):
    cdef Py_ssize_t size = len(page.blocks.node), unit, block
    cdef const int64_t* of_block = _longs(units.of_block, size)
    cdef const double* odd = _doubles(odds, size)
    cdef const int64_t* rule = _longs(rules, 2 * _UNIT_KINDS)
    cdef int64_t first = headline.start, last = headline.stop
    if not 0 <= first <= last <= size:
        raise ValueError("the headline lies outside of the page")
    cdef _Rooms rooms = _Rooms()
    cdef Described told
    _point_at(&told, units.rows, units.shows)
    cdef Py_ssize_t count = told.count
    cdef const int64_t* kind = told.kind
    cdef UnitRows rows
    cdef uint8_t* kept = <uint8_t*>rooms.room(2 * count, 1)
    rows.count, rows.odds = count, <double*>rooms.room((5 + _POINTS) * count, sizeof(double))
    rows.lifted, rows.words = rows.odds + count, rows.odds + 2 * count
    rows.weights, rows.chances = rows.odds + 3 * count, rows.odds + 4 * count
    rows.is_free, rows.sizes = kept + count, <int32_t*>rooms.room(3 * count, sizeof(int32_t))
    cdef double* matched = rows.odds + 5 * count
    found_array, number_array = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.int64)
    cdef uint8_t* found = <uint8_t*>_bytes(found_array, size)
    cdef int64_t* number = <int64_t*>_longs(number_array, size)
    _pool(odd, _doubles(words, size), of_block, size, &rows)
    _free(told.level, of_block[first] if first < last else 0, is_forum, &rows)
    if not is_loose:
        _lift(page.text, _longs(page.blocks.end, size), odd, &told, &rows)
    if len(notes[0]):
        _note(notes[0], notes[1], &rows)
    with nogil:
        _head(&told, of_block, is_tiled, &rows)
        for unit in range(count):
            kept[unit] = True  # open to the cut
        for block in range(first, last):
            kept[of_block[block]] = IS_STRUCTURE[kind[of_block[block]]]
        _cut(&rows, 4.0**bias, rows.sizes + count, matched, kept)
        for block in range(size):
            unit = of_block[block]
            found[block] = kept[unit]
            number[block] = rule[(rows.sizes[unit] > 1) * _UNIT_KINDS + kind[unit]] + kept[unit]
        for block in range(first, last):
            found[block], number[block] = True, headline_rule
    return found_array, number_array


cdef void _pool(
    const double* odds, const double* words, const int64_t* of_block, Py_ssize_t size, UnitRows* rows
) noexcept nogil:
    """Log odds and words of units, in rows of zeros: a word of a unit is content as likely as its words on average."""
    cdef Py_ssize_t block, unit
    cdef double weight, mean
    for block in range(size):
        unit = of_block[block]
        rows.sizes[unit] += 1
        rows.words[unit] += words[block]
        rows.odds[unit] = odds[block]
    for block in range(size):
        unit = of_block[block]
        if rows.sizes[unit] > 1:
            weight = words[block] + 1e-3
            rows.weights[unit] += weight
            rows.chances[unit] += _chance(odds[block]) * weight
    for unit in range(rows.count):
        if rows.sizes[unit] > 1:
            mean = min(max(rows.chances[unit] / rows.weights[unit], 1e-13), 1 - 1e-13)
            rows.odds[unit] = log(mean / (1 - mean))


cdef void _free(const int64_t* level, int64_t headline, bint is_forum, UnitRows* rows) noexcept nogil:
    """Headings that are not drawn to what they head: those of posts, of the first level, and before the headline."""
    cdef Py_ssize_t unit
    for unit in range(rows.count):
        rows.is_free[unit] = is_forum or level[unit] == 1 or unit < headline


cdef void _lift(
    str text, const int64_t* ends, const double* odds, const Described* told, UnitRows* rows
) noexcept:
    """Raise structures to what stands around them."""
    cdef Py_ssize_t count = rows.count, unit
    cdef const int64_t* kind = told.kind
    cdef const int64_t* before = told.before
    cdef const int64_t* after = told.after
    cdef const int64_t* follows = told.follows
    cdef const int64_t* under = told.under
    cdef double own, most
    for unit in range(count):
        most = own = rows.odds[unit]
        if own >= LIFT_FLOORS[kind[unit]]:
            if before[unit] >= 0 and after[unit] >= 0:
                most = max(most, min(odds[before[unit]], odds[after[unit]]) - LIFT_MARGIN)
            if under[unit] >= 0 and not rows.is_free[under[unit]] and IS_BODY[kind[unit]]:
                most = max(most, rows.odds[under[unit]] - LIFT_MARGIN)
        if follows[unit] >= 0 and odds[follows[unit]] - LIFT_MARGIN > most:
            if _ends_in_colon(text, ends[follows[unit]]):
                most = odds[follows[unit]] - LIFT_MARGIN
        rows.lifted[unit] = most
    memcpy(rows.odds, rows.lifted, count * sizeof(double))


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


cdef void _note(const int64_t[::1] marks, const int64_t[::1] notes, UnitRows* rows) noexcept nogil:
    """Set the log odds of notes by those of the text that refers to them."""
    cdef Py_ssize_t place, unit
    cdef double own
    for place in range(notes.shape[0]):
        rows.lifted[notes[place]] = -INFINITY
    for place in range(notes.shape[0]):
        rows.lifted[notes[place]] = max(rows.lifted[notes[place]], rows.odds[marks[place]])
    for place in range(notes.shape[0]):
        unit = notes[place]
        if rows.lifted[unit] == INFINITY:
            continue  # done with
        own = rows.odds[unit]
        rows.odds[unit] = rows.lifted[unit] if own >= NOTE_FLOOR else min(own, rows.lifted[unit])
        rows.lifted[unit] = INFINITY


cdef void _head(const Described* told, const int64_t* of_block, bint is_tiled, UnitRows* rows) noexcept nogil:
    """Draw headings to what they head."""
    cdef Py_ssize_t count = rows.count, unit
    cdef const int64_t* kind = told.kind
    cdef int64_t start
    cdef double own
    cdef bint any_head = False
    for unit in range(count):
        own = rows.odds[unit]
        if kind[unit] == _HEADING:
            any_head, start = True, told.body_start[unit]
            if own >= HEADING_FLOOR and not rows.is_free[unit]:
                own = max(own, _most(rows.odds, kind, of_block, start, told.body_end[unit]))
            if not (told.shows[unit] or is_tiled):
                own = min(own, _most(rows.odds, kind, of_block, start, told.next_head[unit]))
        rows.lifted[unit] = own
    for unit in range(count):
        rows.odds[unit] = max(rows.lifted[unit], NOTHING) if any_head else rows.lifted[unit]


cdef inline double _most(
    const double* unit_odds,
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


cdef void _cut(
    const UnitRows* rows, double beta, int32_t* order, double* matched, uint8_t* kept
) noexcept nogil:
    """Keep the units with the best expected F1, a prefix of those that are open to it, which ``kept`` says at first.

    ``order`` has room for two numbers of each unit, ``matched`` for the words that each matches at each point.
    """
    cdef Py_ssize_t count = rows.count, size = 0, place, point, best = -1, unit
    cdef double total = 0, most = -INFINITY, held = 0, value, odds
    cdef double sums[_POINTS]
    cdef double gains[_POINTS]
    cdef double parts[_POINTS]
    cdef double* own
    for unit in range(count):
        if kept[unit]:
            order[size] = <int32_t>unit
            size += 1
            total += rows.words[unit]
        kept[unit] = False
    if total <= 0:
        return
    _sort_by_odds(rows.odds, order, order + count, size)
    for point in range(_POINTS):
        sums[point] = gains[point] = 0
    for place in range(size):
        unit = order[place]
        odds = exp(-rows.odds[unit])  # against it
        own = matched + _POINTS * place
        for point in range(_POINTS):
            own[point] = rows.words[unit] / (1 + min(max(odds * SHIFT_FACTORS[point], _LEAST), _MOST))
            sums[point] += own[point]
    for place in range(size):
        held += rows.words[order[place]]
        own = matched + _POINTS * place
        value = 0
        for point in range(_POINTS):
            gains[point] += own[point]
            parts[point] = (1 + beta) * gains[point] / max(held + beta * sums[point], 1e-9)
        for point in range(_POINTS):
            value += SHARES[point] * parts[point]
        if value > most:
            most, best = value, place
    for place in range(best + 1):
        kept[order[place]] = True


cdef void _sort_by_odds(const double* odds, int32_t* order, int32_t* spare, Py_ssize_t size) noexcept nogil:
    """Sort numbers of units by their log odds, the largest first; equals stay as they are. Runs are merged in pairs."""
    cdef Py_ssize_t run = 1, start, middle, end, left, right, place
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
        memcpy(order, spare, size * sizeof(int32_t))
        run *= 2


def kept_spans(kept, leaves, first_leaf, text_start, text_end):
    cdef Py_ssize_t count = len(kept), texts = len(leaves), nodes = len(text_start), block, place
    cdef const int64_t* leaf = _longs(leaves, texts)
    cdef const int64_t* first = _longs(first_leaf, count + 1)
    cdef const int64_t* starts = _longs(text_start, nodes)
    cdef const int64_t* ends = _longs(text_end, nodes)
    cdef const uint8_t* is_kept = _bytes(kept, count)
    cdef int64_t start = 0, end = -1  # of the span that is open, if it has begun
    cdef list found = []
    for block in range(count):
        if not is_kept[block]:
            continue
        if first[block] < 0 or first[block + 1] > texts:
            raise IndexError("a block has texts that are not there")
        for place in range(first[block], first[block + 1]):
            if not 0 <= leaf[place] < nodes:
                raise IndexError("a text lies outside of the page")
            if ends[leaf[place]] <= starts[leaf[place]]:
                continue
            if end >= 0 and starts[leaf[place]] <= end:
                end = max(end, ends[leaf[place]])
                continue
            if end >= 0:
                found.append(_span(start, end))
            start, end = starts[leaf[place]], ends[leaf[place]]
    if end >= 0:
        found.append(_span(start, end))
    return tuple(found)


cdef inline object _span(int64_t start, int64_t end):
    """A ``Span``, made as ``tuple.__new__`` makes one; its own class takes the fields one by one."""
    cdef tuple arguments = ((start, end),)
    return (<PyTypeObject*>tuple).tp_new(Span, <PyObject*>arguments, NULL)
