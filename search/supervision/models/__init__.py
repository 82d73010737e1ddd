"""The roles that a model plays, and how it is asked."""
