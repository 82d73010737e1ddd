"""Questions with evidence, made from a history that nobody has labelled."""
