# What a page says it is called, and the headings and blocks that are like it; see ``likeness.py``.

cdef enum:
    _RANKS = 100  # more than levels, in a quarter of it

cdef frozenset _PLACEHOLDERS = _likeness.PLACEHOLDERS, _DECLARED = _likeness.DECLARED
cdef tuple _TITLES = _likeness.TITLES, _SITES = _likeness.SITES, _SET_APART = _likeness.SET_APART
cdef int _SAME = _likeness.SAME, _PART = _likeness.PART, _ALIKE = _likeness.ALIKE, _ALONE = _likeness.ALONE
cdef int _SITE = _likeness.SITE, _OTHER_LEVEL = _likeness.OTHER_LEVEL
cdef Py_ssize_t _MAX_HEADINGS = _likeness.MAX_HEADINGS, _MAX_LENGTH = _likeness.MAX_LENGTH
cdef Py_ssize_t _MAX_BLOCK = _likeness.MAX_BLOCK, _MAX_NAME = _likeness.MAX_NAME
cdef double _OVERLAP = _likeness.OVERLAP
cdef uint8_t _ANCHOR = _TAG_CODES["a"], _IN_LINK = _model.LINK
cdef object _Candidate = _likeness.HeadlineCandidate


def declared_titles(page, list metas, list written):
    cdef dict said = {}
    cdef list named
    cdef str name
    nodes = _as_array(metas)
    named = asked_names((page.attribute(nodes, "property"), page.attribute(nodes, "name")), _DECLARED, _MAX_NAME)
    if named:
        contents = page.attribute(_as_array([metas[<Py_ssize_t>place] for _, place in named]), "content")
        for (name, _), content in zip(named, contents):
            if content and name not in said:
                said[name] = content
    cdef list titles = [said[name] for name in _TITLES if name in said]
    titles += [page.node_text(node) for node in written]
    sites = [_page_kernel.folded(site) for site in _meant([said[name] for name in _SITES if name in said])]
    return _meant(titles), [site for site in sites if site]


cdef object _as_array(list numbers):
    """What ``np.array`` makes of a short list, in a third of the time."""
    cdef Py_ssize_t count = len(numbers), place
    cdef int64_t* room = NULL
    array = _new_longs(count, &room)
    for place in range(count):
        room[place] = numbers[place]
    return array


cdef list _meant(list texts):
    """Declared texts as they were meant, each once."""
    cdef list found = []
    cdef str text, before = None
    for text in texts:
        if text == before:
            continue
        before = text
        text = text if _is_clean(text) else _cleaned(text)
        if PyUnicode_GET_LENGTH(text) > _MAX_LENGTH:
            text = text[:_MAX_LENGTH]
        if text and text not in found:
            found.append(text)
    return found


cdef bint _is_clean(str text) noexcept:
    """Whether nothing is to be done to a text: no entities, no halves of characters, no space but single blanks."""
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    if size > _MAX_LENGTH:
        return False
    if PyUnicode_KIND(text) == 1:
        return _are_clean(<const uint8_t*>data, size)
    if PyUnicode_KIND(text) == 2:
        return _are_clean(<const uint16_t*>data, size)
    return _are_clean(<const uint32_t*>data, size)


cdef bint _are_clean(const Char* data, Py_ssize_t size) noexcept:
    cdef Py_ssize_t place
    cdef uint32_t code, before = 32
    for place in range(size):
        code = data[place]
        if code == 32:
            if before == 32:
                return False
        elif code < 32 or code == 0x26 or 0xD800 <= code < 0xE000 or (code > 126 and Py_UNICODE_ISSPACE(code)):
            return False
        before = code
    return before != 32


@cython.final
cdef class _Wanted:
    """The titles, folded; their parts and the words of each are taken if no heading repeats a title."""

    cdef set whole, parts
    cdef list words
    cdef frozenset all_words
    cdef Py_ssize_t longest

    def __cinit__(self, titles):
        cdef str title
        self.whole, self.longest = set(), 0
        for title in titles:
            title = _page_kernel.folded(title)
            if title:
                self.whole.add(title)
                self.longest = max(self.longest, PyUnicode_GET_LENGTH(title))

    cdef int take_apart(self, titles) except -1:
        self.parts = set()
        for title in titles:
            self.parts.update(folded_parts(title))
        self.parts.discard("")
        return 0

    cdef frozenset said(self):
        """All words."""
        cdef str text
        if self.all_words is None:
            self.words = [set(text.split()) for text in self.whole | self.parts]
            self.all_words = frozenset().union(*self.words)
        return self.all_words

    cdef bint is_unwanted(self, str text, list sites) except -1:
        return text in _PLACEHOLDERS or text in sites

    cdef bint is_repeated(self, str text, list sites) except -1:
        """Whether a heading is a title, and none is longer than twice as long."""
        if text not in self.whole or 2 * PyUnicode_GET_LENGTH(text) < self.longest:
            return False
        return not self.is_unwanted(text, sites)

    cdef int likeness(self, str text, list sites) except -1:
        cdef list said
        cdef set own, words
        if self.is_unwanted(text, sites):
            return _SITE if text in self.whole else 0
        if text in self.whole:
            return _SAME
        if text in self.parts:
            return _PART
        said = text.split()
        if self.said().isdisjoint(said):
            return 0
        own = set(said)
        for words in self.words:
            if _overlap(own, words):
                return _ALIKE
        return 0


cdef bint _overlap(set one, set two) except -1:
    """Whether two sets of words share most of the smaller, which has at least two."""
    cdef Py_ssize_t shared = 0
    if len(one) > len(two):
        one, two = two, one
    if len(one) < 2:
        return False
    for word in one:
        shared += word in two
    return shared >= _OVERLAP * len(one)


def like_titles(page, levels, titles, list sites):
    cdef str text = page.text, shown
    nodes = page.nodes
    starts, ends = nodes.text_start, nodes.text_end
    cdef Py_ssize_t size = len(nodes.tag)
    cdef const uint8_t* tag = _bytes(nodes.tag, size)
    cdef const uint8_t* flags = _bytes(nodes.flags, size)
    cdef const int64_t* end = _longs(nodes.end, size)
    cdef _Wanted wanted = _Wanted(titles)
    cdef list found, seen = folded_nodes(text, levels[0][:_MAX_HEADINGS], starts, ends, 2 * _MAX_LENGTH, None)
    cdef Py_ssize_t node
    cdef int level, likeness, rank, best = 0
    cdef bint is_close, is_enough = False, is_free, is_most
    # What is a title word by word leaves nothing to compare.
    found = [
        _Candidate(node, _SAME, True, True, 1)
        for node, shown in seen
        if wanted.is_repeated(shown, sites) and not _leads_home(page, node, tag, flags, end)
    ]
    if found:
        return found
    wanted.take_apart(titles)
    for level in range(1, len(levels) + 1):
        if level > 1:
            places = levels[level - 1][:_MAX_HEADINGS]
            seen = folded_nodes(text, places, starts, ends, 2 * _MAX_LENGTH, wanted.said()) if places else []
        is_close = best >= _PART * _RANKS
        for node, shown in seen:
            if is_close and shown not in wanted.whole and shown not in wanted.parts:
                continue
            likeness = wanted.likeness(shown, sites)
            if not likeness:
                if level > 1 or len(seen) > 1:
                    continue
                likeness = _ALONE
            is_free = not _leads_home(page, node, tag, flags, end)
            is_most = 2 * PyUnicode_GET_LENGTH(shown) >= wanted.longest
            is_enough = is_enough or (likeness >= _PART and is_free and is_most)
            rank = likeness * _RANKS + is_free * _RANKS // 2 + is_most * _RANKS // 4 - level
            if rank > best:
                best, found = rank, []
            if rank == best:
                found.append(_Candidate(node, likeness, is_free, is_most, level))
        if is_enough:
            break
    return found


cdef bint _leads_home(
    page, Py_ssize_t node, const uint8_t* tag, const uint8_t* flags, const int64_t* end
) except -1:
    """Whether a heading has to do with a link to the first page of the site; most have to do with none at all."""
    cdef Py_ssize_t place
    if not flags[node] & _IN_LINK:
        place = node
        while place < end[node] and tag[place] != _ANCHOR:
            place += 1
        if place == end[node]:
            return False
    return _likeness.leads_home(page, node)


def repeating_blocks(page, titles, list sites):
    cdef str page_text = page.text, text
    blocks, nodes = page.blocks, page.nodes
    cdef Py_ssize_t count = len(blocks)
    cdef const int64_t* start = _longs(blocks.start, count)
    cdef const int64_t* end = _longs(blocks.end, count)
    cdef const int64_t* holder = _longs(blocks.node, count)
    cdef const int64_t* characters = _longs(blocks.characters, count)
    cdef const int64_t* link_words = _longs(blocks.link_words, count)
    cdef _Wanted wanted = _Wanted(titles)
    cdef Py_ssize_t longest = 0, shortest = PY_SSIZE_T_MAX, number
    cdef uint8_t[128] begins
    cdef set texts = set()
    wanted.take_apart(titles)
    memset(begins, False, 128)
    for text in wanted.whole | wanted.parts:
        if " " in text and not wanted.is_unwanted(text, sites):
            texts.add(text)
            longest = max(longest, 2 * PyUnicode_GET_LENGTH(text))
            shortest = min(shortest, (PyUnicode_GET_LENGTH(text) - text.count(" ")) // 2)
            if ord(text[0]) < 128:
                begins[ord(text[0])] = True
    if not texts:
        return []
    near = [
        number
        for number in range(count)
        if shortest <= characters[number] <= longest
        and link_words[number] == 0
        and _text_may_be_title(page_text, start[number], end[number], begins)
    ]
    found = [
        (holder[number], text in wanted.whole)
        for number, text in folded_nodes(page_text, near, blocks.start, blocks.end, _MAX_BLOCK, None)
        if text in texts
    ]
    if not found:
        return []
    apart = nodes.inside(nodes.named(*_SET_APART))
    return [
        _Candidate(node, _SAME if is_whole else _PART, True, is_whole, _OTHER_LEVEL)
        for node, is_whole in found
        if not apart[node]
    ]
