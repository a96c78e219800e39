"""Pages that try to run, to send something out, or to take the reader elsewhere.

Every one of them shows ``HARMLESS``; whatever they reach has ``canary`` in its path, and whatever they run sets
``window.owned``.
"""

from __future__ import annotations

from base64 import b64encode

HARMLESS = "The height of the sea at Brest was written down each day for three centuries, by hand."
_TEXT = f"<article><h1>Tides</h1><p>{HARMLESS}</p><p>{HARMLESS.replace('Brest', 'Lorient')}</p>%s</article>"
_RUN = "window.owned=1;fetch('/canary/script')"
SCRIPT = f"<script>{_RUN}</script>"
_SVG = b64encode(f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"{_RUN}\"><script>{_RUN}</script></svg>".encode())

ATTACKS = {
    "script": f"<script>{_RUN}</script><script src=/canary/file.js></script>",
    "module": f"<script type=module>{_RUN}</script><link rel=modulepreload href=/canary/module.js>",
    "handlers": f'<p onclick="{_RUN}" onmouseover="{_RUN}">x</p><img src=/none.png onerror="{_RUN}">'
    f'<details open ontoggle="{_RUN}"><summary>more</summary>text</details><input autofocus onfocus="{_RUN}">',
    "links": f'<p><a href="javascript:{_RUN}">one link that runs</a>, <a href="java&#10;script:{_RUN}">another</a>, '
    '<a href="data:text/html,<script>parent.owned=1</script>">data</a></p>',
    "vector graphics": f'<svg onload="{_RUN}"><animate onbegin="{_RUN}" attributeName=x dur=1s />{SCRIPT}'
    f'<a xlink:href="javascript:{_RUN}"><text>x</text></a></svg><img src="data:image/svg+xml;base64,{_SVG.decode()}">',
    "mathematics": f'<math><mtext><table><mglyph><style><img src=x onerror="{_RUN}"></style></math>',
    "mutation": f'<noscript><p title="</noscript><img src=x onerror={_RUN}>"></noscript>'
    f'<form><math><mtext></form><form><mglyph><style></math><img src onerror="{_RUN}">',
    "frames": "<iframe src=/canary/frame></iframe><iframe srcdoc='<script>parent.owned=1</script>'></iframe>"
    "<object data=/canary/object></object><embed src=/canary/embed>",
    "refresh": '<meta http-equiv=refresh content="0; url=/canary/refresh">',
    "base": '<base href="http://canary.example/canary/base/"><p><a href=next>a relative link</a></p>',
    "prefetch": "<link rel=prefetch href=/canary/prefetch><link rel=preload as=fetch href=/canary/preload>"
    "<link rel=dns-prefetch href=//canary.example><link rel=preconnect href=//canary.example>",
    "forms": f"<form action=/canary/form><input name=a value=b><button autofocus>send</button></form>{SCRIPT}",
    "media": "<video autoplay src=/canary/video.mp4 poster=/canary/poster.png></video>"
    "<audio autoplay src=/canary/a.mp3></audio>",
    "style": "<style>@import '/canary/import.css'; body { background: url(/canary/background) }"
    "input[value^=a] { background: url(/canary/attribute) } @font-face { font-family: x; src: url(/canary/font) }"
    " * { font-family: x }</style><link rel=stylesheet href=/canary/sheet.css>"
    "<p style='background: url(/canary/inline)'>styled text that is read</p>",
    "cover": "<div style='position:fixed;inset:0;z-index:9'><a href=/canary/click>everywhere</a></div>",
    "policy": "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline' *\">"
    + f"<script>{_RUN}</script>",
    "worker": f"<link rel=manifest href=/canary/manifest>"
    f"<script>navigator.serviceWorker.register('/canary/w.js');{_RUN}</script>",
    "template": f"<template>{SCRIPT}</template><x-y><template shadowrootmode=open>{SCRIPT}",
    "title": f"</title><script>{_RUN}</script>",
}


def page(name: str) -> str:
    """A page with one attack at the end of its text, and in its head too if it would not swallow the text."""
    attack = ATTACKS[name]
    head = "" if name in ("mathematics", "mutation", "template") else attack
    title = f"Tides {attack if name == 'title' else ''}"
    return f"<html lang=en><head><title>{title}</title>{head}</head><body>{_TEXT % attack}"
