"""Site wrappers: gold text for all pages of a site, cut out by a few rules that one person has written for it.

As the evaluation packages of Gottron (2008) were made, section 5.2.1 and appendix A.1. A wrapper may use what no
extractor may know, such as comments and ids of one site: it makes the gold standard, and competes with nobody.

    rules     the rule file: which parts of a page, by which landmarks
    cutting   a page and its wrapper → gold text, or why there is none
    suggest   a few pages with gold text → a wrapper to begin with
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tamis.evaluation.datasets import Report, Sample, file_bytes, open_dataset
from tamis.files import find_pages


def read_pages(place: str, report: Report) -> Iterator[Sample]:
    """The saved pages below a folder, or those of a dataset; what cannot be read is reported."""
    folder = Path(place)
    if not folder.is_dir():
        yield from open_dataset(place)
        return
    for file in find_pages(folder):
        html = file_bytes(file, report)
        if html is not None:
            yield Sample(id=file.relative_to(folder).as_posix(), html=html, dataset=folder.name)
