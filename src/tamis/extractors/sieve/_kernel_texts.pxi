# Words and texts, told apart by 64-bit hashes.

cdef inline uint64_t _packed_counts(
    const Char* data, int64_t start, int64_t stop, const int64_t* moves
) noexcept nogil:
    """Sentence ends, commas, digits and capitals of a stretch of text, packed into one number."""
    cdef uint64_t total = 0
    cdef int64_t place
    for place in range(start, stop):
        if Char is uint32_t:
            total += <uint64_t>moves[data[place] if data[place] < 0xFFFF else 0xFFFF]
        else:
            total += <uint64_t>moves[data[place]]
    return total


cdef inline bint _is_ascii(const Char* data, int64_t start, int64_t stop) noexcept nogil:
    cdef Char joined = 0
    cdef int64_t place
    for place in range(start, stop):
        joined |= data[place]
    return joined < 0x80


cdef inline uint64_t _text_hash(const uint8_t* data, int64_t size) noexcept nogil:
    cdef uint64_t value = <uint64_t>size * <uint64_t>0x9E3779B97F4A7C15, part
    cdef int64_t place = 0
    while size - place >= 8:
        memcpy(&part, data + place, 8)
        value = (value ^ part) * <uint64_t>0xBF58476D1CE4E5B9
        value ^= value >> 32
        place += 8
    if place < size:
        part = 0
        memcpy(&part, data + place, size - place)
        value = (value ^ part) * <uint64_t>0xBF58476D1CE4E5B9
        value ^= value >> 32
    value *= <uint64_t>0x94D049BB133111EB
    return value ^ value >> 29


cdef inline uint32_t _lower(uint32_t code) noexcept nogil:
    return code + 32 if 65 <= code <= 90 else code


cdef inline int _noted(uint64_t word, uint64_t* words, int count) noexcept nogil:
    """How many different words there are with this one; -1 if there are too many, or were."""
    cdef int seen
    for seen in range(count):
        if words[seen] == word:
            return count
    if count < 0 or count == _MOST_DISTINCT:
        return -1
    words[count] = word
    return count + 1


cdef int _distinct_words(
    const Char* data, int64_t start, int64_t stop, const uint8_t* classes, bint is_unspaced, uint64_t* words
) noexcept nogil:
    """Hashes of the different words of a text that is in lower case or ASCII; -1 if there are too many."""
    cdef int count = 0
    cdef int64_t place
    cdef uint64_t word = 0  # of the word that has begun, 0 between words
    cdef uint32_t code
    cdef uint8_t kind
    cdef bint is_alone
    for place in range(start, stop):
        code = data[place]
        kind = classes[code]
        is_alone = is_unspaced and kind == _IDEOGRAPH
        if word and (kind == _SPACE or is_alone):
            count = _noted(word, words, count)
            word = 0
        if kind != _SPACE:
            word = ((word or <uint64_t>0xCBF29CE484222325) ^ _lower(code)) * <uint64_t>0x100000001B3
            word = word or 1
            if is_alone:
                count = _noted(word, words, count)
                word = 0
    return _noted(word, words, count) if word else count


cdef int _any_distinct_words(str text, const uint8_t* classes, bint is_unspaced, uint64_t* words) noexcept:
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    if unit == 1:
        return _distinct_words(<const uint8_t*>data, 0, size, classes, is_unspaced, words)
    if unit == 2:
        return _distinct_words(<const uint16_t*>data, 0, size, classes, is_unspaced, words)
    return _distinct_words(<const uint32_t*>data, 0, size, classes, is_unspaced, words)


cdef object _hashes(words, const uint8_t* classes):
    """Sorted hashes of some words."""
    cdef uint64_t found[_MOST_DISTINCT]
    cdef list hashes = []
    for word in words:
        if _any_distinct_words(word, classes, False, found) == 1:
            hashes.append(found[0])
    return np.unique(np.array(hashes, dtype=np.uint64))


cdef int _common(const uint64_t* words, int count, const uint64_t[::1] others) noexcept nogil:
    """How many of the words are among the others, which are sorted."""
    cdef int place, total = 0
    cdef Py_ssize_t low, high, middle
    for place in range(count):
        low, high = 0, others.shape[0]
        while low < high:
            middle = (low + high) // 2
            if others[middle] < words[place]:
                low = middle + 1
            else:
                high = middle
        total += low < others.shape[0] and others[low] == words[place]
    return total


cdef void _sorted_places(const uint64_t[::1] keys, int32_t[::1] places, int32_t[::1] spare) noexcept nogil:
    """Places of the keys in ascending order; by radix, so that no choice of keys makes it slow."""
    cdef Py_ssize_t place
    cdef int shift
    for place in range(keys.shape[0]):
        places[place] = <int32_t>place
    for shift in range(0, 64, 16):
        _radix_pass(keys, places, spare, shift)
        _radix_pass(keys, spare, places, shift + 8)


cdef void _radix_pass(
    const uint64_t[::1] keys, const int32_t[::1] source, int32_t[::1] target, int shift
) noexcept nogil:
    cdef int32_t starts[256]
    cdef int32_t total = 0, count
    cdef Py_ssize_t place
    cdef int digit
    for digit in range(256):
        starts[digit] = 0
    for place in range(keys.shape[0]):
        starts[keys[place] >> shift & 0xFF] += 1
    for digit in range(256):
        count = starts[digit]
        starts[digit] = total
        total += count
    for place in range(keys.shape[0]):
        digit = keys[source[place]] >> shift & 0xFF
        target[starts[digit]] = source[place]
        starts[digit] += 1


cdef Py_ssize_t _numbered(
    const uint64_t[::1] keys, int32_t[::1] numbers, int32_t[::1] places, int32_t[::1] spare
) noexcept nogil:
    """Give each key its rank among the different keys; how many there are."""
    cdef Py_ssize_t place
    cdef int32_t number = -1
    _sorted_places(keys, places, spare)
    for place in range(keys.shape[0]):
        number += place == 0 or keys[places[place]] != keys[places[place - 1]]
        numbers[places[place]] = number
    return number + 1


cdef class _Matches:
    """Blocks that repeat words of the title, of the first main heading, or each other."""

    cdef double[::1] title, heading
    cdef int32_t[::1] duplicates

    def __cinit__(self, page, const uint8_t[::1] tag):
        cdef str text = page.text
        blocks = page.blocks
        cdef const int64_t[::1] start = blocks.start, end = blocks.end, node = blocks.node
        cdef const int64_t[::1] words = blocks.words, link_words = blocks.link_words
        cdef Py_ssize_t size = start.shape[0], block, first_main = -1, different
        cdef int unit = PyUnicode_KIND(text), count, common
        cdef const uint8_t* data = <const uint8_t*>PyUnicode_DATA(text)
        cdef int64_t length = PyUnicode_GET_LENGTH(text)
        cdef const uint8_t[::1] class_view = _CLASSES
        cdef const uint8_t* classes = &class_view[0]
        cdef uint64_t own[_MOST_DISTINCT]
        scratch = np.empty((4, size), dtype=np.int32)
        cdef int32_t[:, ::1] rows = scratch
        cdef uint64_t[::1] keys = np.empty(size, dtype=np.uint64)
        cdef uint8_t[::1] is_left = np.zeros(size, dtype=np.uint8)
        both = np.zeros((2, size))
        self.title, self.heading = both[0], both[1]
        cdef double[::1] title_match = self.title, heading_match = self.heading
        self.duplicates = np.zeros(size, dtype=np.int32)
        cdef int32_t[::1] duplicates = self.duplicates
        for block in range(size):
            if start[block] < 0 or end[block] > length or start[block] > end[block]:
                raise AssertionError(f"block {block} lies outside of the text")  # cannot be; but this is memory
            if first_main < 0 and tag[node[block]] == _H1:
                first_main = block
        title_words = matches.title_words(page)
        heading_words = matches.word_set(text[start[first_main] : end[first_main]]) if first_main >= 0 else set()
        cdef double title_size = len(title_words)
        cdef const uint64_t[::1] title = _hashes(title_words, classes), heading = _hashes(heading_words, classes)
        cdef bint any_left = False
        with nogil:
            for block in range(size):
                keys[block] = _text_hash(data + start[block] * unit, (end[block] - start[block]) * unit)
                if not 1 < words[block] <= MOST_TITLE_WORDS or 2 * link_words[block] > words[block]:
                    continue
                count = -1
                if unit == 1 and _is_ascii(<const uint8_t*>data, start[block], end[block]):
                    count = _distinct_words(<const uint8_t*>data, start[block], end[block], classes, False, own)
                elif unit == 2 and _is_ascii(<const uint16_t*>data, start[block], end[block]):
                    count = _distinct_words(<const uint16_t*>data, start[block], end[block], classes, False, own)
                elif unit == 4 and _is_ascii(<const uint32_t*>data, start[block], end[block]):
                    count = _distinct_words(<const uint32_t*>data, start[block], end[block], classes, False, own)
                if count < 1:
                    is_left[block] = any_left = True
                    continue
                common = _common(own, count, title)
                if common:
                    title_match[block] = <double>common / count * min(1.0, count / title_size * 2)
                heading_match[block] = <double>_common(own, count, heading) / count
            different = _numbered(keys, rows[0], rows[1], rows[2])
            for block in range(different):
                rows[3, block] = 0
            for block in range(size):
                rows[3, rows[0, block]] += 1
            for block in range(size):
                duplicates[block] = rows[3, rows[0, block]]
        if not any_left:
            return
        for block in range(size):
            if is_left[block]:
                slice_ = text[start[block] : end[block]]
                lowered = slice_.lower()
                count = -1 if slice_.isascii() else _any_distinct_words(lowered, classes, False, own)
                if 0 <= count <= 2:
                    count = _any_distinct_words(lowered, classes, True, own)
                if count > 0:
                    common = _common(own, count, title)
                    if common:
                        title_match[block] = <double>common / count * min(1.0, count / title_size * 2)
                    heading_match[block] = <double>_common(own, count, heading) / count
                else:
                    title_match[block], heading_match[block] = matches.shared_words(slice_, title_words, heading_words)
