"""The compiled kernels, called as the package calls them and with limits that bite; one in eight beside its reference.

In a build that is checked (``python hatch_build.py --guided``) a wrong access in them ends the process.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

import tamis
from bench import about_twins, output_twins, segmenter_twins, sieve_twins, twins
from bench.fuzz.checks import Violation
from tamis import kernels
from tamis.extractors.sieve.model import load_model
from tamis.page.limits import Limits
from tamis.page.spans import Span
from tamis.page.text import SPACE, char_classes

LIMITS = (Limits(), Limits(max_nodes=40, max_depth=5), Limits(max_bytes=300, max_attributes=1), Limits(max_depth=1))
_COMPARED = 8
_MAX_BOXES = 150
_THRESHOLDS = (0.1, 0.3, 0.6, 1.0)


def run(data: bytes, choice: int) -> None:
    """Give data to one of the kernels; ``choice`` says which, with which limits, and whether both twins are asked."""
    package, work = _WORK[choice % len(_WORK)]
    is_compared = choice // len(_WORK) % _COMPARED == 0 and not _why_not(package)
    if differing := work(data, choice // len(_WORK) // _COMPARED, is_compared):
        raise Violation(f"the twins of {package} do not agree on {', '.join(differing)[:80]}")


_why_not = functools.cache(kernels.why_not)  # it reads the sources


def _page(data: bytes, choice: int, is_compared: bool) -> list[str]:
    markup, limits = _text(data), LIMITS[choice % len(LIMITS)]
    if is_compared:
        return twins.differences(markup, limits)
    twins.arrays(kernels.choose("tamis.page"), markup, limits)
    return []


def _sieve(data: bytes, choice: int, is_compared: bool) -> list[str]:
    if is_compared:
        return sieve_twins.sieve_differences(_text(data))
    page = tamis.parse(_text(data), limits=LIMITS[choice % len(LIMITS)])
    sieve_twins.arrays(kernels.choose("tamis.extractors.sieve"), page, load_model(""))
    return []


def _outputs(data: bytes, choice: int, is_compared: bool) -> list[str]:
    page = tamis.parse(_text(data), limits=LIMITS[choice % len(LIMITS)])
    # Spans that may be empty, overlap, come in any order, and begin before the page or end behind it.
    places = np.resize(np.frombuffer(data[-16:], dtype=np.uint8), 2 * (choice // 4 % 4)).astype(int)
    places = places % (len(page.text) + 3) - 1
    spans = tuple(Span(start, end) for start, end in places.reshape(-1, 2).tolist()) or (Span(0, len(page.text)),)
    if is_compared:
        return output_twins.page_differences(page, spans)
    output_twins.arrays(kernels.choose("tamis.outputs"), page, spans)
    return []


def _segmenters(data: bytes, choice: int, is_compared: bool) -> list[str]:
    """Four bytes are a box: its left and upper edge, its width and height."""
    scale = (1.0, 0.25, 37.0, 1e6)[choice % 4]
    boxes = np.frombuffer(data[: len(data) // 4 * 4], dtype=np.uint8).reshape(-1, 4)[:_MAX_BOXES] * scale
    rect = np.column_stack((boxes[:, :2], boxes[:, :2] + boxes[:, 2:] + scale))
    threshold, absorb = _THRESHOLDS[choice // 4 % 4], bool(choice // 16 % 2)
    if is_compared:
        return segmenter_twins.rect_differences(rect, threshold, absorb)
    segmenter_twins.arrays(kernels.choose("tamis.segmenters"), rect, threshold, absorb)
    return []


def _source(data: bytes, choice: int, is_compared: bool) -> list[str]:
    """The tokens of a page; ranges of its source, and its words in the same characters with other white space."""
    markup = _text(data)
    tamis.parse(markup).tokens  # noqa: B018 - read when it is asked for
    is_solid = np.concatenate(([False], char_classes(markup) != SPACE, [False]))
    starts, ends = np.flatnonzero(is_solid[1:] & ~is_solid[:-1]), np.flatnonzero(is_solid[:-1] & ~is_solid[1:])
    words = [markup[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    spaced = ("  ", "\u3000", "")[choice % 3].join(words)[choice // 3 % 2 :]
    return _differing(
        "tamis.page.source",
        is_compared,
        {"places_in_order": (markup, spaced, starts, ends), "code_lengths": (markup, starts[:-1], starts[1:])},
    )


def _about(data: bytes, choice: int, is_compared: bool) -> list[str]:
    if is_compared:
        return about_twins.about_differences(_text(data))
    about_twins.arrays(kernels.choose("tamis.about"), tamis.parse(_text(data), limits=LIMITS[choice % len(LIMITS)]))
    return []


def _differing(package: str, is_compared: bool, calls: dict[str, tuple[Any, ...]]) -> list[str]:
    """The functions whose twins give something else for these arguments."""
    one, other = kernels.choose(package), importlib.import_module(f"{package}._reference")
    found = {name: _plain(getattr(one, name)(*arguments)) for name, arguments in calls.items()}
    return [
        name
        for name, arguments in calls.items()
        if is_compared and found[name] != _plain(getattr(other, name)(*arguments))
    ]


def _plain(value: Any) -> Any:
    return [part.tolist() for part in value] if isinstance(value, tuple) else value if value is None else value.tolist()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


_WORK: tuple[tuple[str, Callable[[bytes, int, bool], list[str]]], ...] = (
    ("tamis.page", _page),
    ("tamis.extractors.sieve", _sieve),
    ("tamis.outputs", _outputs),
    ("tamis.segmenters", _segmenters),
    ("tamis.page.source", _source),
    ("tamis.about", _about),
)
