"""Systems that write Markdown, as ``bench.integrity`` compares them: Tamis, and the peers that are installed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import tamis
from bench.installed import installed
from tamis.evaluation.datasets import Sample

System = Callable[[Sample], str]


def markdown_systems(defuddle: Path | None) -> dict[str, System]:
    """Those that are installed; Defuddle needs a folder with node_modules."""
    systems: dict[str, System] = {"tamis": lambda sample: tamis.extract(sample.html, url=sample.url).markdown}
    if trafilatura := installed("trafilatura"):
        systems["trafilatura"] = lambda sample: trafilatura.extract(sample.markup, output_format="markdown") or ""
    if markdownify := installed("markdownify"):  # over the blocks that Tamis keeps
        systems["markdownify"] = lambda sample: markdownify.markdownify(
            tamis.extract(sample.html, url=sample.url).html, heading_style="ATX"
        )
    if resiliparse := installed("resiliparse.extract.html2text"):
        systems["resiliparse"] = lambda sample: resiliparse.extract_plain_text(
            sample.markup, main_content=True, preserve_formatting="markdown"
        )
    if converter := installed("html_to_markdown"):
        systems["html-to-markdown"] = lambda sample: converter.convert(sample.markup).content or ""
    if defuddle is None:
        print("defuddle is left out: --defuddle names a folder with node_modules", file=sys.stderr)
    else:
        systems["defuddle"] = _Defuddle(defuddle)
    return systems


_SCRIPT = """
import { createInterface } from "node:readline";
import { parseHTML } from "linkedom";
import { Defuddle } from "defuddle/node";
console.log = console.warn = console.error = () => {};
for await (const line of createInterface({ input: process.stdin })) {
  const { html, url } = JSON.parse(line);
  let text = "";
  try { text = (await Defuddle(parseHTML(html).document, url, { markdown: true })).content ?? ""; } catch {}
  process.stdout.write(JSON.stringify(text) + "\\n");
}
"""


class _Defuddle:
    """A process of Node that turns one page after the other into Markdown."""

    def __init__(self, folder: Path) -> None:
        command = ["node", "--input-type=module", "-e", _SCRIPT]
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __call__(self, sample: Sample) -> str:
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("Node was started without pipes")
        task = {"html": sample.markup, "url": sample.url or "https://example.org/"}
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("Node has ended")
        text: str = json.loads(answer)
        return text
