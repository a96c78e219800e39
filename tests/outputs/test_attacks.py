"""Pages written to run something in the output: nothing that could survives, in any format."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page.spans import Span
from tamis.results import Extraction

ATTACKS = [
    "<script>alert(1)</script><p>x",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT><p>x",
    "<p>x<img src=x onerror=alert(1)>y",
    "<p>x<img src='x' onerror='alert(1)' alt='\"><script>alert(1)</script>'>y",
    "<p>x<img src='javascript:alert(1)'>y",
    "<p>x<img src='data:text/html,<script>alert(1)</script>'>y",
    "<p>x<img src='data:image/svg+xml,<svg onload=alert(1)>'>y",
    "<p>x<img srcset='javascript:alert(1) 2x, vbscript:x 3x'>y",
    "<p>x<img data-src='javascript:alert(1)'>y",
    "<p>x<img src=x alt='](javascript:alert(1))'>y",
    "<p>x<img src='x)](javascript:alert(1)' alt=z>y",
    "<p>x<img src=` onerror=alert(1)//>y",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='java&#10;script:alert(1)'>x</a>",
    "<a href=' &#1;javascript:alert(1)'>x</a>",
    "<a href='&#106;&#97;vascript&colon;alert(1)'>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>",
    "<a href='blob:https://a.example/1'>x</a>",
    "<a href='file:///etc/passwd'>x</a>",
    "<a href='x\" onmouseover=\"alert(1)'>x</a>",
    "<a href=\"x' onmouseover='alert(1)\">x</a>",
    "<a href='x><script>alert(1)</script>'>x</a>",
    "<a href='//evil.example\\@good.example'>x</a>",
    "<a href='x' style='behavior:url(x)' target=_blank onclick=alert(1)>x</a>",
    "<base href='javascript:alert(1)//'><p>x <a href='y'>z</a><img src=y></p>",
    "<base href='data:text/html,'><p>x <a href='y'>z</a></p>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a><set attributeName=href to=javascript:alert(1)>",
    "<svg><foreignObject><iframe onload=alert(1)></iframe><p>x</foreignObject></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg><p>x",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>x",
    "<math href='javascript:alert(1)' alttext='<script>alert(1)</script>'><mi>x</mi></math><p>y",
    "<math alttext='x</span><img src=x onerror=alert(1)>'><mi>x</mi></math><p>y",
    "<p>x<script type='math/tex'></script><img src=x onerror=alert(1)></p>",
    "<p>x<script type='math/tex'>a<\\/span><img src=x onerror=alert(1)></script>y",
    "<p>x<i class=katex><annotation encoding='application/x-tex'>&lt;script>alert(1)&lt;/script></annotation></i>",
    "<script src=mathjax.js></script><p>$x&lt;img src=x onerror=alert(1)>$ and \\(&lt;script>alert(1)&lt;/script>\\)",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>x</noscript>",
    "<noscript><style></noscript><img src=x onerror=alert(1)></style></noscript><p>x",
    "<iframe srcdoc='<img src=x onerror=alert(1)><p>x'></iframe>",
    "<iframe src='javascript:alert(1)'></iframe><p>x",
    "<p>x</p><iframe src='https://www.youtube.com/embed/x\" onload=\"alert(1)' title='\"><script>'></iframe><p>y</p>",
    "<p>x</p><video src='javascript:alert(1)' poster='javascript:alert(1)' title='<img onerror=alert(1)>'></video><p>y",
    "<p>x</p><video title='<script>alert(1)</script>'><source src='v.mp4' onerror=alert(1)></video><p>y</p>",
    "<p>x</p><audio src='a.mp3' title='](javascript:alert(1))'></audio><p>y</p>",
    "<object data='javascript:alert(1)'><p>x</object><embed src='javascript:alert(1)'>",
    "<form action='javascript:alert(1)'><input formaction='javascript:alert(1)'><button>x</button></form>",
    "<isindex type=image src=x onerror=alert(1)><keygen autofocus onfocus=alert(1)><p>x",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'><link rel=import href=x><p>x",
    "<style>@import 'javascript:alert(1)'; p{background:url(javascript:alert(1))}</style><p>x",
    "<p style='background:url(javascript:alert(1));width:expression(alert(1))'>x",
    "<table background='javascript:alert(1)'><tr><td background='javascript:x' colspan='2\" onclick=\"alert(1)'>x<td>y"
    "<tr><td>z",
    "<pre class='language-x\" onclick=\"alert(1)'>x</pre>",
    "<pre class='language-&lt;script>alert(1)&lt;/script>'>x</pre>",
    "<pre data-lang='js\"><script>alert(1)</script>'>x</pre>",
    "<pre>```\n<script>alert(1)</script>\n```</pre>",
    "<pre>&lt;/code>&lt;/pre>&lt;script>alert(1)&lt;/script></pre>",
    "<ol start='1\" onclick=\"alert(1)'><li>x</ol>",
    "<p>x<a href='#n\" onclick=\"alert(1)'><sup>1</sup></a><p id='n\" onclick=\"alert(1)'>note",
    "<p>x<sup><a href='#fn1'>1</a></sup><ol><li id=fn1>note</ol>",
    "<textarea><script>alert(1)</script></textarea><p>x",
    "<textarea>&lt;img src=x onerror=alert(1)></textarea><p>x",
    "<plaintext><img src=x onerror=alert(1)>",
    "<xmp><script>alert(1)</script></xmp>",
    "<listing>&lt;script>alert(1)&lt;/script></listing>",
    "<template><img src=x onerror=alert(1)></template><p>x",
    "<template shadowrootmode=open><img src=x onerror=alert(1)>x</template>",
    "<select><template><style><a title='</style><img src=x onerror=alert(1)>'>x",
    "<p>x<!--><img src=x onerror=alert(1)>-->y",
    "<p>x<![CDATA[<img src=x onerror=alert(1)>]]>y",
    "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;img src=x onerror=alert(1)&amp;gt;",
    "<p>\\<script>alert(1)</script> &#60;img src=x onerror=alert(1)>",
    "<p>[x](javascript:alert(1)) ![x](javascript:alert(1)) &lt;javascript:alert(1)>",
    "<p>[x]: javascript:alert(1)</p><p>[x]</p>",
    "<dialog open><p onpointerrawupdate=alert(1)>x</dialog>",
    "<details open ontoggle=alert(1)><summary>x</summary>y</details>",
    "<x-a onclick=alert(1)>x</x-a><p is=x-b>y",
    "<html manifest=x onload=alert(1)><body onload=alert(1) background=javascript:alert(1)>x",
    "<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset><noframes><img src=x onerror=alert(1)>x",
    "<marquee onstart=alert(1)>x</marquee><blink>y</blink>",
    "<p>x\u202e<a href='https://good.example'>y</a>",
    "plain text <script>alert(1)</script>",
]
ELEMENTS = frozenset(
    "#document #text a b blockquote body br caption cite code dd del details dl dt em figcaption figure h1 h2 h3 h4 h5 "
    "h6 head hr html i img ins kbd li mark ol p pre q rt ruby s samp span strong sub summary sup table tbody td tfoot "
    "th thead tr u ul var".split()
)
ATTRIBUTES = frozenset({"href", "src", "alt", "class", "colspan", "rowspan", "start", "id"})
UNSAFE = re.compile(r"\s*(?!https?:|mailto:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def check(markup: str) -> None:
    """Fails if a browser could run, load or be styled by anything in some markup but images."""
    page = tamis.parse(f"<body>{markup}")
    for node in range(len(page.nodes)):
        assert page.name(node) in ELEMENTS
        for name, value in page.attributes(node).items():
            assert name in ATTRIBUTES
            if name in ("href", "src"):
                assert not UNSAFE.match(value)
                assert (page.name(node), name) in (("a", "href"), ("img", "src"))
            if name == "class":
                assert re.fullmatch(r"math|language-[\w.+#-]+", value)
            if name == "id":
                assert re.fullmatch(r"note-\d+", value)


def extractions(attack: str) -> list[Extraction]:
    page = tamis.parse(attack)
    return [
        tamis.extract(attack, method="keep_all"),
        tamis.extract(attack, method="keep_all", url="https://example.org/a/"),
        tamis.extract(attack, method="keep_all", url="javascript:alert(1)//"),
        Extraction(page=page, spans=(Span(0, len(page.text)),)),  # hidden text too
    ]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_runs_in_html(attack: str) -> None:
    for extraction in extractions(attack):
        check(extraction.html)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_runs_in_what_readers_make_of_markdown(attack: str) -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True})
    reader.validateLink = lambda _: True  # readers may be careless
    for extraction in extractions(attack):
        if extraction.page.format != "text":  # is written as it is, apart from tags
            check(reader.enable(["table", "strikethrough"]).render(extraction.markdown))


@given(st.lists(st.sampled_from(ATTACKS), min_size=2, max_size=4).map("".join), st.data())
def test_nothing_runs_when_attacks_are_cut_and_joined(markup: str, data: st.DataObject) -> None:
    cut = markup[data.draw(st.integers(0, len(markup))) :]
    check(tamis.extract(cut, method="keep_all").html)
