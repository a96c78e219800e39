"""Renderings of an extraction: one format per file, each with ``render(extraction) -> str``."""
