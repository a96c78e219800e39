"""Articles that are not in the markup: carried by JSON-LD or by the state of a framework, shown only by its scripts.

A page without text of its own is not always empty. ``read_embedded`` looks through the data of its scripts for the
longest piece that reads like running text and makes a page of it. Nothing is invented: its text is that of the data.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any, NamedTuple

from tamis.about.comment_names import COMMENTS_AND_REPLIES
from tamis.about.rich_text import has_markup, is_rich, rich_to_html, text_to_html
from tamis.about.script_data import JsonObject, may_escape, read_blobs, read_json_ld
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import collapse

__all__ = ["Embedded", "read_embedded"]

_MIN_CHARACTERS = 250  # a short paragraph; below it, what the page shows is as good
_MAX_VALUES = 500_000  # of one blob; the largest in train/wcxb holds 90,000
_MIN_LETTERS = 0.7  # share of letters and blanks in running text; programs, styles and addresses have less
_MARKUP_GAIN = 1.25  # paragraphs and headings are worth a little text that a plain twin has more
_SAMPLE = 4_000  # characters of a text that are looked at
_TITLE_GAIN = 3.0  # what stands beside the page's own title is its article
_UNNAMED_LOSS = 0.5  # a long text under a name that says nothing may be anything
_SUMMARY_LOSS = 0.25

_SHOWN = 0.2  # share of an article's pieces in the markup from which on it is shown; no train page is below
_BEGUN = 0.5  # share of pieces: an article is begun if so much of its first words is shown, and less of the whole
_PIECE = 5  # words
_MAX_PIECES = 100  # of an article that are looked for

_FOLDING_GAIN = 3  # times its length is the most that a text gets by folding
_MIN_TITLE_SHARE = 0.34  # of its words; state holds texts of other pages and of the site besides its article
_MIN_TITLE_WORD = 4  # letters; shorter ones occur everywhere

_WORD = re.compile(r"\w+")
_ASCII = re.compile(r"[\x00-\x7f]+")
_TAG = re.compile(r"<[^<>]{0,5000}>")
_STRETCH = re.compile(r"[^\"'’&<>\\\r\n\t]{20,80}")  # written in JSON as in markup
_NEVER_ESCAPED = re.compile(r"[ -.0-~]+")  # ASCII; slashes are escaped by some
_MIN_NEVER_ESCAPED = 8  # characters; fewer stand in every program
_PARAGRAPH = re.compile(r"<p[\s>]", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…。！？।؟։](?=[\s\"'”’»)\]]|\Z|[^\x00-\x7f])")
_BODY = re.compile(
    r"(?i)\A(?:article|post|story|page|main|full|entry|news|content|body|raw|processed|rich)?[-_]?"
    r"(?:article)?(?:body|content|text|html|story|markup|rendered|copy|richtext|rtf|longdescription)"
    r"(?:html|text|rendered|raw|content)?\Z"
)
_SUMMARY = re.compile(r"(?i)descr|summary|excerpt|teaser|dek|abstract|caption|lead|intro|bio|subtitle")
_AVOIDED = re.compile(
    rf"(?i){COMMENTS_AND_REPLIES}|related|recirc|recommend|footer|cookie|consent|privacy|gdpr|terms|i18n|intl|locale|"
    r"translat|messages|dictionar|menu|navig|newsletter|paywall|subscri|sponsor|adverti|author|config|settings|feature"
    r"flag|experiment|style|css|script|svg|query|legal|disclaimer|popup|modal|header|sidebar|copyright|labels"
)
_HOLDERS = (dict, list)
_TITLES = ("headline", "title", "name", "heading", "seoTitle")
_ANY_TITLE = frozenset(_TITLES)
_PLAIN_TYPES = frozenset({"Comment", "Answer", "Person", "Organization", "WebSite", "ImageObject", "BreadcrumbList"})


def _is_letter(character: str) -> bool:
    """Blanks count as well."""
    return character.isalpha() or character.isspace()


_LETTERS = bytes(code for code in range(128) if _is_letter(chr(code)))


@dataclass(frozen=True)
class Embedded:
    """A page made of data that another page carries."""

    page: Page = field(repr=False)
    origin: str  # "JSON-LD articleBody", "__NEXT_DATA__", ...


class _Body(NamedTuple):
    origin: str
    html: str
    score: float


def read_embedded(page: Page) -> Embedded | None:
    """The article that the page carries in its scripts; None if there is none.

    Its page has the address and the metadata of the page it was found in, and a warning that says where.
    """
    return _as_page(page, _bodies(page)) if page.nodes.has("script") else None


def read_unshown(page: Page) -> Embedded | None:
    """The article that JSON-LD declares, if next to nothing of it stands in the markup: teasers and comments do."""
    bodies = [
        body
        for item in read_json_ld(page, with_word="articleBody")
        if isinstance(item.get("articleBody"), str)
        for body in _linked_data_bodies({"@type": item.get("@type"), "articleBody": item["articleBody"]}, "")
    ]
    found = _as_page(page, bodies) if bodies else None
    return found if found and _shown_share(found.page.text, page.revealed().text) < _SHOWN else None


def is_repeated(page: Page, text: str) -> bool:
    """Whether a long stretch of a text stands in the source twice, and may stand in a script.

    To read all scripts takes longer than all else.
    """
    stretch = max(_STRETCH.findall(text), key=len, default="")
    return stretch != "" and page.count_in_source(stretch) > 1 and _is_scripted(page, stretch)


def read_rest(page: Page, shown: Sequence[str]) -> Embedded | None:
    """The article that the scripts hold whole, if the page shows only its beginning; ``shown`` are texts of it.

    ``is_repeated`` should say so of the longest of them, else there is nothing to find.
    """
    found = read_embedded(page)
    if found is None:
        return None
    beginning = found.page.text[: sum(map(len, shown))]  # an index of a whole site begins with another page
    is_begun = _shown_share(beginning, " ".join(shown)) >= _BEGUN
    return found if is_begun and _shown_share(found.page.text, page.revealed().text) < _BEGUN else None


def _is_scripted(page: Page, stretch: str) -> bool:
    """Whether a script may hold a stretch of text, as it is or with its letters escaped."""
    plain = max(_NEVER_ESCAPED.findall(stretch), key=len, default="")
    codes = map(page.code, page.nodes.each("script"))
    if len(plain) >= _MIN_NEVER_ESCAPED:
        return any(plain in code for code in codes)
    return any(stretch in code or may_escape(code) for code in codes)


def _shown_share(text: str, shown: str) -> float:
    """How much of a text, in pieces of a few words, another one has."""
    words = [found[0] for found in itertools.islice(_WORD.finditer(text.casefold()), _PIECE * _MAX_PIECES)]
    others = _WORD.findall(shown.casefold())
    known, line = frozenset(others), f" {' '.join(others)} "  # of most pieces that are not shown a word is not either
    pieces = [words[start : start + _PIECE] for start in range(0, len(words) - _PIECE + 1, _PIECE)]
    return sum(known.issuperset(piece) and f" {' '.join(piece)} " in line for piece in pieces) / max(len(pieces), 1)


def _as_page(page: Page, bodies: Iterable[_Body]) -> Embedded | None:
    """The best body as a page of its own."""
    best = max(bodies, key=lambda body: body.score, default=None)
    if best is None:
        return None
    found = parse(f"<!doctype html><body><article>{best.html}</article>", page.url)
    note = f"embedded: the text is not in the markup, it comes from {best.origin}"
    found = found.described(warnings=(*page.warnings, *found.warnings, note), encoding=page.encoding)
    return Embedded(found.told_by(page), best.origin)


def _bodies(page: Page) -> Iterator[_Body]:
    items, blobs = read_json_ld(page), read_blobs(page)
    first = next(blobs, None)
    if not items and first is None:  # as most often; to find the title takes longer
        return
    from tamis.about.metadata import find_title  # which most pages never need

    title = _folded(find_title(page).text)
    for item in items:
        yield from _linked_data_bodies(item, title)
    for blob in itertools.chain(filter(None, [first]), blobs):
        yield from _state_bodies(blob.origin, blob.value, title)


def _is_about(text: str, title: str) -> bool:
    """True when some words of the page's title occur in a text, or when there is no title to compare with."""
    words = [word for word in _WORD.findall(title) if len(word) >= _MIN_TITLE_WORD or not word.isascii()]
    folded = text.casefold()
    return sum(word in folded for word in words) >= _MIN_TITLE_SHARE * len(words)


def _linked_data_bodies(item: JsonObject, title: str) -> Iterator[_Body]:
    kinds = {kind.rpartition("/")[2] for kind in _strings(item.get("@type"))}
    factor = _title_factor(item, title)
    for name in ("articleBody", "text", "reviewBody"):
        is_own = name != "reviewBody" or factor > 1  # a shop's page carries reviews of its customers
        if isinstance(item.get(name), str) and is_own and not kinds & _PLAIN_TYPES:
            yield from _body(f"JSON-LD {name}", item[name], factor)
    if "recipeInstructions" in item or "step" in item:
        steps = "".join(_steps(item.get("recipeInstructions", item.get("step")), 0))
        yield from _body("JSON-LD steps", f"<ol>{steps}</ol>" if steps else "", factor)
    if kinds & {"FAQPage", "QAPage"}:
        yield from _body("JSON-LD questions", "".join(_questions(item.get("mainEntity"))), factor)
    if isinstance(item.get("description"), str) and kinds and not kinds & _PLAIN_TYPES:
        yield from _body("JSON-LD description", item["description"], factor * _SUMMARY_LOSS)


def _steps(value: Any, depth: int) -> Iterator[str]:
    for step in value if isinstance(value, list) else [value]:
        if isinstance(step, str):
            yield f"<li>{text_to_html(step)}</li>"
        elif isinstance(step, dict) and depth < 5:
            text = step.get("text") or step.get("name")
            if isinstance(text, str) and "itemListElement" not in step:
                yield f"<li>{text_to_html(text)}</li>"
            yield from _steps(step.get("itemListElement", []), depth + 1)


def _questions(value: Any) -> Iterator[str]:
    for question in value if isinstance(value, list) else [value]:
        if not isinstance(question, dict):
            continue
        asked = question.get("name") if isinstance(question.get("name"), str) else ""
        if asked:
            yield f"<h2>{escape(unescape(asked))}</h2>"
        if isinstance(question.get("text"), str) and question["text"] != asked:
            yield text_to_html(question["text"])
        for name in ("acceptedAnswer", "suggestedAnswer"):
            answers = question.get(name)
            for answer in answers if isinstance(answers, list) else [answers]:
                if isinstance(answer, dict) and isinstance(answer.get("text"), str):
                    yield text_to_html(answer["text"])


def _state_bodies(origin: str, value: Any, title: str) -> Iterator[_Body]:
    """Candidates in the state of a framework: long strings, and lists of rich text."""
    references = value if isinstance(value, dict) else {}
    if isinstance(value, dict) and isinstance(value.get("ROOT_QUERY"), dict):
        origin = "__APOLLO_STATE__"
    pending: list[tuple[str, Any, float, bool]] = [("", value, 1.0, False)]
    room = _MAX_VALUES
    while pending and room > 0:
        name, item, factor, in_rich = pending.pop()
        about = title if factor <= 1 else ""  # what stands beside the title need not repeat it
        if isinstance(item, str):
            if len(item) >= _MIN_CHARACTERS and (_BODY.match(name) or factor > 1 or len(_PARAGRAPH.findall(item)) > 2):
                yield from _body(origin, item, factor * _name_factor(name), about)
            continue
        if not isinstance(item, _HOLDERS):
            continue
        room -= 1 + len(item)
        if not in_rich and is_rich(item):
            in_rich = True  # its parts are in what is rendered here
            yield from _body(origin, rich_to_html(item, references), factor, about)
        if isinstance(item, dict):
            factor = max(factor / 2, _title_factor(item, title), 1.0)  # a title counts most where it stands
            pending += [
                (key, part, factor, in_rich)
                for key, part in item.items()
                if (len(part) >= _MIN_CHARACTERS if isinstance(part, str) else isinstance(part, _HOLDERS))
                and not _is_avoided(key)
            ]
        else:
            if item and isinstance(item[0], str) and _BODY.match(name) and len(_strings(item[:20])) == len(item[:20]):
                yield from _body(origin, "".join(map(text_to_html, _strings(item))), factor, about)
            pending += [
                (name, part, factor, in_rich)
                for part in item
                if (len(part) >= _MIN_CHARACTERS if isinstance(part, str) else isinstance(part, _HOLDERS))
            ]


@functools.lru_cache(maxsize=4096)
def _is_avoided(name: str) -> bool:
    return _AVOIDED.search(name) is not None


def _body(origin: str, text: str, factor: float, about: str = "") -> Iterator[_Body]:
    if not _reads_like_prose(_beginning(text)):
        return
    plain = _plain(text)
    length = len("".join(plain.split())) if _SENTENCE_END.search(plain) else 0
    if length >= _MIN_CHARACTERS and _is_about(plain, about):
        gain = _MARKUP_GAIN if has_markup(text) else 1.0
        yield _Body(origin, text_to_html(text), length * factor * gain)


def _plain(text: str) -> str:
    """A text without its tags and entities."""
    return unescape(_TAG.sub(" ", text)) if "<" in text or "&" in text else text


def _beginning(text: str) -> str:
    """The first characters of the plain text, from a part of it if that has enough: programs are long."""
    cut = text.rfind("<", 0, 4 * _SAMPLE)  # where no tag and no entity is cut
    part = _plain(text[: max(0, cut)])
    return (part if len(part) >= _SAMPLE else _plain(text))[:_SAMPLE]


def _reads_like_prose(sample: str) -> bool:
    """Whether a text begins like running text.

    Programs, styles, addresses, keys and encoded pictures have few letters, few blanks or no sentences.
    """
    if len(sample) < _MIN_CHARACTERS:
        return False
    words, plain, others = sample.split(), sample.encode("ascii", "ignore"), _ASCII.sub("", sample)
    letters = len(plain) - len(plain.translate(None, _LETTERS)) + sum(map(_is_letter, others))
    spaced = 5 * sum(character > "\u2e80" for character in others) < len(sample)
    if letters < _MIN_LETTERS * len(sample) or (spaced and len(words) * 20 < len(sample)):
        return False
    return sample.count("{") + sample.count(";") <= len(words) / 8


def _name_factor(name: str) -> float:
    if _SUMMARY.search(name):
        return _SUMMARY_LOSS
    return 1.0 if _BODY.match(name) else _UNNAMED_LOSS


def _title_factor(item: Mapping[str, Any], title: str) -> float:
    if not title or _ANY_TITLE.isdisjoint(item):
        return 1.0
    for name in _TITLES:
        own = item.get(name)
        own = own.get("rendered") if isinstance(own, dict) else own
        if isinstance(own, str) and len(title) / _FOLDING_GAIN <= len(own) < 500 and _folded(unescape(own)) == title:
            return _TITLE_GAIN
    return 1.0


def _folded(text: str | None) -> str:
    return collapse(text or "").casefold()


def _strings(value: Any) -> list[str]:
    return [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str)]
