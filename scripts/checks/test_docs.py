"""The documentation names files and functions that exist."""

import re

import pytest
from repository import ROOT, tracked_files

PAGES = [
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "RATIONALE.md")),
]
# Files that a build or a user makes.
MADE = {
    *("libselfsame.so", "libtvm_ffi.so", "kernels.so", "__init__.py", "_geo.so", "_<name>.so", "geo.go"),
    *("accounts.go", "accounts_test.go", "tests/test_accounts.py", "sitecustomize.py", "pybind11/stl.h"),
}
FILE = re.compile(r"`([\w./*-]+\.(?:go|c|h|cc|py|pyi|md|sh|svg|map))`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_files_exist(page):
    names = ["/" + name for name in tracked_files()]
    missing = []
    for name in FILE.findall(page.read_text()):
        if name in MADE:
            continue
        pattern = re.compile("/" + re.escape(name.removeprefix("./")).replace(r"\*", "[^/]*") + "$")
        if not any(pattern.search(path) for path in names):
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)  # no code
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


def test_flows_name_functions_of_their_files():
    """The tables of docs/architecture.md: `| 1 | file | function | ...`."""
    rows = re.findall(
        r"^\| \d \| (`[^|]+`) \| (`[^|]+`) \|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE
    )
    assert len(rows) >= 12
    names = tracked_files()
    for files, functions in rows:
        text = ""
        for file in re.findall(r"`([^`]+)`", files):
            found = [n for n in names if n == file or n.endswith("/" + file) or n.startswith(file.rstrip("/") + "/")]
            assert found, file
            text += "".join((ROOT / name).read_text() for name in found if name.endswith((".c", ".h", ".go", ".py")))
        for function in re.findall(r"`([^`]+)`", functions):
            assert re.search(rf"\b{function}\b", text), (files, function)
