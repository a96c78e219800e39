"""The one table of what sites call the things that readers write: comments, posts, answers.

In classes and ids, in microdata and JSON-LD, and in URLs. Whoever asks takes from here the question that fits: one word
in a name is enough for the default to be wary, while a list of posts is read from it only where the whole name says so.
"""

from __future__ import annotations

import re

COMMENT_NAMES = ("comment", "disqus", "respond", "replies", "discussion", "livefyre", "kommentar")
"""Parts of the classes and ids that sites give to what readers have written below a page."""
COMMENTS_AND_REPLIES = r"comment|repl(?:y|ies)"
"""Parts of names beside which neither the author nor the text of the page stands."""

# Sections of comments, to be left out of an output: a selector that finds more, and whole names.
COMMENT_SELECTOR = (
    '[class*="comment" i], [id*="comment" i], [id*="disqus" i], [class*="disqus" i], [itemtype$="/Comment"], '
    '[itemprop="comment"], [id="respond"]'
)
COMMENT_SECTION = re.compile(
    r"(?:(?:the|post|article|user|reader|blog)[-_]?)?comments?"
    r"(?:[-_]?(?:area|block|body|box|container|content|form|item|list|respond|section|stream|text|thread|threads|tree|"
    r"wrap|wrapper))?|comment-?respond|respond|disqus_thread|dsq-.*",
    re.IGNORECASE,
)

# Texts of posts: names that may be those of one, names of what holds comments, names that say post, and no more.
POST_TEXT = re.compile(
    r"(?i)comment|post|message|msg|repl(?:y|ies)|answer|posting|content|text|body|entry|kommentar|beitrag|discuss|"
    r"restore|cooked|wrapper|review|opini|response|thread"
)
IN_COMMENTS = re.compile(
    r"(?i)(?:\A|[\s/._#>-])(?:user-?)?(?:comments?|kommentare?|repl(?:y|ies)|answers?|forum|threads?|discussions?|"
    r"comment(?=[A-Z]))"
    r"(?:\Z|[\s._#>-]|\d|list|s?[A-Z])|Comment\b|commentlist|DiscussionForumPosting"
)
POST = re.compile(r"(?i)post|message|msg|content|beitrag|entry|text")
ONE_COMMENT = re.compile(r"(?i)(?:comment|kommentar|reply)[-_]{0,2}(?:content|body|text)")
ONE_POST = re.compile(
    r"(?i)\A(?:comment|reply|post|message|answer|kommentar|beitrag|response)(?:[-_]?\d+|[-_]{1,2}(?:item|entry|"
    r"node))?\Z"
)
FORUM_URL = re.compile(r"(?i)forum|thread|topic|showthread|discuss|community|board|/read\.php")

# Whole posts, by class, and by property and type of microdata.
POST_CLASSES = frozenset({"answer", "comment", "message", "post", "reply"})
POST_PROPERTIES = frozenset({"acceptedAnswer", "comment", "suggestedAnswer"})
POST_TYPES = ("/Answer", "/Comment", "/DiscussionForumPosting")

# The same in JSON-LD: types, in lower case, and properties that hold posts.
DECLARED_TYPES = ("comment", "answer", "discussionforumposting", "socialmediaposting", "usercomments", "question")
DECLARED_PROPERTIES = ("comment", "acceptedAnswer", "suggestedAnswer", "answer")
