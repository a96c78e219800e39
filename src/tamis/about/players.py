"""Players: frames that show a video or play a sound of another site."""

from __future__ import annotations

import re

PLAYERS = re.compile(
    r"(?:https?:)?//(?:www\.)?(?:youtube(?:-nocookie)?\.com/embed|player\.vimeo\.com/video|dailymotion\.com/embed|"
    r"w\.soundcloud\.com/player|open\.spotify\.com/embed|player\.bilibili\.com|rutube\.ru/play/embed)",
    re.IGNORECASE,
)
"""Addresses of frames in which videos and sounds are played."""
