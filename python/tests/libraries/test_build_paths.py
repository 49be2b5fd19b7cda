"""Builds of native extensions below folders whose names a shell or ninja would read otherwise."""

# Requirement: D12

import shutil

import pytest
from selfsame_ffi.cpp import _ninja, build

NAMES = ["a b", "it's", 'a "b"', "a,b", "$HOME `x` $$", "a;b&c", "a:b", "#%(x)"]


@pytest.mark.parametrize("name", NAMES)
def test_every_path_is_one_word(tmp_path, name):
    if shutil.which("ninja") is None or shutil.which("c++") is None:
        pytest.skip("needs ninja and a C++ compiler")
    folder = tmp_path / name
    (folder / "include").mkdir(parents=True)
    (folder / "include" / "own.h").write_text("#define OWN 5\n")
    (folder / "code.cc").write_text('#include "own.h"\nextern "C" int own() { return OWN; }\n')
    made = build(
        "own",
        sources=[str(folder / "code.cc")],
        extra_include_paths=[str(folder / "include")],
        build_directory=str(folder / "made"),
    )
    assert made == str(folder / "made" / "own.so")


@pytest.mark.parametrize("path", ["/a\nb", "/a\rb", "/a\0b"])
def test_a_path_with_a_line_end_is_refused(path):
    for writer in (_ninja.escape, _ninja.word):
        with pytest.raises(ValueError, match="cpp.build: expected a path without line ends, got "):
            writer(path)
