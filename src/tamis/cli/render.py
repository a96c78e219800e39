"""``tamis render``: what a browser shows of pages: boxes as JSON, and a screenshot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from tamis.batch import Outcome
from tamis.cli.delivery import work_off, write_file
from tamis.cli.flags import Input
from tamis.cli.items import STANDARD_INPUT, is_address, make_folder, plan
from tamis.cli.sources import AllowPrivate, Reader, RespectRobots
from tamis.errors import InputError, OptionError

_ASSETS = Parameter(help="Folder with style sheets and images that pages may load; they can load nothing else.")


def render(
    *inputs: Annotated[
        Input, Parameter(help="Files, folders, URLs, or - for standard input.", allow_leading_hyphen=True)
    ],
    out: Annotated[Path | None, Parameter(help="Folder for the boxes and a screenshot of each page.")] = None,
    width: Annotated[int, Parameter(help="Width of the window in pixels.")] = 1366,
    height: Annotated[int, Parameter(help="Height of the window in pixels.")] = 768,
    scripts: Annotated[bool, Parameter(help="Run the scripts of the pages.", negative="", show_default=False)] = False,
    assets: Annotated[Path | None, _ASSETS] = None,
    timeout_seconds: Annotated[float, Parameter(help="Time limit for one page, in seconds.")] = 30.0,
    url: Annotated[str | None, Parameter(help="URL of the page, to make its links absolute.")] = None,
    resume: Annotated[
        bool, Parameter(help="Skip pages whose file in --out exists.", negative="", show_default=False)
    ] = False,
    allow_private: AllowPrivate = False,
    respect_robots: RespectRobots = True,
) -> int:
    """Render pages in a browser: layout boxes as JSON, and a screenshot.

    Without --out, the boxes go to standard output, without a screenshot. Needs Chromium; see tamis doctor.

    Examples:
      tamis render page.html --out rendered/
      tamis render page.html --width 390 --height 844
      tamis render pages/ --out rendered/ --assets pages/files --resume
    """
    from tamis.rendering.box_records import to_dict
    from tamis.rendering.browser import check_browser
    from tamis.rendering.render import Options, render_full

    chosen: dict[str, Any] = {
        "width": width,
        "height": height,
        "scripts": scripts,
        "assets": assets,
        "timeout_seconds": timeout_seconds,
        "screenshot": out is not None,
    }
    Options(**chosen)  # wrong ones are told before the first page is read
    if resume and out is None:
        raise OptionError("--resume skips pages whose file in --out exists: pass --out as well")
    check_browser()
    items = plan(inputs, "json", out)
    if url is not None and len(items) > 1:
        raise OptionError(f"--url is the URL of one page, but there are {len(items)}: render them one by one")
    if out is not None:
        make_folder(out)
    targets = {item.source: item.target for item in items}
    reader = Reader(allow_private=allow_private, respect_robots=respect_robots)

    def process(source: str) -> Outcome[str]:
        is_file = not is_address(source) and source != STANDARD_INPUT
        rendering = render_full(Path(source) if is_file else reader.read(source), url, **chosen)
        page = rendering.page
        if page.boxes is None:
            raise InputError(f"{source!r} was not rendered: {'; '.join(page.warnings)}")
        target = targets[source]
        if target is not None and rendering.screenshot is not None:
            write_file(target.with_suffix(".png"), rendering.screenshot)
        text = json.dumps(to_dict(page), ensure_ascii=False, allow_nan=False) + "\n"
        return Outcome("truncated" if page.truncated else "ok", text, warnings=page.warnings)

    return work_off(items, process, resume=resume, titled=False)
