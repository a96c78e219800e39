# Running text: the compiled twins of ``short_text``, ``paragraphs`` and ``longest_texts`` in ``_reference.py``.

cdef uint8_t _TEXT = _TEXT_CODE


def short_text(page, Py_ssize_t most, Py_ssize_t most_raw):
    cdef str text = page.text
    nodes, flow = page.nodes, page.flow
    cdef Py_ssize_t size = len(nodes.tag), node, held = 0, raw = 0, length = 0, last = PyUnicode_GET_LENGTH(text)
    cdef const uint8_t* tag = _bytes(nodes.tag, size)
    cdef const uint8_t* flags = _bytes(nodes.flags, size)
    cdef const int64_t* start = _longs(nodes.text_start, size)
    cdef const int64_t* end = _longs(nodes.text_end, size)
    cdef const int64_t* characters = _longs(flow.characters, size)
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t* room
    for node in range(size):
        held += characters[node]
    if held > most:
        return None
    for node in range(size):
        if tag[node] == _TEXT and not flags[node] & _INVISIBLE:
            if not 0 <= start[node] <= end[node] <= last:
                raise IndexError("a text lies outside of the page")
            raw += end[node] - start[node]
    if raw > most_raw:
        return None
    room = <uint32_t*>PyMem_Malloc((2 * raw + 1) * sizeof(uint32_t))  # for all, and a blank before each
    if room is NULL:
        raise MemoryError
    try:
        for node in range(size):
            if tag[node] == _TEXT and not flags[node] & _INVISIBLE:
                if unit == 1:
                    length = _join_words(<const uint8_t*>data, start[node], end[node], room, length)
                elif unit == 2:
                    length = _join_words(<const uint16_t*>data, start[node], end[node], room, length)
                else:
                    length = _join_words(<const uint32_t*>data, start[node], end[node], room, length)
        return PyUnicode_FromKindAndData(4, room, length) if length <= most else None
    finally:
        PyMem_Free(room)


cdef Py_ssize_t _join_words(
    const Char* data, int64_t start, int64_t end, uint32_t* room, Py_ssize_t length
) noexcept:
    """Write the words of a text behind those that are written, with a blank before each but the first."""
    cdef int64_t place
    cdef bint is_gap = True
    for place in range(start, end):
        if data[place] == 32 or Py_UNICODE_ISSPACE(data[place]):
            is_gap = True
            continue
        if is_gap and length:
            room[length] = 32
            length += 1
        is_gap = False
        room[length] = data[place]
        length += 1
    return length


def paragraphs(const int64_t[::1] words, const int64_t[::1] link_words, int64_t least):
    cdef Py_ssize_t number, first = -1, count = words.shape[0]
    cdef int64_t total = 0
    if link_words.shape[0] != count:
        raise ValueError("arrays that do not belong together")
    for number in range(count):
        if words[number] >= least and 2 * link_words[number] < words[number]:
            total += words[number]
            first = number if first < 0 else first
    return total, first


def longest_texts(
    str text,
    const int64_t[::1] starts,
    const int64_t[::1] ends,
    const int64_t[::1] words,
    const int64_t[::1] link_words,
    int64_t least,
    Py_ssize_t most,
    Py_ssize_t enough,
):
    cdef Py_ssize_t number, best, before = -1, count = words.shape[0], length = 0
    cdef int64_t most_words, own, before_words = 0
    cdef list found = []
    cdef str shown
    if starts.shape[0] != count or ends.shape[0] != count or link_words.shape[0] != count:
        raise ValueError("arrays that do not belong together")
    while length < enough and len(found) < most:
        best, most_words = -1, least - 1
        for number in range(count):
            own = words[number] - link_words[number]
            if own > most_words and (before < 0 or own < before_words or (own == before_words and number > before)):
                best, most_words = number, own
        if best < 0:
            break
        shown = text[max(starts[best], 0) : max(min(ends[best], starts[best] + enough), 0)]
        shown = shown if _is_collapsed(shown) else " ".join(shown.split())
        found.append(shown)
        length += len(shown)
        before, before_words = best, most_words
    return found


cdef bint _is_collapsed(str text) noexcept:
    """Whether all white space is single blanks between words."""
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    if unit == 1:
        return _has_single_blanks(<const uint8_t*>data, size)
    if unit == 2:
        return _has_single_blanks(<const uint16_t*>data, size)
    return _has_single_blanks(<const uint32_t*>data, size)


cdef bint _has_single_blanks(const Char* data, Py_ssize_t size) noexcept:
    cdef Py_ssize_t place
    cdef bint is_blank, was_blank = True
    for place in range(size):
        is_blank = data[place] == 32
        if (is_blank and was_blank) or (not is_blank and Py_UNICODE_ISSPACE(data[place])):
            return False
        was_blank = is_blank
    return size == 0 or not was_blank
