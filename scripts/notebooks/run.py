"""Runs the notebooks of docs/notebooks and compares what their cells print with what they say: `make notebooks`.

Usage: run.py [--record] [NAME ...]    --record writes what the cells print into the notebooks

A NAME is without ".ipynb". Without names all run but torch, which needs PyTorch (`make notebooks-torch`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).resolve().parents[2] / "docs/notebooks"
SECONDS = 1800  # for one cell: it may compile a Go package


def said(cell: Any) -> list[str]:
    """The texts that a cell printed or ended with."""
    outputs = cell.get("outputs", [])
    return [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]


def executed(notebook: Any) -> Any:
    """A copy of the notebook with fresh outputs, without what only a browser shows."""
    fresh = nbformat.from_dict(notebook)
    options = {"timeout": SECONDS, "kernel_name": "python3", "extra_arguments": ["--IPKernelApp.log_level=ERROR"]}
    NotebookClient(fresh, resources={"metadata": {"path": str(FOLDER)}}, **options).execute()
    for cell in fresh.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            if "data" in output:
                output["data"] = {"text/plain": output["data"]["text/plain"]}
    return fresh


def check(path: Path, record: bool) -> list[str]:
    """What is wrong with a notebook."""
    written = nbformat.read(path, as_version=4)
    try:
        fresh = executed(written)
    except CellExecutionError as error:
        return [f"{path.name}: a cell failed:\n{error}"]
    if record:
        nbformat.write(fresh, path)
        return []
    wrong = []
    for number, (old, new) in enumerate(zip(written.cells, fresh.cells)):
        if said(old) != said(new):
            wrong.append(f"{path.name}, cell {number}: the page says {said(old)}, the cell gave {said(new)}")
    return wrong


def main(arguments: list[str]) -> None:
    names = [name for name in arguments if name != "--record"]
    known = {path.stem for path in FOLDER.glob("*.ipynb")}
    if unknown := set(names) - known:
        sys.exit(f"run.py: no notebook {', '.join(sorted(unknown))}\n{__doc__}")
    wrong = []
    for name in names or sorted(known - {"torch"}):
        found = check(FOLDER / f"{name}.ipynb", "--record" in arguments)
        print(f"{'FAILED' if found else 'ok    '}  {name}", flush=True)
        wrong += found
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
