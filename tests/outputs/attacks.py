"""Pages written to run something in the output; ``bench/fuzz/checks.py`` says what no output may hold."""

from __future__ import annotations

import html
import re

from hypothesis import strategies as st

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
    "<a href='&#8232;javascript:alert(1)'>x</a><img src='&nbsp;javascript:alert(1)'>",
    "<a href='java&#8232;script:alert(1)'>x</a><img src='java&#8233;script:alert(1)'>",
    "<p>x `<code>&lt;script>alert(1)&lt;/script></code>` and ``<code>&lt;img src=x onerror=alert(1)></code>",
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
    # Characters of no width, which outputs remove, inside of what is checked or escaped.
    "<a href='java&#8203;script:alert(1)'>x</a>",
    "<a href='java&shy;script&#8288;:alert(1)'>x</a>",
    "<a href='&#65279;&#8203; &#1;javascript:alert(1)'>x</a>",
    "<a href='java&zwj;&lrm;script:alert(1)'>x</a>",
    "<a href='v&#8203;bscript:msgbox(1)'>x</a>",
    "<a href='d&shy;ata:text/html,<script>alert(1)</script>'>x</a>",
    "<base href='java&#8203;script:alert(1)//'><p>x <a href='y'>z</a><img src=y></p>",
    "<p>x<img src='java&#8203;script:alert(1)'>y<img srcset='d&shy;ata:text/html,x 2x'>z",
    "<p>x</p><video src='java&#8203;script:alert(1)' poster='d&shy;ata:text/html,x'></video><p>y</p>",
    "<p>x</p><iframe src='//www.youtube.com/embed/x'></iframe><iframe src='data:text/html,<script>x'></iframe><p>y</p>",
    "<link rel=license href='java&#8203;script:alert(1)'><link rel=next href='java&shy;script:alert(1)'>"
    "<link rel=canonical href='&#8203;javascript:alert(1)'><meta property=og:image content='data:text/html,x'><p>x",
    "<p>&lt;&#8203;img src=x onerror=alert(1)&gt; &lt;&shy;script&gt;alert(1)&lt;&#8288;/script&gt;",
    "<p>[x]&#8203;(javascript:alert(1)) ![x]&shy;(javascript:alert(1))</p><p>[x]&#8288;: javascript:alert(1)",
    "<p>&amp;&#8203;lt;img src=x onerror=alert(1)&amp;gt;",
    "<pre>`&#8203;`&#8203;`\n&lt;script>alert(1)&lt;/script></pre>",
    "<p>x <code>`&#8203;`</code> <code>&lt;script>alert(1)&lt;/script></code>",
    "<p><sup>&#8203;<br><code>&lt;script>alert(1)&lt;/script></code></sup>",
    "<p>a<br>&#8203;<br><sup>&#8203;<br><code>&lt;script>alert(1)&lt;/script></code></sup>",
    "<p>&#8203; &#8203; &#8203; &#8203; &lt;script>alert(1)&lt;/script>",
    # Marks that Markdown cannot write are dropped, and what they kept apart is joined.
    "<p>&lt;<b>script&gt;</b>alert(1)&lt;<b>/script&gt;</b>x",
    "<p>&lt;<i>img src=x onerror=alert(1)&gt;</i>x",
    "<p>[x]<b>(javascript:alert(1))</b>y</p><p>[x]<b>: javascript:alert(1)</b></p>",
    "<p><code>a</code><i><code>`&lt;script>alert(1)&lt;/script></code>.</i>x",
    "<p><del>~x</del></p><pre>~~~\n&lt;script>alert(1)&lt;/script></pre>",
    "<p>~<del>x</del></p><pre>~~~\n&lt;script>alert(1)&lt;/script></pre>",
    # Formulas are written as LaTeX, which is not escaped.
    "<script src=mathjax.js></script><p>$a [x](javascript:alert(1)) b$ and $$![x](javascript:alert(1))$$",
    "<script src=mathjax.js></script><p>$a`b$ text <code>&lt;script>alert(1)&lt;/script></code>",
    "<p>x <math alttext='[x](javascript:alert(1))'><mi>x</mi></math> y",
    # Notes: what Markdown has for them is a link where notes are not known.
    "<p>x<sup><a href='#fn1'>1</a></sup>(javascript:alert(1))<p id=fn1>note",
    "<p><a href='#fn1'>1</a>: javascript:alert(1)<p>y<a href='#fn1'>1</a><p id=fn1>note",
    "<p>x<sup><a href='#fn1'>1</a></sup><p id=fn1>javascript:alert(1)",
    "<p>x<sup><a href='#fn1'>1</a></sup><p id=fn1>java&#8203;script:alert(1)<br>and more",
    "<p>x<sup><a href='#fn1'>1</a></sup><ol><li id=fn1>javascript:alert(1) \"a title\"</ol>",
    "<p>x<sup><a href='#fn1'>1</a></sup><blockquote><p id=fn1>data:text/html,x</blockquote>",
    # Lines that are not ended by a line feed.
    "<blockquote><pre>a&#13;&lt;script>alert(1)&lt;/script></pre></blockquote>",
    "<ul><li><pre>a&#8232;&lt;script>alert(1)&lt;/script>&#12;&lt;script></pre></ul>",
    "<table><tr><td colspan=2><ul><li>x</ul><pre>a\n \n[x](javascript:alert(1))</pre><td>y<tr><td>z</table>",
    "<table><tr><td colspan=2><ul><li>x</ul><pre>a\n&#13;[x](javascript:alert(1))</pre><td>y<tr><td>z</table>",
    "plain text [x](javascript:alert(1)) ![x](javascript:alert(1)) [x\\\\](javascript:alert(1))",
    "plain text\n\n[y]: javascript:alert(1)\n\n[y]",
    "plain text &lt;&#8203;script>alert(1)&lt;/script>",
    "plain text <script>alert(1)</script>",
]

# Pieces of text, marks and blocks that are harmless alone, for pages that nobody thought of.
_UNSEEN = ["&#8203;", "&shy;", "&#8288;", "\ufeff", " ", "&#13;", "&#10;", "&nbsp;", "&#8232;"]
_TEXTS = [
    *("&lt;", "&gt;", "&amp;lt;", "&amp;#60;", "&lt;!--", "--&gt;", "&lt;![CDATA[", "]]&gt;", "&lt;?x", "&lt;pre&gt;"),
    *("img src=x onerror=alert(1)", "script&gt;", "/script&gt;", "alert(1)", "javascript:alert(1)", "word", '"title"'),
    *("[x]", "(javascript:alert(1))", "[x](javascript:alert(1))", "[x]: javascript:alert(1)", "[^1]", "^1"),
    *(
        "`",
        "``",
        "```",
        "~",
        "~~",
        "~~~",
        "*",
        "**",
        "_",
        "\\",
        "!",
        "[",
        "]",
        "(",
        ")",
        ":",
        "|",
        "$",
        "$$",
        "\\(",
        "\\)",
    ),
    *("#", "-", "- ", "&gt; ", "1. ", "    ", "---", "==="),
]
_MARKS = [
    *(f"<{end}{name}>" for name in "b i del code sup sub ruby rt u q kbd".split() for end in ("", "/")),
    *("</a>", "<a href='https://a.example/x'>", "<a href='java&#8203;script:alert(1)'>", "<a href='y)](javascript:x'>"),
    *(
        "<a href='#fn1'>1</a>",
        "<br>",
        "<img src='x' alt='](javascript:alert(1))'>",
        "<img src=x alt='&lt;script&gt;`'>",
    ),
    *("<img src='java&#8203;script:alert(1)'>", "<video src='v' title='`[x](javascript:1)'></video>"),
]
_BLOCKS = [
    *(
        f"<{end}{name}>"
        for name in "p div ul ol li blockquote pre h2 table figure details".split()
        for end in ("", "/")
    ),
    *(
        "<p id=fn1>",
        "<li id=fn1>",
        "<table><tr><th>a<th>b<tr><td>",
        "<table><tr><td><ul><li>x</ul><td>",
        "<tr>",
        "<td>",
    ),
    *("<hr>", "<dl><dt>x<dd>", "<textarea>", "</textarea>", "<script src=mathjax.js></script>"),
]
_PIECES = (*_UNSEEN, *_TEXTS, *_TEXTS, *_MARKS, *_BLOCKS)  # what is told by its neighbours is drawn twice as often


def fuzzed_pages() -> st.SearchStrategy[str]:
    """Pages of such pieces, a few of them without any tags, and attacks among them."""
    piece = st.sampled_from(_PIECES) | st.sampled_from(_TEXTS) | st.sampled_from(ATTACKS)
    pages = st.lists(piece, min_size=2, max_size=30).map("".join)
    return pages | pages.map(lambda page: html.unescape(re.sub("<[^>]*>", "", page)))
