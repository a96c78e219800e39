"""Where bytes come from: pages fetched one by one or along their links, checked, bounded, polite, and kept.

addresses   which addresses may be fetched, and which machines may be reached
pinned      connects only to an address that was checked, until a deadline
bodies      bodies unpacked piece by piece, never more than a limit
robots      what a site asks robots to leave alone
cache       answers kept on disk
http        one page: redirects, retries, delays, deadline
warc        answers kept in an archive, and read from one
listings    pages named by lists, sitemaps and feeds
crawl       the pages that a page links to
"""
