"""The reference pages, made from the code."""
