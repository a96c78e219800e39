"""The document model: a page, its views, and what methods return about it."""
