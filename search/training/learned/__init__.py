"""The learned policy: its questions, its supervised start, learning from rewards, what it must beat."""
