import sys
from pathlib import Path

# for policy_fakes
sys.path.insert(0, str(Path(__file__).parents[1] / "policies"))
