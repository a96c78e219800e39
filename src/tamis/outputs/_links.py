"""What the links of a page are relative to."""

from __future__ import annotations

import numpy as np

from tamis import urls
from tamis.page.model import Page


def home_address(page: Page) -> str:
    """What relative addresses of the page are relative to; empty if that is unknown."""
    home = urls.normalised(page.url) if page.url else ""
    for node in np.flatnonzero(page.nodes.named("base")).tolist() if page.nodes.has("base") else ():
        if (href := page.attributes(node).get("href")) is not None:
            home = urls.resolve(href, home) or home
            break
    return home if urls.scheme(home) in ("http", "https") else ""
