from __future__ import annotations

import importlib
import json
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from cyclopts import App

import tamis.cli
from tamis.cli import main
from tamis.cli.app import COMMANDS, EXAMPLES, names, parse, with_all

LONGEST_SUMMARY = 90  # characters; longer ones take a second line of the list


def all_commands() -> Iterator[tuple[str, App]]:
    """Every command that does something, by what is typed for it."""
    app = with_all()
    for name in names():
        parts = [part for part in app[name] if not part.startswith("-")]
        yield from ((f"{name} {part}", app[name][part]) for part in parts)
        if not parts:
            yield name, app[name]


ALL = dict(all_commands())


def examples_in(text: str) -> list[str]:
    return re.findall(r"^  (tamis .*)$", text, re.MULTILINE)


def arguments_of(example: str) -> list[str]:
    command = re.sub(r" [<>] .*", "", example)
    return shlex.split(command)[1:]


def shown(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def test_the_command_alone_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys=capsys) == shown("--help", capsys=capsys) == shown("-h", capsys=capsys)


def test_help_lists_every_command_under_its_heading_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("--help", capsys=capsys)
    found = re.findall(r"^[│|] ([a-z]+) |^\W+ ([A-Z][\w ]+?) \W+$", text, re.MULTILINE)
    told = [command or heading for command, heading in found]
    assert told == [each for heading, members in COMMANDS.items() for each in (heading, *members)] + ["Flags"]


def test_every_module_with_a_command_is_in_the_list() -> None:
    modules = [module.name for module in pkgutil.iter_modules(tamis.cli.__path__)]
    found = {name: getattr(importlib.import_module(f"tamis.cli.{name}"), name, None) for name in modules}
    commands = [name for name, what in found.items() if what is not None and not isinstance(what, ModuleType)]
    assert sorted(commands) == sorted(names())


def test_the_list_says_what_the_help_of_each_command_begins_with(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    listed = " ".join(shown("--help", capsys=capsys).split())
    for name in names():
        usage, _, rest = shown(name, "--help", capsys=capsys).partition("\n\n")
        summary = rest.partition("\n")[0]
        assert usage.startswith(f"Usage: tamis {name}")
        assert re.fullmatch(r"[A-Z].*\.", summary)
        assert len(summary) <= LONGEST_SUMMARY
        assert f"{name} {summary}" in listed


@pytest.mark.parametrize("name", ALL)
def test_examples_of_a_command_are_accepted_by_its_parser(name: str) -> None:
    examples = examples_in(str(ALL[name].help_epilogue))
    assert examples
    for example in examples:
        assert example.startswith(f"tamis {name}")
        function, _ = parse(arguments_of(example))
        assert getattr(function, "func", function).__module__ == f"tamis.cli.{name.split()[0]}"


def test_examples_of_the_help_are_accepted_by_the_parser() -> None:
    assert examples_in(EXAMPLES)
    for example in examples_in(EXAMPLES):
        parse(arguments_of(example))


@pytest.mark.parametrize("name", ALL)
def test_help_of_a_command_ends_with_examples_of_it_alone(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, heading, rest = shown(*name.split(), "--help", capsys=capsys).rpartition("\nExamples:\n")
    assert heading
    assert all(line.startswith(f"  tamis {name}") for line in rest.splitlines())


@pytest.mark.parametrize("name", ALL)
def test_every_flag_is_explained(name: str) -> None:
    unexplained = [
        argument.name
        for argument in ALL[name].assemble_argument_collection()
        if not argument.parameter.help and not argument.name.startswith("--no-")
    ]
    assert unexplained == []


@pytest.mark.parametrize("name", ALL)
def test_help_breaks_lines_only_for_the_screen_and_names_no_empty_default(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    text = shown(*name.split(), "--help", capsys=capsys)
    prose = re.split("\\n[╭+]", text, maxsplit=1)[0].strip().split("\n\n")
    assert [paragraph for paragraph in prose if "\n" in paragraph] == []
    assert re.findall(r"default: (?:\(\)|\"\"|\])", text) == []


@pytest.mark.parametrize("columns", ["1", "20", "300"])
def test_help_fits_any_width(columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert "extract" in shown("extract", "--help", capsys=capsys)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["extrct"], "unknown command 'extrct': did you mean extract?"),
        (["xyzzy"], f"unknown command 'xyzzy': choose one of: {', '.join(sorted(names()))}"),
        (["dataset", "inf"], 'Did you mean "info"?'),
        (["serve", "--prot", "1"], "did you mean --port?"),
        (["--verison"], "unknown flag '--verison': did you mean --version?"),
    ],
)
def test_a_name_that_is_unknown_is_answered_with_near_ones(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert told in err


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--version"], {"cyclopts", "rich", "numpy", "turbohtml"}),
        (["--help"], {"numpy", "turbohtml", "tamis.page", "tamis.scaling", "tamis.service"}),
        (["extract", "-"], {"rich.console", "tamis.scaling", "tamis.service", "tamis.evaluation", "tamis.cli.run"}),
        (["methods", "outputs"], {"tamis.cli.extract", "tamis.scaling", "tamis.service"}),
    ],
)
def test_a_command_imports_only_what_it_needs(arguments: list[str], unneeded: set[str]) -> None:
    code = (
        "import json, sys; from tamis.cli import main; code = main(sys.argv[1:]); "
        "sys.stderr.write('\\n' + json.dumps([code, *sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], input=b"<p>Text.</p>", capture_output=True)
    exit_code, *imported = json.loads(done.stderr.splitlines()[-1])
    assert exit_code == 0
    assert unneeded.isdisjoint(imported)
