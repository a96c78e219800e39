"""The OpenAPI document: it describes what is there, and whatever it allows is answered without a fault."""

from __future__ import annotations

from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, settings

from tamis import registry
from tamis.service.app import create_app
from tamis.service.openapi import openapi_document
from tamis.service.operations import OPERATIONS
from tamis.service.settings import Settings
from tests.service.running import TOKEN

DOCUMENT = openapi_document()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)


def test_the_document_is_what_the_service_gives(service: httpx.Client) -> None:
    found = service.get("/api/openapi.json")
    assert found.headers["content-type"] == "application/json"
    assert found.json() == DOCUMENT
    assert DOCUMENT["openapi"] == "3.1.0"


def test_every_path_of_the_document_is_routed_and_every_operation_described() -> None:
    routed = {getattr(route, "path", "") for route in create_app(Settings()).routes}
    assert set(DOCUMENT["paths"]) <= routed
    assert {f"/api/{name}" for name in OPERATIONS} <= set(DOCUMENT["paths"])


def test_requests_are_described_with_names_and_reasons() -> None:
    properties = DOCUMENT["components"]["schemas"]["Extract"]["properties"]
    assert properties["method"]["enum"] == list(registry.names("extractors"))
    assert properties["format"]["enum"] == [*registry.names("outputs"), *registry.ALIASES["outputs"]]
    assert properties["html"]["type"] == ["string", "null"]
    assert all(value["description"] for value in properties.values())


# Rendering starts a browser, and batches are no JSON: both have tests of their own.
@SCHEMA.exclude(path=["/api/render", "/api/batch"]).parametrize()
@settings(max_examples=8, suppress_health_check=list(HealthCheck), deadline=None)
def test_whatever_the_document_allows_is_answered_without_a_fault(case: Any, service: httpx.Client) -> None:
    if isinstance(case.body, dict) and "html" not in case.body:
        case.body.pop("url", None)  # nothing outside this machine is asked for in tests
    if str((case.query or {}).get("url", "")).startswith("http"):
        case.query["url"] = "nonsense"
    answer = case.call(base_url=str(service.base_url), headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == ["application/problem+json"]
