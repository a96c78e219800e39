# What trees and network say of each block; see ``network.py`` and ``reading.py``.

cdef extern from *:
    """
    typedef struct { const float *answers; float border; int32_t bit; } tamis_question;
    #define TAMIS_TREE_TILE (2 * TAMIS_LANES)

    /* For each block the sum of the leaves that it reaches, added up tree by tree: `known` is what is known of their
       numbers, `count` how many questions a tree asks besides. There are at least TAMIS_TREE_TILE blocks; the last tile may
       lie over the one before. */
    TAMIS_WIDE static void tamis_trees(const tamis_question *questions, const int32_t *count, const int32_t *known,
                                       Py_ssize_t trees, Py_ssize_t leaves, const float *leaf, Py_ssize_t rows,
                                       double *total)
    {
        const tamis_whole none = {0};
        Py_ssize_t start, first, tree, lane;
        for (first = 0; first < rows; first += TAMIS_TREE_TILE) {
            const tamis_question *asked = questions;
            double sums[TAMIS_TREE_TILE] = {0};
            start = first + TAMIS_TREE_TILE <= rows ? first : rows - TAMIS_TREE_TILE;
            for (tree = 0; tree < trees; tree++) {
                const tamis_question *end = asked + count[tree];
                tamis_whole a = none + known[tree], b = a;
                int32_t place[TAMIS_TREE_TILE];
                for (; asked < end; asked++) {
                    const float *own = asked->answers + start;
                    const tamis_lanes border = (tamis_lanes){0} + asked->border;
                    const tamis_whole bit = none + asked->bit;
                    a |= TAMIS_ABOVE(TAMIS_READ(own), border, bit);
                    b |= TAMIS_ABOVE(TAMIS_READ(own + TAMIS_LANES), border, bit);
                }
                *(tamis_whole *)place = a;
                *(tamis_whole *)(place + TAMIS_LANES) = b;
                for (lane = 0; lane < TAMIS_TREE_TILE; lane++) sums[lane] += leaf[tree * leaves + place[lane]];
            }
            memcpy(total + start, sums, sizeof sums);
        }
    }
    """
    enum:
        TAMIS_TREE_TILE
    ctypedef struct tamis_question:
        const float* answers
        float border
        int32_t bit
    void tamis_trees(
        const tamis_question* questions,
        const int32_t* count,
        const int32_t* known,
        Py_ssize_t trees,
        Py_ssize_t leaves,
        const float* leaf,
        Py_ssize_t rows,
        double* total,
    ) noexcept nogil


def score_columns(trees, network, columns, words, double tree_share):
    cdef Py_ssize_t width, rows, place
    width, rows = columns.shape
    if len(words) != rows or not rows:
        raise ValueError(f"{rows} blocks, and numbers of words for {len(words)}")
    cdef _Rooms rooms = _Rooms()
    cdef Layers net = _layers(network, width)
    cdef Inputs inputs
    inputs.columns, inputs.rows = _floats(columns, width * rows), rows
    inputs.pitch = _pitch(min(rows, <Py_ssize_t>_TILE))
    inputs.differing = <int32_t*>rooms.space(width, sizeof(int32_t))
    inputs.same = <float*>rooms.room(width, sizeof(float))
    _sort_features(&inputs, &net)
    inputs.tile = <float*>rooms.space(inputs.count * inputs.pitch, sizeof(float))
    odds_array, summary_array = _empty(rows, _double), _empty(2 * width, _single)
    cdef double* odds = <double*>_doubles(odds_array, rows)
    cdef float* summary = <float*>_floats(summary_array, 2 * width)
    cdef const float* counted = _floats(words, rows)
    cdef double* weights = <double*>rooms.space(2 * _filled(rows), sizeof(double))
    _add_trees(trees, &inputs, width, rooms, odds)
    cdef const float* second = _network_odds(&net, &inputs, counted, rooms, weights)
    with nogil:
        for place in range(rows):
            odds[place] = tree_share * odds[place] + (1 - tree_share) * <double>second[place]
        _summarise(&net, &inputs, counted, odds, weights, weights + _filled(rows), summary)
    return odds_array, summary_array


cdef int _add_trees(trees, Inputs* inputs, Py_ssize_t width, _Rooms rooms, double* odds) except -1:
    """The sum of all trees for each block. A question about a feature that is the same for all blocks is asked once."""
    cdef Py_ssize_t count, depth, rows = inputs.rows, place, level, at = 0, pitch = rows
    count, depth = trees.feature.shape
    cdef const int64_t* feature = _longs(trees.feature, count * depth)
    cdef const float* border = _weights(trees, "border", count, depth)
    cdef const float* leaf = _weights(trees, "leaf", count, 1 << depth)
    cdef double bias = trees.bias
    cdef const float* columns = inputs.columns
    cdef float* padded
    cdef float* row
    cdef double sums[TAMIS_TREE_TILE]
    cdef int32_t* asked = <int32_t*>rooms.room(count, sizeof(int32_t))
    cdef int32_t* known = <int32_t*>rooms.room(count, sizeof(int32_t))
    cdef uint8_t* is_differing = <uint8_t*>rooms.room(width, 1)
    cdef tamis_question* questions = <tamis_question*>rooms.space(count * depth, sizeof(tamis_question))
    cdef tamis_question* question = questions
    cdef bint differs
    for place in range(inputs.count):
        is_differing[inputs.differing[place]] = True
    if rows < TAMIS_TREE_TILE:  # fewer than are read at a time
        pitch = TAMIS_TREE_TILE
        padded = <float*>rooms.space(width * pitch, sizeof(float))
        for place in range(width):
            row = padded + place * pitch
            memcpy(row, columns + place * rows, rows * sizeof(float))
            memset(row + rows, 0, (pitch - rows) * sizeof(float))
        columns = padded
    for place in range(count):
        for level in range(depth):
            if not 0 <= feature[at] < width:
                raise ValueError(f"a tree asks for feature {feature[at]} of {width}")
            # Without a branch, which nobody foresees: a question that is not asked is written over by the next.
            differs = is_differing[feature[at]]
            question.answers, question.border, question.bit = columns + feature[at] * pitch, border[at], 1 << level
            known[place] |= (not differs and question.answers[0] > border[at]) << level
            question += differs
            asked[place] += differs
            at += 1
    with nogil:
        tamis_trees(questions, asked, known, count, 1 << depth, leaf, pitch, odds if pitch == rows else &sums[0])
        for place in range(rows):
            odds[place] = bias + (odds[place] if pitch == rows else sums[place])
    return 0


cdef const float* _network_odds(
    Layers* net, Inputs* inputs, const float* words, _Rooms rooms, double* power
) except NULL:
    """What the network says of each block."""
    cdef Py_ssize_t rows = inputs.rows, count = _filled(rows), pitch = _pitch(rows), place, layer
    cdef Py_ssize_t units = net.units, summaries = net.summaries, small = summaries * units
    cdef float* bias = <float*>rooms.space((inputs.count + 1) * units, sizeof(float))
    cdef float* odds = <float*>rooms.space(count, sizeof(float))
    cdef Workroom room
    room.pitch, room.power = pitch, power
    room.x = <float*>rooms.space((2 * units + summaries) * pitch, sizeof(float)) + _STEP
    room.h = room.x + units * pitch
    room.asked = room.h + units * pitch
    for place in range(units + 1):  # nothing stands beyond the ends of the rows of h
        memset(room.h + place * pitch + count - pitch, 0, (pitch - count) * sizeof(float))
    room.length = <float*>rooms.space(rows, sizeof(float))
    room.summary = <float*>rooms.space(4 * small, sizeof(float))
    room.keys, room.turned, room.values = room.summary + small, room.summary + 2 * small, room.summary + 3 * small
    room.zeros = <float*>rooms.room(max(units, summaries), sizeof(float))
    room.spare = <float*>rooms.space((3 * units + net.wide + summaries) * TAMIS_LANES, sizeof(float))
    room.taken = room.spare + (3 * units + net.wide) * TAMIS_LANES
    with nogil:
        for place in range(rows):
            room.length[place] = <float>0.5 * logf(words[place] + 1)
        _enter(inputs, net, bias + units, bias, room.x, pitch)
        for layer in range(net.layers):
            _layer(net, layer, rows, &room)
        tamis_leave(room.x, pitch, count, units, net.out, &net.out_bias, room.spare, odds)
    return odds


cdef void _summarise(
    Layers* net,
    Inputs* inputs,
    const float* words,
    const double* odds,
    double* all_words,
    double* kept_words,
    float* summary,
) noexcept nogil:
    """The page as one row: the means of its features over all words, and over the words that are likely to be kept."""
    cdef Py_ssize_t rows = inputs.rows, place, feature, start, count
    cdef double total = 0, kept = 0, over_all, over_kept
    cdef const float* row
    for place in range(rows):
        all_words[place] = <double>words[place] + 1
        kept_words[place] = all_words[place] / (1 + exp(-min(max(odds[place], -30.0), 30.0)))
        total += all_words[place]
        kept += kept_words[place]
    for place in range(rows, _filled(rows)):
        all_words[place] = kept_words[place] = 0
    for feature in range(net.width):
        summary[feature] = inputs.same[feature]
        summary[net.width + feature] = <float>(inputs.same[feature] * kept / (kept + 1))
    for place in range(inputs.count):
        feature, over_all, over_kept, start = inputs.differing[place], 0, 0, 0
        while start < rows:
            count = min(rows - start, <Py_ssize_t>_TILE)
            if rows > _TILE:  # else they are there already
                _read_row(inputs, net, place, start, count)
            row = inputs.tile + place * inputs.pitch
            over_all += tamis_weighted(all_words + start, row, _filled(count))
            over_kept += tamis_weighted(kept_words + start, row, _filled(count))
            start += count
        summary[feature] = <float>(over_all / total)
        summary[net.width + feature] = <float>(over_kept / (kept + 1))
