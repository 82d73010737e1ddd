"""The audit of drafts by rules: no model, no network, the same audit every time."""
