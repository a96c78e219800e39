# A row for each feature, an entry for each block; see ``features/``.

cdef enum:
    # Prefix sums over the blocks.
    _SUM_WORDS = 0
    _SUM_LINKS = 1
    _SUM_CHARACTERS = 2
    _SUM_TEXT = 3
    _SUM_TAGS = 4
    _SUMS = 5
    # What is known of each block in floating point.
    _BLOCK_LINKS = 0
    _BLOCK_POINTS = 1
    _BLOCK_GAINS = 2
    _BLOCK_ROWS = 3
    # What is known of each container in floating point.
    _SHARE = 0
    _LENGTH = 1
    _DENSITY = 2
    _TEXT_SHARE = 3
    _TOTAL = 4
    _LINK_SHARE = 5
    _LEVEL_ROWS = 6
    _STRENGTH = 6
    _STRONGEST = 7
    _LEAST_NAME = 8
    _MOST_NAME = 9
    _CONTAINER_ROWS = 10
    # Whole numbers, summed over a container and all around it.
    _DEPTHS = 0
    _PATHS = 1
    _FIRST_AROUND = 2
    _SECOND_AROUND = 3
    _COMMENTS = 4
    _NAMES_AROUND = 5
    _NAMES_OWN = 6
    _PATH_ROWS = 7


cdef struct Totals:
    # Sums over the page.
    double words
    double links
    double characters
    double text
    double tags
    double ends
    double commas
    double longest
    Py_ssize_t headings
    Py_ssize_t items
    Py_ssize_t hidden


def read_evidence(page, containers, class_names, word_table):
    nodes, blocks = page.nodes, page.blocks
    cdef Py_ssize_t size = len(blocks), held = len(containers), place
    if not size:
        raise ValueError("a page without blocks has no features")
    cdef const uint8_t[::1] tag = nodes.tag, flags = nodes.flags, hidden_flags = page.hidden_flags
    cdef const int64_t[::1] depth = nodes.depth, text_start = nodes.text_start, text_end = nodes.text_end
    cdef const int64_t[::1] node = blocks.node, leaves = blocks.leaves, first_leaf = blocks.first_leaf
    cdef const int64_t[::1] words = blocks.words, link_words = blocks.link_words, characters = blocks.characters
    cdef const int64_t[::1] parent = containers.parent, first = containers.first, last = containers.last
    cdef const int64_t[::1] end = containers.end, holder = containers.holder, leaf = containers.leaf
    cdef const int64_t[::1] name = containers.name
    cdef const uint8_t[::1] container_tag = containers.tag
    matrix = np.empty((len(NAMES), size), dtype=np.float32)
    cdef float[:, ::1] out = matrix
    cdef double[:, ::1] sums = np.empty((_SUMS, size + 1)), block = np.empty((_BLOCK_ROWS, size))
    cdef double[:, ::1] container = np.empty((_CONTAINER_ROWS, held))
    cdef uint64_t[:, ::1] paths = np.empty((_PATH_ROWS, held), dtype=np.uint64)
    cdef int32_t[:, ::1] kinds
    cdef double[:, ::1] alike
    groups_array, comments_array = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.bool_)
    cdef int64_t[::1] groups = groups_array
    cdef uint8_t[::1] in_comments = comments_array.view(np.uint8)
    cdef const int64_t[:, ::1] called = _name_facts(containers, class_names)
    cdef const int64_t[:, ::1] tag_names = class_names.tag_weights
    cdef double[:, ::1] shared = np.zeros((2, size))
    cdef int32_t[::1] duplicates = np.empty(size, dtype=np.int32)
    cdef str text = page.text
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t length = PyUnicode_GET_LENGTH(text)
    cdef const int64_t[::1] moves = _MOVES, start = blocks.start, stop = blocks.end
    cdef _PhraseIndex phrases = _indexed(word_table)
    cdef double says[_SAYINGS]
    for place, value in enumerate(sayings(page).values()):
        says[place] = value
    for place in range(leaves.shape[0]):
        if text_start[leaves[place]] < 0 or text_end[leaves[place]] > length:
            raise AssertionError("a text lies outside of the page")  # cannot be; but what is read here is memory
    for place in range(size):
        if start[place] < 0 or stop[place] > length:
            raise AssertionError("a block lies outside of the page")
    _match_texts(page, tag, start, stop, node, words, link_words, text_start, text_end, shared, duplicates)
    cdef Totals totals
    with nogil:
        if unit == 1:
            _count_characters(<const uint8_t*>data, text_start, text_end, leaves, first_leaf, &moves[0], out)
            _read_wording(<const uint8_t*>data, start, stop, &phrases.phrases, out)
        elif unit == 2:
            _count_characters(<const uint16_t*>data, text_start, text_end, leaves, first_leaf, &moves[0], out)
            _read_wording(<const uint16_t*>data, start, stop, &phrases.phrases, out)
        else:
            _count_characters(<const uint32_t*>data, text_start, text_end, leaves, first_leaf, &moves[0], out)
            _read_wording(<const uint32_t*>data, start, stop, &phrases.phrases, out)
    with nogil:
        totals = _count_blocks(
            tag, flags, hidden_flags, depth, node, leaves, first_leaf, words, link_words, characters, sums, block, out
        )
        _place_blocks(shared[0], shared[1], duplicates, sums, totals, tag, node, out)
        _walk_containers(container_tag, parent, first, last, end, name, called, tag_names, sums, totals, container, paths)
        _look_up(parent, holder, leaf, name, called, tag_names, container_tag, container, paths, out)
        _find_candidate(tag, node, parent, first, last, holder, sums, totals, block, container, out)
    container = block = shared = None  # what follows needs as much room
    kinds, alike = np.empty((5, held), dtype=np.int32), np.zeros((8, held))
    with nogil:
        _find_alike(parent, first, last, holder, sums, totals, paths, kinds, alike, groups, out)
        for place in range(size):
            in_comments[place] = paths[_COMMENTS, holder[place]] > 0
        _tell_page(tag, sums, totals, kinds, in_comments, says, out)
    vars(containers)["paths"] = np.array(paths[_PATHS])  # which would be computed anew if somebody asked
    return Evidence(matrix, groups_array, comments_array)


cdef void _count_characters(
    const Char* data,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
    const int64_t[::1] leaves,
    const int64_t[::1] first_leaf,
    const int64_t* moves,
    float[:, ::1] out,
) noexcept nogil:
    """Sentence ends, commas, digits and capitals of each block, not yet divided by anything."""
    cdef Py_ssize_t place, leaf
    cdef uint64_t packed
    for place in range(out.shape[1]):
        packed = 0
        for leaf in range(first_leaf[place], first_leaf[place + 1]):
            packed += _packed_counts(data, text_start[leaves[leaf]], text_end[leaves[leaf]], moves)
        out[ENDS, place] = packed & 0xFFFF
        out[COMMAS, place] = packed >> 16 & 0xFFFF
        out[DIGITS, place] = packed >> 32 & 0xFFFF
        out[CAPITALS, place] = packed >> 48 & 0xFFFF


cdef Totals _count_blocks(
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const uint8_t[::1] hidden_flags,
    const int64_t[::1] depth,
    const int64_t[::1] node,
    const int64_t[::1] leaves,
    const int64_t[::1] first_leaf,
    const int64_t[::1] words,
    const int64_t[::1] link_words,
    const int64_t[::1] characters,
    double[:, ::1] sums,
    double[:, ::1] block,
    float[:, ::1] out,
) noexcept nogil:
    """What is known of each block by itself, prefix sums, and sums over the page."""
    cdef Totals totals = Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    cdef Py_ssize_t size = out.shape[1], place, following, kind
    cdef double own, density, letters, tags, commas
    cdef uint8_t code, bits, leaf_flags
    cdef bint hides
    for place in range(size):
        code = tag[node[place]]
        bits = TAG_BITS[code]
        own = <double>words[place]
        density = <double>link_words[place] / max(own, 1.0)
        letters = max(<double>characters[place], 1.0)
        following = leaves[first_leaf[place + 1]] if place + 1 < size else tag.shape[0]
        tags = <double>(following - leaves[first_leaf[place]])
        commas = out[COMMAS, place]
        totals.ends += out[ENDS, place]
        totals.commas += commas
        out[WORDS, place] = <float>own
        out[WORD_LENGTH, place] = <float>(letters / max(own, 1.0))
        out[COMMAS, place] = <float>(commas / max(own, 1.0))
        out[DIGITS, place] = <float>(<double>out[DIGITS, place] / letters)
        out[CAPITALS, place] = <float>(<double>out[CAPITALS, place] / letters)
        out[TAGS, place] = <float>tags
        for kind in range(_KINDS):
            out[IS_KIND[kind], place] = KIND_BITS[code] >> kind & 1
        leaf_flags = flags[leaves[first_leaf[place]]]
        out[IN_NOSCRIPT, place] = leaf_flags & _NOSCRIPT != 0
        out[IN_FORM, place] = leaf_flags & _FORM_TEXT != 0
        out[IN_PRE, place] = leaf_flags & _PREFORMATTED != 0
        out[IN_LINK, place] = flags[node[place]] & _LINK != 0
        hides = hidden_flags[node[place]] & _HIDDEN != 0
        out[HIDES, place] = hides
        out[DEPTH, place] = <float>depth[node[place]]
        out[HEADING_LEVEL, place] = <float>HEADING_LEVELS[code]
        out[LINK_DENSITY, place] = <float>density
        sums[_SUM_WORDS, place] = totals.words
        sums[_SUM_LINKS, place] = totals.links
        sums[_SUM_CHARACTERS, place] = totals.characters
        sums[_SUM_TEXT, place] = totals.text
        sums[_SUM_TAGS, place] = totals.tags
        totals.words += own
        totals.links += <double>link_words[place]
        totals.characters += <double>characters[place]
        if own >= TEXT_WORDS and density < TEXT_LINK_DENSITY:
            totals.text += own
        totals.tags += tags
        totals.longest = max(totals.longest, own)
        totals.headings += bits & _IS_HEADING != 0
        totals.items += bits & _IS_ITEM != 0
        totals.hidden += hides
        block[_BLOCK_LINKS, place] = density
        block[_BLOCK_POINTS, place] = (
            1 + commas + min(<double>characters[place] / 100, 3.0)
            if characters[place] >= MIN_CHARACTERS and density < TEXT_LINK_DENSITY
            else 0
        )
        block[_BLOCK_GAINS, place] = own * (1 - 2 * density) - tags
    sums[_SUM_WORDS, size] = totals.words
    sums[_SUM_LINKS, size] = totals.links
    sums[_SUM_CHARACTERS, size] = totals.characters
    sums[_SUM_TEXT, size] = totals.text
    sums[_SUM_TAGS, size] = totals.tags
    return totals


cdef inline double _over(const double[:, ::1] sums, Py_ssize_t row, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    return sums[row, last] - sums[row, first]


cdef void _place_blocks(
    const double[::1] title,
    const double[::1] heading,
    const int32_t[::1] duplicates,
    const double[:, ::1] sums,
    Totals totals,
    const uint8_t[::1] tag,
    const int64_t[::1] node,
    float[:, ::1] out,
) noexcept nogil:
    """Where a block stands, and what stands beside it."""
    cdef Py_ssize_t size = out.shape[1], place, title_place = 0, heading_place = -1, near, first, last
    cdef double best = -1, seems, level, words = max(totals.words, 1.0)
    for place in range(size):
        level = out[HEADING_LEVEL, place]
        seems = (0.3 / level if level > 0 else 0.0) + title[place]
        if seems > best:
            best, title_place = seems, place
        if level > 0:
            heading_place = place
        out[AFTER_HEADING, place] = <float>(size if heading_place < 0 else place - heading_place)
        out[TITLE_MATCH, place] = <float>title[place]
        out[HEADING_MATCH, place] = <float>heading[place]
        out[DUPLICATES, place] = <float>duplicates[place]
        out[POSITION, place] = <float>(<double>place / <double>size)
        out[WORDS_BEFORE, place] = <float>(sums[_SUM_WORDS, place] / words)
        for near in range(_NEAR):
            first, last = max(place - NEAR[near], 0), min(place + 1 + NEAR[near], size)
            out[LINKS_BEFORE[near], place] = <float>(
                _over(sums, _SUM_LINKS, first, place) / max(_over(sums, _SUM_WORDS, first, place), 1.0)
            )
            out[LINKS_AFTER[near], place] = <float>(
                _over(sums, _SUM_LINKS, place + 1, last) / max(_over(sums, _SUM_WORDS, place + 1, last), 1.0)
            )
    heading_place = size
    for place in range(size - 1, -1, -1):
        if out[HEADING_LEVEL, place] > 0:
            heading_place = place
        out[TO_HEADING, place] = <float>(heading_place - place)
        out[AFTER_TITLE, place] = <float>(place - title_place)


cdef void _walk_containers(
    const uint8_t[::1] tag,
    const int64_t[::1] parent,
    const int64_t[::1] first,
    const int64_t[::1] last,
    const int64_t[::1] end,
    const int64_t[::1] name,
    const int64_t[:, ::1] called,
    const int64_t[:, ::1] tag_names,
    const double[:, ::1] sums,
    Totals totals,
    double[:, ::1] container,
    uint64_t[:, ::1] paths,
) noexcept nogil:
    """What is known of each container by itself, and of the path that leads to it."""
    cdef Py_ssize_t place, row, outer = -1
    cdef double words, text, least, most
    cdef uint64_t own[_PATH_ROWS]
    cdef uint64_t mixed, around
    cdef int64_t around_name
    # Sums along paths are over the containers whose subtree is still open.
    for place in range(tag.shape[0]):
        outer = place - 1
        while outer >= 0 and end[outer] <= place:
            outer = parent[outer] if parent[outer] < outer else -1
        around_name = called[name[place], 1] + tag_names[1, tag[place]]
        own[_DEPTHS] = 1
        own[_FIRST_AROUND] = <uint64_t>FIRST_AROUND[tag[place]]
        own[_SECOND_AROUND] = <uint64_t>SECOND_AROUND[tag[place]]
        own[_COMMENTS] = <uint64_t>called[name[place], 2] if not TAG_BITS[tag[place]] & _IS_ROOT else 0
        own[_NAMES_AROUND] = <uint64_t>around_name
        own[_NAMES_OWN] = <uint64_t>(called[name[place], 0] + tag_names[0, tag[place]])
        paths[_DEPTHS, place] = 1 + (paths[_DEPTHS, outer] if outer >= 0 else 0)
        mixed = (<uint64_t>called[name[place], 3] << 8) + tag[place]
        mixed = (mixed + <uint64_t>0x9E3779B97F4A7C15) * (2 * paths[_DEPTHS, place] + 1)
        mixed ^= mixed >> 29
        own[_PATHS] = mixed * <uint64_t>0xBF58476D1CE4E5B9
        for row in range(1, _PATH_ROWS):
            paths[row, place] = own[row] + (paths[row, outer] if outer >= 0 else 0)
        words = _over(sums, _SUM_WORDS, first[place], last[place])
        text = _over(sums, _SUM_TEXT, first[place], last[place])
        container[_SHARE, place] = text / max(totals.text, 1.0)
        container[_LENGTH, place] = words / max(<double>(last[place] - first[place]), 1.0)
        container[_DENSITY, place] = _over(sums, _SUM_CHARACTERS, first[place], last[place]) / max(
            _over(sums, _SUM_TAGS, first[place], last[place]), 1.0
        )
        container[_TEXT_SHARE, place] = text / max(words, 1.0)
        container[_TOTAL, place] = words
        container[_LINK_SHARE, place] = _over(sums, _SUM_LINKS, first[place], last[place]) / max(words, 1.0)
        least = most = <double>around_name
        if place:
            least = min(least, container[_LEAST_NAME, parent[place]])
            most = max(most, container[_MOST_NAME, parent[place]])
        container[_LEAST_NAME, place], container[_MOST_NAME, place] = least, most


cdef void _look_up(
    const int64_t[::1] parent,
    const int64_t[::1] holder,
    const int64_t[::1] leaf,
    const int64_t[::1] name,
    const int64_t[:, ::1] called,
    const int64_t[:, ::1] tag_names,
    const uint8_t[::1] tag,
    const double[:, ::1] container,
    const uint64_t[:, ::1] paths,
    float[:, ::1] out,
) noexcept nogil:
    """What the containers around a block hold and are called."""
    cdef Py_ssize_t place, level, kind, at, above
    for place in range(out.shape[1]):
        at = holder[place]
        for kind in range(_AROUND):
            out[IN_AROUND[kind], place] = <float>(
                paths[_FIRST_AROUND + kind // AROUND_PER_SUM, at] >> AROUND_BITS * (kind % AROUND_PER_SUM)
                & ((<uint64_t>1 << AROUND_BITS) - 1)
            )
        above = parent[at]
        out[OWN_NAME, place] = <float>(called[name[at], 0] + tag_names[0, tag[at]])
        out[LEAF_NAME, place] = <float>(called[name[leaf[place]], 0] + tag_names[0, tag[leaf[place]]])
        out[PARENT_NAME, place] = <float>(called[name[above], 1] + tag_names[1, tag[above]])
        above = parent[above]
        out[GRANDPARENT_NAME, place] = <float>(called[name[above], 1] + tag_names[1, tag[above]])
        out[PATH_NAME, place] = <float><int64_t>paths[_NAMES_AROUND, at]
        out[WHOLE_NAME, place] = <float><int64_t>paths[_NAMES_OWN, at]
        out[WORST_NAME, place] = <float>container[_LEAST_NAME, at]
        out[BEST_NAME, place] = <float>container[_MOST_NAME, at]
        for level in range(_LEVELS):
            out[LEVEL_SHARE[level], place] = <float>container[_SHARE, at]
            out[LEVEL_LENGTH[level], place] = <float>container[_LENGTH, at]
            out[LEVEL_DENSITY[level], place] = <float>container[_DENSITY, at]
            out[LEVEL_TEXT[level], place] = <float>container[_TEXT_SHARE, at]
            out[LEVEL_TOTAL[level], place] = <float>container[_TOTAL, at]
            out[LEVEL_LINKS[level], place] = <float>container[_LINK_SHARE, at]
            at = parent[at]


cdef inline double _outside(Py_ssize_t place, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    return min(<double>(place - start), 0.0) + max(<double>(place - end + 1), 0.0)


cdef void _find_candidate(
    const uint8_t[::1] tag,
    const int64_t[::1] node,
    const int64_t[::1] parent,
    const int64_t[::1] first,
    const int64_t[::1] last,
    const int64_t[::1] holder,
    const double[:, ::1] sums,
    Totals totals,
    const double[:, ::1] block,
    double[:, ::1] container,
    float[:, ::1] out,
) noexcept nogil:
    """The container a reader mode would choose, the run of blocks with the most text, and where a block lies to them."""
    cdef Py_ssize_t size = out.shape[1], held = parent.shape[0], place, near, level, best = 0, start, end, lowest_place
    cdef double strongest, sum_, lowest, gain, share, window, found
    # Two sums for each container, added when both are complete: points of blocks right below, and of those further
    # down. The second stands where the strongest will stand.
    for place in range(held):
        container[_STRENGTH, place] = container[_STRONGEST, place] = 0
    for place in range(size):
        near = parent[holder[place]] if TAG_BITS[tag[node[place]]] & _IS_INNER else holder[place]
        container[_STRENGTH, near] += block[_BLOCK_POINTS, place]
        container[_STRONGEST, parent[near]] += block[_BLOCK_POINTS, place] / 2
    for place in range(held):
        container[_STRENGTH, place] = (container[_STRENGTH, place] + container[_STRONGEST, place]) * (
            1 - container[_LINK_SHARE, place]
        )
        if container[_STRENGTH, place] > container[_STRENGTH, best]:
            best = place
    strongest = max(container[_STRENGTH, best], 1e-9)
    for place in range(held):
        container[_STRENGTH, place] /= strongest
        container[_STRONGEST, place] = container[_STRENGTH, place]
        if place:
            container[_STRONGEST, place] = max(container[_STRENGTH, place], container[_STRONGEST, parent[place]])
    # The run whose sum of gains is largest; of those that begin at equal sums the shortest.
    sum_ = lowest = gain = 0
    start = end = lowest_place = 0
    for place in range(size):
        sum_ += block[_BLOCK_GAINS, place]
        if sum_ <= lowest:
            lowest, lowest_place = sum_, place + 1
        if sum_ - lowest > gain:
            gain, start, end = sum_ - lowest, lowest_place, place + 1
    share = _over(sums, _SUM_TEXT, first[best], last[best]) / max(totals.text, 1.0)
    window = _over(sums, _SUM_WORDS, start, end) / max(totals.words, 1.0)
    _fill(out, CANDIDATE_SHARE, share)
    _fill(out, PAGE_CANDIDATE, share)
    _fill(out, PAGE_WINDOW, window)
    for place in range(size):
        near = holder[place]
        out[IN_CANDIDATE, place] = first[best] <= place < last[best]
        out[CANDIDATE_SCORE, place] = <float>container[_STRONGEST, near]
        out[CANDIDATE_DISTANCE, place] = <float>_outside(place, first[best], last[best])
        out[OVER_CANDIDATE, place] = <float>container[_STRENGTH, near]
        found = container[_STRENGTH, near]
        for level in range(1, CANDIDATE_LEVELS):
            near = parent[near]
            found = max(found, container[_STRENGTH, near])
        out[ABOVE_SCORE, place] = <float>found
        out[IN_WINDOW, place] = start <= place < end
        out[WINDOW_DISTANCE, place] = <float>_outside(place, start, end)


cdef void _find_alike(
    const int64_t[::1] parent,
    const int64_t[::1] first,
    const int64_t[::1] last,
    const int64_t[::1] holder,
    const double[:, ::1] sums,
    Totals totals,
    const uint64_t[:, ::1] paths,
    int32_t[:, ::1] kinds,
    double[:, ::1] alike,
    int64_t[::1] groups,
    float[:, ::1] out,
) noexcept nogil:
    """Blocks and containers that look alike. Leaves in ``kinds[0]`` how many containers look like each.

    ``alike`` comes with zeros; for each kind of container it counts blocks, words, linked words and words of running
    text: first of the blocks that such a container holds, then of those that are held one level down.
    """
    cdef Py_ssize_t size = out.shape[1], held = parent.shape[0], place, level, at, card, count, number
    cdef int32_t most
    cdef double words, text, linked, page_text = max(totals.text, 1.0)
    cdef int32_t[::1] kind = kinds[4]
    count = _numbered(paths[_PATHS], kind, kinds[0], kinds[1])
    for number in range(count):
        kinds[2, number] = 0
        kinds[3, number] = -1
    for place in range(held):
        kinds[2, kind[place]] += 1
    for place in range(held):
        kinds[0, place] = kinds[2, kind[place]]
    for place in range(size):
        words = _over(sums, _SUM_WORDS, place, place + 1)
        linked = _over(sums, _SUM_LINKS, place, place + 1)
        text = _over(sums, _SUM_TEXT, place, place + 1)
        for level in range(2):
            number = kind[holder[place] if level == 0 else parent[holder[place]]]
            alike[4 * level, number] += 1
            alike[4 * level + 1, number] += words
            alike[4 * level + 2, number] += linked
            alike[4 * level + 3, number] += text
    card = 0
    for number in range(count):
        if alike[0, number] > 0:
            kinds[3, number] = <int32_t>card
            card += 1
    for place in range(size):
        number = kind[holder[place]]
        groups[place] = kinds[3, number]
        out[ALIKE, place] = <float>alike[0, number]
        out[ALIKE_SHARE, place] = <float>(alike[3, number] / page_text)
        out[ALIKE_WORDS, place] = <float>(alike[1, number] / alike[0, number])
        out[ALIKE_LINKS, place] = <float>(alike[2, number] / max(alike[1, number], 1.0))
        number = kind[parent[holder[place]]]
        out[SIBLINGS, place] = <float>alike[4, number]
        out[SIBLINGS_SHARE, place] = <float>(alike[7, number] / page_text)
        out[SIBLINGS_LINKS, place] = <float>(alike[6, number] / max(alike[5, number], 1.0))
        at = card = holder[place]
        most = kinds[0, at]
        for level in range(1, _LEVELS):
            at = parent[at]
            out[REPEATED[level - 1], place] = <float>kinds[0, at]
            if kinds[0, at] > most:
                most, card = kinds[0, at], at
        words = _over(sums, _SUM_WORDS, first[card], last[card])
        out[MOST_REPEATED, place] = <float>most
        out[CARD_WORDS, place] = <float>words
        out[CARD_SHARE, place] = <float>(_over(sums, _SUM_TEXT, first[card], last[card]) * most / page_text)
        out[CARD_LINKS, place] = <float>(_over(sums, _SUM_LINKS, first[card], last[card]) / max(words, 1.0))


cdef void _tell_page(
    const uint8_t[::1] tag,
    const double[:, ::1] sums,
    Totals totals,
    const int32_t[:, ::1] kinds,
    const uint8_t[::1] in_comments,
    const double* says,
    float[:, ::1] out,
) noexcept nogil:
    """The numbers that all blocks of a page share."""
    cdef Py_ssize_t size = out.shape[1], place, kind
    cdef double articles = 0, cells = 0, inputs = 0, images = 0, repeated = 0, commented = 0
    cdef double words = max(totals.words, 1.0), blocks = <double>size
    cdef uint8_t bits
    for place in range(tag.shape[0]):
        bits = TAG_BITS[tag[place]]
        articles += bits & _IS_ARTICLE != 0
        cells += bits & _IS_CELL != 0
        inputs += bits & _IS_INPUT != 0
        images += bits & _IS_IMAGE != 0
    for place in range(kinds.shape[1]):
        repeated = max(repeated, <double>kinds[0, place])
    for place in range(size):
        if in_comments[place]:
            commented += _over(sums, _SUM_WORDS, place, place + 1)
    _fill(out, PAGE_BLOCKS, blocks)
    _fill(out, PAGE_WORDS, totals.words)
    _fill(out, PAGE_LINKS, totals.links / words)
    _fill(out, PAGE_TEXT, totals.text / words)
    _fill(out, PAGE_PUNCTUATION, (totals.ends + totals.commas) / words)
    _fill(out, PAGE_DENSITY, totals.characters / max(totals.tags, 1.0))
    _fill(out, PAGE_LONGEST, totals.longest)
    _fill(out, PAGE_HEADINGS, <double>totals.headings / blocks)
    _fill(out, PAGE_ARTICLES, articles)
    _fill(out, PAGE_ITEMS, <double>totals.items / blocks)
    _fill(out, PAGE_CELLS, cells)
    _fill(out, PAGE_INPUTS, inputs)
    _fill(out, PAGE_IMAGES, images)
    _fill(out, PAGE_HIDDEN, <double>totals.hidden / blocks)
    _fill(out, PAGE_REPEATED, repeated)
    _fill(out, PAGE_COMMENTS, commented / words)
    for kind in range(_SAYINGS):
        _fill(out, SAYS[kind], says[kind])


cdef void _fill(float[:, ::1] out, Py_ssize_t row, double value) noexcept nogil:
    cdef Py_ssize_t place
    for place in range(out.shape[1]):
        out[row, place] = <float>value
