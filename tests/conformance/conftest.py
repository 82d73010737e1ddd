import sys
from pathlib import Path

# for runtime_fakes and for the inputs beside this file
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "runtime")]
