"""What `make api-diff` reads in the output of the two programs, and which breaks a fragment announces."""

# Requirement: F5

from __future__ import annotations

import re
from pathlib import Path

from scripts.api_diff import main

GO = """Incompatible changes:
- (*List[E]).Append: removed
- Leaks: changed from func() to func() error
"""
PYTHON = """python/src/selfsame_ffi/registry.py:247: check_library(path): Positional parameter was moved
python/src/selfsame_ffi/container.py:110: Dict.keys: Public object points to a different kind of object
"""


def test_broken_names_are_read() -> None:
    assert [name for name, _ in main.go_breaks(GO)] == ["(*List[E]).Append", "Leaks"]
    assert [name for name, _ in main.python_breaks(PYTHON)] == ["check_library", "Dict.keys"]


def test_methods_that_are_inherited_break_nobody() -> None:
    output = "a.py:0: dtype.__str__: Public object was removed\na.py:0: dtype.name: Public object was removed\n"
    assert [name for name, _ in main.python_breaks(output)] == ["dtype.name"]


def test_methods_of_another_class_break_nobody(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "a.py").write_text("class List:\n    index = Array.index\n    count = 3\n")
    monkeypatch.setattr(main, "ROOT", tmp_path)
    changed = "Public object points to a different kind of object: function -> attribute"
    output = f"a.py:2: List.index: {changed}\na.py:3: List.count: {changed}\n"
    assert [name for name, _ in main.python_breaks(output)] == ["List.count"]


def test_breaks_that_a_fragment_names_are_announced() -> None:
    breaks = main.go_breaks(GO) + main.python_breaks(PYTHON)
    assert len(main.unannounced(breaks, "")) == 4
    assert main.unannounced(breaks, "`List.Append`, `Leaks()`, `check_library` and `Dict.keys` change.") == []
    assert main.unannounced(breaks, "Leaks and `Append` change, `keys` too.") == [breaks[1][1], breaks[2][1]]


def test_baseline_is_a_commit() -> None:
    assert re.fullmatch("[0-9a-f]{40}\n", main.BASELINE.read_text())


def test_every_public_package_is_compared(tmp_path: Path) -> None:
    layers = (main.ROOT / "internal/layers/layers.go").read_text()
    public = re.findall(r'"([^"]*)"', re.search(r"var Public = \[\]string\{(.*)\}", layers)[1])
    assert main.released(main.ROOT) == list(main.PACKAGES)
    compared = {path.removeprefix(main.MODULE).lstrip("/") for path in main.PACKAGES}
    assert compared == set(public) - {"abi/include"}  # which embeds the C headers and has no interface in Go
    (tmp_path / "a.go").write_text("package selfsame\n")
    assert main.released(tmp_path) == [main.MODULE]
