# Loops over the characters of a source or a text. They are written in C and of a known length, so that the compiler
# compares many characters at a time.

cdef extern from *:
    """
    #include <string.h>

    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    #define TAMIS_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define TAMIS_WIDE
    #endif

    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define TAMIS_MANY 1
    #else
    #define TAMIS_MANY 0
    #endif

    /* How many "<" and "</"; and whether there are halves of characters and NULs. */
    #define TAMIS_LOOK(CHAR, HALF_MASK, HALF)                                                                   \
        TAMIS_WIDE static int64_t tamis_look_##CHAR(                                                            \
            const CHAR *data, int64_t size, int64_t *ends, int *halves, int *nuls)                              \
        {                                                                                                       \
            int64_t total = 0, total_ends = 0;                                                                  \
            CHAR half = 0, nul = 0;                                                                             \
            for (; size > 224; data += 224, size -= 224) {                                                      \
                CHAR few = 0, few_ends = 0;                                                                     \
                for (int i = 0; i < 224; i++) {                                                                 \
                    few += data[i] == '<';                                                                      \
                    few_ends += (data[i] == '<') & (data[i + 1] == '/');                                        \
                    half |= (data[i] & (CHAR)HALF_MASK) == HALF;                                                \
                    nul |= data[i] == 0;                                                                        \
                }                                                                                               \
                total += few;                                                                                   \
                total_ends += few_ends;                                                                         \
            }                                                                                                   \
            for (int64_t i = 0; i < size; i++) {                                                                \
                total += data[i] == '<';                                                                        \
                total_ends += i + 1 < size && data[i] == '<' && data[i + 1] == '/';                             \
                half |= (data[i] & (CHAR)HALF_MASK) == HALF;                                                    \
                nul |= data[i] == 0;                                                                            \
            }                                                                                                   \
            *ends = total_ends;                                                                                 \
            *halves = half;                                                                                     \
            *nuls = nul;                                                                                        \
            return total;                                                                                       \
        }

    /* Where one of two characters stands next; the size if nowhere. */
    #define TAMIS_NEXT(CHAR)                                                                                    \
        TAMIS_WIDE static int64_t tamis_next_##CHAR(                                                            \
            const CHAR *data, int64_t place, int64_t size, CHAR one, CHAR other)                                \
        {                                                                                                       \
            for (; place + 32 <= size; place += 32) {                                                           \
                CHAR found = 0;                                                                                 \
                for (int i = 0; i < 32; i++)                                                                    \
                    found |= (data[place + i] == one) | (data[place + i] == other);                             \
                if (found)                                                                                      \
                    break;                                                                                      \
            }                                                                                                   \
            while (place < size && data[place] != one && data[place] != other)                                  \
                place++;                                                                                        \
            return place;                                                                                       \
        }

    /* Where an element that is closed at once ends next: "/>"; the size if nowhere. */
    #define TAMIS_CLOSING(CHAR)                                                                                 \
        TAMIS_WIDE static int64_t tamis_closing_##CHAR(const CHAR *data, int64_t place, int64_t size)           \
        {                                                                                                       \
            for (; place + 33 <= size; place += 32) {                                                           \
                CHAR found = 0;                                                                                 \
                for (int i = 0; i < 32; i++)                                                                    \
                    found |= (data[place + i] == '/') & (data[place + i + 1] == '>');                           \
                if (found)                                                                                      \
                    break;                                                                                      \
            }                                                                                                   \
            while (place + 1 < size && !(data[place] == '/' && data[place + 1] == '>'))                         \
                place++;                                                                                        \
            return place + 1 < size ? place : size;                                                             \
        }

    /* A bit for every character that is no white space, and for every letter. Below Thai, and for dashes and quotation
       marks, comparing tells which it is; where there are others, a table does. Eight bytes of 0 or 1 become eight
       bits by a multiplication. */
    #define TAMIS_MARK(CHAR)                                                                                    \
        TAMIS_WIDE static void tamis_mark_##CHAR(                                                               \
            const CHAR *data, int64_t size, const uint8_t *classes, uint64_t *seen, uint64_t *letters)          \
        {                                                                                                       \
            uint8_t is_seen[64];                                                                                \
            for (; size > 0; data += 64, size -= 64, seen++, letters++) {                                       \
                int count = size < 64 ? (int)size : 64;                                                         \
                CHAR other = !TAMIS_MANY || count < 64;                                                         \
                *seen = *letters = 0;                                                                           \
                for (int i = 0; i < 64 && !other; i += 32)                                                      \
                    for (int j = i; j < i + 32; j++)                                                            \
                        other |= (CHAR)((data[j] >= 0xE00) & ((CHAR)(data[j] - 0x200B) > 0x1C));                \
                if (other) {                                                                                    \
                    for (int i = 0; i < count; i++) {                                                           \
                        *seen |= (uint64_t)(classes[data[i]] != 1) << i;                                        \
                        *letters |= (uint64_t)(classes[data[i]] == 0) << i;                                     \
                    }                                                                                           \
                    continue;                                                                                   \
                }                                                                                               \
                for (int i = 0; i < 64; i++)                                                                    \
                    is_seen[i] = ((CHAR)(data[i] - 9) > 4) & ((CHAR)(data[i] - 28) > 4) & (data[i] != 0x85)     \
                        & (data[i] != 0xA0);                                                                    \
                for (int i = 0; i < 64; i += 8) {                                                               \
                    uint64_t eight;                                                                             \
                    memcpy(&eight, is_seen + i, 8);                                                             \
                    *seen |= (eight * 0x0102040810204080u >> 56) << i;                                          \
                }                                                                                               \
                *letters = *seen;                                                                               \
            }                                                                                                   \
        }

    static inline int64_t tamis_ones(uint64_t bits)
    {
    #if defined(__GNUC__)
        return __builtin_popcountll(bits);
    #else
        bits -= bits >> 1 & 0x5555555555555555u;
        bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
        return (int64_t)(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
    #endif
    }

    static inline uint64_t tamis_bits(const uint64_t *bits, int64_t place)
    {
        int first = place & 63;
        bits += place >> 6;
        return first ? bits[0] >> first | bits[1] << (64 - first) : bits[0];
    }

    /* Characters that are seen and words that begin in a range; one bit field more than the range needs is readable.
       in_word: whether the character before was a letter, then whether the last one was. */
    TAMIS_WIDE static void tamis_count(
        const uint64_t *seen, const uint64_t *letters, int64_t start, int64_t end,
        int64_t *characters, int64_t *words, int *in_word)
    {
        uint64_t before = *in_word != 0;
        for (; start < end; start += 64) {
            int count = end - start < 64 ? (int)(end - start) : 64;
            uint64_t mask = ~(uint64_t)0 >> (64 - count);
            uint64_t here = tamis_bits(seen, start) & mask, letter = tamis_bits(letters, start) & mask;
            *characters += tamis_ones(here);
            *words += tamis_ones(here & ~(letter & (letter << 1 | before)));
            before = letter >> (count - 1) & 1;
        }
        *in_word = (int)before;
    }

    TAMIS_LOOK(uint8_t, 0, 1)
    TAMIS_LOOK(uint16_t, 0xF800, 0xD800)
    TAMIS_LOOK(uint32_t, 0xFFFFF800, 0xD800)
    TAMIS_NEXT(uint8_t)
    TAMIS_NEXT(uint16_t)
    TAMIS_NEXT(uint32_t)
    TAMIS_CLOSING(uint8_t)
    TAMIS_CLOSING(uint16_t)
    TAMIS_CLOSING(uint32_t)
    TAMIS_MARK(uint8_t)
    TAMIS_MARK(uint16_t)
    TAMIS_MARK(uint32_t)
    """
    int64_t tamis_look_uint8_t(
        const uint8_t* data, int64_t size, int64_t* ends, int* halves, int* nuls
    ) noexcept nogil
    int64_t tamis_look_uint16_t(
        const uint16_t* data, int64_t size, int64_t* ends, int* halves, int* nuls
    ) noexcept nogil
    int64_t tamis_look_uint32_t(
        const uint32_t* data, int64_t size, int64_t* ends, int* halves, int* nuls
    ) noexcept nogil
    int64_t tamis_next_uint8_t(
        const uint8_t* data, int64_t place, int64_t size, uint8_t one, uint8_t other
    ) noexcept nogil
    int64_t tamis_next_uint16_t(
        const uint16_t* data, int64_t place, int64_t size, uint16_t one, uint16_t other
    ) noexcept nogil
    int64_t tamis_next_uint32_t(
        const uint32_t* data, int64_t place, int64_t size, uint32_t one, uint32_t other
    ) noexcept nogil
    int64_t tamis_closing_uint8_t(const uint8_t* data, int64_t place, int64_t size) noexcept nogil
    int64_t tamis_closing_uint16_t(const uint16_t* data, int64_t place, int64_t size) noexcept nogil
    int64_t tamis_closing_uint32_t(const uint32_t* data, int64_t place, int64_t size) noexcept nogil
    void tamis_mark_uint8_t(
        const uint8_t* data, int64_t size, const uint8_t* classes, uint64_t* seen, uint64_t* letters
    ) noexcept nogil
    void tamis_mark_uint16_t(
        const uint16_t* data, int64_t size, const uint8_t* classes, uint64_t* seen, uint64_t* letters
    ) noexcept nogil
    void tamis_mark_uint32_t(
        const uint32_t* data, int64_t size, const uint8_t* classes, uint64_t* seen, uint64_t* letters
    ) noexcept nogil
    void tamis_count(
        const uint64_t* seen,
        const uint64_t* letters,
        int64_t start,
        int64_t end,
        int64_t* characters,
        int64_t* words,
        int* in_word,
    ) noexcept nogil


cdef struct Source:
    # The characters of a string, or bytes; whoever looks at them must hold the object that they are in.
    const void* data
    int64_t size
    int unit  # bytes of a character


cdef struct Look:
    int64_t brackets
    int64_t ends
    int halves
    int nuls


cdef Source _source(source) except *:
    cdef str text
    if isinstance(source, bytes):
        return Source(PyBytes_AS_STRING(source), len(source), 1)
    text = source  # which is checked, but for None
    if text is None:
        raise TypeError("a source is str or bytes")
    return Source(PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text))


cdef Look _look(Source source) noexcept nogil:
    cdef Look look
    if source.unit == 1:
        look.brackets = tamis_look_uint8_t(<const uint8_t*>source.data, source.size, &look.ends, &look.halves, &look.nuls)
    elif source.unit == 2:
        look.brackets = tamis_look_uint16_t(<const uint16_t*>source.data, source.size, &look.ends, &look.halves, &look.nuls)
    else:
        look.brackets = tamis_look_uint32_t(<const uint32_t*>source.data, source.size, &look.ends, &look.halves, &look.nuls)
    return look


cdef inline uint32_t _character(Source source, int64_t place) noexcept nogil:
    if source.unit == 1:
        return (<const uint8_t*>source.data)[place]
    if source.unit == 2:
        return (<const uint16_t*>source.data)[place]
    return (<const uint32_t*>source.data)[place]


cdef inline int64_t _next(const Char* data, int64_t place, int64_t size, Char one, Char other) noexcept nogil:
    """Where one of two characters stands next; the size if there is none."""
    if Char is uint8_t:
        return tamis_next_uint8_t(data, place, size, one, other)
    elif Char is uint16_t:
        return tamis_next_uint16_t(data, place, size, one, other)
    else:
        return tamis_next_uint32_t(data, place, size, one, other)


cdef inline int64_t _closing(const Char* data, int64_t place, int64_t size) noexcept nogil:
    """Where the end of an element that is closed at once stands next; the size if there is none."""
    if Char is uint8_t:
        return tamis_closing_uint8_t(data, place, size)
    elif Char is uint16_t:
        return tamis_closing_uint16_t(data, place, size)
    else:
        return tamis_closing_uint32_t(data, place, size)


cdef struct Marks:
    # Bits for the characters of a text; one field of bits more than it has characters for.
    uint64_t* seen
    uint64_t* letters
    int64_t size  # of the text


cdef struct Stream:
    # Where the counting of words and characters stands.
    int64_t words
    int64_t characters
    int in_word  # the last character was a letter, and no line began since


cdef inline int64_t _words_of_bits(int64_t size) noexcept nogil:
    return size // 64 + 2


cdef void _mark(Source text, const uint8_t* classes, Marks marks) noexcept nogil:
    """Tell letters, white space and the rest apart."""
    if text.unit == 1:
        tamis_mark_uint8_t(<const uint8_t*>text.data, text.size, classes, marks.seen, marks.letters)
    elif text.unit == 2:
        tamis_mark_uint16_t(<const uint16_t*>text.data, text.size, classes, marks.seen, marks.letters)
    else:
        tamis_mark_uint32_t(<const uint32_t*>text.data, text.size, classes, marks.seen, marks.letters)


cdef inline void _count(Marks marks, int64_t start, int64_t end, Stream* stream) noexcept nogil:
    """Add what begins between two places."""
    if 0 <= start and end <= marks.size:  # always; but what is read here is memory
        tamis_count(
            marks.seen, marks.letters, start, end, &stream.characters, &stream.words, &stream.in_word
        )
