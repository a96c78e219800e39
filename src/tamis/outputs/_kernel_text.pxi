# Plain text: runs of pieces as paragraphs, and where they stand in lists.


def runs(node, run, is_blank, flags):
    cdef Py_ssize_t pieces = len(node), size = len(flags), piece = 0, begin, number = 0
    cdef bint is_filled
    cdef list code = []
    cdef const int64_t* nodes = _longs(node, pieces)
    cdef const int64_t* runs = _longs(run, pieces)
    cdef const uint8_t* blank = _bytes(is_blank, pieces)
    cdef const uint8_t* flag = _bytes(flags, size)
    cdef int64_t* start = <int64_t*>PyMem_Malloc(2 * pieces * sizeof(int64_t))
    cdef int64_t* first = start + pieces
    if start is NULL:
        raise MemoryError
    try:
        while piece < pieces:
            begin, is_filled = piece, False
            while piece < pieces and runs[piece] == runs[begin]:
                is_filled |= not blank[piece]
                piece += 1
            if not is_filled:
                continue
            if not 0 <= nodes[begin] < size:
                raise IndexError("a piece lies outside of the page")
            start[number], first[number] = nodes[begin], begin
            if flag[nodes[begin]] & _PREFORMATTED:
                code.append(number)
            number += 1
        return _runs((_copied(start, number), _copied(first, number), code))
    finally:
        PyMem_Free(start)


cdef struct Pieces:
    Py_ssize_t count
    const int64_t* start
    const int64_t* end
    const int64_t* run
    const int64_t* node
    const int64_t* line  # of every node of the page
    const uint8_t* apart


cdef struct Place:
    Py_ssize_t first, stop  # the pieces of a run
    int64_t lines, tabs, blanks  # before it
    int64_t indent, mark  # blanks before each of its lines, and as wide as its mark those after the first
    uint32_t line_end  # between its lines


def written(
    str text not None, node, start, end, run, is_apart, line, first, dict code, dict marks, items, rows, listed
):
    cdef Py_ssize_t count = len(first), number, piece, pieces = len(node), nodes = len(line)
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text), room = 0, length
    cdef const int64_t* firsts = _longs(first, count)
    cdef Pieces kept
    cdef Place* places
    cdef Place* place
    kept.count = pieces
    kept.start, kept.end = _longs(start, pieces), _longs(end, pieces)
    kept.run, kept.node = _longs(run, pieces), _longs(node, pieces)
    kept.apart, kept.line = _bytes(is_apart, pieces), _longs(line, nodes)
    if not count:
        return ""
    for piece in range(pieces):
        if kept.start[piece] < 0 or kept.end[piece] > size or kept.end[piece] < kept.start[piece]:
            raise IndexError("a piece lies outside of the text")
        if not 0 <= kept.node[piece] < nodes:
            raise IndexError("a piece lies outside of the page")
    places = <Place*>PyMem_Calloc(count, sizeof(Place))
    if places is NULL:
        raise MemoryError
    cdef void* out = NULL
    try:
        piece = 0
        for number in range(count):
            if not piece <= firsts[number] < pieces:
                raise IndexError("runs that are not in order, or lie outside of the pieces")
            place, piece = &places[number], firsts[number]
            place.first = piece
            while piece < pieces and kept.run[piece] == kept.run[place.first]:
                piece += 1
            place.stop = piece
        _find_places(places, count, code, marks, items, rows, listed)
        for number in range(count):
            place = &places[number]
            room += place.lines + place.tabs + place.blanks + place.indent + place.mark
            if code and number in code:
                room += len(<str?>code[number])
                continue
            for piece in range(place.first, place.stop):
                room += kept.end[piece] - kept.start[piece] + 2 + place.indent + place.mark
        out = PyMem_Malloc((room + 1) * unit)
        if out is NULL:
            raise MemoryError
        if unit == 1:
            length = _write_all(<const uint8_t*>data, <uint8_t*>out, &kept, places, count, code, marks, &_CLASSES[0])
        elif unit == 2:
            length = _write_all(<const uint16_t*>data, <uint16_t*>out, &kept, places, count, code, marks, &_CLASSES[0])
        else:
            length = _write_all(<const uint32_t*>data, <uint32_t*>out, &kept, places, count, code, marks, &_CLASSES[0])
        return PyUnicode_FromKindAndData(unit, out, length)
    finally:
        PyMem_Free(places)
        PyMem_Free(out)


cdef int _find_places(
    Place* places, Py_ssize_t count, dict code, dict marks, items, rows, listed
) except -1:
    """What stands before each block, and before its lines."""
    cdef Py_ssize_t number, lines = len(listed)
    cdef const int64_t* next_line = _longs(listed, lines)
    cdef const uint8_t* is_next = NULL
    cdef const uint8_t* is_cell = NULL
    cdef const int64_t* depth = NULL
    cdef const int64_t* line_ends = NULL
    cdef const int64_t* tabs = NULL
    cdef Place* place
    if items is not None:
        next_array, depth_array = items.is_next, items.depth
        is_next, depth = _bytes(next_array, count), _longs(depth_array, count)
    if rows is not None:
        cell_array, line_array, tab_array = rows.is_cell, rows.lines, rows.tabs
        is_cell, line_ends, tabs = _bytes(cell_array, count), _longs(line_array, count), _longs(tab_array, count)
    for number in range(count):
        place = &places[number]
        place.line_end = _LINE_END
        if is_cell is not NULL and is_cell[number]:
            if not (0 <= line_ends[number] <= _MOST_WHITE and 0 <= tabs[number] <= _MOST_WHITE):
                raise IndexError("a gap that no table has")
            place.line_end = _BLANK
            place.lines, place.tabs = line_ends[number] if number else 0, tabs[number]
            place.blanks = number > 0 and not line_ends[number] and not tabs[number]
            continue
        place.lines = 2 if number else 0
        if is_next is not NULL:
            if is_next[number] and not (number and is_cell is not NULL and is_cell[number - 1]):
                place.lines = 1
            if not code or number not in code:
                place.indent = 2 * max(0, min(depth[number], _MOST_INDENTS))
        if marks and number in marks:
            place.mark = len(<str?>marks[number])
    for number in range(lines):
        if not 0 <= next_line[number] < count:
            raise IndexError("a line is none of the blocks")
        if is_cell is NULL or not is_cell[next_line[number]]:
            places[next_line[number]].lines = 1
    return 0


cdef int64_t _write_all(
    const Char* data,
    Char* out,
    const Pieces* kept,
    const Place* places,
    Py_ssize_t count,
    dict code,
    dict marks,
    const uint8_t* classes,
) except -1:
    """All blocks; gives the number of characters."""
    cdef int64_t length = 0
    cdef Py_ssize_t number
    cdef const Place* place
    for number in range(count):
        place = &places[number]
        length = _fill(out, length, _LINE_END, place.lines)
        length = _fill(out, length, _TAB, place.tabs)
        length = _fill(out, length, _BLANK, place.blanks + place.indent)
        if place.mark:
            length = _copy(out, length, marks[number], _LINE_END)
        if code and number in code:
            length = _copy(out, length, code[number], place.line_end)
        else:
            length += _write(data, &out[length], kept, place, classes)
    return length


cdef inline int64_t _fill(Char* out, int64_t length, uint8_t character, int64_t times) noexcept nogil:
    cdef int64_t place
    for place in range(length, length + times):
        out[place] = character
    return length + times


cdef int64_t _copy(Char* out, int64_t length, str text, uint32_t line_end) except -1:
    """A text that is written as it is but for its line ends; gives the number of characters with it."""
    cdef Py_ssize_t place
    cdef uint32_t character
    if PyUnicode_KIND(text) > <int>sizeof(Char):
        raise ValueError("a text with other characters than the page")
    for place in range(PyUnicode_GET_LENGTH(text)):
        character = PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), place)
        out[length + place] = <Char>(line_end if character == _LINE_END else character)
    return length + PyUnicode_GET_LENGTH(text)


cdef int64_t _write(
    const Char* data, Char* out, const Pieces* kept, const Place* run, const uint8_t* classes
) noexcept nogil:
    """One run; gives the number of characters."""
    cdef int64_t length = 0, place, stop, last_line = kept.line[kept.node[run.first]]
    cdef int64_t line_begin = 0
    cdef Py_ssize_t piece
    cdef uint8_t is_space, is_after_space = 1
    cdef Char character
    for piece in range(run.first, run.stop):
        if kept.line[kept.node[piece]] != last_line and length:
            if is_after_space:
                length -= 1 + run.indent + run.mark if length == line_begin else 1
            out[length] = <Char>run.line_end
            length = _fill(out, length + 1, _BLANK, run.indent + run.mark)
            line_begin = length
            is_after_space = 1
        elif kept.apart[piece] and not is_after_space:
            out[length] = _BLANK
            length += 1
            is_after_space = 1
        last_line = kept.line[kept.node[piece]]
        place = kept.start[piece]
        while place < kept.end[piece]:
            if kept.end[piece] - place >= <int64_t>(_WORD // sizeof(Char)) and _is_settled(&data[place], is_after_space):
                memcpy(&out[length], &data[place], _WORD)
                length += _WORD // sizeof(Char)
                place += _WORD // sizeof(Char)
                is_after_space = data[place - 1] == _BLANK
                continue
            # Without a branch: where words end is what a processor guesses worst. Every character is written, white
            # space as a blank; behind a blank, and at the beginning, the place is not moved on, so that the next one
            # takes it.
            stop = min(place + <int64_t>(_WORD // sizeof(Char)), kept.end[piece])
            while place < stop:
                character = data[place]
                is_space = classes[character] == _SPACE
                out[length] = character ^ ((character ^ _BLANK) & <Char>(0 - is_space))
                length += 1 ^ (is_space & is_after_space)
                is_after_space = is_space
                place += 1
    if is_after_space and length:
        length -= 1 + run.indent + run.mark if length == line_begin else 1
    return length


cdef inline bint _is_settled(const Char* data, uint8_t is_after_space) noexcept nogil:
    """Whether as many characters as a word of memory holds are written as they are: ASCII, and no space but one blank."""
    cdef int bits = 8 * sizeof(Char)
    cdef uint64_t word, blanks, each = ~(<uint64_t>0) // (~(<uint64_t>0) >> (64 - bits))  # 1 in the place of each
    memcpy(&word, data, _WORD)
    # None has a bit above the seven of ASCII, and 0x60 more would give each the eighth: it is no control character.
    if (word | (word + 0x60 * each)) & ~(0x7F * each) != 0x80 * each or word & (0x80 * each):
        return False
    blanks = ~((word ^ (_BLANK * each)) + 0x7F * each) & (0x80 * each)
    return not blanks & (blanks << bits) and not (is_after_space and data[0] == _BLANK)


def count_words(str text not None, node, start, end, run, is_apart, line):
    cdef const uint8_t* classes = &_CLASSES[0]
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text), found = 0
    cdef Py_ssize_t piece, pieces = len(node), count = len(line)
    cdef uint8_t last = _SPACE
    cdef const int64_t* nodes = _longs(node, pieces)
    cdef const int64_t* starts = _longs(start, pieces)
    cdef const int64_t* ends = _longs(end, pieces)
    cdef const int64_t* runs = _longs(run, pieces)
    cdef const uint8_t* apart = _bytes(is_apart, pieces)
    cdef const int64_t* lines = _longs(line, count)
    for piece in range(pieces):
        if starts[piece] < 0 or ends[piece] > size or not 0 <= nodes[piece] < count:
            raise IndexError("a piece lies outside of the text, or of the page")
        if piece and (
            apart[piece] or runs[piece] != runs[piece - 1] or lines[nodes[piece]] != lines[nodes[piece - 1]]
        ):
            last = _SPACE
        if unit == 1:
            found += _words(<const uint8_t*>data, starts[piece], ends[piece], classes, &last)
        elif unit == 2:
            found += _words(<const uint16_t*>data, starts[piece], ends[piece], classes, &last)
        else:
            found += _words(<const uint32_t*>data, starts[piece], ends[piece], classes, &last)
    return found


cdef int64_t _words(const Char* data, int64_t start, int64_t end, const uint8_t* classes, uint8_t* last) noexcept nogil:
    """A word begins where no space stands, but not behind a letter if it is one; what is not seen is passed over."""
    cdef int64_t place, found = 0
    cdef uint8_t kind
    for place in range(start, end):
        if data[place] >= 0xAD and (
            data[place] == 0xAD or data[place] == 0x200B or data[place] == 0x2060 or data[place] == 0xFEFF
        ):
            continue
        kind = classes[data[place]]
        found += kind != _SPACE and (kind != _LETTER or last[0] != _LETTER)
        last[0] = kind
    return found


cdef enum:  # what a node is to lists
    _IS_LIST = 1
    _IS_BARE = 2
    _IN_LIST = 4


def list_places(starts, tag, parent, end, is_list, is_item, bare):
    cdef Py_ssize_t count = len(starts), size = len(tag), codes = len(is_list), bares = len(bare), number
    cdef int64_t node, above, nearest_item, outermost, met, between, list_end = 0  # of the list around all others
    cdef const int64_t* nodes = _longs(starts, count)
    cdef const uint8_t* tags = _bytes(tag, size)
    cdef const int64_t* parents = _longs(parent, size)
    cdef const int64_t* ends = _longs(end, size)
    cdef const uint8_t* list_tags = _bytes(is_list, codes)
    cdef const uint8_t* item_tags = _bytes(is_item, codes)
    cdef const int64_t* bare_lists = _longs(bare, bares)
    item_array, depth_array = _zeros(count, _long), _zeros(count, _long)
    cdef int64_t* item = <int64_t*>_longs(item_array, count)
    cdef int64_t* depth = <int64_t*>_longs(depth_array, count)
    cdef uint8_t* is_next = NULL
    next_array = _new_marks(count, &is_next)
    cdef int64_t* root = <int64_t*>PyMem_Calloc(count, sizeof(int64_t))
    cdef uint8_t* kinds = <uint8_t*>PyMem_Calloc(size, sizeof(uint8_t))
    cdef int32_t* blocks = <int32_t*>PyMem_Calloc(size, sizeof(int32_t))  # of each item; the document stands for none
    try:
        if root is NULL or kinds is NULL or blocks is NULL:
            raise MemoryError
        for number in range(bares):
            if not 0 <= bare_lists[number] < size:
                raise IndexError("a list lies outside of the page")
            kinds[bare_lists[number]] = _IS_BARE
        for node in range(size):
            if tags[node] >= codes:
                raise IndexError("a tag that is unknown")
            if list_tags[tags[node]] and kinds[node] != _IS_BARE:
                kinds[node] = _IS_LIST
                if node >= list_end:
                    list_end = ends[node]
            if node < list_end:
                kinds[node] |= _IN_LIST
        for number in range(count):
            node = nodes[number]
            if not 0 <= node < size:
                raise IndexError("a block lies outside of the page")
            nearest_item = outermost = met = between = 0
            while node > 0 and kinds[node] & _IN_LIST:
                above = parents[node]
                if not 0 <= above < node:
                    raise IndexError("a parent that does not stand before the node")
                if item_tags[tags[node]] and kinds[above] & _IS_LIST:
                    if nearest_item == 0:
                        nearest_item = node
                        met = 0
                    outermost = 0
                elif kinds[node] & _IS_LIST:
                    met += 1
                    if outermost == 0:
                        outermost = node
                        between = met - 1
                node = above
            if outermost:
                root[number] = outermost
                item[number] = nearest_item
                depth[number] = between if nearest_item else 0
            blocks[item[number]] += 1
        for number in range(1, count):
            is_next[number] = (
                item[number] > 0
                and item[number - 1] > 0
                and item[number] != item[number - 1]
                and root[number] == root[number - 1]
                and blocks[item[number]] == 1
                and blocks[item[number - 1]] == 1
            )
    finally:
        PyMem_Free(root)
        PyMem_Free(kinds)
        PyMem_Free(blocks)
    return _list_places((item_array, next_array, depth_array))


def described(const uint8_t[::1] tag, const int64_t[::1] parent, is_kept, uint8_t term, uint8_t description):
    cdef const uint8_t[::1] kept = is_kept.view(np.uint8)
    cdef Py_ssize_t size = tag.shape[0], node
    if not parent.shape[0] == kept.shape[0] == size:
        raise IndexError("columns that do not belong together")
    _check_parents(parent)
    found_array = _zeros(size, _truth)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    cdef uint8_t[::1] has_term = _zeros(size, _byte)  # of an element, whether the last term in it is kept
    for node in range(1, size):
        if tag[node] == term:
            has_term[parent[node]] = kept[node]
        elif tag[node] == description:
            found[node] = has_term[parent[node]]
    return found_array


def row_places(starts, column, is_table, parent):
    cdef Py_ssize_t count = len(starts), size = len(parent), number, node
    cdef int64_t cell, table = 0, row, last_cell = 0, last_table = 0, last_row = 0
    cdef const int64_t* nodes = _longs(starts, count)
    cdef const int64_t* columns = _longs(column, size)
    cdef const uint8_t* table_marks = _bytes(is_table, size)
    cdef const int64_t* parents = _longs(parent, size)
    line_array, tab_array = _zeros(count, _long), _zeros(count, _long)
    cdef int64_t* lines = <int64_t*>_longs(line_array, count)
    cdef int64_t* tabs = <int64_t*>_longs(tab_array, count)
    cdef uint8_t* is_cell = NULL
    cell_array = _new_marks(count, &is_cell)
    for number in range(count):
        node = nodes[number]
        if not 0 <= node < size:
            raise IndexError("a block lies outside of the page")
        cell = table = 0
        while node > 0 and not (cell and table):
            if cell == 0 and columns[node] >= 0:
                cell = node
            if table == 0 and table_marks[node]:
                table = node
            if parents[node] >= node:
                raise IndexError("a parent that does not stand before the node")
            node = parents[node]
        row = parents[cell]
        if cell:
            is_cell[number] = True
            if number == 0 or last_cell == 0 or table != last_table:
                lines[number], tabs[number] = 2, columns[cell]
            elif cell != last_cell and row == last_row:
                tabs[number] = max(columns[cell] - columns[last_cell], 1)
            elif cell != last_cell:
                lines[number], tabs[number] = 1, columns[cell]
        last_cell, last_table, last_row = cell, table, row
    return _row_places((cell_array, line_array, tab_array))


def table_cells(const uint8_t[::1] tag, const int64_t[::1] parent, is_cell):
    cdef const uint8_t[::1] cell_tags = is_cell.view(np.uint8)
    cdef Py_ssize_t size = tag.shape[0], node, count = 0
    cdef int64_t row = -1, last = -1
    if parent.shape[0] != size:
        raise IndexError("columns that do not belong together")
    for node in range(size):
        if tag[node] >= cell_tags.shape[0]:
            raise IndexError("a tag that is unknown")
        count += cell_tags[tag[node]]
    cell_array, column_array = _empty(count, _long), _empty(count, _long)
    cdef int64_t[::1] cells = cell_array, columns = column_array
    count = 0
    for node in range(size):
        if cell_tags[tag[node]]:
            last = last + 1 if parent[node] == row else 0
            row = parent[node]
            cells[count], columns[count] = node, last
            count += 1
    return cell_array, column_array
