"""``tamis extract``: the main content of pages, on standard output or as one file per page."""

from __future__ import annotations

import contextlib
import json
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

from cyclopts import Parameter

import tamis
from tamis import extractors, registry
from tamis.batch import Outcome
from tamis.cli import streams
from tamis.cli.delivery import work_off, write_file
from tamis.cli.flags import Input, flags_of, offers, with_flags
from tamis.cli.items import MODES, STANDARD_INPUT, Item, is_address, make_folder, plan, refuse_file_name
from tamis.cli.listed import listed_pages
from tamis.cli.sources import AllowPrivate, Reader, RespectRobots
from tamis.errors import InputError, OptionError, TamisError, UnknownNameError
from tamis.options import Option, options_of
from tamis.page.model import Page
from tamis.page.parse import check_encoding
from tamis.ranges import COUNT, check_range
from tamis.results import Extraction

if TYPE_CHECKING:
    from tamis.sites.memories import Memories

# A single dash would be taken for a flag; flags that are taken for inputs instead are refused by ``unknown_flag``.
_INPUTS = Parameter(help="Files, folders, URLs, or - for standard input.", allow_leading_hyphen=True)
_FORMATS = sorted({*registry.names("outputs")} - {*MODES})
_ALIASES = registry.ALIASES["outputs"]
_FORMAT = Parameter(
    help=f"One of: {', '.join(_FORMATS)}; {' and '.join(_ALIASES)} are {' and '.join(_ALIASES.values())}.",
    completer=offers(*_FORMATS, *_ALIASES),
    alias="-f",
)
_MODE = Parameter(help=f"Write the whole page instead: {', '.join(MODES)}.", completer=offers(*MODES))
_JSON_LINES = ("chunks", "json")  # formats whose lines name their source themselves
_WRITTEN = options_of(registry.load("outputs", "text"))
"""What can be left out of any format."""
_TREATED = options_of(registry.load("outputs", "hide"))
"""How the modes hide and replace treat what is not kept."""
_CALLED = {"Markdown": "markdown", "plain text": "text", "JSON": "json"}
"""What the comments of options that are for one format only call it, where that is not its name."""
_LISTED = Parameter(
    name=("--input-file", "-i"),
    help="A list of URLs, a sitemap or a feed, as a file or a URL; can be repeated.",
    negative_iterable="",
    show_default=False,
)
_SCRIPTS = Parameter(help="Render every page in a browser first, with its scripts.", negative="", show_default=False)
_IF_EMPTY = Parameter(
    help="Like --scripts, but only for pages that are empty without.", negative="", show_default=False
)
_PAGES = Parameter(help="Follow next-page links of an article and join its parts.", negative="", show_default=False)
_HEADER = Parameter(
    help="HTTP header to send, as 'Name: value'; can be repeated.", negative_iterable="", show_default=False
)
_SHADOWING = "Like --comments drop, and also drop elements named as comments."
_SITE = Parameter(
    help="Read all pages first, and use what pages of one host repeat as evidence.", negative="", show_default=False
)
_RESUME = Parameter(help="Skip pages whose file in --out exists.", negative="", show_default=False)


def extract(
    *inputs: Annotated[Input, _INPUTS],
    method: Annotated[
        str,
        Parameter(
            help="Extraction method; the methods are listed below.",
            completer=offers(*registry.names("extractors")),
        ),
    ] = (extractors.DEFAULT),
    format: Annotated[str, _FORMAT] = "text",  # noqa: A002 - a flag's name
    mode: Annotated[str | None, _MODE] = None,
    file: Annotated[Path | None, Parameter(name="-o", help="Write everything into this file.")] = None,
    out: Annotated[Path | None, Parameter(help="Write one file per page into this folder.")] = None,
    listed: Annotated[tuple[Input, ...], _LISTED] = (),
    encoding: Annotated[str | None, Parameter(help="Character encoding, if known (as from an HTTP header).")] = None,
    url: Annotated[str | None, Parameter(help="URL of the page, to make its links absolute.")] = None,
    keep: Annotated[str | None, Parameter(help="CSS selector of elements to keep in any case.")] = None,
    drop: Annotated[str | None, Parameter(help="CSS selector of elements to drop in any case.")] = None,
    site: Annotated[bool, _SITE] = False,
    resume: Annotated[bool, _RESUME] = False,
    workers: Annotated[int, Parameter(help="Number of pages to fetch and extract in parallel.")] = 1,
    scripts: Annotated[bool, _SCRIPTS] = False,
    scripts_if_empty: Annotated[bool, _IF_EMPTY] = False,
    pages: Annotated[bool, _PAGES] = False,
    header: Annotated[tuple[str, ...], _HEADER] = (),
    cookie: Annotated[str | None, Parameter(help="Cookies to send, as 'a=1; b=2'.")] = None,
    proxy: Annotated[str | None, Parameter(help="Fetch through this proxy, such as http://127.0.0.1:3128.")] = None,
    allow_private: AllowPrivate = False,
    respect_robots: RespectRobots = True,
    **options: Any,
) -> int:
    """Extract the main content of pages.

    Results go to standard output; if there are several, each follows a line with its name. -o writes all of them into
    one file, --out one file per page. Without inputs, a page is read from standard input.

    Examples:
      tamis extract page.html
      tamis extract page.html --format markdown --no-links
      tamis extract https://example.org/ --format json
      tamis extract pages/ --out notes/ --format md --front-matter
      tamis extract page.html --format chunks --max-tokens 256 > chunks.jsonl
      tamis extract www.example.org/story -f markdown -o story.md --pages
      tamis extract -i urls.txt --out texts/ --workers 8
      tamis extract pages/ --out texts/ --resume
      tamis extract news-site/ --out texts/ --site
      tamis extract page.html --method bte
      tamis extract page.html --mode mark > marked.html
      tamis extract page.html --mode replace --replace-by marker > shortened.html
      tamis extract - --url https://example.org/news < page.html
    """
    files = [value[1:] for value in options.values() if isinstance(value, str) and value.startswith("@")]
    options = {name: _from_file(value) for name, value in options.items()}
    written = _output_options(method, options)
    try:
        registry.make_options("extractors", method, options)
    except OptionError as error:
        if not files:
            raise
        raise OptionError(f"{', '.join(files)}: {error}") from error
    if mode is not None and mode not in MODES:
        raise UnknownNameError("mode", mode, MODES)
    if mode is not None and format not in ("text", "html", mode):
        raise OptionError(f"--mode {mode} writes the whole page as HTML: leave --format {format} or --mode {mode} out")
    format = registry.resolved("outputs", mode or format)  # noqa: A001 - a flag's name
    if format not in registry.names("outputs"):
        raise UnknownNameError("format", format, registry.names("outputs"))
    known = {option.name for option in options_of(registry.load("outputs", format))}
    if unfit := [f"--{name.replace('_', '-')}" for name in written if name not in known]:
        why = f"--mode {format} writes the whole page" if format in MODES else f"--format {format} writes content only"
        raise OptionError(f"{why} and has no option {', '.join(unfit)}")
    _refuse_without_effect(written, format)
    if written:
        registry.make_options("outputs", format, written)  # wrong ones are told before the first page is read
    for selector in filter(None, (keep, drop)):
        tamis.parse("").select(selector)  # a wrong one is told before the first page is read
    if encoding is not None:
        check_encoding(encoding)
    if options.get("model"):
        extractors.extract(tamis.parse("<p>A"), method, **options)  # so is a model that cannot be read
    if resume and out is None:
        raise OptionError("--resume skips pages whose file in --out exists: pass --out as well")
    check_range("--workers", workers, COUNT)
    if out is not None:
        refuse_file_name(out)
        if file is not None:
            raise OptionError("-o writes one file, --out one per page: pass only one of them")
    if file is not None and file.is_dir():
        raise OptionError(f"-o writes one file, and {str(file)!r} is a folder: for one file per page pass --out {file}")
    reader = Reader(
        allow_private=allow_private,
        respect_robots=respect_robots,
        url=url,
        encoding=encoding,
        headers=header,
        cookie=cookie,
        proxy=proxy,
    )
    inputs = (*inputs, *listed_pages(listed, reader))
    if site:
        extractors.check_site(method)
    items = plan(inputs, format, out)
    if url is not None and len(items) > 1:
        raise OptionError(f"--url is the URL of one page, but there are {len(items)}: extract them one by one")
    if out is not None:
        make_folder(out)

    if pages:
        from tamis.sites.pagination import joined
    if scripts or scripts_if_empty:
        from tamis.rendering.browser import check_browser

        check_browser()

    open_page, memories = _remember(items, reader.read) if site else (reader.read, None)

    def content(page: Page) -> Extraction:
        memory = memories.of(page.url) if memories else None
        return extractors.extract(page, method, site=memory, keep=keep, drop=drop, **options)

    def read(source: str) -> Extraction:
        page = open_page(source)
        if scripts:
            page = tamis.render(page, scripts=True, screenshot=False)
        extraction = content(page)
        if scripts_if_empty and extraction.status == "empty" and not scripts:
            extraction = content(tamis.render(page, scripts=True, screenshot=False))
        return extraction

    def process(source: str) -> Outcome[str]:
        extraction = joined(read(source), read) if pages else read(source)
        text = _rendered(extraction, format, source, written)
        return Outcome(extraction.status, text, warnings=extraction.warnings)

    collected: list[str] = []  # one file is for what can be held; --out is for more
    code = work_off(
        items,
        process,
        resume=resume,
        titled=len(items) > 1 and format not in _JSON_LINES,
        workers=workers,
        write=streams.write if file is None else collected.append,
    )
    if file is not None and collected:
        write_file(file, "".join(collected))
    return code


def command(method: str) -> Callable[..., int]:
    """The function ``extract`` with the options of one method in the place of ``**options``."""
    own = options_of(registry.load("extractors", method))
    names = {option.name for option in own}
    written = [_without(option) if option.name in names else option for option in _WRITTEN]
    groups = {"Output options": written, "With --mode hide or replace": _TREATED, f"Options of {method}": own}
    return with_flags(extract, groups)


def _without(option: Option) -> Option:
    """The flag that leaves something out of the output, where the method has an option of that name."""
    return Option(f"no_{option.name}", bool, False, _SHADOWING.replace("comments", option.name))


def _remember(items: Sequence[Item], read: Callable[[str], Page]) -> tuple[Callable[[str], Page], Memories]:
    """What the pages repeat, and how they are read once more: those that are no files are kept meanwhile."""
    from tamis.sites.memories import Memories

    memories = Memories()
    kept: dict[str, Page] = {}
    for item in items:
        with contextlib.suppress(TamisError):  # a page that cannot be read is reported when it is its turn
            page = read(item.source)
            memories.add(page)
            if item.source == STANDARD_INPUT or is_address(item.source):
                kept[item.source] = page
    return lambda source: kept.get(source) or read(source), memories


def _output_options(method: str, options: dict[str, Any]) -> dict[str, Any]:
    """Takes what is said of the output out of the options; what is as usual need not be said."""
    own = {option.name: option for option in options_of(registry.load("extractors", method))}
    given = {
        option: options.pop(option.name)
        for option in (*_WRITTEN, *_TREATED)
        if option.name in options and option.name not in own
    }
    written = {option.name: value for option, value in given.items() if value != option.default}
    for name in [option.name for option in _WRITTEN if option.name in own]:
        if options.pop(f"no_{name}", False):
            written[name] = False
            if "drop" in get_args(own[name].annotation):
                options.setdefault(name, "drop")
    return written


def _refuse_without_effect(written: Iterable[str], output_format: str) -> None:
    """Refuse options that are for another format, as their comments say; they would change nothing."""
    for option in (*_WRITTEN, *_TREATED):
        called, only, _ = option.comment.partition(" only: ")
        wanted = _CALLED.get(called, called)
        if only and option.name in written and wanted != output_format:
            flag = "--mode" if wanted in MODES else "--format"
            raise OptionError(f"{option.flag} needs {flag} {wanted}: it changes nothing in the format {output_format}")


def flags(method: str) -> list[str]:
    """The flags of the command with the options of one method."""
    named = {"--file": "-o", "--listed": "--input-file"}
    return [named.get(flag, flag) for flag in flags_of(command(method))]


def own_flags(method: str) -> list[str]:
    """The flags that a method adds."""
    return [option.flag for option in options_of(registry.load("extractors", method))]


def list_methods() -> str:
    """All methods with what they do."""
    names = registry.names("extractors")
    indent = max(map(len, names)) + 4
    columns = shutil.get_terminal_size().columns
    entries = (
        textwrap.fill(
            registry.summary("extractors", name),
            width=columns,
            initial_indent=f"  {name}".ljust(indent),
            subsequent_indent=" " * indent,
        )
        for name in names
    )
    return "\n".join(("Methods:", *entries))


def _from_file(value: Any) -> Any:
    """The content of a file in the place of ``@file``, so that rules and the like need not be typed."""
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {value[1:]!r}, named by {value!r}: {error}") from error


def _rendered(extraction: Extraction, output_format: str, source: str, written: dict[str, Any]) -> str:
    """The extraction as a text that ends with its last line."""
    if output_format in _JSON_LINES:
        chosen = registry.make_options("outputs", output_format, written)
        chunks = registry.load("outputs", "chunks")
        rows = [extraction.to_dict(**written)] if output_format == "json" else chunks.rows(extraction, chosen)
        lines = "".join(json.dumps({"source": source, **row}, ensure_ascii=False) + "\n" for row in rows)
        # A name of a file that is no UTF-8 is written with the escapes that JSON has for it.
        return lines.encode("utf-8", "backslashreplace").decode()
    text = extraction.render(output_format, **written)
    return text if text.endswith("\n") or not text else text + "\n"
