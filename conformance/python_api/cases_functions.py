"""Functions, errors and the registry."""

import copy
import pickle

from package import core, ffi


class Custom(Exception):
    pass


def raising(error):
    def function(*args):
        raise error

    return ffi.convert(function)


def caught(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__, str(error), error.__cause__ is None
    return None


def registered(name, **options):
    return ffi.register_global_func(name, **options)


def registered_and_called():
    @ffi.register_global_func("cases.twice", override=True)
    def twice(number):
        return 2 * number

    return twice(4), ffi.get_global_func("cases.twice")(5)


add = ffi.convert(lambda a, b: a + b)
NATIVE = ffi.get_global_func("ffi.ArraySize")

CASES = {
    "call": lambda: add(1, 2),
    "call text": lambda: add("a", "b"),
    "call too few": lambda: add(1),
    "call keyword": lambda: add(1, b=2),
    "call native": lambda: NATIVE(ffi.Array([1, 2])),
    "call native wrong type": lambda: NATIVE(1),
    "call native none": lambda: NATIVE(None),
    "call native too few": lambda: NATIVE(),
    "call native too many": lambda: NATIVE(ffi.Array([1]), 2),
    "raise value error": lambda: raising(ValueError("text"))(),
    "raise type error": lambda: raising(TypeError("text"))(),
    "raise key error": lambda: raising(KeyError("text"))(),
    "raise index error": lambda: raising(IndexError("text"))(),
    "raise runtime error": lambda: raising(RuntimeError("text"))(),
    "raise attribute error": lambda: raising(AttributeError("text"))(),
    "raise memory error": lambda: raising(MemoryError("text"))(),
    "raise not implemented": lambda: raising(NotImplementedError("text"))(),
    "raise zero division": lambda: raising(ZeroDivisionError("text"))(),
    "raise custom": lambda: raising(Custom("text"))(),
    "raise stop iteration": lambda: raising(StopIteration("text"))(),
    "raise os error": lambda: raising(OSError(2, "text"))(),
    "raise without a message": lambda: raising(ValueError())(),
    "raise two arguments": lambda: caught(lambda: raising(ValueError("a", 1))()),
    "function repr": lambda: add,
    "function type": lambda: type(add).__name__,
    "function same": lambda: add.same_as(add),
    "function is callable": lambda: callable(add),
    "function equal": lambda: (add == add, hash(add) == hash(add)),  # noqa: PLR0124
    "function attribute": lambda: add.missing,
    "function copy": lambda: copy.copy(add) is not None,
    "function pickle": lambda: type(pickle.loads(pickle.dumps(NATIVE))).__name__,
    "function release_gil": lambda: add.release_gil,
    "get missing": lambda: ffi.get_global_func("no.such.function"),
    "get missing allowed": lambda: ffi.get_global_func("no.such.function", allow_missing=True),
    "get number": lambda: ffi.get_global_func(5),
    "register": registered_and_called,
    "register twice": lambda: [registered("cases.once", f=lambda: 1) and 1 for _ in range(2)],
    "register not callable": lambda: ffi.register_global_func("cases.number", 5),
    "remove": lambda: (registered_and_called(), ffi.remove_global_func("cases.twice"))[1],
    "remove missing": lambda: ffi.remove_global_func("no.such.function"),
    "metadata": lambda: sorted(ffi.get_global_func_metadata("ffi.ArraySize")),
    "metadata missing": lambda: ffi.get_global_func_metadata("no.such.function"),
    "registry list": lambda: "ffi.ArraySize" in ffi.registry.list_global_func_names(),
    "init_ffi_api": lambda: ffi.init_ffi_api("no.such.module"),
    "error": lambda: ffi.core.Error("ValueError", "message", "backtrace"),
    "error parts": lambda: (lambda e: (e.kind, e.message, e.backtrace))(core.Error("Kind", "message", "trace")),
    "error python": lambda: core.Error("ValueError", "message", "").py_error(),
    "error python unknown kind": lambda: core.Error("NoSuchKind", "message", "").py_error(),
    "error raised": lambda: caught(lambda: add(core.Error("ValueError", "message", ""), 1)),
    "error too few": lambda: core.Error("ValueError"),
    "error wrong": lambda: core.Error(1, 2, 3),
    "error pickle": lambda: pickle.loads(pickle.dumps(core.Error("ValueError", "message", "trace"))).message,
    "register_error not a class": lambda: ffi.register_error("Kind", 5),
    "register_error": lambda: ffi.register_error("CasesError", Custom).__name__,
    "register_object unknown": lambda: ffi.register_object("no.such.type"),
    "register_object unknown class": lambda: ffi.register_object("no.such.type")(type("C", (ffi.Object,), {})),
    "load missing": lambda: caught(lambda: ffi.load_module("/no/such/file.so"))[0],
    "system_lib": lambda: type(ffi.system_lib()).__name__,
    "system_lib missing function": lambda: ffi.system_lib().get_function("missing"),
    "system_lib missing attribute": lambda: ffi.system_lib().missing,
    "object": lambda: ffi.Object(),
    "object repr": lambda: core.Object.__new__(core.Object),
    "function made": lambda: core.Function(),
    "callback keeps identity": lambda: (lambda a: ffi.convert(lambda x: x is a)(a))(ffi.Array([1])),
    "nested callback": lambda: ffi.convert(lambda f: f(3))(ffi.convert(lambda n: n + 1)),
    "variadic": lambda: ffi.convert(lambda *args: len(args))(*range(20)),
    "return none": lambda: ffi.convert(lambda: None)(),
    "return list": lambda: ffi.convert(lambda: [1, [2]])(),
    "return dict": lambda: ffi.convert(lambda: {"a": 1})(),
}
