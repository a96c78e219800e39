"""What the documentation site does to the pages of docs/, so that they can be written for the repository.

Read by mkdocs (mkdocs.yml). Pages of the project's root become pages of the site, links to other files outside docs/
become plain words, examples with prompts are coloured as what they are, and no page asks another host for anything.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT = Path(__file__).parent.parent
ROOT_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}

_FOREIGN_SCRIPT = "https://unpkg.com/iframe-worker/shim"
_LINK = re.compile(r"\[(?P<words>[^][]*)\]\((?P<path>[^()#\s:]+)(?P<anchor>#[^()\s]*)?\)")
_EXAMPLE = re.compile(r"^```python(?=\n>>> )", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the project's root."""
    for name, address in ROOT_PAGES.items():
        if (ROOT / name).exists():
            content = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
            files.append(File.generated(config, address, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The page as the site shows it."""
    return _EXAMPLE.sub("```pycon", inward_links(markdown, posixpath.dirname(page.file.src_uri)))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """The finished page with our own script in the place of the only one that the theme fetches from elsewhere."""
    return output.replace(_FOREIGN_SCRIPT, get_relative_url("assets/search.js", page.url))


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """The same for pages without a source, such as that for addresses that lead nowhere."""
    return output_content.replace(_FOREIGN_SCRIPT, "assets/search.js")


def inward_links(markdown: str, folder: str) -> str:
    """The page without links that lead out of docs/, given the folder below docs/ that it lies in.

    >>> inward_links("See [how](../CONTRIBUTING.md#set-up), [rules](../src/rules.toml), [text](text.md).", "")
    'See [how](contributing.md#set-up), rules, [text](text.md).'
    """

    def inward(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link["path"]))
        if not target.startswith("../"):
            return link[0]
        address = ROOT_PAGES.get(target.removeprefix("../"))
        if address is None:
            return link["words"]
        return f"[{link['words']}]({posixpath.relpath(address, folder or '.')}{link['anchor'] or ''})"

    return _LINK.sub(inward, markdown)
