"""The checks read pages and sources with the helpers of the Python suite."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "tests" / "support"))
