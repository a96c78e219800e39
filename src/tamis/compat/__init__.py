"""The calls of other extractors with our results, so that trying Tamis is one changed import.

    from tamis.compat import trafilatura
    text = trafilatura.extract(html, url=url, include_comments=False)

Names and arguments are theirs; what comes out is ours. The packages themselves are not needed and never imported. What
an argument cannot do here is said in the module that takes it, and in docs/migrating.md.
"""
