"""RATIONALE.md: its contents are up to date, its lines are wrapped, each pointer to one of its sections finds it."""

import re
from pathlib import Path

from repository import ROOT, check_generated, tracked_files

from scripts import rationale_contents

SUFFIXES = {".c", ".h", ".cc", ".go", ".py", ".md", ".sh", ".rs"}
# The file name, a comma and the title in quotes; the title may be broken over two lines of a comment.
POINTER = re.compile(r'RATIONALE(?:\.md)?,\s*(?:(?://|#|\*)\s*)?"(Why[^"]+)"')


# `PATH says why`, and a reason in such a file.
SAYS_WHY = re.compile(r"((?:\w[\w.-]*/)+[\w-]+\.\w+) says why\b")
REASON = re.compile(r"^\s*(?://|#|\*)?\s*(?:Why|Which|How|When) [^.\n]", re.MULTILINE)


def sources():
    return [ROOT / name for name in tracked_files() if Path(name).suffix in SUFFIXES and (ROOT / name).is_file()]


def one_line(title: str) -> str:
    return re.sub(r"\s*\n\s*(?://|#|\*)?\s*", " ", title).strip()


def test_contents_are_up_to_date():
    check_generated("rationale_contents")


def test_lines_are_wrapped():
    lines = (ROOT / "RATIONALE.md").read_text().splitlines()
    assert [line for line in lines if len(line) > 125 and not re.match(r"\s*\* \[|#|\|", line)] == []


def test_pointers_name_sections():
    titles = {title for _, title in rationale_contents.headings((ROOT / "RATIONALE.md").read_text())}
    pointers = [(path, one_line(title)) for path in sources() for title in POINTER.findall(path.read_text())]
    missing = [f"{path.relative_to(ROOT)}: {title}" for path, title in pointers if title not in titles]
    assert missing == []
    # Files that point here, so that a reader who asks why finds the answer: fewer means that pointers were lost.
    assert len({path for path, _ in pointers}) >= 20


def test_files_that_say_why_do():
    """A comment ends with `PATH says why.`, and that file has a comment that begins so."""
    wrong = []
    for path in sources():
        for named in SAYS_WHY.findall(path.read_text()):
            answer = ROOT / named
            if not answer.is_file() or not REASON.search(answer.read_text()):
                wrong.append(f"{path.relative_to(ROOT)}: {named}")
    assert wrong == []


def test_page_is_short():
    """A reason with one place in the sources belongs there."""
    assert len((ROOT / "RATIONALE.md").read_bytes()) <= 45 * 1024
