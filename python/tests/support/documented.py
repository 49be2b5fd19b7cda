"""The pages with code, and the files that their blocks of Go, C, C++, Rust and CMake are parts of.

page_program.py runs Python blocks, unless they are part of such a file; shell_blocks.py checks shell blocks.
"""

from __future__ import annotations

import re
from pathlib import Path

import page_blocks
from repository import FIXTURES, ROOT, tracked_files

CODE = FIXTURES / "pages"
GEO = ROOT / "examples" / "geo"
SHOP = CODE / "shop" / "shop.go"
BANK = [CODE / "bank" / name for name in ("bank.cc", "bank_pybind11.cc", "bank.py", "CMakeLists.txt")]
GUIDE = [CODE / "guide" / name for name in ("geo.go", "geo_test.go")]
TVM = [ROOT / "tvm" / name for name in ("example_test.go", "callback_test.go")]
COMPRESS = ROOT / "examples" / "compress" / "compress.go"
CPP, RUST = GEO / "cpp" / "main.cc", GEO / "rust" / "src" / "main.rs"
#: Each page with the files that its blocks are parts of; other tests compile and run these.
SOURCES: dict[str, list[Path]] = {
    "README.md": [GEO / "geo.go"],
    "docs/bindings.md": [RUST],
    "docs/c-api.md": [],
    "docs/clusters.md": [ROOT / "examples" / "search" / "cluster.py"],
    "docs/from-ctypes.md": [SHOP, CODE / "shop" / "prices" / "main.go"],
    "docs/from-gopy.md": [SHOP],
    "docs/from-pybind11.md": BANK,
    "docs/from-tvm-ffi.md": [],
    "docs/go-clients.md": [
        ROOT / "examples" / "structured" / "main.go",
        ROOT / "cmd" / "selfsame-ffi" / "testdata" / "use_foreign.go.txt",
    ],
    "docs/go-guide.md": GUIDE,
    "docs/go-ownership.md": [*GUIDE, SHOP],
    "docs/security.md": [],
    "docs/python-from-go.md": [
        ROOT / "host" / "python" / name
        for name in ("guide_test.go", "testdata/first/main.go", "testdata/typed/main.go", "embedded/testdata/main.go")
    ],
    "docs/python-guide.md": [],
    "docs/start.md": [GEO / "geo.go", GEO / "geo_test.go", CPP, RUST, COMPRESS],
    "docs/threads-fork-signals.md": [SHOP, *GUIDE],
    "docs/tvm-from-go.md": [ROOT / "examples" / "classify" / name for name in ("classifier.go", "model.py")] + TVM,
}
#: Whole programs by page and language, each with the test that takes it from the page and runs it.
PROGRAMS = {
    ("docs/bindings.md", "cpp"): FIXTURES.parent / "pages" / "test_pages.py",
    ("docs/c-api.md", "c"): ROOT / "cmd" / "libselfsame" / "library_test.go",
}


def is_tested(block: page_blocks.Block, page: str) -> bool:
    """Whether a block is part of a file of its page, or a program that a test takes from there."""
    test = PROGRAMS.get((page, block.language))
    return is_part(block, page) or (test is not None and Path(page).name in test.read_text())


def is_part(block: page_blocks.Block, page: str) -> bool:
    """Whether a block stands in the page's files, paragraph by paragraph, at any depth of tabs."""
    texts = [path.read_text() for path in SOURCES[page]]

    def stands(paragraph: str) -> bool:
        deeper = ["".join("\t" * depth + line for line in paragraph.splitlines(keepends=True)) for depth in range(3)]
        return any(f"\n{text}".find(f"\n{one}") >= 0 for text in texts for one in deeper)

    return all(stands(paragraph.lstrip("\n")) for paragraph in re.split(r"(?<=\n)\n+", block.text))


def python_blocks(page: str) -> list[str]:
    """The Python code of a page that is part of no file, in order."""
    found = page_blocks.blocks(ROOT / page)
    return [block.text for block in found if block.language == "python" and not is_part(block, page)]


def blocks(page: str, *languages: str) -> list[page_blocks.Block]:
    """The blocks of a page in some languages."""
    return [block for block in page_blocks.blocks(ROOT / page) if block.language in languages]


#: Text that is not documentation of this project.
_NO_PAGES = ("/testdata/", "/templates/")
WITH_CODE = [
    name
    for name in tracked_files()
    if name.endswith(".md") and not any(part in f"/{name}" for part in _NO_PAGES) and page_blocks.blocks(ROOT / name)
]
