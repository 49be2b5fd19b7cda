"""Tensors of another package inside lists, tuples, dicts and keyword arguments: the call is one of that package."""

# Requirements: C8, F3

import ctypes
from typing import Any

import pytest
import selfsame_ffi
from exchange_tables import changed_table, class_with, on_device
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


CONTAINERS = {
    "itself": lambda tensor: tensor,
    "list": lambda tensor: [tensor],
    "tuple": lambda tensor: (1, tensor),
    "dict": lambda tensor: {"x": tensor},
    "nested": lambda tensor: {"x": [("a", {"y": tensor})]},
    "a protocol's value": lambda tensor: Value([tensor]),
}


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
