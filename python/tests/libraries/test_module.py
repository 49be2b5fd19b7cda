"""Module: a loaded library and its functions."""

# Requirement: A9

import gc

import origins
import pytest
import selfsame_ffi
from selfsame_ffi import Module, load_module, system_lib


@pytest.fixture(scope="module")
def path():
    return origins.c("module")


@pytest.fixture(scope="module")
def module(path, native):
    """A module that stays loaded. All of its functions and types are wrapped here, so that no test is the first."""
    kept = load_module(path)
    kept.thing()
    for name in ("add_one", "main", "thing", "live"):
        getattr(kept, name)
    for module in (kept, system_lib(), system_lib("some_prefix"), system_lib("test_imports_")):
        assert len(module.imports) == 0
    return kept


@pytest.fixture(autouse=True)
def module_first(module):
    pass


def test_functions_are_found_by_name(module):
    assert module.add_one(3) == module["add_one"](3) == module.get_function("add_one")(3) == 4
    assert module(1, 2, 3) == 3 and module.entry_name == "main"
    assert module.implements_function("add_one") and not module.implements_function("nothing")
    for look in (lambda: module.nothing, lambda: module["nothing"], lambda: module.get_function("nothing")):
        with pytest.raises(AttributeError, match="no function 'nothing'"):
            look()
    with pytest.raises(TypeError, match="^Module: expected a str"):
        module[3]
    with pytest.raises(TypeError, match="takes an int"):
        module.add_one("x")


def test_module_describes_itself(module):
    assert module.kind == "library" and len(module.imports) == 0
    assert module.get_function_doc("add_one") == "Adds one." and module.get_function_doc("main") is None
    assert module.get_function_metadata("add_one") == {"type_schema": "x"}
    assert module.get_function_metadata("main") is None
    assert module.is_runnable() and module.is_binary_serializable() and not module.is_compilation_exportable()
    assert module.get_property_mask() == 3 and module.inspect_source() == "" and len(module.get_write_formats()) == 0
    with pytest.raises(RuntimeError, match="does not support"):
        module.write_to_file("nowhere.so")


def test_modules_and_their_functions_have_identity(module, native):
    assert native.echo(module) is module and selfsame_ffi.Array([module])[0] is module
    assert module.add_one is module.add_one and native.echo(module.add_one) is module.add_one
    assert system_lib() is system_lib() and system_lib("some_prefix") is system_lib("some_prefix")
    assert system_lib() is not module and type(system_lib()) is Module


def test_function_is_one_object_while_it_is_held(path):
    """Also for a module that does not stay loaded: the library has one function of each name."""
    module = load_module(path, keep_module_alive=False)
    first = module["add_one"]
    assert module["add_one"] is first and module.get_function("add_one") is first and module.add_one is first
    assert module["main"] is not first


def test_module_imports_modules(path):
    outer, inner = load_module(path, keep_module_alive=False), system_lib("test_imports_")
    outer.import_module(inner)
    assert outer.imports[0] is inner and len(outer.imports) == 1
    with pytest.raises(RuntimeError, match="Cyclic"):
        outer.import_module(outer)
    outer.clear_imports()
    assert len(outer.imports) == 0


def test_function_keeps_its_module(path, native):
    module = load_module(path, keep_module_alive=False)
    add_one = module.add_one
    native.keep(module)
    del module
    native.release()
    gc.collect()
    assert add_one(1) == 2


def test_object_outlives_its_module(path, native):
    """The library with the code of its deleter stays loaded."""
    module = load_module(path, keep_module_alive=False)
    before = module.live()
    thing = module.thing()
    native.keep(thing)
    first = id(thing)
    del module, thing
    gc.collect()
    assert id(native.kept(0)) == first
    native.release()
    assert load_module(path, keep_module_alive=False).live() == before


def test_module_keeps_its_state(path, native):
    module = load_module(path, keep_module_alive=False)
    module.note = "mine"
    native.keep(module)
    del module
    gc.collect()
    assert native.kept(0).note == "mine"
    native.release()


def test_failed_loads_are_errors(tmp_path):
    with pytest.raises(RuntimeError, match="Failed to load"):
        load_module(tmp_path / "nothing.so")
    with pytest.raises(RuntimeError):
        load_module("no_extension")
    with pytest.raises(TypeError):
        load_module(3)
    with pytest.raises(TypeError, match="load_module"):
        Module()
    with pytest.raises(RuntimeError, match="not initialised"):
        Module.__new__(Module).kind  # noqa: B018
