"""The notebooks of docs/notebooks are complete: every cell says what it prints, and links lead to files."""

# Requirement: F4

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from repository import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def test_notebooks_of_the_guide_are_there_and_in_the_site() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first-steps", "leaks", "tensors", "torch", "wrapping"]
    listed = re.findall(r"notebooks/([\w-]+)\.md", (ROOT / "mkdocs.yml").read_text())
    assert sorted(listed) == [path.stem for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_that_end_with_an_expression_have_an_output(path: Path) -> None:
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            last = ast.parse("".join(cell["source"])).body[-1]
            assert bool(cell["outputs"]) or not isinstance(last, ast.Expr), "make notebooks NOTEBOOKS=--record"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_lead_to_files(path: Path) -> None:
    cells = json.loads(path.read_text())["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if ":" not in link]
    assert links or path.stem == "torch"
    assert [link for link in links if not (path.parent / link).exists()] == []
