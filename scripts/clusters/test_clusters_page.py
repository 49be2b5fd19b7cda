"""The code of docs/clusters.md, with the clusters that it starts itself, and what it says that it prints."""

# Requirements: F4, H1

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_code_prints_what_the_page_says(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    for name in ("distributed", "ray"):
        if not (Path(os.environ["SELFSAME_CLUSTERS"]) / name / ".installed").exists():
            pytest.skip(f"{name} does not install here")
    program = ROOT / "python" / "tests" / "page_program.py"
    command = [sys.executable, str(program), "docs/clusters.md"]
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
