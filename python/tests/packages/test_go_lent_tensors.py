"""A Go func takes a tensor that it may write: of Python, another package, or a DLTensor* of compiled code."""

# Requirements: D10, F3

import pytest
import selfsame_ffi
from exchange_tables import changed_table, class_with
from selfsame_ffi import debug, from_dlpack

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
    """JAX shows its memory too; whether a func may write there is for its caller to know."""
    jax = pytest.importorskip("jax")
    theirs = jax.numpy.arange(6, dtype="float32").reshape(2, 3).block_until_ready()
    for _ in range(3):
        assert go.lent_facts(theirs) == "float32 cpu:0 6 true" and go.tensor_sum(theirs) == 15
        assert go.lent_address(theirs) == theirs.unsafe_buffer_pointer()
        assert [list(part) for part in go.lent_shape(theirs)] == [[2, 3], [3, 1]]
    with pytest.raises(TypeError, match="expected a tensor of float32"):
        go.scale_lent(jax.numpy.ones(2, "int32"), 2)


def test_no_tensor_is_left(go, array):
    other = makers()["another package"](array)
    go.scale_lent(other, 1)
    before = debug.live_objects().get("ffi.Tensor", 0)
    for _ in range(50):
        go.scale_lent(other, 1)
    assert debug.live_objects().get("ffi.Tensor", 0) == before
