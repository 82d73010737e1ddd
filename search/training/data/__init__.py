"""Episodes gathered to learn from, and the files that other trainers read."""
