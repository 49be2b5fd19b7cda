"""The buffer protocol of Tensors and bytes, and memoryviews where native code expects bytes."""

import array
import ctypes
import gc
import struct
import sys
import weakref

import pytest
import racing
import selfsame_ffi
from racing import fast_switches  # noqa: F401  a fixture that all tests get
from selfsame_ffi import _core, from_dlpack
from selfsame_ffi.dataclasses import py_class


@py_class("testing.BufferBox")
class Box(selfsame_ffi.Object):
    data: bytes


# Requirement: F3
# Requirement: D11

#: NumPy's words for int64 and uint64: those of a C long where that has 64 bits.
INT64, UINT64 = ("l", "L") if struct.calcsize("l") == 8 else ("q", "Q")
FORMATS = {
    (0, 8): "b",
    (0, 16): "h",
    (0, 32): "i",
    (0, 64): INT64,
    (1, 8): "B",
    (1, 16): "H",
    (1, 32): "I",
    (1, 64): UINT64,
    (2, 16): "e",
    (2, 32): "f",
    (2, 64): "d",
    (6, 8): "?",
}


@pytest.mark.parametrize(("kind", "form"), FORMATS.items())
def test_elements_have_the_format_of_their_type(kind, form):
    values = [False, True, True] if form == "?" else [1, 2, 3]
    tensor = _core.tensor_from_bytes((*kind, 1), (3,), struct.pack(f"3{form}", *values))
    view = memoryview(tensor)
    assert (view.format, view.shape, view.itemsize, view.readonly) == (form, (3,), kind[1] // 8, False)
    assert struct.unpack(f"3{form}", view) == tuple(values)
    view.cast("B")[: view.itemsize] = bytes(view[1:2])
    assert struct.unpack(f"3{form}", tensor) == (values[1], values[1], values[2])


def test_complex_elements_and_lanes():
    pair = struct.pack("2f", 1.0, 2.0)
    assert memoryview(_core.tensor_from_bytes((5, 64, 1), (1,), pair)).format == "Zf"
    assert memoryview(_core.tensor_from_bytes((5, 128, 1), (1,), pair + pair)).format == "Zd"
    wide = memoryview(_core.tensor_from_bytes((2, 32, 2), (1,), pair))
    assert (wide.format, wide.shape, wide.tolist()) == ("f", (1, 2), [[1.0, 2.0]])


@pytest.mark.parametrize(("dtype", "name"), [((4, 16, 1), "bfloat16"), ((1, 4, 2), "uint4x2")])
def test_types_without_a_format_are_refused(dtype, name):
    with pytest.raises(BufferError, match=f"elements of the type {name} have no buffer format"):
        memoryview(_core.tensor_from_bytes(dtype, (1,), b"\0\0"[: dtype[1] * dtype[2] // 8]))


def test_empty_tensors_and_scalars():
    assert memoryview(_core.tensor_from_bytes((2, 64, 1), (0, 3), b"")).tolist() == []
    assert memoryview(_core.tensor_from_bytes((0, 8, 1), (), b"\x05"))[()] == 5


class Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [
        *[(name, ctypes.c_void_p) for name in ("buf", "obj")],
        *[(name, ctypes.c_ssize_t) for name in ("len", "itemsize")],
        *[(name, ctypes.c_int) for name in ("readonly", "ndim")],
        *[(name, ctypes.c_void_p) for name in ("format", "shape", "strides", "suboffsets", "internal")],
    ]


@pytest.mark.parametrize(("shape", "given"), [((), False), ((1,), True)])
def test_scalar_has_no_shape_and_strides(shape, given):
    """The buffer protocol wants NULL for both where there are no dimensions; debug builds of CPython assert it."""
    view = Buffer()
    full = 0x11C  # PyBUF_FULL_RO
    tensor = _core.tensor_from_bytes((0, 8, 1), shape, b"\x05")
    assert ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(tensor), ctypes.byref(view), full) == 0
    has = (view.ndim, view.len, bool(view.shape), bool(view.strides))
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    assert has == (len(shape), 1, given, given)


def test_numpy_round_trip_is_without_a_copy():
    np = pytest.importorskip("numpy")
    source = np.arange(24, dtype="int32").reshape(2, 3, 4)
    tensor = from_dlpack(source)
    through = np.asarray(memoryview(tensor))
    assert np.shares_memory(through, source) and through.dtype == source.dtype and (through == source).all()
    through[1, 2, 3] = -1
    assert source[1, 2, 3] == -1
    back = from_dlpack(np.asarray(tensor))
    assert back.data_ptr() == tensor.data_ptr()


def test_strides_are_kept():
    np = pytest.importorskip("numpy")
    source = np.arange(24, dtype="int16").reshape(2, 3, 4)
    for part in (source[:, ::2, 1:], source.T, source[::-1], source[:, :1]):
        tensor = from_dlpack(part)
        view = memoryview(tensor)
        assert (view.shape, view.strides) == (part.shape, part.strides) and view.tolist() == part.tolist()
        assert bytes(view) == part.tobytes()
        assert view.c_contiguous == part.flags.c_contiguous and view.f_contiguous == part.flags.f_contiguous


class _File:
    """Asks for plain bytes, as files do."""

    def __init__(self, value):
        self.got = bytearray(len(memoryview(value).tobytes()))
        struct.pack_into(f"{len(self.got)}s", self.got, 0, bytes(memoryview(value).cast("B")))


def test_a_tensor_with_gaps_has_no_plain_bytes():
    np = pytest.importorskip("numpy")
    source = np.arange(8, dtype="int8")
    assert _File(from_dlpack(source)).got == source.tobytes()
    with pytest.raises(BufferError, match="without strides, got one with gaps"):
        zlib_crc(from_dlpack(source[::2]))
    assert zlib_crc(from_dlpack(source)) == zlib_crc(source.tobytes())


def zlib_crc(value):
    import zlib

    return zlib.crc32(value)


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint8 * 4),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


def test_memory_of_a_device_has_no_buffer():
    shape = (ctypes.c_int64 * 1)(4)
    managed = _DLTensor(ctypes.addressof(shape), (2, 0), 1, (2, 32, 1, 0), ctypes.addressof(shape), None, 0, None, None)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    tensor = from_dlpack(new(ctypes.addressof(managed), b"dltensor", None))
    with pytest.raises(BufferError, match="memory of another device than the CPU has no buffer"):
        memoryview(tensor)
    del tensor
    gc.collect()


def strided(shape, strides, bits=32):
    """A Tensor that a producer describes so, and what must be kept until it is gone."""
    extents, steps = (ctypes.c_int64 * len(shape))(*shape), (ctypes.c_int64 * len(shape))(*strides)
    data = (ctypes.c_uint8 * 64)()
    places = [ctypes.addressof(part) for part in (data, extents, steps)]
    managed = _DLTensor(places[0], (1, 0), len(shape), (2, bits, 1, 0), places[1], places[2], 0, None, None)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return from_dlpack(new(ctypes.addressof(managed), b"dltensor", None)), (managed, extents, steps, data)


ANY = [2**63 - 1, -(2**63), 2**62, -1, 0]


@pytest.mark.parametrize("stride", ANY)
def test_strides_that_lead_nowhere_may_be_any(stride):
    tensor, kept = strided((1, 3), (stride, 1))
    assert memoryview(tensor).shape == (1, 3) and memoryview(tensor).tolist() == [[0.0, 0.0, 0.0]]
    tensor, kept = strided((0,), (stride,))
    assert memoryview(tensor).tolist() == [] and memoryview(tensor).nbytes == 0
    tensor, kept = strided((3, 0, 2), (stride, stride, stride))
    assert memoryview(tensor).shape == (3, 0, 2) and memoryview(tensor).nbytes == 0
    tensor, kept = strided((2**30, 2**30, 0), (stride, 1, 1))
    assert memoryview(tensor).nbytes == 0
    del tensor, kept


def test_strides_and_sizes_beyond_a_buffer_are_refused():
    with pytest.raises(ValueError, match="overflow int64_t"):
        strided((2, 1), (2**62, 1))
    with pytest.raises(ValueError, match="overflows int64_t"):
        strided((2**31, 2**31), (0, 0))
    with pytest.raises(ValueError, match="overflows int64_t"):
        strided((2**40, 2**40), (0, 0))


def test_a_buffer_keeps_the_memory_alive():
    np = pytest.importorskip("numpy")

    class Traced(np.ndarray):
        pass

    owner = np.arange(4.0).view(Traced)
    died = weakref.ref(owner)
    view = memoryview(from_dlpack(owner))
    del owner
    gc.collect()
    assert died() is not None and view.tolist() == [0.0, 1.0, 2.0, 3.0]
    part = view[1:]
    view.release()
    assert died() is not None and part[0] == 1.0
    part.release()
    gc.collect()
    assert died() is None


def test_a_buffer_outlives_a_move(native):
    tensor = _core.tensor_from_bytes((1, 8, 1), (3,), b"abc")
    view = memoryview(tensor)
    native.take_any(tensor._move())
    del tensor
    gc.collect()
    assert view.tobytes() == b"abc"


def test_threads_export_and_release_at_once():
    tensor = _core.tensor_from_bytes((0, 64, 1), (100,), bytes(800))

    def use(i):
        for k in range(300):
            with memoryview(tensor) as view:  # its own: without a GIL CPython 3.14 counts slices of one unsafely
                view[i] = k
                assert view[i] == k
                part = view[i : i + 1]
                assert part.shape == (1,)
                part.release()

    racing.run(8, use)
    assert memoryview(tensor).tolist()[:9] == [299] * 8 + [0]


def test_bytes_are_buffers():
    long = selfsame_ffi.convert(b"0123456789abcdef")
    assert isinstance(long, bytes) and memoryview(long).readonly and memoryview(long).tobytes() == long
    assert bytes(memoryview(selfsame_ffi.convert(b"short"))) == b"short"


def test_memoryviews_are_accepted_where_go_takes_bytes(go):
    data = bytes(range(200))
    numbers = array.array("i", [1, 2, 3])
    for view in (
        memoryview(data),
        memoryview(data)[::3],
        memoryview(b""),
        memoryview(bytearray(data)),
        memoryview(numbers),
    ):
        assert go.size(view) == view.nbytes
        assert go.size(data=view) == view.nbytes
    assert go.size(memoryview(_core.tensor_from_bytes((2, 64, 1), (2,), bytes(16)))) == 16
    with pytest.raises(TypeError, match=r"argument 'data': expected bytes, got array.array"):
        go.size(numbers)
    box = go.Blob()
    box.data = memoryview(data)[1:]
    assert box.data == data[1:]
    with pytest.raises(TypeError, match="expected bytes|Cannot convert"):
        box.data = numbers


def test_memoryviews_are_accepted_by_declared_fields():
    assert Box(memoryview(b"0123456789")[::2]).data == b"02468"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the method is of CPython 3.12")
def test_the_method_of_the_protocol():
    assert _core.tensor_from_bytes((1, 8, 1), (2,), b"ab").__buffer__(0).tobytes() == b"ab"
