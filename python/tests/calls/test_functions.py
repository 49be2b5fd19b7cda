"""Global functions have identity: those of the runtime, static initialisers, Python and preloaded libraries."""

# Requirement: C5

import gc
import os
import subprocess
import sys
import textwrap

import origins
import pytest
import selfsame_ffi
from selfsame_ffi import get_global_func


def check_one_function(name: str, native) -> None:
    function = get_global_func(name)
    assert get_global_func(name) is function and native.echo(function) is function
    first = id(function)
    del function
    gc.collect()
    assert id(get_global_func(name)) == first


def test_runtime_function_has_identity(native):
    check_one_function("ffi.ArraySize", native)


@pytest.fixture(scope="module", autouse=True)
def static_initialisers(native):
    """Global functions are never freed. Their wrappers are kept alive, so that no test creates one."""
    selfsame_ffi.load_module(origins.cpp("installed"))
    return [get_global_func(name) for name in selfsame_ffi.list_global_func_names()]


def test_function_of_a_static_initialiser_has_identity(native, static_initialisers):
    static_initialisers.clear()
    for name in ("echo", "make", "live"):
        check_one_function(f"cpp_installed.{name}", native)
    static_initialisers.extend(get_global_func(name) for name in selfsame_ffi.list_global_func_names())


@pytest.fixture
def registered(native):
    names = []

    def register(name, function):
        names.append(name)
        return selfsame_ffi.register_global_func(name, function)

    yield register
    for name in names:
        selfsame_ffi.remove_global_func(name)


def test_function_of_python_has_identity(registered, native):
    function = registered("sst.py.python", lambda x: x)
    assert get_global_func("sst.py.python") is function
    check_one_function("sst.py.python", native)


def test_function_with_two_names_is_one_object(registered, native):
    function = registered("sst.py.one", lambda x: x)
    assert registered("sst.py.two", function) is function
    assert get_global_func("sst.py.one") is get_global_func("sst.py.two") is function


def test_override_replaces_the_function(registered):
    first = registered("sst.py.changes", lambda: 1)
    selfsame_ffi.register_global_func("sst.py.changes", lambda: 2, override=True)
    assert get_global_func("sst.py.changes") is not first
    assert (first(), get_global_func("sst.py.changes")()) == (1, 2)


def test_removed_function_can_be_called(native):
    function = selfsame_ffi.register_global_func("sst.py.removed", lambda x: x)
    selfsame_ffi.remove_global_func("sst.py.removed")
    assert get_global_func("sst.py.removed", allow_missing=True) is None
    assert function(3) == 3 and native.echo(function) is function


def test_function_registered_before_python_started_has_identity(tmp_path):
    """The constructor of a preloaded library registers it."""
    code = """
        import gc, selfsame_ffi
        f = selfsame_ffi.get_global_func("early.echo")
        assert f is selfsame_ffi.get_global_func("early.echo") and f(f) is f and f(3) == 3
        array = selfsame_ffi.Array([f])
        assert array[0] is f
        first = id(f)
        del f
        gc.collect()
        assert id(selfsame_ffi.get_global_func("early.echo")) == id(array[0]) == first
        print("the same")
    """
    preload = ":".join(filter(None, [os.environ.get("LD_PRELOAD", ""), str(origins.c("early"))]))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "LD_PRELOAD": preload, "EARLY_LIBRARY": selfsame_ffi._load.runtime.library_path()},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.stdout == "the same\n", done.stderr[-3000:]


def test_repr_names_a_function(native):
    assert repr(get_global_func("ffi.Map")).startswith("<selfsame_ffi.Function ffi.Map at 0x")
    local = selfsame_ffi.convert(lambda value: value)
    assert repr(local).startswith("<selfsame_ffi.Function object at 0x")

    def of_a_function(value):
        return value

    selfsame_ffi.register_global_func("test.repr.of_a_function", of_a_function, override=True)
    assert "test.repr.of_a_function" in repr(get_global_func("test.repr.of_a_function"))
    declared = selfsame_ffi.function("test.repr.of_a_function")(of_a_function)
    assert "test_repr_names_a_function.<locals>.of_a_function at 0x" in repr(declared)
    selfsame_ffi.register_global_func("test.repr.again", get_global_func("ffi.Map"))
    assert " ffi.Map at 0x" in repr(get_global_func("test.repr.again"))  # the first name
    selfsame_ffi.remove_global_func("test.repr.again")
    selfsame_ffi.remove_global_func("test.repr.of_a_function")
