"""What a draft must pass before it is a question."""
