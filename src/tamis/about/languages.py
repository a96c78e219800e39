"""The language of a page: what it declares, and what its text looks like."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from tamis.about.declared import Declared, Value
from tamis.about.kernel import kernel
from tamis.about.named import elements
from tamis.page.model import Page
from tamis.page.parse import guess_language

_CODE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z0-9]{2,8}(?:[-_][a-z0-9]{1,8})*))?", re.IGNORECASE)
_CYRILLIC = re.compile("[\u0400-\u04ff]")
# Letters that one of the languages written in Cyrillic has and its neighbours have not; the first that occurs decides.
_CYRILLIC_LETTERS = (
    ("be", "ў"),
    ("uk", "їєґ"),
    ("mk", "ѓќѕ"),
    ("sr", "љњћђџј"),
    ("kk", "әғқңөұү"),
    ("ru", "ыэё"),
    ("bg", "ъ"),
)
_MIN_CYRILLIC = 0.5  # share of a text
_MIN_LETTER_SHARE = 0.002  # of the letters; one foreign name is not the language
_MIN_CHARACTERS = 60  # of running text; the guess is a lottery below
_MAX_CHARACTERS = 1_200  # five times as many change the answer on 1 page in 90 (train pages)
_MIN_CONFIDENCE = 0.5
_MAX_BLOCKS = 50  # the longest, that are put together
_MIN_WORDS = 5  # of a block, outside links: menus mix languages and names
# Words that tell English in a moment; a guess compares with the letters of all languages. Of 3,393 train pages those
# whose guess is another language have one in 75 characters at most; of 10,566 pages of all kinds none of those has two
# in each quarter of its text, as nine in ten of the English ones have.
_ENGLISH_WORDS = (" the ", " of ", " and ", " that ", " with ", " this ", " you ", " your ", " it ", " which ")
_CHARACTERS_PER_WORD = 60
_QUARTERS, _MIN_IN_QUARTER = 4, 2
_MIN_ENGLISH = 600  # characters; a short text is guessed quickly
# Two-letter codes of the languages that can be guessed; those that have none keep their three letters.
_SHORT_CODES = dict(
    pair.split("=")
    for pair in (
        "afr=af aka=ak amh=am ara=ar aze=az bel=be ben=bn bul=bg cat=ca ces=cs cmn=zh cym=cy dan=da deu=de ell=el "
        "eng=en "
        "epo=eo est=et fin=fi fra=fr guj=gu heb=he hin=hi hrv=hr hun=hu hye=hy ind=id ita=it jav=jv jpn=ja kan=kn "
        "kat=ka "
        "khm=km kor=ko lat=la lav=lv lit=lt mal=ml mar=mr mkd=mk mya=my nep=ne nld=nl nob=no ori=or pan=pa pes=fa "
        "pol=pl "
        "por=pt ron=ro rus=ru sin=si slk=sk slv=sl sna=sn spa=es srp=sr swe=sv tam=ta tel=te tgl=tl tha=th tuk=tk "
        "tur=tr "
        "ukr=uk urd=ur uzb=uz vie=vi yid=yi zul=zu"
    ).split()
)


def declared_language(page: Page, declared: Declared) -> Value | None:
    """The language that a page says it is in."""
    for value in _said(page, declared):
        code = language_code(value.text)
        if code:
            return Value(code, value.source)
    return None


def _said(page: Page, declared: Declared) -> Iterator[Value]:
    for node in elements(page, "html")[:1]:
        attributes = page.attributes(node)
        yield from (Value(attributes.get(name, ""), f"html {name}") for name in ("lang", "xml:lang"))
    yield from declared.from_item("inLanguage")
    yield from declared.from_meta("content-language", "og:locale", "dc.language", "dcterms.language", "language")


def language_code(text: str) -> str:
    """A language tag in its usual form; empty for what is none.

    >>> language_code("EN_us"), language_code("zh-hans-cn"), language_code("English")
    ('en-US', 'zh-Hans-CN', '')
    """
    match = _CODE.fullmatch(text.strip().partition(",")[0].strip())
    if not match or match[1].lower() in ("und", "mul", "zxx", "xx"):
        return ""
    further = [part for part in re.split(r"[-_]", match[2] or "") if part]
    cased = [{2: part.upper(), 4: part.title()}.get(len(part), part.lower()) for part in further]
    return "-".join([match[1].lower(), *cased])


def _cyrillic_language(text: str) -> str | None:
    """The language of a text in Cyrillic, told by letters: trigrams mix up Russian and Bulgarian."""
    if text.isascii() or not _CYRILLIC.search(text):
        return None
    count = len(_CYRILLIC.findall(text))
    if count < _MIN_CYRILLIC * len(text.replace(" ", "")):
        return None
    folded = text.casefold()
    shares = ((code, sum(map(folded.count, letters)) / count) for code, letters in _CYRILLIC_LETTERS)
    return next((code for code, share in shares if share > _MIN_LETTER_SHARE), None)


def _is_english(text: str) -> bool:
    """Whether words that tell English are frequent in a text, or stand in each quarter of it."""
    bounds = [len(text) * number // _QUARTERS for number in range(_QUARTERS + 1)]
    if kernel.occurrences(text, _ENGLISH_WORDS, 0, len(text)) >= len(text) / _CHARACTERS_PER_WORD:
        return True
    return all(
        kernel.occurrences(text, _ENGLISH_WORDS, start, end) >= _MIN_IN_QUARTER
        for start, end in itertools.pairwise(bounds)
    )


def detected_language(page: Page) -> str | None:
    """The language that the running text looks like; None when there is too little of it."""
    blocks = page.blocks
    sample = kernel.longest_texts(
        page.text, blocks.start, blocks.end, blocks.words, blocks.link_words, _MIN_WORDS, _MAX_BLOCKS, _MAX_CHARACTERS
    )
    joined = " ".join(sample)[:_MAX_CHARACTERS]
    if len(joined) < _MIN_CHARACTERS and len(joined) + sum(map("\u2e80".__lt__, joined)) < _MIN_CHARACTERS:
        return None
    if len(joined) >= _MIN_ENGLISH and _is_english(joined):
        return "en"
    cyrillic = _cyrillic_language(joined)
    if cyrillic:
        return cyrillic
    code, confidence = guess_language(joined)
    return _SHORT_CODES.get(code, code) or None if confidence >= _MIN_CONFIDENCE else None
