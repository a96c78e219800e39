"""Service: Tamis over HTTP, with an inspector, a reader view and a proxy."""
