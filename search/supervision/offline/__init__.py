"""Generators by rules: no model, no network, the same questions every time."""
