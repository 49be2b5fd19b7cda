"""Functions of a Go package take tensors on a GPU: they see shape, data type, device and address, not the elements."""

# Requirements: D10, F3

import pytest
import selfsame_ffi
from selfsame_ffi import Tensor, from_dlpack


@pytest.fixture
def x(torch):
    return torch.arange(6, dtype=torch.float32, device="cuda").reshape(2, 3)


def test_lent_tensor_on_a_gpu(go, torch, x):
    for given in (x, from_dlpack(x)):
        assert go.lent_facts(given) == "float32 cuda:0 6 true"
        assert go.lent_address(given) == x.data_ptr()
        assert [list(part) for part in go.lent_shape(given)] == [[2, 3], [3, 1]]
    assert go.lent_facts(x.t()) == "float32 cuda:0 6 false" and go.lent_address(x[1]) == x.data_ptr() + 12
    assert go.lent_facts(x.to(torch.bfloat16)) == "bfloat16 cuda:0 6 true"


def test_device_memory_is_no_slice(go, x):
    with pytest.raises(ValueError, match="LentElements: expected memory that the CPU can read, got a tensor on cuda:0"):
        go.scale_lent(x, 2)
    with pytest.raises(ValueError, match="Elements: expected memory that the CPU can read, got a tensor on cuda:0"):
        go.tensor_sum(x)
    assert x.sum().item() == 15


def test_kept_tensor_comes_back_as_itself(go, x):
    assert go.kept_tensor(x) is x and go.tensor_text(x) == "Tensor([2, 3], float32, cuda:0)"
    mine = from_dlpack(x)
    assert type(mine) is Tensor and go.kept_tensor(mine) is mine


def test_pinned_memory_is_a_slice(go, kernels, torch):
    mine = kernels.pinned(4)
    assert go.scale_lent(mine, 2) == "LentTensor([4], float32, cuda_host:0)" and go.tensor_sum(mine) == 12
    theirs = torch.ones(4).pin_memory()
    go.scale_lent(theirs, 3)
    assert theirs.tolist() == [3.0] * 4


def test_go_between_two_kernels(go, kernels, torch, x):
    """What Go hands on is the tensor that a kernel made and another takes."""
    made = go.kept_tensor(kernels.scaled(x, 2.0))
    kernels.scale(made, made, 2.0)
    assert torch.equal(made, 4 * x)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        assert kernels.call(selfsame_ffi.get_global_func("signatures.kept_tensor"), x) is x
