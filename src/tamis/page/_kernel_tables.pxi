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
cdef int64_t CELLS_PER_PART = table_facts.CELLS_PER_PART, LONGEST_CELL = table_facts.LONGEST_CELL
cdef frozenset NO_TABLE = table_facts.NO_TABLE, A_TABLE = table_facts.A_TABLE


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


cdef struct Table:
    # What is counted of a table; not what tables in it hold, but for the parts of a page.
    int64_t node, end, cells, characters, heads, parts, tables, row
    bint holds_text, is_row, is_column, is_all_heads, spans_columns


def layout_tables(page, texts):
    nodes = page.nodes
    cdef Py_ssize_t size = len(nodes.tag), node, count = 0
    cdef const uint8_t* tag = _bytes(nodes.tag, size)
    cdef const uint8_t* flags = _bytes(nodes.flags, size)
    cdef const int64_t* parent = _longs(nodes.parent, size)
    cdef const int64_t* end = _longs(nodes.end, size)
    cdef const int64_t* start = _longs(nodes.text_start, size)
    cdef const int64_t* stop = _longs(nodes.text_end, size)
    cdef Py_ssize_t text_count = len(texts)
    cdef const int64_t* text = _longs(texts, text_count)
    cdef Table* tables
    cdef int32_t* room
    for node in range(size):
        count += tag[node] == _TABLE
        if TABLE_BITS[tag[node]] & _IS_CELL and not 0 <= parent[node] < size:
            raise ValueError("a cell stands nowhere")
        if tag[node] == _TABLE and not node < end[node] <= size:
            raise ValueError("a table ends nowhere")
    if count == 0:
        return {}
    tables = <Table*>PyMem_Malloc(count * sizeof(Table))
    room = <int32_t*>PyMem_Malloc((count + 2 * size) * sizeof(int32_t))
    try:
        if tables is NULL or room is NULL:
            raise MemoryError
        memset(room, 0xFF, (count + 2 * size) * sizeof(int32_t))
        with nogil:
            count = _count_tables(
                size, tag, flags, parent, end, start, stop, text, text_count, tables, room, room + size, room + 2 * size
            )
        return _judge_tables(page, tag, tables, count, room)
    finally:
        PyMem_Free(tables)
        PyMem_Free(room)


cdef Py_ssize_t _count_tables(
    Py_ssize_t size,
    const uint8_t* tag,
    const uint8_t* flags,
    const int64_t* parent,
    const int64_t* end,
    const int64_t* start,
    const int64_t* stop,
    const int64_t* text,
    Py_ssize_t text_count,
    Table* tables,
    int32_t* table_of,
    int32_t* seen_by,
    int32_t* still_open,
) noexcept nogil:
    """Count what each table holds, and say of each cell whose it is. Gives how many tables there are."""
    cdef Py_ssize_t node, depth = 0, place = 0, count = 0
    cdef int64_t parts = 0, inner = 0
    cdef uint8_t bits
    cdef Table* table
    for node in range(size):
        bits = TABLE_BITS[tag[node]]
        if bits == 0:
            continue
        while depth and tables[still_open[depth - 1]].end <= node:
            depth -= 1
            table = tables + still_open[depth]
            table.parts, table.tables = parts - table.parts, inner - table.tables
        parts += bits & _IS_PAGE_PART != 0
        inner += tag[node] == _TABLE
        if tag[node] == _TABLE and not flags[node] & _FOREIGN:
            while place < text_count and text[place] < node:
                place += 1
            table = tables + count
            table.node, table.end, table.parts, table.tables = node, end[node], parts, inner
            table.cells = table.characters = table.heads = 0
            table.is_row = table.is_column = table.is_all_heads = True
            table.holds_text = place < text_count and text[place] < end[node]
            table.spans_columns = False
            still_open[depth] = <int32_t>count
            depth += 1
            count += 1
        elif depth:
            table = tables + still_open[depth - 1]
            table.heads += bits & _IS_HEAD != 0
            if bits & _IS_CELL:
                if table.cells == 0:
                    table.row = parent[node]
                table.cells += 1
                table.characters += stop[node] - start[node]
                table.is_row = table.is_row and parent[node] == table.row
                table.is_column = table.is_column and seen_by[parent[node]] != still_open[depth - 1]
                table.is_all_heads = table.is_all_heads and tag[node] == _HEAD_CELL
                table_of[node] = seen_by[parent[node]] = still_open[depth - 1]
    while depth:
        depth -= 1
        table = tables + still_open[depth]
        table.parts, table.tables = parts - table.parts, inner - table.tables
    return count


cdef dict _judge_tables(page, const uint8_t* tag, Table* tables, Py_ssize_t count, const int32_t* table_of):
    """Whether each table that holds a text is mere layout; what only attributes say is asked of all at once."""
    cdef Py_ssize_t number, node, held = 0, asked = 0
    cdef int64_t* cell
    cdef int64_t* at
    cdef Table* table
    cdef dict roles, found = {}
    for number in range(count):
        asked += tables[number].holds_text
        if _may_span(tables + number):
            held += tables[number].cells
    if not asked:
        return found
    if held:
        cells, held = _new_longs(held, &cell), 0
        for number in range(count):
            if _may_span(tables + number):
                for node in range(tables[number].node, tables[number].end):
                    if table_of[node] == number:
                        cell[held] = node
                        held += 1
        for number, columns in enumerate(page.attribute(cells, "colspan")):
            if columns:
                tables[table_of[cell[number]]].spans_columns = True
    nodes, asked = _new_longs(asked, &at), 0
    for number in range(count):
        if tables[number].holds_text:
            at[asked] = tables[number].node
            asked += 1
    roles = page.said("role", nodes)
    for number in range(count):
        table = tables + number
        if table.holds_text:
            found[table.node] = _is_layout(table, roles[table.node].lower() if table.node in roles else "")
    return found


cdef inline bint _may_span(const Table* table) noexcept nogil:
    """Whether cells that span columns would make more of a table than one column."""
    return table.holds_text and table.cells > 1 and table.is_column and not table.is_row


cdef bint _is_layout(const Table* table, str role) except -1:
    cdef bint is_long = table.characters > LONGEST_CELL * table.cells, is_said
    if table.cells < 2 or role in NO_TABLE:
        return True
    if not table.is_all_heads if table.is_row else table.is_column and not table.spans_columns:
        return True
    is_said = table.heads > 0 or role in A_TABLE
    if table.tables > 0:
        return not is_said or is_long
    return not is_said and (table.parts * CELLS_PER_PART > table.cells or is_long)
