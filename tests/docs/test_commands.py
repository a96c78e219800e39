"""Every command and every program that the documentation shows is executed, page by page, from top to bottom.

A command stands in a fence marked ``sh``, one on each line. Programs in Python are doctests, which pytest runs itself,
or run here as they are. What is shown as a file (``title="job.toml"``) is written before what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs import stand_in
from tests.docs.fences import Command, Fence, read_commands, read_fences, read_inline
from tests.docs.parsers import RefusedError, parse, without_settings
from tests.docs.running import FailedError, Session
from tests.docs.stage import ROOT, prepare
from tests.once import made_once

PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
    if path.exists()
}
RUNNABLE = [
    page
    for page, text in PAGES.items()
    if any(fence.language in ("sh", "python") and not fence.is_doctest for fence in read_fences(text))
]
EVERY_DAY = ("README.md", "docs/tutorials/first-page.md")
"""Pages that every change runs; those of all others are read by their parsers, and run as a proof."""
_OURS = r"((\.venv/bin/)?(tamis|python3? -m|pip install)|\./check)"
_OTHERS = r"(curl|git|pytest|ruff|mypy|mkdocs|lint-imports)"
# A message of the program begins with its name as well: "tamis: …", "tamis 1.0".
_SHOWN_COMMAND = re.compile(rf"^\s*(\$ )?({_OURS}|{_OTHERS}) +[^\d\s:]", re.MULTILINE)
_OTHER_MARKS = ("bash", "console", "pycon", "shell", "zsh")


def unfenced(fence: Fence) -> str | None:
    """The first command in a block that is not marked ``sh``."""
    if fence.language in ("sh", "python"):
        return None
    if fence.language in _OTHER_MARKS:
        return fence.text
    found = _SHOWN_COMMAND.search(fence.text)
    return found[0].strip() if found else None


@pytest.fixture(name="prepared", scope="session")
def _prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "prepared", prepare)


@pytest.fixture(name="session")
def _session(prepared: Path, tmp_path: Path) -> Iterator[Session]:
    with stand_in.serving() as port, Session(prepared, tmp_path, port) as session:
        yield session


@pytest.mark.parametrize(
    "page", [page if page in EVERY_DAY else pytest.param(page, marks=pytest.mark.proof) for page in RUNNABLE]
)
def test_the_commands_of_a_page_do_what_they_should(page: str, session: Session) -> None:
    for fence in read_fences(PAGES[page]):
        session.follow(fence)


@pytest.mark.parametrize("page", PAGES)
def test_commands_stand_in_fences_marked_as_such(page: str) -> None:
    found = [f"{page}:{fence.line}: {command}" for fence in read_fences(PAGES[page]) if (command := unfenced(fence))]
    assert found == []


@pytest.mark.parametrize("page", RUNNABLE)
def test_the_commands_of_a_page_are_understood_by_their_parsers(page: str) -> None:
    for fence in read_fences(PAGES[page]):
        for command in read_commands(fence) if fence.language == "sh" and not fence.title else ():
            for part in re.split(r" && | \| ", command.text):
                try:
                    parse(part)
                except RefusedError as error:
                    pytest.fail(f"{page}:{command.line}: {error}")


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_sentences_are_understood_by_their_parsers(page: str) -> None:
    for line, text in read_inline(PAGES[page]):
        if re.match(rf"{_OURS}(\s|$)", without_settings(text)):
            try:
                parse(re.sub(r" --method [A-Z]+", "", text), complete=False)
            except RefusedError as error:
                pytest.fail(f"{page}:{line}: {error}")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("tamis extract missing.html", "missing.html"),
        ("tamis extract page.html --formt text", "did you mean --format"),
        ("tamis extract https://example.com/", "example.com"),
        ("cat missing.html | wc", "missing.html"),
        ("tamis serve --prot 1", "no address that answers"),
    ],
)
def test_a_command_that_fails_fails_the_test(command: str, told: str, session: Session) -> None:
    with pytest.raises(FailedError, match=told):
        session.run(Command(1, command))


def test_a_pipe_may_be_closed_by_its_reader(session: Session) -> None:
    session.run(Command(1, "yes | head -n 1"))


def test_a_program_that_fails_fails_the_test(session: Session) -> None:
    with pytest.raises(FailedError, match="ZeroDivisionError"):
        session.follow(Fence(1, "python", "", "1 / 0\n"))


def test_an_error_in_an_answer_of_a_server_fails_the_test(session: Session) -> None:
    session.run(Command(1, "tamis serve --workers 1"))
    session.run(Command(2, 'curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8000/api/methods'))
    with pytest.raises(FailedError, match="401"):
        session.run(Command(3, 'curl -H "Authorization: Bearer other" http://127.0.0.1:8000/api/methods'))


def test_a_page_of_the_stand_in_is_fetched_through_all_walls(session: Session) -> None:
    session.run(Command(1, "tamis extract https://example.org/any > page.txt && grep -q . page.txt"))
    with pytest.raises(FailedError, match="this machine"):
        session.run(Command(2, "tamis extract http://127.0.0.1/"))


@pytest.mark.parametrize(
    "command",
    [
        "tamis extrct page.html",
        "tamis run s3://bucket/ --out texts --shrad 1/2",
        "python -m bench.quality --out DIR --wrokers 2",
        "python -m bench.figures --out DIR",
        "python -m bench.none",
        "pip install 'tamis[cli,no-extra]'",
        "./check tests/none",
    ],
)
def test_a_command_that_is_not_run_fails_the_test_when_its_parser_refuses_it(command: str) -> None:
    with pytest.raises(RefusedError):
        parse(command)


def test_a_mention_may_lack_arguments_but_not_name_what_is_unknown() -> None:
    parse("tamis annotate --export", complete=False)
    with pytest.raises(RefusedError, match="FOLDER"):
        parse("tamis annotate")
    with pytest.raises(RefusedError, match="--exprt"):
        parse("tamis annotate --exprt", complete=False)


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("", "tamis extract page.html\n", "tamis extract page.html"),
        ("text", "$ python -m bench.speed\n", "$ python -m bench.speed"),
        ("console", "ls\n", "ls"),
        ("sh", "tamis extract page.html\n", None),
        ("text", "tamis: 3 pages written\ntamis 1.0\n", None),
    ],
)
def test_a_command_outside_of_its_fence_is_found(language: str, text: str, found: str | None) -> None:
    shown = unfenced(Fence(1, language, "", text))
    assert shown is None if found is None else shown is not None and found.startswith(shown.strip())
