# What may tell the headline of a page; see ``headlines.py``.

cdef uint8_t _FOREIGN = _model.FOREIGN, _INVISIBLE = _model.INVISIBLE, _UNSEEN = _INVISIBLE | _FOREIGN
cdef str _BLANKS = " \t\n\r\f"  # white space as HTML knows it


def telling_nodes(tag, flags, end, groups, Py_ssize_t shown, Py_ssize_t apart):
    cdef Py_ssize_t size = len(tag), node, group
    cdef const uint8_t* codes = _bytes(tag, size)
    cdef const uint8_t* known = _bytes(flags, size)
    cdef const int64_t* ends = _longs(end, size)
    cdef const uint8_t* group_of = _bytes(groups, 256)
    cdef int64_t part_end = 0  # of the last part that is set apart
    cdef list found = [[] for _ in range(apart)]
    for node in range(size):
        group = group_of[codes[node]]
        if group == 0:
            continue
        if group == apart:
            part_end = max(part_end, ends[node])
        elif group < shown:
            if not known[node] & _FOREIGN:
                (<list>found[group]).append(node)
        elif group < apart and node >= part_end and not known[node] & _UNSEEN:
            (<list>found[group]).append(node)
    return found[1:]


cpdef list asked_names(columns, frozenset asked, Py_ssize_t most):
    cdef list column, found = []
    cdef Py_ssize_t place
    cdef str name
    for column in columns:
        for place in range(len(column)):
            name = column[place]
            if name is None or PyUnicode_GET_LENGTH(name) > most:
                continue
            if name not in asked:
                if _is_plain(name):
                    continue
                name = name.strip(_BLANKS).lower()
                if name not in asked:
                    continue
            found.append((name, place))
    return found


cdef bint _is_plain(str name) noexcept:
    """Whether nothing can be stripped from a name, nor be written small."""
    cdef int unit = PyUnicode_KIND(name)
    cdef const uint8_t* letters = <const uint8_t*>PyUnicode_DATA(name)
    cdef Py_ssize_t place
    if unit != 1:
        return False
    for place in range(PyUnicode_GET_LENGTH(name)):
        if letters[place] <= 32 or letters[place] >= 128 or 65 <= letters[place] <= 90:
            return False
    return True


cpdef list folded_nodes(str text, list nodes, text_start, text_end, int64_t most, frozenset words=None):
    cdef Py_ssize_t count = len(text_start)
    cdef const int64_t* starts = _longs(text_start, count)
    cdef const int64_t* ends = _longs(text_end, count)
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t node, start, end, length, size = PyUnicode_GET_LENGTH(text)
    cdef list found = []
    cdef str shown
    cdef uint8_t begins[1024]  # whether one of the words begins with two letters
    cdef char* room = <char*>PyMem_Malloc(max(most, <int64_t>0) + 1)
    if room is NULL:
        raise MemoryError
    if words is not None:
        _learn_words(words, begins)
    try:
        for node in nodes:
            if not 0 <= node < count:
                raise IndexError("no node of the page")
            start, end = starts[node], min(ends[node], starts[node] + most)
            if start < 0 or end > size:
                raise IndexError("a text lies outside of the page")
            if unit == 1:
                length = _fold_ascii(<const uint8_t*>data, start, end, room)
            elif unit == 2:
                length = _fold_ascii(<const uint16_t*>data, start, end, room)
            else:
                length = _fold_ascii(<const uint32_t*>data, start, end, room)
            if length < 0:
                shown = text[start:end]
                shown = _page_kernel.folded(_unescape(shown) if "&" in shown else shown)
                if shown and (words is None or _says_enough(shown.split(), words)):
                    found.append((node, shown))
            elif length and (words is None or _shares_words(room, length, words, begins)):
                found.append((node, PyUnicode_FromStringAndSize(room, length)))
    finally:
        PyMem_Free(room)
    return found


cdef int _learn_words(frozenset words, uint8_t* begins) except -1:
    cdef str word
    cdef const uint8_t* letters
    memset(begins, 0, 1024)
    for word in words:
        if word and word.isascii():  # no other stands in a text of ASCII
            letters = <const uint8_t*>PyUnicode_DATA(word)
            begins[_pair(letters[0], letters[1])] = True  # behind the last letter is a zero
    return 0


cdef bint _says_enough(list said, frozenset words) except -1:
    """Whether two of some words are said, or the only one."""
    cdef int shared = 0
    for word in said:
        shared += word in words
    return shared >= min(len(said), 2)


cdef bint _shares_words(const char* text, int64_t length, frozenset words, const uint8_t* begins) except -1:
    """The same of a folded text. Most words begin otherwise, and are not made to be looked up."""
    cdef int64_t start = 0, end
    cdef int shared = 0, said = 0
    while start < length and shared < 2:
        end = start + 1
        while end < length and text[end] != 32:
            end += 1
        said += 1
        if begins[_pair(text[start], text[start + 1] if end > start + 1 else 0)]:
            shared += PyUnicode_FromStringAndSize(text + start, end - start) in words
        start = end + 1
    return shared >= min(said, 2)


cdef inline int _pair(uint32_t first, uint32_t second) noexcept nogil:
    return <int>((first & 31) << 5 | (second & 31))


cdef int64_t _fold_ascii(const Char* data, int64_t start, int64_t end, char* out) noexcept:
    """Write the letters and digits of a text, and a blank between words; -1 if some are not ASCII, or an entity."""
    cdef int64_t place, length = 0
    cdef uint32_t code
    cdef bint is_gap = False
    for place in range(start, end):
        code = data[place]
        if code == 0x26 or (code > 127 and (Py_UNICODE_ISALNUM(code) or code == 0x345)):  # which folding makes a letter
            return -1
        if 0x41 <= code <= 0x5A:
            code |= 0x20
        if not (0x61 <= code <= 0x7A or 0x30 <= code <= 0x39):
            is_gap = length > 0
            continue
        if is_gap:
            out[length] = 32
            length += 1
            is_gap = False
        out[length] = <char>code
        length += 1
    return length


def may_begin(str text, const int64_t[::1] start, const int64_t[::1] end, str letters):
    cdef Py_ssize_t count = start.shape[0], place
    cdef int64_t length = PyUnicode_GET_LENGTH(text)
    cdef uint8_t[128] wanted
    cdef Py_UCS4 letter
    cdef list found = []
    for place in range(128):
        wanted[place] = False
    for letter in letters:
        if letter < 128:
            wanted[letter] = True
    for place in range(count):
        if start[place] < 0 or end.shape[0] != count or end[place] > length:
            raise ValueError("a text lies outside of the page")
        if _text_may_be_title(text, start[place], end[place], wanted):
            found.append(place)
    return found


cdef bint _text_may_be_title(str text, int64_t start, int64_t end, const uint8_t* wanted) noexcept:
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if unit == 1:
        return _may_be_title(<const uint8_t*>data, start, end, wanted)
    if unit == 2:
        return _may_be_title(<const uint16_t*>data, start, end, wanted)
    return _may_be_title(<const uint32_t*>data, start, end, wanted)


cdef bint _may_be_title(const Char* data, int64_t start, int64_t end, const uint8_t* wanted) noexcept:
    """Whether a text begins with one of some letters, or with one whose case is not known here; or hides letters."""
    cdef int64_t place
    cdef bint has_begun = False, may = False
    cdef uint32_t character
    for place in range(start, end):
        character = data[place]
        if character == 0x26 or character == 0:
            return True
        if not has_begun and (character >= 0x80 or Py_UNICODE_ISALNUM(character)):
            has_begun = True
            may = character >= 0x80 or wanted[character | 0x20 if 0x41 <= character <= 0x5A else character]
    return may


cpdef list title_cuts(str title):
    cdef int unit = PyUnicode_KIND(title)
    cdef const void* data = PyUnicode_DATA(title)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(title)
    if unit == 1:
        return _title_cuts(<const uint8_t*>data, size)
    if unit == 2:
        return _title_cuts(<const uint16_t*>data, size)
    return _title_cuts(<const uint32_t*>data, size)


cpdef frozenset folded_parts(str title):
    cdef list cuts = title_cuts(title), found = []
    cdef Py_ssize_t start, end, before = -1
    for start, end in cuts:
        found.append(_page_kernel.folded(title[:start]))
        found.append(_page_kernel.folded(title[end:]))
        if before >= 0:
            found.append(_page_kernel.folded(title[before:start]))
        before = end
    return frozenset(found)


cdef list _title_cuts(const Char* data, Py_ssize_t size):
    cdef Py_ssize_t place = 0, end
    cdef list found = []
    while place < size:
        end = _cut_end(data, place, size)
        if end > place:
            found.append((place, end))
            place = end
        else:
            place += 1
    return found


cdef Py_ssize_t _cut_end(const Char* data, Py_ssize_t place, Py_ssize_t size) noexcept:
    """Where a separator ends that begins at a place; 0 if there is none. Of the ways to write one the first wins."""
    cdef Py_ssize_t sign = _after_spaces(data, place, size), end = sign, dashes = 0
    if sign == size:
        return 0
    if sign > place:
        while end < size and _separates(data[end]):
            end += 1
        if end > sign and end < size and Py_UNICODE_ISSPACE(data[end]):
            return _after_spaces(data, end, size)
    if data[sign] == 0x7C or data[sign] == 0xBB or <uint32_t>data[sign] == 0xFF5C or <uint32_t>data[sign] == 0x203A:
        return _after_spaces(data, sign + 1, size)
    if sign > place:
        end = sign
        while end < size and end < sign + 3 and _is_dash(data[end]):
            end += 1
        if end > sign and end < size and (data[end] == c"_" or Py_UNICODE_ISALNUM(data[end])):
            return end
    if sign == place and data[place] == c":" and place + 1 < size and Py_UNICODE_ISSPACE(data[place + 1]):
        return _after_spaces(data, place + 1, size)
    if (
        sign > place
        and place + 3 < size
        and data[place + 1] == c":"
        and data[place + 2] == c":"
        and Py_UNICODE_ISSPACE(data[place + 3])
    ):
        return place + 4
    if place and (0x3000 <= <uint32_t>data[place - 1] <= 0x9FFF or 0xFF00 <= <uint32_t>data[place - 1] <= 0xFFEF):
        end = sign
        while end < size and _joins_ideographs(data[end]):
            end += 1
        if end > sign:
            return _after_spaces(data, end, size)
    return 0


cdef inline Py_ssize_t _after_spaces(const Char* data, Py_ssize_t place, Py_ssize_t size) noexcept:
    while place < size and Py_UNICODE_ISSPACE(data[place]):
        place += 1
    return place


cdef inline bint _is_dash(uint32_t character) noexcept:
    return character == c"-" or character == 0x2013 or character == 0x2014


cdef inline bint _joins_ideographs(uint32_t character) noexcept:
    return character == c"_" or character == c"-" or character == 0xFF0D or character == 0x2014


cdef bint _separates(uint32_t character) noexcept:
    """One of -–—|·•»«›‹:/~⋆*⎮"""
    if character < 0x80:
        return (
            character == c"-" or character == c"|" or character == c":" or character == c"/"
            or character == c"~" or character == c"*"
        )
    return (
        character == 0xB7 or character == 0xAB or character == 0xBB or _is_dash(character)
        or character == 0x2022 or character == 0x2039 or character == 0x203A or character == 0x22C6
        or character == 0x23AE
    )
