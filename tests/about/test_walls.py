"""Pages in whose place something else stands, and pages that only mention it."""

from __future__ import annotations

import pytest

import tamis
from tamis.about.walls import find_fold, find_wall

ARTICLE = "The council met on Monday and spoke about the bridge, the school and the new road to the station. " * 30
WALLS = {
    "bot check": (
        "<title>Just a moment...</title><h1>shop.example</h1><p>Checking your browser before accessing the site.</p>",
        "<title>Access denied</title><p>Please verify you are a human by completing the captcha.</p>",
        "<title>shop.example</title><script src=/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1></script>"
        "<p>One moment.</p>",
    ),
    "consent wall": (
        "<h1>Before you continue to Example</h1><p>We use cookies and data to deliver services. If you choose to "
        "accept all, we will also use cookies for ads.</p><button>Accept all</button><button>Reject all</button>",
        "<p>Wir und unsere 143 Partner verwenden Cookies. Mit Ihrer Einwilligung speichern Partner Daten.</p>"
        "<button>Alle akzeptieren</button>",
    ),
    "login wall": (
        "<title>Sign in - Forum</title><form><input name=user><input type=password></form>",
        "<h1>Members</h1><p>You must be logged in to view this page.</p>",
    ),
    "error page": (
        "<title>Page not found | Gazette</title><p>Try the search, or go back to the front page.</p>",
        "<title>Gazette</title><h1>404 - File not found</h1>",
        "<h1>Seite nicht gefunden</h1><p>Versuchen Sie die Suche.</p>",
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
    "an article with a login form": "<title>Rain at last</title><form>Log in <input type=password></form><p>It rained "
    "for the whole night, and the fields took all of it in.</p>",
    "a short page with scripts": "<title>Rain</title><div id=app><p>It rained.</p></div><script src=/main.js></script>",
    "an empty page": "",
}


@pytest.mark.parametrize(("kind", "markup"), [(kind, page) for kind, pages in WALLS.items() for page in pages])
def test_wall_is_named_and_is_no_content(kind: str, markup: str) -> None:
    found = find_wall(tamis.parse(markup))
    assert found is not None
    assert found.kind == kind
    result = tamis.extract(markup, method="keep_all")
    assert result.status == "empty"
    assert result.warnings[0] == f"wall: {found}"


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


def test_control_outside_the_content_is_no_fold() -> None:
    page = tamis.parse(f"<p>{ARTICLE}</p><footer><button>Show more</button></footer>")
    assert find_fold(page, 0, len(ARTICLE) - 10) == ""
