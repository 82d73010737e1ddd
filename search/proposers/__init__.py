"""Proposers: who edits the incumbent design, and how."""
