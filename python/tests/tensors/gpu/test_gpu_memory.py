"""Memory of a GPU lives as long as anything refers to it, and is freed on whatever thread lets it go."""

# Requirements: C3, F3

import gc
import threading

import pytest
import selfsame_ffi
from selfsame_ffi import Tensor, from_dlpack
from waiting import wait_for_queue

np = pytest.importorskip("numpy")


@pytest.fixture
def large(torch):
    """A function that makes a tensor of a megabyte."""
    return lambda value=1.0: torch.full((1 << 18,), value, device="cuda")


def test_kept_tensor_owns_the_memory(kernels, torch, large, allocated):
    before = allocated()
    x = large(3.0)
    address = x.data_ptr()
    kernels.keep(x)
    del x
    assert allocated() >= before + (1 << 20)
    others = [large(7.0) for _ in range(4)]  # would take the memory if it were free
    kept = kernels.kept()
    assert type(kept) is Tensor and kept.data_ptr() == address
    assert torch.from_dlpack(kept)[100] == 3 and all(other.data_ptr() != address for other in others)
    del kept, others
    kernels.release()
    assert allocated() == before


def test_native_thread_lets_go(kernels, large, allocated):
    before = allocated()
    for _ in range(5):
        kernels.keep(large())
        assert allocated() > before
        kernels.release_on_thread()
        assert allocated() == before


def test_python_thread_lets_go(kernels, large, allocated):
    before = allocated()
    held = [from_dlpack(large()), [from_dlpack(large())], kernels.multiples(large(), 2)]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert allocated() == before


def test_calls_make_nothing_that_stays(kernels, native, large, allocated):
    x = large()
    kernels.echo(x), kernels.echo([x])
    before, live = allocated(), selfsame_ffi.debug.live_objects().get("ffi.Tensor", 0)
    for _ in range(100):
        kernels.scale(x, x, 1.0), kernels.echo([x, {"a": x}]), kernels.scaled(x, 1.0)
    assert allocated() == before
    wait_for_queue()
    assert selfsame_ffi.debug.live_objects().get("ffi.Tensor", 0) == live


def test_view_of_a_result_keeps_it(kernels, torch, allocated):
    before = allocated()
    mine = kernels.on_device(8)
    view = torch.from_dlpack(mine)[2:]
    view.fill_(5)
    del mine
    gc.collect()
    assert kernels.scaled(view, 2.0).tolist() == [10.0] * 6
    del view
    assert allocated() == before


def test_error_frees_what_was_made(kernels, torch, large, allocated):
    x = large()
    before = allocated()
    for _ in range(5):
        with pytest.raises(ValueError, match="expected tensors on one device"):
            kernels.add_all(x, [x, torch.ones(1 << 18)])
    assert allocated() == before


def test_pinned_memory_is_host_memory(kernels, torch):
    """Memory of kDLCUDAHost is read and written by the processor, without a copy."""
    mine = kernels.pinned(4)
    assert mine.__dlpack_device__() == (3, 0) and str(mine.device) == "cuda_host:0"
    array = mine.numpy()
    assert array.tolist() == [0.0, 1.0, 2.0, 3.0] and array.ctypes.data == mine.data_ptr()
    array[1] = 8
    assert memoryview(mine)[1] == 8.0
    del mine
    gc.collect()
    assert array.tolist() == [0.0, 8.0, 2.0, 3.0]


def test_pytorchs_pinned_tensor(kernels, torch):
    theirs = torch.arange(4, dtype=torch.float32).pin_memory()
    assert theirs.is_pinned() and kernels.echo(theirs) is theirs and kernels.address(theirs) == theirs.data_ptr()
    mine = from_dlpack(theirs)
    mine.numpy()[2] = 9
    assert theirs.tolist() == [0.0, 1.0, 9.0, 3.0]
    out = torch.empty(4, device="cuda")
    out.copy_(torch.from_dlpack(mine), non_blocking=True)
    kernels.scale(out, out, 2.0)
    assert out.tolist() == [0.0, 2.0, 18.0, 6.0]
