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
    _NOTHING = 0  # kinds of characters
    _LETTER = 1
    _DIGIT = 2
    _CHARACTER = 3  # of a script without blanks
    _COMMON = 0x600  # characters of Latin, Greek and Cyrillic and the like, whose kinds are looked up

if (wording.LONGEST, wording.MOST, wording.WHOLE, wording.SCALE) != (_LONGEST_SAID, _MOST_SAID, _WHOLE_SAID, _SCALE_SAID):
    raise ImportError("_kernel_wording.pxi has other limits than features/wording.py")

cdef uint32_t _SEED_SAID = 2166136261
cdef uint8_t _KIND_OF[_COMMON]
cdef uint16_t _LOWER_OF[_COMMON]
cdef uint16_t _SMALL_LETTER[_COMMON]


cdef uint8_t _letter_kind(uint32_t letter) noexcept nogil:
    if 0x3040 <= letter <= 0x30FF or 0x3400 <= letter <= 0x9FFF:
        return _CHARACTER
    if Py_UNICODE_ISDECIMAL(letter):
        return _DIGIT
    return _LETTER if Py_UNICODE_ISALNUM(letter) else _NOTHING


cdef inline uint8_t _kind_of(uint32_t letter) noexcept nogil:
    return _KIND_OF[letter] if letter < _COMMON else _letter_kind(letter)


cdef inline uint32_t _small_letter(uint32_t letter) noexcept nogil:
    """A letter in lower case; 0 for what is no letter."""
    if letter < _COMMON:
        return _SMALL_LETTER[letter]
    return Py_UNICODE_TOLOWER(letter) if _letter_kind(letter) == _LETTER else 0


cdef void _fill_common() noexcept:
    cdef uint32_t letter
    for letter in range(_COMMON):
        _KIND_OF[letter] = _letter_kind(letter)
        _LOWER_OF[letter] = <uint16_t>Py_UNICODE_TOLOWER(letter)
        _SMALL_LETTER[letter] = _LOWER_OF[letter] if _KIND_OF[letter] == _LETTER else 0


_fill_common()

cdef struct Phrase:
    # A slot: the hash of a phrase and its weight, which is 0 where there is none.
    uint32_t code
    int32_t weight


cdef struct Phrases:
    const Phrase* slots
    Py_ssize_t reach  # slots from the one that a hash names on, one of which holds its phrase if any does
    int shift  # so that what is left of a hash is a slot


cdef class _PhraseIndex:
    """The phrases of a table that weigh anything, each in or right behind the slot that its hash names."""

    cdef int32_t[:, ::1] held
    cdef Phrases phrases

    def __cinit__(self, table):
        cdef const int64_t[::1] codes = table.codes, weights = table.weights
        cdef Py_ssize_t slots = 2, place, slot, step
        if weights.shape[0] != codes.shape[0]:
            raise ValueError("arrays that do not belong together")
        self.phrases.shift = 31
        while slots < codes.shape[0]:
            slots, self.phrases.shift = 2 * slots, self.phrases.shift - 1
        self.held = np.zeros((slots + codes.shape[0], 2), dtype=np.int32)  # none stands further behind its slot
        cdef Phrase* found = <Phrase*>&self.held[0, 0]
        self.phrases.slots, self.phrases.reach = found, 1
        for place in range(codes.shape[0]):
            if not -INT32_MAX <= weights[place] <= INT32_MAX:
                raise ValueError(f"a phrase weighs {weights[place]}")
            slot, step = <uint32_t>codes[place] >> self.phrases.shift, 0
            while found[slot + step].weight:
                step += 1
            found[slot + step] = Phrase(<uint32_t>codes[place], <int32_t>weights[place])
            self.phrases.reach = max(self.phrases.reach, step + 1)


cdef _PhraseIndex _indexed(table):
    """The index of a table, made when it is first asked for."""
    if table.index is None:
        vars(table)["index"] = _PhraseIndex(table)
    return table.index


cdef struct Said:
    # The phrases of a block so far.
    int words
    int phrases
    uint32_t start  # hash of the first words
    uint32_t whole  # hash of all
    uint32_t codes[_MOST_SAID + 3]  # of its words, of its beginnings with one and two of them, and of all


cdef inline uint32_t _grown(uint32_t value, uint32_t letter) noexcept nogil:
    return (value ^ letter) * <uint32_t>16777619


cdef inline uint32_t _apart(uint32_t value, int words) noexcept nogil:
    """The hash of some words, ready for one word more: a blank stands before all but the first."""
    return _grown(value, 32) if words else value


cdef inline void _note_phrase(Said* said, uint32_t code) noexcept nogil:
    said.codes[said.phrases] = code
    said.phrases += 1


cdef inline void _say(Said* said, uint32_t own, uint32_t start, uint32_t whole) noexcept nogil:
    """One word more, given its hash and those of the words up to it, which count as long as they are few."""
    _note_phrase(said, own)
    said.whole = whole
    if said.words < 2:
        said.start = start
        _note_phrase(said, start)
    said.words += 1


cdef inline int64_t _weight_of(uint32_t code, const Phrases* phrases) noexcept nogil:
    """All slots are looked at in which a phrase may stand: half of the phrases are known, which no branch foresees."""
    cdef const Phrase* slot = phrases.slots + (code >> phrases.shift)
    cdef int32_t weight = 0
    cdef Py_ssize_t step
    for step in range(phrases.reach):
        weight |= slot[step].weight & -<int32_t>(slot[step].code == code)
    return weight


cdef void _read_wording(const Char* data, const Given* given, const Phrases* phrases) noexcept nogil:
    cdef uint32_t letter, before, own, begun, whole
    cdef Py_ssize_t block, phrase
    cdef int64_t place, stop, weight, total, best, worst
    cdef uint8_t kind
    cdef Said said
    for block in range(given.size):
        said.words = said.phrases = 0
        said.start, said.whole = _grown(_SEED_SAID, 94), _grown(_SEED_SAID, 61)
        place, stop = given.start[block], min(given.stop[block], given.start[block] + _LONGEST_SAID)
        while place < stop and said.words < _MOST_SAID:
            letter = _small_letter(data[place])
            own, begun, whole = _SEED_SAID, _apart(said.start, said.words), _apart(said.whole, said.words)
            if letter:
                # The three hashes do not wait for each other; where only one counts, it is the only one.
                if said.words < _WHOLE_SAID:
                    while letter:
                        own, begun, whole = _grown(own, letter), _grown(begun, letter), _grown(whole, letter)
                        place += 1
                        letter = _small_letter(data[place]) if place < stop else 0
                else:
                    while letter:
                        own = _grown(own, letter)
                        place += 1
                        letter = _small_letter(data[place]) if place < stop else 0
                _say(&said, own, begun, whole)
                continue
            kind = _kind_of(data[place])
            place += 1
            if kind == _DIGIT:
                while place < stop and _kind_of(data[place]) == _DIGIT:
                    place += 1
                _say(&said, _grown(own, 48), _grown(begun, 48), _grown(whole, 48))
            elif kind == _CHARACTER:
                letter = data[place - 1]
                if place == stop or _kind_of(data[place]) != _CHARACTER:
                    _say(&said, _grown(own, letter), _grown(begun, letter), _grown(whole, letter))
                while place < stop and said.words < _MOST_SAID and _kind_of(data[place]) == _CHARACTER:
                    before, letter = letter, data[place]
                    place += 1
                    _say(
                        &said,
                        _grown(_grown(own, before), letter),
                        _grown(_grown(_apart(said.start, said.words), before), letter),
                        _grown(_grown(_apart(said.whole, said.words), before), letter),
                    )
        if 0 < said.words <= _WHOLE_SAID:
            _note_phrase(&said, said.whole)
        total = best = worst = 0
        for phrase in range(said.phrases):
            weight = _weight_of(said.codes[phrase], phrases)
            total += weight
            best, worst = max(best, weight), min(worst, weight)
        _write(given, WORDING, block, <double>total / sqrt(<double>max(said.phrases, 1)) / _SCALE_SAID)
        _write(given, BEST_WORDING, block, <double>best / _SCALE_SAID)
        _write(given, WORST_WORDING, block, <double>worst / _SCALE_SAID)
