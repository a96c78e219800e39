# The elements that hold blocks; see ``containers.py``.

def build_containers(page):
    nodes, blocks = page.nodes, page.blocks
    cdef const int64_t[::1] parent = nodes.parent, end = nodes.end, holder = blocks.node
    cdef const int64_t[::1] leaves = blocks.leaves, first_leaf = blocks.first_leaf
    cdef const uint8_t[::1] tag = nodes.tag
    cdef Py_ssize_t size = tag.shape[0], count = holder.shape[0], node, block, place, total = 0
    # For each node: how many blocks begin before it, and how many containers up to it, less one; and the containers.
    cdef int32_t[:, ::1] known = np.empty((3, size + 1), dtype=np.int32)
    cdef int32_t[::1] begun = known[0], position = known[1], chosen = known[2]
    with nogil:
        block = 0
        for node in range(size):
            begun[node] = <int32_t>block
            if block < count and leaves[first_leaf[block]] == node:
                block += 1
        begun[size] = <int32_t>block
        for node in range(size):  # without a branch: nobody could guess which way it goes
            chosen[total] = <int32_t>node
            total += (node == 0 and count > 0) | (IS_ELEMENT[tag[node]] & (begun[end[node]] > begun[node]))
            position[node] = <int32_t>(total - 1)
    arrays = [np.empty(total, dtype=np.int64) for _ in range(5)]
    tags_array = np.empty(total, dtype=np.uint8)
    holder_array, leaf_array = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    cdef int64_t[::1] at = arrays[0], above = arrays[1], first = arrays[2], last = arrays[3], stop = arrays[4]
    cdef uint8_t[::1] tags = tags_array
    cdef int64_t[::1] held = holder_array, leaf = leaf_array
    with nogil:
        for place in range(total):
            node = chosen[place]
            at[place] = node
            tags[place] = tag[node]
            above[place] = position[parent[node]] if node else 0
            first[place], last[place] = begun[node], begun[end[node]]
            stop[place] = position[end[node] - 1] + 1
        for block in range(count):
            held[block] = position[holder[block]]
            leaf[block] = position[parent[leaves[first_leaf[block]]]]
    cdef list called = page.names(arrays[0])
    cdef dict number = {}
    cdef object name
    cdef PyObject* found
    name_array = np.empty(total, dtype=np.int64)
    cdef int64_t[::1] which = name_array
    for place in range(total):
        name = called[place]
        found = PyDict_GetItem(number, name)
        if found is NULL:
            which[place] = len(number)
            number[name] = which[place]
        else:
            which[place] = <object>found
    return Containers(
        node=arrays[0],
        tag=tags_array,
        names=tuple(number),
        name=name_array,
        parent=arrays[1],
        first=arrays[2],
        last=arrays[3],
        end=arrays[4],
        holder=holder_array,
        leaf=leaf_array,
    )
