"""What all requests to a service share: the workers, the fetchers, the counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from tamis.fetching.http import Options as FetchOptions
from tamis.service import metrics
from tamis.service.fetches import Fetches
from tamis.service.jobs import Pool
from tamis.service.operations import JSON
from tamis.service.problems import Answer
from tamis.service.settings import Settings

IMAGE_TYPES = tuple(
    f"image/{kind}" for kind in "apng avif bmp gif jpeg jpg png svg+xml vnd.microsoft.icon webp x-icon".split()
)


class Service:
    """What all requests share: the workers, the fetcher, the counts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(workers=settings.workers, queue=settings.queue, timeout_seconds=settings.timeout_seconds)
        self.metrics = metrics.Metrics()

        private = settings.allow_private
        # Programs are polite and obey robots.txt; what a person reads is fetched as by a browser.
        self.fetches = Fetches(FetchOptions(allow_private=private))
        self.reading = Fetches(FetchOptions(allow_private=private, respect_robots=False, delay_seconds=0.0))
        self.images = Fetches(
            FetchOptions(
                allow_private=private, respect_robots=False, delay_seconds=0.0, retries=0, content_types=IMAGE_TYPES
            )
        )

    async def perform(
        self,
        operation: str,
        body: bytes = b"",
        content_type: str = JSON,
        query: Mapping[str, str] = {},
        *,
        fetches: Fetches | None = None,
    ) -> Answer:
        """Have an operation done by a worker; a page that it needs is fetched in between."""
        values: dict[str, Any] = {"content_type": content_type, "query": dict(query)}
        reply = await self.pool.run(operation, values, body)
        if "fetch" in reply.values:
            fetched = await (fetches or self.fetches).fetch(reply.values["fetch"])
            about = {"url": fetched.url, "encoding": fetched.encoding, "truncated": fetched.truncated}
            values = {"request": reply.values["request"], "fetched": about}
            reply = await self.pool.run(operation, values, fetched.body)
        values = reply.values
        return Answer(values["status"], values["media_type"], reply.body, values.get("headers", {}))

    async def close(self) -> None:
        """Finish what is under way, then end the workers."""
        await self.pool.close()
        for fetches in (self.fetches, self.reading, self.images):
            fetches.close()


def service_of(request: Request) -> Service:
    """What all requests share."""
    service: Service = request.app.state.service
    return service
