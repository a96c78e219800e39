"""Pages in whose place something else stands, and pages that only mention it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.about import walls
from tamis.about.kernel import kernel
from tamis.about.walls import find_fold, find_wall

ARTICLE = "The council met on Monday and spoke about the bridge, the school and the new road to the station. " * 30
WALLS = {
    "bot check": (
        "<title>Just a moment...</title><h1>shop.example</h1><p>Checking your browser before accessing the site.</p>",
        "<title>Access denied</title><p>Please verify you are a human by completing the captcha.</p>",
        "<title>Robot check</title><p>Sorry, we just need to make sure you're not a robot.</p>",
        "<title>shop.example</title><script src=/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1></script>"
        "<p>One moment.</p>",
    ),
    "consent wall": (
        "<h1>Before you continue to Example</h1><p>We use cookies and data to deliver services. If you choose to "
        "accept all, we will also use cookies for ads.</p><button>Accept all</button><button>Reject all</button>",
        "<p>Wir und unsere 143 Partner verwenden Cookies. Mit Ihrer Einwilligung speichern Partner Daten.</p>"
        "<button>Alle akzeptieren</button>",
        "<h1>Before you continue to Example</h1><p>We use cookies and data to deliver and maintain services, and to "
        "measure the engagement of the audience.</p><button>Reject all</button><button>Accept all</button>",
        "<h1>Mit Werbung weiterlesen</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking. Details stehen in "
        "der Datenschutzerklärung.</p><button>Alle akzeptieren</button>",
        "<p>Noi e i nostri partner usiamo i cookie per la pubblicità.</p><button>Accetta</button>",
        "<p>Wij gebruiken op deze site cookies van onze partners.</p><button>Akkoord</button>",
    ),
    "login wall": (
        "<title>Sign in - Forum</title><form><input name=user><input type=Password></form>",
        "<h1>Members</h1><p>You must be logged in to view this page.</p>",
    ),
    "error page": (
        "<title>Page not found | Gazette</title><p>Try the search, or go back to the front page.</p>",
        "<title>Gazette</title><h1>404 - File not found</h1>",
        "<h1>Seite nicht gefunden</h1><p>Versuchen Sie die Suche.</p>",
        "<title>Gazette</title><h1>Oops! That page can’t be found.</h1><p>Try the search.</p>",
        "<title>404: Not Found - The Gazette of the Whole Valley</title><p>Try the search.</p>",
    ),
    "shell": (
        "<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>"
        "<script src=/main.js></script>",
        "<title>App</title><div id=__next></div><script src=/main.js></script>",
    ),
}
PAGES = {
    "a long page that says all of it": f"<title>Page not found: a history</title><p>{ARTICLE}</p><p>Checking your "
    "browser, you must be logged in to view, this website uses cookies.</p><input type=password>",
    "an article with a cookie banner": "<p>This website uses cookies. <button>Accept</button></p><h1>Rain at last</h1>"
    "<p>It rained for the whole night. The fields took all of it in, and by the morning the river stood high.</p>",
    "a short article about advertising": "<h1>Lesen ohne Werbung</h1><p>Die Zeitung bietet ein Abonnement an, das nur "
    "vier Euro kostet. Wer mit Werbung weiterlesen will, kann das tun und muss dafür nicht akzeptieren, dass der Text "
    "kürzer wird.</p>",
    "an article with a login form": "<title>Rain at last</title><form>Log in <input type=password></form><p>It rained "
    "for the whole night, and the fields took all of it in.</p>",
    "a short page with scripts": "<title>Rain</title><div id=app><p>It rained.</p></div><script src=/main.js></script>",
    "a short question about an error": "<title>404 not found after the update of the plugin</title><p>Since Monday "
    "every link of my site answers with an error. What can I do?</p>",
    "a short post with comments for members": "<title>Rain</title><p>It rained for the whole night, and the fields "
    "took all of it in.</p><p>You must be logged in to post a comment.</p><a href=/in>Iniciar sesión</a>",
    "a picture with a thread of comments": "<title>Rain</title><p>Rain over the fields.</p><div id=disqus></div>"
    "<script></script><noscript>Please enable JavaScript to view the <a href=/>comments by Disqus</a></noscript>",
    "a page with a captcha in its form": "<title>Rain</title><p>It rained for the whole night.</p><form>Write to us: "
    "<label><input type=checkbox> I'm not a robot</label></form>",
    "a short article about blocked users": f"<title>Blocked</title><p>{ARTICLE[:1400]}</p><p>Readers who see a page "
    "that says 'sorry, you have been blocked' should call us.</p>",
    "an empty page": "",
}


@pytest.mark.parametrize(("kind", "markup"), [(kind, page) for kind, pages in WALLS.items() for page in pages])
def test_wall_is_named_and_is_no_content(kind: str, markup: str) -> None:
    found = find_wall(tamis.parse(markup))
    assert found is not None
    assert found.kind == kind
    for method in ("keep_all", "sieve"):
        result = tamis.extract(markup, method=method)
        assert result.status == "empty"
        assert result.warnings[0] == f"wall: {found}"
        assert result.wall == found


@pytest.mark.parametrize("markup", [pages[0] for pages in WALLS.values()], ids=WALLS)
@pytest.mark.parametrize("method", ["keep_all", "sieve"])
def test_nothing_of_a_wall_is_in_any_output(method: str, markup: str) -> None:
    result = tamis.extract(markup, method=method)
    written = result.to_dict(blocks=True)
    assert (result.text, result.markdown, result.html, result.spans) == ("", "", "", ())
    assert (result.chunks(), result.source_spans, result.metadata.word_count) == ((), (), None)
    assert (written["status"], written["text"], written["content"], written["spans"]) == ("empty", "", [], [])
    assert not any(block.kept for block in result.blocks)
    assert {block.reason for block in result.blocks} <= {f"dropped: {result.wall}"}
    assert {block["reason"] for block in written["blocks"]} <= {f"dropped: {result.wall}"}


def test_what_is_asked_for_is_kept_of_a_wall() -> None:
    result = tamis.extract(WALLS["error page"][0], keep="p")
    assert (result.status, result.text) == ("ok", "Try the search, or go back to the front page.")
    assert result.warnings[0].startswith("wall: ")


def test_template_keeps_nothing_of_a_wall() -> None:
    pages = [tamis.parse(f"<h1>Day {day}</h1><p>{ARTICLE[day:]}</p>") for day in range(5)]
    template = tamis.learn_template(pages)
    result = template.extract(tamis.parse(WALLS["login wall"][1]))
    assert (result.status, result.text) == ("empty", "")
    assert result.warnings[0].startswith("wall: the page is a login form")


def test_content_that_a_banner_hides_is_content() -> None:
    """Some sites hide the page until somebody agrees; it is there all the same."""
    banner, agree = WALLS["consent wall"][0].split("<button>", 1)
    article = f"<article><h1>Rain</h1><p>{ARTICLE[:1500]}</p></article>"
    page = f"{banner}<button>{agree}<main style=display:none>{article}</main>"
    assert find_wall(tamis.parse(page)) is not None, "as it is shown"
    result = tamis.extract(page)
    assert (result.status, result.wall) == ("ok", None)
    assert "The council met on Monday" in result.text


@pytest.mark.parametrize("markup", PAGES.values(), ids=PAGES)
def test_page_that_only_mentions_one_is_a_page(markup: str) -> None:
    assert find_wall(tamis.parse(markup)) is None
    result = tamis.extract(markup, method="keep_all")
    assert result.status == ("ok" if markup else "empty")


def test_control_that_shows_more_is_told() -> None:
    markup = f"<p>{ARTICLE}</p><button>Read more</button><p>And so on.</p>"
    assert any(warning.startswith("fold: ") for warning in tamis.extract(markup, method="keep_all").warnings)
    teaser = markup.replace("<button>", "<a href=/story>").replace("</button>", "</a>")
    assert tamis.extract(teaser, method="keep_all").warnings == ()


@pytest.mark.parametrize(
    ("control", "is_fold"),
    [
        ("<a href=#more>» Read more</a>", True),
        ("<a>Weiterlesen …</a>", True),
        ("<a href='javascript:show()'>Show\n  more</a>", True),
        ("<div role=button>続きを読む</div>", True),
        ("<div role=note>Read more</div>", False),
        ("<a href=/more>Read more</a>", False),
        ("<button>Read more about rivers</button>", False),
        ("<button>Menu</button>", False),
    ],
)
def test_controls_and_what_they_say(control: str, is_fold: bool) -> None:
    page = tamis.parse(f"<p>{ARTICLE}</p>{control}<p>And so on.</p>")
    assert bool(find_fold(page, 0, len(page.text))) == is_fold


def test_control_outside_the_content_is_no_fold() -> None:
    page = tamis.parse(f"<p>{ARTICLE}</p><footer><button>Show more</button></footer>")
    assert find_fold(page, 0, len(ARTICLE) - 10) == ""


@pytest.mark.parametrize(
    ("phrase", "parts"),
    [
        (phrase, parts)
        for table, parts, is_ascii in (
            (walls._BOT, walls._BOT_PARTS, False),
            (walls._CONSENT, walls._CONSENT_PARTS, False),
            (walls._ERROR, walls._ERROR_PARTS, True),
        )
        for phrase in table.split("\n")
        if phrase and phrase.isascii() >= is_ascii
    ],
)
@given(data=st.data())
@settings(max_examples=50)
def test_no_phrase_lacks_the_part_that_is_looked_for_first(phrase: str, parts: Any, data: st.DataObject) -> None:
    assert kernel.holding([data.draw(st.from_regex(phrase))], parts) == [0]
