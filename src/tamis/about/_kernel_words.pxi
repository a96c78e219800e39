# Words in names of elements: the compiled twins of ``word_table`` and ``holding`` in ``_reference.py``.

cdef enum:
    _MOST_WORDS = 64
    _REMEMBERED = 256
    _MOST_COUNTED = 32


cdef struct Words:
    Py_ssize_t count
    const unsigned char* start[_MOST_WORDS]  # sorted
    Py_ssize_t length[_MOST_WORDS]
    uint8_t begin[129]  # for a character, the first of the words that begin with it or with one after it
    # For a character, small or capital, which characters follow it in the beginning of a word, by their last bits:
    # those of a small and of a capital letter are the same.
    uint32_t follows[128]


@cython.final
cdef class _WordTable:
    """Words, and how they begin."""

    cdef list _encoded  # which holds what is pointed to
    cdef Words _words

    def __cinit__(self, words):
        cdef Py_ssize_t number, first = 0
        cdef bytes word
        self._encoded = sorted([said.encode("ascii") for said in words])
        if len(self._encoded) > _MOST_WORDS or not all([len(said) > 1 for said in self._encoded]):
            raise ValueError("words have two letters at least, and are not so many")
        self._words.count = len(self._encoded)
        self._words.follows[:] = [0] * 128
        for number in range(self._words.count):
            word = self._encoded[number]
            self._words.start[number] = word
            self._words.length[number] = len(word)
            self._words.follows[word[0] & 127] |= <uint32_t>1 << (word[1] & 31)
            if 0x61 <= word[0] <= 0x7A:
                self._words.follows[word[0] & 95] |= <uint32_t>1 << (word[1] & 31)
            while first <= word[0] & 127:
                self._words.begin[first] = number
                first += 1
        while first <= 128:
            self._words.begin[first] = self._words.count
            first += 1


def word_table(words):
    return _WordTable(words)


def holding(list values, _WordTable table not None):
    cdef list found = []
    cdef Py_ssize_t number, place
    cdef str value
    cdef void* seen[_REMEMBERED]  # of what many elements are called alike, the text is often the same object
    cdef bint holds[_REMEMBERED]
    memset(seen, 0, sizeof(seen))
    for number in range(len(values)):
        value = values[number]
        if value is None:
            continue
        place = (<size_t><void*>value >> 4) % _REMEMBERED
        if seen[place] != <void*>value:
            seen[place], holds[place] = <void*>value, _holds_word(value, &table._words)
        if holds[place]:
            found.append(number)
    return found


cdef bint _holds_word(str value, const Words* words):
    cdef int unit = PyUnicode_KIND(value)
    cdef const void* data = PyUnicode_DATA(value)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(value)
    if unit == 1:
        return _find_word(<const uint8_t*>data, size, words)
    if unit == 2:
        return _find_word(<const uint16_t*>data, size, words)
    return _find_word(<const uint32_t*>data, size, words)


cdef bint _find_word(const Char* data, Py_ssize_t size, const Words* words) noexcept:
    """Two characters tell most places apart from the beginning of a word."""
    cdef Py_ssize_t place, number, length
    cdef uint32_t first
    for place in range(size - 1):
        first = data[place]
        if first > 0x7F or not (words.follows[first] >> (data[place + 1] & 31)) & 1:
            continue
        first = _lowered(first)
        for number in range(words.begin[first], words.begin[first + 1]):
            if place + words.length[number] > size:
                continue
            length = 0
            while length < words.length[number] and _lowered(data[place + length]) == words.start[number][length]:
                length += 1
            if length == words.length[number]:
                return True
    return False


cdef inline uint32_t _lowered(uint32_t character) noexcept:
    """The character; letters of ASCII in lower case."""
    return character | 32 if 0x41 <= character <= 0x5A else character


def occurrences(str text not None, tuple words not None, Py_ssize_t start, Py_ssize_t end):
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef const unsigned char* letters[_MOST_COUNTED]
    cdef Py_ssize_t lengths[_MOST_COUNTED]
    cdef Py_ssize_t number
    cdef str word
    if not 0 <= start <= end <= PyUnicode_GET_LENGTH(text):
        raise IndexError("a range that is not in the text")
    if len(words) > _MOST_COUNTED:
        raise ValueError("words that are counted are not so many")
    for number in range(len(words)):
        word = words[number]
        if not word.isascii() or len(word) < 2:
            raise ValueError("words that are counted have two characters of ASCII at least")
        letters[number], lengths[number] = <const unsigned char*>PyUnicode_DATA(word), len(word)
    if unit == 1:
        return _count_words(<const uint8_t*>data, start, end, letters, lengths, len(words))
    if unit == 2:
        return _count_words(<const uint16_t*>data, start, end, letters, lengths, len(words))
    return _count_words(<const uint32_t*>data, start, end, letters, lengths, len(words))


cdef Py_ssize_t _count_words(
    const Char* data,
    Py_ssize_t start,
    Py_ssize_t end,
    const unsigned char** letters,
    const Py_ssize_t* lengths,
    Py_ssize_t count,
) noexcept:
    cdef uint32_t first[128]  # for a character, which words begin with it, a bit for each; and which go on with it
    cdef uint32_t second[128]
    cdef Py_ssize_t free[_MOST_COUNTED]  # where the last occurrence of each ended
    cdef Py_ssize_t place, number, letter, found = 0
    cdef uint32_t may_be
    memset(first, 0, sizeof(first))
    memset(second, 0, sizeof(second))
    for number in range(count):
        first[letters[number][0]] |= <uint32_t>1 << number
        second[letters[number][1]] |= <uint32_t>1 << number
        free[number] = start
    for place in range(start, end - 1):
        if data[place] >= 128 or not first[data[place]] or data[place + 1] >= 128:
            continue
        may_be = first[data[place]] & second[data[place + 1]]
        number = 0
        while may_be:
            if may_be & 1 and free[number] <= place <= end - lengths[number]:
                letter = 2
                while letter < lengths[number] and data[place + letter] == letters[number][letter]:
                    letter += 1
                if letter == lengths[number]:
                    found += 1
                    free[number] = place + letter
            may_be >>= 1
            number += 1
    return found
