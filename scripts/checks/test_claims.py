"""Lists that pages give in full: packages in architecture.md, targets in CONTRIBUTING.md, files in doc.go."""

import re
from pathlib import Path, PurePosixPath

import pytest
from repository import ROOT, tracked_files

#: Folders that no user's program contains: tests, examples and measurements.
OUTSIDE = {"bench", "conformance", "docs", "examples", "fixtures", "scripts", "testdata", "tests"}


def rooms() -> set[str]:
    """The folders with Go or C code of the product, without the insides of the tool."""
    found = set()
    for name in map(PurePosixPath, tracked_files()):
        if name.suffix in (".go", ".c", ".cc") and not name.stem.endswith("_test") and not OUTSIDE & set(name.parts):
            found.add(name.parent.as_posix() + "/")
    return {room for room in found if room != "./" and not room.startswith("cmd/selfsame-ffi/internal/")}


def missing_rooms(page: str) -> list[str]:
    named = set(re.findall(r"`([\w/.-]+/)`", page))
    layers = {f"python/src/selfsame_ffi/_core/{layer}" for layer in named}
    return sorted(rooms() - named - layers)


def test_each_package_and_room_is_listed():
    assert missing_rooms((ROOT / "docs" / "architecture.md").read_text()) == []


def test_a_room_that_is_not_listed_is_found():
    page = (ROOT / "docs" / "architecture.md").read_text()
    assert missing_rooms(page.replace("`internal/plane/`", "").replace("`gc/`", "")) == [
        "internal/plane/",
        "python/src/selfsame_ffi/_core/gc/",
    ]


def targets(makefile: str) -> list[str]:
    """The targets with a description."""
    return re.findall(r"^([a-z0-9-]+):.*## ", makefile, re.MULTILINE)


def rows(page: str) -> list[str]:
    """The targets in the first column of the table."""
    return re.findall(r"`([a-z0-9-]+)`", " ".join(re.findall(r"^\| (`[^|]*) \|", page, re.MULTILINE)))


def test_each_target_has_a_row():
    assert sorted({*rows((ROOT / "CONTRIBUTING.md").read_text())} - {"make"}) == sorted(
        targets((ROOT / "Makefile").read_text())
    )


LISTED = re.compile(r"\b([a-z_]+(?:\*)?\.go)\b")


@pytest.mark.parametrize(
    "page",
    [ROOT / name for name in tracked_files() if name.endswith("doc.go") and "//   - " in (ROOT / name).read_text()],
)
def test_list_of_files_has_all(page: Path):
    """A package whose doc.go lists its files lists each."""
    named = LISTED.findall("\n".join(re.findall(r"^//   - .*(?:\n//     .*)*", page.read_text(), re.MULTILINE)))
    if not named:
        return
    files = {path.name for path in page.parent.glob("*.go") if not path.name.endswith("_test.go")} - {page.name}
    patterns = {name for name in named if "*" in name}
    covered = {file for file in files if any(PurePosixPath(file).match(pattern) for pattern in patterns)}
    assert sorted(files - covered) == sorted({*named} - patterns)
