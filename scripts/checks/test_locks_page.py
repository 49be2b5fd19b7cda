"""docs/locks.md names every lock of the sources, and every file that uses atomic words."""

import re
from pathlib import Path

from repository import ROOT, source_files

SKIPPED = {"build", "cmd", "bench", "examples", "conformance", "tests", "testdata", "testenv", "fuzz", "scripts"}
C_LOCK = r"^\s*(?:static )?(?:pthread_(?:mutex|rwlock|cond|once|spinlock)_t|sem_t) (\w+)(?:\[\w+\])?(?: =|;)"
CXX_LOCK = r"^\s*(?:static )?std::(?:\w*mutex|once_flag|condition_variable\w*) (\w+);"
GO_LOCK = r"^\s*(?:var )?(\w+)\s+sync\.(?:Mutex|RWMutex|Cond|Once)\b(?!\()"
GO_EMBEDDED_LOCK = r"^var (\w+) struct \{\n\s*sync\.(?:RW)?Mutex$"
ATOMIC = r"__atomic_\w+\(|\batomic\.[A-Z]|std::atomic\b|BEGIN_CRITICAL_SECTION2?\("


def sources(root: Path) -> list[Path]:
    found = source_files(".c", ".h", ".cc", ".go", root=root)
    return [path for path in found if SKIPPED.isdisjoint(path.relative_to(root).parts) and "_test." not in path.name]


def name_of(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix().removeprefix("python/src/selfsame_ffi/")


def locks(root: Path) -> set[tuple[str, str]]:
    """(file, name) of each lock that a source declares."""
    patterns = (C_LOCK, CXX_LOCK, GO_LOCK, GO_EMBEDDED_LOCK)
    return {
        (name_of(path, root), name)
        for path in sources(root)
        for pattern in patterns
        for name in re.findall(pattern, path.read_text(), re.MULTILINE)
    }


def files_with_atomics(root: Path) -> set[str]:
    definers = {"_core/tie/interp.h"}  # defines the macros for critical sections
    return {name_of(path, root) for path in sources(root) if re.search(ATOMIC, path.read_text())} | definers


def missing(root: Path, page: str) -> list[str]:
    """The locks without a row of a table, and the files with atomic words that the page does not name."""
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    named = {
        (file, name) for row in rows for cell in row.split(" | ")[:1] for file, *names in groups(cell) for name in names
    }
    lost = [f"{file}: {name}" for file, name in sorted(locks(root) - named)]
    return lost + [file for file in sorted(files_with_atomics(root)) if f"`{file}`" not in page]


def groups(cell: str) -> list[list[str]]:
    """Each file in a table's cell with the names behind it."""
    found: list[list[str]] = []
    for word in re.findall(r"`([^`]+)`", cell):
        if re.search(r"\.(c|h|cc|go)$", word):
            found.append([word])
        elif found:
            found[-1].append(word)
    return found


def test_the_page_names_every_lock():
    assert missing(ROOT, (ROOT / "docs" / "locks.md").read_text()) == []


def test_the_page_names_no_lock_that_is_gone():
    page = (ROOT / "docs" / "locks.md").read_text()
    tables = re.findall(r"^\| lock \|.*?\n\n", page, re.MULTILINE | re.DOTALL)
    rows = [row.split(" | ")[0] for table in tables for row in table.splitlines()[2:]]
    assert len(rows) > 20
    known = locks(ROOT)
    for file, *names in (group for row in rows for group in groups(row)):
        for name in names:
            assert (file, name) in known, f"docs/locks.md: {file} has no lock {name}"


def test_the_page_names_no_file_that_is_gone():
    """Behind the tables the page may call a file by its last part."""
    page = (ROOT / "docs" / "locks.md").read_text()
    known = {name_of(path, ROOT) for path in sources(ROOT)}
    known |= {name.rsplit("/", 1)[-1] for name in known}
    assert set(re.findall(r"`([\w/]+\.(?:c|h|cc|go))`", page)) <= known


def test_a_new_lock_is_missed(tmp_path):
    (tmp_path / "a.c").write_text("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t c;\n")
    (tmp_path / "b.go").write_text(
        "var g struct {\n\tsync.Mutex\n}\nvar once sync.Once\ntype t struct {\n\tmu sync.RWMutex\n}\n"
    )
    (tmp_path / "c.h").write_text("static inline int f(int* p) { return __atomic_load_n(p, 0); }\n")
    (tmp_path / "d.cc").write_text("struct S {\n  std::mutex lock_;\n};\n")
    row = "| `a.c` `m`, `c`, `b.go` `g`, `once`, `mu`, `d.cc` `lock_` | x |\n\n`c.h` `_core/tie/interp.h`\n"
    assert missing(tmp_path, row) == []
    assert missing(tmp_path, row.replace("`m`, ", "")) == ["a.c: m"]
    assert missing(tmp_path, row.replace("`g`, ", "")) == ["b.go: g"]
    assert missing(tmp_path, row.replace("`lock_`", "")) == ["d.cc: lock_"]
    assert missing(tmp_path, row.replace("`c.h`", "")) == ["c.h"]
