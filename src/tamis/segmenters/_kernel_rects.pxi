# Rectangles, and room in memory that grows.

cdef enum Shape:
    BOX, COLUMN, ROW

cdef struct Rect:
    double left, top, right, bottom


cdef void* _enlarged(void* room, size_t size) except NULL:
    cdef void* larger = realloc(room, size)
    if larger == NULL:
        raise MemoryError
    return larger


cdef double _area(Rect rect) noexcept:
    return (rect.right - rect.left) * (rect.bottom - rect.top)


cdef Rect _around(Rect a, Rect b) noexcept:
    return Rect(min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom))


cdef Py_ssize_t _without(Rect outer, Rect inner, Rect* parts) noexcept:
    """The up to four rectangles that remain of one when another inside it is taken out."""
    cdef Rect all_parts[4]
    all_parts[0] = Rect(outer.left, outer.top, outer.right, inner.top)
    all_parts[1] = Rect(outer.left, inner.bottom, outer.right, outer.bottom)
    all_parts[2] = Rect(outer.left, inner.top, inner.left, inner.bottom)
    all_parts[3] = Rect(inner.right, inner.top, outer.right, inner.bottom)
    cdef Py_ssize_t count = 0, part
    for part in range(4):
        if all_parts[part].left < all_parts[part].right and all_parts[part].top < all_parts[part].bottom:
            parts[count] = all_parts[part]
            count += 1
    return count
