# What blocks say: words, beginnings and short texts, looked up by their hashes; see ``features/wording.py``.

cdef extern from "Python.h" nogil:
    int Py_UNICODE_ISALNUM(Py_UCS4 letter)
    int Py_UNICODE_ISDECIMAL(Py_UCS4 letter)
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 letter)

cdef enum:
    _LONGEST_SAID = 400
    _MOST_SAID = 24
    _WHOLE_SAID = 4
    _SCALE_SAID = 1000
    _REST = 19  # bits of a hash behind the leading ones
    _NOTHING = 0  # kinds of characters
    _LETTER = 1
    _DIGIT = 2
    _CHARACTER = 3  # of a script without blanks
    _COMMON = 0x600  # characters of Latin, Greek and Cyrillic and the like, whose kinds are looked up

if (wording.LONGEST, wording.MOST, wording.WHOLE, wording.SCALE) != (_LONGEST_SAID, _MOST_SAID, _WHOLE_SAID, _SCALE_SAID):
    raise ImportError("_kernel_wording.pxi has other limits than features/wording.py")
if wording.LEADING != 32 - _REST:
    raise ImportError("_kernel_wording.pxi looks hashes up by other bits than features/wording.py")

cdef uint32_t _SEED_SAID = 2166136261
cdef uint8_t _KIND_OF[_COMMON]
cdef uint16_t _LOWER_OF[_COMMON]


cdef uint8_t _letter_kind(uint32_t letter) noexcept nogil:
    if 0x3040 <= letter <= 0x30FF or 0x3400 <= letter <= 0x9FFF:
        return _CHARACTER
    if Py_UNICODE_ISDECIMAL(letter):
        return _DIGIT
    return _LETTER if Py_UNICODE_ISALNUM(letter) else _NOTHING


cdef inline uint8_t _kind_of(uint32_t letter) noexcept nogil:
    return _KIND_OF[letter] if letter < _COMMON else _letter_kind(letter)


cdef void _fill_common() noexcept:
    cdef uint32_t letter
    for letter in range(_COMMON):
        _KIND_OF[letter] = _letter_kind(letter)
        _LOWER_OF[letter] = <uint16_t>Py_UNICODE_TOLOWER(letter)


_fill_common()

cdef struct Said:
    # The phrases of a block so far.
    int words
    int phrases
    int64_t total
    int64_t best
    int64_t worst
    uint32_t start  # hash of the first words
    uint32_t whole  # hash of all


cdef inline uint32_t _grown(uint32_t value, uint32_t letter) noexcept nogil:
    return (value ^ letter) * <uint32_t>16777619


cdef inline void _weigh(
    Said* said, uint32_t code, const int64_t[::1] codes, const int64_t[::1] weights, const int32_t[::1] first
) noexcept nogil:
    cdef Py_ssize_t place
    said.phrases += 1
    for place in range(first[code >> _REST], first[(code >> _REST) + 1]):
        if codes[place] == code:
            said.total += weights[place]
            said.best = max(said.best, weights[place])
            said.worst = min(said.worst, weights[place])
            return


cdef inline void _say(
    Said* said,
    const uint32_t* word,
    int size,
    uint32_t own,
    const int64_t[::1] codes,
    const int64_t[::1] weights,
    const int32_t[::1] first,
) noexcept nogil:
    """One word more, given its hash."""
    cdef int place
    _weigh(said, own, codes, weights, first)
    if said.words < _WHOLE_SAID:
        if said.words:
            said.whole = _grown(said.whole, 32)
        for place in range(size):
            said.whole = _grown(said.whole, word[place])
    if said.words < 2:
        if said.words:
            said.start = _grown(said.start, 32)
        for place in range(size):
            said.start = _grown(said.start, word[place])
        _weigh(said, said.start, codes, weights, first)
    said.words += 1


cdef void _read_wording(
    const Char* data,
    const int64_t[::1] start,
    const int64_t[::1] end,
    const int64_t[::1] codes,
    const int64_t[::1] weights,
    const int32_t[::1] first,
    float[:, ::1] out,
) noexcept nogil:
    cdef uint32_t word[_LONGEST_SAID]
    cdef uint32_t letter, own
    cdef Py_ssize_t block
    cdef int64_t place, stop
    cdef int size
    cdef uint8_t kind
    cdef Said said
    word[1] = 0
    for block in range(start.shape[0]):
        said = Said(0, 0, 0, 0, 0, _grown(_SEED_SAID, 94), _grown(_SEED_SAID, 61))
        place, stop = start[block], min(end[block], start[block] + _LONGEST_SAID)
        while place < stop and said.words < _MOST_SAID:
            kind, size, own = _kind_of(data[place]), 0, _SEED_SAID
            if kind == _LETTER:
                while place < stop and _kind_of(data[place]) == _LETTER:
                    letter = data[place]
                    letter = _LOWER_OF[letter] if letter < _COMMON else Py_UNICODE_TOLOWER(letter)
                    word[size] = letter
                    own = _grown(own, letter)
                    size += 1
                    place += 1
                _say(&said, word, size, own, codes, weights, first)
            elif kind == _DIGIT:
                while place < stop and _kind_of(data[place]) == _DIGIT:
                    place += 1
                word[0] = 48
                _say(&said, word, 1, _grown(own, 48), codes, weights, first)
            elif kind == _CHARACTER:
                while place < stop and said.words < _MOST_SAID and _kind_of(data[place]) == _CHARACTER:
                    word[0], word[1] = word[1], data[place]
                    size += 1
                    place += 1
                    if size > 1:
                        _say(&said, word, 2, _grown(_grown(own, word[0]), word[1]), codes, weights, first)
                if size == 1:
                    _say(&said, &word[1], 1, _grown(own, word[1]), codes, weights, first)
            else:
                place += 1
        if 0 < said.words <= _WHOLE_SAID:
            _weigh(&said, said.whole, codes, weights, first)
        out[WORDING, block] = <double>said.total / sqrt(<double>max(said.phrases, 1)) / _SCALE_SAID
        out[BEST_WORDING, block] = <double>said.best / _SCALE_SAID
        out[WORST_WORDING, block] = <double>said.worst / _SCALE_SAID
