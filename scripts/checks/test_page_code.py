"""The code of all pages: compiled code is part of a tested file, no block is left out."""

import documented
import page_blocks
import pytest
import shell_blocks
from repository import ROOT

COMPILED = ("c", "cpp", "cmake", "go", "rust")
HANDLED = {*COMPILED, "python", "sh", "console", "text"}


@pytest.mark.parametrize("page", documented.WITH_CODE)
def test_no_block_is_left_out(page):
    """A page with code has its files in documented.SOURCES, and no code in a language that no test here knows."""
    found = page_blocks.blocks(ROOT / page)
    assert {block.language for block in found} <= HANDLED
    if documented.blocks(page, *COMPILED, "python"):
        assert page in documented.SOURCES, f"{page} has code: put it into documented.SOURCES"
    assert ROOT.joinpath(page).read_text().count("\n```") == 2 * len(found), "a block that page_blocks does not see"


def test_every_page_with_files_has_code():
    """No entry of documented.SOURCES is left from a page that has no code any more."""
    assert set(documented.SOURCES) <= set(documented.WITH_CODE)


@pytest.mark.parametrize("page", documented.SOURCES)
def test_compiled_code_is_that_of_a_tested_file(page):
    assert [block.text for block in documented.blocks(page, *COMPILED) if not documented.is_tested(block, page)] == []


def test_guide_has_all_of_its_package():
    """Nothing of examples/compress is left out, so that a reader who follows docs/start.md has the same package."""
    left = documented.COMPRESS.read_text()
    for block in documented.blocks("docs/start.md", "go"):
        left = left.replace(block.text, "")
    assert [line for line in left.split("\n") if line] == ["func init() {", "}"]


def test_commands_are_found_in_scripts():
    text = (
        "A=1 go build . # comment\npython -c '\nimport x\n' < in > out\ng++ a.cc $(selfsame-ffi-config --libs) -o a\n"
    )
    assert shell_blocks.commands(text) == [
        ["go", "build", "."],
        ["python", "-c", "\nimport x\n"],
        ["selfsame-ffi-config", "--libs"],
        ["g++", "a.cc", "$", "-o", "a"],
    ]
