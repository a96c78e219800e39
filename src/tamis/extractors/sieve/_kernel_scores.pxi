# What trees and network say of each block; see ``network.py`` and ``reading.py``.

cdef extern from *:
    """
    /* A vector of eight on processors that have them, two of four elsewhere. Every sum is added up in the same order on
       all of them and products are not fused, so that the numbers are the same everywhere. */
    #if defined(__GNUC__) || defined(__clang__)
    #define TAMIS_LANES 8
    typedef float tamis_lanes __attribute__((vector_size(32), aligned(4), may_alias));
    typedef float tamis_four __attribute__((vector_size(16), aligned(4), may_alias));
    #else
    #define TAMIS_LANES 1
    typedef float tamis_lanes;
    #endif
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    #define TAMIS_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define TAMIS_WIDE
    #endif
    #define TAMIS_TILE (3 * TAMIS_LANES)

    /* y = x w + bias: rows of x have `inner` numbers, those of w and y `outer`. */
    TAMIS_WIDE static void tamis_product(const float *x, Py_ssize_t rows, Py_ssize_t inner, Py_ssize_t outer,
                                         const float *w, const float *bias, float *y)
    {
        Py_ssize_t row, i, j, column = 0;
    #if TAMIS_LANES > 1
        if (outer == 4) {  /* as many as there are summaries in the weights that are shipped */
            const tamis_four b = *(const tamis_four *)bias;
            for (row = 0; row + 4 <= rows; row += 4) {
                const float *own = x + row * inner;
                tamis_four a0 = b, a1 = b, a2 = b, a3 = b;
                for (i = 0; i < inner; i++) {
                    const tamis_four v = *(const tamis_four *)(w + i * 4);
                    a0 += own[i] * v; a1 += own[inner + i] * v;
                    a2 += own[2 * inner + i] * v; a3 += own[3 * inner + i] * v;
                }
                tamis_four *t = (tamis_four *)(y + row * 4);
                t[0] = a0; t[1] = a1; t[2] = a2; t[3] = a3;
            }
            x += row * inner; y += row * 4; rows -= row;
        }
    #endif
        for (; column + TAMIS_TILE <= outer; column += TAMIS_TILE) {
            const tamis_lanes *b = (const tamis_lanes *)(bias + column);
            for (row = 0; row + 2 <= rows; row += 2) {
                const float *one = x + row * inner, *two = one + inner;
                tamis_lanes a0 = b[0], a1 = b[1], a2 = b[2], c0 = b[0], c1 = b[1], c2 = b[2];
                for (i = 0; i < inner; i++) {
                    const tamis_lanes *v = (const tamis_lanes *)(w + i * outer + column);
                    a0 += one[i] * v[0]; a1 += one[i] * v[1]; a2 += one[i] * v[2];
                    c0 += two[i] * v[0]; c1 += two[i] * v[1]; c2 += two[i] * v[2];
                }
                tamis_lanes *t = (tamis_lanes *)(y + row * outer + column);
                tamis_lanes *u = (tamis_lanes *)(y + (row + 1) * outer + column);
                t[0] = a0; t[1] = a1; t[2] = a2; u[0] = c0; u[1] = c1; u[2] = c2;
            }
            for (; row < rows; row++) {
                const float *one = x + row * inner;
                tamis_lanes a0 = b[0], a1 = b[1], a2 = b[2];
                for (i = 0; i < inner; i++) {
                    const tamis_lanes *v = (const tamis_lanes *)(w + i * outer + column);
                    a0 += one[i] * v[0]; a1 += one[i] * v[1]; a2 += one[i] * v[2];
                }
                tamis_lanes *t = (tamis_lanes *)(y + row * outer + column);
                t[0] = a0; t[1] = a1; t[2] = a2;
            }
        }
        for (; column < outer; column++) {
            /* The columns that are left: four rows at a time, so that no sum waits for another. */
            const float *v = w + column;
            for (row = 0; row < rows; row += 4) {
                const Py_ssize_t count = rows - row < 4 ? rows - row : 4;
                const float *own[4];
                float sums[4];
                for (j = 0; j < 4; j++) {
                    own[j] = x + (row + (j < count ? j : 0)) * inner;
                    sums[j] = bias[column];
                }
                for (i = 0; i < inner; i++) {
                    const float weight = v[i * outer];
                    sums[0] += own[0][i] * weight;
                    sums[1] += own[1][i] * weight;
                    sums[2] += own[2][i] * weight;
                    sums[3] += own[3][i] * weight;
                }
                for (j = 0; j < count; j++) y[(row + j) * outer + column] = sums[j];
            }
        }
    }

    /* Rows with mean 0 and spread 1. */
    TAMIS_WIDE static void tamis_normalise(const float *x, Py_ssize_t rows, Py_ssize_t width, float *y)
    {
        Py_ssize_t row, i, lane;
        for (row = 0; row < rows; row++) {
            const float *own = x + row * width;
            float *target = y + row * width;
            float sums[8] = {0}, squares[8] = {0}, mean, scale;
            for (i = 0; i + 8 <= width; i += 8)
                for (lane = 0; lane < 8; lane++) sums[lane] += own[i + lane];
            for (; i < width; i++) sums[i & 7] += own[i];
            mean = ((sums[0] + sums[4]) + (sums[1] + sums[5]) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))) / width;
            for (i = 0; i + 8 <= width; i += 8)
                for (lane = 0; lane < 8; lane++) {
                    float centred = own[i + lane] - mean;
                    squares[lane] += centred * centred;
                }
            for (; i < width; i++) squares[i & 7] += (own[i] - mean) * (own[i] - mean);
            scale = ((squares[0] + squares[4]) + (squares[1] + squares[5])
                     + ((squares[2] + squares[6]) + (squares[3] + squares[7]))) / width;
            scale = 1.0f / sqrtf(scale + 1e-5f);
            for (i = 0; i < width; i++) target[i] = (own[i] - mean) * scale;
        }
    }

    /* Squashed and standardised features: from a row for each feature to a row for each block. */
    TAMIS_WIDE static void tamis_standardise(const float *columns, Py_ssize_t rows, Py_ssize_t width, const float *half,
                                             const float *centre, const float *inverse, float *y)
    {
        enum { TILE = 16 };
        Py_ssize_t row, i, lane;
        for (row = 0; row < rows; row += TILE) {
            Py_ssize_t count = rows - row < TILE ? rows - row : TILE;
            for (i = 0; i < width; i++) {
                float found[TILE];
                const float *own = columns + i * rows + row;
                if (count == TILE) {
                    for (lane = 0; lane < TILE; lane++)
                        found[lane] = (own[lane] / (fabsf(own[lane]) + half[i]) - centre[i]) * inverse[i];
                } else {
                    for (lane = 0; lane < count; lane++)
                        found[lane] = (own[lane] / (fabsf(own[lane]) + half[i]) - centre[i]) * inverse[i];
                }
                for (lane = 0; lane < count; lane++) y[(row + lane) * width + i] = found[lane];
            }
        }
    }

    /* For each column of answers the sum of the leaves that all trees reach, added up tree by tree. */
    TAMIS_WIDE static void tamis_trees(const float *columns, Py_ssize_t rows, Py_ssize_t trees, Py_ssize_t depth,
                                       const int64_t *feature, const float *border, const float *leaf, double *total)
    {
        enum { TILE = 64 };
        Py_ssize_t row, tree, level, lane;
        for (row = 0; row < rows; row += TILE) {
            Py_ssize_t count = rows - row < TILE ? rows - row : TILE;
            for (tree = 0; tree < trees; tree++) {
                int32_t place[TILE] = {0};
                for (level = 0; level < depth; level++) {
                    const float *own = columns + feature[tree * depth + level] * rows + row;
                    const float limit = border[tree * depth + level];
                    const int32_t bit = 1 << level;
                    if (count == TILE) {
                        for (lane = 0; lane < TILE; lane++) place[lane] |= own[lane] > limit ? bit : 0;
                    } else {
                        for (lane = 0; lane < count; lane++) place[lane] |= own[lane] > limit ? bit : 0;
                    }
                }
                const float *leaves = leaf + (tree << depth);
                for (lane = 0; lane < count; lane++) total[row + lane] += leaves[place[lane]];
            }
        }
    }

    /* What each summary reads: the mean of the rows, weighted by a softmax over them. Sums over thousands of rows are
       double, else they would be off by more than all that follows. */
    TAMIS_WIDE static void tamis_summarise(float *odds, const float *length, const float *h, Py_ssize_t rows,
                                           Py_ssize_t width, Py_ssize_t summaries, double *own, float *summary)
    {
        Py_ssize_t row, i, k;
        for (k = 0; k < summaries; k++) {
            float most = odds[k] + length[0];
            double total = 0;
            for (row = 0; row < rows; row++) {
                const float value = odds[row * summaries + k] + length[row];
                odds[row * summaries + k] = value;
                most = value > most ? value : most;
            }
            for (i = 0; i < width; i++) own[i] = 0;
            for (row = 0; row < rows; row++) {
                const double power = expf(odds[row * summaries + k] - most);
                total += power;
                for (i = 0; i < width; i++) own[i] += power * h[row * width + i];
            }
            for (i = 0; i < width; i++) summary[k * width + i] = (float)(own[i] / total);
        }
    }

    /* Shares that add up to 1 in each row. */
    static void tamis_shares(float *odds, Py_ssize_t rows, Py_ssize_t width)
    {
        Py_ssize_t row, k;
        for (row = 0; row < rows; row++) {
            float *own = odds + row * width, most = own[0], total = 0;
            for (k = 1; k < width; k++) most = own[k] > most ? own[k] : most;
            for (k = 0; k < width; k++) {
                own[k] = expf(own[k] - most);
                total += own[k];
            }
            for (k = 0; k < width; k++) own[k] /= total;
        }
    }

    TAMIS_WIDE static void tamis_positive(float *x, Py_ssize_t count)
    {
        Py_ssize_t i;
        for (i = 0; i < count; i++) x[i] = x[i] > 0 ? x[i] : 0;
    }

    /* y += weight x */
    TAMIS_WIDE static void tamis_add(float weight, const float *x, Py_ssize_t count, float *y)
    {
        Py_ssize_t i;
        for (i = 0; i < count; i++) y[i] += weight * x[i];
    }

    /* The same for sums over all blocks of a page, of which there may be thousands. */
    TAMIS_WIDE static void tamis_add_exactly(double weight, const float *x, Py_ssize_t count, double *y)
    {
        Py_ssize_t i;
        for (i = 0; i < count; i++) y[i] += weight * x[i];
    }

    /* What a block takes from the summaries and from its neighbours, below zero cut off. */
    TAMIS_WIDE static void tamis_gather(const float *h, Py_ssize_t rows, Py_ssize_t width, const float *taken,
                                        const float *values, Py_ssize_t summaries, const float *taps,
                                        const Py_ssize_t *offsets, Py_ssize_t reach, float *y)
    {
        Py_ssize_t row, i, k;
        for (row = 0; row < rows; row++) {
            float *own = y + row * width;
            for (i = 0; i < width; i++) own[i] = 0;
            for (k = 0; k < summaries; k++) {
                const float weight = taken[row * summaries + k];
                for (i = 0; i < width; i++) own[i] += weight * values[k * width + i];
            }
            for (k = 0; k < reach; k++) {
                const Py_ssize_t other = row + offsets[k];
                if (other < 0 || other >= rows) continue;
                for (i = 0; i < width; i++) own[i] += taps[k * width + i] * h[other * width + i];
            }
            for (i = 0; i < width; i++) own[i] = own[i] > 0 ? own[i] : 0;
        }
    }
    """
    void tamis_product(
        const float* x, Py_ssize_t rows, Py_ssize_t inner, Py_ssize_t outer, const float* w, const float* bias, float* y
    ) noexcept nogil
    void tamis_normalise(const float* x, Py_ssize_t rows, Py_ssize_t width, float* y) noexcept nogil
    void tamis_standardise(
        const float* columns,
        Py_ssize_t rows,
        Py_ssize_t width,
        const float* half,
        const float* centre,
        const float* inverse,
        float* y,
    ) noexcept nogil
    void tamis_trees(
        const float* columns,
        Py_ssize_t rows,
        Py_ssize_t trees,
        Py_ssize_t depth,
        const int64_t* feature,
        const float* border,
        const float* leaf,
        double* total,
    ) noexcept nogil
    void tamis_summarise(
        float* odds,
        const float* length,
        const float* h,
        Py_ssize_t rows,
        Py_ssize_t width,
        Py_ssize_t summaries,
        double* own,
        float* summary,
    ) noexcept nogil
    void tamis_shares(float* odds, Py_ssize_t rows, Py_ssize_t width) noexcept nogil
    void tamis_positive(float* x, Py_ssize_t count) noexcept nogil
    void tamis_add(float weight, const float* x, Py_ssize_t count, float* y) noexcept nogil
    void tamis_add_exactly(double weight, const float* x, Py_ssize_t count, double* y) noexcept nogil
    void tamis_gather(
        const float* h,
        Py_ssize_t rows,
        Py_ssize_t width,
        const float* taken,
        const float* values,
        Py_ssize_t summaries,
        const float* taps,
        const Py_ssize_t* offsets,
        Py_ssize_t reach,
        float* y,
    ) noexcept nogil


cdef enum:
    _TILE = 2048  # blocks whose features are standardised at a time: more than most pages have, and they fit the cache


cdef class _Inputs:
    """Standardised features, a row for each block, some blocks at a time: those of a large page would double its memory."""

    cdef const float[:, ::1] columns
    cdef const float[::1] half, centre, inverse
    cdef float[:, ::1] rows, tile
    cdef Py_ssize_t start

    def __cinit__(self, network, const float[:, ::1] columns):
        cdef Py_ssize_t width = columns.shape[0], room = min(columns.shape[1], _TILE)
        self.columns = columns
        self.half, self.centre = network.half, network.centre
        self.inverse = 1 / network.spread  # to multiply is quicker
        if self.half.shape[0] != width or self.centre.shape[0] != width or self.inverse.shape[0] != width:
            raise ValueError(f"{width} features, but {self.half.shape[0]} are known to the network")
        self.rows = np.empty((room, width), dtype=np.float32)
        self.tile = np.empty((width, room), dtype=np.float32) if columns.shape[1] > room else None
        self.start = -1

    cdef Py_ssize_t read(self, Py_ssize_t start) noexcept nogil:
        """Fill the rows with those from a block on; how many there are."""
        cdef Py_ssize_t width = self.columns.shape[0], count = min(self.columns.shape[1] - start, self.rows.shape[0]), row
        cdef const float* columns = &self.columns[0, 0]
        if start == self.start:
            return count
        self.start = start
        if count < self.columns.shape[1]:
            for row in range(width):
                memcpy(&self.tile[0, 0] + row * count, &self.columns[row, start], count * sizeof(float))
            columns = &self.tile[0, 0]
        tamis_standardise(
            columns, count, width, &self.half[0], &self.centre[0], &self.inverse[0], &self.rows[0, 0]
        )
        return count


def score_columns(trees, network, columns, words, double tree_share):
    cdef const float[:, ::1] matrix = columns
    cdef const float[::1] counted = words
    cdef Py_ssize_t rows = matrix.shape[1], width = matrix.shape[0], place, unit, start, count
    odds_array = _tree_odds(trees, matrix)
    cdef double[::1] odds = odds_array
    cdef _Inputs inputs = _Inputs(network, matrix)
    cdef float[::1] second = _network_odds(network, inputs, rows, width, counted)
    summary_array = np.zeros(2 * width)
    cdef double[::1] summary = summary_array
    cdef double chance, all_words = 0, kept_words = 0
    with nogil:
        start = 0
        while start < rows:
            count = inputs.read(start)
            for place in range(start, start + count):
                odds[place] = tree_share * odds[place] + (1 - tree_share) * <double>second[place]
                chance = 1 / (1 + exp(-min(max(odds[place], -30.0), 30.0)))
                all_words += counted[place] + 1
                kept_words += (counted[place] + 1) * chance
                tamis_add_exactly(counted[place] + 1, &inputs.rows[place - start, 0], width, &summary[0])
                tamis_add_exactly(
                    (counted[place] + 1) * chance, &inputs.rows[place - start, 0], width, &summary[width]
                )
            start += count
        for unit in range(width):
            summary[unit] /= all_words
            summary[width + unit] /= kept_words + 1
    return odds_array, summary_array.astype(np.float32)


cdef object _tree_odds(trees, const float[:, ::1] columns):
    """The sum of all trees for each block."""
    cdef const int64_t[:, ::1] feature = trees.feature
    cdef const float[:, ::1] border = trees.border, leaf = trees.leaf
    cdef Py_ssize_t count = feature.shape[0], depth = feature.shape[1], rows = columns.shape[1], place, level
    cdef double bias = trees.bias
    if border.shape[0] != count or border.shape[1] != depth or leaf.shape[0] != count or leaf.shape[1] != 1 << depth:
        raise ValueError("the arrays of the trees do not belong together")
    for place in range(count):
        for level in range(depth):
            if not 0 <= feature[place, level] < columns.shape[0]:
                raise ValueError(f"a tree asks for feature {feature[place, level]} of {columns.shape[0]}")
    odds_array = np.zeros(rows)
    cdef double[::1] odds = odds_array
    with nogil:
        if count and depth:
            tamis_trees(
                &columns[0, 0], rows, count, depth, &feature[0, 0], &border[0, 0], &leaf[0, 0], &odds[0]
            )
        for place in range(rows):
            odds[place] += bias
    return odds_array


cdef Py_ssize_t OFFSETS[_REACH]
OFFSETS[:] = network_offsets


cdef object _network_odds(network, _Inputs inputs, Py_ssize_t rows, Py_ssize_t width, const float[::1] words):
    """What the network says of each block; see ``network.py`` for the formulas."""
    _check_network(network, width)
    cdef const float[:, ::1] dense = network.dense, value_bias = network.value_bias, mix_bias = network.mix_bias
    cdef const float[:, ::1] up_bias = network.up_bias, down_bias = network.down_bias
    cdef const float[:, :, ::1] pool = network.pool, key = network.key, value = network.value, taps = network.taps
    cdef const float[:, :, ::1] mix = network.mix, up = network.up, down = network.down
    cdef const float[::1] dense_bias = network.dense_bias, out = network.out
    cdef float out_bias = network.out_bias
    cdef Py_ssize_t units = dense.shape[1], layers = pool.shape[0], summaries = pool.shape[2], wide = up.shape[2]
    cdef Py_ssize_t layer, place, k, unit, start, count
    cdef float root = sqrtf(<float>units)
    odds_array = np.empty(rows, dtype=np.float32)
    cdef float[::1] odds = odds_array
    cdef float[:, ::1] hidden = np.empty((rows, units), dtype=np.float32)
    cdef float[:, ::1] normal = np.empty((rows, units), dtype=np.float32)
    cdef float[:, ::1] update = np.empty((rows, units), dtype=np.float32)
    cdef float[:, ::1] inner = np.empty((min(rows, _TILE), wide), dtype=np.float32)
    cdef float[:, ::1] taken = np.empty((rows, summaries), dtype=np.float32)
    cdef float[:, ::1] summary = np.empty((summaries, units), dtype=np.float32)
    cdef float[:, ::1] keys = np.empty((summaries, units), dtype=np.float32)
    cdef float[:, ::1] keys_turned = np.empty((units, summaries), dtype=np.float32)
    cdef float[:, ::1] values = np.empty((summaries, units), dtype=np.float32)
    cdef float[::1] zeros = np.zeros(max(units, summaries), dtype=np.float32)
    cdef float[::1] length = np.empty(rows, dtype=np.float32)
    cdef double[::1] sums = np.empty(units)
    with nogil:
        for place in range(rows):
            length[place] = <float>0.5 * logf(words[place] + 1)
        start = 0
        while start < rows:
            count = inputs.read(start)
            tamis_product(&inputs.rows[0, 0], count, width, units, &dense[0, 0], &dense_bias[0], &hidden[start, 0])
            start += count
        for layer in range(layers):
            tamis_normalise(&hidden[0, 0], rows, units, &normal[0, 0])
            tamis_product(&normal[0, 0], rows, units, summaries, &pool[layer, 0, 0], &zeros[0], &taken[0, 0])
            tamis_summarise(
                &taken[0, 0], &length[0], &normal[0, 0], rows, units, summaries, &sums[0], &summary[0, 0]
            )
            tamis_product(&summary[0, 0], summaries, units, units, &key[layer, 0, 0], &zeros[0], &keys[0, 0])
            tamis_product(
                &summary[0, 0], summaries, units, units, &value[layer, 0, 0], &value_bias[layer, 0], &values[0, 0]
            )
            for k in range(summaries):
                for unit in range(units):
                    keys_turned[unit, k] = keys[k, unit] / root
            tamis_product(&normal[0, 0], rows, units, summaries, &keys_turned[0, 0], &zeros[0], &taken[0, 0])
            tamis_shares(&taken[0, 0], rows, summaries)
            tamis_gather(
                &normal[0, 0],
                rows,
                units,
                &taken[0, 0],
                &values[0, 0],
                summaries,
                &taps[layer, 0, 0],
                OFFSETS,
                _REACH,
                &update[0, 0],
            )
            tamis_product(&update[0, 0], rows, units, units, &mix[layer, 0, 0], &mix_bias[layer, 0], &normal[0, 0])
            tamis_add(1, &normal[0, 0], rows * units, &hidden[0, 0])
            tamis_normalise(&hidden[0, 0], rows, units, &normal[0, 0])
            start = 0
            while start < rows:
                count = min(rows - start, <Py_ssize_t>_TILE)
                tamis_product(
                    &normal[start, 0], count, units, wide, &up[layer, 0, 0], &up_bias[layer, 0], &inner[0, 0]
                )
                tamis_positive(&inner[0, 0], count * wide)
                tamis_product(
                    &inner[0, 0], count, wide, units, &down[layer, 0, 0], &down_bias[layer, 0], &normal[start, 0]
                )
                start += count
            tamis_add(1, &normal[0, 0], rows * units, &hidden[0, 0])
        tamis_normalise(&hidden[0, 0], rows, units, &normal[0, 0])
        tamis_product(&normal[0, 0], rows, units, 1, &out[0], &out_bias, &odds[0])
    return odds_array


cdef int _check_network(network, Py_ssize_t width) except -1:
    """What is read below is memory, and a model file comes from anywhere."""
    layers, units, summaries = network.pool.shape
    wide = network.up.shape[2]
    expected = {
        "dense": (width, units),
        "dense_bias": (units,),
        "key": (layers, units, units),
        "value": (layers, units, units),
        "value_bias": (layers, units),
        "taps": (layers, _REACH, units),
        "mix": (layers, units, units),
        "mix_bias": (layers, units),
        "up": (layers, units, wide),
        "up_bias": (layers, wide),
        "down": (layers, wide, units),
        "down_bias": (layers, units),
        "out": (units,),
    }
    for name, shape in expected.items():
        if getattr(network, name).shape != shape:
            raise ValueError(f"{name} has the shape {getattr(network, name).shape}, not {shape}")
    if not (units and summaries and wide):
        raise ValueError("a network without units")
    return 0
