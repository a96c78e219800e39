# What is marked among the elements around kept text; see ``_marks.py``.


def with_words(list values, frozenset words):
    cdef uint64_t sizes[128]  # for each first letter, which lengths the words have that begin with it
    cdef str word, value
    cdef Py_ssize_t place
    cdef list found = []
    memset(sizes, 0, sizeof(sizes))
    for word in words:
        if not word.isascii() or not 0 < len(word) < 64:
            raise ValueError(f"{word!r} is no short ASCII word")
        sizes[ord(word[0])] |= <uint64_t>1 << len(word)
    for place in range(len(values)):
        value = values[place]
        if value is not None and _may_have_word(value, sizes) and not words.isdisjoint(value.split()):
            found.append(place)
    return found


cdef bint _may_have_word(str value, const uint64_t* sizes) noexcept:
    if PyUnicode_KIND(value) != 1:
        return True
    return _has_sized_word(<const uint8_t*>PyUnicode_DATA(value), PyUnicode_GET_LENGTH(value), sizes)


cdef bint _has_sized_word(const uint8_t* data, Py_ssize_t size, const uint64_t* sizes) noexcept nogil:
    """Whether a word begins with a letter and has a length as one of those that are looked for."""
    cdef Py_ssize_t place = 0, start
    while place < size:
        while place < size and _is_latin_space(data[place]):
            place += 1
        start = place
        while place < size and not _is_latin_space(data[place]):
            place += 1
        if place > start and place - start < 64 and data[start] < 128 and sizes[data[start]] >> (place - start) & 1:
            return True
    return False


cdef inline bint _is_latin_space(uint8_t code) noexcept nogil:
    """White space as ``str.split`` knows it, of the first 256 characters."""
    return code == 32 or 9 <= code <= 13 or 28 <= code <= 31 or code == 0x85 or code == 0xA0
