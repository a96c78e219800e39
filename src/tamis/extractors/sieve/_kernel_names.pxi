# What class names say: words and their parts, looked up in the learned table; see ``class_names.py``.
# Names beyond ASCII are rare, and left to the reference.

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    _TOKEN_LENGTH = 40
    _MOST_SEEN = 256  # words of names that are remembered: names of a page share most of them
    _HEAD = 16  # letters; nine of ten words have no more

if containers.TOKEN_LENGTH != _TOKEN_LENGTH:
    raise ImportError("_kernel_names.pxi has another limit than containers.py")

cdef _Sought _TELLING = _Sought((*containers.SIGNS, *COMMENT_NAMES))  # in one go: names are long
cdef Py_ssize_t _ALL_SIGNS = len(containers.SIGNS), _ALL_TELLING = len(_TELLING._said)
cdef uint32_t _CRC[4][256]  # of a byte, and of a byte with one to three zeros behind it


cdef void _fill_crc() noexcept:
    cdef uint32_t value
    cdef int number, bit, behind
    for number in range(256):
        value = <uint32_t>number
        for bit in range(8):
            value = (value >> 1) ^ (<uint32_t>0xEDB88320 if value & 1 else <uint32_t>0)
        _CRC[0][number] = value
    for behind in range(1, 4):
        for number in range(256):
            value = _CRC[behind - 1][number]
            _CRC[behind][number] = _CRC[0][value & 0xFF] ^ (value >> 8)


_fill_crc()


cdef struct Word:
    # A word of the table; everything in one place, because each look at another one misses the cache.
    uint8_t head[_HEAD]  # its first letters, zeros behind a short one
    int32_t start  # of its letters
    int32_t size
    int32_t own
    int32_t around


cdef class _WordIndex:
    """The words of the table that are ASCII, found by their hashes and compared letter by letter."""

    cdef bytes letters
    cdef const uint8_t* letter
    cdef _Rooms rooms
    cdef uint8_t* marks  # of each slot, from the hash of its word and never 0; 0 if there is none. Most looks end here
    cdef Word* slots
    cdef Py_ssize_t last  # of the slots, which are a power of two
    cdef int shift  # so that what is left of a hash is a slot

    def __cinit__(self, dict weights):
        cdef list words = [word for word in weights if word.isascii()]
        cdef Py_ssize_t slot, slots = 2, start = 0, size
        cdef uint64_t value
        cdef Word* found
        self.shift = 63
        while slots < 2 * len(words):
            slots, self.shift = 2 * slots, self.shift - 1
        self.last = slots - 1
        self.letters = "".join(words).encode()
        self.letter = <const uint8_t*><const char*>self.letters
        self.rooms = _Rooms()
        self.marks = <uint8_t*>self.rooms.room(slots, sizeof(uint8_t))
        self.slots = <Word*>self.rooms.room(slots, sizeof(Word))
        for word in words:
            size = len(word)
            value = _hash_of(self.letter + start, size)
            slot = value >> self.shift
            while self.marks[slot]:
                slot = (slot + 1) & self.last
            self.marks[slot] = _mark_of(value)
            found = &self.slots[slot]
            memcpy(found.head, self.letter + start, min(size, <Py_ssize_t>_HEAD))
            found.start, found.size, found.own, found.around = start, size, weights[word].real, weights[word].imag
            start += size

    cdef void add(self, const uint8_t* word, Py_ssize_t size, SeenWord* seen) noexcept:
        """Add the weights of a word in lower case, if it is known."""
        cdef uint64_t value = _hash_of(word, size)
        cdef uint8_t mark = _mark_of(value)
        cdef Py_ssize_t slot = value >> self.shift
        cdef const Word* found
        while self.marks[slot]:
            found = &self.slots[slot]
            if self.marks[slot] == mark and found.size == size and self.is_same(found, word, size):
                seen.own += found.own
                seen.around += found.around
                return
            slot = (slot + 1) & self.last

    cdef inline bint is_same(self, const Word* found, const uint8_t* word, Py_ssize_t size) noexcept:
        """Whether a word of the table is another one of as many letters."""
        if memcmp(found.head, word, min(size, <Py_ssize_t>_HEAD)) != 0:
            return False
        return size <= _HEAD or memcmp(self.letter + found.start + _HEAD, word + _HEAD, size - _HEAD) == 0


cdef inline uint8_t _mark_of(uint64_t value) noexcept:
    return <uint8_t>value | 1


cdef inline uint64_t _hash_of(const uint8_t* word, Py_ssize_t size) noexcept:
    """A number from the letters of a word, eight or four of them at a time; some are read twice."""
    cdef uint64_t value = <uint64_t>size, part
    cdef uint32_t first, last
    cdef Py_ssize_t place = 0
    if size >= 8:
        while size - place > 8:
            memcpy(&part, word + place, 8)
            value = (value ^ part) * <uint64_t>0x9E3779B97F4A7C15
            value ^= value >> 32
            place += 8
        memcpy(&part, word + size - 8, 8)
    elif size >= 4:
        memcpy(&first, word, 4)
        memcpy(&last, word + size - 4, 4)
        part = <uint64_t>first << 32 | last
    elif size:
        part = <uint64_t>word[0] << 16 | <uint64_t>word[size // 2] << 8 | word[size - 1]
    else:
        part = 0
    value = (value ^ part) * <uint64_t>0x9E3779B97F4A7C15
    return value ^ value >> 32


cdef struct NameFact:
    # What is known of a name without the page on which it stands.
    int64_t own
    int64_t around
    int64_t is_comments
    int64_t look


cdef const NameFact* _name_facts(containers, table, _Rooms rooms) except NULL:
    """The facts of each name.

    What ``signs`` of the containers would look for in all names again is kept with them.
    """
    cdef tuple names = containers.names
    cdef Py_ssize_t longest = 0, word
    cdef str name
    cdef uint8_t is_found[_MOST_WORDS]
    if table.index is None:
        table.index = _WordIndex(table.weights)
    cdef _WordIndex index = table.index
    cdef SeenWord seen[_MOST_SEEN]
    cdef NameFact* facts = <NameFact*>rooms.room(len(names), sizeof(NameFact))
    cdef NameFact* own = facts
    for name in names:
        longest = max(longest, PyUnicode_GET_LENGTH(name))
    cdef uint8_t* lower = <uint8_t*>rooms.space(longest, 1)
    memset(is_found, False, sizeof(is_found))
    memset(seen, 0, sizeof(seen))
    for name in names:
        _find_in_name(name, &_TELLING._words, is_found)
        if PyUnicode_IS_ASCII(name):
            _read_name(<const uint8_t*>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name), lower, index, seen, own)
            own.is_comments = memchr(is_found + _ALL_SIGNS, True, _ALL_TELLING - _ALL_SIGNS) != NULL
        else:
            own.own, own.around, own.is_comments, own.look = table.facts(name)
        memset(is_found + _ALL_SIGNS, False, _ALL_TELLING - _ALL_SIGNS)
        own += 1
    vars(containers)["signs"] = [_TELLING._said[word] for word in range(_ALL_SIGNS) if is_found[word]]
    return facts


cdef struct SeenWord:
    # A word of a name that was read before, where it stands there, and its weights.
    const uint8_t* word
    Py_ssize_t size  # 0 if there is none
    int64_t own
    int64_t around


cdef void _read_name(
    const uint8_t* data, Py_ssize_t size, uint8_t* lower, _WordIndex index, SeenWord* seen, NameFact* fact
) noexcept:
    """What is known of one name, as ``ClassNames.facts`` says it, but for comments; ``lower`` has room for it. The fact
    comes with zeros."""
    cdef Py_ssize_t place = 0, start
    cdef SeenWord* found
    while place < size:
        if _is_blank(data[place]):
            place += 1
            continue
        start = place
        while place < size and not _is_blank(data[place]):
            place += 1
        found = &seen[_hash_of(data + start, place - start) & _MOST_SEEN - 1]
        if found.size != place - start or memcmp(found.word, data + start, place - start) != 0:
            found.word, found.size, found.own, found.around = data + start, place - start, 0, 0
            _add_word(lower, index, found)
        fact.own += found.own
        fact.around += found.around
    fact.look = _look_code(data, size)


cdef inline bint _is_blank(uint8_t letter) noexcept:
    return letter == 32 or 9 <= letter <= 13 or 28 <= letter <= 31


cdef inline bint _is_small(uint8_t letter) noexcept:
    return 97 <= letter <= 122


cdef inline bint _is_capital(uint8_t letter) noexcept:
    return 65 <= letter <= 90


cdef void _add_word(uint8_t* lower, _WordIndex index, SeenWord* seen) noexcept:
    """Add the weights of a word, and of its parts: a capital with small letters, or several capitals."""
    cdef const uint8_t* word = seen.word
    cdef Py_ssize_t size = seen.size, place, start, end = min(size, <Py_ssize_t>(2 * _TOKEN_LENGTH))
    cdef bint has_parts = False
    for place in range(size):
        lower[place] = word[place] + 32 * _is_capital(word[place])
    if size <= _TOKEN_LENGTH:
        index.add(lower, size, seen)
        for place in range(size):
            if word[place] == 61:  # role=main is one token
                return
            has_parts |= not _is_small(word[place])
        if not has_parts:
            return
    place = 0
    while place < end:
        start = place
        if _is_capital(word[place]):
            place += 1
            if place < end and _is_small(word[place]):
                while place < end and _is_small(word[place]):
                    place += 1
            else:
                while place < end and _is_capital(word[place]):
                    place += 1
                if place - start < 2:
                    continue
        elif _is_small(word[place]):
            while place < end and _is_small(word[place]):
                place += 1
        else:
            place += 1
            continue
        if place - start < size or size > _TOKEN_LENGTH:  # else it is the whole word once more
            index.add(lower + start, place - start, seen)


cdef int64_t _look_code(const uint8_t* data, Py_ssize_t size) noexcept:
    """The checksum of the classes: what stands before an id or a role."""
    cdef uint32_t value = 0xFFFFFFFF
    cdef Py_ssize_t place, end = size
    cdef const uint8_t* blank = <const uint8_t*>memchr(data, 32, size)
    while blank != NULL:
        place = blank - data
        if place + 1 < size and data[place + 1] == 35:
            end = min(end, place)
            break
        if place + 6 <= size and memcmp(blank, <const char*>b" role=", 6) == 0:
            end = min(end, place)
        blank = <const uint8_t*>memchr(blank + 1, 32, size - place - 1)
    place = 0
    while place + 4 <= end:
        value ^= (
            <uint32_t>data[place]
            | <uint32_t>data[place + 1] << 8
            | <uint32_t>data[place + 2] << 16
            | <uint32_t>data[place + 3] << 24
        )
        value = (
            _CRC[3][value & 0xFF] ^ _CRC[2][value >> 8 & 0xFF] ^ _CRC[1][value >> 16 & 0xFF] ^ _CRC[0][value >> 24]
        )
        place += 4
    while place < end:
        value = _CRC[0][(value ^ data[place]) & 0xFF] ^ (value >> 8)
        place += 1
    return <int64_t>(value ^ <uint32_t>0xFFFFFFFF)
