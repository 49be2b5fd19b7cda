"""`make fuzz` runs every fuzzer of the repository, and names nothing that has moved."""

import re

from repository import ROOT, source_files

SCRIPT = (ROOT / "scripts" / "fuzz.sh").read_text()
LISTED = [line.split() for line in re.search(r'^fuzzers="\n(.*?)^"', SCRIPT, re.MULTILINE | re.DOTALL)[1].splitlines()]


def test_every_go_fuzzer_is_listed():
    written = set()
    for path in source_files("_test.go"):
        folder = path.parent.relative_to(ROOT)
        names = re.findall(r"^func (Fuzz\w+)\(f \*testing\.F\)", path.read_text(), re.MULTILINE)
        written |= {("." if folder.parts == () else f"./{folder.as_posix()}", name) for name in names}
    assert {(parts[1], parts[2]) for parts in LISTED if len(parts) == 3} == written


def test_every_harness_is_listed():
    written = {path.stem for path in (ROOT / "conformance" / "fuzz").glob("*.c")} - {"replay"}
    assert {parts[1] for parts in LISTED if len(parts) == 2 and not parts[1].endswith(".py")} == written


def test_every_program_in_python_is_listed():
    written = {str(path.relative_to(ROOT)) for path in (ROOT / "python" / "tests" / "support").glob("fuzz_*.py")}
    assert {parts[1] for parts in LISTED if parts[1].endswith(".py")} == written


def test_the_folders_of_headers_exist():
    folders = re.findall(r"-I(\S+?)[\s\"]", SCRIPT)
    assert folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
