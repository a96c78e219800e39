# cython: language_level=3, freethreading_compatible=True
"""What sieve computes for every page: the compiled twin of ``_reference.py``, function by function.

What each function promises is said there and in ``features/``. A feature stands here once by its name, in the table
of rows below, and once where it is written; a twin that knows other features than ``features/`` does not load.
Whole numbers are added up in ``double`` as there, divisions are the same ones, so that features agree to the last bit
and fall on the same side of every border of a tree. The network adds up in another order and agrees to some 1e-6.
Words and texts are told apart by 64-bit hashes.
"""

import numpy as np

from tamis.extractors.sieve import decide
from tamis.extractors.sieve.containers import LEVELS, Containers
from tamis.extractors.sieve.features import NAMES, PLACES, Evidence, candidate, counts, links, markup
from tamis.extractors.sieve.features import text_matches as matches
from tamis.extractors.sieve.features.sayings import SAYINGS, sayings
from tamis.extractors.sieve.features.title import heading_levels
from tamis.extractors.sieve.network import OFFSETS as network_offsets
from tamis.page.html import HEADINGS, TAG_CODES, mask
from tamis.page.model import FORM_TEXT, HIDDEN, LINK, NOSCRIPT, PREFORMATTED
from tamis.page.text import IDEOGRAPH, SPACE, class_table

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.math cimport exp, expf, fabs, logf, sqrtf
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #ifndef TAMIS_SOURCE_DIGEST
    #define TAMIS_SOURCE_DIGEST 0u
    #endif
    """
    const unsigned int TAMIS_SOURCE_DIGEST

SOURCE_DIGEST = TAMIS_SOURCE_DIGEST

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t

# --- The rows of the features -----------------------------------------------------------------------------------------

cdef enum:
    _LEVELS = 6
    _KINDS = 8
    _AROUND = 12
    _NEAR = 3
    _SAYINGS = 5
    _REACH = 7
    _MOST_DISTINCT = 64  # words of a block that are compared here; one with more, hidden ones among them, is rare

_named = []


def _row(name):
    _named.append(name)
    return PLACES.get(name, -1)


cdef int _rows(Py_ssize_t* rows, names, Py_ssize_t expected) except -1:
    if len(names) != expected:
        raise ImportError(f"_kernel.pyx has room for {expected} of these, not for {len(names)}: {names}")
    for place, name in enumerate(names):
        rows[place] = _row(name)
    return 0


cdef Py_ssize_t WORDS = _row("words"), WORD_LENGTH = _row("word_length"), ENDS = _row("ends"), COMMAS = _row("commas")
cdef Py_ssize_t DIGITS = _row("digits"), CAPITALS = _row("capitals"), TAGS = _row("tags")
cdef Py_ssize_t DUPLICATES = _row("duplicates"), HIDES = _row("hidden")
cdef Py_ssize_t IN_NOSCRIPT = _row("noscript"), IN_FORM = _row("form_text"), IN_PRE = _row("preformatted")
cdef Py_ssize_t POSITION = _row("position"), WORDS_BEFORE = _row("words_before"), DEPTH = _row("depth")
cdef Py_ssize_t AFTER_HEADING = _row("after_heading"), TO_HEADING = _row("to_heading"), AFTER_TITLE = _row("after_title")
cdef Py_ssize_t TITLE_MATCH = _row("title_match"), HEADING_MATCH = _row("heading_match")
cdef Py_ssize_t HEADING_LEVEL = _row("heading_level")
cdef Py_ssize_t LINK_DENSITY = _row("link_density"), IN_LINK = _row("in_link"), ALIKE_LINKS = _row("alike_links")
cdef Py_ssize_t SIBLINGS_LINKS = _row("siblings_links"), CARD_LINKS = _row("card_links")
cdef Py_ssize_t IN_CANDIDATE = _row("in_candidate"), CANDIDATE_SHARE = _row("candidate_share")
cdef Py_ssize_t CANDIDATE_SCORE = _row("candidate_score"), CANDIDATE_DISTANCE = _row("candidate_distance")
cdef Py_ssize_t ABOVE_SCORE = _row("above_score"), OVER_CANDIDATE = _row("over_candidate")
cdef Py_ssize_t IN_WINDOW = _row("in_window"), WINDOW_DISTANCE = _row("window_distance")
cdef Py_ssize_t PAGE_CANDIDATE = _row("page_candidate"), PAGE_WINDOW = _row("page_window")
cdef Py_ssize_t ALIKE = _row("alike"), ALIKE_SHARE = _row("alike_share"), ALIKE_WORDS = _row("alike_words")
cdef Py_ssize_t SIBLINGS = _row("siblings_alike"), SIBLINGS_SHARE = _row("siblings_share")
cdef Py_ssize_t MOST_REPEATED = _row("most_repeated"), CARD_WORDS = _row("card_words"), CARD_SHARE = _row("card_share")
cdef Py_ssize_t PAGE_BLOCKS = _row("page_blocks"), PAGE_WORDS = _row("page_words"), PAGE_LINKS = _row("page_links")
cdef Py_ssize_t PAGE_TEXT = _row("page_text"), PAGE_PUNCTUATION = _row("page_punctuation")
cdef Py_ssize_t PAGE_DENSITY = _row("page_density"), PAGE_LONGEST = _row("page_longest")
cdef Py_ssize_t PAGE_HEADINGS = _row("page_headings"), PAGE_ARTICLES = _row("page_articles")
cdef Py_ssize_t PAGE_ITEMS = _row("page_items"), PAGE_CELLS = _row("page_cells"), PAGE_INPUTS = _row("page_inputs")
cdef Py_ssize_t PAGE_IMAGES = _row("page_images"), PAGE_HIDDEN = _row("page_hidden")
cdef Py_ssize_t PAGE_REPEATED = _row("page_repeated"), PAGE_COMMENTS = _row("page_named_comments")
cdef Py_ssize_t OWN_NAME = _row("own_name"), LEAF_NAME = _row("leaf_name"), PARENT_NAME = _row("parent_name")
cdef Py_ssize_t GRANDPARENT_NAME = _row("grandparent_name"), PATH_NAME = _row("path_name")
cdef Py_ssize_t WORST_NAME = _row("worst_name"), BEST_NAME = _row("best_name"), WHOLE_NAME = _row("whole_name")

cdef Py_ssize_t IS_KIND[_KINDS]
cdef Py_ssize_t IN_AROUND[_AROUND]
cdef Py_ssize_t SAYS[_SAYINGS]
cdef Py_ssize_t LEVEL_SHARE[_LEVELS]
cdef Py_ssize_t LEVEL_LENGTH[_LEVELS]
cdef Py_ssize_t LEVEL_DENSITY[_LEVELS]
cdef Py_ssize_t LEVEL_TEXT[_LEVELS]
cdef Py_ssize_t LEVEL_TOTAL[_LEVELS]
cdef Py_ssize_t LEVEL_LINKS[_LEVELS]
cdef Py_ssize_t REPEATED[_LEVELS - 1]
cdef Py_ssize_t LINKS_BEFORE[_NEAR]
cdef Py_ssize_t LINKS_AFTER[_NEAR]
_rows(IS_KIND, [f"is_{kind}" for kind in markup.KINDS], _KINDS)
_rows(IN_AROUND, [f"in_{kind}" for kind in markup.AROUND], _AROUND)
_rows(SAYS, list(SAYINGS), _SAYINGS)
_rows(LEVEL_SHARE, [f"level{level}_share" for level in range(LEVELS)], _LEVELS)
_rows(LEVEL_LENGTH, [f"level{level}_length" for level in range(LEVELS)], _LEVELS)
_rows(LEVEL_DENSITY, [f"level{level}_density" for level in range(LEVELS)], _LEVELS)
_rows(LEVEL_TEXT, [f"level{level}_text" for level in range(LEVELS)], _LEVELS)
_rows(LEVEL_TOTAL, [f"level{level}_total" for level in range(LEVELS)], _LEVELS)
_rows(LEVEL_LINKS, [f"level{level}_links" for level in range(LEVELS)], _LEVELS)
_rows(REPEATED, [f"repeated{level}" for level in range(1, LEVELS)], _LEVELS - 1)
_rows(LINKS_BEFORE, [f"before{count}_links" for count in links.NEAR], _NEAR)
_rows(LINKS_AFTER, [f"after{count}_links" for count in links.NEAR], _NEAR)

FEATURES = tuple(_named)
if sorted(FEATURES) != sorted(NAMES):
    raise ImportError(
        "extractors/sieve/features/ and extractors/sieve/_kernel.pyx know different features: "
        + ", ".join(sorted(set(FEATURES) ^ set(NAMES)))
    )

# --- Constants of the families, read once; nothing writes them afterwards ---------------------------------------------

cdef Py_ssize_t NEAR[_NEAR]
NEAR[:] = links.NEAR
cdef double TEXT_WORDS = counts.TEXT_WORDS, TEXT_LINK_DENSITY = counts.TEXT_LINK_DENSITY
cdef int64_t MIN_CHARACTERS = candidate.MIN_CHARACTERS, MOST_TITLE_WORDS = matches.MOST_WORDS
cdef Py_ssize_t CANDIDATE_LEVELS = candidate.LEVELS_ABOVE
cdef int AROUND_BITS = markup.BITS, AROUND_PER_SUM = markup.PER_SUM
cdef uint8_t _HIDDEN = HIDDEN, _LINK = LINK, _NOSCRIPT = NOSCRIPT, _FORM_TEXT = FORM_TEXT, _PREFORMATTED = PREFORMATTED
cdef uint8_t _SPACE = SPACE, _IDEOGRAPH = IDEOGRAPH, _H1 = TAG_CODES["h1"]

cdef enum:
    # What a tag is, as bits of one number.
    _IS_HEADING = 1
    _IS_ITEM = 2
    _IS_INNER = 4
    _IS_ROOT = 8
    _IS_ARTICLE = 16
    _IS_CELL = 32
    _IS_INPUT = 64
    _IS_IMAGE = 128


# Tables over tag codes, which are bytes.
cdef uint8_t TAG_BITS[256]
cdef uint8_t KIND_BITS[256]
cdef int64_t FIRST_AROUND[256]
cdef int64_t SECOND_AROUND[256]
cdef double HEADING_LEVELS[256]


def _fill_tables():
    cdef Py_ssize_t code
    kinds = {
        _IS_HEADING: HEADINGS,
        _IS_ITEM: counts.ITEMS,
        _IS_INNER: candidate.INNER,
        _IS_ROOT: ("html", "body"),
        _IS_ARTICLE: ("article",),
        _IS_CELL: ("td",),
        _IS_INPUT: ("input", "textarea", "select"),
        _IS_IMAGE: ("img",),
    }
    first, second = markup.packed_around()
    levels = heading_levels()
    for code in range(len(mask())):
        TAG_BITS[code] = sum(bit for bit, names in kinds.items() if mask(*names)[code])
        KIND_BITS[code] = sum(1 << place for place, names in enumerate(markup.KINDS.values()) if mask(*names)[code])
        FIRST_AROUND[code], SECOND_AROUND[code], HEADING_LEVELS[code] = first[code], second[code], levels[code]


_fill_tables()
_MOVES, _CLASSES = counts.character_table(), class_table()

# --- Containers -------------------------------------------------------------------------------------------------------


def build_containers(page):
    nodes, blocks = page.nodes, page.blocks
    cdef const int64_t[::1] parent = nodes.parent, end = nodes.end, holder = blocks.node
    cdef const int64_t[::1] leaves = blocks.leaves, first_leaf = blocks.first_leaf
    cdef const uint8_t[::1] is_element = nodes.elements.view(np.uint8), tag = nodes.tag
    cdef Py_ssize_t size = tag.shape[0], count = holder.shape[0], node, block, place = -1, total = 0
    # For each node: how many blocks begin before it, and how many containers up to it, less one.
    cdef int32_t[::1] begun = np.empty(size + 1, dtype=np.int32), position = np.empty(size, dtype=np.int32)
    with nogil:
        block = 0
        for node in range(size):
            begun[node] = <int32_t>block
            if block < count and leaves[first_leaf[block]] == node:
                block += 1
        begun[size] = <int32_t>block
        for node in range(size):
            if (node == 0 and count > 0) or (is_element[node] and begun[end[node]] > begun[node]):
                total += 1
            position[node] = <int32_t>(total - 1)
    arrays = [np.empty(total, dtype=np.int64) for _ in range(5)]
    tags_array = np.empty(total, dtype=np.uint8)
    holder_array, leaf_array = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    cdef int64_t[::1] at = arrays[0], above = arrays[1], first = arrays[2], last = arrays[3], stop = arrays[4]
    cdef uint8_t[::1] tags = tags_array
    cdef int64_t[::1] held = holder_array, leaf = leaf_array
    with nogil:
        for node in range(size):
            if position[node] == place:
                continue
            place = position[node]
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


# --- Words and texts --------------------------------------------------------------------------------------------------


cdef inline uint64_t _packed_counts(
    const Char* data, int64_t start, int64_t stop, const int64_t* moves
) noexcept nogil:
    """Sentence ends, commas, digits and capitals of a stretch of text, packed into one number."""
    cdef uint64_t total = 0
    cdef int64_t place
    for place in range(start, stop):
        if Char is uint32_t:
            total += <uint64_t>moves[data[place] if data[place] < 0xFFFF else 0xFFFF]
        else:
            total += <uint64_t>moves[data[place]]
    return total


cdef inline bint _is_ascii(const Char* data, int64_t start, int64_t stop) noexcept nogil:
    cdef Char joined = 0
    cdef int64_t place
    for place in range(start, stop):
        joined |= data[place]
    return joined < 0x80


cdef inline uint64_t _text_hash(const uint8_t* data, int64_t size) noexcept nogil:
    cdef uint64_t value = <uint64_t>size * <uint64_t>0x9E3779B97F4A7C15, part
    cdef int64_t place = 0
    while size - place >= 8:
        memcpy(&part, data + place, 8)
        value = (value ^ part) * <uint64_t>0xBF58476D1CE4E5B9
        value ^= value >> 32
        place += 8
    if place < size:
        part = 0
        memcpy(&part, data + place, size - place)
        value = (value ^ part) * <uint64_t>0xBF58476D1CE4E5B9
        value ^= value >> 32
    value *= <uint64_t>0x94D049BB133111EB
    return value ^ value >> 29


cdef inline uint32_t _lower(uint32_t code) noexcept nogil:
    return code + 32 if 65 <= code <= 90 else code


cdef inline int _noted(uint64_t word, uint64_t* words, int count) noexcept nogil:
    """How many different words there are with this one; -1 if there are too many, or were."""
    cdef int seen
    for seen in range(count):
        if words[seen] == word:
            return count
    if count < 0 or count == _MOST_DISTINCT:
        return -1
    words[count] = word
    return count + 1


cdef int _distinct_words(
    const Char* data, int64_t start, int64_t stop, const uint8_t* classes, bint is_unspaced, uint64_t* words
) noexcept nogil:
    """Hashes of the different words of a text that is in lower case or ASCII; -1 if there are too many."""
    cdef int count = 0
    cdef int64_t place
    cdef uint64_t word = 0  # of the word that has begun, 0 between words
    cdef uint32_t code
    cdef uint8_t kind
    cdef bint is_alone
    for place in range(start, stop):
        code = data[place]
        kind = classes[code]
        is_alone = is_unspaced and kind == _IDEOGRAPH
        if word and (kind == _SPACE or is_alone):
            count = _noted(word, words, count)
            word = 0
        if kind != _SPACE:
            word = ((word or <uint64_t>0xCBF29CE484222325) ^ _lower(code)) * <uint64_t>0x100000001B3
            word = word or 1
            if is_alone:
                count = _noted(word, words, count)
                word = 0
    return _noted(word, words, count) if word else count


cdef int _any_distinct_words(str text, const uint8_t* classes, bint is_unspaced, uint64_t* words) noexcept:
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t size = PyUnicode_GET_LENGTH(text)
    if unit == 1:
        return _distinct_words(<const uint8_t*>data, 0, size, classes, is_unspaced, words)
    if unit == 2:
        return _distinct_words(<const uint16_t*>data, 0, size, classes, is_unspaced, words)
    return _distinct_words(<const uint32_t*>data, 0, size, classes, is_unspaced, words)


cdef object _hashes(words, const uint8_t* classes):
    """Sorted hashes of some words."""
    cdef uint64_t found[_MOST_DISTINCT]
    cdef list hashes = []
    for word in words:
        if _any_distinct_words(word, classes, False, found) == 1:
            hashes.append(found[0])
    return np.unique(np.array(hashes, dtype=np.uint64))


cdef int _common(const uint64_t* words, int count, const uint64_t[::1] others) noexcept nogil:
    """How many of the words are among the others, which are sorted."""
    cdef int place, total = 0
    cdef Py_ssize_t low, high, middle
    for place in range(count):
        low, high = 0, others.shape[0]
        while low < high:
            middle = (low + high) // 2
            if others[middle] < words[place]:
                low = middle + 1
            else:
                high = middle
        total += low < others.shape[0] and others[low] == words[place]
    return total


cdef void _sorted_places(const uint64_t[::1] keys, int32_t[::1] places, int32_t[::1] spare) noexcept nogil:
    """Places of the keys in ascending order; by radix, so that no choice of keys makes it slow."""
    cdef Py_ssize_t place
    cdef int shift
    for place in range(keys.shape[0]):
        places[place] = <int32_t>place
    for shift in range(0, 64, 16):
        _radix_pass(keys, places, spare, shift)
        _radix_pass(keys, spare, places, shift + 8)


cdef void _radix_pass(
    const uint64_t[::1] keys, const int32_t[::1] source, int32_t[::1] target, int shift
) noexcept nogil:
    cdef int32_t starts[256]
    cdef int32_t total = 0, count
    cdef Py_ssize_t place
    cdef int digit
    for digit in range(256):
        starts[digit] = 0
    for place in range(keys.shape[0]):
        starts[keys[place] >> shift & 0xFF] += 1
    for digit in range(256):
        count = starts[digit]
        starts[digit] = total
        total += count
    for place in range(keys.shape[0]):
        digit = keys[source[place]] >> shift & 0xFF
        target[starts[digit]] = source[place]
        starts[digit] += 1


cdef Py_ssize_t _numbered(
    const uint64_t[::1] keys, int32_t[::1] numbers, int32_t[::1] places, int32_t[::1] spare
) noexcept nogil:
    """Give each key its rank among the different keys; how many there are."""
    cdef Py_ssize_t place
    cdef int32_t number = -1
    _sorted_places(keys, places, spare)
    for place in range(keys.shape[0]):
        number += place == 0 or keys[places[place]] != keys[places[place - 1]]
        numbers[places[place]] = number
    return number + 1


cdef class _Matches:
    """Blocks that repeat words of the title, of the first main heading, or each other."""

    cdef double[::1] title, heading
    cdef int32_t[::1] duplicates

    def __cinit__(self, page, const uint8_t[::1] tag):
        cdef str text = page.text
        blocks = page.blocks
        cdef const int64_t[::1] start = blocks.start, end = blocks.end, node = blocks.node
        cdef const int64_t[::1] words = blocks.words, link_words = blocks.link_words
        cdef Py_ssize_t size = start.shape[0], block, first_main = -1, different
        cdef int unit = PyUnicode_KIND(text), count, common
        cdef const uint8_t* data = <const uint8_t*>PyUnicode_DATA(text)
        cdef int64_t length = PyUnicode_GET_LENGTH(text)
        cdef const uint8_t[::1] class_view = _CLASSES
        cdef const uint8_t* classes = &class_view[0]
        cdef uint64_t own[_MOST_DISTINCT]
        scratch = np.empty((4, size), dtype=np.int32)
        cdef int32_t[:, ::1] rows = scratch
        cdef uint64_t[::1] keys = np.empty(size, dtype=np.uint64)
        cdef uint8_t[::1] is_left = np.zeros(size, dtype=np.uint8)
        both = np.zeros((2, size))
        self.title, self.heading = both[0], both[1]
        cdef double[::1] title_match = self.title, heading_match = self.heading
        self.duplicates = np.zeros(size, dtype=np.int32)
        cdef int32_t[::1] duplicates = self.duplicates
        for block in range(size):
            if start[block] < 0 or end[block] > length or start[block] > end[block]:
                raise AssertionError(f"block {block} lies outside of the text")  # cannot be; but this is memory
            if first_main < 0 and tag[node[block]] == _H1:
                first_main = block
        title_words = matches.title_words(page)
        heading_words = matches.word_set(text[start[first_main] : end[first_main]]) if first_main >= 0 else set()
        cdef double title_size = len(title_words)
        cdef const uint64_t[::1] title = _hashes(title_words, classes), heading = _hashes(heading_words, classes)
        cdef bint any_left = False
        with nogil:
            for block in range(size):
                keys[block] = _text_hash(data + start[block] * unit, (end[block] - start[block]) * unit)
                if not 1 < words[block] <= MOST_TITLE_WORDS or 2 * link_words[block] > words[block]:
                    continue
                count = -1
                if unit == 1 and _is_ascii(<const uint8_t*>data, start[block], end[block]):
                    count = _distinct_words(<const uint8_t*>data, start[block], end[block], classes, False, own)
                elif unit == 2 and _is_ascii(<const uint16_t*>data, start[block], end[block]):
                    count = _distinct_words(<const uint16_t*>data, start[block], end[block], classes, False, own)
                elif unit == 4 and _is_ascii(<const uint32_t*>data, start[block], end[block]):
                    count = _distinct_words(<const uint32_t*>data, start[block], end[block], classes, False, own)
                if count < 1:
                    is_left[block] = any_left = True
                    continue
                common = _common(own, count, title)
                if common:
                    title_match[block] = <double>common / count * min(1.0, count / title_size * 2)
                heading_match[block] = <double>_common(own, count, heading) / count
            different = _numbered(keys, rows[0], rows[1], rows[2])
            for block in range(different):
                rows[3, block] = 0
            for block in range(size):
                rows[3, rows[0, block]] += 1
            for block in range(size):
                duplicates[block] = rows[3, rows[0, block]]
        if not any_left:
            return
        for block in range(size):
            if is_left[block]:
                slice_ = text[start[block] : end[block]]
                lowered = slice_.lower()
                count = -1 if slice_.isascii() else _any_distinct_words(lowered, classes, False, own)
                if 0 <= count <= 2:
                    count = _any_distinct_words(lowered, classes, True, own)
                if count > 0:
                    common = _common(own, count, title)
                    if common:
                        title_match[block] = <double>common / count * min(1.0, count / title_size * 2)
                    heading_match[block] = <double>_common(own, count, heading) / count
                else:
                    title_match[block], heading_match[block] = matches.shared_words(slice_, title_words, heading_words)


# --- Features ---------------------------------------------------------------------------------------------------------

cdef enum:
    # Prefix sums over the blocks.
    _SUM_WORDS = 0
    _SUM_LINKS = 1
    _SUM_CHARACTERS = 2
    _SUM_TEXT = 3
    _SUM_TAGS = 4
    _SUMS = 5
    # What is known of each block in floating point.
    _BLOCK_LINKS = 0
    _BLOCK_POINTS = 1
    _BLOCK_GAINS = 2
    _BLOCK_ROWS = 3
    # What is known of each container in floating point.
    _SHARE = 0
    _LENGTH = 1
    _DENSITY = 2
    _TEXT_SHARE = 3
    _TOTAL = 4
    _LINK_SHARE = 5
    _LEVEL_ROWS = 6
    _STRENGTH = 6
    _STRONGEST = 7
    _LEAST_NAME = 8
    _MOST_NAME = 9
    _CONTAINER_ROWS = 10
    # Whole numbers, summed over a container and all around it.
    _DEPTHS = 0
    _PATHS = 1
    _FIRST_AROUND = 2
    _SECOND_AROUND = 3
    _COMMENTS = 4
    _NAMES_AROUND = 5
    _NAMES_OWN = 6
    _PATH_ROWS = 7


cdef struct Totals:
    # Sums over the page.
    double words
    double links
    double characters
    double text
    double tags
    double ends
    double commas
    double longest
    Py_ssize_t headings
    Py_ssize_t items
    Py_ssize_t hidden


def read_evidence(page, containers, class_names):
    nodes, blocks = page.nodes, page.blocks
    cdef Py_ssize_t size = len(blocks), held = len(containers), place
    cdef const uint8_t[::1] tag = nodes.tag, flags = nodes.flags, hidden_flags = page.hidden_flags
    cdef const int64_t[::1] depth = nodes.depth, text_start = nodes.text_start, text_end = nodes.text_end
    cdef const int64_t[::1] node = blocks.node, leaves = blocks.leaves, first_leaf = blocks.first_leaf
    cdef const int64_t[::1] words = blocks.words, link_words = blocks.link_words, characters = blocks.characters
    cdef const int64_t[::1] parent = containers.parent, first = containers.first, last = containers.last
    cdef const int64_t[::1] end = containers.end, holder = containers.holder, leaf = containers.leaf
    cdef const int64_t[::1] name = containers.name
    cdef const uint8_t[::1] container_tag = containers.tag
    matrix = np.empty((len(NAMES), size), dtype=np.float32)
    cdef float[:, ::1] out = matrix
    cdef double[:, ::1] sums = np.empty((_SUMS, size + 1)), block = np.empty((_BLOCK_ROWS, size))
    cdef double[:, ::1] container = np.empty((_CONTAINER_ROWS, held))
    cdef uint64_t[:, ::1] paths = np.empty((_PATH_ROWS, held), dtype=np.uint64)
    cdef int32_t[:, ::1] kinds = np.empty((5, held), dtype=np.int32)
    cdef double[:, ::1] alike = np.zeros((8, held))
    groups_array, comments_array = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.bool_)
    cdef int64_t[::1] groups = groups_array
    cdef uint8_t[::1] in_comments = comments_array.view(np.uint8)
    cdef const int64_t[:, ::1] called = _name_facts(containers.names, class_names)
    cdef const int64_t[:, ::1] tag_names = class_names.tag_weights
    cdef _Matches found = _Matches(page, tag)
    cdef str text = page.text
    cdef int unit = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int64_t length = PyUnicode_GET_LENGTH(text)
    cdef const int64_t[::1] moves = _MOVES
    cdef double says[_SAYINGS]
    for place, value in enumerate(sayings(page).values()):
        says[place] = value
    for place in range(leaves.shape[0]):
        if text_start[leaves[place]] < 0 or text_end[leaves[place]] > length:
            raise AssertionError("a text lies outside of the page")  # cannot be; but what is read here is memory
    cdef Totals totals
    with nogil:
        if unit == 1:
            _count_characters(<const uint8_t*>data, text_start, text_end, leaves, first_leaf, &moves[0], out)
        elif unit == 2:
            _count_characters(<const uint16_t*>data, text_start, text_end, leaves, first_leaf, &moves[0], out)
        else:
            _count_characters(<const uint32_t*>data, text_start, text_end, leaves, first_leaf, &moves[0], out)
    with nogil:
        totals = _count_blocks(
            tag, flags, hidden_flags, depth, node, leaves, first_leaf, words, link_words, characters, sums, block, out
        )
        _place_blocks(found.title, found.heading, found.duplicates, sums, totals, tag, node, out)
        _walk_containers(container_tag, parent, first, last, end, name, called, tag_names, sums, totals, container, paths)
        _look_up(parent, holder, leaf, name, called, tag_names, container_tag, container, paths, out)
        _find_candidate(tag, node, parent, first, last, holder, sums, totals, block, container, out)
        _find_alike(parent, first, last, holder, sums, totals, paths, kinds, alike, groups, out)
        for place in range(size):
            in_comments[place] = paths[_COMMENTS, holder[place]] > 0
        _tell_page(tag, sums, totals, kinds, in_comments, says, out)
    return Evidence(matrix, groups_array, comments_array)


cdef object _name_facts(names, class_names):
    """A row for each name: its weights, whether it is one of comments, the number of its looks."""
    cdef Py_ssize_t place = 0
    cdef dict remembered = class_names.remembered
    cdef PyObject* known
    cdef tuple facts
    table = np.empty((len(names), 4), dtype=np.int64)
    cdef int64_t[:, ::1] rows = table
    for name in names:
        known = PyDict_GetItem(remembered, name)
        facts = <tuple>class_names.facts(name) if known is NULL else <tuple>known
        rows[place, 0], rows[place, 1], rows[place, 2], rows[place, 3] = facts
        place += 1
    return table


cdef void _count_characters(
    const Char* data,
    const int64_t[::1] text_start,
    const int64_t[::1] text_end,
    const int64_t[::1] leaves,
    const int64_t[::1] first_leaf,
    const int64_t* moves,
    float[:, ::1] out,
) noexcept nogil:
    """Sentence ends, commas, digits and capitals of each block, not yet divided by anything."""
    cdef Py_ssize_t place, leaf
    cdef uint64_t packed
    for place in range(out.shape[1]):
        packed = 0
        for leaf in range(first_leaf[place], first_leaf[place + 1]):
            packed += _packed_counts(data, text_start[leaves[leaf]], text_end[leaves[leaf]], moves)
        out[ENDS, place] = packed & 0xFFFF
        out[COMMAS, place] = packed >> 16 & 0xFFFF
        out[DIGITS, place] = packed >> 32 & 0xFFFF
        out[CAPITALS, place] = packed >> 48 & 0xFFFF


cdef Totals _count_blocks(
    const uint8_t[::1] tag,
    const uint8_t[::1] flags,
    const uint8_t[::1] hidden_flags,
    const int64_t[::1] depth,
    const int64_t[::1] node,
    const int64_t[::1] leaves,
    const int64_t[::1] first_leaf,
    const int64_t[::1] words,
    const int64_t[::1] link_words,
    const int64_t[::1] characters,
    double[:, ::1] sums,
    double[:, ::1] block,
    float[:, ::1] out,
) noexcept nogil:
    """What is known of each block by itself, prefix sums, and sums over the page."""
    cdef Totals totals = Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    cdef Py_ssize_t size = out.shape[1], place, following, kind
    cdef double own, density, letters, tags, commas
    cdef uint8_t code, bits, leaf_flags
    cdef bint hides
    for place in range(size):
        code = tag[node[place]]
        bits = TAG_BITS[code]
        own = <double>words[place]
        density = <double>link_words[place] / max(own, 1.0)
        letters = max(<double>characters[place], 1.0)
        following = leaves[first_leaf[place + 1]] if place + 1 < size else tag.shape[0]
        tags = <double>(following - leaves[first_leaf[place]])
        commas = out[COMMAS, place]
        totals.ends += out[ENDS, place]
        totals.commas += commas
        out[WORDS, place] = <float>own
        out[WORD_LENGTH, place] = <float>(letters / max(own, 1.0))
        out[COMMAS, place] = <float>(commas / max(own, 1.0))
        out[DIGITS, place] = <float>(<double>out[DIGITS, place] / letters)
        out[CAPITALS, place] = <float>(<double>out[CAPITALS, place] / letters)
        out[TAGS, place] = <float>tags
        for kind in range(_KINDS):
            out[IS_KIND[kind], place] = KIND_BITS[code] >> kind & 1
        leaf_flags = flags[leaves[first_leaf[place]]]
        out[IN_NOSCRIPT, place] = leaf_flags & _NOSCRIPT != 0
        out[IN_FORM, place] = leaf_flags & _FORM_TEXT != 0
        out[IN_PRE, place] = leaf_flags & _PREFORMATTED != 0
        out[IN_LINK, place] = flags[node[place]] & _LINK != 0
        hides = hidden_flags[node[place]] & _HIDDEN != 0
        out[HIDES, place] = hides
        out[DEPTH, place] = <float>depth[node[place]]
        out[HEADING_LEVEL, place] = <float>HEADING_LEVELS[code]
        out[LINK_DENSITY, place] = <float>density
        sums[_SUM_WORDS, place] = totals.words
        sums[_SUM_LINKS, place] = totals.links
        sums[_SUM_CHARACTERS, place] = totals.characters
        sums[_SUM_TEXT, place] = totals.text
        sums[_SUM_TAGS, place] = totals.tags
        totals.words += own
        totals.links += <double>link_words[place]
        totals.characters += <double>characters[place]
        if own >= TEXT_WORDS and density < TEXT_LINK_DENSITY:
            totals.text += own
        totals.tags += tags
        totals.longest = max(totals.longest, own)
        totals.headings += bits & _IS_HEADING != 0
        totals.items += bits & _IS_ITEM != 0
        totals.hidden += hides
        block[_BLOCK_LINKS, place] = density
        block[_BLOCK_POINTS, place] = (
            1 + commas + min(<double>characters[place] / 100, 3.0)
            if characters[place] >= MIN_CHARACTERS and density < TEXT_LINK_DENSITY
            else 0
        )
        block[_BLOCK_GAINS, place] = own * (1 - 2 * density) - tags
    sums[_SUM_WORDS, size] = totals.words
    sums[_SUM_LINKS, size] = totals.links
    sums[_SUM_CHARACTERS, size] = totals.characters
    sums[_SUM_TEXT, size] = totals.text
    sums[_SUM_TAGS, size] = totals.tags
    return totals


cdef inline double _over(const double[:, ::1] sums, Py_ssize_t row, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    return sums[row, last] - sums[row, first]


cdef void _place_blocks(
    const double[::1] title,
    const double[::1] heading,
    const int32_t[::1] duplicates,
    const double[:, ::1] sums,
    Totals totals,
    const uint8_t[::1] tag,
    const int64_t[::1] node,
    float[:, ::1] out,
) noexcept nogil:
    """Where a block stands, and what stands beside it."""
    cdef Py_ssize_t size = out.shape[1], place, title_place = 0, heading_place = -1, near, first, last
    cdef double best = -1, seems, level, words = max(totals.words, 1.0)
    for place in range(size):
        level = out[HEADING_LEVEL, place]
        seems = (0.3 / level if level > 0 else 0.0) + title[place]
        if seems > best:
            best, title_place = seems, place
        if level > 0:
            heading_place = place
        out[AFTER_HEADING, place] = <float>(size if heading_place < 0 else place - heading_place)
        out[TITLE_MATCH, place] = <float>title[place]
        out[HEADING_MATCH, place] = <float>heading[place]
        out[DUPLICATES, place] = <float>duplicates[place]
        out[POSITION, place] = <float>(<double>place / <double>size)
        out[WORDS_BEFORE, place] = <float>(sums[_SUM_WORDS, place] / words)
        for near in range(_NEAR):
            first, last = max(place - NEAR[near], 0), min(place + 1 + NEAR[near], size)
            out[LINKS_BEFORE[near], place] = <float>(
                _over(sums, _SUM_LINKS, first, place) / max(_over(sums, _SUM_WORDS, first, place), 1.0)
            )
            out[LINKS_AFTER[near], place] = <float>(
                _over(sums, _SUM_LINKS, place + 1, last) / max(_over(sums, _SUM_WORDS, place + 1, last), 1.0)
            )
    heading_place = size
    for place in range(size - 1, -1, -1):
        if out[HEADING_LEVEL, place] > 0:
            heading_place = place
        out[TO_HEADING, place] = <float>(heading_place - place)
        out[AFTER_TITLE, place] = <float>(place - title_place)


cdef void _walk_containers(
    const uint8_t[::1] tag,
    const int64_t[::1] parent,
    const int64_t[::1] first,
    const int64_t[::1] last,
    const int64_t[::1] end,
    const int64_t[::1] name,
    const int64_t[:, ::1] called,
    const int64_t[:, ::1] tag_names,
    const double[:, ::1] sums,
    Totals totals,
    double[:, ::1] container,
    uint64_t[:, ::1] paths,
) noexcept nogil:
    """What is known of each container by itself, and of the path that leads to it."""
    cdef Py_ssize_t place, row, outer = -1
    cdef double words, text, least, most
    cdef uint64_t own[_PATH_ROWS]
    cdef uint64_t mixed, around
    cdef int64_t around_name
    # Sums along paths are over the containers whose subtree is still open.
    for place in range(tag.shape[0]):
        outer = place - 1
        while outer >= 0 and end[outer] <= place:
            outer = parent[outer] if parent[outer] < outer else -1
        around_name = called[name[place], 1] + tag_names[1, tag[place]]
        own[_DEPTHS] = 1
        own[_FIRST_AROUND] = <uint64_t>FIRST_AROUND[tag[place]]
        own[_SECOND_AROUND] = <uint64_t>SECOND_AROUND[tag[place]]
        own[_COMMENTS] = <uint64_t>called[name[place], 2] if not TAG_BITS[tag[place]] & _IS_ROOT else 0
        own[_NAMES_AROUND] = <uint64_t>around_name
        own[_NAMES_OWN] = <uint64_t>(called[name[place], 0] + tag_names[0, tag[place]])
        paths[_DEPTHS, place] = 1 + (paths[_DEPTHS, outer] if outer >= 0 else 0)
        mixed = (<uint64_t>called[name[place], 3] << 8) + tag[place]
        mixed = (mixed + <uint64_t>0x9E3779B97F4A7C15) * (2 * paths[_DEPTHS, place] + 1)
        mixed ^= mixed >> 29
        own[_PATHS] = mixed * <uint64_t>0xBF58476D1CE4E5B9
        for row in range(1, _PATH_ROWS):
            paths[row, place] = own[row] + (paths[row, outer] if outer >= 0 else 0)
        words = _over(sums, _SUM_WORDS, first[place], last[place])
        text = _over(sums, _SUM_TEXT, first[place], last[place])
        container[_SHARE, place] = text / max(totals.text, 1.0)
        container[_LENGTH, place] = words / max(<double>(last[place] - first[place]), 1.0)
        container[_DENSITY, place] = _over(sums, _SUM_CHARACTERS, first[place], last[place]) / max(
            _over(sums, _SUM_TAGS, first[place], last[place]), 1.0
        )
        container[_TEXT_SHARE, place] = text / max(words, 1.0)
        container[_TOTAL, place] = words
        container[_LINK_SHARE, place] = _over(sums, _SUM_LINKS, first[place], last[place]) / max(words, 1.0)
        least = most = <double>around_name
        if place:
            least = min(least, container[_LEAST_NAME, parent[place]])
            most = max(most, container[_MOST_NAME, parent[place]])
        container[_LEAST_NAME, place], container[_MOST_NAME, place] = least, most


cdef void _look_up(
    const int64_t[::1] parent,
    const int64_t[::1] holder,
    const int64_t[::1] leaf,
    const int64_t[::1] name,
    const int64_t[:, ::1] called,
    const int64_t[:, ::1] tag_names,
    const uint8_t[::1] tag,
    const double[:, ::1] container,
    const uint64_t[:, ::1] paths,
    float[:, ::1] out,
) noexcept nogil:
    """What the containers around a block hold and are called."""
    cdef Py_ssize_t place, level, kind, at, above
    for place in range(out.shape[1]):
        at = holder[place]
        for kind in range(_AROUND):
            out[IN_AROUND[kind], place] = <float>(
                paths[_FIRST_AROUND + kind // AROUND_PER_SUM, at] >> AROUND_BITS * (kind % AROUND_PER_SUM)
                & ((<uint64_t>1 << AROUND_BITS) - 1)
            )
        above = parent[at]
        out[OWN_NAME, place] = <float>(called[name[at], 0] + tag_names[0, tag[at]])
        out[LEAF_NAME, place] = <float>(called[name[leaf[place]], 0] + tag_names[0, tag[leaf[place]]])
        out[PARENT_NAME, place] = <float>(called[name[above], 1] + tag_names[1, tag[above]])
        above = parent[above]
        out[GRANDPARENT_NAME, place] = <float>(called[name[above], 1] + tag_names[1, tag[above]])
        out[PATH_NAME, place] = <float><int64_t>paths[_NAMES_AROUND, at]
        out[WHOLE_NAME, place] = <float><int64_t>paths[_NAMES_OWN, at]
        out[WORST_NAME, place] = <float>container[_LEAST_NAME, at]
        out[BEST_NAME, place] = <float>container[_MOST_NAME, at]
        for level in range(_LEVELS):
            out[LEVEL_SHARE[level], place] = <float>container[_SHARE, at]
            out[LEVEL_LENGTH[level], place] = <float>container[_LENGTH, at]
            out[LEVEL_DENSITY[level], place] = <float>container[_DENSITY, at]
            out[LEVEL_TEXT[level], place] = <float>container[_TEXT_SHARE, at]
            out[LEVEL_TOTAL[level], place] = <float>container[_TOTAL, at]
            out[LEVEL_LINKS[level], place] = <float>container[_LINK_SHARE, at]
            at = parent[at]


cdef inline double _outside(Py_ssize_t place, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    return min(<double>(place - start), 0.0) + max(<double>(place - end + 1), 0.0)


cdef void _find_candidate(
    const uint8_t[::1] tag,
    const int64_t[::1] node,
    const int64_t[::1] parent,
    const int64_t[::1] first,
    const int64_t[::1] last,
    const int64_t[::1] holder,
    const double[:, ::1] sums,
    Totals totals,
    const double[:, ::1] block,
    double[:, ::1] container,
    float[:, ::1] out,
) noexcept nogil:
    """The container a reader mode would choose, the run of blocks with the most text, and where a block lies to them."""
    cdef Py_ssize_t size = out.shape[1], held = parent.shape[0], place, near, level, best = 0, start, end, lowest_place
    cdef double strongest, sum_, lowest, gain, share, window, found
    # Two sums for each container, added when both are complete: points of blocks right below, and of those further
    # down. The second stands where the strongest will stand.
    for place in range(held):
        container[_STRENGTH, place] = container[_STRONGEST, place] = 0
    for place in range(size):
        near = parent[holder[place]] if TAG_BITS[tag[node[place]]] & _IS_INNER else holder[place]
        container[_STRENGTH, near] += block[_BLOCK_POINTS, place]
        container[_STRONGEST, parent[near]] += block[_BLOCK_POINTS, place] / 2
    for place in range(held):
        container[_STRENGTH, place] = (container[_STRENGTH, place] + container[_STRONGEST, place]) * (
            1 - container[_LINK_SHARE, place]
        )
        if container[_STRENGTH, place] > container[_STRENGTH, best]:
            best = place
    strongest = max(container[_STRENGTH, best], 1e-9)
    for place in range(held):
        container[_STRENGTH, place] /= strongest
        container[_STRONGEST, place] = container[_STRENGTH, place]
        if place:
            container[_STRONGEST, place] = max(container[_STRENGTH, place], container[_STRONGEST, parent[place]])
    # The run whose sum of gains is largest; of those that begin at equal sums the shortest.
    sum_ = lowest = gain = 0
    start = end = lowest_place = 0
    for place in range(size):
        sum_ += block[_BLOCK_GAINS, place]
        if sum_ <= lowest:
            lowest, lowest_place = sum_, place + 1
        if sum_ - lowest > gain:
            gain, start, end = sum_ - lowest, lowest_place, place + 1
    share = _over(sums, _SUM_TEXT, first[best], last[best]) / max(totals.text, 1.0)
    window = _over(sums, _SUM_WORDS, start, end) / max(totals.words, 1.0)
    for place in range(size):
        near = holder[place]
        out[IN_CANDIDATE, place] = first[best] <= place < last[best]
        out[CANDIDATE_SHARE, place] = out[PAGE_CANDIDATE, place] = <float>share
        out[CANDIDATE_SCORE, place] = <float>container[_STRONGEST, near]
        out[CANDIDATE_DISTANCE, place] = <float>_outside(place, first[best], last[best])
        out[OVER_CANDIDATE, place] = <float>container[_STRENGTH, near]
        found = container[_STRENGTH, near]
        for level in range(1, CANDIDATE_LEVELS):
            near = parent[near]
            found = max(found, container[_STRENGTH, near])
        out[ABOVE_SCORE, place] = <float>found
        out[IN_WINDOW, place] = start <= place < end
        out[WINDOW_DISTANCE, place] = <float>_outside(place, start, end)
        out[PAGE_WINDOW, place] = <float>window


cdef void _find_alike(
    const int64_t[::1] parent,
    const int64_t[::1] first,
    const int64_t[::1] last,
    const int64_t[::1] holder,
    const double[:, ::1] sums,
    Totals totals,
    const uint64_t[:, ::1] paths,
    int32_t[:, ::1] kinds,
    double[:, ::1] alike,
    int64_t[::1] groups,
    float[:, ::1] out,
) noexcept nogil:
    """Blocks and containers that look alike. Leaves in ``kinds[0]`` how many containers look like each.

    ``alike`` comes with zeros; for each kind of container it counts blocks, words, linked words and words of running
    text: first of the blocks that such a container holds, then of those that are held one level down.
    """
    cdef Py_ssize_t size = out.shape[1], held = parent.shape[0], place, level, at, card, count, number
    cdef int32_t most
    cdef double words, text, linked, page_text = max(totals.text, 1.0)
    cdef int32_t[::1] kind = kinds[4]
    count = _numbered(paths[_PATHS], kind, kinds[0], kinds[1])
    for number in range(count):
        kinds[2, number] = 0
        kinds[3, number] = -1
    for place in range(held):
        kinds[2, kind[place]] += 1
    for place in range(held):
        kinds[0, place] = kinds[2, kind[place]]
    for place in range(size):
        words = _over(sums, _SUM_WORDS, place, place + 1)
        linked = _over(sums, _SUM_LINKS, place, place + 1)
        text = _over(sums, _SUM_TEXT, place, place + 1)
        for level in range(2):
            number = kind[holder[place] if level == 0 else parent[holder[place]]]
            alike[4 * level, number] += 1
            alike[4 * level + 1, number] += words
            alike[4 * level + 2, number] += linked
            alike[4 * level + 3, number] += text
    card = 0
    for number in range(count):
        if alike[0, number] > 0:
            kinds[3, number] = <int32_t>card
            card += 1
    for place in range(size):
        number = kind[holder[place]]
        groups[place] = kinds[3, number]
        out[ALIKE, place] = <float>alike[0, number]
        out[ALIKE_SHARE, place] = <float>(alike[3, number] / page_text)
        out[ALIKE_WORDS, place] = <float>(alike[1, number] / alike[0, number])
        out[ALIKE_LINKS, place] = <float>(alike[2, number] / max(alike[1, number], 1.0))
        number = kind[parent[holder[place]]]
        out[SIBLINGS, place] = <float>alike[4, number]
        out[SIBLINGS_SHARE, place] = <float>(alike[7, number] / page_text)
        out[SIBLINGS_LINKS, place] = <float>(alike[6, number] / max(alike[5, number], 1.0))
        at = card = holder[place]
        most = kinds[0, at]
        for level in range(1, _LEVELS):
            at = parent[at]
            out[REPEATED[level - 1], place] = <float>kinds[0, at]
            if kinds[0, at] > most:
                most, card = kinds[0, at], at
        words = _over(sums, _SUM_WORDS, first[card], last[card])
        out[MOST_REPEATED, place] = <float>most
        out[CARD_WORDS, place] = <float>words
        out[CARD_SHARE, place] = <float>(_over(sums, _SUM_TEXT, first[card], last[card]) * most / page_text)
        out[CARD_LINKS, place] = <float>(_over(sums, _SUM_LINKS, first[card], last[card]) / max(words, 1.0))


cdef void _tell_page(
    const uint8_t[::1] tag,
    const double[:, ::1] sums,
    Totals totals,
    const int32_t[:, ::1] kinds,
    const uint8_t[::1] in_comments,
    const double* says,
    float[:, ::1] out,
) noexcept nogil:
    """The numbers that all blocks of a page share."""
    cdef Py_ssize_t size = out.shape[1], place, kind
    cdef double articles = 0, cells = 0, inputs = 0, images = 0, repeated = 0, commented = 0
    cdef double words = max(totals.words, 1.0), blocks = <double>size
    cdef uint8_t bits
    for place in range(tag.shape[0]):
        bits = TAG_BITS[tag[place]]
        articles += bits & _IS_ARTICLE != 0
        cells += bits & _IS_CELL != 0
        inputs += bits & _IS_INPUT != 0
        images += bits & _IS_IMAGE != 0
    for place in range(kinds.shape[1]):
        repeated = max(repeated, <double>kinds[0, place])
    for place in range(size):
        if in_comments[place]:
            commented += _over(sums, _SUM_WORDS, place, place + 1)
    for place in range(size):
        out[PAGE_BLOCKS, place] = <float>blocks
        out[PAGE_WORDS, place] = <float>totals.words
        out[PAGE_LINKS, place] = <float>(totals.links / words)
        out[PAGE_TEXT, place] = <float>(totals.text / words)
        out[PAGE_PUNCTUATION, place] = <float>((totals.ends + totals.commas) / words)
        out[PAGE_DENSITY, place] = <float>(totals.characters / max(totals.tags, 1.0))
        out[PAGE_LONGEST, place] = <float>totals.longest
        out[PAGE_HEADINGS, place] = <float>(<double>totals.headings / blocks)
        out[PAGE_ARTICLES, place] = <float>articles
        out[PAGE_ITEMS, place] = <float>(<double>totals.items / blocks)
        out[PAGE_CELLS, place] = <float>cells
        out[PAGE_INPUTS, place] = <float>inputs
        out[PAGE_IMAGES, place] = <float>images
        out[PAGE_HIDDEN, place] = <float>(<double>totals.hidden / blocks)
        out[PAGE_REPEATED, place] = <float>repeated
        out[PAGE_COMMENTS, place] = <float>(commented / words)
        for kind in range(_SAYINGS):
            out[SAYS[kind], place] = <float>says[kind]


# --- Scores -----------------------------------------------------------------------------------------------------------

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

    /* What each summary reads: the mean of the rows, weighted by a softmax over them. */
    TAMIS_WIDE static void tamis_summarise(float *odds, const float *length, const float *h, Py_ssize_t rows,
                                           Py_ssize_t width, Py_ssize_t summaries, float *summary)
    {
        Py_ssize_t row, i, k;
        for (k = 0; k < summaries; k++) {
            float most = odds[k] + length[0], total = 0, *own = summary + k * width;
            for (row = 0; row < rows; row++) {
                const float value = odds[row * summaries + k] + length[row];
                odds[row * summaries + k] = value;
                most = value > most ? value : most;
            }
            for (i = 0; i < width; i++) own[i] = 0;
            for (row = 0; row < rows; row++) {
                const float power = expf(odds[row * summaries + k] - most);
                total += power;
                for (i = 0; i < width; i++) own[i] += power * h[row * width + i];
            }
            for (i = 0; i < width; i++) own[i] /= total;
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
        float* summary,
    ) noexcept nogil
    void tamis_shares(float* odds, Py_ssize_t rows, Py_ssize_t width) noexcept nogil
    void tamis_positive(float* x, Py_ssize_t count) noexcept nogil
    void tamis_add(float weight, const float* x, Py_ssize_t count, float* y) noexcept nogil
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


def score_columns(trees, network, columns, words, double tree_share):
    cdef const float[:, ::1] matrix = columns
    cdef const float[::1] counted = words
    cdef const float[::1] half = network.half, centre = network.centre
    cdef const float[::1] inverse = 1 / network.spread  # to multiply is quicker
    cdef Py_ssize_t rows = matrix.shape[1], width = matrix.shape[0], place, unit
    odds_array = _tree_odds(trees, matrix)
    cdef double[::1] odds = odds_array
    cdef float[:, ::1] inputs = np.empty((rows, width), dtype=np.float32)
    if half.shape[0] != width or centre.shape[0] != width or inverse.shape[0] != width:
        raise ValueError(f"{width} features, but {half.shape[0]} are known to the network")
    with nogil:
        tamis_standardise(&matrix[0, 0], rows, width, &half[0], &centre[0], &inverse[0], &inputs[0, 0])
    cdef float[::1] second = _network_odds(network, inputs, counted)
    summary_array = np.zeros(2 * width, dtype=np.float32)
    cdef float[::1] summary = summary_array
    cdef float chance, all_words = 0, kept_words = 0
    with nogil:
        for place in range(rows):
            odds[place] = tree_share * odds[place] + (1 - tree_share) * <double>second[place]
            chance = <float>(1 / (1 + exp(-min(max(odds[place], -30.0), 30.0))))
            all_words += counted[place] + 1
            kept_words += (counted[place] + 1) * chance
            tamis_add(counted[place] + 1, &inputs[place, 0], width, &summary[0])
            tamis_add((counted[place] + 1) * chance, &inputs[place, 0], width, &summary[width])
        for unit in range(width):
            summary[unit] /= all_words
            summary[width + unit] /= kept_words + 1
    return odds_array, summary_array


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


cdef object _network_odds(network, const float[:, ::1] inputs, const float[::1] words):
    """What the network says of each block; see ``network.py`` for the formulas."""
    cdef const float[:, ::1] dense = network.dense, value_bias = network.value_bias, mix_bias = network.mix_bias
    cdef const float[:, ::1] up_bias = network.up_bias, down_bias = network.down_bias
    cdef const float[:, :, ::1] pool = network.pool, key = network.key, value = network.value, taps = network.taps
    cdef const float[:, :, ::1] mix = network.mix, up = network.up, down = network.down
    cdef const float[::1] dense_bias = network.dense_bias, out = network.out
    cdef float out_bias = network.out_bias
    cdef Py_ssize_t rows = inputs.shape[0], units = dense.shape[1], layers = pool.shape[0], summaries = pool.shape[2]
    cdef Py_ssize_t wide = up.shape[2], layer, place, k, unit
    cdef float root = sqrtf(<float>units)
    odds_array = np.empty(rows, dtype=np.float32)
    cdef float[::1] odds = odds_array
    cdef float[:, ::1] hidden = np.empty((rows, units), dtype=np.float32)
    cdef float[:, ::1] normal = np.empty((rows, units), dtype=np.float32)
    cdef float[:, ::1] update = np.empty((rows, units), dtype=np.float32)
    cdef float[:, ::1] inner = np.empty((rows, wide), dtype=np.float32)
    cdef float[:, ::1] taken = np.empty((rows, summaries), dtype=np.float32)
    cdef float[:, ::1] summary = np.empty((summaries, units), dtype=np.float32)
    cdef float[:, ::1] keys = np.empty((summaries, units), dtype=np.float32)
    cdef float[:, ::1] keys_turned = np.empty((units, summaries), dtype=np.float32)
    cdef float[:, ::1] values = np.empty((summaries, units), dtype=np.float32)
    cdef float[::1] zeros = np.zeros(max(units, summaries), dtype=np.float32)
    cdef float[::1] length = np.empty(rows, dtype=np.float32)
    _check_network(network, inputs.shape[1])
    with nogil:
        for place in range(rows):
            length[place] = <float>0.5 * logf(words[place] + 1)
        tamis_product(&inputs[0, 0], rows, inputs.shape[1], units, &dense[0, 0], &dense_bias[0], &hidden[0, 0])
        for layer in range(layers):
            tamis_normalise(&hidden[0, 0], rows, units, &normal[0, 0])
            tamis_product(&normal[0, 0], rows, units, summaries, &pool[layer, 0, 0], &zeros[0], &taken[0, 0])
            tamis_summarise(&taken[0, 0], &length[0], &normal[0, 0], rows, units, summaries, &summary[0, 0])
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
            tamis_product(&normal[0, 0], rows, units, wide, &up[layer, 0, 0], &up_bias[layer, 0], &inner[0, 0])
            tamis_positive(&inner[0, 0], rows * wide)
            tamis_product(&inner[0, 0], rows, wide, units, &down[layer, 0, 0], &down_bias[layer, 0], &normal[0, 0])
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


def levelled(log_odds, words, groups):
    cdef const double[::1] odds = log_odds, counted = words
    cdef const int64_t[::1] group = groups
    cdef Py_ssize_t size = odds.shape[0], place, number
    cdef double share = decide.GROUP_SHARE, weight
    level_array = np.empty(size)
    cdef double[::1] level = level_array
    cdef double[:, ::1] sums = np.zeros((2, max(groups.max(initial=-1) + 1, 1)))
    if groups.min(initial=0) < 0:
        raise ValueError("numbers of groups are not negative")
    with nogil:
        for place in range(size):
            weight = counted[place] + 1e-3
            sums[0, group[place]] += odds[place] * weight
            sums[1, group[place]] += weight
        for place in range(size):
            number = group[place]
            level[place] = (1 - share) * odds[place] + share * (sums[0, number] / sums[1, number])
    return level_array
