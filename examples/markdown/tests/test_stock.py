"""The same extension runs on the runtime of the stock package."""

# Requirement: D7

import json
import subprocess
import sys
from pathlib import Path

import markdown

FOLDER = Path(__file__).resolve().parents[1]


def test_the_stock_runtime_gives_the_same_tree(handbook_text):
    library = Path(markdown.__file__).with_name("_markdown.so")
    command = [sys.executable, str(FOLDER / "demo_stock.py"), str(library), str(FOLDER / "testdata" / "handbook.md")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    doc = markdown.parse(handbook_text)
    headings = [{"level": h.level, "line": h.line, "text": h.text_content()} for h in markdown.headings(doc)]
    assert summary["headings"] == headings
    assert summary["text"] == doc.text_content()
    assert summary["nodes"] == sum(int(line.split(": ")[1]) for line in markdown.tally(doc))
