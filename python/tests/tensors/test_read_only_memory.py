"""Memory that must not be written comes in, keeps its mark, and is handed on with it."""

# Requirements: A8, F3

import copy
import gc
import pickle

import pytest
import selfsame_ffi
from selfsame_ffi import Array, from_dlpack

np = pytest.importorskip("numpy")
if "max_version" not in (np.ndarray.__dlpack__.__doc__ or ""):
    pytest.skip("this NumPy has no versioned DLPack, and so refuses read-only arrays", allow_module_level=True)


@pytest.fixture(params=["whole", "strided", "of bools", "empty", "of no dimension"])
def locked(request):
    """A read-only array, each of a kind with a way in of its own."""
    array = np.arange(12, dtype="float32").reshape(3, 4)
    shapes = {"strided": array[:, ::2], "of bools": array > 3, "empty": array[:0], "of no dimension": np.array(2.5)}
    array = shapes.get(request.param, array)
    array.flags.writeable = False
    return array


class Exporter:
    """A class of another package: what it is asked for, and the array behind it."""

    def __init__(self, array):
        self.array, self.asked = array, []

    def __dlpack__(self, **kwargs):
        self.asked.append(kwargs)
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Old(Exporter):
    """A class that knows no versions."""

    def __dlpack__(self, stream=None):
        self.asked.append({"stream": stream})
        return self.array.__dlpack__()


def ways_in(native):
    """Each way from an array to a Tensor."""
    seen = []
    keep = selfsame_ffi.convert(seen.append)

    def by_callback(value):
        keep(value)
        return seen.pop()

    return [from_dlpack, native.echo, by_callback, lambda a: native.echo([a])[0], lambda a: Array([a])[0]]


def test_a_read_only_array_comes_in_read_only(native, locked):
    for way in ways_in(native):
        for given in (locked, Exporter(locked)):
            tensor = way(given)
            for view in (tensor.numpy(), np.from_dlpack(tensor), np.asarray(tensor)):
                assert not view.flags.writeable and view.tolist() == locked.tolist()
            assert np.shares_memory(tensor.numpy(), locked) or locked.size == 0


def test_a_writeable_array_stays_writeable(native):
    array = np.zeros(3)
    for way in ways_in(native):
        for given in (array, Exporter(array), Old(array)):
            way(given).numpy()[0] += 1
    assert array[0] == 3 * len(ways_in(native))


def test_an_unversioned_capsule_cannot_say_it_and_is_refused(locked):
    tensor = from_dlpack(locked)
    for export in (tensor.__dlpack__, tensor._to_dlpack):
        with pytest.raises(BufferError, match="max_version.*must not be written"):
            export()
    assert "versioned" in repr(tensor.__dlpack__(max_version=(1, 0)))
    assert "versioned" in repr(tensor._to_dlpack_versioned())


def test_a_copy_may_be_written(locked):
    tensor = from_dlpack(locked)
    assert np.from_dlpack(tensor, copy=True).flags.writeable
    assert from_dlpack(tensor.__dlpack__(max_version=(1, 0), copy=True)).numpy().flags.writeable
    pickles = [pickle.dumps(tensor, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for made in (copy.deepcopy(tensor), *map(pickle.loads, pickles)):
        assert made.numpy().tolist() == locked.tolist()
    assert not copy.copy(tensor).numpy().flags.writeable  # over the same memory
    assert np.array(tensor).flags.writeable


def test_a_chain_of_tensors_keeps_the_mark(locked):
    tensor = from_dlpack(locked)
    for _ in range(3):
        tensor = from_dlpack(tensor.__dlpack__(max_version=(1, 0)))
    assert not tensor.numpy().flags.writeable
    gc.collect()
    assert not tensor.numpy().flags.writeable and tensor.numpy().tolist() == locked.tolist()


def test_an_exporter_is_asked_with_the_newest_version_that_is_understood():
    exporter = Exporter(np.zeros(3))
    from_dlpack(exporter)
    assert exporter.asked == [{"max_version": (1, 3)}]


def test_an_exporter_without_versions_is_asked_without():
    for _ in range(3):
        exporter = Old(np.zeros(3))
        assert from_dlpack(exporter).numpy().flags.writeable
        assert exporter.asked == [{"stream": None}]
    with pytest.raises(BufferError):
        from_dlpack(Old(np.broadcast_to(1.0, 3)))


def test_the_exporters_own_type_error_is_raised():
    class Broken(Exporter):
        def __dlpack__(self, **kwargs):
            raise TypeError("mine")

    for _ in range(2):
        with pytest.raises(TypeError, match="mine"):
            from_dlpack(Broken(np.zeros(3)))


def test_a_type_error_for_one_array_does_not_make_a_class_one_without_versions(locked):
    class Sometimes(Exporter):
        def __dlpack__(self, **kwargs):
            if self.asked is None:
                raise TypeError("this one has no export")
            return super().__dlpack__(**kwargs)

    broken = Sometimes(locked)
    broken.asked = None
    for _ in range(2):
        with pytest.raises(TypeError, match="this one"):
            from_dlpack(broken)
        assert not from_dlpack(Sometimes(locked)).numpy().flags.writeable


def test_a_capsule_has_the_version_that_was_asked_for():
    """The consumer of DLPack 1.0 need not look at parts of 1.3."""
    import ctypes

    name = ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = from_dlpack(np.zeros(3))
    for asked, given in (((1, 0), (1, 0)), ((1, 1), (1, 1)), ((1, 99), (1, 3)), ((2, 0), (1, 3))):
        capsule = tensor.__dlpack__(max_version=asked)
        version = ctypes.cast(name(capsule, b"dltensor_versioned"), ctypes.POINTER(ctypes.c_uint32))
        assert (version[0], version[1]) == given
