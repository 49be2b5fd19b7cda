"""Functions of C symbols, given by their addresses, as JIT compilers give them."""

# Requirement: C4, C8, F1

import ctypes
import gc
import sys
import weakref

import pytest
from selfsame_ffi import Function, libinfo

INT = 1


class Value(ctypes.Structure):
    """A value of the ABI."""

    _fields_ = (("index", ctypes.c_int32), ("padding", ctypes.c_int32), ("number", ctypes.c_int64))


SAFE_CALL = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Value), ctypes.c_int32, ctypes.POINTER(Value)
)
PACKED = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))


@SAFE_CALL
def add_one(_handle, args, count, result):
    if count != 1 or args[0].index != INT:
        return fail(b"TypeError", b"add_one takes an int")
    result[0] = Value(INT, 0, args[0].number + 1)
    return 0


@PACKED
def add_one_packed(addresses):
    handle, args, count, result, code = addresses[:5]
    assert ctypes.c_void_p.from_address(handle).value is None
    code = ctypes.c_int.from_address(code)
    assert code.value == 0
    args = ctypes.POINTER(Value).from_address(args)
    result = ctypes.POINTER(Value).from_address(result)
    code.value = add_one(None, args, ctypes.c_int32.from_address(count).value, result)


def fail(kind, message):
    ctypes.CDLL(libinfo.find_libtvm_ffi()).TVMFFIErrorSetRaisedFromCStr(kind, message)
    return -1


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


MAKERS = [
    (Function.__from_extern_c__, address(add_one)),
    (Function.__from_mlir_packed_safe_call__, address(add_one_packed)),
]


@pytest.mark.parametrize(("make", "symbol"), MAKERS, ids=["extern_c", "mlir"])
def test_calls_the_symbol(native, make, symbol):
    function = make(symbol)
    assert type(function) is Function and function(1) == 2 and function(41) == 42
    assert native.echo(function) is function
    with pytest.raises(TypeError, match="add_one takes an int"):
        function(None)
    with pytest.raises(TypeError, match="add_one takes an int"):
        function()


@pytest.mark.parametrize(("make", "symbol"), MAKERS, ids=["extern_c", "mlir"])
def test_keeps_the_code_alive(native, make, symbol):
    class Engine:
        pass

    engine = Engine()
    dead = weakref.ref(engine)
    count = sys.getrefcount(engine)
    function = make(symbol, keep_alive_object=engine)
    assert sys.getrefcount(engine) == count + 1
    held = native.Node(None)
    held.any = function
    del engine, function
    gc.collect()
    assert dead() is not None and held.any(1) == 2
    held.any = None
    gc.collect()
    assert dead() is None


@pytest.mark.parametrize(("make", "symbol"), MAKERS, ids=["extern_c", "mlir"])
def test_wrong_arguments_are_refused(make, symbol):
    for args, kwargs, error in [
        ((), {}, TypeError),
        ((symbol, None), {}, TypeError),
        (("symbol",), {}, TypeError),
        ((symbol,), {"owner": 1}, TypeError),
        ((0,), {}, ValueError),
        ((2**64,), {}, OverflowError),
    ]:
        with pytest.raises(error, match=r"^Function\.__from_\w+__: "):
            make(*args, **kwargs)


def test_address_for_ctypes(native):
    leaf = native.Leaf(1)
    handle = leaf.__ctypes_handle__()
    assert type(handle) is ctypes.c_void_p and handle.value == leaf.__chandle__()
    assert native.Leaf.__new__(native.Leaf).__ctypes_handle__().value is None
