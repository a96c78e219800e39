"""Logs: one JSON object per line on standard error, without addresses of pages and without tokens."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any, TextIO

LOGGER = logging.getLogger("tamis.service")


class JsonLines(logging.Formatter):
    """A record as one line of JSON; what is passed as ``extra={"fields": {...}}`` is part of it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send what is logged from this level up, and all warnings, to a stream; standard error if none is named."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(level)
    logging.captureWarnings(True)
