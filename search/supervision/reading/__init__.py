"""Blind reading by rules: no model, no network, the same reading every time."""
