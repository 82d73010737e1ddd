"""The memory and time of training a language model as in a configuration, worked out: the table of docs/training.md.

python benchmarks/training_footprint.py [examples/training/aio-mem.yaml]
"""

from __future__ import annotations

import sys
from pathlib import Path

from designsearch.search.training.lora.config import read_training
from designsearch.search.training.lora.footprint_table import footprint_table

CONFIG = Path(__file__).parents[1] / "examples" / "training" / "aio-mem.yaml"

if __name__ == "__main__":
    print(footprint_table(read_training(sys.argv[1] if len(sys.argv) > 1 else CONFIG)), end="")
