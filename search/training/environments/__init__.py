"""The environment of memory policies for trainers of other libraries."""
