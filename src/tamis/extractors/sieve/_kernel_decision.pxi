# From log odds to a choice; see ``decide.py`` and ``regions.py``.

cdef enum:
    _POINTS = 9
    _END_CHARACTERS = 8

cdef double COMMENT_PENALTY = regions.COMMENT_PENALTY, ALL_COMMENTS = regions.ALL_COMMENTS
cdef double MAIN_PENALTY = regions.MAIN_PENALTY, MAIN_SHARE = regions.MAIN_SHARE, SURE = regions.SURE
cdef double NOTHING = decide.NOTHING, HEADING_FLOOR = decide.HEADING_FLOOR
cdef double LIFT_MARGIN = decide.LIFT_MARGIN
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


def same_texts(str text, const int64_t[::1] start, const int64_t[::1] end):
    cdef Py_ssize_t count = start.shape[0], place, different
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t length = PyUnicode_GET_LENGTH(text)
    cdef const uint8_t[::1] class_view = _CLASSES
    cdef const uint8_t* classes = &class_view[0]
    cdef uint64_t[::1] keys = np.empty(count, dtype=np.uint64)
    cdef int32_t[:, ::1] rows = np.empty((4, count), dtype=np.int32)
    same_array = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] same = same_array
    for place in range(count):
        if start[place] < 0 or end[place] > length or end.shape[0] != count:
            raise ValueError("a text lies outside of the page")
    with nogil:
        for place in range(count):
            if unit == 1:
                keys[place] = _ends_hash(<const uint8_t*>data, start[place], end[place], classes)
            elif unit == 2:
                keys[place] = _ends_hash(<const uint16_t*>data, start[place], end[place], classes)
            else:
                keys[place] = _ends_hash(<const uint32_t*>data, start[place], end[place], classes)
        different = _numbered(keys, rows[0], rows[1], rows[2])
        for place in range(different):
            rows[3, place] = 0
        for place in range(count):
            rows[3, rows[0, place]] += 1
        # Texts that begin and end as no other need not be read through.
        for place in range(count):
            if rows[3, rows[0, place]] == 1:
                continue
            if unit == 1:
                keys[place] = _words_hash(<const uint8_t*>data, start[place], end[place], classes)
            elif unit == 2:
                keys[place] = _words_hash(<const uint16_t*>data, start[place], end[place], classes)
            else:
                keys[place] = _words_hash(<const uint32_t*>data, start[place], end[place], classes)
        if different < count:
            different = _numbered(keys, rows[0], rows[1], rows[2])
        for place in range(different):
            rows[3, place] = -1
        for place in range(count):
            if rows[3, rows[0, place]] < 0:
                rows[3, rows[0, place]] = <int32_t>place
            same[place] = rows[3, rows[0, place]]
    return same_array


cdef uint64_t _ends_hash(const Char* data, int64_t start, int64_t stop, const uint8_t* classes) noexcept nogil:
    """A hash of the first and the last characters of a text that are no white space.

    It begins with another number than ``_words_hash``: both kinds are compared, and "1" has the ends of "11".
    """
    cdef uint64_t value = <uint64_t>0xD1B54A32D192ED03
    cdef int64_t place = start
    cdef int taken = 0
    while place < stop and taken < _END_CHARACTERS:
        if classes[data[place]] != _SPACE:
            value = (value ^ data[place]) * <uint64_t>0xBF58476D1CE4E5B9
            value ^= value >> 29
            taken += 1
        place += 1
    place, taken = stop - 1, 0
    while place >= start and taken < _END_CHARACTERS:
        if classes[data[place]] != _SPACE:
            value = (value ^ data[place]) * <uint64_t>0xBF58476D1CE4E5B9
            value ^= value >> 29
            taken += 1
        place -= 1
    return value


cdef uint64_t _words_hash(const Char* data, int64_t start, int64_t stop, const uint8_t* classes) noexcept nogil:
    """A hash of a text in which every stretch of white space is one blank."""
    cdef uint64_t value = <uint64_t>0x9E3779B97F4A7C15
    cdef int64_t place
    cdef bint is_gap = False, has_begun = False
    for place in range(start, stop):
        if classes[data[place]] == _SPACE:
            is_gap = has_begun
            continue
        if is_gap:
            value = (value ^ 32) * <uint64_t>0xBF58476D1CE4E5B9
            value ^= value >> 29
            is_gap = False
        has_begun = True
        value = (value ^ data[place]) * <uint64_t>0xBF58476D1CE4E5B9
        value ^= value >> 29
    return value


def says(str text, const int64_t[::1] start, const int64_t[::1] end, str wanted):
    cdef Py_ssize_t count = start.shape[0], place, size = PyUnicode_GET_LENGTH(wanted)
    cdef int unit = PyUnicode_KIND(text), answer
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t length = PyUnicode_GET_LENGTH(text)
    cdef bint is_ascii = wanted.isascii()
    cdef const uint8_t* asked = <const uint8_t*>PyUnicode_DATA(wanted)
    found_array = np.empty(count, dtype=np.bool_)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    for place in range(count):
        if start[place] < 0 or end[place] > length or end.shape[0] != count:
            raise ValueError("a text lies outside of the page")
        answer = -1
        if is_ascii and unit == 1:
            answer = _says(<const uint8_t*>data, start[place], end[place], asked, size)
        elif is_ascii and unit == 2:
            answer = _says(<const uint16_t*>data, start[place], end[place], asked, size)
        elif is_ascii:
            answer = _says(<const uint32_t*>data, start[place], end[place], asked, size)
        found[place] = page_kernel.folded(text[start[place] : end[place]]) == wanted if answer < 0 else answer
    return found_array


cdef int _says(const Char* data, int64_t start, int64_t stop, const uint8_t* wanted, Py_ssize_t size) noexcept nogil:
    """Whether a text is another one when it is folded; -1 if there is more in it than ASCII."""
    cdef int64_t place
    cdef Py_ssize_t length = 0
    cdef bint is_gap = False
    cdef uint32_t code
    for place in range(start, stop):
        code = data[place]
        if code > 127:
            return -1
        if 65 <= code <= 90:
            code += 32
        if not (97 <= code <= 122 or 48 <= code <= 57):
            is_gap = True
            continue
        if is_gap and length:
            if length >= size or wanted[length] != 32:
                return 0
            length += 1
        is_gap = False
        if length >= size or wanted[length] != code:
            return 0
        length += 1
    return length == size


def break_off(str text, const int64_t[::1] start, const int64_t[::1] end):
    cdef Py_ssize_t count = start.shape[0], place
    cdef int unit = PyUnicode_KIND(text), dots, taken
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t length = PyUnicode_GET_LENGTH(text), at
    cdef const uint8_t[::1] class_view = _CLASSES
    cdef const uint8_t* classes = &class_view[0]
    cdef uint32_t code
    cdef bint is_gap
    found_array = np.zeros(count, dtype=np.bool_)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    for place in range(count):
        if start[place] < 0 or end[place] > length or end.shape[0] != count:
            raise ValueError("a text lies outside of the page")
    with nogil:
        for place in range(count):
            dots = taken = 0
            is_gap = False
            at = end[place] - 1
            while at >= start[place] and taken < ELLIPSIS_TAIL:
                code = _code_at(unit, data, at)
                at -= 1
                if classes[code] == _SPACE:
                    is_gap = taken > 0
                    continue
                if is_gap:  # many blanks are one
                    is_gap = False
                    dots = 0
                    taken += 1
                    if taken == ELLIPSIS_TAIL:
                        break
                taken += 1
                dots = dots + 1 if code == 0x2E else 0
                if dots == 3 or code == 0x2026:
                    found[place] = True
                    break
    return found_array


def ends_in_colon(str text, const int64_t[::1] end, const int64_t[::1] numbers):
    cdef Py_ssize_t size = end.shape[0], place, number
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t length = PyUnicode_GET_LENGTH(text), last, least
    cdef const uint8_t[::1] class_view = _CLASSES
    cdef const uint8_t* classes = &class_view[0]
    cdef uint32_t code
    found_array = np.zeros(size, dtype=np.bool_)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    for place in range(numbers.shape[0]):
        number = numbers[place]
        if number < 0:
            continue
        if number >= size or end[number] > length:
            raise ValueError("a text lies outside of the page")
        last, least = end[number] - 1, max(end[number] - COLON_MARGIN, <int64_t>0)
        while last >= least:
            code = _code_at(unit, data, last)
            if classes[code] != _SPACE:
                found[number] = code == 0x3A or code == 0xFF1A
                break
            last -= 1
    return found_array


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


def placed(const double[::1] log_odds, const double[::1] words, containers, comments, double article):
    cdef const int64_t[::1] first = containers.first, last = containers.last
    cdef const uint8_t[::1] is_comment = comments.view(np.uint8)
    cdef Py_ssize_t size = log_odds.shape[0], place, main = -1
    odds_array = np.empty(size)
    cdef double[::1] odds = odds_array, sums = np.empty(size + 1)
    with nogil:
        sums[0] = 0
        for place in range(size):
            odds[place] = log_odds[place] - COMMENT_PENALTY * is_comment[place]
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


def pooled(const double[::1] log_odds, const double[::1] words, const int64_t[::1] of_block, Py_ssize_t count):
    cdef Py_ssize_t size = log_odds.shape[0], place, unit
    cdef double weight, mean
    odds_array, words_array = np.empty(count), np.zeros(count)
    cdef double[::1] odds = odds_array, unit_words = words_array
    cdef double[:, ::1] sums = np.zeros((2, count))
    cdef int32_t[::1] sizes = np.zeros(count, dtype=np.int32)
    with nogil:
        for place in range(size):
            unit = of_block[place]
            weight = words[place] + 1e-3
            sums[0, unit] += weight
            sums[1, unit] += _chance(log_odds[place]) * weight
            unit_words[unit] += words[place]
            sizes[unit] += 1
        for unit in range(count):
            mean = min(max(sums[1, unit] / sums[0, unit], 1e-13), 1 - 1e-13)
            odds[unit] = log(mean / (1 - mean))
        for place in range(size):
            if sizes[of_block[place]] == 1:
                odds[of_block[place]] = log_odds[place]
    return odds_array, words_array


def lifted(const double[::1] unit_odds, const double[::1] block_odds, units, ends_in_colon, is_free):
    cdef const int64_t[::1] kind = units.kind, before = units.before, after = units.after
    cdef const int64_t[::1] follows = units.follows, under = units.under
    cdef const uint8_t[::1] announces = ends_in_colon.view(np.uint8), free = is_free.view(np.uint8)
    cdef Py_ssize_t count = unit_odds.shape[0], unit
    result_array = np.empty(count)
    cdef double[::1] result = result_array
    with nogil:
        for unit in range(count):
            result[unit] = unit_odds[unit]
            if unit_odds[unit] >= LIFT_FLOORS[kind[unit]]:
                if before[unit] >= 0 and after[unit] >= 0:
                    result[unit] = max(
                        result[unit], min(block_odds[before[unit]], block_odds[after[unit]]) - LIFT_MARGIN
                    )
                if under[unit] >= 0 and not free[under[unit]] and IS_BODY[kind[unit]]:
                    result[unit] = max(result[unit], unit_odds[under[unit]] - LIFT_MARGIN)
            if follows[unit] >= 0 and announces[follows[unit]]:
                result[unit] = max(result[unit], block_odds[follows[unit]] - LIFT_MARGIN)
    return result_array


def headed(const double[::1] unit_odds, units, is_free):
    cdef const int64_t[::1] kind = units.kind, of_block = units.of_block, next_head = units.next_head
    cdef const int64_t[::1] body_start = units.body_start, body_end = units.body_end
    cdef const uint8_t[::1] free = is_free.view(np.uint8), shows = units.shows.view(np.uint8)
    cdef Py_ssize_t count = unit_odds.shape[0], unit, block
    cdef double best, behind, own
    cdef bint any_head = False
    result_array = np.array(unit_odds)
    cdef double[::1] result = result_array
    with nogil:
        for unit in range(count):
            if kind[unit] != _HEADING:
                continue
            any_head = True
            own = unit_odds[unit]
            best = _most(unit_odds, kind, of_block, body_start[unit], body_end[unit])
            if own >= HEADING_FLOOR and not free[unit]:
                own = max(own, best)
            if not shows[unit]:
                behind = _most(unit_odds, kind, of_block, body_start[unit], next_head[unit])
                own = min(own, behind)
            result[unit] = own
        if any_head:
            for unit in range(count):
                result[unit] = max(result[unit], NOTHING)
    return result_array


cdef inline double _most(
    const double[::1] unit_odds,
    const int64_t[::1] kind,
    const int64_t[::1] of_block,
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


def best_prefix(const double[::1] log_odds, const double[::1] words, double bias=0.0):
    cdef Py_ssize_t size = log_odds.shape[0], place, point, best = 0, unit
    kept_array = np.zeros(size, dtype=np.bool_)
    cdef uint8_t[::1] kept = kept_array.view(np.uint8)
    cdef double total = 0, most = -INFINITY, held = 0, value, odds, beta = 4.0**bias
    cdef double matched[_POINTS]
    cdef double gains[_POINTS]
    cdef double parts[_POINTS]
    for place in range(size):
        total += words[place]
    if total <= 0:
        return kept_array
    cdef const int64_t[::1] order = np.argsort(np.negative(log_odds), kind="stable")
    cdef double[:, ::1] found = np.empty((size, _POINTS))
    with nogil:
        for point in range(_POINTS):
            matched[point] = gains[point] = 0
        for place in range(size):
            unit = order[place]
            odds = exp(-log_odds[unit])  # against it
            for point in range(_POINTS):
                found[place, point] = words[unit] / (1 + min(max(odds * SHIFT_FACTORS[point], _LEAST), _MOST))
                matched[point] += found[place, point]
        for place in range(size):
            held += words[order[place]]
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
    return kept_array


def cut(units, const double[::1] unit_odds, const double[::1] words, headline, double bias, const int64_t[:, ::1] rules):
    cdef const int64_t[::1] kind = units.kind, of_block = units.of_block, titles = headline
    cdef Py_ssize_t count = unit_odds.shape[0], size = of_block.shape[0], unit, block, place = 0
    cdef uint8_t[::1] is_open = np.ones(count, dtype=np.uint8)
    cdef int32_t[::1] blocks = np.zeros(count, dtype=np.int32)
    open_array = np.empty((2, count))
    cdef double[:, ::1] open_units = open_array
    cdef uint8_t[::1] kept = np.zeros(count, dtype=np.uint8)
    with nogil:
        for block in range(titles.shape[0]):
            unit = of_block[titles[block]]
            is_open[unit] = IS_STRUCTURE[kind[unit]]
        for unit in range(count):
            if is_open[unit]:
                open_units[0, place], open_units[1, place] = unit_odds[unit], words[unit]
                place += 1
        for block in range(size):
            blocks[of_block[block]] += 1
    cdef const uint8_t[::1] chosen = best_prefix(open_array[0, :place], open_array[1, :place], bias).view(np.uint8)
    place = 0
    for unit in range(count):
        if is_open[unit]:
            kept[unit] = chosen[place]
            place += 1
    found_array, number_array = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.int64)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    cdef int64_t[::1] number = number_array
    with nogil:
        for block in range(size):
            unit = of_block[block]
            found[block] = kept[unit]
            number[block] = rules[blocks[unit] > 1, kind[unit]] + kept[unit]
    return found_array, number_array


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
