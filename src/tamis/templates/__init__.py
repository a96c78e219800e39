"""Template detectors: pages made from one template → what they share, and the slots their content fills.

One file each, the file name is the public name. A method learns from pages (``learn_template``) and cleans one page
with what it learned (``extract``); everything it learned is in the template, in types that JSON has.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tamis import registry
from tamis._version import VERSION
from tamis.characters import counted
from tamis.page.model import Page
from tamis.results import Made, Template
from tamis.templates._duplicates import distinct
from tamis.templates._paths import describe_parts
from tamis.templates._texts import fingerprint

DEFAULT = "site"
MIN_PAGES = 4  # the page itself and three others (Gottron 2008, section 7.2.4, names no number: "only very few")
MAX_PAGES = 200  # enough for every count the methods make (Gibson et al. sample as many); keeps learning bounded


def learn_template(pages: Iterable[Page], method: str = DEFAULT, **options: Any) -> Template:
    """What the pages of one group share.

    Duplicates count once. From fewer than ``MIN_PAGES`` different pages nothing is learned: the template says so, and
    its ``extract`` is that of the single-page default.
    """
    return learn(pages, method, options)


def learn(pages: Iterable[Page], method: str, options: Mapping[str, Any], fallback: str | None = None) -> Template:
    """The same with another extractor than the default one for pages that are too few to learn from."""
    chosen = registry.make_options("templates", method, options)
    training = _training_set(list(pages))
    made = Made(method=method, options=dataclasses.asdict(chosen), version=VERSION)
    fingerprints = tuple(map(fingerprint, training))
    if len(training) < MIN_PAGES:
        reason = f"only {counted(len(training), 'different page')} to learn from, {MIN_PAGES} are needed"
        return dataclasses.replace(by_itself(reason, method, fallback), pages=fingerprints, made=made)
    learned: Template = registry.load("templates", method).learn_template(training, chosen)
    template = dataclasses.replace(learned, pages=fingerprints, made=made)
    fixed, slots = describe_parts([(found.shown.page, found.shown.spans) for found in map(template.extract, training)])
    return dataclasses.replace(template, fixed=fixed, slots=slots)


def by_itself(reason: str, method: str = DEFAULT, fallback: str | None = None) -> Template:
    """In the place of a template that cannot be learned: every page is extracted by itself, and says why."""
    stand_in = fallback or registry.default("extractors")
    note = f"template: {reason}; {stand_in} extracts each page by itself"
    return Template(pages=(), fallback=stand_in, notes=(note,), made=Made(method=method, options={}, version=VERSION))


def _training_set(pages: Sequence[Page]) -> list[Page]:
    """Different pages that hold text, not more than are needed, spread evenly over the group."""
    filled = [page for page in pages if len(page.blocks)]
    step = max(1, -(-len(filled) // MAX_PAGES))
    sample = filled[::step]
    return [sample[position] for position in distinct(sample, enough=MIN_PAGES)]
