"""What a program can check of a plan and its question."""
