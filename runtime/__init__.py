"""Runs a design over a history. Knows nothing about searching."""
