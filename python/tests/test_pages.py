"""The guides' code: every Go block is part of a package that is built here, every Python block prints what it says."""

# Requirements: D1, D9, D10, D11

import shutil
import subprocess
import sys
from pathlib import Path

import origins
import page_blocks
import pytest
from repository import ROOT

DOCS = ROOT / "docs"
HERE = Path(__file__).parent
GEO = ROOT / "examples" / "geo"
SHOP = HERE / "shop" / "shop.go"
#: Each page with the files that its blocks of Go, C++ and Rust are parts of; other tests compile and run these.
PAGES = {
    "guide.md": [ROOT / "examples" / "compress" / "compress.go"],
    "from-gopy.md": [SHOP],
    "from-ctypes.md": [SHOP, HERE / "shop" / "prices" / "main.go"],
    "start.md": [GEO / "geo.go", GEO / "geo_test.go", GEO / "cpp" / "main.cc", GEO / "rust" / "src" / "main.rs"],
    "leaks.md": [SHOP],
    "threads-fork-signals.md": [SHOP],
}


@pytest.mark.parametrize("page", PAGES)
def test_compiled_code_is_that_of_a_tested_file(page):
    sources = [path.read_text() for path in PAGES[page]]
    found = [block for block in page_blocks.blocks(DOCS / page) if block.language in ("go", "cpp", "rust")]
    assert found
    for block in found:
        assert any(block.text in source for source in sources), block.text


def test_guide_has_all_of_its_package():
    """Nothing of examples/compress is left out, so that a reader who follows the guide has the same package."""
    left = PAGES["guide.md"][0].read_text()
    for block in page_blocks.blocks(DOCS / "guide.md"):
        if block.language == "go":
            left = left.replace(block.text, "")
    assert [line for line in left.split("\n") if line] == ["func init() {", "}"]


def test_languages_are_known():
    """A block of another language would be run by nothing. The commands of guide.md are run by `make newcomer`."""
    for page in PAGES:
        assert {block.language for block in page_blocks.blocks(DOCS / page)} <= {"go", "cpp", "rust", "python", "sh"}, (
            page
        )


@pytest.fixture(scope="module")
def folders(go_packages, tmp_path_factory):
    """The folders with the packages that the pages import, and the C library of from-ctypes.md."""
    try:
        compress = origins.compress()
    except origins.Unavailable as reason:
        pytest.skip(str(reason))
    library = tmp_path_factory.mktemp("pages")
    command = ["go", "build", "-buildmode=c-shared", "-o", str(library / "libprices.so"), "."]
    subprocess.run(command, cwd=HERE / "shop" / "prices", check=True, timeout=600)
    return [str(go_packages), str(compress)], library


@pytest.mark.skipif(shutil.which("go") is None, reason="go is not installed")
@pytest.mark.parametrize("page", PAGES)
def test_python_code_prints_what_the_page_says(page, folders):
    if page == "from-ctypes.md":
        pytest.importorskip("numpy")
    if page == "leaks.md" and not getattr(sys, "_is_gil_enabled", lambda: True)():
        pytest.skip("a free-threaded interpreter finds no owners outside")
    packages, cwd = folders
    command = [sys.executable, str(HERE / "page_program.py"), str(DOCS / page), *packages]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
