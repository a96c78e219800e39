# What class names say: words and their parts, looked up in the learned table; see ``class_names.py``.
# Names beyond ASCII are rare, and left to the reference.

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    object PyUnicode_DecodeASCII(const char* data, Py_ssize_t size, const char* errors)
    double PyComplex_RealAsDouble(object number)
    double PyComplex_ImagAsDouble(object number)

cdef enum:
    _TOKEN_LENGTH = 40
    _MAX_NAME = 200
    _MAX_NAMES = 20_000

if (containers.TOKEN_LENGTH, class_names.MAX_NAME, class_names.MAX_NAMES) != (_TOKEN_LENGTH, _MAX_NAME, _MAX_NAMES):
    raise ImportError("_kernel_names.pxi has other limits than class_names.py and containers.py")

cdef list _COMMENT_NAMES = [name.encode() for name in COMMENT_NAMES]
cdef uint32_t _CRC[256]


cdef void _fill_crc() noexcept:
    cdef uint32_t value
    cdef int number, bit
    for number in range(256):
        value = <uint32_t>number
        for bit in range(8):
            value = (value >> 1) ^ (<uint32_t>0xEDB88320 if value & 1 else <uint32_t>0)
        _CRC[number] = value


_fill_crc()


cdef object _name_facts(names, table):
    """A row for each name: its weights, whether it is one of comments, the number of its looks."""
    cdef Py_ssize_t place = 0
    cdef dict remembered = table.remembered, weights = table.weights
    cdef PyObject* known
    cdef tuple facts
    found = np.empty((len(names), 4), dtype=np.int64)
    cdef int64_t[:, ::1] rows = found
    for name in names:
        known = PyDict_GetItem(remembered, name)
        if known is not NULL:
            facts = <tuple>known
        elif PyUnicode_IS_ASCII(name):
            facts = _facts(name, weights)
            if len(remembered) < _MAX_NAMES and PyUnicode_GET_LENGTH(name) <= _MAX_NAME:
                remembered[name] = facts
        else:
            facts = <tuple>table.facts(name)
        rows[place, 0], rows[place, 1], rows[place, 2], rows[place, 3] = facts
        place += 1
    return found


cdef tuple _facts(str name, dict weights):
    """What is known of one name, as ``ClassNames.facts`` says it."""
    cdef const uint8_t* data = <const uint8_t*>PyUnicode_DATA(name)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(name), place = 0, start
    cdef double own = 0, around = 0
    while place < size:
        if _is_blank(data[place]):
            place += 1
            continue
        start = place
        while place < size and not _is_blank(data[place]):
            place += 1
        _add_word(data + start, place - start, weights, &own, &around)
    return <int64_t>own, <int64_t>around, _names_comments(data, size), _look_code(data, size)


cdef inline bint _is_blank(uint8_t letter) noexcept:
    return letter == 32 or 9 <= letter <= 13 or 28 <= letter <= 31


cdef inline bint _is_small(uint8_t letter) noexcept:
    return 97 <= letter <= 122


cdef inline bint _is_capital(uint8_t letter) noexcept:
    return 65 <= letter <= 90


cdef int _add_word(const uint8_t* word, Py_ssize_t size, dict weights, double* own, double* around) except -1:
    """Add the weights of a word, and of its parts: a capital with small letters, or several capitals."""
    cdef Py_ssize_t place, start, end = min(size, <Py_ssize_t>(2 * _TOKEN_LENGTH))
    cdef bint has_parts = False
    if size <= _TOKEN_LENGTH:
        _add_token(word, size, weights, own, around)
        for place in range(size):
            if word[place] == 61:  # role=main is one token
                return 0
            has_parts |= not _is_small(word[place])
        if not has_parts:
            return 0
    place = 0
    while place < end:
        start = place
        if _is_capital(word[place]):
            place += 1
            if place < end and _is_small(word[place]):
                while place < end and _is_small(word[place]):
                    place += 1
            else:
                while place < end and _is_capital(word[place]):
                    place += 1
                if place - start < 2:
                    continue
        elif _is_small(word[place]):
            while place < end and _is_small(word[place]):
                place += 1
        else:
            place += 1
            continue
        if place - start < size or size > _TOKEN_LENGTH:  # else it is the whole word once more
            _add_token(word + start, place - start, weights, own, around)
    return 0


cdef int _add_token(const uint8_t* word, Py_ssize_t size, dict weights, double* own, double* around) except -1:
    cdef uint8_t lower[2 * _TOKEN_LENGTH]
    cdef Py_ssize_t place
    cdef PyObject* known
    for place in range(size):
        lower[place] = word[place] + 32 if _is_capital(word[place]) else word[place]
    token = PyUnicode_DecodeASCII(<const char*>lower, size, NULL)
    known = PyDict_GetItem(weights, token)
    if known is not NULL:
        own[0] += PyComplex_RealAsDouble(<object>known)
        around[0] += PyComplex_ImagAsDouble(<object>known)
    return 0


cdef bint _names_comments(const uint8_t* data, Py_ssize_t size):
    """Whether one of the names for comments is in a name, whatever its case."""
    cdef const uint8_t* wanted
    cdef Py_ssize_t place, length, same
    cdef bytes name
    for name in _COMMENT_NAMES:
        wanted, length = <const uint8_t*><const char*>name, len(name)
        for place in range(size - length + 1):
            same = 0
            while same < length and (data[place + same] + 32 * _is_capital(data[place + same])) == wanted[same]:
                same += 1
            if same == length:
                return True
    return False


cdef int64_t _look_code(const uint8_t* data, Py_ssize_t size) noexcept:
    """The checksum of the classes: what stands before an id or a role."""
    cdef uint32_t value = 0xFFFFFFFF
    cdef Py_ssize_t place, end = size
    for place in range(size - 1):
        if data[place] == 32 and data[place + 1] == 35:
            end = place
            break
    for place in range(end - 5):
        if data[place] == 32 and memcmp(data + place, <const char*>b" role=", 6) == 0:
            end = place
            break
    for place in range(end):
        value = _CRC[(value ^ data[place]) & 0xFF] ^ (value >> 8)
    return <int64_t>(value ^ <uint32_t>0xFFFFFFFF)
