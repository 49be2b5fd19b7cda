"""Private names of the published package that Apache TVM's Python code uses."""

from pathlib import Path

import pytest
import selfsame_ffi
from selfsame_ffi import libinfo, registry


# Requirement: F1
def test_numpy_names():
    numpy = pytest.importorskip("numpy")
    names = selfsame_ffi.dtype._NUMPY_DTYPE_TO_STR
    assert names[numpy.dtype("float32")] == "float32" and names[numpy.dtype(bool)] == "bool"
    assert numpy.dtype("complex64") not in names and selfsame_ffi.dtype._NUMPY_DTYPE_TO_STR is names


def test_unknown_classes_are_left_alone_on_request(monkeypatch):
    class Unknown(selfsame_ffi.Object):
        pass

    with pytest.raises(ValueError, match="no native type has the key 'sst.NotThere'"):
        selfsame_ffi.register_object("sst.NotThere")(Unknown)
    monkeypatch.setattr(registry, "_SKIP_UNKNOWN_OBJECTS", True)
    assert selfsame_ffi.register_object("sst.NotThere")(Unknown) is Unknown


def test_first_path_that_fits(tmp_path):
    (tmp_path / "b").mkdir()
    paths = [tmp_path / "a", tmp_path / "c" / ".." / "b"]
    assert libinfo._resolve_and_validate(paths, Path.is_dir) == str((tmp_path / "b").resolve())
    assert libinfo._resolve_and_validate(paths, lambda path: path / "x") == str((tmp_path / "a").resolve() / "x")
    assert libinfo._resolve_and_validate(paths, lambda path: False) is None

    def refuse(path):
        raise OSError(path)

    assert libinfo._resolve_and_validate(paths, refuse) is None
