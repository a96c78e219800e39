"""The example in the documentation is a method like any other."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import tamis

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-method.md"


def test_the_method_of_the_guide_works() -> None:
    code = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    module = types.ModuleType("guide_method")
    sys.modules["guide_method"] = module  # dataclasses look their module up
    try:
        exec(compile(code.group(1), str(GUIDE), "exec"), vars(module))  # noqa: S102 - our own documentation
        page = tamis.parse("<p>short</p><p>the longest block of this page by far</p>")
        assert module.extract(page, module.Options()).text == "the longest block of this page by far"
        assert module.extract(page, module.Options(min_words=9)).status == "empty"
    finally:
        del sys.modules["guide_method"]
