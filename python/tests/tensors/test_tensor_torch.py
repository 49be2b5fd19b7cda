"""Tensors and PyTorch share memory and keep each other alive; a Tensor keeps its identity. Skipped without torch."""

# Requirement: F3

from __future__ import annotations

import gc
import weakref

import pytest
import selfsame_ffi
from selfsame_ffi import Tensor, from_dlpack
from waiting import wait_for_queue

torch = pytest.importorskip("torch")
import torch.utils.dlpack as torch_dlpack  # noqa: E402  after the skip


def to_torch(tensor):
    return torch.from_dlpack(tensor)


@pytest.fixture(scope="module", autouse=True)
def warm(native):
    """torch and the core make some objects at first use: here, so that no test counts them."""
    native.echo(to_torch(from_dlpack(torch.zeros(1))))


def test_tensor_shares_torchs_memory(native):
    theirs = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    tensor = from_dlpack(theirs)
    assert type(tensor) is Tensor and tensor.shape == (2, 3) and tensor.dtype == "float32"
    assert tensor.data_ptr() == theirs.data_ptr() and tensor.__dlpack_device__() == (1, 0)
    theirs[1, 2] = 7
    assert to_torch(tensor)[1, 2] == 7
    assert native.echo(tensor) is tensor and selfsame_ffi.Array([tensor])[0] is tensor


def test_torch_shares_the_tensors_memory(native):
    tensor = from_dlpack(torch.zeros(4))
    theirs = to_torch(tensor)
    assert theirs.data_ptr() == tensor.data_ptr()
    theirs[0] = 5
    again = from_dlpack(theirs)
    assert again.data_ptr() == tensor.data_ptr() and to_torch(again)[0] == 5
    assert again is not tensor  # torch's view is another native object over the same memory
    assert native.echo(again) is again


def test_torch_tensor_becomes_a_tensor_argument(native):
    """Native code gets a Tensor over torch's memory; the result of that call is the argument itself."""
    theirs = torch.ones(3)
    assert native.echo(theirs) is theirs
    seen = []
    assert native.apply_on_thread(lambda value: seen.append(value) or value, theirs) is theirs
    assert type(seen[0]) is Tensor and seen[0].data_ptr() == theirs.data_ptr()
    native.keep(theirs)
    assert native.kept(0) is native.kept(0) and id(native.kept(0)) == id(native.kept(0))
    native.release()


def test_tensor_keeps_its_identity_beside_a_view(native):
    """A Tensor that torch made a view of has the same id after drop and refetch."""
    tensor = from_dlpack(torch.zeros(3))
    first = id(tensor)
    native.keep(tensor)
    view = to_torch(tensor)
    del tensor
    gc.collect()
    assert id(native.kept(0)) == first and native.kept(0).data_ptr() == view.data_ptr()
    native.release()
    view += 1
    assert view.tolist() == [1.0, 1.0, 1.0]


def test_tensor_keeps_torchs_memory_alive():
    theirs = torch.zeros(8)
    gone = weakref.ref(theirs)
    tensor = from_dlpack(theirs)
    address = theirs.data_ptr()
    theirs[3] = 4
    del theirs
    gc.collect()
    others = [torch.ones(8) for _ in range(50)]  # would take the memory if it were free
    assert tensor.data_ptr() == address and tensor.numpy().tolist() == [0, 0, 0, 4, 0, 0, 0, 0]
    assert all(other.data_ptr() != address for other in others)
    del tensor
    wait_for_queue()
    gc.collect()
    assert gone() is None


def test_torch_keeps_the_tensors_memory_alive():
    np = pytest.importorskip("numpy")

    class Memory(np.ndarray):
        """An array with weak references."""

    array = np.zeros(5).view(Memory)
    gone = weakref.ref(array)
    view = to_torch(from_dlpack(array))
    del array
    gc.collect()
    assert gone() is not None and view.tolist() == [0.0] * 5
    view[1] = 2
    del view
    wait_for_queue()
    gc.collect()
    assert gone() is None


def test_native_thread_may_release_the_last_reference(native):
    theirs = torch.zeros(5)
    native.keep(theirs)
    view = to_torch(native.kept(0))
    native.release_on_thread()
    view[0] = 1
    assert theirs[0] == 1
    del view
    wait_for_queue()


def test_strides_and_data_types_are_kept(native):
    theirs = torch.arange(12, dtype=torch.int64).reshape(3, 4)
    turned = from_dlpack(theirs.t())
    assert turned.shape == (4, 3) and turned.strides == (1, 4) and not turned.is_contiguous()
    assert to_torch(turned).tolist() == theirs.t().tolist()
    for kind in ("float64", "float16", "bfloat16", "int8", "uint8", "int32"):
        made = torch.ones(3, dtype=getattr(torch, kind))
        tensor = from_dlpack(made)
        assert tensor.dtype == kind and native.echo(tensor) is tensor
        assert to_torch(tensor).dtype == made.dtype and to_torch(tensor).data_ptr() == made.data_ptr()


def test_torch_capsule_is_used_once():
    theirs = torch.zeros(3)
    capsule = torch_dlpack.to_dlpack(theirs)
    tensor = from_dlpack(capsule)
    assert tensor.data_ptr() == theirs.data_ptr()
    with pytest.raises(ValueError, match="once"):
        from_dlpack(capsule)
    assert torch_dlpack.from_dlpack(tensor._to_dlpack()).data_ptr() == theirs.data_ptr()
