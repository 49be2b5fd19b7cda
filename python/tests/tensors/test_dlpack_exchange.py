"""The DLPack C exchange: tensors of another package go in and come out without a call of Python code."""

# Requirements: C3, C8, F3

import ctypes
import gc
import sys

import pytest
import selfsame_ffi
from exchange_tables import capsule_of, changed_table, class_with, imports_nothing, on_device, table_of
from selfsame_ffi import Array, Tensor, convert_func, core, debug, from_dlpack, libinfo

np = pytest.importorskip("numpy")

CUDA = 2


@pytest.fixture
def array():
    return np.arange(4, dtype="int32")


def test_tensor_goes_in_by_the_table(native, array):
    class Other(core.DLTensorTestWrapper):
        def __dlpack__(self, **kwargs):
            raise AssertionError("the table is there")

    other = Other(from_dlpack(array))
    made = from_dlpack(other)
    assert type(made) is Tensor and np.shares_memory(made.numpy(), array)
    assert np.shares_memory(Array([other])[0].numpy(), array)
    assert type(selfsame_ffi.convert(other)) is Tensor


def test_argument_comes_back_as_itself(native, array):
    """C3: the result of a call whose argument is another package's tensor."""
    other = core.DLTensorTestWrapper(from_dlpack(array))
    assert native.echo(other) is other
    assert selfsame_ffi.convert(lambda given, number: given)(other, 1) is other


def test_other_results_come_out_as_the_package_has_them(native, array):
    other, tensor = core.DLTensorTestWrapper(from_dlpack(array)), from_dlpack(np.ones(3))
    made = selfsame_ffi.convert(lambda given: tensor)(other)
    assert type(made) is core.DLTensorTestWrapper and np.shares_memory(made.tensor.numpy(), tensor.numpy())
    pick = selfsame_ffi.convert(lambda given, second: second)
    assert pick(other, tensor) is tensor and pick(tensor, tensor) is tensor
    assert pick(other, 3) == 3 and pick(other, None) is None


def test_callback_gets_the_class_it_asks_for(native, array):
    seen = []

    def callback(tensor, number):
        seen.append((type(tensor), number))
        return tensor.tensor if isinstance(tensor, core.DLTensorTestWrapper) else tensor

    tensor = from_dlpack(array)
    result = convert_func(callback, tensor_cls=core.DLTensorTestWrapper)(tensor, 3)
    assert seen == [(core.DLTensorTestWrapper, 3)] and np.shares_memory(result.numpy(), array)
    assert convert_func(callback)(tensor, 4) is tensor and seen[1] == (Tensor, 4)
    for bad in (Tensor, int, 3):
        with pytest.raises(TypeError, match="must expose __dlpack_c_exchange_api__"):
            convert_func(callback, tensor_cls=bad)
    with pytest.raises(TypeError, match="pyfunc"):
        convert_func(3, tensor_cls=core.DLTensorTestWrapper)


def test_environment_turns_it_off(array, monkeypatch):
    table = changed_table(from_python=None)
    other = class_with(table)(from_dlpack(array))
    monkeypatch.setenv("TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API", "1")
    assert np.shares_memory(from_dlpack(other).numpy(), array), "by __dlpack__"


def test_earlier_table_of_the_known_version_is_found(native, array):
    newest = changed_table(major=2, previous=ctypes.addressof(table_of(core.DLTensorTestWrapper)))
    other = class_with(newest)(from_dlpack(array))
    assert native.echo(other) is other
    other = class_with(changed_table(major=9))(from_dlpack(array))
    with pytest.raises(BufferError, match=r"expected DLPack version 1, got 9"):
        native.echo(other)
    for nowhere in (8, 9, 2**63):
        other = class_with(changed_table(major=2, previous=nowhere))(from_dlpack(array))
        with pytest.raises(BufferError, match=r"expected DLPack version 1, got 2"):
            native.echo(other)


def test_attribute_that_is_no_table_is_refused(native, array):
    other = class_with(changed_table())
    no_tables = (0, 2**64, 5, 8, 2**63, ctypes.addressof(other.table) + 1)
    for bad in ("text", capsule_of(other.table, b"another_name"), *no_tables):
        other.__dlpack_c_exchange_api__ = bad
        with pytest.raises((TypeError, OverflowError)):
            native.echo(other(from_dlpack(array)))
    other.__dlpack_c_exchange_api__ = capsule_of(other.table, b"another_name")
    with pytest.raises(TypeError, match='named "dlpack_exchange_api", got PyCapsule another_name'):
        native.echo(other(from_dlpack(array)))
    other.__dlpack_c_exchange_api__ = ctypes.addressof(other.table)  # as earlier releases have it
    held = other(from_dlpack(array))
    assert native.echo(held) is held


def test_errors_of_the_package_are_raised(native, array):
    other = class_with(changed_table(from_python=ctypes.cast(fails, ctypes.c_void_p).value))(from_dlpack(array))
    for use in (from_dlpack, lambda value: Array([value])):
        with pytest.raises(BufferError, match="did not export"):
            use(other)
    other = class_with(changed_table(to_python=ctypes.cast(imports_nothing, ctypes.c_void_p).value))(from_dlpack(array))
    with pytest.raises(BufferError, match="did not import"):
        selfsame_ffi.convert(lambda given: from_dlpack(np.ones(2)))(other)


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
def fails(_value, _out):
    return -1


def test_call_runs_on_the_packages_stream(native):
    """The stream of a tensor that is not the CPU's is set for the call, and the one before is put back."""

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    def stream_of(device_type, device_id, out):
        out[0] = 0x1000 + 16 * device_type + device_id
        return 0

    table = changed_table(current_stream=ctypes.cast(stream_of, ctypes.c_void_p).value)
    tensor = on_device(CUDA, 3)
    other = class_with(table)(tensor)
    core._env_set_current_stream(CUDA, 3, 0x5550)
    try:
        look = selfsame_ffi.convert(lambda given: core._env_get_current_stream(CUDA, 3))
        assert look(tensor) == 0x5550
        assert look(other) == 0x1023
        assert core._env_get_current_stream(CUDA, 3) == 0x5550
        fail = selfsame_ffi.convert(lambda given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            fail(other)
        assert core._env_get_current_stream(CUDA, 3) == 0x5550
        table.current_stream = ctypes.cast(fails_stream, ctypes.c_void_p).value
        with pytest.raises(RuntimeError, match="did not tell its stream"):
            look(other)
    finally:
        core._env_set_current_stream(CUDA, 3, 0)


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)
def fails_stream(_device_type, _device_id, _out):
    return -1


def test_call_allocates_as_the_package_does(native, array):
    library = ctypes.CDLL(libinfo.find_libtvm_ffi())
    allocator = library.TVMFFIEnvGetDLPackManagedTensorAllocator
    allocator.restype = ctypes.c_void_p
    table = changed_table(allocator=ctypes.cast(fails, ctypes.c_void_p).value)  # only compared, never called
    before = allocator()
    look = selfsame_ffi.convert(lambda given: ctypes.c_void_p(allocator()))
    assert look(class_with(table)(from_dlpack(array))).value == table.allocator != before
    assert allocator() == before


def test_wrapper_for_tests(array):
    tensor = from_dlpack(array)
    wrapper = core.DLTensorTestWrapper(tensor)
    assert wrapper.tensor is tensor and wrapper.__dlpack_device__() == (1, 0) and wrapper.__tvm_ffi_env_stream__() == 0
    assert np.shares_memory(np.from_dlpack(wrapper), array)
    with pytest.raises(TypeError):
        core.DLTensorTestWrapper(array)
    empty = core.DLTensorTestWrapper.__new__(core.DLTensorTestWrapper)
    for use in (empty.__dlpack__, empty.__dlpack_device__, empty.__tvm_ffi_env_stream__, lambda: from_dlpack(empty)):
        with pytest.raises(RuntimeError, match="not initialised"):
            use()


def test_nothing_leaks(native, array):
    def use():
        other, tensor = core.DLTensorTestWrapper(from_dlpack(array)), from_dlpack(array)
        native.echo(other)
        selfsame_ffi.convert(lambda given, second: second)(other, tensor)
        selfsame_ffi.convert(lambda given: tensor)(other)
        convert_func(lambda given: given.tensor, tensor_cls=core.DLTensorTestWrapper)(tensor)
        bad = class_with(changed_table(to_python=ctypes.cast(imports_nothing, ctypes.c_void_p).value))(tensor)
        with pytest.raises(BufferError):
            from_dlpack(bad), selfsame_ffi.convert(lambda given: from_dlpack(array))(bad)

    def live():
        gc.collect()
        return debug.live_objects().get("ffi.Tensor", 0), sys.getrefcount(array)

    use()
    before = live()
    for _ in range(20):
        use()
    assert live() == before
