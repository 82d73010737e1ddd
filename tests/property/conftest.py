import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "dsl"):  # for the generators, and the fake registry of the design language
    sys.path.insert(0, str(folder))
