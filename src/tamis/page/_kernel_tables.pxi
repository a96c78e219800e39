# What tables hold, counted; see ``table_contents.py``.

cdef enum:
    # What a tag is to a table, as bits of one number.
    _IS_STRUCTURE = 1
    _IS_PAGE_PART = 2
    _IS_HEAD = 4
    _IS_CELL = 8
    # What is known of each node: its table, what is counted before it, the rows and captions next to it.
    _TABLE_OF = 0
    _STRUCTURES_BEFORE = 1
    _PARTS_BEFORE = 2
    _TABLES_BEFORE = 3
    _CAPTION_BEFORE = 4
    _ROW_BEHIND = 5
    _SEEN_BY = 6
    _KNOWN = 7
    # What is counted of each table that is asked for.
    _NODE = 0
    _FIRST = 1
    _LAST = 2
    _CHARACTERS = 3
    _HELD = 4
    _HEADS = 5
    _COUNTED = 6

cdef uint8_t TABLE_BITS[256]
cdef uint8_t _TABLE = TAG_CODES["table"], _ROW = TAG_CODES["tr"], _CAPTION = TAG_CODES["caption"]
cdef uint8_t _HEAD_CELL = TAG_CODES["th"]


def _fill_table_bits():
    bits = {
        _IS_STRUCTURE: table_facts.STRUCTURES,
        _IS_PAGE_PART: table_facts.PAGE_PARTS,
        _IS_HEAD: table_facts.HEADS,
        _IS_CELL: table_facts.CELLS,
    }
    for code in range(len(table_facts.CELLS)):
        TABLE_BITS[code] = sum(bit for bit, is_so in bits.items() if is_so[code])


_fill_table_bits()


def table_contents(
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] parent,
    const int64_t[::1] end,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
    const int64_t[::1] texts,
):
    cdef Py_ssize_t size = tag.shape[0], count = 0, cell_count = 0, number, node
    if not size == flags.shape[0] == parent.shape[0] == end.shape[0] == text_start.shape[0] == text_end.shape[0]:
        raise ValueError("arrays that do not belong together")
    cdef int32_t[:, ::1] known = np.empty((_KNOWN, size + 1), dtype=np.int32)
    cdef Py_ssize_t tables = _know_nodes(tag, flags, parent, known)
    cdef int64_t[:, ::1] counted = np.zeros((tables + 1, _COUNTED), dtype=np.int64)
    count = _choose_tables(tag, flags, end, texts, known, counted)
    cell_count = _count_cells(tag, known, counted, count)
    cells_array = np.empty(cell_count, dtype=np.int64)
    cdef int64_t[::1] cells = cells_array
    _sort_cells(tag, end, text_start, text_end, known, counted, cells)
    found = []
    for number in range(count):
        node = counted[number, _NODE]
        told = (
            node,
            counted[number, _FIRST],
            counted[number, _LAST],
            counted[number, _CHARACTERS],
            counted[number, _HELD],
            known[_PARTS_BEFORE, end[node]] - known[_PARTS_BEFORE, node + 1],
            counted[number, _HEADS],
            known[_TABLES_BEFORE, end[node]] - known[_TABLES_BEFORE, node + 1],
            _has_late_caption(known, node, end[node]),
            *_shape(tag, parent, known, cells, counted[number, _FIRST], counted[number, _LAST], number),
        )
        found.append(tuple.__new__(table_facts.TableContents, told))
    return found, cells_array


cdef Py_ssize_t _know_nodes(
    const uint8_t[::1] tag, const uint8_t[::1] flags, const int64_t[::1] parent, int32_t[:, ::1] known
) noexcept nogil:
    """Fill in all that is known of nodes, for each the number of its table as yet; gives how many tables there are."""
    cdef Py_ssize_t size = tag.shape[0], node, tables = 0
    cdef int32_t structures = 0, parts = 0, inner = 0, caption = -1, row = <int32_t>size
    for node in range(size):
        known[_STRUCTURES_BEFORE, node], known[_PARTS_BEFORE, node] = structures, parts
        known[_TABLES_BEFORE, node], known[_CAPTION_BEFORE, node] = inner, caption
        known[_SEEN_BY, node] = -1
        structures += TABLE_BITS[tag[node]] & _IS_STRUCTURE != 0
        parts += TABLE_BITS[tag[node]] & _IS_PAGE_PART != 0
        inner += tag[node] == _TABLE
        if tag[node] == _CAPTION:
            caption = <int32_t>node
        if tag[node] == _TABLE and not flags[node] & _FOREIGN:
            known[_TABLE_OF, node] = <int32_t>tables
            tables += 1
        else:
            known[_TABLE_OF, node] = known[_TABLE_OF, parent[node]] if node else -1
    known[_STRUCTURES_BEFORE, size], known[_PARTS_BEFORE, size] = structures, parts
    known[_TABLES_BEFORE, size], known[_CAPTION_BEFORE, size] = inner, caption
    known[_ROW_BEHIND, size] = row
    for node in range(size - 1, -1, -1):
        if tag[node] == _ROW:
            row = <int32_t>node
        known[_ROW_BEHIND, node] = row
    return tables


cdef Py_ssize_t _choose_tables(
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] end,
    const int64_t[::1] texts,
    int32_t[:, ::1] known,
    int64_t[:, ::1] counted,
) noexcept nogil:
    """Number the tables that hold some of the texts, which are sorted; nodes of the others belong to none."""
    cdef Py_ssize_t size = tag.shape[0], node, text = 0, chosen = 0
    for node in range(size):
        while text < texts.shape[0] and texts[text] < node:
            text += 1
        if tag[node] == _TABLE and not flags[node] & _FOREIGN:
            # Until all are numbered, _FIRST says for each table its number among those that are chosen.
            counted[known[_TABLE_OF, node], _FIRST] = -1
            if text < texts.shape[0] and texts[text] < end[node]:
                counted[known[_TABLE_OF, node], _FIRST] = chosen
                counted[chosen, _NODE] = node
                chosen += 1
    for node in range(size):
        if known[_TABLE_OF, node] >= 0:
            known[_TABLE_OF, node] = <int32_t>counted[known[_TABLE_OF, node], _FIRST]
    return chosen


cdef Py_ssize_t _count_cells(
    const uint8_t[::1] tag, const int32_t[:, ::1] known, int64_t[:, ::1] counted, Py_ssize_t count
) noexcept nogil:
    """Where the cells of each table begin, one table behind the other; and how many heads each has."""
    cdef Py_ssize_t node, number, table, cells = 0
    for node in range(tag.shape[0]):
        table = known[_TABLE_OF, node]
        if table >= 0:
            counted[table, _LAST] += TABLE_BITS[tag[node]] & _IS_CELL != 0
            counted[table, _HEADS] += TABLE_BITS[tag[node]] & _IS_HEAD != 0
    for number in range(count):
        counted[number, _FIRST] = cells
        cells += counted[number, _LAST]
        counted[number, _LAST] = counted[number, _FIRST]
    return cells


cdef void _sort_cells(
    const uint8_t[::1] tag,
    const int64_t[::1] end,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
    const int32_t[:, ::1] known,
    int64_t[:, ::1] counted,
    int64_t[::1] cells,
) noexcept nogil:
    """Write down the cells table by table, and count what they hold."""
    cdef Py_ssize_t node, table
    for node in range(tag.shape[0]):
        table = known[_TABLE_OF, node]
        if table >= 0 and TABLE_BITS[tag[node]] & _IS_CELL:
            cells[counted[table, _LAST]] = node
            counted[table, _LAST] += 1
            counted[table, _CHARACTERS] += text_end[node] - text_start[node]
            counted[table, _HELD] += known[_STRUCTURES_BEFORE, end[node]] - known[_STRUCTURES_BEFORE, node]


cdef bint _has_late_caption(const int32_t[:, ::1] known, Py_ssize_t table, Py_ssize_t end) noexcept nogil:
    """Whether the last caption in a table stands behind its first row."""
    cdef int32_t caption = known[_CAPTION_BEFORE, end], row = known[_ROW_BEHIND, table + 1]
    return caption > table and caption > row


cdef tuple _shape(
    const uint8_t[::1] tag,
    const int64_t[::1] parent,
    int32_t[:, ::1] known,
    const int64_t[::1] cells,
    Py_ssize_t first,
    Py_ssize_t last,
    Py_ssize_t number,
):
    """Whether all cells of a table stand in one row, no two in one row, and whether all are heads."""
    cdef bint is_row = True, is_column = True, is_all_heads = True
    cdef Py_ssize_t place, row
    for place in range(first, last):
        row = parent[cells[place]]
        is_row = is_row and row == parent[cells[first]]
        is_column = is_column and known[_SEEN_BY, row] != number
        known[_SEEN_BY, row] = <int32_t>number
        is_all_heads = is_all_heads and tag[cells[place]] == _HEAD_CELL
    return is_row, is_column, is_all_heads
