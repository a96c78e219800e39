"""Progress of long work: a bar for each part of it, where somebody is looking."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Self, TypeVar

Item = TypeVar("Item")


class Bars:
    """Called with the name of a part, how much of it is done, and how much there is; shown on a terminal only."""

    def __enter__(self) -> Self:
        self._bars: dict[str, object] = {}
        self._screen = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._screen = Progress(console=Console(stderr=True), transient=True)
            self._screen.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._screen is not None:
            self._screen.stop()

    def __call__(self, name: str, done: int, total: int) -> None:
        if self._screen is None:
            return
        if name not in self._bars:
            self._bars[name] = self._screen.add_task(name, total=total)
        self._screen.update(self._bars[name], completed=done)  # type: ignore[arg-type]


def tracked(items: Sequence[Item], *, hidden: bool = False) -> Iterable[Item]:
    """The items, with a bar that moves as they are taken; none for a single item, or where nobody is looking."""
    if hidden or len(items) < 2 or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, "", console=Console(stderr=True), transient=True)
