"""Removing records with everything that was derived from them, and searching the files for what is left."""
