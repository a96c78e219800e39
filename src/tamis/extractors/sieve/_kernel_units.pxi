# Blocks that stand or fall together; see ``units.py``.

cdef enum:
    # What a tag is to a unit, as bits of one number.
    _IS_PART = 1
    _IS_LIST_ITEM = 2
    _IS_LISTING = 4
    _ENDS_SECTION = 8
    _IS_SHOWN = 16
    # What opens a structure.
    _OPENS_LIST = 1
    _OPENS_QUOTE = 2
    _OPENS_FIGURE = 3
    _OPENS_PAIRS = 4
    _OPENS_TABLE = 5
    _LAYOUT_TABLE = 100  # a kind of nodes for a while
    # What is counted up to a node.
    _COUNT_WORDS = 0
    _COUNT_BLOCKS = 1
    _COUNT_PARTS = 2
    _COUNT_ITEMS = 3
    _COUNT_LISTINGS = 4
    _COUNTS = 5

cdef uint8_t _PLAIN = units.PLAIN, _HEADING = units.HEADING, _TABLE = units.TABLE, _LIST = units.LIST
cdef uint8_t _CODE = units.CODE, _QUOTE = units.QUOTE, _FIGURE = units.FIGURE, _PAIR = units.PAIR
cdef uint8_t IS_STRUCTURE[16]
cdef uint8_t UNIT_BITS[256]
cdef uint8_t OPENS[256]
cdef uint8_t UNIT_LEVELS[256]
cdef double ITEM_BLOCKS = units.ITEM_BLOCKS, MOST_OF_PAGE = units.MOST_OF_PAGE
cdef int64_t HEADING_WORDS = units.HEADING_WORDS
cdef int64_t NEAR_BLOCKS = units.NEAR
cdef int WRAPPERS = units.WRAPPERS
cdef uint8_t _FOREIGN = FOREIGN


def _fill_unit_tables():
    cdef Py_ssize_t code
    bits = {
        _IS_PART: units.PAGE_PARTS,
        _IS_LIST_ITEM: units.ITEMS,
        _IS_LISTING: units.CODES,
        _ENDS_SECTION: units.ENDS_SECTION,
        _IS_SHOWN: units.SHOWN,
    }
    opens = {
        _OPENS_LIST: units.LISTS,
        _OPENS_QUOTE: mask("blockquote"),
        _OPENS_FIGURE: mask("figure"),
        _OPENS_PAIRS: mask("dl"),
        _OPENS_TABLE: mask("table"),
    }
    for code in range(len(mask())):
        UNIT_BITS[code] = sum(bit for bit, is_so in bits.items() if is_so[code])
        OPENS[code] = sum(number for number, is_so in opens.items() if is_so[code])
    for level, name in enumerate(units.HEADING_NAMES, start=1):
        UNIT_LEVELS[TAG_CODES[name]] = min(level, 6)
    for code, is_so in enumerate(units.STRUCTURES.tolist()):
        IS_STRUCTURE[code] = is_so


_fill_unit_tables()


def build_units(page, containers):
    nodes, blocks = page.nodes, page.blocks
    cdef const uint8_t[::1] tag = nodes.tag, flags = nodes.flags
    cdef const int64_t[::1] end = nodes.end, leaves = blocks.leaves, first_leaf = blocks.first_leaf
    cdef Py_ssize_t size = tag.shape[0], count = first_leaf.shape[0] - 1, block, number = 0, unit
    kinds_array = np.zeros(size, dtype=np.uint8)
    cdef uint8_t[::1] kinds = kinds_array
    cdef Py_ssize_t node, openers = 0
    cdef bint has_table = False
    for node in range(size):
        openers += OPENS[tag[node]] != 0
        has_table = has_table or OPENS[tag[node]] == _OPENS_TABLE
    if has_table:
        for table, is_layout in layout_tables(page, blocks.leaves).items():
            kinds[<Py_ssize_t>table] = _LAYOUT_TABLE if is_layout else _TABLE
    room = np.empty((openers, _COUNTS + 1), dtype=np.int32)
    _open_structures(tag, flags, end, blocks.words, leaves, first_leaf, kinds, room)
    for table in units.named_tables(page, containers):
        kinds[<Py_ssize_t>table] = _TABLE
    # Of each container the root of its structure, and the heading around it.
    cdef int32_t[:, ::1] around = np.empty((2, len(containers)), dtype=np.int32)
    _close_structures(containers, flags, kinds, blocks.words, around)
    cdef const int64_t[::1] holder = containers.holder
    block_array = np.empty((3, count), dtype=np.int64)
    cdef int64_t[:, ::1] own = block_array  # root, heading, and what blocks of one unit have in common
    block_kinds_array = np.empty(count, dtype=np.uint8)
    cdef uint8_t[::1] kind = block_kinds_array
    cdef bint any_pair = False
    cdef int64_t root, heading
    with nogil:
        for block in range(count):
            root, heading = around[0, holder[block]], around[1, holder[block]]
            own[0, block], own[1, block] = root, heading
            own[2, block] = root if root > 0 else heading if heading > 0 else -1
            kind[block] = kinds[root] if root > 0 else _HEADING if heading > 0 else _PLAIN
            any_pair = any_pair or kind[block] == _PAIR
    if any_pair:
        # Their numbers are below 0; here they stand behind those of all nodes.
        keys = units.pair_keys(page, block_array[0])
        is_pair = block_kinds_array == _PAIR
        block_array[2, is_pair] = np.where(keys < 0, size - keys, keys)[is_pair]
    cdef int32_t[::1] unit_of = np.full(size + (count + 1 if any_pair else 0), -1, dtype=np.int32)
    of_array = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] of_block = of_array
    range_array = np.empty((2, count), dtype=np.int64)
    cdef int64_t[:, ::1] ranges = range_array
    with nogil:
        for block in range(count):
            unit = number
            if own[2, block] >= 0:
                unit = unit_of[own[2, block]]
                if unit < 0:
                    unit = unit_of[own[2, block]] = <int32_t>number
            if unit == number:
                ranges[0, unit] = block
                number += 1
            ranges[1, unit] = block
            of_block[block] = unit
    described = np.empty((9, number), dtype=np.int64)
    shows = np.zeros(number, dtype=np.bool_)
    _describe_units(tag, leaves, first_leaf, containers, own, kind, ranges, number, described, shows.view(np.uint8))
    unit_kind, level, body_start, body_end, next_head, before, after, follows, under = described
    return units.Units(
        of_array, unit_kind, level, body_start, body_end, next_head, shows, before, after, follows, under
    )


cdef int _open_structures(
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] end,
    const int64_t[::1] words,
    const int64_t[::1] leaves,
    const int64_t[::1] first_leaf,
    uint8_t[::1] kinds,
    int32_t[:, ::1] still_open,
) except -1:
    """Say of each node what structure it is by itself."""
    cdef Py_ssize_t size = tag.shape[0], node, block = 0, blocks = words.shape[0], depth = 0, row
    cdef int64_t all_words = 0
    cdef int32_t counted[_COUNTS]
    cdef double limit
    cdef int64_t closing = size, next_text = size  # where the innermost structure ends; where the next block begins
    cdef uint8_t bits, opens
    with nogil:
        for row in range(_COUNTS):
            counted[row] = 0
        for block in range(blocks):
            all_words += words[block]
        limit = MOST_OF_PAGE * <double>max(all_words, <int64_t>1)
        block = 0
        if blocks:
            next_text = leaves[first_leaf[0]]
        for node in range(size):
            while depth and closing <= node:
                depth -= 1
                _judge(tag, kinds, still_open, depth, counted, limit)
                closing = end[still_open[depth - 1, _COUNTS]] if depth else size
            if node == next_text:
                counted[_COUNT_WORDS] += <int32_t>words[block]
                counted[_COUNT_BLOCKS] += 1
                block += 1
                next_text = leaves[first_leaf[block]] if block < blocks else size
                continue  # text opens nothing
            bits, opens = UNIT_BITS[tag[node]], OPENS[tag[node]]
            if not bits and not opens:
                continue
            if opens and not flags[node] & _FOREIGN and depth < still_open.shape[0]:
                for row in range(_COUNTS):
                    still_open[depth, row] = counted[row]
                still_open[depth, _COUNTS] = <int32_t>node
                depth += 1
                closing = end[node]
            elif bits & _IS_LISTING and not flags[node] & _FOREIGN:
                kinds[node] = _CODE
            counted[_COUNT_PARTS] += bits & _IS_PART != 0
            counted[_COUNT_ITEMS] += bits & _IS_LIST_ITEM != 0
            counted[_COUNT_LISTINGS] += bits & _IS_LISTING != 0
        while depth:
            depth -= 1
            _judge(tag, kinds, still_open, depth, counted, limit)
    return 0


cdef void _judge(
    const uint8_t[::1] tag,
    uint8_t[::1] kinds,
    const int32_t[:, ::1] still_open,
    Py_ssize_t depth,
    const int32_t* counted,
    double limit,
) noexcept nogil:
    """What a structure is that is over."""
    cdef Py_ssize_t node = still_open[depth, _COUNTS]
    cdef int64_t words = counted[_COUNT_WORDS] - still_open[depth, _COUNT_WORDS]
    cdef int64_t blocks = counted[_COUNT_BLOCKS] - still_open[depth, _COUNT_BLOCKS]
    cdef int64_t listings
    cdef bint has_parts = counted[_COUNT_PARTS] > still_open[depth, _COUNT_PARTS]
    cdef bint is_small = <double>words <= limit
    cdef uint8_t opens = OPENS[tag[node]]
    if opens == _OPENS_TABLE:
        if kinds[node] == _LAYOUT_TABLE:
            # Numbers of lines in one cell, the lines in the other.
            listings = counted[_COUNT_LISTINGS] - still_open[depth, _COUNT_LISTINGS]
            kinds[node] = _CODE if listings > 1 and blocks < 4 else _PLAIN
    elif opens == _OPENS_PAIRS:
        kinds[node] = _PLAIN if has_parts else _PAIR
    elif not has_parts and is_small:
        if opens == _OPENS_QUOTE:
            kinds[node] = _QUOTE
        elif opens == _OPENS_FIGURE:
            kinds[node] = _FIGURE
        elif <double>blocks <= ITEM_BLOCKS * (counted[_COUNT_ITEMS] - still_open[depth, _COUNT_ITEMS]):
            kinds[node] = _LIST


cdef int _close_structures(
    containers,
    const uint8_t[::1] flags,
    const uint8_t[::1] kinds,
    const int64_t[::1] words,
    int32_t[:, ::1] around,
) except -1:
    """For each container the root of the outermost structure it lies in, and the nearest heading; 0 if none.

    Whatever has a block in it, such as the root of a structure that matters, is a container.
    """
    cdef const int64_t[::1] nodes = containers.node, parent = containers.parent
    cdef const int64_t[::1] first = containers.first, last = containers.last
    cdef const uint8_t[::1] tag = containers.tag
    cdef Py_ssize_t place, above, block
    cdef int64_t node
    cdef int64_t[::1] before = np.empty(words.shape[0] + 1, dtype=np.int64)  # words before each block
    with nogil:
        before[0] = 0
        for block in range(words.shape[0]):
            before[block + 1] = before[block] + words[block]
        for place in range(nodes.shape[0]):
            node, above = nodes[place], parent[place]
            if place == 0:
                around[0, 0] = around[1, 0] = 0
                continue
            if UNIT_LEVELS[tag[place]] and before[last[place]] - before[first[place]] <= HEADING_WORDS:
                around[1, place] = <int32_t>node
            else:
                around[1, place] = around[1, above]
            around[0, place] = around[0, above]
            if around[0, place] == 0 and kinds[node] != _PLAIN and not flags[node] & _FOREIGN:
                around[0, place] = <int32_t>node
    return 0


cdef inline Py_ssize_t _container_of(const int64_t[::1] nodes, int64_t node) noexcept nogil:
    cdef Py_ssize_t low = 0, high = nodes.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if nodes[middle] < node:
            low = middle + 1
        else:
            high = middle
    return min(low, nodes.shape[0] - 1)


cdef int _describe_units(
    const uint8_t[::1] tag,
    const int64_t[::1] leaves,
    const int64_t[::1] first_leaf,
    containers,
    const int64_t[:, ::1] own,
    const uint8_t[::1] block_kind,
    const int64_t[:, ::1] ranges,
    Py_ssize_t count,
    int64_t[:, ::1] described,
    uint8_t[::1] shows,
) except -1:
    cdef const int64_t[::1] node = containers.node, above = containers.parent
    cdef const int64_t[::1] begins = containers.first, ends = containers.last
    cdef const uint8_t[::1] container_tag = containers.tag
    cdef int64_t[::1] kind = described[0], level = described[1], body_start = described[2], body_end = described[3]
    cdef int64_t[::1] next_head = described[4], before = described[5], after = described[6], follows = described[7]
    cdef int64_t[::1] under = described[8]
    cdef Py_ssize_t blocks = block_kind.shape[0], unit, place, scope, other, step, last_heading = -1, leaf
    cdef int64_t first, last
    cdef int64_t heads[7]  # for each level the next heading that is as high
    cdef int32_t[::1] next_plain = np.empty(blocks + 1, dtype=np.int32)
    with nogil:
        for place in range(7):
            heads[place] = blocks
        for unit in range(count - 1, -1, -1):
            first = ranges[0, unit]
            kind[unit] = block_kind[first]
            level[unit] = UNIT_LEVELS[tag[own[1, first]]] if kind[unit] == _HEADING else 0
            next_head[unit] = heads[level[unit]] if level[unit] else blocks
            if level[unit]:
                for other in range(level[unit], 7):
                    heads[other] = first
        for unit in range(count):
            first, last = ranges[0, unit], ranges[1, unit]
            place = 0
            if kind[unit] != _PLAIN:
                place = _container_of(node, own[1, first] if kind[unit] == _HEADING else own[0, first])
            # The largest container around it that holds nothing else.
            for step in range(WRAPPERS):
                other = above[place]
                if (
                    other == 0
                    or begins[other] != first
                    or ends[other] != last + 1
                    or UNIT_BITS[container_tag[place]] & _ENDS_SECTION
                ):
                    break
                place = other
            body_start[unit] = body_end[unit] = last + 1
            if level[unit]:
                scope = place
                for step in range(WRAPPERS):
                    if ends[scope] != last + 1 or UNIT_BITS[container_tag[scope]] & _ENDS_SECTION:
                        break
                    scope = above[scope]
                body_end[unit] = max(min(ends[scope], next_head[unit]), last + 1)
                if next_head[unit] == last + 1:
                    leaf = leaves[first_leaf[last + 1]] if last + 1 < blocks else tag.shape[0]
                    for other in range(leaves[first_leaf[last + 1] - 1], leaf):
                        if UNIT_BITS[tag[other]] & _IS_SHOWN:
                            shows[unit] = True
                            break
            before[unit] = after[unit] = follows[unit] = under[unit] = -1
            if kind[unit] == _HEADING:
                last_heading = unit
            if not IS_STRUCTURE[kind[unit]]:
                continue
            if last_heading >= 0 and first - ranges[1, last_heading] <= NEAR_BLOCKS and first < body_end[last_heading]:
                under[unit] = last_heading
            scope = above[place]
            if first > begins[scope]:
                follows[unit] = first - 1
            # Where this part of the page begins and ends; below the nearest paragraphs in it stand here.
            before[unit], after[unit] = begins[scope], ends[scope]
        _find_paragraphs(block_kind, kind, ranges, next_plain, before, after)
    return 0


cdef void _find_paragraphs(
    const uint8_t[::1] block_kind,
    const int64_t[::1] kind,
    const int64_t[:, ::1] ranges,
    int32_t[::1] next_plain,
    int64_t[::1] before,
    int64_t[::1] after,
) noexcept nogil:
    """The paragraphs around structures, given where the part of the page begins and ends in which each stands."""
    cdef Py_ssize_t blocks = block_kind.shape[0], unit, block
    cdef int64_t plain = -1
    next_plain[blocks] = <int32_t>blocks
    for block in range(blocks - 1, -1, -1):
        next_plain[block] = <int32_t>block if block_kind[block] == _PLAIN else next_plain[block + 1]
    block = 0
    for unit in range(kind.shape[0]):  # in the order of their first blocks
        while block < ranges[0, unit]:
            if block_kind[block] == _PLAIN:
                plain = block
            block += 1
        if IS_STRUCTURE[kind[unit]]:
            before[unit] = plain if plain >= before[unit] else -1
            after[unit] = next_plain[ranges[1, unit] + 1] if next_plain[ranges[1, unit] + 1] < after[unit] else -1
