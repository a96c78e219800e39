"""What keeps a page from reaching anything: three walls, one behind the other.

A page comes with a content security policy; every request is answered or refused before it leaves the browser
(``doorkeeper``); and the browser itself finds no address and knows no way out.
"""

from __future__ import annotations

FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no name and no number leads anywhere
    "--proxy-server=http://proxy.invalid:9",  # and the way there would lead through what does not exist
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--dns-prefetch-disable",
    "--no-pings",
    "--block-new-web-contents",
    "--disable-print-preview",
    "--blink-settings=imageAnimationPolicy=2",  # moving pictures stand still: the same page looks the same
    "--font-render-hinting=none",
    "--hide-scrollbars",
    "--mute-audio",
    "--js-flags=--max-old-space-size=512",  # megabytes for the scripts of a page
)


def policy(*, scripts: bool, assets: bool) -> str:
    """The content security policy of a page.

    >>> policy(scripts=False, assets=False)
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox allow-same-origin"
    """
    files = " https: http:" if assets else ""
    parts = [
        "default-src 'none'",
        f"style-src 'unsafe-inline'{files}",
        f"img-src data:{files}",
        f"font-src data:{files}",
    ]
    if scripts:
        parts.append(f"script-src 'unsafe-inline' 'unsafe-eval'{files}")
    # A sandbox also ends forms, dialogues, downloads, new windows and pages that go elsewhere by themselves.
    parts.append("sandbox allow-same-origin" + " allow-scripts" * scripts)
    return "; ".join(parts)
