# What may tell the headline of a page; see ``headlines.py``.

cdef uint8_t _FOREIGN = _model.FOREIGN, _UNSEEN = _model.INVISIBLE | _model.FOREIGN


def telling_nodes(
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const int64_t[::1] end,
    const uint8_t[::1] groups,
    Py_ssize_t declaring,
    Py_ssize_t apart,
    Py_ssize_t most,
):
    cdef Py_ssize_t size = tag.shape[0], node, group
    cdef int64_t part_end = 0  # of the last part that is set apart
    cdef list found = [[] for _ in range(apart)], one
    if flags.shape[0] != size or end.shape[0] != size or groups.shape[0] != 256:
        raise ValueError("arrays that do not belong together")
    for node in range(size):
        group = groups[tag[node]]
        if group == 0:
            continue
        if group == apart:
            part_end = max(part_end, end[node])
        elif group < apart and not flags[node] & (_FOREIGN if group <= declaring else _UNSEEN):
            one = found[group]
            if group <= declaring or (node >= part_end and len(one) < most):
                one.append(node)
    return found[1:]
