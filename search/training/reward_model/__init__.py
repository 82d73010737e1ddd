"""A reward model that needs no language model and trains in seconds."""
