"""Inputs made to break Tamis, tried by the million."""
