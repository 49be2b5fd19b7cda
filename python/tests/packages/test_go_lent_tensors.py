"""A Go func takes a tensor that it may write: of Python, another package, or a DLTensor* of compiled code."""

# Requirements: D10, F3

import ctypes
import dataclasses
import types

import pytest
import selfsame_ffi
from described_tensors import Described
from exchange_tables import Counted, changed_table, class_with
from selfsame_ffi import Tensor, core, debug, from_dlpack, libinfo

np = pytest.importorskip("numpy")


@pytest.fixture
def array():
    return np.arange(6, dtype="float32").reshape(2, 3)


def makers():
    cls = class_with(changed_table())
    return {
        "Tensor": from_dlpack,
        "NumPy": lambda array: array,
        "another package": lambda array: cls(from_dlpack(array)),
    }


@pytest.mark.parametrize("maker", makers())
def test_go_func_writes_to_the_callers_memory(go, array, maker):
    given = makers()[maker](array)
    for _ in range(3):
        assert go.scale_lent(given, 2) == "LentTensor([2, 3], float32, cpu:0)"
    assert array.tolist() == [[0, 8, 16], [24, 32, 40]]


def test_go_func_takes_the_view_of_compiled_code(go, native, array):
    scale = selfsame_ffi.get_global_func("signatures.scale_lent")
    assert native.lend_view(from_dlpack(array), lambda view: scale(view, 10)) == "LentTensor([2, 3], float32, cpu:0)"
    assert array.tolist() == [[0, 10, 20], [30, 40, 50]]


def test_what_is_no_tensor_is_refused(go, array):
    for wrong in (3, "text", [1.0], None):
        with pytest.raises(TypeError, match="values"):
            go.scale_lent(wrong, 2)
    with pytest.raises(TypeError, match="expected a tensor of float32"):
        go.scale_lent(np.ones(2), 2)
    with pytest.raises(ValueError, match="expected a contiguous tensor"):
        go.scale_lent(array.T, 2)


def test_torch_tensors_are_written(go):
    torch = pytest.importorskip("torch")
    theirs = torch.arange(4, dtype=torch.float32)
    go.scale_lent(theirs, 3), go.scale_lent(theirs, 1)
    assert theirs.tolist() == [0, 3, 6, 9]
    with pytest.raises(TypeError, match="expected a tensor of float32"):
        go.scale_lent(torch.ones(2, dtype=torch.float64), 2)
    assert go.kept_tensor(theirs) is theirs


def test_jax_arrays_are_read(go):
    """JAX shows its memory too, which nobody may write."""
    jax = pytest.importorskip("jax")
    theirs = jax.numpy.arange(6, dtype="float32").reshape(2, 3).block_until_ready()
    for _ in range(3):
        assert go.lent_facts(theirs) == "float32 cpu:0 6 true" and go.tensor_sum(theirs) == 15
        assert go.lent_address(theirs) == theirs.unsafe_buffer_pointer()
        assert [list(part) for part in go.lent_shape(theirs)] == [[2, 3], [3, 1]]
        assert go.read_lent(theirs) == 15 and go.is_read_only(theirs, theirs) == (True, True)
    with pytest.raises(TypeError, match="expected a tensor of float32"):
        go.read_lent(jax.numpy.ones(2, "int32"))
    with pytest.raises(ValueError, match="LentElements.*read-only"):
        go.scale_lent(theirs, 2)
    assert float(theirs.sum()) == 15


def test_read_only_memory_is_read_and_not_written(go, array):
    if "max_version" not in (np.ndarray.__dlpack__.__doc__ or ""):
        pytest.skip("this NumPy has no versioned DLPack, and so refuses read-only arrays")
    before = array.tolist()
    assert go.is_read_only(array, array) == (False, False)
    array.flags.writeable = False
    tensor = selfsame_ffi.from_dlpack(array)
    for given in (array, array[1:], tensor):
        assert go.is_read_only(given, given) == (True, True)
        assert go.read_lent(given) == go.tensor_sum(given) == float(np.from_dlpack(given).sum())
        for write, name in ((go.scale_lent, "ReadOnlyLentElements"), (go.scale, "ReadOnlyElements")):
            with pytest.raises(ValueError, match=f"memory that may be written.*{name}"):
                write(given, 2)
    assert array.tolist() == before


def test_no_tensor_is_left(go, array):
    other = makers()["another package"](array)
    go.scale_lent(other, 1)
    before = debug.live_objects().get("ffi.Tensor", 0)
    for _ in range(50):
        go.scale_lent(other, 1)
    assert debug.live_objects().get("ffi.Tensor", 0) == before


def test_tensor_whose_handle_ends_with_the_call_serves_the_next_one(go, native, array):
    """Nothing is exported for it, and its tie record stays with it: a Go func, a C++ function, a Go func again."""
    counted = Counted()
    other = counted(array)
    go.tensor_sum(other)
    exports, before = counted.exports, debug.counters()["records"]
    for _ in range(50):
        assert go.tensor_sum(other) == 15 and native.echo(other) is other
        assert go.tensor_text(np.ones((3, 1))) == "Tensor([3, 1], float64, cpu:0)"
    assert counted.exports == exports
    assert debug.counters()["records"] == before


def test_tensor_that_go_code_keeps_is_not_used_again(go, native, array):
    cls = Counted()
    arrays = [np.full(3, i, "float32") for i in range(4)]
    for one in arrays:
        go.tensor_sum(cls(array))
        go.keep_tensor(cls(one))
        for _ in range(3):
            assert go.tensor_sum(cls(array)) == 15
        native.echo(cls(array))
        kept = go.held_tensor()
        assert type(kept) is Tensor and np.shares_memory(kept.numpy(), one)
    del kept
    go.keep_tensor(None)
    selfsame_ffi.collect()


@pytest.mark.parametrize("keeps", [False, True])
def test_tensor_that_a_func_shows_to_python_is_used_again_unless_it_is_kept(go, array, keeps):
    cls = Counted()
    arrays = [np.full(3, i, "float32") for i in range(4)]
    kept = []

    def show(tensor):
        assert type(tensor) is Tensor
        if keeps:
            kept.append(tensor)

    for one in arrays:
        go.show_tensor(cls(one), show)
        assert go.tensor_sum(cls(array)) == 15
    assert all(np.shares_memory(tensor.numpy(), one) for tensor, one in zip(kept, arrays))
    assert len(kept) == (4 if keeps else 0)


def test_func_that_fails_leaves_no_tensor(go, array):
    other = Counted()(array.astype("float64"))
    for _ in range(3):
        with pytest.raises(TypeError, match="expected a tensor of float32"):
            go.tensor_sum(other)
    before = debug.live_objects().get("ffi.Tensor", 0)
    for _ in range(20):
        with pytest.raises(TypeError, match="expected a tensor of float32"):
            go.tensor_sum(other)
    assert debug.live_objects().get("ffi.Tensor", 0) == before


CONTAINERS = {
    "tensor_and_size": lambda made: made[0],
    "tensors_and_size": lambda made: made[0][0],
    "weighted": lambda made: made.weights,
    "plain_tensors": lambda made: made["both"][1],
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_tensors_in_python_containers_are_those_of_the_argument(go, array, name):
    """Several results, records and plain ones: as in native containers, the package's own."""
    other, mine = Counted()(array), from_dlpack(array)
    for _ in range(2):
        made = CONTAINERS[name](getattr(go, name)(other))
        assert type(made) is core.DLTensorTestWrapper and np.shares_memory(made.tensor.numpy(), array)
    assert CONTAINERS[name](getattr(go, name)(mine)) is mine
    refuses = class_with(changed_table(to_python=None))(mine)
    with pytest.raises(BufferError, match="imports no tensors"):
        CONTAINERS[name](getattr(go, name)(refuses))


def layers_with(go, mine, place, other):
    """A record whose tensors are `mine`, and in one place `other`."""
    made = go.Layers(first=go.Weighted(mine, "w"), more=[mine], other=[1, "text"])
    if place == "a record":
        made.first.weights = other
    elif place == "a list":
        made.more.append(other)
    elif place == "a list of records":
        made.other = [go.Weighted(mine, "v"), {"w": (other,)}]
    elif place == "an object with attributes":
        made = types.SimpleNamespace(first=types.SimpleNamespace(weights=other, name="w"), more=[mine], other=None)
    return made


@pytest.mark.parametrize("place", ["a record", "a list", "a list of records", "an object with attributes"])
def test_tensors_in_the_fields_of_an_argument_decide_for_the_call(go, array, place):
    """The allocator and the results are their package's, as with tensors in a list or dict."""
    allocator = ctypes.CDLL(libinfo.find_libtvm_ffi()).TVMFFIEnvGetDLPackManagedTensorAllocator
    allocator.restype = ctypes.c_void_p
    before, seen = allocator(), []
    mine, own = from_dlpack(array), from_dlpack(array)
    other = class_with(changed_table(allocator=0x1000))(own)
    for _ in range(2):
        made = go.same_layers(layers_with(go, mine, place, other), lambda: seen.append(allocator()))
        assert type(made.first.weights) is core.DLTensorTestWrapper
        assert np.shares_memory(made.first.weights.tensor.numpy(), array)
        assert type(made.more[0]) is core.DLTensorTestWrapper
    assert seen == [0x1000] * 2 and allocator() == before
    made = go.same_layers(layers_with(go, mine, place, own), lambda: seen.append(allocator()))
    assert made.more[0] is mine and seen[-1] == before


def test_tensors_in_variadic_records_decide_for_the_call(go, array):
    other = Counted()(array)
    first, second = go.all_weights(go.Weighted(other, "a"), go.Weighted(other, "b"))
    assert type(first) is type(second) is core.DLTensorTestWrapper


def test_fields_that_refuse_are_reported_by_the_conversion(go, array):
    class Refusing:
        name = "w"

        @property
        def weights(self):
            raise KeyError("gone")

    class Wrong:
        __dlpack_c_exchange_api__ = 3.5

    mine, endless = from_dlpack(array), []
    endless += [endless, endless]
    with pytest.raises(KeyError, match="gone"):
        go.all_weights(Refusing())
    with pytest.raises(TypeError, match="expected a capsule"):
        go.all_weights(go.Weighted(Wrong(), "a"))
    with pytest.raises(RecursionError):
        go.same_layers(layers_with(go, mine, "a list", endless), lambda: None)


def test_frozen_records_get_the_tensors_of_the_argument(go, array):
    @selfsame_ffi.record("signatures.Weighted")
    @dataclasses.dataclass(frozen=True)
    class Frozen:
        weights: object
        name: str

    try:
        made = go.weighted(Counted()(array))
        assert type(made) is Frozen and type(made.weights) is core.DLTensorTestWrapper and made.name == "w"
    finally:
        selfsame_ffi.record("signatures.Weighted")(go.Weighted)


def without_memory():
    """Tensors of two elements without memory, as PyTorch's FakeTensorMode makes them, by each way in."""
    described = Described(shape=(2,), data=None, byte_offset=8)
    counted = Counted()
    counted.change = lambda view: setattr(view, "data", None)
    shown = counted(np.ones(2, "float32"))
    yield from (described, shown, described, shown)  # by the description, once the class is known


def test_tensors_without_memory_are_refused(go, native):
    """The message names the argument and the class; nothing native gets the address 0."""
    for given in without_memory():
        wrong = f"got a {type(given).__name__}, which has elements but no memory"
        for name in ("lent_address", "lent_facts", "sum_lent", "sum_copied", "tensor_sum", "tensor_text"):
            with pytest.raises(BufferError, match=wrong):
                getattr(go, name)(given)
        with pytest.raises(BufferError, match=f"argument 1: .*{wrong}"):
            native.takes_tensor(given)


def test_a_tensor_without_memory_of_native_code_is_not_read(go):
    """Each func that would read or write the elements names its argument."""
    wrong = "argument 'values': expected a tensor with memory, got one of shape \\[2\\] without"
    described = Described(shape=(2,), data=None, byte_offset=8)
    given = from_dlpack(described.__dlpack__())
    for name in ("lent_address", "lent_facts", "sum_lent", "sum_copied"):
        with pytest.raises(ValueError, match=f"signatures.{name}: {wrong}"):
            getattr(go, name)(given)
    with pytest.raises(ValueError, match=f"signatures.scale_lent: {wrong}"):
        go.scale_lent(given, 2)
    with pytest.raises(ValueError, match="Elements: argument 't': expected a tensor with memory"):
        go.tensor_sum(given)
    assert go.tensor_text(given) == "Tensor([2], float32, cpu:0)"
    del given  # before `described`, whose memory it describes


def test_tensors_without_elements_need_no_memory(go):
    empty = Described(shape=(0, 3), strides=(3, 1), data=None)
    for given in (empty, from_dlpack(empty)):
        assert go.scale_lent(given, 2) == "LentTensor([0, 3], float32, cpu:0)"
        assert go.tensor_sum(given) == 0
    for given in (Described(shape=(0,), data=None), np.ones(0)):
        assert go.sum_lent(given) == go.sum_copied(given) == 0


def test_fake_tensors_of_torch_are_refused(go):
    torch = pytest.importorskip("torch")
    with pytest.importorskip("torch._subclasses.fake_tensor").FakeTensorMode():
        fake, empty = torch.zeros(4), torch.zeros(0)
    for name in ("lent_address", "sum_lent", "sum_copied"):
        with pytest.raises(ValueError, match=f"signatures.{name}: argument 'values': expected a tensor with memory"):
            getattr(go, name)(fake)
    assert go.sum_lent(empty) == 0
    with pytest.raises(RuntimeError, match="meta"):
        go.lent_address(torch.zeros(4, device="meta"))
