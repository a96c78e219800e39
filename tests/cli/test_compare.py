from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tamis.cli import main
from tamis.evaluation import compare as comparing
from tamis.evaluation import peers
from tamis.evaluation.datasets import Sample, open_dataset, write

PAGE = "<nav><a href=/>Home</a></nav><p>A text of some length, so that it is found.</p>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_compare_prints_one_line_per_method(page: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["compare", str(page), "--methods", "bte,keep_all"]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["method", "bte", "keep_all"]


def test_compare_scores_against_a_gold_text_and_writes_a_page(
    page: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("A text of some length, so that it is found.", encoding="utf-8")
    target = tmp_path / "look.html"
    assert main(["compare", str(page), "--methods", "bte", "--gold", str(gold), "--html", str(target)]) == 0
    assert b"\t1.000\t1.000\t1.000\t1.000" in capfdbinary.readouterr().out
    assert "A text of some length" in target.read_text(encoding="utf-8")


def test_compare_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode())))
    assert main(["compare", "-", "--methods", "keep_all"]) == 0
    assert capfdbinary.readouterr().out.splitlines()[1].startswith(b"keep_all\t11\t100%")


def test_peers_take_part_and_disagreements_are_listed(page: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["compare", str(page), "--methods", "keep_all,bte,turbohtml", "--disagreements"]) == 0
    out = capfdbinary.readouterr().out.decode()
    assert [line.split("\t")[0] for line in out.splitlines()[:4]] == ["method", "keep_all", "bte", "turbohtml"]
    assert "kept by keep_all" in out
    assert main(["compare", str(page)]) == 0
    assert capfdbinary.readouterr().out.decode().splitlines()[1].startswith("sieve\t")
    assert main(["compare", str(page), "--methods", "trafilatur"]) == 2
    assert "did you mean trafilatura" in capfdbinary.readouterr().err.decode()


def test_a_peer_that_cannot_start_or_fails_on_the_page_stops_nobody(
    page: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise RuntimeError("no such thing")

    failing = peers.Peer("pytest", "pytest", fail)  # any package that is installed
    broken = peers.Peer("pytest", "pytest.missing", fail)
    monkeypatch.setattr(peers, "PEERS", peers.PEERS | {"broken": broken, "failing": failing})
    monkeypatch.setattr(comparing, "PEERS", {"broken": broken, "failing": failing})
    assert main(["compare", str(page)]) == 0
    captured = capfd.readouterr()
    assert "left out: the peer 'broken' is not installed (No module named" in captured.err
    assert "failing failed on this page: RuntimeError: no such thing" in captured.err
    assert "failing\t0\t" in captured.out
    assert "broken" not in captured.out
    assert main(["compare", str(page), "--methods", "bte,broken"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "missing.html"],
        ["compare", "PAGE", "--methods", "btee"],
        ["compare", "PAGE", "--gold", "missing.txt"],
        ["compare", "PAGE", "--html", "/dev/null/x.html"],
        ["evaluate", "missing"],
        ["evaluate", "PAGE", "--measures", "nonsense"],
        ["evaluate", "--gate", "missing.toml"],
        ["evaluate", "PAGE", "--update-floors"],
        ["dataset", "info", "missing"],
        ["dataset", "sample", "PAGE", "x.jsonl", "--count", "0"],
    ],
)
def test_mistakes_are_one_line_and_exit_code_two(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([str(page) if argument == "PAGE" else argument for argument in arguments]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1


def test_datasets_can_be_looked_at_sampled_and_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        Path(f"{number}.html").write_text(PAGE, encoding="utf-8")
        Path(f"{number}.txt").write_text("A text", encoding="utf-8")
    assert main(["dataset", "sample", ".", "two.jsonl", "--count", "2"]) == 0
    assert main(["dataset", "convert", "two.jsonl", "two.zip"]) == 0
    assert main(["dataset", "info", "two.zip"]) == 0
    out = capfd.readouterr().out
    assert "count\t2" in out
    assert "format\tpackage" in out


def test_evaluate_prints_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pages").mkdir()
    Path("pages/1.html").write_text(PAGE, encoding="utf-8")
    Path("pages/1.txt").write_text("A text of some length, so that it is found.", encoding="utf-8")
    assert main(["evaluate", "pages", "--methods", "bte", "--out", "out", "--workers", "1"]) == 0
    captured = capfd.readouterr()
    assert "| pages | 1 | 1.000 ±0.000 |" in captured.out
    assert "1 page scored: 1 ok; report: out/report.html" in captured.err


def test_evaluate_bounds_segmenters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("1.html").write_text(PAGE, encoding="utf-8")
    Path("1.txt").write_text("A text of some length, so that it is found.", encoding="utf-8")
    assert main(["evaluate", ".", "--segmenters", "text_nodes", "--out", "out", "--workers", "1"]) == 0
    captured = capfd.readouterr()
    assert "| 1 | 1.000 ±0.000 |" in captured.out
    assert "1 page scored: 1 ok" in captured.err
    assert main(["evaluate", ".", "--render", "--out", "out"]) == 2


def test_articles_and_the_volume_of_templates_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        story = f"<p>{' '.join([chr(97 + number) * 5] * 20)}</p>"
        Path(f"{number}.html").write_text(f"<nav>The same on every page of this site</nav>{story}", encoding="utf-8")
        Path(f"{number}.txt").write_text("A text", encoding="utf-8")
    assert main(["dataset", "volume", "."]) == 0
    captured = capfd.readouterr()
    assert captured.out == "0.219\t4\t(no URL)\n"  # 28 of 128 characters
    assert "1 of 1 site measured; 21.9% of their text is template" in captured.err
    assert main(["dataset", "articles", "."]) == 0
    captured = capfd.readouterr()
    assert captured.out.splitlines()[0] == "article\t0"
    assert "4 of 4 pages contain an article" in captured.err


def test_pages_are_linked_for_template_methods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    samples = [Sample(id=str(number), html=PAGE, url=f"http://a.example/{number}") for number in range(3)]
    write(Path("pages.jsonl"), samples)
    assert main(["dataset", "link", "pages.jsonl", "linked.zip", "--most", "1"]) == 0
    assert [list(sample.extra["linked_pages"]) for sample in open_dataset("linked.zip")] == [
        ["http://a.example/1"],
        ["http://a.example/0"],
        ["http://a.example/0"],
    ]
    assert main(["dataset", "link", "pages.jsonl", "linked.zip", "--most", "0"]) == 2
