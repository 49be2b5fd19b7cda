"""Memory of every package that exports it, through a Tensor, to every package that takes it.

`make exporters` installs the packages; without them a row is skipped.
"""

# Requirements: A8, F3

import importlib

import pytest
import selfsame_ffi
from selfsame_ffi import from_dlpack

np = pytest.importorskip("numpy")
if "max_version" not in (np.ndarray.__dlpack__.__doc__ or ""):
    pytest.skip("this NumPy has no versioned DLPack", allow_module_level=True)


def numpy_read_only(numpy):
    array = numpy.arange(4, dtype="int32")
    array.flags.writeable = False
    return array


# What exports: the module, an array of 0 to 3 as int32, and whether its memory may be written.
EXPORTERS = {
    "numpy": ("numpy", lambda m: m.arange(4, dtype="int32"), True),
    "numpy, read-only": ("numpy", numpy_read_only, False),
    "numpy, a broadcast": ("numpy", lambda m: m.broadcast_to(m.arange(4, dtype="int32"), (1, 4))[0], False),
    "torch": ("torch", lambda m: m.arange(4, dtype=m.int32), True),
    "torch, a parameter": ("torch", lambda m: m.nn.Parameter(m.arange(4, dtype=m.int32), requires_grad=False), True),
    "jax": ("jax", lambda m: m.numpy.arange(4, dtype="int32"), False),
    "pyarrow": ("pyarrow", lambda m: m.array(range(4), m.int32()), False),
    "warp": ("warp", lambda m: m.array([0, 1, 2, 3], dtype=m.int32, device="cpu"), True),
    "tensorflow": ("tensorflow", lambda m: m.range(4, dtype=m.int32), False),
}

# What takes: the module, how, whether it says read-only memory is read-only, and whether it asks for versions.
CONSUMERS = {
    "numpy": ("numpy", lambda m, t: m.from_dlpack(t), True, True),
    "torch": ("torch", lambda m, t: m.from_dlpack(t), False, True),
    "jax": ("jax", lambda m, t: m.dlpack.from_dlpack(t), True, False),
}


@pytest.fixture(params=EXPORTERS)
def exported(request):
    """The name, an array of that package, and whether it may be written."""
    module, make, writeable = EXPORTERS[request.param]
    return request.param, make(pytest.importorskip(module)), writeable


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("way", ["from_dlpack", "argument", "element"])
def test_memory_comes_in_as_it_is(native, exported, way):
    _, array, writeable = exported
    ways = {
        "from_dlpack": from_dlpack,
        "argument": native.echo,
        "element": lambda array: selfsame_ffi.Array([array])[0],
    }
    for _ in range(3):  # as a class that is new, and as one that is known
        tensor = ways[way](array)
        tensor = tensor if isinstance(tensor, selfsame_ffi.Tensor) else from_dlpack(tensor)
        view = tensor.numpy()
        assert view.tolist() == [0, 1, 2, 3] and view.flags.writeable == writeable
        assert memoryview(tensor).readonly != writeable


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_memory_goes_on_as_it_is(exported, consumer):
    name, array, writeable = exported
    module, take, says, versions = CONSUMERS[consumer]
    module = pytest.importorskip(module)
    tensor = from_dlpack(array)
    if not writeable and not versions and name not in ("jax", "tensorflow"):
        with pytest.raises(BufferError, match="must not be written"):
            take(module, tensor)
        return
    taken = take(module, tensor)
    assert np.asarray(taken).tolist() == [0, 1, 2, 3]
    if says and consumer == "numpy":
        assert taken.flags.writeable == writeable


def torch_lazy(torch):
    """Tensors of PyTorch that are not what lies in their memory, by what is told of them."""
    z = torch.tensor([[1 + 2j, 3 - 4j]])
    fake = importlib.import_module("torch._subclasses").FakeTensorMode
    with fake():
        unreal = torch.empty(3)
    return {
        "lazy conjugate": [z.conj(), z.mH, z.conj()[0, 0], z.conj().t()],
        "lazy negative": [z.conj().imag, z.conj().imag[0], z.conj().imag[0, 0], z.conj().imag[:, :1]],
        "no memory": [unreal, torch._efficientzerotensor(3)],
    }


def test_lazy_tensors_of_pytorch_are_refused(native):
    torch = pytest.importorskip("torch")
    for told, tensors in torch_lazy(torch).items():
        for tensor in tensors:
            for use in (from_dlpack, native.echo, native.takes_tensor, lambda t: selfsame_ffi.Array([t])):
                with pytest.raises(BufferError, match=told):
                    use(tensor)
    resolved = torch.tensor([1 + 2j]).conj().imag.resolve_neg()
    assert from_dlpack(resolved).numpy().tolist() == [-2]
    assert from_dlpack(torch.tensor([1 + 2j]).imag).numpy().tolist() == [2]


@pytest.mark.parametrize("kind", ["sparse", "meta", "nested"])
def test_tensors_of_pytorch_without_plain_memory_are_refused(native, kind):
    torch = pytest.importorskip("torch")
    made = {
        "sparse": lambda: torch.eye(3).to_sparse(),
        "meta": lambda: torch.empty(3, device="meta"),
        "nested": lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
    }[kind]()
    for use in (from_dlpack, native.echo, native.takes_tensor):
        with pytest.raises((BufferError, RuntimeError, TypeError, ValueError)):
            use(made)
