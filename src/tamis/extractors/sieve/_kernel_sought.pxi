# Words that are looked for in the names of containers, whatever their case.

cdef enum:
    _MOST_WORDS = 32

cdef uint8_t RARITY[32]
for _code in range(32):  # letters as they are frequent in English
    RARITY[_code] = ("etaoinsrlcdmuphgbfywkvxzjq".find(chr(96 + _code)) + 27) % 27


cdef struct Words:
    # Every second place of a name is looked at. Wherever a word begins, one of two pairs of its letters stands there.
    uint8_t entries[1024]  # for every two letters the last entry with them, counted from 1 on
    uint8_t before[2 * _MOST_WORDS]  # the entry before with the same two, or 0; two entries for each word
    uint8_t offsets[2 * _MOST_WORDS]  # of the pair in its word
    const uint8_t* letters[_MOST_WORDS]
    Py_ssize_t sizes[_MOST_WORDS]


@cython.final
cdef class _Sought:
    """Words that are looked for in the names of every page: how their letters stand is learned once."""

    cdef tuple _said
    cdef list _written  # which holds what is pointed to
    cdef Words _words

    def __cinit__(self, tuple words):
        cdef Py_ssize_t place, entry, offset
        cdef int pair
        cdef bytes letters
        self._said, self._written = words, [word.encode("ascii") for word in words]
        if len(words) >= _MOST_WORDS or not all([3 <= len(word) <= 255 for word in self._written]):
            raise ValueError("too many words, or too short ones")
        memset(&self._words, 0, sizeof(self._words))
        for place in range(len(words)):
            letters = self._written[place]
            self._words.letters[place] = <const uint8_t*>PyBytes_AS_STRING(letters)
            self._words.sizes[place] = PyBytes_GET_SIZE(letters)
            for entry in range(2 * place + 1, 2 * place + 3):
                offset = _rarest(self._words.letters[place], self._words.sizes[place], (entry - 1) & 1)
                pair = _pair(self._words.letters[place][offset], self._words.letters[place][offset + 1])
                self._words.before[entry], self._words.offsets[entry] = self._words.entries[pair], <uint8_t>offset
                self._words.entries[pair] = <uint8_t>entry


cdef _Sought _SIGNS = _Sought(containers.SIGNS)


def words_in(tuple names, tuple words):
    cdef _Sought sought = _SIGNS if words is _SIGNS._said else _Sought(words)
    cdef uint8_t is_found[_MOST_WORDS]
    cdef Py_ssize_t place
    cdef str name
    memset(is_found, False, sizeof(is_found))
    for name in names:
        _find_in_name(name, &sought._words, is_found)
    return [words[place] for place in range(len(words)) if is_found[place]]


cdef void _find_in_name(str name, const Words* sought, uint8_t* is_found) noexcept:
    """Mark the words that stand in a name."""
    if PyUnicode_KIND(name) == 1:
        _find_words(<const uint8_t*>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name), sought, is_found)
    elif PyUnicode_KIND(name) == 2:
        _find_words(<const uint16_t*>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name), sought, is_found)
    else:
        _find_words(<const uint32_t*>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name), sought, is_found)


cdef void _find_words(const Char* data, Py_ssize_t size, const Words* sought, uint8_t* is_found) noexcept nogil:
    """Mark the words that stand in a text. Few pairs of letters stand in one, so that most need not be compared."""
    cdef Py_ssize_t place, start, letter, word
    cdef uint8_t entry
    for place in range(0, size - 1, 2):
        entry = sought.entries[_pair(data[place], data[place + 1])]
        while entry:
            word, start = (entry - 1) >> 1, place - sought.offsets[entry]
            if start >= 0 and sought.sizes[word] <= size - start and not is_found[word]:
                letter = 0
                while letter < sought.sizes[word] and _small(data[start + letter]) == sought.letters[word][letter]:
                    letter += 1
                is_found[word] = letter == sought.sizes[word]
            entry = sought.before[entry]


cdef Py_ssize_t _rarest(const uint8_t* letters, Py_ssize_t size, Py_ssize_t first) noexcept nogil:
    """Where in a word, at every second place from the first or the second on, the pair of the rarest letters stands."""
    cdef Py_ssize_t place, best = first
    for place in range(first, size - 1, 2):
        if _rarity(letters, place) > _rarity(letters, best):
            best = place
    return best


cdef inline int _rarity(const uint8_t* letters, Py_ssize_t place) noexcept nogil:
    return RARITY[letters[place] & 31] + RARITY[letters[place + 1] & 31]


cdef inline int _pair(uint32_t first, uint32_t second) noexcept nogil:
    """A number for two letters, whatever their case."""
    return <int>((first & 31) << 5 | (second & 31))


cdef inline uint32_t _small(uint32_t letter) noexcept nogil:
    return letter + 32 if 65 <= letter <= 90 else letter
