"""Pickled and copied errors, exceptions and functions; refusals."""

# Requirement: C11

import copy
import gc
import pickle

import pytest
import selfsame_ffi
from round_trips import PROTOCOLS, pickled

# ---- errors ----


def test_errors_are_copied(native, again):
    frames = '  File "f.cc", line 3, in g\n'
    error = selfsame_ffi.Error("ValueError", "text", frames, selfsame_ffi.Error("KeyError", "cause"))
    made, cause = again([error, error.cause])
    assert (made.kind, made.message, made.backtrace) == ("ValueError", "text", frames)
    assert made.cause is cause and cause.kind == "KeyError" and made is not error


def test_exceptions_of_native_code_keep_their_error(native, again):
    with pytest.raises(ValueError) as info:
        native.throw_with_frames()
    made = again(info.value)
    assert type(made) is ValueError and made.args == info.value.args
    told = made.__tvm_ffi_error__
    assert (told.kind, told.message) == ("ValueError", "with frames")
    assert told.backtrace == info.value.__tvm_ffi_error__.backtrace and "inner.cc" in told.backtrace
    with pytest.raises(RuntimeError) as info:
        native.throw("NeverHeardOf", "strange")
    assert again(info.value).__tvm_ffi_error__.kind == "NeverHeardOf"
    info = None


def test_exception_keeps_its_cause(native, again):
    with pytest.raises(ValueError) as info:
        native.throw_with_cause()
    made = again(info.value)
    assert made.__tvm_ffi_error__.cause.kind == "KeyError"


def test_exceptions_of_python_are_copied(native, again):
    def fails(_):
        raise LookupError("from Python", 3)

    with pytest.raises(LookupError) as info:
        native.apply(fails, 1)
    made = again(info.value)
    assert type(made) is LookupError and made.args == ("from Python", 3)
    value = native.catch_value(lambda: fails(1))
    told = again(value)
    assert told.kind == "LookupError" and told.backtrace == value.backtrace and ", in fails\n" in told.backtrace
    assert type(told.py_error()) is LookupError
    info = value = None
    gc.collect()


# ---- functions ----


def test_global_functions_are_pickled_by_name(native):
    for protocol in PROTOCOLS:
        assert pickled(native.echo, protocol) is native.echo
        assert pickled([native.echo, native.leaf], protocol) == [native.echo, native.leaf]
    plain = native.Plain()
    plain.any = native.echo
    assert pickled(plain).any is native.echo
    data = pickle.dumps(selfsame_ffi.register_global_func("sst.py.gone", lambda: None))
    selfsame_ffi.remove_global_func("sst.py.gone")
    with pytest.raises(ValueError, match=r"sst\.py\.gone"):
        pickle.loads(data)


def test_closures_are_not_pickled(native):
    closure = selfsame_ffi.convert(lambda: 1)
    plain = native.Plain()
    plain.any = closure
    for value in (closure, [closure], plain):
        with pytest.raises(TypeError, match="global name"):
            pickle.dumps(value)
    assert copy.copy(closure) is closure and copy.deepcopy(closure) is closure
    assert copy.deepcopy(plain).any is closure


def test_bound_methods_are_pickled(native):
    opened = native.Open()
    opened.a = 5
    assert pickled(opened.plus)(3) == 8
    with pytest.raises(TypeError, match="sst.Leaf"):
        pickle.dumps(native.Leaf(1).add)


# ---- refusals ----


def test_objects_without_a_constructor_are_refused(native):
    for value, match in (
        (native.Leaf(1), r"sst\.Leaf: .*without arguments"),
        (native.Picky(1), r"sst\.Picky"),
        (native.Node(None), r"sst\.Node"),
    ):
        with pytest.raises(TypeError, match=match):
            pickle.dumps(value)
    with pytest.raises(TypeError, match="copy"):
        copy.deepcopy(native.static_object)
    with pytest.raises(TypeError, match="copy"):
        copy.copy(native.static_object)


def test_uninitialised_objects_are_refused(native):
    raw = native.Plain.__new__(native.Plain)
    for use in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(RuntimeError, match="not initialised"):
            use(raw)


def test_state_of_a_live_object_is_not_replaced(native):
    plain = native.Plain()
    plain.i = 1
    for state in ({}, {"i": 2}, (None, {}), None):
        with pytest.raises(TypeError, match="__setstate__"):
            plain.__setstate__(state)
    assert plain.i == 1


def test_damaged_pickles_are_refused(native):
    plain = native.Plain()
    data = pickle.dumps(plain, 2)
    for broken, match in (
        (data.replace(b"sst.Plain", b"sst.Plaim"), "no native type has the key 'sst.Plaim'"),
        (data.replace(b"sst.Plain", b"sst.Picky"), "constructor"),
        (data.replace(b"anyq", b"anxq"), "field 'anx'"),
    ):
        assert broken != data
        with pytest.raises((ValueError, TypeError), match=match):
            pickle.loads(broken)
    broken = data.replace(b"X\x01\x00\x00\x00iq", b"X\x01\x00\x00\x00fq")
    pickle.loads(broken)
    for cut in range(len(data)):
        with pytest.raises(Exception):  # noqa: B017
            pickle.loads(data[:cut])


def test_failure_leaves_no_reference(native, classes):
    class Unfit:
        def __reduce__(self):
            raise LookupError("not this one")

        def __deepcopy__(self, memo):
            raise LookupError("not this one")

    opened = classes.Tagged()
    opened.a, opened.note = native.Plain(), Unfit()
    for use in (pickle.dumps, copy.deepcopy):
        with pytest.raises(LookupError):
            use([opened, opened.a])
    assert native.owners(opened) == 1


def test_too_long_a_chain_is_a_recursion_error(native):
    first = plain = native.Plain()
    for _ in range(20000):
        plain.x = native.Plain()
        plain = plain.x
    del plain
    for use in (pickle.dumps, copy.deepcopy):
        with pytest.raises(RecursionError):
            use(first)
    while first is not None:
        first = first.x
