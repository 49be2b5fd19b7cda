"""Tensor: memory that native code and other libraries share without a copy."""

# Requirements: A8, F3

import copy
import gc
import pickle
import sys
import sysconfig
import weakref

import pytest
import selfsame_ffi
from exchange_tables import on_device
from selfsame_ffi import Tensor, from_dlpack

np = pytest.importorskip("numpy")


def test_tensor_describes_its_memory():
    array = np.arange(12, dtype="float32").reshape(3, 4)
    tensor = from_dlpack(array)
    assert type(tensor) is Tensor and tensor.shape == (3, 4) and tensor.strides == (4, 1) and tensor.ndim == 2
    assert tensor.dtype == "float32" and tensor.device == selfsame_ffi.device("cpu") and tensor.numel() == 12
    assert tensor.size(0) == 3 and tensor.size(-1) == 4 and tensor.is_contiguous()
    assert tensor.data_ptr() == array.ctypes.data and tensor.__dlpack_device__() == (1, 0)
    assert repr(tensor) == "float32[3, 4]@cpu:0"
    for bad in (2, -3):
        with pytest.raises(IndexError, match="Dimension"):
            tensor.size(bad)


def test_numpy_and_tensor_share_memory():
    array = np.zeros((2, 3))
    tensor = from_dlpack(array)
    back = np.from_dlpack(tensor)
    assert np.shares_memory(back, array)
    array[1, 2] = 7
    assert back[1, 2] == 7 and tensor.numpy()[1, 2] == 7 and np.asarray(tensor)[1, 2] == 7
    assert np.shares_memory(tensor.numpy(), array)
    assert not np.shares_memory(np.array(tensor, copy=True), array)
    assert np.asarray(tensor, dtype="float32").dtype == "float32"


@pytest.mark.parametrize("kind", ["bool", "int8", "uint16", "int64", "float16", "float64"])
def test_data_types_are_kept(kind):
    array = np.ones(3, dtype=kind)
    assert from_dlpack(array).dtype == kind
    assert (from_dlpack(array).numpy() == array).all()


def test_shapes_and_strides_are_kept():
    array = np.arange(12).reshape(3, 4)
    turned = from_dlpack(array.T)
    assert turned.strides == (1, 4) and not turned.is_contiguous() and (turned.numpy() == array.T).all()
    assert from_dlpack(np.zeros(())).shape == () and from_dlpack(np.zeros(())).strides == ()
    assert from_dlpack(np.zeros((0, 3))).shape == (0, 3) and from_dlpack(np.zeros((0, 3))).is_contiguous()
    part = from_dlpack(array[:, 1:])
    assert part.data_ptr() == array[:, 1:].ctypes.data and (np.from_dlpack(part) == array[:, 1:]).all()


def test_from_dlpack_checks_its_arguments():
    array = np.arange(12).reshape(3, 4)
    with pytest.raises(RuntimeError, match="contiguous"):
        from_dlpack(array.T, require_contiguous=True)
    with pytest.raises(RuntimeError, match="aligned"):
        from_dlpack(array, require_alignment=1 << 30)
    for bad in (-1, 2**40):
        with pytest.raises(ValueError, match="require_alignment"):
            from_dlpack(array, require_alignment=bad)
    for wrong in ((), (array, 1)):
        with pytest.raises(TypeError, match="from_dlpack"):
            from_dlpack(*wrong)
    with pytest.raises(TypeError, match="unexpected keyword"):
        from_dlpack(array, nonsense=1)
    assert from_dlpack(ext_tensor=array).shape == (3, 4)
    tensor = from_dlpack(array.T)
    with pytest.raises(RuntimeError, match="contiguous"):
        from_dlpack(tensor, require_contiguous=True)
    assert from_dlpack(array, require_contiguous=True, require_alignment=1).shape == (3, 4)


def test_tensor_has_identity(native):
    tensor = from_dlpack(np.zeros(3))
    assert native.echo(tensor) is tensor and from_dlpack(tensor) is tensor and selfsame_ffi.convert(tensor) is tensor
    assert selfsame_ffi.Array([tensor])[0] is tensor and selfsame_ffi.Map({"t": tensor})["t"] is tensor
    assert tensor == tensor and tensor != from_dlpack(np.zeros(3)) and hash(tensor) == hash(tensor)
    native.keep(tensor)
    first = id(tensor)
    del tensor
    assert id(native.kept(0)) == first and native.kept(0) is native.kept(0)
    native.release()


def test_arrays_become_tensors(native):
    array = np.zeros(3)
    tensor = native.echo(array)
    assert type(tensor) is Tensor and tensor.data_ptr() == array.ctypes.data
    assert type(selfsame_ffi.convert(array)) is Tensor
    seen = []
    native.apply(lambda value: seen.append(value), array)
    assert type(seen[0]) is Tensor and np.shares_memory(seen[0].numpy(), array)


class Traced(np.ndarray):
    """An array with weak references, so that a test sees when it is freed."""


def traced():
    return np.zeros(100).view(Traced)


def test_owner_lives_as_long_as_the_tensor(native):
    array = traced()
    gone = weakref.ref(array)
    tensor = from_dlpack(array)
    del array
    gc.collect()
    assert gone() is not None
    native.keep(tensor)
    del tensor
    gc.collect()
    assert gone() is not None and native.kept(0).numel() == 100
    native.release()
    gc.collect()
    assert gone() is None


def test_owner_lives_as_long_as_the_exports():
    array = traced()
    gone = weakref.ref(array)
    tensor = from_dlpack(array)
    view = np.from_dlpack(tensor)
    kept = float(array[2])
    capsule = tensor.__dlpack__()
    del array, tensor
    gc.collect()
    assert gone() is not None
    if view.flags.writeable:  # NumPy before 2.1 makes every imported array read-only
        view[3] = 5
        assert view[3] == 5
    assert view[2] == kept
    del view
    gc.collect()
    assert gone() is not None  # the capsule owns it
    del capsule
    gc.collect()
    assert gone() is None


def test_native_thread_may_release_the_last_reference(native):
    array = traced()
    gone = weakref.ref(array)
    native.keep(from_dlpack(array))
    del array
    native.release_on_thread()
    selfsame_ffi.debug.counters()  # a call from Python runs the deferred releases
    gc.collect()
    assert gone() is None


def test_capsule_is_used_once():
    array = np.arange(3)
    for capsule in (array.__dlpack__(), from_dlpack(array)._to_dlpack(), from_dlpack(array)._to_dlpack_versioned()):
        tensor = from_dlpack(capsule)
        assert (tensor.numpy() == array).all()
        with pytest.raises(ValueError, match="once"):
            from_dlpack(capsule)
    assert "dltensor_versioned" in repr(from_dlpack(array).__dlpack__(max_version=(1, 0)))
    assert "dltensor_versioned" not in repr(from_dlpack(array).__dlpack__())


def by_array(tensor):
    array = tensor.numpy()
    if not array.flags.writeable:
        pytest.skip("this NumPy takes what it is given as read-only, and gives nothing read-only away")
    return array


def by_capsule(tensor):
    return tensor.__dlpack__()


@pytest.mark.parametrize("trip", [by_array, by_capsule])
def test_long_chain_of_owners_is_freed_without_recursion(trip):
    """Each Tensor owns the array or capsule that it was made from. Dropping the last one frees all of them at once."""
    array = traced()
    gone = weakref.ref(array)
    tensor = from_dlpack(array)
    del array
    for _ in range(100_000):
        tensor = from_dlpack(trip(tensor))
    assert gone() is not None
    del tensor
    assert gone() is None


def test_wrong_export_arguments_are_refused():
    tensor = from_dlpack(np.zeros(3))
    with pytest.raises(BufferError, match="device"):
        tensor.__dlpack__(dl_device=(2, 0))
    for wrong in ({"max_version": 1}, {"dl_device": "cpu"}, {"nonsense": 1}, {"max_version": (1,)}):
        with pytest.raises(TypeError):
            tensor.__dlpack__(**wrong)
    for argument in ("max_version", "dl_device"):
        with pytest.raises(TypeError, match=f"^Tensor.__dlpack__: argument '{argument}': "):
            tensor.__dlpack__(**{argument: ("x", 0)})
    with pytest.raises(TypeError, match="^from_dlpack: argument 'require_alignment': "):
        from_dlpack(tensor, require_alignment="x")
    assert tensor.__dlpack__(dl_device=(1, 0), copy=False, stream=None) is not None


@pytest.mark.parametrize(
    ("device", "right", "wrong"),
    [
        (
            1,
            [None, -1],
            [("nonsense", TypeError), (True, TypeError), (0, BufferError), (1, BufferError), (2**80, BufferError)],
        ),
        (2, [None, -1, 1, 2, 2**63], [(0, ValueError), (-2, ValueError), (-(2**80), ValueError), (1.0, TypeError)]),
        (10, [None, -1, 0, 2**47], [(1, ValueError), (2, ValueError), (-2, ValueError), ("default", TypeError)]),
        (8, [None, "a queue of Metal's"], []),
    ],
)
def test_stream_is_one_that_the_device_may_have(device, right, wrong):
    """By the array API's standard; what other devices call a stream is theirs."""
    tensor = on_device(device, 0)
    for stream in right:
        assert tensor.__dlpack__(stream=stream) is not None
    for stream, refusal in wrong:
        with pytest.raises(refusal, match="^Tensor.__dlpack__: argument 'stream': expected"):
            tensor.__dlpack__(stream=stream)
    assert np.from_dlpack(from_dlpack(np.arange(3))).tolist() == [0, 1, 2]


@pytest.mark.parametrize("argument", ["max_version", "dl_device", "copy"])
def test_move_by_an_argument_of_an_export_is_noticed(native, argument):
    """Converting an argument may run Python code, so the tensor is checked after all arguments are converted."""
    tensor = from_dlpack(np.zeros(3))

    class Mover:
        def __index__(self):
            native.take_any(tensor._move())
            return 1

        def __bool__(self):
            return self.__index__() == 0

    given = Mover() if argument == "copy" else (Mover(), 0)
    arguments = {"dl_device": (1, 0), argument: given}
    if sysconfig.get_config_var("Py_GIL_DISABLED"):  # during an export the tensor is shared there, not moved
        assert from_dlpack(tensor.__dlpack__(**arguments)).shape == tensor.shape == (3,)
        return
    with pytest.raises(RuntimeError, match="moved away"):
        tensor.__dlpack__(**arguments)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the collector runs between two instructions only")
@pytest.mark.parametrize("attribute", ["shape", "strides"])
def test_tensor_is_shared_while_it_is_read(native, attribute):
    """A new tuple may start a collection, whose finalizers may move the tensor: a read shares it."""

    class Mover:
        def __init__(self):
            self.cycle = self

        def __del__(self):
            native.take_any(tensor._move())
            ran.append(1)

    array = np.zeros((1,) * 30)  # CPython has no free list for tuples of 30 items
    tensor, ran, thresholds = from_dlpack(array), [], gc.get_threshold()
    gc.disable()
    try:
        Mover()
        gc.set_threshold(1)
        gc.enable()
        value = getattr(tensor, attribute)
    finally:
        gc.set_threshold(*thresholds)
        gc.enable()
    assert value == (1,) * 30 and ran and selfsame_ffi.debug.tie(tensor)["state"] == "Active"


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_export_as_a_copy_shares_no_memory(version):
    array = np.arange(24, dtype="int16").reshape(2, 3, 4)
    for source in (array, array.transpose(2, 0, 1), array[:, ::2], array[:0], np.array(5.0)):
        tensor = from_dlpack(source)
        copied = from_dlpack(tensor.__dlpack__(copy=True, max_version=version))
        assert not np.shares_memory(copied.numpy(), source) or source.size == 0
        assert copied.is_contiguous() and copied.shape == source.shape and copied.dtype == tensor.dtype
        assert copied.numpy().tolist() == source.tolist() and copied is not tensor
    copied = from_dlpack(from_dlpack(array).__dlpack__(copy=True))
    array[:] = 0
    assert copied.numpy()[1, 2, 3] == 23
    unused = from_dlpack(array).__dlpack__(copy=True, max_version=version)
    del unused  # an unused capsule frees the copy


def test_numpy_may_ask_for_a_copy():
    tensor = from_dlpack(np.zeros(3))
    if np.lib.NumpyVersion(np.__version__) < "2.1.0":
        pytest.skip("from_dlpack takes no copy argument there")
    assert np.shares_memory(np.from_dlpack(tensor), np.from_dlpack(tensor, copy=False))
    assert not np.shares_memory(np.from_dlpack(tensor), np.from_dlpack(tensor, copy=True))


def test_wrong_imports_are_refused(native):
    with pytest.raises(TypeError, match="__dlpack__"):
        from_dlpack(3)
    with pytest.raises(BufferError):
        native.echo(np.array(["text"]))

    class Lies:
        def __dlpack__(self):
            return 3

    with pytest.raises(TypeError, match="capsule"):
        from_dlpack(Lies())
    with pytest.raises(TypeError, match="from_dlpack"):
        Tensor()


def test_use_before_init_is_refused():
    raw = Tensor.__new__(Tensor)
    for use in (lambda t: t.shape, lambda t: t.numel(), lambda t: t.__dlpack__(), lambda t: t.dtype, from_dlpack):
        with pytest.raises(RuntimeError, match="not initialised"):
            use(raw)
    assert repr(raw) == "<Tensor object, not initialised>"


@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_complex_tensors_are_tensors(name):
    array = np.array([1 + 2j, -3j], name)
    tensor = from_dlpack(array)
    assert repr(tensor) == f"{name}[2]@cpu:0" and name in repr(selfsame_ffi.List([tensor]))
    assert tensor.dtype == name and selfsame_ffi.dtype(name) == tensor.dtype
    assert tensor.dtype.itemsize == array.itemsize and not tensor.dtype.is_float
    assert selfsame_ffi.List([tensor.dtype])[0] == name
    text = selfsame_ffi.serialization.to_json_graph_str(selfsame_ffi.List([tensor.dtype]))
    assert selfsame_ffi.serialization.from_json_graph_str(text)[0] == name
    for way in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        assert np.array_equal(np.from_dlpack(way(tensor)), array)


@pytest.mark.parametrize(("bits", "lanes"), [(8, 1), (16, 1), (64, 1), (32, 4), (8, -4)])
def test_every_type_of_elements_has_a_name(bits, lanes):
    for code in range(256):
        parts = (code, bits, lanes)
        as_in_c = (code, bits, lanes % 2**16)  # and in older pickles
        assert selfsame_ffi.dtype._from_parts(*as_in_c)._parts == parts
        kind = selfsame_ffi.dtype._from_parts(*parts)
        tensor = selfsame_ffi._core.tensor_from_bytes(parts, (0,), b"")
        assert tensor.dtype == kind and kind.type_code == code and kind.bits == bits and kind.lanes == lanes
        assert repr(tensor).startswith(str(kind))
        for way in (copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
            assert way(kind)._parts == parts, parts
            if code != 3:  # a pickle of pointers is refused
                assert way(tensor).dtype._parts == parts, parts


def test_elements_of_a_size_that_the_machine_decides_are_not_made():
    for lanes in (-4, 0xFFFC):
        with pytest.raises(ValueError, match="do not fill a Tensor of this shape"):
            selfsame_ffi._core.tensor_from_bytes((0, 8, lanes), (1,), bytes(0xFFFC))


@pytest.mark.parametrize(
    "name",
    ["complex", "complex0", "complex256", "complex64x0", "complex64x65536", "custom[256]8", "custom[]8", "custom[7]"],
)
def test_names_of_no_type(name):
    with pytest.raises(ValueError, match="unknown dtype"):
        selfsame_ffi.dtype(name)
