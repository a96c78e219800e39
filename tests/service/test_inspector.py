"""The inspector over HTTP: its files and those of the page to try the API, its policy, and what it answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx")
pytest.importorskip("uvicorn")

from tamis.service.settings import Settings
from tamis.service.static import FOLDER
from tests.service.running import running

Client = Any  # of httpx
FILES = [FOLDER / "look.css", *sorted(file for name in ("api", "inspector") for file in (FOLDER / name).iterdir())]
PAGE = "<nav><a href=/>Home</a></nav><p>A sentence that says something about the sea, and then says it again.</p>"


@pytest.fixture(name="client", scope="session")
def _client(service: Client) -> Client:
    return service


def ask(client: Client, path: str, **request: Any) -> Any:
    return client.post(path, json=request)


def test_all_files_together_are_small_and_load_nothing_from_elsewhere() -> None:
    assert sum(file.stat().st_size for file in FILES) <= 200_000  # what is asked of the inspector alone
    for file in FILES:
        if file.name != "example.html":
            found = re.findall(r"https?://[^\s\"'`]+", file.read_text(encoding="utf-8"))
            assert set(found) <= {"http://www.w3.org/2000/svg", "https://courier.example/archive/ferry"}, file.name


def test_every_file_that_is_named_is_there() -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        named = [file.parent / name for name in re.findall(r"from \"\./([^\"]+)\"", text)]
        named += [FOLDER / name for name in re.findall(r"\"/static/([^\"]+)\"", text)]
        assert [name for name in named if not name.is_file()] == []


def test_all_scripts_are_asked_for_at_once() -> None:
    """The browser need not read one to learn of the next."""
    markup = (FOLDER / "inspector" / "index.html").read_text(encoding="utf-8")
    said = re.findall(r"(?:modulepreload\" href|module\" src)=\"/static/inspector/([^\"]+)\"", markup)
    assert sorted(said) == sorted(file.name for file in (FOLDER / "inspector").glob("*.js"))


def test_markup_holds_no_script_style_or_handler() -> None:
    markup = "".join((FOLDER / name / "index.html").read_text(encoding="utf-8") for name in ("api", "inspector"))
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", markup)


def test_nothing_in_the_scripts_makes_markup_from_words() -> None:
    for file in FILES:
        if file.suffix == ".js":
            text = file.read_text(encoding="utf-8")
            assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text)


def test_the_page_is_served_with_a_strict_policy(client: Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_an_inspection_has_all_that_the_panes_show(client: Client) -> None:
    found = ask(client, "/api/inspect", html=PAGE, method="bte", rival="sieve").json()
    assert [block["text"][:10] for block in found["blocks"]] == ["Home", "A sentence"]
    assert found["curves"][0]["kind"] == "curve"
    assert "data-block" in found["view"]["markup"]
    assert found["rival"]["method"] == "sieve"


@pytest.mark.parametrize(
    ("request_", "status", "told"),
    [
        ({"html": PAGE, "method": "btee"}, 422, "did you mean bte"),
        ({"html": PAGE, "options": {"page": 1}}, 422, "unknown option"),
        ({"html": PAGE, "options": {"method": "bte"}}, 422, "unknown option"),
        ({"html": PAGE, "options": {"bias": "much"}}, 422, "bias"),
        ({"html": PAGE, "options": {"keep": "((("}}, 422, "((("),
        ({"html": PAGE, "rival": "nobody"}, 422, "nobody"),
        ({}, 422, "html"),
    ],
)
def test_what_cannot_be_inspected_is_answered_with_what_to_do(
    client: Client, request_: dict[str, Any], status: int, told: str
) -> None:
    answer = ask(client, "/api/inspect", **request_)
    assert answer.status_code == status
    assert told in answer.json()["detail"]


def test_a_file_is_decoded_as_a_browser_would(client: Client) -> None:
    page = "<meta charset=windows-1252><title>Grüße</title><p>café".encode("windows-1252")
    found = client.post("/api/inspect/open", content=page, headers={"Content-Type": "text/html"}).json()
    assert (found["title"], found["html"][-4:]) == ("Grüße", "café")


def test_texts_are_compared_and_scored_if_one_is_gold(client: Client) -> None:
    found = ask(client, "/api/inspect/difference", left="one two", right="one three", is_gold=True).json()
    assert found["pieces"] == [["=", "one "], ["-", "two"], ["+", "three"]]
    assert found["scores"]["bag"]["f1"] == 0.5
    assert ask(client, "/api/inspect/difference", left="a", right="b").json()["scores"] == {}


def test_the_layout_is_estimated_without_a_browser(client: Client) -> None:
    found = ask(client, "/api/inspect/layout", html=PAGE).json()
    assert found["estimated"]
    assert len(found["blocks"]) == 2
    assert found["picture"] is None


def test_datasets_are_read_from_the_data_folder_and_from_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = [{"id": f"page-{number}", "html": f"<p>number {number}", "gold": f"number {number}"} for number in (0, 1)]
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "small.jsonl").write_text("\n".join(map(json.dumps, samples)), encoding="utf-8")
    (tmp_path / "secret.jsonl").write_text(json.dumps(samples[0]), encoding="utf-8")
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path))
    with running(Settings(port=0, token="", workers=1)) as client:
        assert ask(client, "/api/inspect/datasets").json() == {"datasets": ["train/small"]}
        pages = ask(client, "/api/inspect/datasets", name="train/small").json()["pages"]
        assert [page["id"] for page in pages] == ["page-0", "page-1"]
        found = ask(client, "/api/inspect/datasets", name="train/small", position=1).json()
        assert (found["html"], found["gold"]) == ("<p>number 1", "number 1")
        for name, position in (("train/small", 2), ("secret", 0), (str(tmp_path / "secret.jsonl"), 0), ("../x", None)):
            assert ask(client, "/api/inspect/datasets", name=name, position=position).status_code == 422
