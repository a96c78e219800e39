# Words in names of elements: the compiled twin of ``holding`` in ``_reference.py``.

cdef enum:
    _MOST_WORDS = 64


cdef struct Words:
    Py_ssize_t count
    const unsigned char* start[_MOST_WORDS]
    Py_ssize_t length[_MOST_WORDS]
    uint32_t follows[128]  # for a character, which characters follow it in the beginning of a word, by their last bits


def holding(list values, words):
    cdef list encoded = [said.encode("ascii") for said in words], found = []
    cdef Words table
    cdef Py_ssize_t number
    cdef bytes word
    cdef object value
    if len(encoded) > _MOST_WORDS or not all([len(said) > 1 for said in encoded]):
        raise ValueError("words have two letters at least, and are not so many")
    table.count = len(encoded)
    table.follows[:] = [0] * 128
    for number in range(table.count):
        word = encoded[number]
        table.start[number] = word
        table.length[number] = len(word)
        table.follows[word[0] & 127] |= <uint32_t>1 << (word[1] & 31)
    for number in range(len(values)):
        value = values[number]
        if value is not None and _holds_word(<str>value, &table):
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
    cdef uint32_t first, second = _lowered(data[0]) if size else 0
    for place in range(size - 1):
        first, second = second, _lowered(data[place + 1])
        if first > 0x7F or not (words.follows[first] >> (second & 31)) & 1:
            continue
        for number in range(words.count):
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
