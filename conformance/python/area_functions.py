"""Functions: calls in both directions, errors, global functions."""

# Requirement: A6

import functools
import gc

import tvm_ffi
from checks import case, check, equal, raises, same


@case
def echo_values() -> None:
    echo = tvm_ffi.convert(lambda x: x)
    for value in [None, True, False, 0, -1, 2**62, 1.5, "", "short", "a string of some length", b"", b"raw bytes here"]:
        equal(echo(value), value)
    check(isinstance(echo(True), bool))


@case
def many_arguments() -> None:
    f = tvm_ffi.convert(lambda *args: len(args))
    equal(f(), 0)
    equal(f(*range(20)), 20)


@case
def global_table() -> None:
    @tvm_ffi.register_global_func("conformance.py.add")
    def add(a: int, b: int) -> int:
        return a + b

    equal(tvm_ffi.get_global_func("conformance.py.add")(2, 3), 5)
    raises(Exception, "already registered", lambda: tvm_ffi.register_global_func("conformance.py.add", add))
    tvm_ffi.register_global_func("conformance.py.add", lambda a, b: a * b, override=True)
    equal(tvm_ffi.get_global_func("conformance.py.add")(2, 3), 6)
    check("conformance.py.add" in tvm_ffi.registry.list_global_func_names())
    tvm_ffi.remove_global_func("conformance.py.add")
    check(tvm_ffi.get_global_func("conformance.py.add", allow_missing=True) is None)
    raises(ValueError, "conformance.py.add", lambda: tvm_ffi.get_global_func("conformance.py.add"))


@case
def metadata_of_builtins() -> None:
    metadata = tvm_ffi.get_global_func_metadata("ffi.ArrayGetItem")
    schema = tvm_ffi.core.TypeSchema.from_json_str(metadata["type_schema"])
    check("int" in repr(schema))


@case
def callbacks() -> None:
    apply = tvm_ffi.convert(lambda f, x: f(f(x)))
    equal(apply(lambda x: x + 1, 5), 7)
    kept = tvm_ffi.convert(lambda: 3)
    equal(apply(lambda f: f, kept)(), 3)


@case
def exceptions_keep_kind_and_message() -> None:
    def fail(kind: type[Exception]) -> None:
        raise kind("told so")

    for kind in [ValueError, TypeError, KeyError, IndexError, RuntimeError, AttributeError, AssertionError]:
        raises(kind, "told so", lambda kind=kind: tvm_ffi.convert(lambda: fail(kind))())


@case
def exceptions_of_the_library() -> None:
    item = tvm_ffi.get_global_func("ffi.ArrayGetItem")
    raises(IndexError, "Index 3 out of bounds 1", lambda: item(tvm_ffi.Array([1]), 3))
    raises(TypeError, "Mismatched type on argument #0", lambda: item(1, 2))
    raises(TypeError, "Expected 2 but got 1 arguments", lambda: item(tvm_ffi.Array([1])))


@case
def testing_library() -> None:
    # Functions of a C++ library of the package, which is linked to the library under test.
    raises(ValueError, "boom", lambda: tvm_ffi.get_global_func("testing.test_raise_error")("ValueError", "boom"))
    equal(tvm_ffi.get_global_func("testing.echo")("through C++"), "through C++")
    equal(tvm_ffi.get_global_func("testing.apply")(lambda x: x * 2, 21), 42)
    equal(tvm_ffi.get_global_func("testing.add_one")(1), 2)


@case
def objects_pass_through() -> None:
    echo = tvm_ffi.get_global_func("testing.echo")
    array = tvm_ffi.Array([1, "two"])
    same(echo(array), array)
    same(tvm_ffi.convert(lambda x: x)(array), array)


@case
def opaque_values() -> None:
    class Mine:
        pass

    mine = Mine()
    check(tvm_ffi.convert(lambda x: x)(mine) is mine)


@case
def functions_are_released() -> None:
    class Token:
        alive = 0

        def __init__(self) -> None:
            Token.alive += 1

        def __del__(self) -> None:
            Token.alive -= 1

    f = tvm_ffi.convert(functools.partial(lambda token: token is not None, Token()))
    check(f())
    equal(Token.alive, 1)
    del f
    gc.collect()
    equal(Token.alive, 0)
