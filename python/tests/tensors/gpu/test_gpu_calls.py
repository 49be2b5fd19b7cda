"""Tensors of PyTorch on a GPU are arguments and results of kernels that nvcc compiled."""

# Requirement: F3

import pytest
import selfsame_ffi
from selfsame_ffi import Tensor, from_dlpack

np = pytest.importorskip("numpy")


@pytest.fixture
def x(torch):
    return torch.arange(6, dtype=torch.float32, device="cuda").reshape(2, 3)


def test_kernel_reads_and_writes_the_memory(kernels, torch, x):
    out = torch.empty_like(x)
    assert kernels.scale(out, x, 2.5) is None
    assert out.tolist() == [[0.0, 2.5, 5.0], [7.5, 10.0, 12.5]]
    kernels.scale(x, x, 2)
    assert x.tolist() == [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]
    large = torch.arange(1_000_003, dtype=torch.float32, device="cuda")
    kernels.scale(large, large, 2.0)
    assert torch.equal(large, 2 * torch.arange(1_000_003, dtype=torch.float32, device="cuda"))
    empty = torch.empty(0, device="cuda")
    kernels.scale(empty, empty, 2.0)


def test_kernel_sees_device_type_shape_and_address(kernels, torch, x):
    assert kernels.describe(x) == "2:0 2/32/1 2 3 contiguous"
    assert kernels.describe(x.t()) == "2:0 2/32/1 3 2 strided"
    assert kernels.describe(x[1]) == "2:0 2/32/1 3 contiguous"
    assert kernels.address(x) == x.data_ptr() and kernels.address(x[1]) == x.data_ptr() + 12
    for kind, text in {
        "float64": "2/64",
        "float16": "2/16",
        "bfloat16": "4/16",
        "int8": "0/8",
        "uint8": "1/8",
        "int64": "0/64",
        "bool": "6/8",
    }.items():
        assert kernels.describe(torch.ones(3, device="cuda").to(getattr(torch, kind))) == f"2:0 {text}/1 3 contiguous"
    assert kernels.describe(torch.ones((), device="cuda")) == "2:0 2/32/1 contiguous"


def test_argument_comes_back_as_itself(kernels, native, torch, x):
    """A call that returns its argument returns the same Python object."""
    assert kernels.echo(x) is x and native.echo(x) is x and kernels.same_tensor(x) is x
    parameter = torch.nn.Parameter(torch.ones(3, device="cuda"))
    assert kernels.echo(parameter) is parameter
    mine = from_dlpack(x)
    assert kernels.echo(mine) is mine and kernels.same_tensor(mine) is mine
    assert kernels.call(selfsame_ffi.convert(lambda given: given), x) is x


def test_new_result_is_pytorchs(kernels, torch, x, allocated):
    """The kernel's result has memory of PyTorch's allocator."""
    before = allocated()
    made = kernels.scaled(x, 3.0)
    assert type(made) is torch.Tensor and made.device == x.device and torch.equal(made, 3 * x)
    assert allocated() > before
    assert type(kernels.on_device(3)) is Tensor  # no argument is PyTorch's
    del made
    assert allocated() == before


def test_own_tensor_has_no_allocator(kernels, x):
    with pytest.raises(RuntimeError, match="allocator"):
        kernels.scaled(from_dlpack(x), 3.0)


def test_from_dlpack_shares_the_memory(kernels, torch, x):
    mine = from_dlpack(x)
    assert type(mine) is Tensor and mine.shape == (2, 3) and mine.dtype == "float32" and mine.strides == (3, 1)
    assert str(mine.device) == "cuda:0" and mine.__dlpack_device__() == (2, 0) and mine.data_ptr() == x.data_ptr()
    kernels.scale(mine, mine, 10.0)
    torch.cuda.synchronize()  # a Tensor's call runs on the default stream
    assert x[1, 2] == 50
    back = torch.from_dlpack(mine)
    assert back.data_ptr() == x.data_ptr() and back.device == x.device
    assert torch.equal(torch.utils.dlpack.from_dlpack(mine), x)
    assert from_dlpack(x.t()).strides == (1, 3)


def test_librarys_own_memory_goes_to_pytorch(kernels, torch):
    mine = kernels.on_device(5)
    theirs = torch.from_dlpack(mine)
    assert theirs.device.type == "cuda" and theirs.data_ptr() == mine.data_ptr()
    theirs.fill_(4)
    del mine
    assert kernels.scaled(theirs, 0.5).tolist() == [2.0] * 5


def test_device_memory_is_not_read_as_host_memory(x):
    mine = from_dlpack(x)
    for read in (mine.numpy, lambda: np.from_dlpack(mine), lambda: np.asarray(mine), lambda: memoryview(mine)):
        with pytest.raises((BufferError, RuntimeError, TypeError, ValueError)):
            read()


def test_wrong_device_is_the_kernels_error(kernels, torch, x):
    host = torch.ones(2, 3)
    for call in (
        lambda: kernels.scale(host, host, 2.0),
        lambda: kernels.scale(x, host, 2.0),
        lambda: kernels.scale(host, x, 2.0),
        lambda: kernels.scaled(host, 2.0),
        lambda: kernels.add_all(x, [x, host]),
    ):
        with pytest.raises(ValueError, match="expected a tensor on a GPU|expected tensors on one device"):
            call()
        assert kernels.stream_on(0, None) == 0
    with pytest.raises(ValueError, match="contiguous"):
        kernels.scale(x.t(), x, 2.0)
    with pytest.raises(TypeError, match="float32"):
        kernels.scale(x.double(), x, 2.0)
    with pytest.raises(ValueError, match="one size"):
        kernels.scale(x, x[0], 2.0)


def test_view_for_a_callback(kernels, torch, x):
    """A callback that gets a DLTensor* reads where it is, and may give it to PyTorch and to kernels during the call."""
    kept = []

    def look(view):
        kept.append(view)
        assert view.shape == (2, 3) and str(view.device) == "cuda:0" and view.data_ptr() == x.data_ptr()
        kernels.scale(view, view, 2.0)
        torch.cuda.synchronize()
        return torch.from_dlpack(view).sum().item()

    assert kernels.call_with_view(selfsame_ffi.convert(look), x) == 30.0
    with pytest.raises(RuntimeError):
        torch.from_dlpack(kept[0])
