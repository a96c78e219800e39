"""With ``posts`` each kept post stands with its author and date line, as the page writes it."""

from __future__ import annotations

import pytest

import tamis

SAID = (
    "I walked along the canal yesterday and the lock was still closed for repairs.",
    "They told me that it opens again at the end of the month, if the weather holds.",
    "Then we should take the other way around the island and meet at the old bridge.",
)
NAMES = ("anna_k", "bert77", "carla")
PHPBB = """<div class="post"><div class="postbody"><h3><a href="#p{0}">Re: Canal</a></h3><p class="author">by
<strong><a href="./memberlist.php?mode=viewprofile&amp;u={0}">{1}</a></strong> &raquo; Tue May 0{0}, 2023 10:1{0} am</p>
<div class="content">{2}</div></div></div>"""
VBULLETIN = """<table class="tborder"><tr><td class="thead">0{0}-05-2023, 10:1{0} AM</td></tr>
<tr><td class="alt2"><a class="bigusername" href="member.php?u={0}">{1}</a><div>Senior Member</div></td></tr>
<tr><td class="alt1"><div id="post_message_{0}">{2}</div></td></tr></table>"""
DISCOURSE = """<article class="topic-post"><div class="topic-meta-data"><span><a href="/u/{1}">{1}</a></span>
<div class="post-date"><time datetime="2023-05-0{0}T10:1{0}:00Z">May {0}, 2023</time></div></div>
<div class="cooked">{2}</div></article>"""
DISCOURSE_FOR_CRAWLERS = """<div class="topic-body crawler-post"><div class="crawler-post-meta">
<span class="creator" itemprop="author"><a itemprop="url" href="/u/{1}"><span itemprop="name">{1}</span></a>
</span><span class="crawler-post-infos"><time datetime="2023-05-0{0}T10:1{0}:00Z">May {0}, 2023</time></span></div>
<div class="post" itemprop="text"><p>{2}</p></div></div>"""
DISCUZ = """<table id="pid{0}"><tr><td class="pls"><div class="authi"><a href="space-uid-{0}.html">{1}</a></div>
</td><td class="plc"><div class="authi"><em>发表于 2023-5-{0} 10:1{0}</em></div>
<div class="t_f" id="postmessage_{0}">{2}</div></td></tr></table>"""


@pytest.mark.parametrize(
    ("template", "date"),
    [
        (PHPBB, "Tue May 0{0}, 2023 10:1{0} am"),
        (VBULLETIN, "0{0}-05-2023, 10:1{0} AM"),
        (DISCOURSE, "May {0}, 2023"),
        (DISCOURSE_FOR_CRAWLERS, "May {0}, 2023"),
        (DISCUZ, "2023-5-{0} 10:1{0}"),
    ],
    ids=["phpBB", "vBulletin", "Discourse", "Discourse for crawlers", "Discuz"],
)
def test_each_kept_post_stands_with_its_author_and_date(template: str, date: str) -> None:
    posts = [
        template.format(number, name, said) for number, (name, said) in enumerate(zip(NAMES, SAID, strict=True), 1)
    ]
    page = f"<title>Canal</title><div id=posts class=forum>{''.join(posts)}</div>"
    result = tamis.extract(page, url="https://example.org/forum/showthread.php?t=1")
    without = tamis.extract(page, url="https://example.org/forum/showthread.php?t=1").text
    for output in (result.render("text", posts=True), result.render("markdown", posts=True).replace("\\", "")):
        places = [
            output.index(part)
            for number, (name, said) in enumerate(zip(NAMES, SAID, strict=True), 1)
            for part in (*sorted((name, date.format(number)), key=output.index), said)
        ]
        assert places == sorted(places)
    assert result.text == without
