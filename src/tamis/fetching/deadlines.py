"""A point in time after which a page is given up."""

from __future__ import annotations

import time

from tamis.errors import TransferError


class DeadlineError(TransferError):
    """The time for a page is over; there is no use in trying again at once."""


class Deadline:
    """A point in time, and how far it is away."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left; an error if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.missed()
        return left

    def missed(self) -> DeadlineError:
        """The error of one who came too late."""
        return DeadlineError(f"it took longer than {self._seconds:g} s (deadline_seconds)")
