"""Memory policies: an episode of search, add, skip and stop on behalf of each question."""
