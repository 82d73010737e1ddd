import sys
from pathlib import Path

# for policy_fakes beside this file
sys.path.insert(0, str(Path(__file__).parent))
