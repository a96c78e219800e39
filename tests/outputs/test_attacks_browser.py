"""Outputs in a real browser: its parser finds no script, no handler and no address outside the list in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tamis
from bench.fuzz.checks import readers
from tests.outputs.attacks import ATTACKS, fuzzed_pages

pytest.importorskip("playwright")

# What a browser would run or load: told by its own parser and its own reading of addresses.
_FINDINGS = """outputs => outputs.flatMap((markup, number) => {
  const found = [];
  const base = "<base href=https://home.example/><body>";
  const page = new DOMParser().parseFromString(base + markup, "text/html");
  for (const element of page.body.querySelectorAll("*")) {
    if (element.matches("base, embed, form, iframe, link, math, meta, object, script, style, svg, template"))
      found.push([number, element.localName]);
    for (const { name } of element.attributes) if (name.startsWith("on")) found.push([number, name]);
    for (const name of ["href", "src"]) {
      if (!element.hasAttribute(name)) continue;
      const { protocol } = new URL(element[name] || "about:blank", page.baseURI);
      if (!["http:", "https:", "mailto:", "about:"].includes(protocol)) found.push([number, protocol]);
    }
  }
  return found;
})"""


@pytest.fixture(scope="module")
def tab(browser: Any) -> Any:
    return browser.new_page()


def outputs(markup: str) -> list[str]:
    extraction = tamis.extract(markup, method="keep_all")
    return [extraction.html, *(reader(extraction.markdown) for reader in dict(readers()).values())]


def test_a_browser_finds_what_it_would_run(tab: Any) -> None:
    """The other tests would see it."""
    bad = ["<script>1</script>", "<p onclick=x>", "<a href='java&#10;script:x'>", "<img src=data:text/html,x>", "<svg>"]
    assert {number for number, _ in tab.evaluate(_FINDINGS, bad)} == set(range(len(bad)))
    assert (
        tab.evaluate(_FINDINGS, ["<p><a href=x>y</a><a href='mailto:a@b.example'>z</a><img src=//a.example/x>"]) == []
    )


def test_a_browser_finds_nothing_to_run_in_the_outputs_of_attacks(tab: Any) -> None:
    written = [(attack, output) for attack in ATTACKS for output in outputs(attack)]
    found = tab.evaluate(_FINDINGS, [output for _, output in written])
    assert [(*written[number], what) for number, what in found] == []


@settings(max_examples=4, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.lists(fuzzed_pages(), min_size=25, max_size=25))
def test_a_browser_finds_nothing_to_run_in_the_outputs_of_fuzzed_pages(tab: Any, pages: list[str]) -> None:
    written = [(page, output) for page in pages for output in outputs(page)]
    found = tab.evaluate(_FINDINGS, [output for _, output in written])
    assert [(*written[number], what) for number, what in found] == []
