"""Operators of this stage, one a file."""
