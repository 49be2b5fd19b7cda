"""Builds of native extensions whose files were cut: by a full disk, a killed process, a machine that stopped."""

# Requirements: D12, I13

import os
import shutil
import subprocess

import pytest
from selfsame_ffi._load import whole_files as _whole_files
from selfsame_ffi.cpp import _products, build

SOURCE = 'extern "C" int own() { return 5; }\n'


@pytest.fixture
def compiled(tmp_path):
    """How to build a library of two sources, and the folder of the build."""
    if shutil.which("ninja") is None or shutil.which("c++") is None:
        pytest.skip("needs ninja and a C++ compiler")
    (tmp_path / "code.cc").write_text(SOURCE)
    (tmp_path / "more.cc").write_text(SOURCE.replace("own", "more"))
    folder = tmp_path / "made"
    sources = [str(tmp_path / "code.cc"), str(tmp_path / "more.cc")]
    return lambda: build("own", sources=sources, build_directory=str(folder)), folder


def _whole(library):
    return subprocess.run(["nm", "-D", library], capture_output=True, text=True).stdout.count(" T own")


@pytest.mark.parametrize("cut", [["own.so"], ["cxx_0.o"], ["own.so", "cxx_0.o", "cxx_1.o"], [".ninja_log", "own.so"]])
def test_a_file_that_was_cut_is_made_again(compiled, cut):
    run, folder = compiled
    library = run()
    for name in cut:
        os.truncate(folder / name, (folder / name).stat().st_size // 2)
    if "own.so" not in cut:
        (folder / "own.so").unlink()
    assert run() == library
    assert _whole(library)


def test_a_file_of_the_same_size_with_other_bytes_is_made_again(compiled):
    run, folder = compiled
    library = run()
    size = os.path.getsize(library)
    (folder / "own.so").write_bytes(bytes(size))
    run()
    assert _whole(library)


@pytest.mark.parametrize("record", [None, "", "[1]", '{"own.so": 7}'])
def test_a_build_of_another_release_or_with_a_cut_record_is_made_again(compiled, record):
    run, folder = compiled
    library = run()
    (folder / "own.so").write_bytes(b"cut")
    if record is None:
        (folder / _products._RECORD).unlink()
    else:
        (folder / _products._RECORD).write_text(record)
    run()
    assert _whole(library)


def test_what_is_whole_is_not_compiled_again(compiled, tmp_path):
    run, folder = compiled
    run()
    first = {name: (folder / name).stat().st_mtime_ns for name in ("own.so", "cxx_0.o", "cxx_1.o")}
    run()
    assert first == {name: (folder / name).stat().st_mtime_ns for name in first}
    (tmp_path / "code.cc").write_text(SOURCE.replace("5", "6"))
    (tmp_path / "more.cc").write_text("no C++")
    with pytest.raises(RuntimeError, match="ninja exited with status"):
        run()
    made = (folder / "cxx_0.o").stat().st_mtime_ns
    (tmp_path / "more.cc").write_text(SOURCE.replace("own", "more"))
    run()
    assert (folder / "cxx_0.o").stat().st_mtime_ns == made


def test_files_are_replaced_whole(tmp_path, monkeypatch):
    path, link = tmp_path / "file", tmp_path / "link"
    assert _whole_files.write_whole(path, "one") and not _whole_files.write_whole(path, b"one")
    os.chmod(path, 0o600)
    link.symlink_to("file")
    with path.open("rb") as reader:
        assert _whole_files.write_whole(link, "two")
        assert reader.read() == b"one"  # the old file, whole
    assert link.is_symlink() and path.read_text() == "two" and path.stat().st_mode & 0o777 == 0o600

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="No space left"):
        _whole_files.write_whole(path, "three")
    assert path.read_text() == "two" and sorted(os.listdir(tmp_path)) == ["file", "link"]
    with pytest.raises(IsADirectoryError):
        _whole_files.write_whole(tmp_path, "x")
    if os.path.exists("/dev/full"):
        with pytest.raises(OSError, match="No space left"):
            _whole_files.write_whole("/dev/full", "x")
