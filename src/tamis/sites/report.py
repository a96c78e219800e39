"""A site on one page that needs nothing else: groups, a map, templates with their slots, samples before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

from tamis import distances, registry
from tamis.characters import counted
from tamis.pictures import maps
from tamis.pictures.frame import html_page
from tamis.results import Extraction, Part
from tamis.sites import Cleaned, PageGroup
from tamis.sites.sources import SiteItem, read_or_none

_MAX_ON_MAP = 200  # pages; enough to see the groups, quick to compute
_SAMPLES = 2  # pages of each group, before and after
_SHOWN_GROUPS = 40
_SHOWN_PARTS = 60  # of a template, each kind
_SHOWN_CHARACTERS = 300


def to_html(title: str, items: Sequence[SiteItem], cleaned: Cleaned) -> str:
    """The whole report."""
    shown = cleaned.groups[:_SHOWN_GROUPS]
    body = [
        _summary(cleaned),
        "<h2>Map</h2><p>Pages that look alike stand near each other.</p>",
        _map(items, cleaned),
        *(_group(group, items, cleaned) for group in shown),
    ]
    if len(cleaned.groups) > len(shown):
        body.append(f"<p>{len(cleaned.groups) - len(shown)} smaller groups are not shown.</p>")
    return html_page(title, body, _STYLE)


def _summary(cleaned: Cleaned) -> str:
    counts = ", ".join(f"{count} {status}" for status, count in sorted(cleaned.counts.items()))
    warnings = "".join(f"<p class=warning>{escape(warning)}</p>" for warning in cleaned.warnings)
    alone = f", {cleaned.alone} of them on their own, in the last row" if cleaned.alone else ""
    rows = "".join(
        f"<tr><th scope=row><a href='#group-{group.number}'>{_name(group, cleaned)}</a></th><td>{len(group.pages)}</td>"
        f"<td>{len(group.template.fixed)}</td><td>{len(group.template.slots)}</td>"
        f"<td>{escape(group.template.fallback or group.template.made.method)}</td></tr>"
        for group in cleaned.groups
    )
    head = "".join(f"<th scope=col>{name}</th>" for name in ("group", "pages", "fixed places", "slots", "method"))
    return (
        f"<p>{escape(counts)} in {counted(len(cleaned.groups) - bool(cleaned.alone), 'group')}{alone}</p>{warnings}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _is_alone(group: PageGroup, cleaned: Cleaned) -> bool:
    """Whether the pages of a group have nothing in common but that they are like few others."""
    return bool(cleaned.alone) and group is cleaned.groups[-1]


def _name(group: PageGroup, cleaned: Cleaned) -> str:
    return "alone" if _is_alone(group, cleaned) else str(group.number)


def _map(items: Sequence[SiteItem], cleaned: Cleaned) -> str:
    """Some pages of every group as dots; pages on their own are no group."""
    measure = registry.load("distances", distances.DEFAULT)
    options = measure.Options()
    step = max(1, -(-len(items) // _MAX_ON_MAP))
    features: list[Any] = []
    names: list[str] = []
    places: list[list[int]] = []
    for group in cleaned.groups:
        mine = []
        for place in group.pages[::step]:
            if (page := read_or_none(items[place])) is not None:
                mine.append(len(features))
                features.append(measure.features(page, options))
                names.append(items[place].name)
        places += [[place] for place in mine] if _is_alone(group, cleaned) else [mine]
    if not features:
        return "<p>No page could be read.</p>"
    points, stress = maps.scale(np.asarray(measure.matrix(features, options), dtype=np.float64))
    return maps.map_plot(points, places, names, f"{counted(len(names), 'page')}, stress {stress:.3f}")


def _group(group: PageGroup, items: Sequence[SiteItem], cleaned: Cleaned) -> str:
    template = group.template
    heading = "On their own" if _is_alone(group, cleaned) else f"Group {group.number}"
    notes = "".join(f"<p class=warning>{escape(note)}</p>" for note in template.notes)
    samples = "".join(_samples(group, items))
    return (
        f"<section id='group-{group.number}'><h2>{heading}: {counted(len(group.pages), 'page')}</h2>{notes}"
        f"<details><summary>Template: {len(template.fixed)} fixed places, {len(template.slots)} slots</summary>"
        f"<div class=side>{_parts('Slots', 'kept', template.slots)}{_parts('Fixed', 'dropped', template.fixed)}</div>"
        f"</details>{samples}<details><summary>Pages</summary><ul>"
        + "".join(f"<li>{escape(items[place].name)}</li>" for place in group.pages)
        + "</ul></details></section>"
    )


def _parts(heading: str, kind: str, parts: Sequence[Part]) -> str:
    rows = "".join(
        f"<tr class={kind}><td><code>{escape(part.path)}</code></td><td>{part.pages}</td><td>{part.texts}</td>"
        f"<td>{part.kept:.0%}</td><td>{escape(_cut(part.sample))}</td></tr>"
        for part in parts[:_SHOWN_PARTS]
    )
    more = f"<p>and {len(parts) - _SHOWN_PARTS} more</p>" if len(parts) > _SHOWN_PARTS else ""
    return (
        f"<div><h3>{heading}</h3><table><thead><tr><th>place</th><th>pages</th><th>texts</th><th>kept</th><th>sample</th>"
        f"</tr></thead><tbody>{rows}</tbody></table>{more}</div>"
    )


def _samples(group: PageGroup, items: Sequence[SiteItem]) -> Iterator[str]:
    shown = 0
    for place in group.pages:
        if shown == _SAMPLES:
            return
        if (page := read_or_none(items[place])) is None:
            continue
        shown += 1
        extraction = group.template.extract(page)
        yield (
            f"<details><summary>Before and after: {escape(items[place].name)}</summary><div class=side>"
            f"<div><h3>Before</h3>{''.join(_marked(extraction))}</div>"
            f"<div><h3>After</h3><pre>{escape(extraction.text)}</pre></div></div></details>"
        )


def _marked(extraction: Extraction) -> Iterable[str]:
    """All blocks of the page: what fills a slot stands out from what is template."""
    for block in extraction.blocks:
        kind = "kept" if block.kept else "dropped"
        reason = f" title='{escape(block.reason, quote=True)}'" if block.reason else ""
        yield f"<p class={kind}{reason}>{escape(_cut(block.text))}</p>"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


_STYLE = """\
th, td { text-align: left; vertical-align: top; }
td:first-child { min-width: 10rem; overflow-wrap: anywhere; }
.kept { border-left: 4px solid #009e73; padding-left: .5rem; }
.dropped { border-left: 4px solid #8884; padding-left: .5rem; opacity: .6; }
.side p { margin: .2rem 0; font-size: 13px; }
.warning { border: 1px solid #d55e00; padding: .4rem .6rem; }"""
