"""Duplicates: texts that say the same, found by small signatures of all of them; the first one is kept.

A text is the set of its runs of five words. Its signature is a sketch of the set (MinHash, as in the clusterer of that
name) in which the share of equal places estimates the share of runs that two texts have in common. Texts whose
sketches agree in four places in a row are compared; those that are alike belong together, also through a third one.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tamis.clusterers.minhash import sketch
from tamis.distances._structure import mixed
from tamis.page.text import Ints, words
from tamis.scaling.job import Duplicates

Signatures = npt.NDArray[np.uint16]

_RUN = 5  # words, as is usual for near duplicates of texts
# Places of a band, in one number of 64 bits. With 32 bands a pair that shares half of its runs is compared with 0.87.
_ROWS = 4
_PLACES = 128
_EXACT = 8  # places of a signature that only says whether words are the same
_PIECE = 1 << 16  # pairs compared at a time


def signature(text: str, chosen: Duplicates) -> str:
    """A few hundred characters that say which other texts this one is like; the same words give the same."""
    found = words(text.casefold())
    if chosen.resemblance == 1:
        whole = "\n".join(found).encode("utf-8", "surrogatepass")
        return base64.b64encode(hashlib.sha256(whole).digest()[: 2 * _EXACT]).decode()
    codes = np.fromiter((zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in found), np.int64, len(found))
    return base64.b64encode(sketch(_runs(codes)).astype("<u2").tobytes()).decode()


def _runs(codes: Ints) -> npt.NDArray[np.uint64]:
    """One number for every five words in a row, sorted; a shorter text is one run."""
    length = min(_RUN, len(codes))
    count = len(codes) - length + 1 if length else 0
    hashes = np.zeros(count, dtype=np.uint64)
    for step in range(length):
        hashes = mixed(hashes + mixed(codes[step : step + count]))
    return np.unique(hashes)


def read_signatures(values: Iterable[str], chosen: Duplicates) -> Signatures:
    """The signatures as the rows of a table."""
    places = _EXACT if chosen.resemblance == 1 else _PLACES
    data = b"".join(map(base64.b64decode, values))
    return np.frombuffer(data, dtype="<u2").reshape(-1, places)


def first_alike(signatures: Signatures, chosen: Duplicates) -> Ints:
    """For every text the first one of those it is the same as, which is itself if it is to be kept."""
    owner = np.arange(len(signatures), dtype=np.int64)
    for first in range(0, signatures.shape[1], _ROWS):
        band = np.ascontiguousarray(signatures[:, first : first + _ROWS]).view(np.uint64).ravel()
        for pairs in _pairs(band):
            apart = pairs[owner[pairs[:, 0]] != owner[pairs[:, 1]]]
            agreement = (signatures[apart[:, 0]] == signatures[apart[:, 1]]).mean(axis=1)
            for one, other in apart[agreement >= chosen.resemblance].tolist():
                low, high = sorted((_root(owner, one), _root(owner, other)))
                owner[high] = low
    for place in range(len(owner)):  # an owner comes before what it owns
        owner[place] = owner[owner[place]]
    return owner


def _pairs(band: npt.NDArray[np.uint64]) -> Iterable[Ints]:
    """Texts that agree in a band, each with the first of them and with the one before, some pairs at a time."""
    order = np.argsort(band, kind="stable")
    begins = np.flatnonzero(np.append(True, band[order][1:] != band[order][:-1])[: len(order)])
    first = order[np.repeat(begins, np.diff(begins, append=len(order)))]
    follows = np.flatnonzero(order != first)
    found = np.concatenate([np.stack([of, order[follows]], 1) for of in (first[follows], order[follows - 1])])
    for start in range(0, len(found), _PIECE):
        yield found[start : start + _PIECE]


def _root(owner: Ints, place: int) -> int:
    while owner[place] != place:
        owner[place] = owner[owner[place]]
        place = int(owner[place])
    return place
