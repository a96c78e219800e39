# Blocks that say again what another block says; see ``copies.py``.

cdef enum:
    # Of a name whether one of some words stands in it.
    _UNREAD = 0
    _HOLDS_NONE = 1
    _HOLDS_ONE = 2
    _ENDS = 256  # numbers of 64 bits: a bit for the ends of a text; of some fifty texts few share one by chance

cdef const uint8_t* CLASSES = _bytes(_CLASSES, len(_CLASSES))
cdef uint8_t FOLDED[128]
for _code in range(128):
    FOLDED[_code] = ord(chr(_code).lower()) if chr(_code).isalnum() else 32


def same_texts(str text, start, end):
    cdef Py_ssize_t count = len(start)
    cdef const int64_t* starts = _longs(start, count)
    cdef const int64_t* ends = _longs(end, count)
    same_array = np.empty(count, dtype=np.int64)
    _find_same(text, starts, ends, count, <int64_t*>_longs(same_array, count))
    return same_array


cdef int _check_texts(str text, const int64_t* start, const int64_t* end, Py_ssize_t count) except -1:
    cdef Py_ssize_t place
    cdef int64_t length = PyUnicode_GET_LENGTH(text)
    for place in range(count):
        if start[place] < 0 or end[place] > length:
            raise ValueError("a text lies outside of the page")
    return 0


cdef int _find_same(str text, const int64_t* start, const int64_t* end, Py_ssize_t count, int64_t* same) except -1:
    """For each text the first that says the same."""
    cdef Py_ssize_t place, different
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint64_t[::1] keys
    cdef int32_t[:, ::1] rows
    _check_texts(text, start, end, count)
    if not _may_be_same(unit, data, start, end, count):  # as on most pages
        for place in range(count):
            same[place] = place
        return 0
    keys, rows = np.empty(count, dtype=np.uint64), np.empty((4, count), dtype=np.int32)
    with nogil:
        for place in range(count):
            keys[place] = _ends_key(unit, data, start[place], end[place])
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
                keys[place] = _words_hash(<const uint8_t*>data, start[place], end[place], INT64_MAX)
            elif unit == 2:
                keys[place] = _words_hash(<const uint16_t*>data, start[place], end[place], INT64_MAX)
            else:
                keys[place] = _words_hash(<const uint32_t*>data, start[place], end[place], INT64_MAX)
        different = _numbered(keys, rows[0], rows[1], rows[2])
        for place in range(different):
            rows[3, place] = -1
        for place in range(count):
            if rows[3, rows[0, place]] < 0:
                rows[3, rows[0, place]] = <int32_t>place
            same[place] = rows[3, rows[0, place]]
    return 0


cdef bint _may_be_same(
    int unit, const void* data, const int64_t* start, const int64_t* end, Py_ssize_t count
) noexcept nogil:
    """Whether some texts may begin and end alike; not, if each of them sets a bit of its own."""
    cdef uint64_t seen[_ENDS]
    cdef uint64_t bit
    cdef Py_ssize_t place
    memset(seen, 0, sizeof(seen))
    for place in range(count):
        bit = _ends_key(unit, data, start[place], end[place]) % (64 * _ENDS)
        if seen[bit >> 6] >> (bit & 63) & 1:
            return True
        seen[bit >> 6] |= <uint64_t>1 << (bit & 63)
    return False


cdef uint64_t _ends_key(int unit, const void* data, int64_t start, int64_t end) noexcept nogil:
    if unit == 1:
        return _ends_hash(<const uint8_t*>data, start, end)
    if unit == 2:
        return _ends_hash(<const uint16_t*>data, start, end)
    return _ends_hash(<const uint32_t*>data, start, end)


cdef uint64_t _ends_hash(const Char* data, int64_t start, int64_t stop) noexcept nogil:
    """A hash of the first and the last characters of a text that are no white space.

    It begins with another number than ``_words_hash``: both kinds are compared, and "1" has the ends of "11".
    """
    cdef uint64_t value = <uint64_t>0xD1B54A32D192ED03
    cdef int64_t place = start
    cdef int taken = 0
    while place < stop and taken < _END_CHARACTERS:
        if CLASSES[data[place]] != _SPACE:
            value = (value ^ data[place]) * <uint64_t>0xBF58476D1CE4E5B9
            value ^= value >> 29
            taken += 1
        place += 1
    place, taken = stop - 1, 0
    while place >= start and taken < _END_CHARACTERS:
        if CLASSES[data[place]] != _SPACE:
            value = (value ^ data[place]) * <uint64_t>0xBF58476D1CE4E5B9
            value ^= value >> 29
            taken += 1
        place -= 1
    return value


cdef uint64_t _words_hash(
    const Char* data, int64_t start, int64_t stop, int64_t most
) noexcept nogil:
    """A hash of the first characters of a text in which every stretch of white space is one blank."""
    cdef uint64_t value = <uint64_t>0x9E3779B97F4A7C15
    cdef int64_t place
    cdef bint is_gap = False, has_begun = False
    for place in range(start, stop):
        if CLASSES[data[place]] == _SPACE:
            is_gap = has_begun
            continue
        if is_gap and most > 0:
            value = (value ^ 32) * <uint64_t>0xBF58476D1CE4E5B9
            value ^= value >> 29
            is_gap = False
            most -= 1
        if most <= 0:
            break
        has_begun = True
        value = (value ^ data[place]) * <uint64_t>0xBF58476D1CE4E5B9
        value ^= value >> 29
        most -= 1
    return value


def says(str text, start, end, str wanted):
    cdef Py_ssize_t count = len(start), place
    cdef const int64_t* starts = _longs(start, count)
    cdef const int64_t* ends = _longs(end, count)
    found_array = np.empty(count, dtype=np.bool_)
    cdef uint8_t* found = <uint8_t*>_bytes(found_array, count)
    _check_texts(text, starts, ends, count)
    for place in range(count):
        found[place] = _text_says(text, starts[place], ends[place], wanted)
    return found_array


cdef bint _text_says(str text, int64_t start, int64_t end, str wanted) except -1:
    """Whether a part of a text is another one when it is folded."""
    cdef int unit = PyUnicode_KIND(text), answer = -1
    cdef const void* data = PyUnicode_DATA(text)
    cdef const uint8_t* asked = <const uint8_t*>PyUnicode_DATA(wanted)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(wanted)
    if wanted.isascii():
        if unit == 1:
            answer = _says(<const uint8_t*>data, start, end, asked, size)
        elif unit == 2:
            answer = _says(<const uint16_t*>data, start, end, asked, size)
        else:
            answer = _says(<const uint32_t*>data, start, end, asked, size)
    return page_kernel.folded(text[start:end]) == wanted if answer < 0 else answer


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


def break_off(str text, start, end):
    cdef Py_ssize_t count = len(start), place
    cdef const int64_t* starts = _longs(start, count)
    cdef const int64_t* ends = _longs(end, count)
    found_array = np.empty(count, dtype=np.bool_)
    cdef uint8_t* found = <uint8_t*>_bytes(found_array, count)
    _check_texts(text, starts, ends, count)
    for place in range(count):
        found[place] = _text_breaks_off(text, starts[place], ends[place])
    return found_array


cdef inline bint _text_breaks_off(str text, int64_t start, int64_t end) noexcept:
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if unit == 1:
        return _breaks_off(<const uint8_t*>data, start, end)
    if unit == 2:
        return _breaks_off(<const uint16_t*>data, start, end)
    return _breaks_off(<const uint32_t*>data, start, end)


cdef bint _breaks_off(const Char* data, int64_t start, int64_t end) noexcept:
    """Whether an ellipsis stands in the last characters, white space reduced."""
    cdef int dots = 0, taken = 0
    cdef bint is_gap = False
    cdef uint32_t code
    cdef int64_t place = end - 1
    while place >= start and taken < ELLIPSIS_TAIL:
        code = data[place]
        place -= 1
        if Py_UNICODE_ISSPACE(code):
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
            return True
    return False


def long_texts(page, units, kinds, int64_t least_words, int64_t least_characters, int opening):
    cdef str text = page.text
    blocks = page.blocks
    cdef Py_ssize_t size = len(blocks.node), block, count = 0, place
    cdef const int64_t* words = _longs(blocks.words, size)
    cdef const int64_t* characters = _longs(blocks.characters, size)
    cdef const int64_t* starts = _longs(blocks.start, size)
    cdef const int64_t* ends = _longs(blocks.end, size)
    cdef const int64_t* of_block = _longs(units.of_block, size)
    cdef const uint8_t* is_meant = _bytes(kinds, _UNIT_KINDS)
    cdef Described told
    _point_at(&told, units.rows, units.shows)
    cdef _Rooms rooms = _Rooms()
    cdef int64_t* number = <int64_t*>rooms.room(4 * size, sizeof(int64_t))
    cdef int64_t* start = number + size
    cdef int64_t* end = start + size
    cdef int64_t* same = end + size
    cdef uint8_t* is_twice = <uint8_t*>rooms.room(size, 1)
    for block in range(size):
        if words[block] >= least_words and characters[block] >= least_characters and is_meant[told.kind[of_block[block]]]:
            number[count], start[count], end[count] = block, starts[block], ends[block]
            count += 1
    _find_same(text, start, end, count, same)
    for place in range(count):
        if same[place] < place:
            is_twice[same[place]] = True
    numbers = [number[place] for place in range(count)]
    twice = [(number[same[place]], number[place]) for place in range(count) if is_twice[same[place]]]
    broken = [place for place in range(count) if _text_breaks_off(text, start[place], end[place])]
    if broken:
        _find_openings(text, start, end, count, opening, is_twice)
        broken = [number[place] for place in broken if is_twice[place]]
    return numbers, twice, broken


cdef int _find_openings(
    str text, const int64_t* start, const int64_t* end, Py_ssize_t count, int opening, uint8_t* is_shared
) except -1:
    """Whether each text begins with so many characters as another does, white space reduced."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint64_t[::1] keys = np.empty(count, dtype=np.uint64)
    cdef int32_t[:, ::1] rows = np.empty((4, count), dtype=np.int32)
    cdef Py_ssize_t place
    for place in range(count):
        rows[3, place] = 0
        if unit == 1:
            keys[place] = _words_hash(<const uint8_t*>data, start[place], end[place], opening)
        elif unit == 2:
            keys[place] = _words_hash(<const uint16_t*>data, start[place], end[place], opening)
        else:
            keys[place] = _words_hash(<const uint32_t*>data, start[place], end[place], opening)
    _numbered(keys, rows[0], rows[1], rows[2])
    for place in range(count):
        rows[3, rows[0, place]] += 1
    for place in range(count):
        is_shared[place] = rows[3, rows[0, place]] > 1
    return 0


def set_apart(page, containers, list numbers, is_aside, pulling, int64_t most_words, Py_ssize_t most):
    cdef tuple names = containers.names
    cdef Py_ssize_t count = len(containers.node), size = len(page.blocks.node), tags = len(is_aside), place
    cdef const uint8_t* aside = _bytes(is_aside, tags)
    cdef const uint8_t* tag = _bytes(containers.tag, count)
    cdef const int64_t* end = _longs(containers.end, count)
    cdef const int64_t* holder = _longs(containers.holder, size)
    cdef const int64_t* name = _longs(containers.name, count)
    cdef const int64_t* words = _longs(page.blocks.words, size)
    cdef int64_t last = 0, block
    cdef _Rooms rooms = _Rooms()
    cdef uint8_t* is_apart = <uint8_t*>rooms.room(count, 1)
    cdef uint8_t* pulls = <uint8_t*>rooms.room(len(names), 1)
    cdef list found = []
    for place in range(count):
        if tag[place] < tags and aside[tag[place]]:
            last = max(last, end[place])
        is_apart[place] = place < last
    for block in numbers:
        if not 0 <= block < size:
            raise ValueError("no block of the page")
        place = holder[block]
        if words[block] > most_words or len(found) == most or not (is_apart[place] or pulling):
            continue
        if not is_apart[place]:
            if pulls[name[place]] == _UNREAD:
                pulls[name[place]] = _HOLDS_ONE if _holds_one(names[name[place]], pulling) else _HOLDS_NONE
            if pulls[name[place]] == _HOLDS_NONE:
                continue
        found.append(block)
    return found


cdef bint _holds_one(str name, tuple words) except -1:
    """Whether one of some words stands in a name, in any case."""
    cdef str word, lowered = name.lower()
    for word in words:
        if word in lowered:
            return True
    return False


def folded_blocks(page, numbers):
    cdef str text = page.text
    blocks = page.blocks
    cdef Py_ssize_t size = len(blocks.node)
    cdef const int64_t* starts = _longs(blocks.start, size)
    cdef const int64_t* ends = _longs(blocks.end, size)
    cdef int64_t longest = 0, block, length, all_characters = PyUnicode_GET_LENGTH(text)
    cdef char* room
    cdef list found = []
    for block in numbers:
        if not 0 <= block < size or starts[block] < 0 or ends[block] > all_characters:
            raise ValueError("a text lies outside of the page")
        longest = max(longest, ends[block] - starts[block])
    room = <char*>PyMem_Malloc(longest + 1)
    if room is NULL:
        raise MemoryError
    try:
        for block in numbers:
            length = _folded(text, starts[block], ends[block], room)
            if length < 0:
                found.append(page_kernel.folded(text[starts[block] : ends[block]]))
            else:
                found.append(PyUnicode_FromStringAndSize(room, length))
    finally:
        PyMem_Free(room)
    return found


def quoted(page, list running, list apart):
    cdef str text = page.text
    blocks = page.blocks
    cdef Py_ssize_t characters = 0, size = len(blocks.node)
    cdef const int64_t* starts = _longs(blocks.start, size)
    cdef const int64_t* ends = _longs(blocks.end, size)
    cdef int64_t block
    cdef char* room
    for numbers in (running, apart):
        for block in numbers:
            if not 0 <= block < size or starts[block] < 0 or ends[block] > PyUnicode_GET_LENGTH(text):
                raise ValueError("a text lies outside of the page")
            characters += max(ends[block] - starts[block], <int64_t>0) + 1
    room = <char*>PyMem_Malloc(characters + 1)
    if room is NULL:
        raise MemoryError
    try:
        return _quoted(text, starts, ends, running, apart, room)
    finally:
        PyMem_Free(room)


cdef list _quoted(
    str text, const int64_t* starts, const int64_t* ends, list running, list apart, char* room
):
    """The blocks that stand in others. The room is for all texts of ASCII; what has other letters is folded apart."""
    cdef int64_t block, size = 0, length
    cdef list found = [], others = []
    cdef str quote, said
    for block in running:
        length = _folded(text, starts[block], ends[block], room + size)
        if length < 0:
            others.append(page_kernel.folded(text[starts[block] : ends[block]]))
            continue
        room[size + length] = 10
        size += length + 1
    said = "\n".join(others)
    for block in apart:
        length = _folded(text, starts[block], ends[block], room + size)
        if length < 0:
            quote = page_kernel.folded(text[starts[block] : ends[block]])
        elif memmem(room, size, room + size, length) is not NULL:
            found.append(block)
            continue
        elif others:
            quote = PyUnicode_FromStringAndSize(room + size, length)
        else:
            continue
        if quote in said or (
            length < 0 and quote.isascii() and memmem(room, size, PyUnicode_DATA(quote), len(quote)) is not NULL
        ):
            found.append(block)
    return found


cdef int64_t _folded(str text, int64_t start, int64_t end, char* room) noexcept:
    cdef const void* data = PyUnicode_DATA(text)
    if PyUnicode_KIND(text) == 1:
        return _fold_ascii(<const uint8_t*>data, start, end, room)
    if PyUnicode_KIND(text) == 2:
        return _fold_ascii(<const uint16_t*>data, start, end, room)
    return _fold_ascii(<const uint32_t*>data, start, end, room)


cdef int64_t _fold_ascii(const Char* data, int64_t start, int64_t end, char* out) noexcept nogil:
    """Write the letters and digits of a text, and a blank between words; -1 if there are any beyond ASCII."""
    cdef int64_t place, length = 0
    cdef uint32_t code
    cdef uint8_t folded, before = 32
    for place in range(start, end):
        code = data[place]
        if code > 127:
            if Py_UNICODE_ISALNUM(code) or code == 0x345:  # of which folding makes a letter
                return -1
            code = 32
        folded = FOLDED[code]
        out[length] = folded  # one that is not wanted is written over
        length += folded != 32 or before != 32
        before = folded
    return length - (length > 0 and before == 32)


def headline_again(page, units, kinds, headline, int64_t near):
    cdef str text = page.text, wanted
    blocks = page.blocks
    cdef Py_ssize_t size = len(blocks.node), first = headline.start, last = headline.stop, block
    cdef const int64_t* characters = _longs(blocks.characters, size)
    cdef const int64_t* starts = _longs(blocks.start, size)
    cdef const int64_t* ends = _longs(blocks.end, size)
    cdef const int64_t* of_block = _longs(units.of_block, size)
    cdef const uint8_t* is_meant = _bytes(kinds, _UNIT_KINDS)
    cdef Described told
    cdef int64_t length = 0
    cdef list found = []
    if not 0 <= first <= last <= size:
        raise ValueError("the headline lies outside of the page")
    _point_at(&told, units.rows, units.shows)
    for block in range(first, last):
        length += characters[block]
    wanted = " ".join(filter(None, folded_blocks(page, headline)))
    _check_texts(text, starts, ends, size)
    for block in range(size):
        if first <= block < last or not length - near <= characters[block] <= length + near:
            continue
        if is_meant[told.kind[of_block[block]]] and _text_says(text, starts[block], ends[block], wanted):
            found.append(block)
    return found
