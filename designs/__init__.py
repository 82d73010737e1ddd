"""Shipped designs: hand-written baselines and designs found by the search."""
