from __future__ import annotations

import importlib.util
import sys
import types

import pytest

from tamis.errors import OptionError
from tamis.evaluation import peers

STORY = (
    "The river rose during the night, and by the morning the lower part of the town was under water; the people who "
    "live there had been told to leave their houses the evening before, and most of them had done so in good time."
)
PAGE = (
    "<html lang=en><head><title>Flood</title></head><body><nav><a href='/a'>Home</a> <a href='/b'>Contact</a></nav>"
    f"<article><h1>Flood</h1>{f'<p>{STORY}</p>' * 5}</article></body></html>"
)
INSTALLED = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            importlib.util.find_spec(peer.module.partition(".")[0]) is None, reason=f"{peer.package} is not installed"
        ),
    )
    for name, peer in peers.PEERS.items()
]


@pytest.mark.filterwarnings("ignore")  # what others warn of is their affair
@pytest.mark.parametrize("url", ["http://news.example/flood", None])
@pytest.mark.parametrize("name", INSTALLED)
def test_a_peer_finds_an_obvious_story(name: str, url: str | None) -> None:
    assert STORY in " ".join((peers.run_peer(name, PAGE, url) or "").split())


@pytest.mark.parametrize("name", peers.PEERS)
def test_a_missing_peer_is_answered_with_the_line_that_installs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, peers.PEERS[name].module, None)
    with pytest.raises(OptionError, match=rf"pip install {peers.PEERS[name].package}\b.*tamis\[peers\]"):
        peers.import_peer(name)


def test_justext_gets_the_stop_words_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    fake = types.ModuleType("justext")
    fake.justext = lambda _, words: asked.append(words) or []  # type: ignore[attr-defined, func-returns-value]
    fake.get_stoplist = lambda language: frozenset({language})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "justext", fake)
    for html in ("<html lang='pl'>", "<HTML class=x LANG=pt-BR>", "<html lang=tlh>", "<p lang=de>"):
        peers.run_peer("justext", html, None)
    assert asked == [{"Polish"}, {"Portuguese"}, {"English"}, {"English"}]


def test_all_text_keeps_what_a_filter_has_left() -> None:
    assert peers.all_text("<nav>a</nav><p>b</p>".encode("utf-16"), "utf-16") == "a\n\nb"
