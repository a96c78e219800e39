# The rows of the features, and the constants of their families.

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
cdef Py_ssize_t WORDING = _row("wording"), BEST_WORDING = _row("best_wording"), WORST_WORDING = _row("worst_wording")

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

cdef Py_ssize_t NEAR[_NEAR]
NEAR[:] = links.NEAR
cdef double TEXT_WORDS = counts.TEXT_WORDS, TEXT_LINK_DENSITY = counts.TEXT_LINK_DENSITY
cdef int64_t MIN_CHARACTERS = candidate.MIN_CHARACTERS, MOST_TITLE_WORDS = matches.MOST_WORDS
cdef Py_ssize_t CANDIDATE_LEVELS = candidate.LEVELS_ABOVE
cdef int AROUND_BITS = markup.BITS, AROUND_PER_SUM = markup.PER_SUM
cdef uint8_t _HIDDEN = HIDDEN, _LINK = LINK, _NOSCRIPT = NOSCRIPT, _FORM_TEXT = FORM_TEXT, _PREFORMATTED = PREFORMATTED
cdef uint8_t _SPACE = SPACE, _IDEOGRAPH = IDEOGRAPH, _H1 = TAG_CODES["h1"], _TITLE = TAG_CODES["title"]
cdef uint8_t _META = TAG_CODES["meta"], _SCRIPT = TAG_CODES["script"]

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
cdef uint8_t IS_ELEMENT[256]


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
    for code, name in enumerate(TAG_NAMES):
        IS_ELEMENT[code] = name == "#other" or name not in PSEUDO_NAMES
    for code in range(len(mask())):
        TAG_BITS[code] = sum(bit for bit, names in kinds.items() if mask(*names)[code])
        KIND_BITS[code] = sum(1 << place for place, names in enumerate(markup.KINDS.values()) if mask(*names)[code])
        FIRST_AROUND[code], SECOND_AROUND[code], HEADING_LEVELS[code] = first[code], second[code], levels[code]


_fill_tables()
_MOVES, _CLASSES = counts.character_table(), class_table()
