# Blocks that stand or fall together; see ``units.py``.

cdef enum:
    # What a tag is to a unit, as bits of one number.
    _IS_PART = 1
    _IS_LIST_ITEM = 2
    _IS_LISTING = 4
    _ENDS_SECTION = 8
    _IS_SHOWN = 16
    _IS_ENTRY = 32
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
cdef Py_ssize_t _UNIT_KINDS = len(units.KIND_NAMES)
cdef uint8_t IS_STRUCTURE[16]
cdef uint8_t UNIT_BITS[256]
cdef uint8_t OPENS[256]
cdef uint8_t IS_NOTED[256]  # whether it has bits that are counted, or opens a structure
cdef uint8_t UNIT_LEVELS[256]
cdef double ITEM_BLOCKS = units.ITEM_BLOCKS, MOST_OF_PAGE = units.MOST_OF_PAGE
cdef int64_t HEADING_WORDS = units.HEADING_WORDS
cdef int64_t NEAR_BLOCKS = units.NEAR
cdef int WRAPPERS = units.WRAPPERS
cdef uint8_t _FOREIGN = FOREIGN, _TERM = TAG_CODES["dt"]


def _fill_unit_tables():
    cdef Py_ssize_t code
    bits = {
        _IS_PART: units.PAGE_PARTS,
        _IS_LIST_ITEM: units.ITEMS,
        _IS_LISTING: units.CODES,
        _ENDS_SECTION: units.ENDS_SECTION,
        _IS_SHOWN: units.SHOWN,
        _IS_ENTRY: units.TERMS,
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
        IS_NOTED[code] = UNIT_BITS[code] & (_IS_PART | _IS_LIST_ITEM | _IS_LISTING) or OPENS[code]
    for level, name in enumerate(units.HEADING_NAMES, start=1):
        UNIT_LEVELS[TAG_CODES[name]] = min(level, 6)
    for code, is_so in enumerate(units.STRUCTURES.tolist()):
        IS_STRUCTURE[code] = is_so


_fill_unit_tables()


cdef struct ContainerTree:
    Py_ssize_t count
    const int64_t* node
    const int64_t* parent
    const int64_t* first
    const int64_t* last
    const uint8_t* tag


cdef struct Described:
    # What is said of each unit; see ``Units``. The pointers are those of its rows, in the order of their names.
    Py_ssize_t count
    int64_t* kind
    int64_t* level
    int64_t* body_start
    int64_t* body_end
    int64_t* next_head
    int64_t* before
    int64_t* after
    int64_t* follows
    int64_t* under
    uint8_t* shows


if units.ROWS != ("kind", "level", "body_start", "body_end", "next_head", "before", "after", "follows", "under"):
    raise ImportError("units have other rows")


cdef int _point_at(Described* told, rows, shows) except -1:
    """Read or write what is said of units where it stands."""
    cdef Py_ssize_t count = len(shows)
    cdef int64_t* row = <int64_t*>_longs(rows, len(units.ROWS) * count)
    told.count, told.shows = count, <uint8_t*>_bytes(shows, count)
    told.kind, told.level, told.body_start, told.body_end = row, row + count, row + 2 * count, row + 3 * count
    told.next_head, told.before, told.after = row + 4 * count, row + 5 * count, row + 6 * count
    told.follows, told.under = row + 7 * count, row + 8 * count
    return 0


def build_units(page, containers):
    nodes, blocks = page.nodes, page.blocks
    cdef Py_ssize_t size = len(nodes.tag), count = len(blocks.node), held = len(containers.node)
    cdef Py_ssize_t node, block, unit, number = 0, openers = 0
    cdef const uint8_t* tag = _bytes(nodes.tag, size)
    cdef const uint8_t* flags = _bytes(nodes.flags, size)
    cdef const int64_t* leaves = _longs(blocks.leaves, len(blocks.leaves))
    cdef const int64_t* first_leaf = _longs(blocks.first_leaf, count + 1)
    cdef const int64_t* words = _longs(blocks.words, count)
    cdef const int64_t* holder = _longs(containers.holder, count)
    cdef _Rooms rooms = _Rooms()
    cdef uint8_t* kinds = <uint8_t*>rooms.room(size, 1)
    cdef bint has_table = False
    for node in range(size):
        openers += OPENS[tag[node]] != 0
        has_table = has_table or OPENS[tag[node]] == _OPENS_TABLE
    if has_table:
        for table, is_layout in page.layout_tables.items():
            kinds[<Py_ssize_t>table] = _LAYOUT_TABLE if is_layout else _TABLE
    cdef int32_t* still_open = <int32_t*>rooms.room(openers * (_COUNTS + 1), sizeof(int32_t))
    cdef const int64_t* end = _longs(nodes.end, size)
    with nogil:
        _open_structures(tag, flags, end, size, words, leaves, first_leaf, count, kinds, still_open, openers)
    for table in units.named_tables(page, containers):
        kinds[<Py_ssize_t>table] = _TABLE
    cdef ContainerTree tree
    tree.count, tree.node, tree.parent = held, _longs(containers.node, held), _longs(containers.parent, held)
    tree.first, tree.last = _longs(containers.first, held), _longs(containers.last, held)
    tree.tag = _bytes(containers.tag, held)
    # Of each container the root of its structure, and the heading around it.
    cdef int32_t* roots = <int32_t*>rooms.room(2 * held, sizeof(int32_t))
    cdef int32_t* headings = roots + held
    cdef int64_t* room = <int64_t*>rooms.room(6 * count + 1, sizeof(int64_t))
    cdef int64_t* root = room + count + 1  # of each block; before it the words before each block
    cdef int64_t* heading = root + count
    cdef int64_t* key = heading + count  # what blocks of one unit have in common
    cdef int64_t* first = key + count  # of each unit
    cdef int64_t* last = first + count
    cdef uint8_t* kind = <uint8_t*>rooms.room(count, 1)
    cdef bint any_pair = False
    with nogil:
        _close_structures(&tree, flags, kinds, words, count, room, roots, headings)
        for block in range(count):
            root[block], heading[block] = roots[holder[block]], headings[holder[block]]
            key[block] = root[block] if root[block] > 0 else heading[block] if heading[block] > 0 else -1
            kind[block] = kinds[root[block]] if root[block] > 0 else _HEADING if heading[block] > 0 else _PLAIN
            any_pair = any_pair or kind[block] == _PAIR
    if any_pair:
        _number_pairs(&tree, holder, kind, key, size, count, <int32_t*>rooms.room(2 * held, sizeof(int32_t)))
    # Of each key the number of its unit, from 1 on.
    cdef int32_t* unit_of = <int32_t*>rooms.room(size + (count + 1 if any_pair else 0), sizeof(int32_t))
    of_array = np.empty(count, dtype=np.int64)
    cdef int64_t* of_block = <int64_t*>_longs(of_array, count)
    with nogil:
        for block in range(count):
            unit = number
            if key[block] >= 0:
                if unit_of[key[block]] == 0:
                    unit_of[key[block]] = <int32_t>number + 1
                unit = unit_of[key[block]] - 1
            if unit == number:
                first[unit] = block
                number += 1
            last[unit] = block
            of_block[block] = unit
    rows, shows = np.empty((len(units.ROWS), number), dtype=np.int64), np.zeros(number, dtype=np.bool_)
    cdef Described told
    _point_at(&told, rows, shows)
    with nogil:
        _describe_units(tag, size, leaves, first_leaf, &tree, root, heading, kind, count, first, last, &told)
        _find_paragraphs(kind, count, first, last, room, &told)
    return units.Units(of_array, rows, shows)


cdef void _number_pairs(
    const ContainerTree* tree,
    const int64_t* holder,
    const uint8_t* kind,
    int64_t* key,
    Py_ssize_t size,
    Py_ssize_t count,
    int32_t* entries,
) noexcept nogil:
    """Keys of the blocks of definition lists: a term that follows no term begins a pair, and so does another list.

    Numbers of pairs stand behind those of all nodes. Entries are the outermost terms and explanations; blocks in none
    keep the key of their list.
    """
    cdef int32_t* owners = entries + tree.count  # of each container the list that it stands in
    cdef Py_ssize_t place, above, block
    cdef int32_t entry, last = 0
    cdef int64_t number = 0
    for place in range(1, tree.count):
        above = tree.parent[place]
        owners[place] = <int32_t>place if OPENS[tree.tag[place]] == _OPENS_PAIRS else owners[above]
        entries[place] = entries[above]
        if entries[place] == 0 and UNIT_BITS[tree.tag[place]] & _IS_ENTRY:
            entries[place] = <int32_t>place
    for block in range(count):
        entry = entries[holder[block]]
        if entry == 0:
            continue
        if entry != last:
            if last == 0 or owners[entry] != owners[last] or (tree.tag[entry] == _TERM and tree.tag[last] != _TERM):
                number += 1
            last = entry
        if kind[block] == _PAIR:
            key[block] = size + number


cdef void _open_structures(
    const uint8_t* tag,
    const uint8_t* flags,
    const int64_t* end,
    Py_ssize_t size,
    const int64_t* words,
    const int64_t* leaves,
    const int64_t* first_leaf,
    Py_ssize_t blocks,
    uint8_t* kinds,
    int32_t* still_open,
    Py_ssize_t openers,
) noexcept nogil:
    """Say of each node what structure it is by itself."""
    cdef Py_ssize_t node, block, depth = 0, row
    cdef int64_t all_words = 0
    cdef int32_t counted[_COUNTS]
    cdef int32_t* opened
    cdef double limit
    cdef int64_t closing = size, next_text = size  # where the innermost structure ends; where the next block begins
    cdef uint8_t bits, opens
    cdef int64_t quiet  # up to where no structure ends and no block begins
    for row in range(_COUNTS):
        counted[row] = 0
    for block in range(blocks):
        all_words += words[block]
    limit = MOST_OF_PAGE * <double>max(all_words, <int64_t>1)
    block = 0
    if blocks:
        next_text = leaves[first_leaf[0]]
    node = 0
    while True:
        quiet = min(closing, next_text)
        while node < quiet and not IS_NOTED[tag[node]]:
            node += 1
        if node >= size:
            break
        while depth and closing <= node:
            depth -= 1
            _judge(tag, kinds, still_open + depth * (_COUNTS + 1), counted, limit)
            closing = end[still_open[depth * (_COUNTS + 1) - 1]] if depth else size
        if node == next_text:
            counted[_COUNT_WORDS] += <int32_t>words[block]
            counted[_COUNT_BLOCKS] += 1
            block += 1
            next_text = leaves[first_leaf[block]] if block < blocks else size
            node += 1
            continue  # text opens nothing
        bits, opens = UNIT_BITS[tag[node]], OPENS[tag[node]]
        if opens and not flags[node] & _FOREIGN and depth < openers:
            opened = still_open + depth * (_COUNTS + 1)
            for row in range(_COUNTS):
                opened[row] = counted[row]
            opened[_COUNTS] = <int32_t>node
            depth += 1
            closing = end[node]
        elif bits & _IS_LISTING and not flags[node] & _FOREIGN:
            kinds[node] = _CODE
        counted[_COUNT_PARTS] += bits & _IS_PART != 0
        counted[_COUNT_ITEMS] += bits & _IS_LIST_ITEM != 0
        counted[_COUNT_LISTINGS] += bits & _IS_LISTING != 0
        node += 1
    while depth:
        depth -= 1
        _judge(tag, kinds, still_open + depth * (_COUNTS + 1), counted, limit)


cdef void _judge(
    const uint8_t* tag, uint8_t* kinds, const int32_t* opened, const int32_t* counted, double limit
) noexcept nogil:
    """What a structure is that is over, given what was counted when it was opened."""
    cdef Py_ssize_t node = opened[_COUNTS]
    cdef int64_t words = counted[_COUNT_WORDS] - opened[_COUNT_WORDS]
    cdef int64_t blocks = counted[_COUNT_BLOCKS] - opened[_COUNT_BLOCKS]
    cdef bint has_parts = counted[_COUNT_PARTS] > opened[_COUNT_PARTS]
    cdef bint is_small = <double>words <= limit
    cdef uint8_t opens = OPENS[tag[node]]
    if opens == _OPENS_TABLE:
        if kinds[node] == _LAYOUT_TABLE:
            # Numbers of lines in one cell, the lines in the other.
            kinds[node] = _CODE if counted[_COUNT_LISTINGS] - opened[_COUNT_LISTINGS] > 1 and blocks < 4 else _PLAIN
    elif opens == _OPENS_PAIRS:
        kinds[node] = _PLAIN if has_parts else _PAIR
    elif not has_parts and is_small:
        if opens == _OPENS_QUOTE:
            kinds[node] = _QUOTE
        elif opens == _OPENS_FIGURE:
            kinds[node] = _FIGURE
        elif <double>blocks <= ITEM_BLOCKS * (counted[_COUNT_ITEMS] - opened[_COUNT_ITEMS]):
            kinds[node] = _LIST


cdef void _close_structures(
    const ContainerTree* tree,
    const uint8_t* flags,
    const uint8_t* kinds,
    const int64_t* words,
    Py_ssize_t blocks,
    int64_t* before,
    int32_t* roots,
    int32_t* headings,
) noexcept nogil:
    """For each container the root of the outermost structure it lies in, and the nearest heading; 0 if none.

    Whatever has a block in it, such as the root of a structure that matters, is a container.
    """
    cdef Py_ssize_t place, above, block
    cdef int64_t node
    before[0] = 0
    for block in range(blocks):
        before[block + 1] = before[block] + words[block]
    for place in range(tree.count):
        node, above = tree.node[place], tree.parent[place]
        if place == 0:
            roots[0] = headings[0] = 0
            continue
        if UNIT_LEVELS[tree.tag[place]] and before[tree.last[place]] - before[tree.first[place]] <= HEADING_WORDS:
            headings[place] = <int32_t>node
        else:
            headings[place] = headings[above]
        roots[place] = roots[above]
        if roots[place] == 0 and kinds[node] != _PLAIN and not flags[node] & _FOREIGN:
            roots[place] = <int32_t>node


cdef inline Py_ssize_t _container_of(const ContainerTree* tree, int64_t node) noexcept nogil:
    cdef Py_ssize_t low = 0, high = tree.count, middle
    while low < high:
        middle = (low + high) // 2
        if tree.node[middle] < node:
            low = middle + 1
        else:
            high = middle
    return min(low, tree.count - 1)


cdef void _describe_units(
    const uint8_t* tag,
    Py_ssize_t size,
    const int64_t* leaves,
    const int64_t* first_leaf,
    const ContainerTree* tree,
    const int64_t* root,
    const int64_t* heading,
    const uint8_t* block_kind,
    Py_ssize_t blocks,
    const int64_t* firsts,
    const int64_t* lasts,
    Described* told,
) noexcept nogil:
    cdef Py_ssize_t unit, place, scope, other, step, last_heading = -1, leaf
    cdef int64_t first, last
    cdef uint8_t kind
    cdef int64_t heads[7]  # for each level the next heading that is as high
    for place in range(7):
        heads[place] = blocks
    for unit in range(told.count - 1, -1, -1):
        first = firsts[unit]
        told.kind[unit] = block_kind[first]
        told.level[unit] = UNIT_LEVELS[tag[heading[first]]] if told.kind[unit] == _HEADING else 0
        told.next_head[unit] = heads[told.level[unit]] if told.level[unit] else blocks
        if told.level[unit]:
            for other in range(told.level[unit], 7):
                heads[other] = first
    for unit in range(told.count):
        first, last, kind = firsts[unit], lasts[unit], <uint8_t>told.kind[unit]
        place = 0
        if kind != _PLAIN:
            place = _container_of(tree, heading[first] if kind == _HEADING else root[first])
        # The largest container around it that holds nothing else.
        for step in range(WRAPPERS):
            other = tree.parent[place]
            if (
                other == 0
                or tree.first[other] != first
                or tree.last[other] != last + 1
                or UNIT_BITS[tree.tag[place]] & _ENDS_SECTION
            ):
                break
            place = other
        told.body_start[unit] = told.body_end[unit] = last + 1
        if told.level[unit]:
            scope = place
            for step in range(WRAPPERS):
                if tree.last[scope] != last + 1 or UNIT_BITS[tree.tag[scope]] & _ENDS_SECTION:
                    break
                scope = tree.parent[scope]
            told.body_end[unit] = max(min(tree.last[scope], told.next_head[unit]), last + 1)
            if told.next_head[unit] == last + 1:
                leaf = leaves[first_leaf[last + 1]] if last + 1 < blocks else size
                for other in range(leaves[first_leaf[last + 1] - 1], leaf):
                    if UNIT_BITS[tag[other]] & _IS_SHOWN:
                        told.shows[unit] = True
                        break
        told.before[unit] = told.after[unit] = told.follows[unit] = told.under[unit] = -1
        if kind == _HEADING:
            last_heading = unit
        if not IS_STRUCTURE[kind]:
            continue
        if (
            last_heading >= 0
            and first - lasts[last_heading] <= NEAR_BLOCKS
            and first < told.body_end[last_heading]
        ):
            told.under[unit] = last_heading
        scope = tree.parent[place]
        if first > tree.first[scope]:
            told.follows[unit] = first - 1
        # Where this part of the page begins and ends; below the nearest paragraphs in it stand here.
        told.before[unit], told.after[unit] = tree.first[scope], tree.last[scope]


cdef void _find_paragraphs(
    const uint8_t* block_kind,
    Py_ssize_t blocks,
    const int64_t* firsts,
    const int64_t* lasts,
    int64_t* next_plain,
    Described* told,
) noexcept nogil:
    """The paragraphs around structures, given where the part of the page begins and ends in which each stands."""
    cdef Py_ssize_t unit, block
    cdef int64_t plain = -1, behind
    next_plain[blocks] = blocks
    for block in range(blocks - 1, -1, -1):
        next_plain[block] = block if block_kind[block] == _PLAIN else next_plain[block + 1]
    block = 0
    for unit in range(told.count):  # in the order of their first blocks
        while block < firsts[unit]:
            if block_kind[block] == _PLAIN:
                plain = block
            block += 1
        if IS_STRUCTURE[told.kind[unit]]:
            behind = next_plain[lasts[unit] + 1]
            told.before[unit] = plain if plain >= told.before[unit] else -1
            told.after[unit] = behind if behind < told.after[unit] else -1
