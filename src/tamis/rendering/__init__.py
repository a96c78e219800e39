"""Rendering: a page as a browser shows it, with nothing of the machine or the network in reach."""
