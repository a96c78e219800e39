"""The rooms of the package: how many files and lines each has, and which of them imports which how often.

python -m bench.imports
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "tamis"
SUFFIXES = (".py", ".pyx", ".pxi")


def room_of(parts: tuple[str, ...]) -> str:
    """The folder below the package; what lies beside the folders is one room."""
    return parts[0] if (PACKAGE / parts[0]).is_dir() else "tamis"


def sources() -> Iterator[Path]:
    return (file for file in sorted(PACKAGE.rglob("*")) if file.suffix in SUFFIXES)


def imports_of(file: Path) -> Iterator[str]:
    """The rooms that a file imports from, each time that it does."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module == "tamis":
            modules = [f"tamis.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        yield from (room_of(tuple(name.split(".")[1:])) for name in modules if name.startswith("tamis."))


def main() -> None:
    files, lines, matrix = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    for file in sources():
        room = room_of(file.relative_to(PACKAGE).parts)
        files[room] += 1
        lines[room] += len(file.read_bytes().splitlines())
        if file.suffix == ".py":
            matrix.update((room, other) for other in imports_of(file) if other != room)
    met = {room: sum(matrix[other, room] for other in files) for room in files}
    rooms = sorted(files, key=lambda room: (met[room], room))
    print(f"{files.total()} files, {lines.total()} lines\n")
    print(f"| | files | lines | {' | '.join(rooms)} |")
    print("|---|---:|---:|" + "---:|" * len(rooms))
    for room in rooms:
        cells = (str(matrix[room, other] or "") for other in rooms)
        print(f"| {room} | {files[room]} | {lines[room]} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
