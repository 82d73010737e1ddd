import sys
from pathlib import Path

HERE = Path(__file__).parent
# for runtime_fakes and the fakes of policies, which many test files share
sys.path[:0] = [str(HERE), str(HERE / "policies")]
