"""Evaluation, diagnosis, proposal, acceptance and the study loop."""
