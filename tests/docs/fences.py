"""What a page of the documentation shows as code: its fences, its indented blocks and what stands inside sentences."""

from __future__ import annotations

import re
from typing import NamedTuple

from markdown_it import MarkdownIt

_TITLE = re.compile(r'\btitle="([^"]+)"')
_PROMPT = re.compile(r"^\s*>>> ", re.MULTILINE)


class Fence(NamedTuple):
    """A block of code."""

    line: int  # of its first line of code
    language: str  # empty where none is said, and for indented blocks
    title: str  # the name of the file that it shows, if it says so
    text: str

    @property
    def is_doctest(self) -> bool:
        """Pytest runs these itself."""
        return self.language == "python" and bool(_PROMPT.search(self.text))


class Command(NamedTuple):
    """A command and the line it begins on."""

    line: int
    text: str


def read_fences(markdown: str) -> list[Fence]:
    """All blocks of code of a page, in order.

    >>> read_fences("Text\\n```toml title=\\"job.toml\\"\\nmethod = 1\\n```\\n")
    [Fence(line=3, language='toml', title='job.toml', text='method = 1\\n')]
    """
    found = []
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type in ("fence", "code_block") and token.map is not None:
            title = _TITLE.search(token.info)
            line = token.map[0] + (2 if token.type == "fence" else 1)
            found.append(Fence(line, token.info.strip().partition(" ")[0], title[1] if title else "", token.content))
    return found


def read_inline(markdown: str) -> list[Command]:
    """All pieces of code inside sentences and tables, with the line of the paragraph they stand in.

    >>> read_inline("Run\\n`tamis methods` or `x`.")
    [Command(line=1, text='tamis methods'), Command(line=1, text='x')]
    """
    found: list[Command] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        line = token.map[0] + 1 if token.map else (found[-1].line if found else 1)
        found += [Command(line, child.content) for child in token.children or () if child.type == "code_inline"]
    return found


def read_commands(fence: Fence) -> list[Command]:
    """The commands of a fence for the shell: one per line, a backslash joins lines, a line of comment is none.

    >>> read_commands(Fence(5, "sh", "", "# two\\ncurl -d x \\\\\\n     /y\\nls  # all\\n"))
    [Command(line=6, text='curl -d x /y'), Command(line=8, text='ls')]
    """
    commands: list[Command] = []
    parts: list[str] = []
    begin = fence.line
    for number, line in enumerate(fence.text.splitlines(), fence.line):
        begin = begin if parts else number
        text = re.sub(r"(^|\s+)#(\s.*)?$", "", line)
        parts.append(text.removesuffix("\\").strip())
        if not text.endswith("\\"):
            if joined := " ".join(filter(None, parts)):
                commands.append(Command(begin, joined))
            parts = []
    return commands
