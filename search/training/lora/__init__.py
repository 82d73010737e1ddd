"""Policies and reward models that are language models with LoRA adapters; the only part that needs torch."""
