"""Names of people in what pages say of their authors: without titles, roles, outlets, addresses and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from tamis.about.moments import is_month
from tamis.about.titles import folded

MAX_AUTHORS = 50
MAX_NAME_WORDS = 7
_MAX_SHOWN_WORDS = 5  # of a name that is only shown: longer lines are sentences
_LONGEST_UNSPACED_NAME = 4  # characters of a Chinese, Japanese or Korean name
_PARTICLES = frozenset(
    "van von der den de del della di da dos du la le el al bin ibn ben zu zur ter ten y e d' af av".split()
)
_NOT_IN_NAMES = frozenset(
    "posts post recent contributors contributor comments comment time insights view share about author authors blog "
    "news "
    "strategy sponsored read more category categories tags related updated published minutes min your the this our "
    "with "
    "sign subscribe newsletter advertisement photo photos image source video all latest what how why".split()
)
_LEADING = re.compile(
    r"\A\W*(?:(?:article|story|text|written|authored|recipe|posted|published|reviewed|words|review|analysis|opinion|"
    r"guest post|photos?|"
    r"foto|report(?:ed)?|created|edited)?\s*"
    r"(?:by|von|par|por|di|da|door|av|af|autor(?:in|en|es|zy)?|authors?|auteurs?|autore|skribent|przez|автор(?:ы)?|"
    r"текст|"
    r"written|verfasst|yazar|作者|記者|记者|文|著者)\b\s*(?:by\b|von\b)?\s*[:：.]?\s*|(?:作者|記者|记者|文|著者)\s*[:：/]\s*)",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"\s*(?:[|•·–—⋅●»]|\s-\s|\bon\b\s|\bam\b\s|\bin\b\s|\bat\b\s|\bfor\b\s|\bfrom\b\s|\b(?:published|posted|updated|"
    r"last)\b|"
    r"\(|\d|,\s*(?:updated|published|posted|special|staff|senior|contribut|correspond|editor|reporter|writer|chief|"
    r"associate|"
    r"guest|director|professor|freelance|the\s)).*\Z",
    re.IGNORECASE | re.DOTALL,
)
_PREAMBLE = re.compile(
    r"\A.{0,40}\b(?:posts?|articles?|written|stories|insights|more|contributed)\s+(?:by|from|von)\s+", re.IGNORECASE
)
_WEEKDAY = re.compile(
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|"
    r"mittwoch)\.?\Z",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"\s*(?:;|\s&\s|&amp;|、|，|\s(?:and|und|et|y|e|i|en|och|og|и|with|mit|avec|con)\s)\s*", re.IGNORECASE
)
_BARS = re.compile(r"\s*[|｜/•·⋅●]\s*")  # what follows is a person, or the outlet, a role, a place, a date
_DASH = re.compile(r"\s+[-–—]+\s+")
_COMMA = re.compile(r"\s*,\s*(?:(?:and|und|et|y|&)\s+)?", re.IGNORECASE)
_CREDENTIAL = re.compile(
    r"(?:[A-Z]{2,6}(?:[-/][A-Z0-9]+)?|(?:[A-Z][a-z]{0,2}\.\s?){1,4}|[Pp][Hh]\.?\s?[Dd]\.?|[JS]r|MSc|BSc|III?|Esq|Dr|Prof)\W*\Z"
)
_JOBS = (
    "head|lead|chief|vp|fellow|expert|author|coach|nutritionist|owner|engineer|consultant|editor|reporter|writer|"
    "correspondent|contributor|director|founder|ceo|manager|professor|producer|columnist|journalist|officer|president|"
    "specialist|analyst|redakteur|journaliste|dietitian|educator|horticulturalist"
)
_JOB = re.compile(rf"(?i)\b(?:{_JOBS})s?\b")
_ROLE = re.compile(rf"(?i)\b(?:{_JOBS}|staff|team|desk)s?\b")  # the last three may be an author of their own
_RANKS = frozenset(
    "senior junior staff chief deputy managing associate assistant contributing executive guest freelance special lead "
    "principal political science business sports health technology tech foreign national world education environment "
    "arts food travel legal money".split()
)
_OUTLET = re.compile(
    r"(?i)\b(?:the|news|newspaper|press|presse|times|post|daily|weekly|magazine|journal|tribune|herald|gazette|chronicle|"
    r"observer|guardian|telegraph|media|tv|radio|agency|agencies|agentur|network|wire|reuters|bloomberg|zeitung|blog|"
    r"inc|llc|ltd|gmbh|university|institute|online|today)\b|\.(?:com|org|net|de|fr|co)\b"
)
_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")  # of a profile's address
_CONTACT = re.compile(r"[<(\[]?(?:mailto:)?\S*[^\s@|,;]@\S+[^\s,;|]|https?://[^\s|,;]+|www\.[^\s|,;]+")
_CONTACT_SIGNS = ("@", "://", "www.")  # one of which is in all that it finds
_EDGES = " .,:;-–—|\"'“”()[]<>»●"
_ADDRESS = re.compile(r"https?:|www\.|@|\.com\b|\.org\b|\.net\b", re.IGNORECASE)
_REFUSED = frozenset(
    (
        "admin,administrator,administrador,adm,root,user,username,webmaster,web "
        "master,editor,editors,editorial,wordpress,"
        "drupal,joomla,typo3,blogger,guest,gast,unknown,unbekannt,anonymous,anonym,null,undefined,none,na,n "
        "a,author,authors,"
        "autor,super user,superuser,default,test,site admin,siteadmin,web,website,staff,by,posted by,nobody,no author,"
        "not available,name,author name,firstname lastname,owner,moderator,support,info,contact,marketing,"
        "facebook,twitter,google,share,follow,email,read "
        "more,comments,about,home,menu,search,login,subscribe,publisher,"
        "web team,content team,wix,squarespace,shopify,hubspot,ghost,medium,tumblr,livejournal,blogspot,weebly,webflow"
    ).split(",")
)


def clean_names(text: str) -> list[str]:
    """The names in a byline.

    >>> clean_names("By Ann Lee, Bo Chen and Cy Diaz | 3 May")
    ['Ann Lee', 'Bo Chen', 'Cy Diaz']
    >>> clean_names("Robert E. Moffit, Ph.D. | The Daily Post | moffit@post.example")
    ['Robert E. Moffit']
    """
    text = _PREAMBLE.sub("", _LEADING.sub("", _without_contacts(text).strip()))
    stretches = [(part, names) for part in _BARS.split(text) if (names := _between_bars(part))]
    if not stretches:
        return []
    # Behind a bar only what is certainly a person counts; before the first one, what is not certainly an outlet.
    (first, names), *rest = stretches
    people = [name for part, more in rest if not _ROLE.search(part) and all(map(is_person, more)) for name in more]
    return people if people and _OUTLET.search(first) else [*names, *people]


def declared_names(texts: Iterable[str], sites: Set[str]) -> tuple[str, ...]:
    """Names that are declared one by one: nothing is cut off but titles; several in one are taken apart."""
    found: dict[str, str] = {}
    for text in texts:
        whole = _LEADING.sub("", _without_contacts(text)).strip(" |,;/-–—")
        if _is_refused(whole, sites) or _ADDRESS.search(whole):
            continue
        has_more = _SPLIT.search(whole) or _BARS.search(whole) or "," in whole
        for name in clean_names(whole) if has_more else [_without_role(whole)]:
            _add(found, name, sites)
    return tuple(found.values())[:MAX_AUTHORS]


def names_in(texts: Iterable[str], sites: Set[str]) -> tuple[str, ...]:
    """Names in lines that may say more; ``sites`` are names of the site, folded, which are nobody's."""
    found: dict[str, str] = {}
    for text in texts:
        for name in clean_names(text):
            _add(found, name, sites)
    return tuple(found.values())[:MAX_AUTHORS]


def looks_like_name(name: str) -> bool:
    """True for words that begin with capitals, but for particles; scripts without capitals pass.

    >>> looks_like_name("Ann van Lee"), looks_like_name("a river"), looks_like_name("Senior Editor")
    (True, False, False)
    """
    words = name.split()
    if len(words) > _MAX_SHOWN_WORDS or _JOB.search(name):
        return False
    return not any(
        (word[:1].islower() and word.casefold() not in _PARTICLES) or folded(word) in _NOT_IN_NAMES for word in words
    )


def _add(found: dict[str, str], name: str, sites: Set[str]) -> None:
    name = _without_site(name, sites)
    if not _is_refused(name, sites) and _is_name(name):
        found.setdefault(folded(name), _cased(name))


def _is_refused(name: str, sites: Set[str]) -> bool:
    return folded(name) in _REFUSED or folded(name) in sites


def _without_contacts(text: str) -> str:
    """The text without addresses, which most have not, and that is quickly seen."""
    return _CONTACT.sub(" ", text) if any(map(text.__contains__, _CONTACT_SIGNS)) else text


def _between_bars(text: str) -> list[str]:
    names = []
    for piece in _SPLIT.split(text):
        parts = [part for part in _COMMA.split(piece or "") if part]
        for position, part in enumerate(parts):
            if position and (_CREDENTIAL.match(part) or _ROLE.search(part) or _OUTLET.search(part)):
                continue
            name = _without_role(_TRAILING.sub("", _LEADING.sub("", part)).strip(_EDGES))
            if name and not _is_date_word(name):
                names.append(name)
    if len(names) == 2 and "," in text and all(len(name.split()) == 1 for name in names) and not _SPLIT.search(text):
        return [f"{names[1]} {names[0]}"]  # Lee, Ann
    return names


def _without_role(name: str) -> str:
    """The name without the job that stands behind it.

    >>> _without_role("Ann Lee Senior Reporter"), _without_role("Ann Lee - Science Editor"), _without_role("Ann Head")
    ('Ann Lee', 'Ann Lee', 'Ann Head')
    """
    head, *rest = _DASH.split(name)
    if rest and all(_ROLE.search(part) or _OUTLET.search(part) for part in rest):
        return head
    words = name.split()
    for place in range(2, len(words)):
        if (folded(words[place]) in _RANKS or _JOB.match(words[place])) and _JOB.search(" ".join(words[place:])):
            return " ".join(words[:place]).strip(_EDGES)
    return name


def _without_site(name: str, sites: Set[str]) -> str:
    """The name without that of the site behind it, as where a line gives both."""
    words = name.split()
    for place in range(2, len(words)):
        if folded(" ".join(words[place:])) in sites:
            return " ".join(words[:place]).strip(_EDGES)
    return name


def is_person(name: str) -> bool:
    """Whether words are a person's name for certain: first and last name, or a name in a script without blanks."""
    if _OUTLET.search(name) or _ROLE.search(name) or any(map(str.isdigit, name)):
        return False
    words = name.split()
    if len(words) == 1:
        return name.isalpha() and name.lower() == name.upper() and len(name) <= _LONGEST_UNSPACED_NAME
    return looks_like_name(name) and _is_name(name)


def names_role(text: str) -> bool:
    """Whether a text says what somebody is, such as "Science Editor"."""
    return _ROLE.search(text) is not None


def is_slug(name: str) -> bool:
    """Whether a name is the last part of an address, or that of a login, rather than one that is written.

    >>> is_slug("ann-lee"), is_slug("Ann Lee")
    (True, False)
    """
    return _SLUG.fullmatch(name) is not None


def _is_date_word(name: str) -> bool:
    return any(is_month(word) or _WEEKDAY.match(word) for word in name.split()[-2:]) and len(name.split()) <= 2


def _is_name(name: str) -> bool:
    words = name.split()
    if not 1 <= len(words) <= MAX_NAME_WORDS or not 2 <= len(name) <= 80:
        return False
    if _ADDRESS.search(name) or name[0].isdigit():
        return False
    return sum(map(str.isalpha, name)) >= 0.6 * len(name)


def _cased(name: str) -> str:
    """The name; one in capitals only is written as names are."""
    if name.isupper() and " " in name:
        return " ".join(word.capitalize() if len(word) > 2 or not word.isalpha() else word for word in name.split())
    return name
