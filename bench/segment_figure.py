"""Draws docs/figures/segments/*.svg: the example page, dressed up, with the regions of every segmenter.

python -m bench.segment_figure

``overlay.svg`` has the regions of the usual one over the screenshot, the others have a sketch of the page below them.
"""

from __future__ import annotations

import io
import sys

from bench.scores import ROOT
from tamis import registry, segmenters
from tamis.pictures.overlays import to_svg

FOLDER = ROOT / "docs" / "figures" / "segments"
TITLE = "courier.example/news/night-train"
STYLE = """<style>
body { margin: 0; font: 16px/1.5 sans-serif; color: #223; background: #eef0f4; }
header { background: #dfe5ee; padding: 18px 28px; }
header form { float: right; }
nav ul { padding: 0; margin: 12px 0 0; }
nav li { margin-right: 22px; }
main { overflow: hidden; padding: 24px 28px; }
article { float: left; width: 590px; padding: 8px 28px; background: #fff; }
h1 { line-height: 1.15; }
aside { float: right; width: 200px; padding: 4px 24px; background: #fff; font-size: 14px; }
pre { background: #eef0f4; padding: 10px; overflow: hidden; }
td, th { padding: 2px 18px 2px 0; }
footer { background: #ccd3de; padding: 14px 28px; font-size: 13px; }
</style></head>"""


def main() -> int:
    from PIL import Image

    from tamis.rendering.render import render_full

    source = (ROOT / "examples" / "article.html").read_text(encoding="utf-8").replace("</head>", STYLE)
    rendering = render_full(source, f"https://{TITLE}", width=1000)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in registry.names("segmenters"):
        found = segmenters.segment(rendering.page, name)
        (FOLDER / f"{name}.svg").write_text(to_svg(found, title=TITLE), encoding="utf-8")
    picture = io.BytesIO()
    with Image.open(io.BytesIO(rendering.screenshot or b"")) as shot:
        shot.convert("RGB").quantize(32).save(picture, "PNG", optimize=True)
    overlay = to_svg(segmenters.segment(rendering.page), picture.getvalue(), TITLE)
    (FOLDER / "overlay.svg").write_text(overlay, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
