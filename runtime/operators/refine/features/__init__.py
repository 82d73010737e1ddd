"""Named features of a candidate, one or a few related ones a file."""
