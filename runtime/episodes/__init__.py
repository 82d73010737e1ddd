"""Episodes of memory policies: states, actions, notes, and what became of a record."""
