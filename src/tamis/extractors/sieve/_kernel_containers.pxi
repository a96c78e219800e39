# The elements that hold blocks; see ``containers.py``.

def build_containers(page):
    nodes, blocks = page.nodes, page.blocks
    cdef Py_ssize_t size = len(nodes.tag), count = len(blocks.node), texts = len(blocks.leaves), node, block = 0, place
    cdef Py_ssize_t total = 0
    cdef const uint8_t* tag = _bytes(nodes.tag, size)
    cdef const int64_t* parent = _longs(nodes.parent, size)
    cdef const int64_t* end = _longs(nodes.end, size)
    cdef const int64_t* holder = _longs(blocks.node, count)
    cdef const int64_t* leaves = _longs(blocks.leaves, texts)
    cdef const int64_t* first_leaf = _longs(blocks.first_leaf, count + 1)
    cdef _Rooms rooms = _Rooms()
    # For each node: how many blocks begin before it, and how many containers up to it, less one; and the containers.
    cdef int32_t* begun = <int32_t*>rooms.space(3 * (size + 1), sizeof(int32_t))
    cdef int32_t* position = begun + size + 1
    cdef int32_t* chosen = position + size + 1
    cdef int64_t *at, *above, *first, *last, *stop, *which, *held, *leaf
    cdef int64_t next_leaf
    with nogil:
        next_leaf = leaves[first_leaf[0]] if count else size
        for node in range(size):
            begun[node] = <int32_t>block
            if node == next_leaf:
                block += 1
                next_leaf = leaves[first_leaf[block]] if block < count else size
        begun[size] = <int32_t>block
        for node in range(size):  # without a branch: nobody could guess which way it goes
            chosen[total] = <int32_t>node
            total += (node == 0 and count > 0) | (IS_ELEMENT[tag[node]] & (begun[end[node]] > begun[node]))
            position[node] = <int32_t>(total - 1)
    node_array, above_array, name_array = _new_longs(total, &at), _new_longs(total, &above), _new_longs(total, &which)
    first_array, last_array, stop_array = _new_longs(total, &first), _new_longs(total, &last), _new_longs(total, &stop)
    holder_array, leaf_array = _new_longs(count, &held), _new_longs(count, &leaf)
    tag_array = _empty(total, _byte)
    cdef uint8_t* tags = <uint8_t*>_bytes(tag_array, total)
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
    cdef list called = page.names(node_array)
    cdef dict number = {}
    cdef object name
    cdef PyObject* found
    for place in range(total):
        name = called[place]
        found = PyDict_GetItem(number, name)
        if found is NULL:
            which[place] = len(number)
            number[name] = which[place]
        else:
            which[place] = <object>found
    return Containers(
        node=node_array,
        tag=tag_array,
        names=tuple(number),
        name=name_array,
        parent=above_array,
        first=first_array,
        last=last_array,
        end=stop_array,
        holder=holder_array,
        leaf=leaf_array,
    )
