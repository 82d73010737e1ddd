"""designsearch: find the memory design that works for an agent's own history."""
