# A row for each feature, an entry for each block; see ``features/``.

cdef struct Sums:
    # Of all blocks before one.
    double words
    double links
    double characters
    double text
    double tags


cdef struct Totals:
    # Of all blocks.
    Sums sums
    double ends
    double commas
    double longest
    Py_ssize_t headings
    Py_ssize_t items
    Py_ssize_t hidden


cdef struct Weighed:
    # A block as simpler methods weigh it.
    double points
    double gain


cdef struct Holder:
    # What is known of a container by itself, and what the best of those around it are.
    double share
    double length
    double density
    double text_share
    double words
    double link_share
    double strength
    double strongest
    double least_name
    double most_name


cdef enum:
    # Whole numbers, summed over a container and all around it.
    _DEPTHS = 0
    _PATHS = 1
    _FIRST_AROUND = 2
    _SECOND_AROUND = 3
    _COMMENTS = 4
    _NAMES_AROUND = 5
    _NAMES_OWN = 6
    _PATH_ROWS = 7


cdef struct Path:
    uint64_t sums[_PATH_ROWS]


cdef struct Counted:
    # Of blocks whose containers look alike.
    double blocks
    double words
    double links
    double text


cdef struct Alike:
    # Containers that look alike, and what is counted of the blocks that they hold, and that are held one level down.
    Counted held
    Counted below


if sizeof(Alike) + sizeof(uint64_t) > sizeof(Holder):
    raise ImportError("where holders stood there is no room for what looks alike")


cdef struct Given:
    # The arrays of a page and of its containers, which hold them, and what is found out about them.
    Py_ssize_t size  # blocks
    Py_ssize_t held  # containers
    Py_ssize_t nodes
    const uint8_t* tag
    const uint8_t* flags
    const uint8_t* hidden_flags
    const int64_t* depth
    const int64_t* text_start
    const int64_t* text_end
    const int64_t* node
    const int64_t* leaves
    const int64_t* first_leaf
    const int64_t* start
    const int64_t* stop
    const int64_t* words
    const int64_t* link_words
    const int64_t* characters
    const uint8_t* container_tag
    const int64_t* parent
    const int64_t* first
    const int64_t* last
    const int64_t* end
    const int64_t* name
    const int64_t* holder
    const int64_t* leaf
    const int64_t* own_tag  # what tags weigh
    const int64_t* around_tag
    const NameFact* called
    Match* matches
    Sums* sums
    Weighed* weighed
    Holder* holders
    Path* paths
    float* out  # a row for each feature


cdef Given _given(page, nodes, blocks, containers, class_names, _Rooms rooms) except *:
    """What is read of a page, of the sizes that belong together; and room for what is found out."""
    cdef Given own
    cdef Py_ssize_t texts, place
    own.size, own.held, own.nodes, texts = len(blocks.node), len(containers.node), len(nodes.tag), len(blocks.leaves)
    if not own.size:
        raise ValueError("a page without blocks has no features")
    own.tag, own.flags = _bytes(nodes.tag, own.nodes), _bytes(nodes.flags, own.nodes)
    own.hidden_flags, own.depth = _bytes(page.hidden_flags, own.nodes), _longs(nodes.depth, own.nodes)
    own.text_start, own.text_end = _longs(nodes.text_start, own.nodes), _longs(nodes.text_end, own.nodes)
    own.node, own.leaves = _longs(blocks.node, own.size), _longs(blocks.leaves, texts)
    own.first_leaf = _longs(blocks.first_leaf, own.size + 1)
    own.start, own.stop = _longs(blocks.start, own.size), _longs(blocks.end, own.size)
    own.words, own.link_words = _longs(blocks.words, own.size), _longs(blocks.link_words, own.size)
    own.characters = _longs(blocks.characters, own.size)
    own.container_tag, own.name = _bytes(containers.tag, own.held), _longs(containers.name, own.held)
    own.parent, own.end = _longs(containers.parent, own.held), _longs(containers.end, own.held)
    own.first, own.last = _longs(containers.first, own.held), _longs(containers.last, own.held)
    own.holder, own.leaf = _longs(containers.holder, own.size), _longs(containers.leaf, own.size)
    own.own_tag = _longs(class_names.tag_weights, 2 * len(TAG_NAMES))
    own.around_tag = own.own_tag + len(TAG_NAMES)
    own.called = _name_facts(containers, class_names, rooms)
    own.matches = <Match*>rooms.room(own.size, sizeof(Match))
    own.sums = <Sums*>rooms.space(own.size + 1, sizeof(Sums))
    own.weighed = <Weighed*>rooms.space(own.size, sizeof(Weighed))
    own.holders = <Holder*>rooms.room(own.held, sizeof(Holder))
    own.paths = <Path*>rooms.space(own.held, sizeof(Path))
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(page.text)
    for place in range(texts):
        if own.text_start[own.leaves[place]] < 0 or own.text_end[own.leaves[place]] > length:
            raise AssertionError("a text lies outside of the page")  # cannot be; but what is read here is memory
    for place in range(own.size):
        if not 0 <= own.start[place] <= own.stop[place] <= length:
            raise AssertionError(f"block {place} lies outside of the page")
    return own


def read_evidence(page, containers, class_names, word_table):
    nodes, blocks = page.nodes, page.blocks  # which hold what is read, even if another thread reads the page anew
    cdef _Rooms rooms = _Rooms()
    cdef Given given = _given(page, nodes, blocks, containers, class_names, rooms)
    cdef Py_ssize_t place
    cdef int64_t *groups
    cdef int64_t *paths
    cdef uint8_t* in_comments
    matrix = _empty((len(NAMES), given.size), _single)
    given.out = <float*>_floats(matrix, len(NAMES) * given.size)
    groups_array, paths_array = _new_longs(given.size, &groups), _new_longs(given.held, &paths)
    comments_array = _empty(given.size, _truth)
    in_comments = <uint8_t*>_bytes(comments_array, given.size)
    cdef str text = page.text
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef _PhraseIndex phrases = _indexed(word_table)
    cdef double says[_SAYINGS]
    cdef const int64_t* moves = _longs(_MOVES, len(_MOVES))
    for place, is_said in enumerate(claims(page, _elements(&given, _META), _elements(&given, _SCRIPT))):
        says[place] = is_said
    _match_texts(page, &given, rooms)
    cdef Totals totals
    cdef int32_t* alike
    with nogil:
        if unit == 1:
            _count_characters(<const uint8_t*>data, &given, moves)
            _read_wording(<const uint8_t*>data, &given, &phrases.phrases)
        elif unit == 2:
            _count_characters(<const uint16_t*>data, &given, moves)
            _read_wording(<const uint16_t*>data, &given, &phrases.phrases)
        else:
            _count_characters(<const uint32_t*>data, &given, moves)
            _read_wording(<const uint32_t*>data, &given, &phrases.phrases)
        totals = _count_blocks(&given)
        _place_blocks(&given, &totals)
        _walk_containers(&given, &totals)
        _look_up(&given)
        _find_candidate(&given, &totals)
    alike = <int32_t*>rooms.space(5 * given.held, sizeof(int32_t))
    with nogil:
        _find_alike(&given, &totals, alike, groups)
        for place in range(given.size):
            in_comments[place] = given.paths[given.holder[place]].sums[_COMMENTS] > 0
        for place in range(given.held):
            paths[place] = <int64_t>given.paths[place].sums[_PATHS]
        _tell_page(&given, &totals, alike, in_comments, says)
    vars(containers)["paths"] = paths_array.view(_bits)  # which would be computed anew if somebody asked
    return Evidence(matrix, groups_array, comments_array)


cdef object _elements(const Given* given, uint8_t tag):
    """The elements with a tag that few have."""
    cdef const uint8_t* end = given.tag + given.nodes
    cdef const uint8_t* found = <const uint8_t*>memchr(given.tag, tag, given.nodes)
    cdef Py_ssize_t count = 0
    cdef int64_t* node
    while found != NULL:
        count += 1
        found = <const uint8_t*>memchr(found + 1, tag, end - found - 1)
    nodes = _new_longs(count, &node)
    found = given.tag - 1
    for count in range(count):
        found = <const uint8_t*>memchr(found + 1, tag, end - found - 1)
        node[count] = found - given.tag
    return nodes


cdef inline void _write(const Given* given, Py_ssize_t feature, Py_ssize_t place, double value) noexcept nogil:
    given.out[feature * given.size + place] = <float>value


cdef void _count_characters(const Char* data, const Given* given, const int64_t* moves) noexcept nogil:
    """Sentence ends, commas, digits and capitals of each block, not yet divided by anything."""
    cdef Py_ssize_t place, leaf
    cdef uint64_t packed
    for place in range(given.size):
        packed = 0
        for leaf in range(given.first_leaf[place], given.first_leaf[place + 1]):
            packed += _packed_counts(
                data, given.text_start[given.leaves[leaf]], given.text_end[given.leaves[leaf]], moves
            )
        _write(given, ENDS, place, <double>(packed & 0xFFFF))
        _write(given, COMMAS, place, <double>(packed >> 16 & 0xFFFF))
        _write(given, DIGITS, place, <double>(packed >> 32 & 0xFFFF))
        _write(given, CAPITALS, place, <double>(packed >> 48 & 0xFFFF))


cdef Totals _count_blocks(const Given* given) noexcept nogil:
    """What is known of each block by itself, sums over those before it, and sums over the page."""
    cdef Totals totals
    cdef Py_ssize_t size = given.size, place, following, kind, node, leaf
    cdef double own, density, letters, tags, commas, linked, characters
    cdef uint8_t code, bits, leaf_flags
    cdef bint hides
    cdef float* out = given.out
    memset(&totals, 0, sizeof(totals))
    for place in range(size):
        node, leaf = given.node[place], given.leaves[given.first_leaf[place]]
        code = given.tag[node]
        bits = TAG_BITS[code]
        own, linked, characters = given.words[place], given.link_words[place], given.characters[place]
        density = linked / max(own, 1.0)
        letters = max(characters, 1.0)
        following = given.leaves[given.first_leaf[place + 1]] if place + 1 < size else given.nodes
        tags = <double>(following - leaf)
        commas = out[COMMAS * size + place]
        totals.ends += out[ENDS * size + place]
        totals.commas += commas
        _write(given, WORDS, place, own)
        _write(given, WORD_LENGTH, place, letters / max(own, 1.0))
        _write(given, COMMAS, place, commas / max(own, 1.0))
        _write(given, DIGITS, place, <double>out[DIGITS * size + place] / letters)
        _write(given, CAPITALS, place, <double>out[CAPITALS * size + place] / letters)
        _write(given, TAGS, place, tags)
        for kind in range(_KINDS):
            _write(given, IS_KIND[kind], place, KIND_BITS[code] >> kind & 1)
        leaf_flags = given.flags[leaf]
        _write(given, IN_NOSCRIPT, place, leaf_flags & _NOSCRIPT != 0)
        _write(given, IN_FORM, place, leaf_flags & _FORM_TEXT != 0)
        _write(given, IN_PRE, place, leaf_flags & _PREFORMATTED != 0)
        _write(given, IN_LINK, place, given.flags[node] & _LINK != 0)
        hides = given.hidden_flags[node] & _HIDDEN != 0
        _write(given, HIDES, place, hides)
        _write(given, DEPTH, place, <double>given.depth[node])
        _write(given, HEADING_LEVEL, place, HEADING_LEVELS[code])
        _write(given, LINK_DENSITY, place, density)
        given.sums[place] = totals.sums
        totals.sums.words += own
        totals.sums.links += linked
        totals.sums.characters += characters
        if own >= TEXT_WORDS and density < TEXT_LINK_DENSITY:
            totals.sums.text += own
        totals.sums.tags += tags
        totals.longest = max(totals.longest, own)
        totals.headings += bits & _IS_HEADING != 0
        totals.items += bits & _IS_ITEM != 0
        totals.hidden += hides
        given.weighed[place].points = (
            1 + commas + min(characters / 100, 3.0)
            if given.characters[place] >= MIN_CHARACTERS and density < TEXT_LINK_DENSITY
            else 0
        )
        given.weighed[place].gain = own * (1 - 2 * density) - tags
    given.sums[size] = totals.sums
    return totals


cdef inline double _link_share(const Given* given, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """How many of the words from one block up to another are links."""
    cdef double words = given.sums[last].words - given.sums[first].words
    return (given.sums[last].links - given.sums[first].links) / max(words, 1.0)


cdef void _place_blocks(const Given* given, const Totals* totals) noexcept nogil:
    """Where a block stands, and what stands beside it."""
    cdef Py_ssize_t size = given.size, place, title_place = 0, heading_place = -1, near
    cdef double best = -1, seems, level, words = max(totals.sums.words, 1.0)
    for place in range(size):
        level = given.out[HEADING_LEVEL * size + place]
        seems = (0.3 / level if level > 0 else 0.0) + given.matches[place].title
        if seems > best:
            best, title_place = seems, place
        if level > 0:
            heading_place = place
        _write(given, AFTER_HEADING, place, <double>(size if heading_place < 0 else place - heading_place))
        _write(given, TITLE_MATCH, place, given.matches[place].title)
        _write(given, HEADING_MATCH, place, given.matches[place].heading)
        _write(given, DUPLICATES, place, given.matches[place].duplicates)
        _write(given, POSITION, place, <double>place / <double>size)
        _write(given, WORDS_BEFORE, place, given.sums[place].words / words)
        for near in range(_NEAR):
            _write(given, LINKS_BEFORE[near], place, _link_share(given, max(place - NEAR[near], 0), place))
            _write(given, LINKS_AFTER[near], place, _link_share(given, place + 1, min(place + 1 + NEAR[near], size)))
    heading_place = size
    for place in range(size - 1, -1, -1):
        if given.out[HEADING_LEVEL * size + place] > 0:
            heading_place = place
        _write(given, TO_HEADING, place, <double>(heading_place - place))
        _write(given, AFTER_TITLE, place, <double>(place - title_place))


cdef void _walk_containers(const Given* given, const Totals* totals) noexcept nogil:
    """What is known of each container by itself, and of the path that leads to it."""
    cdef Py_ssize_t place, row, outer
    cdef const int64_t* parent = given.parent
    cdef const NameFact* called
    cdef const Sums* first
    cdef const Sums* last
    cdef Holder* own
    cdef Path path
    cdef uint8_t tag
    cdef double words, text
    cdef uint64_t mixed
    cdef int64_t around
    # Sums along paths are over the containers whose subtree is still open.
    for place in range(given.held):
        outer = place - 1
        while outer >= 0 and given.end[outer] <= place:
            outer = parent[outer] if parent[outer] < outer else -1
        tag, called = given.container_tag[place], &given.called[given.name[place]]
        around = called.around + given.around_tag[tag]
        path.sums[_DEPTHS] = 1 + (given.paths[outer].sums[_DEPTHS] if outer >= 0 else 0)
        mixed = (<uint64_t>called.look << 8) + tag
        mixed = (mixed + <uint64_t>0x9E3779B97F4A7C15) * (2 * path.sums[_DEPTHS] + 1)
        mixed ^= mixed >> 29
        path.sums[_PATHS] = mixed * <uint64_t>0xBF58476D1CE4E5B9
        path.sums[_FIRST_AROUND] = <uint64_t>FIRST_AROUND[tag]
        path.sums[_SECOND_AROUND] = <uint64_t>SECOND_AROUND[tag]
        path.sums[_COMMENTS] = <uint64_t>called.is_comments if not TAG_BITS[tag] & _IS_ROOT else 0
        path.sums[_NAMES_AROUND] = <uint64_t>around
        path.sums[_NAMES_OWN] = <uint64_t>(called.own + given.own_tag[tag])
        if outer >= 0:
            for row in range(1, _PATH_ROWS):
                path.sums[row] += given.paths[outer].sums[row]
        given.paths[place] = path
        first, last, own = &given.sums[given.first[place]], &given.sums[given.last[place]], &given.holders[place]
        words, text = last.words - first.words, last.text - first.text
        own.share = text / max(totals.sums.text, 1.0)
        own.length = words / max(<double>(given.last[place] - given.first[place]), 1.0)
        own.density = (last.characters - first.characters) / max(last.tags - first.tags, 1.0)
        own.text_share = text / max(words, 1.0)
        own.words = words
        own.link_share = (last.links - first.links) / max(words, 1.0)
        own.least_name = own.most_name = <double>around
        if place:
            own.least_name = min(own.least_name, given.holders[parent[place]].least_name)
            own.most_name = max(own.most_name, given.holders[parent[place]].most_name)


cdef void _look_up(const Given* given) noexcept nogil:
    """What the containers around a block hold and are called."""
    cdef Py_ssize_t place, level, kind, at, leaf, above, further
    cdef const int64_t* name = given.name
    cdef const uint8_t* tag = given.container_tag
    cdef const Path* path
    cdef const Holder* held
    for place in range(given.size):
        at, leaf = given.holder[place], given.leaf[place]
        above, path, held = given.parent[at], &given.paths[at], &given.holders[at]
        further = given.parent[above]
        for kind in range(_AROUND):
            _write(
                given,
                IN_AROUND[kind],
                place,
                <double>(
                    path.sums[_FIRST_AROUND + kind // AROUND_PER_SUM] >> AROUND_BITS * (kind % AROUND_PER_SUM)
                    & ((<uint64_t>1 << AROUND_BITS) - 1)
                ),
            )
        _write(given, OWN_NAME, place, <double>(given.called[name[at]].own + given.own_tag[tag[at]]))
        _write(given, LEAF_NAME, place, <double>(given.called[name[leaf]].own + given.own_tag[tag[leaf]]))
        _write(given, PARENT_NAME, place, <double>(given.called[name[above]].around + given.around_tag[tag[above]]))
        _write(
            given, GRANDPARENT_NAME, place, <double>(given.called[name[further]].around + given.around_tag[tag[further]])
        )
        _write(given, PATH_NAME, place, <double><int64_t>path.sums[_NAMES_AROUND])
        _write(given, WHOLE_NAME, place, <double><int64_t>path.sums[_NAMES_OWN])
        _write(given, WORST_NAME, place, held.least_name)
        _write(given, BEST_NAME, place, held.most_name)
        for level in range(_LEVELS):
            held = &given.holders[at]
            _write(given, LEVEL_SHARE[level], place, held.share)
            _write(given, LEVEL_LENGTH[level], place, held.length)
            _write(given, LEVEL_DENSITY[level], place, held.density)
            _write(given, LEVEL_TEXT[level], place, held.text_share)
            _write(given, LEVEL_TOTAL[level], place, held.words)
            _write(given, LEVEL_LINKS[level], place, held.link_share)
            at = given.parent[at]


cdef inline double _outside(Py_ssize_t place, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    return min(<double>(place - start), 0.0) + max(<double>(place - end + 1), 0.0)


cdef void _find_candidate(const Given* given, const Totals* totals) noexcept nogil:
    """The container a reader mode would choose, the run of blocks with the most text, and where a block lies to them."""
    cdef Py_ssize_t size = given.size, place, near, level, best = 0, start = 0, end = 0, lowest_place = 0, first, last
    cdef const int64_t* parent = given.parent
    cdef Holder* held = given.holders
    cdef double strongest, sum_ = 0, lowest = 0, gain = 0, share, window, found
    # Two sums for each container, added when both are complete: points of blocks right below, and of those further
    # down. The second stands where the strongest will stand.
    for place in range(size):
        near = given.holder[place]
        if TAG_BITS[given.tag[given.node[place]]] & _IS_INNER:
            near = parent[near]
        held[near].strength += given.weighed[place].points
        held[parent[near]].strongest += given.weighed[place].points / 2
    for place in range(given.held):
        held[place].strength = (held[place].strength + held[place].strongest) * (1 - held[place].link_share)
        if held[place].strength > held[best].strength:
            best = place
    strongest = max(held[best].strength, 1e-9)
    for place in range(given.held):
        held[place].strength /= strongest
        held[place].strongest = held[place].strength
        if place:
            held[place].strongest = max(held[place].strength, held[parent[place]].strongest)
    # The run whose sum of gains is largest; of those that begin at equal sums the shortest.
    for place in range(size):
        sum_ += given.weighed[place].gain
        if sum_ <= lowest:
            lowest, lowest_place = sum_, place + 1
        if sum_ - lowest > gain:
            gain, start, end = sum_ - lowest, lowest_place, place + 1
    first, last = given.first[best], given.last[best]
    share = (given.sums[last].text - given.sums[first].text) / max(totals.sums.text, 1.0)
    window = (given.sums[end].words - given.sums[start].words) / max(totals.sums.words, 1.0)
    _fill(given, CANDIDATE_SHARE, share)
    _fill(given, PAGE_CANDIDATE, share)
    _fill(given, PAGE_WINDOW, window)
    for place in range(size):
        near = given.holder[place]
        _write(given, IN_CANDIDATE, place, first <= place < last)
        _write(given, CANDIDATE_SCORE, place, held[near].strongest)
        _write(given, CANDIDATE_DISTANCE, place, _outside(place, first, last))
        _write(given, OVER_CANDIDATE, place, held[near].strength)
        found = held[near].strength
        for level in range(1, CANDIDATE_LEVELS):
            near = parent[near]
            found = max(found, held[near].strength)
        _write(given, ABOVE_SCORE, place, found)
        _write(given, IN_WINDOW, place, start <= place < end)
        _write(given, WINDOW_DISTANCE, place, _outside(place, start, end))


cdef inline void _count(Counted* counted, double words, double links, double text) noexcept nogil:
    counted.blocks += 1
    counted.words += words
    counted.links += links
    counted.text += text


cdef void _find_alike(const Given* given, const Totals* totals, int32_t* repeats, int64_t* groups) noexcept nogil:
    """Blocks and containers that look alike. ``repeats`` has room for five numbers for each container, the first of
    which will be how many containers look like it. What was known of containers by themselves is overwritten."""
    cdef Py_ssize_t size = given.size, held = given.held, place, level, at, card, count, number
    cdef int32_t most
    cdef int32_t* kind = repeats + 4 * held
    cdef int32_t* members = repeats + 2 * held
    cdef int32_t* group = repeats + 3 * held
    cdef double words, text, linked, page_text = max(totals.sums.text, 1.0)
    cdef const Sums* sums = given.sums
    cdef const int64_t* parent = given.parent
    cdef Alike* alike = <Alike*>given.holders
    cdef uint64_t* keys = <uint64_t*>(alike + held)  # behind them: a holder has room for both
    cdef const Counted* counted
    for place in range(held):
        keys[place] = given.paths[place].sums[_PATHS]
    count = _ranked(keys, held, kind, repeats, repeats + held)
    memset(alike, 0, count * sizeof(Alike))
    for number in range(count):
        members[number] = 0
        group[number] = -1
    for place in range(held):
        members[kind[place]] += 1
    for place in range(held):
        repeats[place] = members[kind[place]]
    for place in range(size):
        words = sums[place + 1].words - sums[place].words
        linked = sums[place + 1].links - sums[place].links
        text = sums[place + 1].text - sums[place].text
        _count(&alike[kind[given.holder[place]]].held, words, linked, text)
        _count(&alike[kind[parent[given.holder[place]]]].below, words, linked, text)
    card = 0
    for number in range(count):
        if alike[number].held.blocks > 0:
            group[number] = <int32_t>card
            card += 1
    for place in range(size):
        at = card = given.holder[place]
        groups[place] = group[kind[at]]
        counted = &alike[kind[at]].held
        _write(given, ALIKE, place, counted.blocks)
        _write(given, ALIKE_SHARE, place, counted.text / page_text)
        _write(given, ALIKE_WORDS, place, counted.words / counted.blocks)
        _write(given, ALIKE_LINKS, place, counted.links / max(counted.words, 1.0))
        counted = &alike[kind[parent[at]]].below
        _write(given, SIBLINGS, place, counted.blocks)
        _write(given, SIBLINGS_SHARE, place, counted.text / page_text)
        _write(given, SIBLINGS_LINKS, place, counted.links / max(counted.words, 1.0))
        most = repeats[at]
        for level in range(1, _LEVELS):
            at = parent[at]
            _write(given, REPEATED[level - 1], place, repeats[at])
            if repeats[at] > most:
                most, card = repeats[at], at
        words = sums[given.last[card]].words - sums[given.first[card]].words
        text = sums[given.last[card]].text - sums[given.first[card]].text
        _write(given, MOST_REPEATED, place, most)
        _write(given, CARD_WORDS, place, words)
        _write(given, CARD_SHARE, place, text * most / page_text)
        _write(given, CARD_LINKS, place, _link_share(given, given.first[card], given.last[card]))


cdef void _tell_page(
    const Given* given, const Totals* totals, const int32_t* repeats, const uint8_t* in_comments, const double* says
) noexcept nogil:
    """The numbers that all blocks of a page share."""
    cdef Py_ssize_t place, kind
    cdef double articles = 0, cells = 0, inputs = 0, images = 0, repeated = 0, commented = 0
    cdef double words = max(totals.sums.words, 1.0), blocks = <double>given.size
    cdef uint8_t bits
    for place in range(given.nodes):
        bits = TAG_BITS[given.tag[place]]
        articles += bits & _IS_ARTICLE != 0
        cells += bits & _IS_CELL != 0
        inputs += bits & _IS_INPUT != 0
        images += bits & _IS_IMAGE != 0
    for place in range(given.held):
        repeated = max(repeated, <double>repeats[place])
    for place in range(given.size):
        if in_comments[place]:
            commented += <double>given.words[place]
    _fill(given, PAGE_BLOCKS, blocks)
    _fill(given, PAGE_WORDS, totals.sums.words)
    _fill(given, PAGE_LINKS, totals.sums.links / words)
    _fill(given, PAGE_TEXT, totals.sums.text / words)
    _fill(given, PAGE_PUNCTUATION, (totals.ends + totals.commas) / words)
    _fill(given, PAGE_DENSITY, totals.sums.characters / max(totals.sums.tags, 1.0))
    _fill(given, PAGE_LONGEST, totals.longest)
    _fill(given, PAGE_HEADINGS, <double>totals.headings / blocks)
    _fill(given, PAGE_ARTICLES, articles)
    _fill(given, PAGE_ITEMS, <double>totals.items / blocks)
    _fill(given, PAGE_CELLS, cells)
    _fill(given, PAGE_INPUTS, inputs)
    _fill(given, PAGE_IMAGES, images)
    _fill(given, PAGE_HIDDEN, <double>totals.hidden / blocks)
    _fill(given, PAGE_REPEATED, repeated)
    _fill(given, PAGE_COMMENTS, commented / words)
    for kind in range(_SAYINGS):
        _fill(given, SAYS[kind], says[kind])


cdef void _fill(const Given* given, Py_ssize_t feature, double value) noexcept nogil:
    cdef Py_ssize_t place
    cdef float* row = given.out + feature * given.size
    for place in range(given.size):
        row[place] = <float>value
