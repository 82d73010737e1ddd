"""Texts that say nearly the same, found without comparing all pairs."""
