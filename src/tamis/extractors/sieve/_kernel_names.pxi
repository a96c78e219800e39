# What class names say: words and their parts, looked up in the learned table; see ``class_names.py``.
# Names beyond ASCII are rare, and left to the reference.

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    _TOKEN_LENGTH = 40
    _SLOT_BITS = 13  # of a hash, by which words of the table are found
    _MOST_COMMENT_NAMES = 16

if containers.TOKEN_LENGTH != _TOKEN_LENGTH:
    raise ImportError("_kernel_names.pxi has another limit than containers.py")

cdef tuple _COMMENT_NAMES = tuple(name.encode() for name in COMMENT_NAMES)
cdef const uint8_t* _WANTED[_MOST_COMMENT_NAMES]
cdef Py_ssize_t _WANTED_SIZE[_MOST_COMMENT_NAMES]
cdef Py_ssize_t _WANTED_COUNT = len(_COMMENT_NAMES)
cdef uint8_t _BEGINS_WANTED[256]


cdef int _fill_wanted() except -1:
    cdef Py_ssize_t place
    if _WANTED_COUNT > _MOST_COMMENT_NAMES:
        raise ImportError("_kernel_names.pxi has no room for all names of comments")
    for place in range(_WANTED_COUNT):
        _WANTED[place] = <const uint8_t*><const char*>_COMMENT_NAMES[place]
        _WANTED_SIZE[place] = len(_COMMENT_NAMES[place])
        _BEGINS_WANTED[_WANTED[place][0]] = True
    return 0


_fill_wanted()
cdef uint32_t _CRC[256]


cdef void _fill_crc() noexcept:
    cdef uint32_t value
    cdef int number, bit
    for number in range(256):
        value = <uint32_t>number
        for bit in range(8):
            value = (value >> 1) ^ (<uint32_t>0xEDB88320 if value & 1 else <uint32_t>0)
        _CRC[number] = value


_fill_crc()


cdef class _WordIndex:
    """The words of the table that are ASCII, found by their hashes and compared letter by letter."""

    cdef bytes letters
    cdef const uint8_t* letter
    cdef int32_t[::1] slot  # the first word with these bits of the hash, or -1
    cdef int32_t[::1] following, start  # the next such word; where its letters begin, and an end behind the last
    cdef int64_t[:, ::1] weight

    def __cinit__(self, dict weights):
        cdef list words = [word for word in weights if word.isascii()]
        cdef Py_ssize_t place, slot
        self.letters = "".join(words).encode()
        self.letter = <const uint8_t*><const char*>self.letters
        self.slot = np.full(1 << _SLOT_BITS, -1, dtype=np.int32)
        self.following = np.full(len(words), -1, dtype=np.int32)
        self.start = np.cumsum([0, *map(len, words)], dtype=np.int32)
        self.weight = np.array([(weights[word].real, weights[word].imag) for word in words]).reshape(-1, 2).astype(np.int64)
        for place in range(len(words)):
            slot = _slot_of(self.letter + self.start[place], self.start[place + 1] - self.start[place])
            self.following[place] = self.slot[slot]
            self.slot[slot] = <int32_t>place

    cdef void add(self, const uint8_t* word, Py_ssize_t size, int64_t* own, int64_t* around) noexcept:
        """Add the weights of a word in lower case, if it is known."""
        cdef Py_ssize_t place = self.slot[_slot_of(word, size)]
        while place >= 0:
            if self.start[place + 1] - self.start[place] == size:
                if memcmp(self.letter + self.start[place], word, size) == 0:
                    own[0] += self.weight[place, 0]
                    around[0] += self.weight[place, 1]
                    return
            place = self.following[place]


cdef inline Py_ssize_t _slot_of(const uint8_t* word, Py_ssize_t size) noexcept:
    cdef uint32_t value = <uint32_t>2166136261
    cdef Py_ssize_t place
    for place in range(size):
        value = (value ^ word[place]) * <uint32_t>16777619
    return value * <uint32_t>0x9E3779B9 >> 32 - _SLOT_BITS


cdef object _name_facts(names, table):
    """A row for each name: its weights, whether it is one of comments, the number of its looks."""
    cdef Py_ssize_t place = 0
    if table.index is None:
        table.index = _WordIndex(table.weights)
    cdef _WordIndex index = table.index
    found = np.empty((len(names), 4), dtype=np.int64)
    cdef int64_t[:, ::1] rows = found
    for name in names:
        if PyUnicode_IS_ASCII(name):
            _read_name(name, index, &rows[place, 0])
        else:
            rows[place, 0], rows[place, 1], rows[place, 2], rows[place, 3] = table.facts(name)
        place += 1
    return found


cdef void _read_name(str name, _WordIndex index, int64_t* row) noexcept:
    """What is known of one name, as ``ClassNames.facts`` says it."""
    cdef const uint8_t* data = <const uint8_t*>PyUnicode_DATA(name)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(name), place = 0, start
    row[0] = row[1] = 0
    while place < size:
        if _is_blank(data[place]):
            place += 1
            continue
        start = place
        while place < size and not _is_blank(data[place]):
            place += 1
        _add_word(data + start, place - start, index, row, row + 1)
    row[2], row[3] = _names_comments(data, size), _look_code(data, size)


cdef inline bint _is_blank(uint8_t letter) noexcept:
    return letter == 32 or 9 <= letter <= 13 or 28 <= letter <= 31


cdef inline bint _is_small(uint8_t letter) noexcept:
    return 97 <= letter <= 122


cdef inline bint _is_capital(uint8_t letter) noexcept:
    return 65 <= letter <= 90


cdef void _add_word(
    const uint8_t* word, Py_ssize_t size, _WordIndex index, int64_t* own, int64_t* around
) noexcept:
    """Add the weights of a word, and of its parts: a capital with small letters, or several capitals."""
    cdef Py_ssize_t place, start, end = min(size, <Py_ssize_t>(2 * _TOKEN_LENGTH))
    cdef bint has_parts = False
    if size <= _TOKEN_LENGTH:
        _add_token(word, size, index, own, around)
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
            _add_token(word + start, place - start, index, own, around)


cdef inline void _add_token(
    const uint8_t* word, Py_ssize_t size, _WordIndex index, int64_t* own, int64_t* around
) noexcept:
    cdef uint8_t lower[2 * _TOKEN_LENGTH]
    cdef Py_ssize_t place
    for place in range(size):
        lower[place] = word[place] + 32 if _is_capital(word[place]) else word[place]
    index.add(lower, size, own, around)


cdef bint _names_comments(const uint8_t* data, Py_ssize_t size) noexcept:
    """Whether one of the names for comments is in a name, whatever its case."""
    cdef Py_ssize_t place, name, same
    for place in range(size):
        if not _BEGINS_WANTED[data[place] | 32]:
            continue
        for name in range(_WANTED_COUNT):
            same = 0
            while same < min(_WANTED_SIZE[name], size - place) and (
                data[place + same] + 32 * _is_capital(data[place + same]) == _WANTED[name][same]
            ):
                same += 1
            if same == _WANTED_SIZE[name]:
                return True
    return False


cdef int64_t _look_code(const uint8_t* data, Py_ssize_t size) noexcept:
    """The checksum of the classes: what stands before an id or a role."""
    cdef uint32_t value = 0xFFFFFFFF
    cdef Py_ssize_t place, end = size
    for place in range(size - 1):
        if data[place] == 32 and data[place + 1] == 35:
            end = place
            break
    for place in range(end - 5):
        if data[place] == 32 and memcmp(data + place, <const char*>b" role=", 6) == 0:
            end = place
            break
    for place in range(end):
        value = _CRC[(value ^ data[place]) & 0xFF] ^ (value >> 8)
    return <int64_t>(value ^ <uint32_t>0xFFFFFFFF)
