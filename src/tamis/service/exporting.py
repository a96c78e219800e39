"""What was annotated, in the formats of others: labelled HTML, tables of features, and pages with gold text."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis.errors import InputError, OptionError
from tamis.evaluation import datasets
from tamis.evaluation.datasets import Sample
from tamis.files import write_text
from tamis.service.annotating import PageSet
from tamis.training import ceml, element_tables
from tamis.training.annotations import Annotation
from tamis.training.attachments import attach
from tamis.training.element_labels import export_samples
from tamis.training.passages import find_passages, mostly_selected


class Exported(NamedTuple):
    """How much was written."""

    pages: int
    elements: int
    lost: int  # marks and passages that are not on the page as it is now


def export(pages: PageSet, annotator: str, out: Path) -> Exported:
    """Everything an annotator has committed: ``ceml/``, ``tables/``, ``elements.csv`` and ``pages.jsonl``."""
    if out.resolve().is_relative_to(pages.folder.resolve()):
        raise OptionError(f"{str(out)!r} is in the folder with the pages and would be annotated too: name another one")
    said, _ = pages.said()
    committed = [found for page in pages.ids if (found := said.get((page, annotator))) and found.committed]
    if not committed:
        names = sorted({name for (_, name), found in said.items() if found.committed})
        raise InputError(f"{annotator!r} has committed no page; {', '.join(names) or 'nobody'} has")
    tables: dict[str, Path] = {}
    lost = 0
    for annotation in committed:
        sheet = pages.sheet(annotation.page)
        attached = attach(annotation, sheet.page, sheet.places)
        passages = find_passages(annotation, sheet.page)
        lost += len(attached.lost) + len(passages.lost)
        is_main = attached.is_main(sheet.page)
        selected = mostly_selected(sheet.page, sheet.elements, passages.spans)
        is_main |= np.append(selected, False)[sheet.elements.owner]
        labelled, table = out / "ceml" / annotation.page, out / "tables" / f"{annotation.page}.csv"
        write_text(labelled, ceml.labelled(sheet.page, is_main).markup)
        element_tables.write_table(table, element_tables.page_table(sheet.page, is_main))
        tables[annotation.page] = table
    elements = element_tables.write_table(out / "elements.csv", element_tables.joined_rows(tables))
    datasets.write(out / "pages.jsonl", export_samples((_sample(pages, found), found) for found in committed))
    return Exported(len(committed), elements, lost)


def _sample(pages: PageSet, annotation: Annotation) -> Sample:
    html = (pages.folder / annotation.page).read_bytes()
    return Sample(id=annotation.page, html=html, dataset=pages.folder.name)
