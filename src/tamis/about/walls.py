"""Pages without content: bot checks, consent walls, login walls, error pages, shells that scripts fill.

Idea:    such pages are short and say what they are. A page is named only if a whole phrase of it, or of its title, is
         one that such pages use and that articles about them do not begin with.
Weak at: walls in languages that the tables lack, and walls of sites that put a long text beside them.

Only pages with little text are looked at: a long page that mentions cookies or logins has content of its own. Nothing
of a wall is kept, so a page that is called one by mistake is lost. What ordinary pages say too is not in the tables:
"I'm not a robot" in a form, "you must be logged in to post a comment", "enable JavaScript to view the comments".
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import NamedTuple

import numpy as np

from tamis.about.declared import cleaned
from tamis.about.kernel import kernel
from tamis.about.openings import opening_table
from tamis.page.model import Page
from tamis.page.text import Ints, collapse

MAX_CHARACTERS = 2_500  # of visible text, links and all: about 400 words; consent walls with all their purposes fit
_MAX_CHECK = MAX_CHARACTERS // 2  # the longest page that a phrase in its text makes a bot check
_MAX_REQUEST = MAX_CHARACTERS // 4  # the same for a request to log in, and for marks of bot checks in the source
_MAX_SAID = 80  # characters of the page that a warning repeats
_MAX_RAW = 4 * MAX_CHARACTERS  # the same with white space, which is cheaper to count
_MAX_HEADINGS = 3
_MAX_SHELL_WORDS = 25  # visible; "You need to enable JavaScript to run this app." and a name


class Wall(NamedTuple):
    """The kind of wall that a page is, and the words that show it."""

    kind: str
    said: str

    def __str__(self) -> str:
        told = f" ({self.said!r})" if self.said else ""
        return f"{NAMES[self.kind]}{told}"


NAMES = {
    "bot check": "the page is a bot check",
    "consent wall": "the page is a cookie consent wall",
    "login wall": "the page is a login form",
    "error page": "the page is an error message",
    "shell": "the page is filled by scripts: render it first (--scripts, or tamis.render(..., scripts=True))",
}

_BOT = r"""
checking (?:your browser|if the site connection is secure)
(?:verify(?:ing)?|make sure|confirm) (?:that )?you(?:['’]re| are) (?:a |not a )?(?:human|robot|bot)
(?:enable|please enable) (?:javascript|js) and (?:cookies|disable any ad blocker)
attention required! \| cloudflare
\bjust a moment\.\.\.
unusual (?:traffic|activity) (?:detected )?from (?:your|this)
complete the (?:security check|captcha) to
ddos protection by
press (?:&|and) hold to confirm
pardon our interruption
access to this page has been denied
request unsuccessful\. incapsula
sorry, you have been blocked
are you a (?:robot|human)\?
access denied\b.*you don(?:'|’)t have permission to access
überprüfen sie, ob sie ein mensch sind
vérifi(?:er|ez|ons) que vous (?:êtes|n'êtes pas) (?:un )?(?:humain|robot)
verifica(?:r)? que (?:eres|no eres) (?:un )?(?:humano|robot)
"""
_CONSENT = r"""
before you continue to
bevor sie (?:zu|fortfahren)
avant d(?:'|’)accéder à
antes de continuar
(?:we|our partners|\d+ partners)[^.]{0,80} (?:store|use|process)[^.]{0,120}(?:cookies|personal data)
(?:this|our) (?:web)?site uses cookies
wir (?:und unsere (?:\d+ )?partner )?(?:verwenden|nutzen|benötigen)[^.]{0,60}(?:cookies|einwilligung|zustimmung)
wir (?:und unsere (?:\d+ )?partner )?(?:verarbeiten|speichern)[^.]{0,60}(?:cookies|einwilligung|zustimmung)
(?:mit werbung (?:weiterlesen|lesen|nutzen)|mit werbung und tracking)
nous (?:et nos partenaires )?utilisons des cookies
(?:nosotros|nuestros socios|utilizamos)[^.]{0,60}cookies
(?:noi|utilizziamo|usiamo)[^.]{0,60}cookie
wij? (?:en onze partners )?gebruiken[^.]{0,60}cookies
"""
_AGREE = r"""
\b(?:accept|agree|allow)(?: to)?(?: all| and continue| cookies|\b)
\b(?:alle )?(?:akzeptieren|zustimmen)\b
\b(?:tout )?accepter\b
\baceptar\b
\baccett\w+\b
\b(?:akkoord|accepteren)\b
"""
_LOGIN = r"""
(?:please|must be|need to|have to)(?: be)? (?:log|sign)(?:ged|ed)?[ -]?in(?: to (?:view|see|use)| first|\.?$)
(?:log|sign)(?:ged|ed)? in to (?:continue|view (?:this|the)|see (?:this|the)|read|access)
create an account (?:or|to) (?:log|sign|continue|read)
bitte (?:melden sie sich an|loggen sie sich ein)
(?:connectez|identifiez)-vous pour (?:continuer|lire|accéder|voir|consulter)
inici(?:a|e|ar) sesión para (?:continuar|ver|leer|acceder)
(?:subscribe|register) to (?:continue|keep) reading
"""
_ERROR = r"""
(?:error )?(?:404|410)\b.{0,40}(?:not found|error|gone|missing)
(?:page|file|document|article|content|url)(?: you requested| you are looking for)? (?:was |could |can)?not (?:be )?found
(?:page|file|document|article|content|url)(?: you requested| you(?: are|['’]re) looking for)? can['’]t be found
(?:page|file|document|article|content|url)(?: you requested| you are looking for)? (?:does not|doesn't) exist
page (?:not found|no longer (?:exists|available))
(?:seite|artikel) (?:wurde |konnte )?nicht gefunden
page (?:introuvable|non trouvée)
página no encontrada|no se (?:ha )?encontr(?:ó|ado) la página
pagina (?:non trovata|niet gevonden)
página não encontrada
страница не найдена
页面不存在|找不到页面|ページが見つかりません
internal server error
(?:502 bad gateway|503 service (?:temporarily )?unavailable)
"""
# Of each phrase of ASCII a part: most texts have none, which is quicker to see than to look for whole phrases.
_BOT_PARTS = kernel.word_table(
    (
        *("checking", " human", " robot", " bot", "javascript and", "js and", "cloudflare", "just a moment"),
        *("unusual", "complete the", "ddos protection", "hold to confirm", "pardon our", "been denied", "incapsula"),
        *("been blocked", "access denied", "ein mensch", " humain"),
    )
)
_CONSENT_PARTS = kernel.word_table(
    (
        *("before you continue", "bevor sie", "avant d", "antes de continuar", "cookie", "personal data"),
        *("einwilligung", "zustimmung", "mit werbung"),
    )
)
_ERROR_PARTS = kernel.word_table(
    (
        *("404", "410", "502", "503", "found", "exist", "no longer", "server error"),
        *("gefunden", "trouv", "encontr", "trovat", "gevonden"),
    )
)
_SCRIPTS = r"""
enable javascript(?! to view the (?:<[^>]*>)?comments)
javascript (?:is|to be) (?:required|enabled|disabled|turned off|not enabled|not available)
requires javascript
javascript (?:muss )?aktivier\w+
activer javascript
habilit\w+ javascript
"""
_FOLDS = (
    *(f"{verb} {what}" for verb in ("read", "show", "see", "view") for what in ("more", "full story", "full article")),
    *("read full text", "show full text", "see full text", "view full text", "continue reading", "weiterlesen"),
    *("mehr lesen", "mehr anzeigen", "lire la suite", "leer más", "ver más", "leggi tutto", "leggi di più"),
    *("читать далее", "читать полностью", "続きを読む", "阅读全文", "展开全文"),
)


@functools.cache  # put together when a page is short enough to be looked at: most programs never meet one
def _phrases(table: str) -> re.Pattern[str]:
    return re.compile("|".join(filter(None, table.splitlines())), re.IGNORECASE)


_LOGIN_TITLE = re.compile(r"(?i)\b(?:log|sign)[ -]?in\b|anmelde|einloggen|connexion|iniciar sesión|accedi\b|вход\b")
_BOT_MARKS = re.compile(
    r"cf-browser-verification|/cdn-cgi/challenge-platform/h/./orchestrate|px-captcha|_Incapsula_Resource"
)
_BOT_SIGNS = ("cf-browser-verification", "/cdn-cgi/challenge-platform/h/", "px-captcha", "_Incapsula_Resource")
"""Parts of the marks: most sources have none, which is quicker to see than to look for the marks."""
_SEPARATOR = re.compile(r"\s[|–—»·:-]+\s|[:|.!]\s")  # between what a page is and the name of the site
_FOLD_SAID = re.compile(rf"(?i)\W*(?:{'|'.join(_FOLDS)})\W*")
_FOLD_OPENINGS = opening_table(phrase[:2] for phrase in _FOLDS)
_CONSENT_WORD = re.compile(
    r"(?i)\b(?:cookies?|consent|partners?|personal data|tracking|datenschutz\w*|einwilligung|zustimmung|données)\b"
)
_MAX_RAW_SAID = 4 * _MAX_SAID  # characters of a control with white space


def find_wall(page: Page) -> Wall | None:
    """The wall that the page is, or None for an ordinary page."""
    text = kernel.short_text(page, MAX_CHARACTERS, _MAX_RAW)
    if text is None:
        return None
    title = collapse(" ".join(page.node_text(node) for node in itertools.islice(page.nodes.each("title"), 1)))
    headings = sorted(itertools.chain(page.nodes.each("h1"), page.nodes.each("h2")))[:_MAX_HEADINGS]
    heads = (title, *(collapse(page.node_text(node)) for node in headings))
    return (
        _bot_check(page, title, text)
        or _error(heads)
        or _consent(text)
        or _login(page, heads, text)
        or _shell(page, text)
    )


def _bot_check(page: Page, title: str, text: str) -> Wall | None:
    shown = f"{title} {text}" if len(text) < _MAX_CHECK else title
    if kernel.holding([shown], _BOT_PARTS) and (said := _phrases(_BOT).search(shown)):
        return Wall("bot check", _short(said[0]))
    may_be = len(text) < _MAX_REQUEST and any(sign in page.source for sign in _BOT_SIGNS)
    return Wall("bot check", _short(title)) if may_be and _BOT_MARKS.search(page.source) else None


def _error(heads: tuple[str, ...]) -> Wall | None:
    """A heading says so, and hardly anything else: "404 not found after the update" is a question."""
    held = kernel.holding(list(heads), _ERROR_PARTS)
    for head in (head for number, head in enumerate(heads) if number in held or not head.isascii()):
        if said := _phrases(_ERROR).search(head):
            before, after = _SEPARATOR.split(head[: said.start()])[-1], _SEPARATOR.split(head[said.end() :])[0]
            if len(said[0]) > len(before) + len(after):
                return Wall("error page", _short(said[0]))
    return None


def _consent(text: str) -> Wall | None:
    """Most sentences are about cookies, and something can be agreed to: a banner above content is less."""
    said = _phrases(_CONSENT).search(text) if kernel.holding([text], _CONSENT_PARTS) else None
    if not said or not _phrases(_AGREE).search(text):
        return None
    about = sum(len(sentence) for sentence in text.split(".") if _CONSENT_WORD.search(sentence))
    return Wall("consent wall", _short(said[0])) if 2 * about > len(text) else None


def _login(page: Page, heads: tuple[str, ...], text: str) -> Wall | None:
    if _asks_password(page) and (named := next(filter(_LOGIN_TITLE.search, heads), "")):
        return Wall("login wall", _short(named))
    said = _phrases(_LOGIN).search(text) if len(text) < _MAX_REQUEST else None
    return Wall("login wall", _short(said[0])) if said else None


def _asks_password(page: Page) -> bool:
    fields: Ints = np.array([*page.nodes.each("input")], dtype=np.int64)
    return "password" in [(kind or "").lower() for kind in page.attribute(fields, "type")]


def _shell(page: Page, text: str) -> Wall | None:
    """A page whose text only scripts would write."""
    if text.count(" ") >= _MAX_SHELL_WORDS or not page.nodes.has("script"):
        return None
    said = _phrases(_SCRIPTS).search(page.source if len(page.source) < 1 << 20 else text)
    roots = page.select("#root, #app, #__next, #__nuxt, #svelte, app-root, [ng-app], [data-reactroot]")
    empty = any(page.nodes.text_start[node] == page.nodes.text_end[node] for node in roots)
    return Wall("shell", _short(said[0]) if said else "") if said or empty else None


def find_fold(page: Page, start: int, end: int) -> str:
    """The words of a control between two places that shows more of the text; empty if there is none.

    A link to another page is no fold: teasers have them. A button is one, and a link that leads nowhere.
    """
    nodes = page.nodes
    may_be = nodes.named("a", "button")
    may_be[page.carrying("role")] = True
    found = np.flatnonzero(may_be)
    starts, ends = nodes.text_start[found], nodes.text_end[found]
    fits = (starts >= start) & (starts <= end) & (ends - starts <= _MAX_RAW_SAID)
    found, starts, ends = found[fits], starts[fits], ends[fits]
    for number in kernel.opening_so(page.text, starts, ends, _FOLD_OPENINGS):
        node = found.item(number)
        said = cleaned(page.node_text(node))
        if said and len(said) <= _MAX_SAID and _FOLD_SAID.fullmatch(said) and _is_control(page, node):
            return said
    return ""


def _is_control(page: Page, node: int) -> bool:
    said = page.attributes(node)
    if page.name(node) == "button" or said.get("role") == "button":
        return True
    return page.name(node) == "a" and said.get("href", "#").startswith(("#", "javascript:"))


def _short(said: str) -> str:
    return said if len(said) <= _MAX_SAID else f"{said[:_MAX_SAID].rstrip()}…"
