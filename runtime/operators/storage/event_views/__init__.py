"""The views of an event that rules make: a summary, questions that it answers, a phrase."""
