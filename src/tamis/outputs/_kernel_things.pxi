# What stands beside kept text, and the lines of a page; see ``media`` and ``line_numbers`` in ``_reference.py``.


def media(
    texts,
    tag,
    flags,
    parent,
    subtree_end,
    characters,
    is_media,
    uint8_t image,
    uint8_t unshown,
    frozenset judged,
):
    cdef Py_ssize_t size = len(tag), count = len(texts), codes = len(is_media), node, after = 0, place
    cdef const int64_t* kept = _longs(texts, count)
    cdef const uint8_t* tags = _bytes(tag, size)
    cdef const uint8_t* flag = _bytes(flags, size)
    cdef const int64_t* above = _longs(parent, size)
    cdef const int64_t* ends = _longs(subtree_end, size)
    cdef const int64_t* own = _longs(characters, size)
    cdef const uint8_t* asked = _bytes(is_media, codes)
    cdef int64_t* seen
    cdef int64_t root, holder
    cdef bint is_after, is_before, is_chosen, is_shown
    cdef list chosen = [], doubtful = []
    if count == 0:
        raise IndexError("nothing is kept")
    for place in range(count):
        if not 0 <= kept[place] < size:
            raise IndexError("a text lies outside of the page")
    seen = <int64_t*>PyMem_Malloc((size + 1) * sizeof(int64_t))
    if seen is NULL:
        raise MemoryError
    try:
        seen[0] = 0
        for node in range(size):
            if tags[node] >= codes or not 0 <= ends[node] <= size or not (node == 0 or 0 <= above[node] < node):
                raise IndexError("a node that is not on the page")
            seen[node + 1] = seen[node] + own[node]
        root = _content_root(kept, count, above, ends, seen)
        for node in range(size):
            if not asked[tags[node]]:
                continue
            while after < count and kept[after] < node:
                after += 1
            holder = above[node] if node and tags[node] != image else node  # the first node has nothing above it
            is_shown = flag[holder] & unshown == 0
            is_after = is_shown and after > 0 and seen[node] == seen[kept[after - 1] + 1]
            is_before = is_shown and after < count and seen[kept[after]] == seen[ends[node]]
            if judged is not None and tags[node] == image:
                is_chosen = is_shown and node in judged
            else:
                is_chosen = (is_after and is_before) or ((is_after or is_before) and root < node < ends[root])
            if is_chosen:
                chosen.append(node)
            elif is_after or is_before:
                doubtful.append(node)
        return chosen, doubtful
    finally:
        PyMem_Free(seen)


cdef int64_t _content_root(
    const int64_t* kept, Py_ssize_t count, const int64_t* above, const int64_t* ends, const int64_t* seen
) noexcept nogil:
    """The lowest element that holds all kept texts, or one around it in which nothing else can be seen."""
    cdef int64_t node = above[kept[0]] if kept[0] > 0 else 0, last = kept[count - 1], around
    while node > 0 and ends[node] <= last:
        node = above[node]
    while node > 0:
        around = above[node]
        if seen[ends[around]] - seen[around] > seen[ends[node]] - seen[node]:
            break
        node = around
    return node


def tagged(node, tag, is_asked):
    cdef Py_ssize_t size = len(node), codes = len(is_asked), place, count = 0
    cdef const int64_t* nodes = _longs(node, size)
    cdef const uint8_t* tags = _bytes(tag, size)
    cdef const uint8_t* asked = _bytes(is_asked, codes)
    cdef int64_t* chosen = NULL
    for place in range(size):
        if tags[place] >= codes:
            raise IndexError("a tag that is unknown")
        count += asked[tags[place]]
    found = _new_longs(count, &chosen)
    count = 0
    for place in range(size):
        if asked[tags[place]]:
            chosen[count] = nodes[place]
            count += 1
    return found


def meaning(tag, flags, is_meant, uint8_t foreign):
    cdef Py_ssize_t size = len(tag), codes = len(is_meant), node
    cdef const uint8_t* tags = _bytes(tag, size)
    cdef const uint8_t* flag = _bytes(flags, size)
    cdef const uint8_t* meant = _bytes(is_meant, codes)
    cdef uint8_t* marks = NULL
    cdef bint is_unknown = False
    found = _new_marks(size, &marks)
    for node in range(size):
        is_unknown |= tags[node] >= codes
    if is_unknown:
        raise IndexError("a tag that is unknown")
    for node in range(size):
        marks[node] = meant[tags[node]] and not flag[node] & foreign
    return found


def line_numbers(tag, uint8_t line_break, line_starts):
    cdef Py_ssize_t size = len(tag), count = len(line_starts), node, place
    cdef const uint8_t* tags = _bytes(tag, size)
    cdef const int64_t* starts = _longs(line_starts, count)
    cdef int64_t* lines = NULL
    cdef int64_t line = 0
    found = _new_longs(size, &lines)
    if not count:
        for node in range(size):
            line += tags[node] == line_break
            lines[node] = line
        return found
    for node in range(size):
        lines[node] = tags[node] == line_break
    for place in range(count):
        if not 0 <= starts[place] < size:
            raise IndexError("a line begins outside of the page")
        lines[starts[place]] = 1
    for node in range(size):
        line += lines[node]
        lines[node] = line
    return found
