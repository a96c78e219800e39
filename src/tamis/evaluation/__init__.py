"""How good is an extraction: measures, datasets, systems under test, runs, and reports."""
