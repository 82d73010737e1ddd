"""Prompts, one Jinja2 file each."""
