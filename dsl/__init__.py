"""The design language: YAML text to a validated design. Imports nothing of the project."""
