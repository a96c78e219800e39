# Words and texts, told apart by 64-bit hashes.

cdef enum:
    _FILTER = 16  # numbers of 64 bits
    _FIRST = 64  # of first letters that are told apart
    _MOST_MOVES = 4  # of a key, on average, in keys that are nearly sorted

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


cdef inline uint32_t _simple_lower(uint32_t code) noexcept nogil:
    """What one character is in lower case, wherever it stands; 0 if that is another question, as of two letters."""
    if code < _COMMON:
        return _LOWER_OF[code] if code != 0x130 and code != 0x3A3 else 0
    return code if 0x2000 <= code < 0x2100 or 0x3000 <= code < 0xA000 or 0xAC00 <= code < 0xD7A4 else Py_UNICODE_TOLOWER(code)


cdef inline int _simplicity(const Char* data, int64_t start, int64_t stop) noexcept nogil:
    """1 if the lower case of a text is that of its characters, 2 if moreover blanks stand between its words; else 0."""
    cdef Char joined = 0
    cdef int64_t place
    cdef int found = 2
    for place in range(start, stop):
        joined |= data[place]
    if joined < 0x80:
        return 2
    for place in range(start, stop):
        if data[place] and _simple_lower(data[place]) == 0:
            return 0
        if data[place] >= _COMMON:
            found = 1
    return found


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


cdef inline uint64_t _grown_word(uint64_t word, uint32_t letter) noexcept nogil:
    """The hash of a word with one letter more, never 0."""
    return ((word or <uint64_t>0xCBF29CE484222325) ^ letter) * <uint64_t>0x100000001B3 or 1


cdef struct Filter:
    # Bits of some words: what lacks one is none of them.
    uint64_t bits[_FILTER]
    uint64_t lengths[_FIRST]  # of words by their first letter, a bit each


cdef inline void _let_pass(Filter* filter, uint64_t word) noexcept nogil:
    filter.bits[word >> 40 & _FILTER - 1] |= <uint64_t>1 << (word >> 50 & 63)


cdef inline bint _may_be(const Filter* filter, uint64_t word) noexcept nogil:
    return filter.bits[word >> 40 & _FILTER - 1] >> (word >> 50 & 63) & 1


cdef inline void _let_length_pass(Filter* filter, uint32_t first, int64_t length) noexcept nogil:
    filter.lengths[first & _FIRST - 1] |= <uint64_t>1 << min(length, <int64_t>63)


cdef inline bint _may_be_long(const Filter* filter, uint32_t first, int64_t length) noexcept nogil:
    return filter.lengths[first & _FIRST - 1] >> min(length, <int64_t>63) & 1


cdef bint _may_share(
    const Char* data, int64_t start, int64_t stop, const uint8_t* classes, const Filter* wanted
) noexcept nogil:
    """Whether a text of simple characters may hold one of some words."""
    cdef int64_t place = start, first
    cdef uint64_t word
    while place < stop:
        if classes[data[place]] == _SPACE:
            place += 1
            continue
        first = place
        while place < stop and classes[data[place]] != _SPACE:
            place += 1
        if _may_be_long(wanted, _simple_lower(data[first]), place - first):
            word = 0
            for first in range(first, place):
                word = _grown_word(word, _simple_lower(data[first]))
            if _may_be(wanted, word):
                return True
    return False


cdef int _distinct_words(
    const Char* data,
    int64_t start,
    int64_t stop,
    const uint8_t* classes,
    bint is_unspaced,
    bint is_lower,
    uint64_t* words,
) noexcept nogil:
    """Hashes of the different words of a text that is in lower case or simple; -1 if there are too many."""
    cdef int count = 0
    cdef int64_t place
    cdef uint64_t word = 0  # of the word that has begun, 0 between words
    cdef uint8_t kind
    cdef bint is_alone
    for place in range(start, stop):
        kind = classes[data[place]]
        is_alone = is_unspaced and kind == _IDEOGRAPH
        if word and (kind == _SPACE or is_alone):
            count = _noted(word, words, count)
            word = 0
        if kind != _SPACE:
            word = _grown_word(word, data[place] if is_lower else _simple_lower(data[place]))
            if is_alone:
                count = _noted(word, words, count)
                word = 0
    return _noted(word, words, count) if word else count


cdef int _lower_words(str text, const uint8_t* classes, bint is_unspaced, uint64_t* words) noexcept:
    """The same for a text in lower case."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    if unit == 1:
        return _distinct_words(<const uint8_t*>data, 0, size, classes, is_unspaced, True, words)
    if unit == 2:
        return _distinct_words(<const uint16_t*>data, 0, size, classes, is_unspaced, True, words)
    return _distinct_words(<const uint32_t*>data, 0, size, classes, is_unspaced, True, words)


cdef struct Known:
    # The different words of a text that blocks are compared with.
    const uint64_t* hashes  # in ascending order
    Py_ssize_t count
    double size  # words; some may have no hash
    uint64_t own[_MOST_DISTINCT]  # room for the hashes of most texts


cdef object _know(str text, int64_t start, int64_t stop, const uint8_t* classes, Filter* wanted, Known* known):
    """Take the words of a stretch of text, which the filter lets pass then; gives what must be kept as long as they."""
    cdef int unit = PyUnicode_KIND(text), count
    cdef const void* data = PyUnicode_DATA(text)
    if not 0 <= start <= stop <= PyUnicode_GET_LENGTH(text):
        raise AssertionError("a title lies outside of the text")  # cannot be; but this is memory
    if unit == 1:
        count = _known_words(<const uint8_t*>data, start, stop, classes, wanted, known.own)
    elif unit == 2:
        count = _known_words(<const uint16_t*>data, start, stop, classes, wanted, known.own)
    else:
        count = _known_words(<const uint32_t*>data, start, stop, classes, wanted, known.own)
    if count >= 0:
        known.hashes, known.count, known.size = known.own, count, count
        return None
    words = matches.word_set(text[start:stop])
    held = _hashes(words, classes)
    cdef const uint64_t[::1] hashes = held
    cdef Py_ssize_t place
    known.hashes, known.count, known.size = &hashes[0] if hashes.shape[0] else NULL, hashes.shape[0], len(words)
    for place in range(known.count):
        _let_pass(wanted, known.hashes[place])
    for word in words:
        _let_length_pass(wanted, ord(word[0]), len(word))
    return held


cdef int _known_words(
    const Char* data, int64_t start, int64_t stop, const uint8_t* classes, Filter* wanted, uint64_t* words
) noexcept nogil:
    """Sorted hashes of the different words of a text, which the filter lets pass then; -1 if others must tell."""
    cdef int simplicity = _simplicity(data, start, stop), count, place, at
    cdef int64_t letter, first = start
    cdef uint64_t word
    if simplicity == 0:
        return -1
    count = _distinct_words(data, start, stop, classes, False, False, words)
    if simplicity == 1 and 0 <= count <= 2:
        count = _distinct_words(data, start, stop, classes, True, False, words)
    if simplicity == 1:  # words may end without a blank: any length passes
        memset(wanted.lengths, 0xFF, sizeof(wanted.lengths))
    for letter in range(start, stop + 1):
        if letter == stop or classes[data[letter]] == _SPACE:
            if first < letter:
                _let_length_pass(wanted, _simple_lower(data[first]), letter - first)
            first = letter + 1
    for place in range(count):
        word, at = words[place], place
        _let_pass(wanted, word)
        while at > 0 and words[at - 1] > word:
            words[at] = words[at - 1]
            at -= 1
        words[at] = word
    return count


cdef object _hashes(words, const uint8_t* classes):
    """Sorted hashes of some words in lower case."""
    cdef uint64_t found[_MOST_DISTINCT]
    cdef list hashes = []
    for word in words:
        if _lower_words(word, classes, False, found) == 1:
            hashes.append(found[0])
    return np.array(sorted(set(hashes)), dtype=np.uint64)


cdef int _common(
    const uint64_t* words, int count, const Known* others, const Filter* wanted
) noexcept nogil:
    """How many of the words are among the others, which pass the filter."""
    cdef int place, total = 0
    cdef Py_ssize_t low, high, middle
    for place in range(count):
        if not _may_be(wanted, words[place]):
            continue
        low, high = 0, others.count
        while low < high:
            middle = (low + high) // 2
            if others.hashes[middle] < words[place]:
                low = middle + 1
            else:
                high = middle
        total += low < others.count and others.hashes[low] == words[place]
    return total


cdef int _words_to_compare(
    const Char* data, int64_t start, int64_t stop, const uint8_t* classes, const Filter* wanted, uint64_t* words
) noexcept nogil:
    """Hashes of the different words of a block, none if it cannot hold one that is wanted; -1 if others must tell."""
    cdef int simplicity = _simplicity(data, start, stop), count
    if simplicity == 0:
        return -1
    if simplicity == 2:
        if not _may_share(data, start, stop, classes, wanted):
            return 0
        return _distinct_words(data, start, stop, classes, False, False, words)
    count = _distinct_words(data, start, stop, classes, False, False, words)
    return _distinct_words(data, start, stop, classes, True, False, words) if 0 <= count <= 2 else count


cdef void _sorted_places(const uint64_t* keys, Py_ssize_t count, int32_t* places, int32_t* spare) noexcept nogil:
    """Places of the keys in ascending order. Keys are hashes: their first bytes sort them but for a few. By all bytes if
    not, so that no choice of keys makes it slow."""
    cdef Py_ssize_t place
    cdef int shift
    for place in range(count):
        places[place] = <int32_t>place
    _radix_pass(keys, count, places, spare, 48)
    _radix_pass(keys, count, spare, places, 56)
    if _settled(keys, count, places):
        return
    for shift in range(0, 64, 16):
        _radix_pass(keys, count, places, spare, shift)
        _radix_pass(keys, count, spare, places, shift + 8)


cdef bint _settled(const uint64_t* keys, Py_ssize_t count, int32_t* places) noexcept nogil:
    """Sort keys that are nearly in order; false if they are not."""
    cdef Py_ssize_t place, at, moves = 0
    cdef int32_t own
    for place in range(1, count):
        own, at = places[place], place
        while at > 0 and keys[places[at - 1]] > keys[own]:
            places[at] = places[at - 1]
            at -= 1
        places[at] = own
        moves += place - at
        if moves > _MOST_MOVES * count:
            return False
    return True


cdef void _radix_pass(
    const uint64_t* keys, Py_ssize_t count, const int32_t* source, int32_t* target, int shift
) noexcept nogil:
    cdef int32_t starts[256]
    cdef int32_t total = 0, held
    cdef Py_ssize_t place
    cdef int digit
    memset(starts, 0, sizeof(starts))
    for place in range(count):
        starts[keys[place] >> shift & 0xFF] += 1
    for digit in range(256):
        held = starts[digit]
        starts[digit] = total
        total += held
    for place in range(count):
        digit = keys[source[place]] >> shift & 0xFF
        target[starts[digit]] = source[place]
        starts[digit] += 1


cdef Py_ssize_t _ranked(
    const uint64_t* keys, Py_ssize_t count, int32_t* numbers, int32_t* places, int32_t* spare
) noexcept nogil:
    """Give each key its rank among the different keys; how many there are."""
    cdef Py_ssize_t place
    cdef int32_t number = -1
    _sorted_places(keys, count, places, spare)
    for place in range(count):
        number += place == 0 or keys[places[place]] != keys[places[place - 1]]
        numbers[places[place]] = number
    return number + 1


cdef Py_ssize_t _numbered(
    const uint64_t[::1] keys, int32_t[::1] numbers, int32_t[::1] places, int32_t[::1] spare
) noexcept nogil:
    if not keys.shape[0]:
        return 0
    return _ranked(&keys[0], keys.shape[0], &numbers[0], &places[0], &spare[0])


cdef struct Match:
    # How much of a block is in the title and in the first main heading, and how often its text occurs.
    double title
    double heading
    double duplicates


cdef inline void _compare(
    const uint64_t* words, int count, const Known* title, const Known* heading, const Filter* wanted, Match* found
) noexcept nogil:
    """How many of some words, at least one, are in the title and in the heading."""
    cdef int common = _common(words, count, title, wanted)
    if common:
        found.title = <double>common / count * min(1.0, count / title.size * 2)
    found.heading = <double>_common(words, count, heading, wanted) / count


cdef int _match_texts(page, const Given* given, _Rooms rooms) except -1:
    """Compare the blocks of a page with its title, its first main heading, and each other."""
    cdef str text = page.text
    cdef Py_ssize_t size = given.size, block, first_main = -1
    cdef int unit = PyUnicode_KIND(text), count
    cdef const uint8_t* data = <const uint8_t*>PyUnicode_DATA(text)
    cdef const uint8_t* named
    cdef const int64_t* start = given.start
    cdef const int64_t* stop = given.stop
    cdef uint64_t own[_MOST_DISTINCT]
    cdef uint64_t* keys = <uint64_t*>rooms.space(size, sizeof(uint64_t))
    cdef int32_t* numbers = <int32_t*>rooms.room(4 * size, sizeof(int32_t))
    cdef int32_t* counts = numbers + 3 * size
    cdef uint8_t* is_left = <uint8_t*>rooms.room(size, 1)
    cdef Filter wanted
    cdef Known title, heading
    memset(&wanted, 0, sizeof(Filter))
    title.count = heading.count = 0
    held_title = held_heading = None
    named = <const uint8_t*>memchr(given.tag, _TITLE, given.nodes)
    if named != NULL:
        held_title = _know(
            text, given.text_start[named - given.tag], given.text_end[named - given.tag], CLASSES, &wanted, &title
        )
    for block in range(size):
        if given.tag[given.node[block]] == _H1:
            first_main = block
            held_heading = _know(text, start[block], stop[block], CLASSES, &wanted, &heading)
            break
    cdef bint any_left = False
    with nogil:
        for block in range(size):
            keys[block] = _text_hash(data + start[block] * unit, (stop[block] - start[block]) * unit)
            if not 1 < given.words[block] <= MOST_TITLE_WORDS or 2 * given.link_words[block] > given.words[block]:
                continue
            if unit == 1:
                count = _words_to_compare(<const uint8_t*>data, start[block], stop[block], CLASSES, &wanted, own)
            elif unit == 2:
                count = _words_to_compare(<const uint16_t*>data, start[block], stop[block], CLASSES, &wanted, own)
            else:
                count = _words_to_compare(<const uint32_t*>data, start[block], stop[block], CLASSES, &wanted, own)
            if count < 0:
                is_left[block] = any_left = True
            elif count:
                _compare(own, count, &title, &heading, &wanted, &given.matches[block])
        _ranked(keys, size, numbers, numbers + size, numbers + 2 * size)
        for block in range(size):
            counts[numbers[block]] += 1
        for block in range(size):
            given.matches[block].duplicates = counts[numbers[block]]
    if not any_left:
        return 0
    title_words = matches.title_words(page)
    heading_words = matches.word_set(text[start[first_main] : stop[first_main]]) if first_main >= 0 else set()
    for block in range(size):
        if is_left[block]:
            slice_ = text[start[block] : stop[block]]
            lowered = slice_.lower()
            count = -1 if slice_.isascii() else _lower_words(lowered, CLASSES, False, own)
            if 0 <= count <= 2:
                count = _lower_words(lowered, CLASSES, True, own)
            if count > 0:
                _compare(own, count, &title, &heading, &wanted, &given.matches[block])
            else:
                given.matches[block].title, given.matches[block].heading = matches.shared_words(
                    slice_, title_words, heading_words
                )
    return 0
