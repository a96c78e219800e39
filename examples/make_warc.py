"""Pack a folder of saved pages into a WARC file, as a crawler would have kept them.

    python examples/make_warc.py examples/site https://courier.example/ crawl.warc.gz

The address of a page is that of the site and the name of its file.
"""

import sys
from pathlib import Path
from urllib.parse import urljoin

from tamis.fetching.answers import Fetched
from tamis.fetching.warc import Archive

HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
TIME = "2024-06-01T12:00:00Z"

folder, site, target = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
target.parent.mkdir(parents=True, exist_ok=True)
archive = Archive(target)
for file in sorted(folder.rglob("*.html")):
    url = urljoin(site, file.relative_to(folder).as_posix())
    archive.add(Fetched(requested=url, url=url, status=200, headers=HEADERS, body=file.read_bytes(), time=TIME))
print(f"{len(archive)} pages in {target}")
