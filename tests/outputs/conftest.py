"""The browser that the tests of the service use."""

from tests.service.conftest import browser

__all__ = ["browser"]
