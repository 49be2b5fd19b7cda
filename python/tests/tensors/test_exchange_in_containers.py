"""Tensors of another package inside lists, tuples, dicts and keyword arguments: the call is one of that package."""

# Requirements: C8, F3

import ctypes
import os
import subprocess
import sys
from typing import Any

import exchange_tables
import pytest
import selfsame_ffi
from exchange_tables import changed_table, class_with, imports_nothing, on_device
from selfsame_ffi import core, from_dlpack, libinfo
from selfsame_ffi.dataclasses import py_class

np = pytest.importorskip("numpy")

CUDA = 2
Allocator = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


@Allocator
def allocates(_prototype, _out):
    """An allocator of the environment, which is only compared and never called."""
    return -1


@Allocator
def allocates_too(_prototype, _out):
    return -1


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


library = ctypes.CDLL(libinfo.find_libtvm_ffi())
current_allocator = library.TVMFFIEnvGetDLPackManagedTensorAllocator
current_allocator.restype = ctypes.c_void_p


@pytest.fixture
def array():
    return np.arange(4, dtype="float32")


class Value:
    """An object whose protocol method gives what native code gets."""

    def __init__(self, value):
        self.value = value

    def __tvm_ffi_value__(self):
        return self.value


@py_class("test_exchange.Layer")
class Layer(selfsame_ffi.Object):
    __slots__ = ()
    weights: Any
    more: Any = None


CONTAINERS = {**exchange_tables.CONTAINERS, "a protocol's value": lambda tensor: Value([tensor])}


@pytest.mark.parametrize("container", CONTAINERS)
def test_result_and_allocator_are_the_packages(array, container):
    cls = class_with(changed_table(allocator=address(allocates)))
    tensor = from_dlpack(np.ones(2))
    seen = []
    call = selfsame_ffi.convert(lambda given, *more: seen.append(current_allocator()) or tensor)
    before = current_allocator()
    for _ in range(3):
        result = call(CONTAINERS[container](cls(from_dlpack(array))))
        assert isinstance(result, core.DLTensorTestWrapper)
        assert np.shares_memory(result.tensor.numpy(), tensor.numpy())
    assert seen == [address(allocates)] * 3 and current_allocator() == before
    assert call(CONTAINERS[container](tensor)) is tensor and seen[-1] == before


@pytest.mark.parametrize("container", CONTAINERS)
def test_stream_is_set_for_the_call(array, container):
    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    def stream_of(device_type, device_id, out):
        out[0] = 0x1000 + 16 * device_type + device_id
        return 0

    other = class_with(changed_table(current_stream=address(stream_of)))(on_device(CUDA, 3))
    core._env_set_current_stream(CUDA, 3, 0x5550)
    try:
        look = selfsame_ffi.convert(lambda *given: core._env_get_current_stream(CUDA, 3))
        look(other)  # the first call finds the class
        assert look(CONTAINERS[container](other)) == 0x1023
        assert look(from_dlpack(array), CONTAINERS[container](other)) == 0x1023
        assert core._env_get_current_stream(CUDA, 3) == 0x5550
    finally:
        core._env_set_current_stream(CUDA, 3, 0)


def test_two_packages_in_one_call(array):
    """The last argument that is a tensor decides; one inside a container, only where no argument before it did."""
    first = class_with(changed_table(allocator=address(allocates)))(from_dlpack(array))
    second = class_with(changed_table(allocator=address(allocates_too)))(from_dlpack(array))
    look = selfsame_ffi.convert(lambda *given: ctypes.c_void_p(current_allocator()))
    one, two = address(allocates), address(allocates_too)
    for _ in range(2):
        assert look(first, second).value == two and look(second, first).value == one
        assert look([first], second).value == two and look(first, [second]).value == one
        assert look([first], [second]).value == one and look([[second]], {"a": first}).value == two
        assert look([first, second]).value == two and look({"a": first, "b": second}).value == two


def test_nested_calls_put_back_what_was_set(array):
    first = class_with(changed_table(allocator=address(allocates)))(from_dlpack(array))
    second = class_with(changed_table(allocator=address(allocates_too)))(from_dlpack(array))
    seen = []

    def outer(*given):
        seen.append(current_allocator())
        if len(seen) < 5:
            inner([second] if len(seen) % 2 else [first])
        if len(seen) == 5:
            seen.append(current_allocator())
            raise LookupError("mine")

    inner = selfsame_ffi.convert(outer)
    before = current_allocator()
    with pytest.raises(LookupError, match="mine"):
        inner([first])
    one, two = address(allocates), address(allocates_too)
    assert seen == [one, two, one, two, one, one] and current_allocator() == before


def test_keyword_arguments(native, array):
    """A method's keyword arguments are arguments."""
    cls = class_with(changed_table(allocator=address(allocates)))
    seen = []

    given = cls(from_dlpack(array))
    layer = Layer(weights=given, more=[given])
    assert np.shares_memory(layer.weights.numpy(), array) and np.shares_memory(layer.more[0].numpy(), array)
    look = selfsame_ffi.convert(lambda layer, extra: seen.append(current_allocator()))
    look(layer, 3), look(layer, [given])
    assert seen == [current_allocator(), address(allocates)]


def test_torch_tensors_in_containers(native):
    torch = pytest.importorskip("torch")
    theirs = torch.zeros(3)
    for given in (theirs, [theirs], (theirs,), {"x": theirs}, {"x": [theirs]}):
        fresh = native.fresh_for(given)
        assert type(fresh) is torch.Tensor and fresh.shape == (3,)
    assert type(native.first_of([theirs])) is torch.Tensor
    assert native.first_of([theirs]).data_ptr() == theirs.data_ptr()
    assert native.of_key({"a": theirs}, "a").data_ptr() == theirs.data_ptr()
    assert type(native.fresh_for_two(3, [theirs])) is torch.Tensor
    with pytest.raises(RuntimeError, match="allocator is nullptr"):
        native.fresh_for(from_dlpack(theirs))


# ---- results ----


def test_tensors_in_results_come_out_as_the_packages(array):
    """An Array, List, Map or Dict that a call with another package's tensor returns; it stays the native container."""
    tensor = from_dlpack(array)
    other = core.DLTensorTestWrapper(tensor)
    give = selfsame_ffi.convert(lambda given, make: make(tensor))

    def is_theirs(value):
        return type(value) is core.DLTensorTestWrapper and np.shares_memory(value.tensor.numpy(), array)

    result = give(other, lambda t: selfsame_ffi.Array([t, 3, [t], "text"]))
    assert type(result) is selfsame_ffi.Array and is_theirs(result[0]) and is_theirs(result[-4])
    assert is_theirs(result[2][0]) and is_theirs(next(iter(result))) and is_theirs(result[:1][0])
    first, second, inner, text = result
    assert is_theirs(first) and second == 3 and is_theirs(inner[0]) and text == "text"
    assert [is_theirs(each) for each in reversed(result)] == [False, False, False, True]
    items = give(other, lambda t: selfsame_ffi.List([t, t, 4]))
    assert is_theirs(items[1]) and is_theirs(items.pop(0)) and items.pop() == 4
    for make in (selfsame_ffi.Map, selfsame_ffi.Dict):
        found = give(other, lambda t, make=make: make({"a": t, "b": [t], "c": 1}))
        assert type(found) is make and is_theirs(found["a"]) and is_theirs(found.get("a")) and found["c"] == 1
        assert is_theirs(found["b"][0]) and is_theirs(dict(found.items())["a"])
        assert [is_theirs(each) for each in found.values()].count(True) == 1 and sorted(found.keys()) == ["a", "b", "c"]


def test_a_callback_reads_the_class_it_asks_for_from_containers(native, array):
    tensor = from_dlpack(array)
    seen = []

    def callback(given):
        seen.append(given)
        inner = given[0] if isinstance(given, selfsame_ffi.Array) else given["a"]
        return type(inner[0] if isinstance(inner, selfsame_ffi.Array) else inner).__name__

    asked = selfsame_ffi.convert_func(callback, tensor_cls=core.DLTensorTestWrapper)
    for given in ([tensor], (tensor,), [[tensor]], {"a": tensor}, {"a": [tensor]}):
        assert asked(given) == native.apply(asked, given) == "DLTensorTestWrapper"
        assert selfsame_ffi.convert(callback)(given) == "Tensor"
    held = selfsame_ffi.Array([tensor])
    assert asked(held) == "Tensor" and seen[-1] is held, "others read its Tensors"


def test_a_container_that_python_has_is_not_changed(array):
    """Others read its Tensors: a call that gives it back changes nothing."""
    tensor = from_dlpack(array)
    held = selfsame_ffi.Array([tensor, [tensor]])
    other = core.DLTensorTestWrapper(tensor)
    give = selfsame_ffi.convert(lambda given: held)
    assert give(other) is held and held[0] is tensor and held[1][0] is tensor
    without = selfsame_ffi.convert(lambda given: selfsame_ffi.Array([given]))(tensor)
    assert without[0] is tensor


def test_a_result_is_read_as_tensors_once_python_has_dropped_it(native, array):
    tensor = from_dlpack(array)
    keep = selfsame_ffi.convert(lambda given: selfsame_ffi.Array([tensor]))
    result = keep(core.DLTensorTestWrapper(tensor))
    native.keep(result)
    assert type(result[0]) is core.DLTensorTestWrapper and native.echo(result) is result
    del result
    assert native.kept(0)[0] is tensor
    native.release()


MANY = """
import numpy as np
import selfsame_ffi
from exchange_tables import changed_table, class_with
tensor = selfsame_ffi.from_dlpack(np.ones(3))
give = selfsame_ffi.convert(lambda given: selfsame_ffi.Array([tensor]))
classes = [class_with(changed_table()) for _ in range(100)]
kinds = [type(give(cls(tensor))[0]).__name__ for cls in classes]
assert kinds == ["DLTensorTestWrapper"] * 63 + ["Tensor"] * 37, kinds
assert type(give(classes[5](tensor))[0]).__name__ == "DLTensorTestWrapper"
"""


def test_more_packages_than_marks():
    """The containers of those that are too many have Tensors. In a process of its own: marks are never given back."""
    path = os.pathsep.join([os.path.dirname(exchange_tables.__file__), *sys.path])
    subprocess.run([sys.executable, "-c", MANY], check=True, env=dict(os.environ, PYTHONPATH=path))


def test_an_element_that_the_package_does_not_import_raises(array):
    tensor = from_dlpack(array)
    give = selfsame_ffi.convert(lambda given: selfsame_ffi.List([tensor, 1]))
    for table in (changed_table(to_python=None), changed_table(to_python=address(imports_nothing))):
        result = give(class_with(table)(tensor))
        for read in (lambda r=result: r[0], lambda r=result: list(r), lambda r=result: r.pop(0)):
            with pytest.raises(BufferError, match="import"):
                read()
    assert result[0] == 1, "pop has taken the Tensor out"


# ---- two packages in one call, nested calls ----


def test_two_frameworks_in_one_call():
    """The result comes as the last argument's package has it, or as the argument that it is."""
    torch = pytest.importorskip("torch")
    jnp = pytest.importorskip("jax.numpy")
    ours, theirs, third = torch.arange(3.0), jnp.arange(4.0), np.arange(5.0)
    seen = []

    @selfsame_ffi.convert
    def look(*given):
        seen.append([type(each) for each in given] + [each.shape for each in given])
        return from_dlpack(np.ones(2))

    for order in ((ours, theirs, third), (third, theirs, ours), (theirs, ours, third)):
        made = look(*order)
        assert type(made) is torch.Tensor and made.tolist() == [1.0, 1.0]
        assert seen.pop() == [selfsame_ffi.Tensor] * 3 + [tuple(each.shape) for each in order]
    assert selfsame_ffi.convert(lambda a, b: a)(ours, theirs) is ours
    nested = selfsame_ffi.convert(lambda items: items)([ours, {"jax": theirs, "numpy": (third,)}])
    assert type(nested[0]) is torch.Tensor and nested[1]["jax"].shape == (4,)
    assert nested[1]["numpy"][0].shape == (5,) and nested[0].data_ptr() == ours.data_ptr()


def test_each_nested_call_has_the_environment_of_its_own_package(array):
    first = class_with(changed_table(allocator=address(allocates)))(from_dlpack(array))
    second = class_with(changed_table(allocator=address(allocates_too)))(from_dlpack(array))
    outside = current_allocator()
    seen = []

    def inner(given, fails):
        seen.append(current_allocator())
        if fails:
            raise LookupError("mine")
        return given

    call_inner = selfsame_ffi.convert(inner)

    @selfsame_ffi.convert
    def outer(given, fails):
        before = current_allocator()
        try:
            call_inner([second], fails)
        except LookupError:
            seen.append("failed")
        assert current_allocator() == before
        call_inner(7, False)  # without a tensor: that of the call around it
        return before

    for fails in (False, True):
        seen.clear()
        assert outer({"a": first}, fails) == address(allocates)
        assert seen == [address(allocates_too), *["failed"] * fails, address(allocates)]
        assert current_allocator() == outside


def test_a_table_whose_functions_raise_is_refused_in_each_place(native, array):
    """Bad tables inside containers: an exception each time, no crash, and the next call works."""

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
    def fails(_value, _out):
        return -1

    tensor = from_dlpack(array)
    tables = [
        changed_table(major=7),
        changed_table(from_python=None),
        changed_table(view=address(fails)),
        changed_table(view=None, from_python=address(fails)),
    ]
    for table in tables:
        bad = class_with(table)(tensor)
        for value in (bad, [bad], (1, [bad]), {"a": bad}, {"a": [{"b": bad}]}):
            with pytest.raises(BufferError):
                native.echo(value)
        assert native.echo([core.DLTensorTestWrapper(tensor), 1])[1] == 1
