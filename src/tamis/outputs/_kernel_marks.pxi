# What is marked among the elements around kept text; see ``_marks.py``.


cdef enum:
    _RECENT_VALUES = 128


cdef class _Words:
    """For each first letter, which lengths the words have that begin with it."""

    cdef uint64_t[128] sizes

    def __cinit__(self, frozenset words):
        cdef str word
        memset(self.sizes, 0, sizeof(self.sizes))
        for word in words:
            if not word.isascii() or not 0 < len(word) < 64:
                raise ValueError(f"{word!r} is no short ASCII word")
            self.sizes[ord(word[0])] |= <uint64_t>1 << len(word)


_known_words = functools.lru_cache(maxsize=32)(_Words)  # there are a few lists of words, each asked for on every page


def with_words(list values, frozenset words):
    cdef _Words known = _known_words(words)
    cdef str value
    cdef Py_ssize_t place, slot
    cdef list found = []
    cdef PyObject* recent[_RECENT_VALUES]  # values that were met, each in the slot of its address: most are met again
    cdef uint8_t is_among[_RECENT_VALUES]
    memset(recent, 0, sizeof(recent))
    for place in range(len(values)):
        value = values[place]
        if value is None:
            continue
        slot = (<size_t><PyObject*>value >> 4) % _RECENT_VALUES
        if recent[slot] != <PyObject*>value:
            is_among[slot] = _has_word(value, known.sizes, words)
            recent[slot] = <PyObject*>value
        if is_among[slot]:
            found.append(place)
    return found


cdef bint _has_word(str value, const uint64_t* sizes, frozenset words) except -1:
    if PyUnicode_KIND(value) != 1:
        return not words.isdisjoint(value.split())
    cdef const uint8_t* data = <const uint8_t*>PyUnicode_DATA(value)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(value), place = 0, start
    while place < size:
        start = place
        while place < size and not _IS_LATIN_SPACE[data[place]]:
            place += 1
        # It begins with a letter and has a length as one of those that are looked for.
        if 0 < place - start < 64 and data[start] < 128 and sizes[data[start]] >> (place - start) & 1:
            if PyUnicode_Substring(value, start, place) in words:
                return True
        place += 1
    return False


cdef uint8_t[256] _IS_LATIN_SPACE  # white space as ``str.split`` knows it, of the first 256 characters
for _code in range(256):
    _IS_LATIN_SPACE[_code] = chr(_code).isspace()


def numbers_alone(str text not None, text_start, text_end, nodes):
    cdef Py_ssize_t count = len(nodes), size = len(text_start), place, found = 0
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t node, start, end
    cdef const int64_t* starts = _longs(text_start, size)
    cdef const int64_t* ends = _longs(text_end, size)
    cdef const int64_t* asked = _longs(nodes, count)
    cdef int64_t* own = NULL
    cdef bint is_so
    array = _new_longs(count, &own)
    for place in range(count):
        node = asked[place]
        if not 0 <= node < size:
            raise IndexError("a node lies outside of the page")
        start, end = starts[node], ends[node]
        if start < 0 or end > PyUnicode_GET_LENGTH(text):
            raise IndexError("a node lies outside of the text")
        if unit == 1:
            is_so = _are_numbers(<const uint8_t*>data, start, end)
        elif unit == 2:
            is_so = _are_numbers(<const uint16_t*>data, start, end)
        else:
            is_so = _are_numbers(<const uint32_t*>data, start, end)
        own[found] = node  # one that is not wanted is written over
        found += is_so
    return array if found == count else array[:found].copy()


cdef bint _are_numbers(const Char* data, int64_t start, int64_t end) noexcept:
    """Whether there is nothing but digits, white space and what separates a number from what it numbers."""
    cdef int64_t place
    cdef uint32_t code
    for place in range(start, end):
        code = data[place]
        if not (48 <= code <= 58 or code == 46 or code == 124 or Py_UNICODE_ISSPACE(code) or Py_UNICODE_ISDECIMAL(code)):
            return False
    return True


def links_in_heads(
    str text not None,
    node,
    tag,
    subtree_end,
    text_start,
    text_end,
    heads,
    uint8_t link,
    int64_t longest,
    str openings not None,
):
    cdef Py_ssize_t place, own, count = len(node), size = len(subtree_end), codes = len(heads)
    cdef int64_t end = 0  # of the head that reaches furthest
    cdef list found = []
    cdef const int64_t* nodes = _longs(node, count)
    cdef const uint8_t* tags = _bytes(tag, count)
    cdef const int64_t* ends = _longs(subtree_end, size)
    cdef const int64_t* begins = _longs(text_start, size)
    cdef const int64_t* stops = _longs(text_end, size)
    cdef const uint8_t* is_head = _bytes(heads, codes)
    for place in range(count):
        own = nodes[place]
        if not 0 <= own < size or tags[place] >= codes:
            raise IndexError("an element lies outside of the page")
        if is_head[tags[place]]:
            end = max(end, ends[own])
        if tags[place] == link and own < end and stops[own] - begins[own] <= longest:
            if _may_begin(text, begins[own], stops[own], openings):
                found.append(own)
    return found


cdef bint _may_begin(str text, int64_t start, int64_t end, str openings):
    """Whether a stretch of text is blank, begins with one of the openings, or with no letter or digit of ASCII."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t place = max(start, 0), stop = min(end, PyUnicode_GET_LENGTH(text))
    cdef uint32_t first, second
    while place < stop and Py_UNICODE_ISSPACE(PyUnicode_READ(unit, data, place)):
        place += 1
    if place >= stop:
        return True
    first = PyUnicode_READ(unit, data, place)
    second = PyUnicode_READ(unit, data, place + 1) if place + 1 < stop else 0
    if second >= 128 or not (48 <= first <= 57 or 65 <= first <= 90 or 97 <= first <= 122):
        return True
    if 65 <= second <= 90:
        second |= 32
    for place in range(0, PyUnicode_GET_LENGTH(openings) - 1, 2):
        if first | 32 == <uint32_t>openings[place] and second == <uint32_t>openings[place + 1]:
            return True
    return False


def beside(
    const int64_t[::1] texts,
    const uint8_t[::1] tag,
    const int64_t[::1] subtree_end,
    const int64_t[::1] seen,
    is_asked,
):
    cdef const uint8_t[::1] asked = is_asked.view(np.uint8)
    cdef Py_ssize_t size = tag.shape[0], node, text, after = 0, count = 0, place = 0
    if subtree_end.shape[0] != size or seen.shape[0] <= size:
        raise IndexError("columns that do not belong together")
    for text in range(texts.shape[0]):
        if not 0 <= texts[text] < size:
            raise IndexError("a text lies outside of the page")
    for node in range(size):
        if tag[node] >= asked.shape[0]:
            raise IndexError("a tag that is unknown")
        count += asked[tag[node]]
    place_array = _empty(count, _long)
    after_array, before_array = _zeros(count, _truth), _zeros(count, _truth)
    cdef int64_t[::1] places = place_array
    cdef uint8_t[::1] is_after = after_array.view(np.uint8), is_before = before_array.view(np.uint8)
    for node in range(size):
        if not asked[tag[node]]:
            continue
        if not 0 <= subtree_end[node] <= size:
            raise IndexError("a subtree ends outside of the page")
        while after < texts.shape[0] and texts[after] < node:
            after += 1
        places[place] = node
        is_after[place] = after > 0 and seen[node] == seen[texts[after - 1] + 1]
        is_before[place] = after < texts.shape[0] and seen[texts[after]] == seen[subtree_end[node]]
        place += 1
    return place_array, after_array, before_array
