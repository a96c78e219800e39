"""How much of a page is read."""

from __future__ import annotations

from dataclasses import dataclass

from tamis.ranges import COUNT, check_ranges, check_whole

# What a page takes at most, measured with python -m bench.memory on pages made to take much.
_BYTES_PER_BYTE = 16  # of the source: text of four bytes a character, held by the parser, by us, and by what is written
_BYTES_PER_NODE = 400  # counted before parsing: the parser's node, ours, and its share of blocks and features
_MOST_OF_BOUND = 5  # halves: the bound is at most about twice what is there


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What exceeds a limit is left out, and the page is marked truncated."""

    max_bytes: int = 32 * 1024 * 1024  # characters when the source is text; ordinary pages have 0.1-0.5 MB
    max_nodes: int = 1_000_000  # about a hundred times the largest ordinary page
    max_depth: int = 512  # Chromium's limit; what is deeper becomes a child of the last level
    max_attributes: int = 1_000  # per element; the first ones are kept
    max_memory: int = 1024 * 1024 * 1024  # largest memory in bytes for reading and extracting one page

    @property
    def readable_bytes(self) -> int:
        """How much of the source is read."""
        return min(self.max_bytes, max(1, self.max_memory // _BYTES_PER_BYTE))

    def node_budget(self, length: int) -> int:
        """For how many nodes, counted before parsing as an upper bound, a source of this length leaves memory."""
        memory = self.max_memory - length * _BYTES_PER_BYTE // 2
        return max(1, min(_MOST_OF_BOUND * self.max_nodes // 2, memory // _BYTES_PER_NODE))

    def __post_init__(self) -> None:
        check_whole(**vars(self))
        check_ranges(self, **dict.fromkeys(vars(self), COUNT))
