"""Histories and their questions: one loader a file."""
