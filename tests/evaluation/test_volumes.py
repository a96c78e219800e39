from __future__ import annotations

import pytest

from tamis.errors import UnknownNameError
from tamis.evaluation.datasets import Sample
from tamis.evaluation.volumes import METHODS, NO_SITE, template_volumes

TEMPLATE = "Home News Sports Weather Contact Imprint of the paper"  # 46 characters without blanks
STORIES = [" ".join([letter * 7] * 7) for letter in "abcd"]


def pages(host: str, template: str) -> list[Sample]:
    return [
        Sample(id=f"{host}{number}", html=f"<div>{template}</div><p>{text}</p>", url=f"http://{host}/{number}")
        for number, text in enumerate(STORIES)
    ]


@pytest.mark.parametrize("method", METHODS)
def test_a_site_with_a_template_has_a_larger_volume_than_one_without(method: str) -> None:
    samples = [*pages("busy.example", TEMPLATE), *pages("plain.example", "")]
    found = {site.site: site for site in template_volumes(samples, method)}
    assert found["plain.example"].share == 0
    assert found["busy.example"].share == pytest.approx(0.5, abs=0.12)
    assert found["busy.example"].pages == 4


def test_few_pages_are_not_measured_and_pages_without_a_url_are_one_site() -> None:
    (found,) = template_volumes([Sample(id="a", html="<p>One"), Sample(id="b", html="<p>Two")])
    assert found == (NO_SITE, 2, None)


def test_a_method_without_volume_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="text_windows"):
        template_volumes([], "site")
