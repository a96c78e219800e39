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
    cdef const float[:, ::1] matrix = columns
    cdef const float[::1] counted = words
    cdef Py_ssize_t rows = matrix.shape[1], width = matrix.shape[0], place
    if counted.shape[0] != rows or not rows:
        raise ValueError(f"{rows} blocks, and numbers of words for {counted.shape[0]}")
    cdef _Memory held = _Memory()
    cdef Layers net = _layers(network, width, held)
    cdef Inputs inputs
    inputs.columns, inputs.rows, inputs.pitch = &matrix[0, 0], rows, _pitch(min(rows, <Py_ssize_t>_TILE))
    inputs.differing = <int32_t*>held.room(width, sizeof(int32_t))
    inputs.same = <float*>held.room(width, sizeof(float))
    _sort_features(&inputs, &net)
    inputs.tile = <float*>held.room(inputs.count * inputs.pitch, sizeof(float))
    odds_array, summary_array = np.empty(rows), np.empty(2 * width, dtype=np.float32)
    cdef double[::1] odds = odds_array
    cdef float[::1] summary = summary_array
    cdef double* weights = <double*>held.room(2 * _filled(rows), sizeof(double))
    _add_trees(trees, &inputs, width, held, odds)
    cdef const float* second = _network_odds(&net, &inputs, counted, held, weights)
    with nogil:
        for place in range(rows):
            odds[place] = tree_share * odds[place] + (1 - tree_share) * <double>second[place]
        _summarise(&net, &inputs, counted, odds, weights, weights + _filled(rows), summary)
    return odds_array, summary_array


cdef int _add_trees(trees, Inputs* inputs, Py_ssize_t width, _Memory held, double[::1] odds) except -1:
    """The sum of all trees for each block. A question about a feature that is the same for all blocks is asked once."""
    cdef const int64_t[:, ::1] feature = trees.feature
    cdef Py_ssize_t count = feature.shape[0], depth = feature.shape[1], rows = inputs.rows, place, level, pitch = rows
    cdef const float* border = held.floats(trees, "border", count, depth)
    cdef const float* leaf = held.floats(trees, "leaf", count, 1 << depth)
    cdef double bias = trees.bias
    cdef const float* columns = inputs.columns
    cdef const float* answers
    cdef float* padded
    cdef double sums[TAMIS_TREE_TILE]
    cdef int32_t* asked = <int32_t*>held.room(count, sizeof(int32_t))
    cdef int32_t* known = <int32_t*>held.room(count, sizeof(int32_t))
    cdef uint8_t* is_differing = <uint8_t*>held.room(width, 1)
    cdef tamis_question* questions = <tamis_question*>held.room(count * depth, sizeof(tamis_question))
    cdef tamis_question* question = questions
    for place in range(inputs.count):
        is_differing[inputs.differing[place]] = True
    if rows < TAMIS_TREE_TILE:  # fewer than are read at a time
        pitch = TAMIS_TREE_TILE
        padded = <float*>held.room(width * pitch, sizeof(float))
        for place in range(width):
            memcpy(padded + place * pitch, columns + place * rows, rows * sizeof(float))
        columns = padded
    for place in range(count):
        for level in range(depth):
            if not 0 <= feature[place, level] < width:
                raise ValueError(f"a tree asks for feature {feature[place, level]} of {width}")
            answers = columns + feature[place, level] * pitch
            if is_differing[feature[place, level]]:
                question.answers, question.border, question.bit = answers, border[place * depth + level], 1 << level
                question += 1
                asked[place] += 1
            elif answers[0] > border[place * depth + level]:
                known[place] |= 1 << level
    with nogil:
        tamis_trees(questions, asked, known, count, 1 << depth, leaf, pitch, &odds[0] if pitch == rows else &sums[0])
        for place in range(rows):
            odds[place] = bias + (odds[place] if pitch == rows else sums[place])
    return 0


cdef const float* _network_odds(
    Layers* net, Inputs* inputs, const float[::1] words, _Memory held, double* power
) except NULL:
    """What the network says of each block."""
    cdef Py_ssize_t rows = inputs.rows, count = _filled(rows), pitch = _pitch(rows), place, layer
    cdef Py_ssize_t units = net.units, summaries = net.summaries, small = summaries * units
    cdef float* bias = <float*>held.room((inputs.count + 1) * units, sizeof(float))
    cdef float* odds = <float*>held.room(count, sizeof(float))
    cdef Workroom room
    room.pitch, room.power = pitch, power
    room.x = <float*>held.room((2 * units + summaries) * pitch, sizeof(float)) + _STEP
    room.h = room.x + units * pitch
    room.asked = room.h + units * pitch
    room.length = <float*>held.room(rows, sizeof(float))
    room.summary = <float*>held.room(4 * small, sizeof(float))
    room.keys, room.turned, room.values = room.summary + small, room.summary + 2 * small, room.summary + 3 * small
    room.zeros = <float*>held.room(max(units, summaries), sizeof(float))
    room.spare = <float*>held.room((3 * units + net.wide + summaries) * TAMIS_LANES, sizeof(float))
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
    const float[::1] words,
    const double[::1] odds,
    double* all_words,
    double* kept_words,
    float[::1] summary,
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
