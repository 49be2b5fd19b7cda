"""Arrays on a GPU of CuPy, JAX and Triton beside those of PyTorch."""

# Requirement: F3

import pytest
from selfsame_ffi import Tensor, from_dlpack

np = pytest.importorskip("numpy")


def test_cupy_arrays(kernels, torch, other_package):
    cupy = other_package("cupy")
    x = cupy.arange(6, dtype="float32").reshape(2, 3)
    out = cupy.zeros_like(x)
    assert kernels.describe(x) == "2:0 2/32/1 2 3 contiguous" and kernels.address(x) == x.data.ptr
    assert kernels.describe(x.T) == "2:0 2/32/1 3 2 strided"
    assert kernels.echo(x).data_ptr() == x.data.ptr
    kernels.scale(out, x, 2.0)
    assert out.get().tolist() == [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]
    kernels.add_all(out, [x, x])
    assert out.get().tolist() == [[0.0, 4.0, 8.0], [12.0, 16.0, 20.0]]
    mine = from_dlpack(x)
    assert type(mine) is Tensor and mine.data_ptr() == x.data.ptr and mine.__dlpack_device__() == (2, 0)
    back = cupy.from_dlpack(mine)
    back[0, 0] = 7
    assert x[0, 0].item() == 7


def test_cupy_and_pytorch_in_one_call(kernels, torch, other_package):
    cupy = other_package("cupy")
    x, out = cupy.ones(8, dtype="float32"), torch.zeros(8, device="cuda")
    cupy.cuda.Device().synchronize()
    kernels.scale(out, x, 5.0)
    assert out.tolist() == [5.0] * 8
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        kernels.scale(x, out, 2.0)
        assert kernels.stream_on(0, [x, out]) == stream.cuda_stream
    stream.synchronize()
    assert x.get().tolist() == [10.0] * 8


def test_jax_arrays(kernels, torch, other_package):
    jax = other_package("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX sees no GPU")
    x = jax.numpy.arange(6, dtype="float32").reshape(2, 3).block_until_ready()
    address = x.unsafe_buffer_pointer()
    assert kernels.describe(x) == "2:0 2/32/1 2 3 contiguous" and kernels.address(x) == address
    assert kernels.echo(x).data_ptr() == address
    out = torch.zeros(2, 3, device="cuda")
    kernels.scale(out, x, 3.0)
    assert out.tolist() == [[0.0, 3.0, 6.0], [9.0, 12.0, 15.0]]
    kernels.add_all(out, [x, {"x": x}["x"]])
    assert out.tolist() == [[0.0, 5.0, 10.0], [15.0, 20.0, 25.0]]
    mine = from_dlpack(x)
    assert type(mine) is Tensor and mine.data_ptr() == address and mine.__dlpack_device__() == (2, 0)
    back = jax.numpy.from_dlpack(mine)
    assert back.unsafe_buffer_pointer() == address and back.tolist() == x.tolist()
    host = jax.device_put(x, jax.devices("cpu")[0])
    assert from_dlpack(host).numpy().tolist() == x.tolist() and kernels.describe(host).startswith("1:0 ")


def test_jax_array_that_is_being_computed(kernels, torch, other_package):
    """The memory of an array whose computation has only been started is read when the computation is done."""
    jax = other_package("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX sees no GPU")

    @jax.jit
    def slowly(seed):
        return jax.lax.fori_loop(0, 2000, lambda i, value: value @ value / 64, seed)[0]

    seed = jax.numpy.ones((64, 64), "float32").block_until_ready()
    slowly(seed).block_until_ready()
    want = np.asarray(slowly(seed)) * 2
    for give in (lambda array: array, from_dlpack):
        out = torch.zeros(64, device="cuda")
        torch.cuda.synchronize()
        kernels.scale(out, give(slowly(seed)), 2.0)
        torch.cuda.synchronize()
        assert out.tolist() == want.tolist() and want[0] == 2


def test_tensor_of_a_triton_kernel(kernels, torch, other_package):
    other_package("triton")
    from gpu_triton import add_one

    x = torch.arange(1000, dtype=torch.float32, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        made = kernels.scaled(add_one(x), 2.0)
        again = add_one(made)
    stream.synchronize()
    assert torch.equal(made, 2 * (x + 1)) and torch.equal(again, made + 1)
