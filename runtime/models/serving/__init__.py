"""How the models of a team are reached: where each runs, under which limits, with which calls in flight."""
