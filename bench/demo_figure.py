"""Makes docs/figures/demo.png: the tour, as ``tamis demo`` shows it, with the teaser in the news article chosen.

python -m bench.demo_figure

Fonts are those of the machine; the picture in the docs was made with Noto.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from bench.scores import ROOT
from tamis.rendering.browser import find_browser

FIGURE = ROOT / "docs" / "figures" / "demo.png"
WIDTH, HEIGHT = 1280, 800
COLOURS = 128  # ours: more cannot be told apart here, and cost bytes


def main() -> int:
    process = subprocess.Popen(
        [sys.executable, "-m", "tamis", "demo", "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None  # noqa: S101 - for the types
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            return 1
        _write(_screenshot(found[0]), FIGURE)
    finally:
        process.terminate()
        process.communicate()
    return 0


def _screenshot(address: str) -> bytes:
    from playwright.sync_api import sync_playwright

    flags = ["--disable-background-networking", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=find_browser(), args=flags)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(address)
        page.locator("body:not([aria-busy]) #status:has-text('blocks kept')").wait_for()
        page.locator("#method option:nth-child(2)").wait_for(state="attached")
        page.locator("#block-list .dropped:has-text('Read also')").click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(500)  # colours change softly
        picture: bytes = page.screenshot()
        browser.close()
    return picture


def _write(picture: bytes, file: Path) -> None:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as shot:
        shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)


if __name__ == "__main__":
    sys.exit(main())
