"""Inputs changed at random: cut, joined, repeated, flipped, and with pieces put in that are known for trouble."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

MAX_BYTES = 16_384  # ours: small inputs are quick, and trouble that needs more is what ``growth`` looks for
_MAX_CHANGES = 6
_MAX_COPIES = 64

PIECES: tuple[bytes, ...] = tuple(
    piece.encode("utf-8", "surrogatepass")
    for piece in (
        "<p> </p> <div> </div> <table> <tr> <td> </table> <ul> <li> </ul> <ol start=-1> <dl> <dt> <dd> <pre> </pre> "
        "<b> </b> <i> <a> </a> <br> <hr> <h1> </h1> <h2> <blockquote> <figure> <figcaption> <img> <svg> </svg> <math> "
        "<mi> <title> </title> <body> <html> <head> <frameset> <iframe> <noscript> </noscript> <template> <select> "
        "<option> <textarea> </textarea> <script> </script> <style> </style> <xmp> <plaintext> <listing> <details> "
        "<summary> <video> <audio> <article> <section> <nav> <footer> <aside> <main> <form> <button> <input> <ruby> "
        "<rt> <sup> <sub> <code> </code> <caption> <thead> <object> <embed> <base> <meta> <link> <!-- --> <![CDATA[ "
        "]]> <?xml <!doctype > < > & \" ' ` = / ; \\ * _ [ ] ( ) ! # ~ | $ $$ \\( \\) {{ }} --- ``` ~~~ "
        "&lt; &gt; &amp; &quot; &#0; &#x110000; &#xD800; &#8203; &shy; &#8288; &nbsp; &colon; &Tab; &NewLine; &#1; "
        "\u200b \u00ad \u2060 \ufeff \u202e \u2028 \u0085 \ufffd \ud800 \udfff \U0001f600 İ ß ﷺ 0 -1 1e999 NaN "
        "99999999999999999999 javascript: vbscript: data: //[x] https://[::1 http://[ http://a:99999/ // ? %00 %ff"
    ).split(" ")
) + tuple(
    piece.encode()
    for piece in (
        " ",
        "\n",
        "\t",
        "\r",
        "\0",
        "\x1b",
        " onerror=alert(1) ",
        " href='javascript:alert(1)' ",
        " style='display:none' ",
        " class='content main' ",
        " colspan=999999999 rowspan=65535 ",
        " src='//[x]' ",
        " srcset='a 1x, javascript:x 2x' ",
        " datetime='2021-13-45T99:99' ",
        "12 March 2021 at 12:30 gmt",
        "31.02.2023",
        "2021-03-12T10:00:00+99:99",
        "Published: 1 Jan 0000",
        "By Anna Müller and Bob",
        "A sentence that is long enough to be taken for content, with a comma, and an end. " * 3,
        '<script type="application/ld+json">{"@type":"Article","datePublished":',
        '"articleBody":"<p>x"}</script>',
        '{"@graph":[{"@id":"#a","author":{"@id":"#a"}}]}',
        '<meta property="og:url" content="',
        '<meta name=date content="',
        "<time datetime=",
        "<img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
        "<base href='//[x'>",
        "<script src=mathjax.js></script>$a<b>$",
        "<script type=math/tex>\\frac{</script>",
        "<sup><a href='#fn1'>1</a></sup>",
        "<li id=fn1>",
        "<iframe srcdoc='<p>x'>",
        "window.__STATE__ = {",
    )
)


def changed(seed: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes] = PIECES) -> bytes:
    """A part of a seed with a few changes."""
    data = window(seed, chance)
    for _ in range(chance.randint(0, _MAX_CHANGES)):
        data = chance.choice(_CHANGES)(data, others, chance, pieces)
    return data[:MAX_BYTES]


def window(data: bytes, chance: random.Random) -> bytes:
    """A part of some data, more often a short one: 50 bytes are as likely as 5,000."""
    size = int(2 ** chance.uniform(4, 12))
    if len(data) <= size:
        return data
    start = chance.randrange(len(data) - size)
    return data[start : start + size]


Change = Callable[[bytes, Sequence[bytes], random.Random, Sequence[bytes]], bytes]


def _insert(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    place = chance.randint(0, len(data))
    return data[:place] + b"".join(chance.choices(pieces, k=chance.randint(1, 3))) + data[place:]


def _replace(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _range(data, chance, 40)
    return data[:start] + chance.choice(pieces) + data[end:]


def _delete(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _range(data, chance, max(len(data) // 2, 1))
    return data[:start] + data[end:]


def _flip(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    flipped = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if flipped:
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _overwrite(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _range(data, chance, 8)
    return data[:start] + chance.randbytes(end - start) + data[end:]


def _repeat(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _range(data, chance, 60)
    return data[:end] + data[start:end] * chance.randint(1, _MAX_COPIES) + data[end:]


def _move(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _range(data, chance, 200)
    place = chance.randint(0, len(data))
    return data[:place] + data[start:end] + data[place:]


def _splice(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    place = chance.randint(0, len(data))
    return data[:place] + window(chance.choice(others), chance) + data[place:]


def _cut(data: bytes, others: Sequence[bytes], chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    return data[: chance.randint(0, len(data))]


# What puts pieces in comes up more often: that is where trouble was found.
_CHANGES: tuple[Change, ...] = (
    *(_insert,) * 4,
    *(_replace,) * 3,
    _delete,
    _flip,
    _overwrite,
    _repeat,
    _move,
    _splice,
    _cut,
)


def _range(data: bytes, chance: random.Random, longest: int) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(start + chance.randint(1, longest), len(data))
