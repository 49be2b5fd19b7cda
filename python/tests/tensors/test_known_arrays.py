"""Arrays of NumPy and JAX go in without a call of __dlpack__, and are what that call gives."""

# Requirements: C8, F3

import gc
import weakref

import pytest
import selfsame_ffi
from numpy_releases import exports_read_only_arrays
from selfsame_ffi import Array, from_dlpack

np = pytest.importorskip("numpy")

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]
MORE_TYPES = [*TYPES, "longlong", "ulonglong", "complex64", "complex128"]

SHORT_TYPES = [kind for kind in TYPES if not kind.endswith("64")]  # JAX has the long ones where it is asked for them


class ByProtocol:
    """Exports as the array does, by __dlpack__ alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)


class Owner:
    """The owner of an array's memory, which says when it dies."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


def said(tensor):
    """Everything that a Tensor says of itself, but for strides that mean nothing."""
    strides = tuple(s for s, n in zip(tensor.strides, tensor.shape) if n > 1 and tensor.numel() > 0)
    return tensor.shape, strides, str(tensor.dtype), tensor.__dlpack_device__(), tensor.data_ptr()


def agrees(array):
    """Compare the ways into a call and by from_dlpack with the protocol."""
    expected = said(from_dlpack(ByProtocol(array)))
    assert said(from_dlpack(array)) == expected
    seen = []
    selfsame_ffi.convert(
        lambda *given: seen.extend(said(each) for each in given[:2]) or seen.append(said(given[2][0]))
    )(array, array, [array])
    assert seen == [expected] * 3


@pytest.mark.parametrize("kind", MORE_TYPES)
def test_numpy_arrays_are_what_the_protocol_says(kind):
    agrees(np.arange(6).astype(kind).reshape(2, 3))


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(()),
        np.zeros((0, 3)),
        np.zeros((4, 5)).T,
        np.zeros((6, 7))[::2, ::-3],
        np.zeros((1, 1, 4))[:, :, ::2],
        np.broadcast_to(np.zeros(3), (2, 3)).copy()[:, 1],
        np.zeros((1, 2, 1, 2, 1, 2)),
        np.zeros((1, 2, 1, 2, 1, 2, 3)),
        np.zeros(3, dtype=[("a", "f4"), ("b", "f4")])["b"],
        np.asfortranarray(np.ones((3, 4))),
        np.zeros(17, "u1")[1:].view("i4"),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_shapes_and_strides(array):
    agrees(array)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(3, "float32").astype(">f4" if np.little_endian else "<f4"),
        np.array(["a"]),
        np.array([None]),
        np.zeros(3, dtype=[("a", "i1"), ("b", "f4")])["b"],
        np.zeros(3, "datetime64[s]"),
    ],
    ids=lambda array: str(array.dtype),
)
def test_what_numpy_refuses_is_refused(native, array):
    with pytest.raises(BufferError) as refused:
        array.__dlpack__()
    for use in (from_dlpack, native.echo, lambda value: native.echo([value]), lambda value: Array([value])):
        with pytest.raises(BufferError) as ours:
            use(array)
        assert str(refused.value) in str(ours.value)


@exports_read_only_arrays
def test_an_array_that_becomes_read_only_is_lent_no_longer_as_writeable(native):
    array = np.zeros(3)
    native.echo(array)
    array.flags.writeable = False
    for use in (from_dlpack, native.echo):
        assert not use(array).numpy().flags.writeable
    array.flags.writeable = True
    assert np.shares_memory(native.echo(array).numpy(), array)


def test_a_subclass_says_itself_how_it_is_exported(native):
    class Twice(np.ndarray):
        def __dlpack__(self, **kwargs):
            return (np.asarray(self) * 2).__dlpack__(**kwargs)

    assert native.echo(np.ones(2).view(Twice)).numpy().tolist() == [2.0, 2.0]
    assert from_dlpack(np.ones(2).view(Twice)).numpy().tolist() == [2.0, 2.0]


def test_kept_arrays_stay_as_they_were(native):
    """A Tensor that native code keeps owns the array and has extents of its own, whatever happens to the array's."""
    array = np.arange(6.0)
    native.keep(array)
    made = from_dlpack(array)
    with pytest.raises(ValueError, match="resize"):
        array.resize(100)
    array.shape = (2, 3)  # NumPy frees the extents
    others = [np.zeros((7, 7)).reshape(49) for _ in range(50)]
    for tensor in (native.kept(0), made):
        assert tensor.shape == (6,) and tensor.strides == (1,) and tensor.data_ptr() == array.ctypes.data
    assert len(others) == 50
    array[1, 2] = 9
    del array
    gc.collect()
    assert native.kept(0).numpy().tolist() == made.numpy().tolist() == [0, 1, 2, 3, 4, 9]
    native.release()


def test_kept_arrays_die_with_their_tensor(native):
    owner = Owner(np.zeros(4))
    gone = weakref.ref(owner)
    array = np.asarray(owner)
    assert array.base is owner
    native.keep(array)
    tensor = from_dlpack(array)
    for _ in range(3):
        native.echo(array)
    del owner, array
    gc.collect()
    assert gone() is not None
    native.release()
    assert gone() is not None and tensor.numpy().tolist() == [0.0] * 4
    del tensor
    native.echo(0)
    gc.collect()
    assert gone() is None


# ---- JAX ----


@pytest.fixture(scope="module")
def jnp():
    jax = pytest.importorskip("jax")
    with jax.default_device(jax.devices("cpu")[0]):  # also where JAX sees a GPU: these tests read the memory
        yield jax.numpy


@pytest.mark.parametrize("kind", [*SHORT_TYPES, "bool", "bfloat16", "complex64", "float8_e4m3fn"])
def test_jax_arrays_are_what_the_protocol_says(jnp, kind):
    array = jnp.arange(6).astype(kind).reshape(2, 3)
    try:
        array.__dlpack__()
    except Exception as refused:
        with pytest.raises(type(refused)):
            from_dlpack(array)
        return
    agrees(array)


def test_jax_arrays_of_other_shapes(jnp):
    for shape in ((), (0, 3), (1, 2, 1, 2, 1, 2), (1, 2, 1, 2, 1, 2, 3)):
        agrees(jnp.zeros(shape))
    agrees(jnp.arange(12.0).reshape(3, 4).T)


def test_a_deleted_jax_array_is_refused(native, jnp):
    array = jnp.arange(3.0)
    native.echo(array)
    array.delete()
    for use in (from_dlpack, native.echo):
        with pytest.raises(Exception, match="(?i)delete"):
            use(array)


def test_jax_arrays_in_calls_containers_and_keywords(native, jnp):
    array = jnp.arange(4.0)
    address = array.unsafe_buffer_pointer()
    assert native.echo(array).data_ptr() == address
    assert native.view_at(array, 3) == 3.0
    made = native.echo([array, {"a": (array,)}])
    assert made[0].data_ptr() == made[1]["a"][0].data_ptr() == address
    assert Array([array])[0].data_ptr() == address
    seen = selfsame_ffi.convert(lambda first, second: (first.data_ptr(), second.data_ptr()))(array, array)
    assert list(seen) == [address, address]


def test_kept_jax_arrays_outlive_theirs(native, jnp):
    array = jnp.arange(1000.0)
    native.keep(array)
    tensor = from_dlpack(array)
    array.delete()  # waits for no one: the exports keep the memory
    del array
    gc.collect()
    others = [jnp.ones(1000) * i for i in range(20)]
    assert native.kept(0).numpy().sum() == tensor.numpy().sum() == 499500.0 and len(others) == 20
    native.release()


def test_a_callbacks_tensor_is_an_array_of_jax(native, jnp):
    import jax

    @selfsame_ffi.convert
    def double(tensor):
        return from_dlpack(jax.dlpack.from_dlpack(tensor) * 2)

    assert double(jnp.arange(4, dtype="float32")).numpy().tolist() == [0, 2, 4, 6]
    assert double(np.arange(4, dtype="float32")).numpy().tolist() == [0, 2, 4, 6]
