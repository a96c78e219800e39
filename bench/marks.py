"""Pages written by hand but for what stands between two marks."""

from __future__ import annotations

from collections.abc import Mapping


def refilled(page: str, parts: Mapping[str, str]) -> str:
    """The page with what stands between the marks of each part written anew; a part without marks is left out.

    >>> refilled("# Page\\n<!-- a: begin -->\\nold\\n<!-- a: end -->\\nby hand\\n", {"a": "new", "b": "nowhere"})
    '# Page\\n<!-- a: begin -->\\nnew\\n<!-- a: end -->\\nby hand\\n'
    """
    for part, content in parts.items():
        begin, end = f"<!-- {part}: begin -->\n", f"<!-- {part}: end -->"
        before, mark, rest = page.partition(begin)
        if mark:
            page = f"{before}{begin}{content}\n{end}{rest.partition(end)[2]}"
    return page


def skeleton(title: str, *parts: str) -> str:
    """A page with nothing but its marks; the first part has no heading."""
    sections = [f"<!-- {part}: begin -->\n<!-- {part}: end -->" for part in parts]
    headed = [f"## {part.capitalize()}\n\n{section}" for part, section in zip(parts, sections, strict=True)]
    return "\n\n".join([f"# {title}", sections[0], *headed[1:]]) + "\n"
