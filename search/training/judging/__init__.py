"""What a step or an episode is worth: by rules over its evidence, or in the words of a model."""
