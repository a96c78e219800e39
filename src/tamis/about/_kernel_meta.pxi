# Elements by name, and what meta elements say: the compiled twins of ``named_outside`` and ``meta_texts``.

from libc.string cimport memchr


def named_outside(const uint8_t[::1] tag, const uint8_t[::1] flags, uint8_t code):
    cdef Py_ssize_t count = tag.shape[0], node
    cdef const uint8_t* start
    cdef const uint8_t* place
    cdef list found = []
    if flags.shape[0] != count:
        raise ValueError("arrays that do not belong together")
    if count == 0:
        return found
    start = place = &tag[0]
    while True:
        place = <const uint8_t*>memchr(place, code, start + count - place)
        if place is NULL:
            return found
        node = place - start
        if not flags[node] & _FOREIGN:
            found.append(node)
        place += 1


def meta_texts(list contents, list columns, Py_ssize_t most, Py_ssize_t longest):
    cdef Py_ssize_t place, number
    cdef dict found = {}
    cdef list column, values
    cdef str name, content
    for column in columns:
        if len(column) != len(contents):
            raise ValueError("columns that do not belong together")
    for place in range(len(contents)):
        content = None  # which is cleaned for those that have a name
        for number in range(len(columns)):
            name = (<list>columns[number])[place]
            if not name:
                continue
            name = name if _is_plain(name) else name.strip().lower()
            if not name:
                continue
            if content is None:
                content = contents[place]
                content = content if _is_clean(content) else _cleaned(content)
            if not content:
                break
            for name in (name[:longest].split() if number == 0 else (name[:longest],)):
                values = found.get(name)
                if values is None:
                    found[name] = values = []
                if len(values) < most and content not in values:
                    values.append(content)
    return found
