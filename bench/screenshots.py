"""Makes the pictures of what people see in a browser: docs/figures/demo.png, inspector.png, annotator.png, reader.png.

    python -m bench.screenshots             all of them; half a minute
    python -m bench.screenshots reader      these only

The pages in them are those that come with Tamis. Fonts are those of the machine: with others, lines break elsewhere.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tamis
from bench.scores import ROOT
from tamis.rendering.browser import find_browser
from tamis.service.reader import linked_view

FOLDER = ROOT / "docs" / "figures"
EXAMPLE = ROOT / "src" / "tamis" / "service" / "static" / "inspector" / "example.html"
ARTICLE, ARTICLE_URL = ROOT / "examples" / "article.html", "https://courier.example/night-train"
PICTURE = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 300"><path fill="#7ba999" d="M0 0h720v300H0z"/>'
    b'<circle cx="480" cy="90" r="60" fill="#feec85"/><path fill="#446655" d="M10 300 200 90l190 210z"/></svg>'
)
COLOURS = 128  # ours: more cannot be told apart here, and cost bytes
GAP_PX = 16


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*SHOTS, []], metavar="NAME")
    names = parser.parse_args().names or SHOTS
    from playwright.sync_api import sync_playwright

    flags = ["--disable-background-networking", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=find_browser(), args=flags)
        for name in names:
            _write(SHOTS[name](browser), FOLDER / f"{name}.png")
        browser.close()
    return 0


def _demo(browser: Any) -> list[bytes]:
    """The tour with the teaser in the news article chosen."""
    with _serving("demo", "--no-browser") as address:
        page = _inspector(browser, address, width=1280, height=800)
        page.locator("#block-list .dropped:has-text('Read also')").click()
        return [_taken(page)]


def _inspector_shot(browser: Any) -> list[bytes]:
    """The example that the inspector opens with, its first paragraph chosen."""
    with _serving("demo", "--no-browser") as address:
        page = _inspector(browser, address.replace("/demo", "/", 1), width=1440, height=860)
        page.locator("#block-list li:has-text('For a hundred and nine years')").first.click()
        return [_taken(page)]


def _annotator(browser: Any) -> list[bytes]:
    """A rectangle around the first paragraphs of the same page."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXAMPLE, Path(folder) / "ferry.html")
        with _serving("annotate", folder, "--annotator", "ann", "--port", "0", "--width", "1000") as address:
            page = _opened(browser, address, width=1400, height=760)
            page.wait_for_selector("#elements li")
            page.wait_for_function("() => document.querySelector('#picture').complete")
            frame = page.locator("#picture").bounding_box()
            page.mouse.move(frame["x"] + 12, frame["y"] + 232)
            page.mouse.down()
            page.mouse.move(frame["x"] + 726, frame["y"] + 504, steps=5)
            page.mouse.up()
            page.wait_for_function("() => document.querySelector('#notice').textContent.includes('Saved')")
            return [_taken(page)]


def _reader(browser: Any) -> list[bytes]:
    """A reader view on a wide screen in light colours, and on a phone in dark ones."""
    view = linked_view(tamis.extract(tamis.parse(ARTICLE, ARTICLE_URL)))
    shots = []
    for width, scheme in ((820, "light"), (390, "dark")):
        page = browser.new_page(viewport={"width": width, "height": 720}, color_scheme=scheme)
        page.route("**/*", lambda route: route.fulfill(content_type="image/svg+xml", body=PICTURE))
        page.route("**/read*", lambda route: route.fulfill(content_type="text/html; charset=utf-8", body=view.body))
        page.goto("http://127.0.0.1:8000/read")
        shots.append(_taken(page))
    return shots


SHOTS = {"demo": _demo, "inspector": _inspector_shot, "annotator": _annotator, "reader": _reader}


@contextlib.contextmanager
def _serving(*command: str) -> Iterator[str]:
    """The address that a command prints; it runs for a while."""
    process = subprocess.Popen([sys.executable, "-m", "tamis", *command], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None  # noqa: S101 - for the types
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            raise RuntimeError(f"tamis {command[0]} printed no address")
        yield found[0]
    finally:
        process.terminate()
        process.communicate()


def _opened(browser: Any, address: str, *, width: int, height: int) -> Any:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
    page.goto(address)
    return page


def _inspector(browser: Any, address: str, *, width: int, height: int) -> Any:
    page = _opened(browser, address, width=width, height=height)
    page.locator("body:not([aria-busy]) #status:has-text('blocks kept')").wait_for()
    page.locator("#method option:nth-child(2)").wait_for(state="attached")
    return page


def _taken(page: Any) -> bytes:
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)  # colours change softly
    picture: bytes = page.screenshot()
    return picture


def _write(pictures: list[bytes], file: Path) -> None:
    """The pictures side by side."""
    from PIL import Image

    shots = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    width = sum(shot.width for shot in shots) + GAP_PX * (len(shots) - 1)
    whole = Image.new("RGB", (width, max(shot.height for shot in shots)), "white")
    left = 0
    for shot in shots:
        whole.paste(shot, (left, 0))
        left += shot.width + GAP_PX
    whole.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)


if __name__ == "__main__":
    sys.exit(main())
