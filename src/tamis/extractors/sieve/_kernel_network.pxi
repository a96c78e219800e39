# The network, some blocks at a time; the formulas stand in ``network.py``.
#
# A matrix has a row for each feature or unit and an entry in it for each block: what is done with one block is done
# with its neighbours in the same instruction.

cdef extern from *:
    """
    /* Sixteen blocks at a time, in one register, in two or in four. What is computed of a block does not depend on it: every sum is
       added up in the same order on all processors and products are not fused, so that the numbers are the same
       everywhere. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    #define TAMIS_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
    #else
    #define TAMIS_WIDE
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    #define TAMIS_INLINE static inline __attribute__((always_inline))
    #define TAMIS_LANES 16
    typedef float tamis_lanes __attribute__((vector_size(64), aligned(4), may_alias));
    typedef int32_t tamis_whole __attribute__((vector_size(64), aligned(4), may_alias));
    #define TAMIS_ABOVE(x, limit, bits) (((x) > (limit)) & (bits))
    #define TAMIS_POSITIVE(x) ((tamis_lanes)TAMIS_ABOVE(x, 0, (tamis_whole)(x)))
    #else
    #define TAMIS_INLINE static inline
    #define TAMIS_LANES 1
    typedef float tamis_lanes;
    typedef int32_t tamis_whole;
    #define TAMIS_ABOVE(x, limit, bits) ((x) > (limit) ? (bits) : 0)
    #define TAMIS_POSITIVE(x) ((x) > 0 ? (x) : 0)
    #endif
    #define TAMIS_AT(x) (*(tamis_lanes *)(x))
    #define TAMIS_READ(x) (*(const tamis_lanes *)(x))
    #define TAMIS_PARTS 8  /* sums over blocks are added up in so many parts */

    /* y = w x + bias for some blocks: x has `inner` rows, y has `outer`. */
    TAMIS_INLINE void tamis_product(const float *x, Py_ssize_t x_pitch, Py_ssize_t inner, Py_ssize_t outer,
                                    const float *w, const float *bias, float *y, Py_ssize_t y_pitch)
    {
        const tamis_lanes none = {0};
        Py_ssize_t i, j = 0;
        for (; j + 6 <= outer; j += 6) {
            tamis_lanes a = none + bias[j], b = none + bias[j + 1], c = none + bias[j + 2];
            tamis_lanes d = none + bias[j + 3], e = none + bias[j + 4], f = none + bias[j + 5];
            for (i = 0; i < inner; i++) {
                const tamis_lanes own = TAMIS_READ(x + i * x_pitch);
                const float *weight = w + i * outer + j;
                a += own * weight[0]; b += own * weight[1]; c += own * weight[2];
                d += own * weight[3]; e += own * weight[4]; f += own * weight[5];
            }
            TAMIS_AT(y + j * y_pitch) = a; TAMIS_AT(y + (j + 1) * y_pitch) = b; TAMIS_AT(y + (j + 2) * y_pitch) = c;
            TAMIS_AT(y + (j + 3) * y_pitch) = d; TAMIS_AT(y + (j + 4) * y_pitch) = e; TAMIS_AT(y + (j + 5) * y_pitch) = f;
        }
        for (; j + 2 <= outer; j += 2) {
            tamis_lanes a = none + bias[j], b = none + bias[j + 1];
            for (i = 0; i < inner; i++) {
                const tamis_lanes own = TAMIS_READ(x + i * x_pitch);
                a += own * w[i * outer + j]; b += own * w[i * outer + j + 1];
            }
            TAMIS_AT(y + j * y_pitch) = a; TAMIS_AT(y + (j + 1) * y_pitch) = b;
        }
        for (; j < outer; j++) {
            tamis_lanes a = none + bias[j];
            for (i = 0; i < inner; i++) a += TAMIS_READ(x + i * x_pitch) * w[i * outer + j];
            TAMIS_AT(y + j * y_pitch) = a;
        }
    }

    /* Blocks with mean 0 and spread 1. */
    TAMIS_INLINE void tamis_normalise(const float *x, Py_ssize_t x_pitch, Py_ssize_t units, float *y, Py_ssize_t y_pitch)
    {
        tamis_lanes mean = {0}, spread = {0};
        float scale[TAMIS_LANES];
        Py_ssize_t i;
        for (i = 0; i < units; i++) mean += TAMIS_READ(x + i * x_pitch);
        mean /= (float)units;
        for (i = 0; i < units; i++) {
            const tamis_lanes centred = TAMIS_READ(x + i * x_pitch) - mean;
            TAMIS_AT(y + i * y_pitch) = centred;
            spread += centred * centred;
        }
        TAMIS_AT(scale) = spread / (float)units + 1e-5f;
        for (i = 0; i < TAMIS_LANES; i++) scale[i] = sqrtf(scale[i]);
        spread = 1.0f / TAMIS_READ(scale);
        for (i = 0; i < units; i++) TAMIS_AT(y + i * y_pitch) *= spread;
    }

    /* e to the power of a number that is not above 0, to 2e-7 of itself: 2^n (1 + r + r^2/2 + ...), r within ln 2 / 2. */
    TAMIS_INLINE float tamis_power(float x)
    {
        const float shift = 12582912.0f;  /* to add and take it away rounds to whole numbers */
        float n, r, sum;
        int32_t bits;
        x = x > -80.0f ? x : -80.0f;
        n = (x * 1.44269504f + shift) - shift;
        r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
        sum = 1.0f / 5040;
        sum = sum * r + 1.0f / 720;
        sum = sum * r + 1.0f / 120;
        sum = sum * r + 1.0f / 24;
        sum = sum * r + 1.0f / 6;
        sum = sum * r + 0.5f;
        sum = sum * r + 1.0f;
        sum = sum * r + 1.0f;
        bits = ((int32_t)n + 127) * (1 << 23);
        memcpy(&n, &bits, sizeof n);
        return sum * n;
    }

    /* Odds of some blocks become shares that add up to 1. */
    TAMIS_INLINE void tamis_shares(float *odds, Py_ssize_t summaries)
    {
        tamis_lanes total = {0};
        float most[TAMIS_LANES];
        Py_ssize_t i, k, lane;
        for (lane = 0; lane < TAMIS_LANES; lane++) most[lane] = odds[lane];
        for (i = TAMIS_LANES; i < summaries * TAMIS_LANES; i += TAMIS_LANES)
            for (lane = 0; lane < TAMIS_LANES; lane++) most[lane] = odds[i + lane] > most[lane] ? odds[i + lane] : most[lane];
        for (k = 0; k < summaries; k++) TAMIS_AT(odds + k * TAMIS_LANES) -= TAMIS_READ(most);
        for (i = 0; i < summaries * TAMIS_LANES; i++) odds[i] = tamis_power(odds[i]);
        for (k = 0; k < summaries; k++) total += TAMIS_READ(odds + k * TAMIS_LANES);
        for (k = 0; k < summaries; k++) TAMIS_AT(odds + k * TAMIS_LANES) /= total;
    }

    TAMIS_INLINE double tamis_total(const double *parts)
    {
        return ((parts[0] + parts[4]) + (parts[1] + parts[5])) + ((parts[2] + parts[6]) + (parts[3] + parts[7]));
    }

    /* The sum of x weighted; of thousands of blocks, so that short numbers would lose the end. `count` is a multiple of
       TAMIS_PARTS. */
    TAMIS_WIDE static double tamis_weighted(const double *weight, const float *x, Py_ssize_t count)
    {
        double parts[TAMIS_PARTS] = {0};
        Py_ssize_t i, part;
        for (i = 0; i < count; i += TAMIS_PARTS)
            for (part = 0; part < TAMIS_PARTS; part++) parts[part] += weight[i + part] * x[i + part];
        return tamis_total(parts);
    }

    /* Squashed and standardised features, a row each. */
    TAMIS_WIDE static void tamis_standardise(const float *x, Py_ssize_t count, float half, float centre, float inverse,
                                             float *y)
    {
        Py_ssize_t i;
        for (i = 0; i < count; i++) y[i] = (x[i] / (fabsf(x[i]) + half) - centre) * inverse;
    }

    /* One product for all blocks. */
    TAMIS_WIDE static void tamis_enter(const float *x, Py_ssize_t x_pitch, Py_ssize_t count, Py_ssize_t inner,
                                       Py_ssize_t outer, const float *w, const float *bias, float *y, Py_ssize_t y_pitch)
    {
        Py_ssize_t i;
        for (i = 0; i < count; i += TAMIS_LANES)
            tamis_product(x + i, x_pitch, inner, outer, w, bias, y + i, y_pitch);
    }

    /* h = norm(x), and what each summary makes of each block. */
    TAMIS_WIDE static void tamis_ask(const float *x, Py_ssize_t pitch, Py_ssize_t count, Py_ssize_t units,
                                     Py_ssize_t summaries, const float *pool, const float *zeros, float *h, float *odds)
    {
        Py_ssize_t i;
        for (i = 0; i < count; i += TAMIS_LANES) {
            tamis_normalise(x + i, pitch, units, h + i, pitch);
            tamis_product(h + i, pitch, units, summaries, pool, zeros, odds + i, pitch);
        }
    }

    /* What a summary reads: the mean of the blocks, weighted by a softmax over them. `count` is `rows` filled up to whole
       steps; `power` has room for as many numbers. */
    TAMIS_WIDE static void tamis_summarise(float *odds, const float *length, const float *h, Py_ssize_t pitch,
                                           Py_ssize_t rows, Py_ssize_t count, Py_ssize_t units, double *power,
                                           float *summary)
    {
        float most[TAMIS_PARTS];
        double parts[TAMIS_PARTS] = {0}, total;
        Py_ssize_t i, unit, part;
        for (i = 0; i < rows; i++) odds[i] += length[i];
        for (i = rows; i < count; i++) odds[i] = odds[0];
        for (part = 0; part < TAMIS_PARTS; part++) most[part] = odds[part];
        for (i = TAMIS_PARTS; i < count; i += TAMIS_PARTS)
            for (part = 0; part < TAMIS_PARTS; part++) most[part] = odds[i + part] > most[part] ? odds[i + part] : most[part];
        for (part = 1; part < TAMIS_PARTS; part++) most[0] = most[part] > most[0] ? most[part] : most[0];
        for (i = 0; i < rows; i++) odds[i] = tamis_power(odds[i] - most[0]);
        for (i = 0; i < rows; i++) power[i] = odds[i];
        for (i = rows; i < count; i++) power[i] = 0;
        for (i = 0; i < count; i += TAMIS_PARTS)
            for (part = 0; part < TAMIS_PARTS; part++) parts[part] += power[i + part];
        total = tamis_total(parts);
        for (unit = 0; unit < units; unit++) {
            for (part = 0; part < TAMIS_PARTS; part++) parts[part] = 0;
            for (i = 0; i < count; i += TAMIS_PARTS)
                for (part = 0; part < TAMIS_PARTS; part++) parts[part] += power[i + part] * h[unit * pitch + i + part];
            summary[unit] = (float)(tamis_total(parts) / total);
        }
    }

    /* What blocks take from the summaries and from their neighbours, and the rest of a layer. Beyond both ends of the
       rows of h there are zeros, as far as a block sees. `spare` has room for `wide` and three times `units` rows. */
    TAMIS_WIDE static void tamis_layer(float *x, const float *h, Py_ssize_t pitch, Py_ssize_t count, Py_ssize_t units,
                                       Py_ssize_t summaries, Py_ssize_t wide, const float *keys, const float *values,
                                       const float *taps, const Py_ssize_t *offsets, Py_ssize_t reach, const float *mix,
                                       const float *mix_bias, const float *up, const float *up_bias, const float *down,
                                       const float *down_bias, const float *zeros, float *taken, float *spare)
    {
        const Py_ssize_t lanes = TAMIS_LANES;
        float *update = spare, *normal = update + units * lanes, *found = normal + units * lanes;
        float *inner = found + units * lanes;
        Py_ssize_t i, j, k;
        for (i = 0; i < count; i += lanes) {
            tamis_product(h + i, pitch, units, summaries, keys, zeros, taken, lanes);
            tamis_shares(taken, summaries);
            for (j = 0; j < units; j++) {
                tamis_lanes own = {0};
                for (k = 0; k < summaries; k++) own += TAMIS_READ(taken + k * lanes) * values[k * units + j];
                for (k = 0; k < reach; k++) own += TAMIS_READ(h + j * pitch + i + offsets[k]) * taps[k * units + j];
                TAMIS_AT(update + j * lanes) = TAMIS_POSITIVE(own);
            }
            tamis_product(update, lanes, units, units, mix, mix_bias, found, lanes);
            for (j = 0; j < units; j++) TAMIS_AT(x + j * pitch + i) += TAMIS_READ(found + j * lanes);
            tamis_normalise(x + i, pitch, units, normal, lanes);
            tamis_product(normal, lanes, units, wide, up, up_bias, inner, lanes);
            for (j = 0; j < wide; j++) TAMIS_AT(inner + j * lanes) = TAMIS_POSITIVE(TAMIS_READ(inner + j * lanes));
            tamis_product(inner, lanes, wide, units, down, down_bias, found, lanes);
            for (j = 0; j < units; j++) TAMIS_AT(x + j * pitch + i) += TAMIS_READ(found + j * lanes);
        }
    }

    /* The same product for a few rows of numbers: y = x w + bias. */
    TAMIS_WIDE static void tamis_rows(const float *x, Py_ssize_t rows, Py_ssize_t inner, Py_ssize_t outer, const float *w,
                                      const float *bias, float *y)
    {
        Py_ssize_t row, i, j;
        for (row = 0; row < rows; row++) {
            float *own = y + row * outer;
            for (j = 0; j < outer; j++) own[j] = bias[j];
            for (i = 0; i < inner; i++)
                for (j = 0; j < outer; j++) own[j] += x[row * inner + i] * w[i * outer + j];
        }
    }

    /* The log odds of each block. */
    TAMIS_WIDE static void tamis_leave(const float *x, Py_ssize_t pitch, Py_ssize_t count, Py_ssize_t units,
                                       const float *out, const float *out_bias, float *normal, float *odds)
    {
        Py_ssize_t i;
        for (i = 0; i < count; i += TAMIS_LANES) {
            tamis_normalise(x + i, pitch, units, normal, TAMIS_LANES);
            tamis_product(normal, TAMIS_LANES, units, 1, out, out_bias, odds + i, 1);
        }
    }
    """
    enum:
        TAMIS_LANES
    double tamis_weighted(const double* weight, const float* x, Py_ssize_t count) noexcept nogil
    void tamis_standardise(
        const float* x, Py_ssize_t count, float half, float centre, float inverse, float* y
    ) noexcept nogil
    void tamis_enter(
        const float* x,
        Py_ssize_t x_pitch,
        Py_ssize_t count,
        Py_ssize_t inner,
        Py_ssize_t outer,
        const float* w,
        const float* bias,
        float* y,
        Py_ssize_t y_pitch,
    ) noexcept nogil
    void tamis_ask(
        const float* x,
        Py_ssize_t pitch,
        Py_ssize_t count,
        Py_ssize_t units,
        Py_ssize_t summaries,
        const float* pool,
        const float* zeros,
        float* h,
        float* odds,
    ) noexcept nogil
    void tamis_summarise(
        float* odds,
        const float* length,
        const float* h,
        Py_ssize_t pitch,
        Py_ssize_t rows,
        Py_ssize_t count,
        Py_ssize_t units,
        double* power,
        float* summary,
    ) noexcept nogil
    void tamis_layer(
        float* x,
        const float* h,
        Py_ssize_t pitch,
        Py_ssize_t count,
        Py_ssize_t units,
        Py_ssize_t summaries,
        Py_ssize_t wide,
        const float* keys,
        const float* values,
        const float* taps,
        const Py_ssize_t* offsets,
        Py_ssize_t reach,
        const float* mix,
        const float* mix_bias,
        const float* up,
        const float* up_bias,
        const float* down,
        const float* down_bias,
        const float* zeros,
        float* taken,
        float* spare,
    ) noexcept nogil
    void tamis_rows(
        const float* x, Py_ssize_t rows, Py_ssize_t inner, Py_ssize_t outer, const float* w, const float* bias, float* y
    ) noexcept nogil
    void tamis_leave(
        const float* x,
        Py_ssize_t pitch,
        Py_ssize_t count,
        Py_ssize_t units,
        const float* out,
        const float* out_bias,
        float* normal,
        float* odds,
    ) noexcept nogil


cdef enum:
    _STEP = 16  # rows are filled up to a multiple of it, and so many zeros stand before and after a row
    _FAR = 4  # blocks that a block sees to either side
    _TILE = 2048  # blocks whose features are standardised at a time: more than most pages have, and they fit the cache

cdef Py_ssize_t OFFSETS[_REACH]
OFFSETS[:] = network_offsets
if _STEP % TAMIS_LANES or max(map(abs, network_offsets)) > _FAR or _FAR > _STEP:
    raise ImportError("_kernel_network.pxi has no room for what a block sees")


cdef inline Py_ssize_t _filled(Py_ssize_t count) noexcept nogil:
    return (count + _STEP - 1) // _STEP * _STEP


cdef inline Py_ssize_t _pitch(Py_ssize_t count) noexcept nogil:
    """From one row to the next, with a step before and after: an odd number of steps, so that the entries of a block do
    not compete for one place in the cache."""
    return (_filled(count) // _STEP + 2 | 1) * _STEP


cdef const float* _weights(
    owner, str name, Py_ssize_t first, Py_ssize_t second=-1, Py_ssize_t third=-1
) except NULL:
    """An array of a model, which comes from any file: it has the shape that is expected, or it is not read."""
    cdef Py_ssize_t expected[3]
    cdef Py_ssize_t count = first * (1 if second < 0 else second) * (1 if third < 0 else third)
    cdef int axis, axes = 1 + (second >= 0) + (third >= 0)
    expected[0], expected[1], expected[2] = first, second, third
    array = getattr(owner, name)
    cdef const Py_ssize_t* shape = _extent(array, axes)
    for axis in range(axes):
        if shape is NULL or shape[axis] != expected[axis]:
            raise ValueError(f"{name} has the shape {array.shape}, not {tuple(expected)[:axes]}")
    return _floats(array, count)


cdef struct Layers:
    # Sizes and weights of a network.
    Py_ssize_t width
    Py_ssize_t units
    Py_ssize_t layers
    Py_ssize_t summaries
    Py_ssize_t wide
    const float* half
    const float* centre
    const float* spread
    const float* dense
    const float* dense_bias
    const float* pool
    const float* key
    const float* value
    const float* value_bias
    const float* taps
    const float* mix
    const float* mix_bias
    const float* up
    const float* up_bias
    const float* down
    const float* down_bias
    const float* out
    float out_bias


cdef Layers _layers(network, Py_ssize_t width) except *:
    cdef Layers own
    own.width = width
    own.layers, own.units, own.summaries = network.pool.shape
    own.wide = network.up.shape[2]
    if not (own.units and own.summaries and own.wide):
        raise ValueError("a network without units")
    if network.half.shape[0] != width:
        raise ValueError(f"{width} features, but {network.half.shape[0]} are known to the network")
    own.half, own.centre = _weights(network, "half", width), _weights(network, "centre", width)
    own.spread = _weights(network, "spread", width)
    own.dense = _weights(network, "dense", width, own.units)
    own.dense_bias = _weights(network, "dense_bias", own.units)
    own.pool = _weights(network, "pool", own.layers, own.units, own.summaries)
    own.key = _weights(network, "key", own.layers, own.units, own.units)
    own.value = _weights(network, "value", own.layers, own.units, own.units)
    own.value_bias = _weights(network, "value_bias", own.layers, own.units)
    own.taps = _weights(network, "taps", own.layers, _REACH, own.units)
    own.mix = _weights(network, "mix", own.layers, own.units, own.units)
    own.mix_bias = _weights(network, "mix_bias", own.layers, own.units)
    own.up = _weights(network, "up", own.layers, own.units, own.wide)
    own.up_bias = _weights(network, "up_bias", own.layers, own.wide)
    own.down = _weights(network, "down", own.layers, own.wide, own.units)
    own.down_bias = _weights(network, "down_bias", own.layers, own.units)
    own.out = _weights(network, "out", own.units)
    own.out_bias = network.out_bias
    return own


cdef struct Inputs:
    # Standardised features: those that differ from block to block, and those that are the same for all.
    const float* columns
    Py_ssize_t rows
    Py_ssize_t count  # of features that differ
    int32_t* differing
    float* same  # an entry for each feature
    float* tile  # a row for each feature that differs
    Py_ssize_t pitch


cdef void _sort_features(Inputs* inputs, Layers* net) noexcept nogil:
    """Find the features that differ, and standardise the others."""
    cdef Py_ssize_t feature
    cdef const float* own
    inputs.count = 0
    for feature in range(net.width):
        own = inputs.columns + feature * inputs.rows
        if memcmp(own, own + 1, (inputs.rows - 1) * sizeof(float)):
            inputs.differing[inputs.count] = <int32_t>feature
            inputs.count += 1
        else:
            tamis_standardise(
                own, 1, net.half[feature], net.centre[feature], 1 / net.spread[feature], &inputs.same[feature]
            )


cdef void _read_row(
    Inputs* inputs, Layers* net, Py_ssize_t place, Py_ssize_t start, Py_ssize_t count
) noexcept nogil:
    """Standardise one feature of some blocks; zeros fill the last step."""
    cdef Py_ssize_t feature = inputs.differing[place], at
    cdef float* row = inputs.tile + place * inputs.pitch
    cdef const float* own = inputs.columns + feature * inputs.rows + start
    tamis_standardise(own, count, net.half[feature], net.centre[feature], 1 / net.spread[feature], row)
    for at in range(count, _filled(count)):
        row[at] = 0


cdef void _enter(Inputs* inputs, Layers* net, float* weights, float* bias, float* x, Py_ssize_t pitch) noexcept nogil:
    """The first product. What features that are the same for all blocks add to it is added once."""
    cdef Py_ssize_t place, unit, feature, start = 0, count
    cdef double total
    for place in range(inputs.count):
        memcpy(weights + place * net.units, net.dense + inputs.differing[place] * net.units, net.units * sizeof(float))
    for unit in range(net.units):
        total = net.dense_bias[unit]
        place = 0
        for feature in range(net.width):
            if place < inputs.count and inputs.differing[place] == feature:
                place += 1
            else:
                total += <double>inputs.same[feature] * net.dense[feature * net.units + unit]
        bias[unit] = <float>total
    while start < inputs.rows:
        count = min(inputs.rows - start, <Py_ssize_t>_TILE)
        for place in range(inputs.count):
            _read_row(inputs, net, place, start, count)
        tamis_enter(
            inputs.tile, inputs.pitch, _filled(count), inputs.count, net.units, weights, bias, x + start, pitch
        )
        start += count


cdef struct Workroom:
    # What the network needs besides its weights; rows of x and h are pitch numbers apart.
    Py_ssize_t pitch
    float* x
    float* h
    float* asked
    float* length
    float* summary
    float* keys
    float* turned
    float* values
    float* zeros
    float* taken
    float* spare
    double* power


cdef void _layer(Layers* net, Py_ssize_t layer, Py_ssize_t rows, Workroom* room) noexcept nogil:
    """What a layer adds to each block."""
    cdef Py_ssize_t units = net.units, summaries = net.summaries, wide = net.wide, count = _filled(rows), unit, at, k
    cdef Py_ssize_t square = layer * units * units
    cdef float root = sqrtf(<float>units)
    tamis_ask(
        room.x,
        room.pitch,
        count,
        units,
        summaries,
        net.pool + layer * units * summaries,
        room.zeros,
        room.h,
        room.asked,
    )
    for unit in range(units):  # nothing stands beyond the end
        for at in range(rows, count):
            room.h[unit * room.pitch + at] = 0
    for k in range(summaries):
        tamis_summarise(
            room.asked + k * room.pitch,
            room.length,
            room.h,
            room.pitch,
            rows,
            count,
            units,
            room.power,
            room.summary + k * units,
        )
    tamis_rows(room.summary, summaries, units, units, net.key + square, room.zeros, room.keys)
    tamis_rows(room.summary, summaries, units, units, net.value + square, net.value_bias + layer * units, room.values)
    for k in range(summaries):
        for unit in range(units):
            room.turned[unit * summaries + k] = room.keys[k * units + unit] / root
    tamis_layer(
        room.x,
        room.h,
        room.pitch,
        count,
        units,
        summaries,
        wide,
        room.turned,
        room.values,
        net.taps + layer * _REACH * units,
        OFFSETS,
        _REACH,
        net.mix + square,
        net.mix_bias + layer * units,
        net.up + layer * units * wide,
        net.up_bias + layer * wide,
        net.down + layer * wide * units,
        net.down_bias + layer * units,
        room.zeros,
        room.taken,
        room.spare,
    )
