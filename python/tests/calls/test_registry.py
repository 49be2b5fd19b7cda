"""Global functions, classes made at the first fetch, constructors made by reflection."""

# Requirement: A6

import os
import sys
import types

import pytest
import selfsame_ffi
from repository import SYSTEM_LIBRARY


def test_registered_function_is_found():
    function = selfsame_ffi.register_global_func("sst.py.add", lambda a, b: a + b)
    try:
        assert selfsame_ffi.get_global_func("sst.py.add") is function
        assert function(1, 2) == 3
        with pytest.raises(RuntimeError, match="sst.py.add"):
            selfsame_ffi.register_global_func("sst.py.add", lambda: None)
        other = selfsame_ffi.register_global_func("sst.py.add", lambda: 5, override=True)
        assert selfsame_ffi.get_global_func("sst.py.add") is other
        assert other() == 5
    finally:
        selfsame_ffi.remove_global_func("sst.py.add")
    assert selfsame_ffi.get_global_func("sst.py.add", allow_missing=True) is None
    with pytest.raises(ValueError, match="sst.py.add"):
        selfsame_ffi.get_global_func("sst.py.add")


def test_register_global_func_is_a_decorator():
    @selfsame_ffi.register_global_func("sst.py.one")
    def one():
        return 1

    @selfsame_ffi.register_global_func
    def sst_py_two():
        return 2

    try:
        assert one() == 1 and isinstance(one, selfsame_ffi.Function)
        assert selfsame_ffi.get_global_func("sst_py_two")() == 2
        assert {"sst.py.one", "sst_py_two"} <= set(selfsame_ffi.list_global_func_names())
    finally:
        selfsame_ffi.remove_global_func("sst.py.one")
        selfsame_ffi.remove_global_func("sst_py_two")


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError):
        selfsame_ffi.register_global_func(3)
    with pytest.raises(TypeError):
        selfsame_ffi.register_global_func("sst.py.bad", 3)
    with pytest.raises(TypeError):
        selfsame_ffi.get_global_func(3)


def test_function_has_metadata(native):
    metadata = selfsame_ffi.get_global_func_metadata("sst.add_one")
    assert "type_schema" in metadata


def test_init_ffi_api_fills_a_module(native):
    module = types.ModuleType("sst_module")
    sys.modules["sst_module"] = module
    try:
        selfsame_ffi.init_ffi_api("sst", "sst_module")
        assert module.add_one is native.add_one
        assert module.echo(3) == 3
    finally:
        del sys.modules["sst_module"]
    module.__dict__.clear()


# Requirement: A4
def test_type_keys_are_listed(native):
    keys = selfsame_ffi.get_registered_type_keys()
    assert "sst.Leaf" in keys and "ffi.Object" in keys


# Requirement: A5
def test_class_is_made_at_the_first_fetch(native):
    static = native.static_object
    assert type(static).__name__ == "Static"
    assert type(static).__module__ == "sst"
    assert isinstance(static, selfsame_ffi.Object)
    with pytest.raises(TypeError, match="no constructor"):
        type(static)()


# Requirement: A5
def test_constructor_is_made_from_the_fields(native):
    index = selfsame_ffi._core.type_key_to_index("sst.Auto")
    if selfsame_ffi._core.type_attr(index, "__ffi_init__") is None:
        pytest.skip("this runtime makes no constructors by itself")
    auto = native.Auto
    assert (auto(1).a, auto(1).b) == (1, 5)
    made = auto(1, b=3)
    assert (made.a, made.b) == (1, 3)
    assert auto(a=2).a == 2
    with pytest.raises(TypeError):
        auto(c=3)


def test_extension_binds_to_this_library(native):
    from pathlib import Path

    library = Path(native.symbol_library())
    assert library.name in ("libtvm_ffi.so", "libselfsame.so") and library.parts[-3:-1] != ("tvm_ffi", "lib")


def test_load_extension_refuses_other_files(tmp_path):
    with pytest.raises(ImportError, match="nothing.so"):
        selfsame_ffi.load_extension(tmp_path / "nothing.so")
    with pytest.raises(ImportError, match="SelfsameExtensionInit"):
        selfsame_ffi.load_extension(SYSTEM_LIBRARY)
    with open(os.devnull) as file:
        with pytest.raises(TypeError, match="load_extension: argument 'path': expected a path, got int"):
            selfsame_ffi.load_extension(file.fileno())
        os.fstat(file.fileno())  # it is still open


def test_load_extension_says_what_to_do_with_an_archive(tmp_path):
    archive = tmp_path / "packages.zip"
    archive.write_bytes(b"PK")
    with pytest.raises(
        ImportError, match=r"packages\.zip is an archive, and the system loads libraries from files only: unpack it"
    ):
        selfsame_ffi.load_extension(archive / "shop" / "_shop.so")


def test_extension_may_be_loaded_twice(native):
    selfsame_ffi.load_extension(native.path)
    assert selfsame_ffi.get_global_func("sst.echo") is native.echo


# Requirement: A5
def test_constructor_and_method_have_docs(native):
    assert native.Leaf.__init__.__doc__ == "Make a leaf."
    assert native.Leaf.twice.__doc__ == "Two times n."


@pytest.mark.parametrize("answer", ["the base", "no class"])
def test_metaclass_that_makes_no_new_class_is_refused(native, answer):
    class Meta(type):
        def __new__(meta, name, bases, namespace):
            if name != "SubLeaf":
                return super().__new__(meta, name, bases, namespace)
            return bases[0] if answer == "the base" else 5

    class Other(selfsame_ffi.Object, metaclass=Meta):
        __slots__ = ()

    core = selfsame_ffi._core
    selfsame_ffi.register_object("sst.Leaf")(Other)
    try:
        with pytest.raises(TypeError, match=r"^sst\.SubLeaf: the metaclass of Other .* class of its own"):
            selfsame_ffi._types.classes.make_class(core.type_key_to_index("sst.SubLeaf"))
        assert core.class_index(Other) == core.type_key_to_index("sst.Leaf") and "label" not in vars(Other)
    finally:
        core.register_class(core.type_key_to_index("sst.Leaf"), native.Leaf)


def test_the_class_of_tensors_may_have_attributes():
    # Requirement: F1
    numpy = pytest.importorskip("numpy")
    Tensor = selfsame_ffi.core._CLASS_TENSOR
    echo = selfsame_ffi.convert(lambda value: value)
    before = selfsame_ffi.from_dlpack(numpy.zeros(3))

    class Noted(Tensor):
        pass

    try:
        selfsame_ffi.core._set_class_tensor(Noted)
        made = selfsame_ffi.from_dlpack(numpy.zeros(3))
        made.note = 1
        assert type(made) is Noted and echo(made) is made and echo(made).note == 1
        assert type(before) is Tensor and echo(before) is before
    finally:
        selfsame_ffi.core._set_class_tensor(Tensor)
    assert type(made) is Noted and echo(made) is made
    assert type(selfsame_ffi.from_dlpack(numpy.zeros(3))) is Tensor

    class Other(selfsame_ffi.Object):
        pass

    with pytest.raises(ValueError, match="another layout"):
        selfsame_ffi.register_object("ffi.Tensor")(Other)
