# What meta elements say: the compiled twin of ``meta_texts`` in ``_reference.py``.


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
