"""Data types and devices: plain values with Python classes."""

# Requirement: A8

import copy
import pickle

import pytest
import selfsame_ffi
from selfsame_ffi import Device, DLDeviceType, device, dtype


@pytest.mark.parametrize(
    ("text", "code", "bits", "lanes", "itemsize"),
    [
        ("int8", 0, 8, 1, 1),
        ("uint16", 1, 16, 1, 2),
        ("float32", 2, 32, 1, 4),
        ("float32x4", 2, 32, 4, 16),
        ("bfloat16", 4, 16, 1, 2),
        ("bool", 6, 8, 1, 1),
        ("float8_e4m3fn", 10, 8, 1, 1),
        ("int4", 0, 4, 1, 1),
        ("float4_e2m1fnx2", 17, 4, 2, 1),
    ],
)
def test_dtype_is_a_text_with_attributes(native, text, code, bits, lanes, itemsize):
    kind = dtype(text)
    assert kind == text and hash(kind) == hash(text) and str(kind) == text and repr(kind) == f"dtype({text!r})"
    assert (kind.type_code, kind.bits, kind.lanes, kind.itemsize) == (code, bits, lanes, itemsize)
    back = native.echo(kind)
    assert type(back) is dtype and back == kind and native.echo(kind) is back
    assert native.type_index_of(kind) == 5
    assert dtype(kind) == kind and dtype.from_dlpack_data_type((code, bits, lanes)) == kind
    assert pickle.loads(pickle.dumps(kind)) == kind and copy.deepcopy(kind) == kind
    assert selfsame_ffi.Array([kind])[0] is back


def test_dtype_tells_its_kind():
    assert dtype("int32").is_integer and not dtype("float32").is_integer
    assert dtype("float8_e5m2").is_float and dtype("bfloat16").is_float and dtype("bool").is_bool
    assert dtype("handle").is_handle and dtype("int32").with_lanes(4) == "int32x4"
    assert dtype.is_dtype("int32") and not dtype.is_dtype("nonsense")
    assert selfsame_ffi.float32 == "float32" and selfsame_ffi.bool.is_bool


def test_dtypes_of_other_libraries_convert(native):
    numpy = pytest.importorskip("numpy")
    assert native.echo(numpy.dtype("int16")) is native.echo(dtype("int16"))
    assert native.type_index_of(numpy.dtype("float64")) == 5
    assert dtype(numpy.dtype("bool")) == "bool" and dtype(numpy.float32) == "float32"
    for foreign in (numpy.dtype("int32"), numpy.dtype("complex64")):
        with pytest.raises(ValueError, match="unknown dtype"):
            native.echo(foreign.newbyteorder())
        assert native.echo(foreign.newbyteorder("=")) == foreign.name

    class Theirs:
        def __dlpack_data_type__(self):
            return (2, 32, 1)

    assert native.echo(Theirs()) == "float32"


def test_wrong_dtypes_are_refused(native):
    for bad in ("nonsense", "int32x", 3, None):
        with pytest.raises(ValueError, match="unknown dtype"):
            dtype(bad)

    class Wrong:
        parts = (1, 2)

        def __dlpack_data_type__(self):
            return self.parts

    for parts in ((1, 2), "x", (300, 8, 1), (1, -1, 1), None):
        Wrong.parts = parts
        with pytest.raises((TypeError, OverflowError)):
            native.echo(Wrong())


def test_device_has_type_and_index(native):
    cuda = device("cuda", 1)
    assert cuda == device("cuda:1") == Device(DLDeviceType.kDLCUDA, 1) == Device(2, 1)
    numpy = pytest.importorskip("numpy")
    assert device(numpy.int32(2), numpy.int64(1)) == cuda
    assert (cuda.type, cuda.index, cuda.dlpack_device_type()) == ("cuda", 1, 2)
    assert str(cuda) == "cuda:1" and repr(cuda) == "device(type='cuda', index=1)"
    assert hash(cuda) == hash(device("cuda:1")) and cuda != device("cpu") and cuda != "cuda:1"
    back = native.echo(cuda)
    assert back == cuda and native.echo(cuda) is back and native.type_index_of(cuda) == 6
    assert pickle.loads(pickle.dumps(cuda)) == cuda and copy.deepcopy(cuda) == cuda
    assert device("cpu").index == 0 and device("mps").type == "metal"


def test_devices_of_other_libraries_convert(native):
    class Theirs:
        def __dlpack_device__(self):
            return (2, 3)

    assert native.echo(Theirs()) == device("cuda", 3)


def test_lanes_of_scalable_vectors_are_negative(native):
    for name, lanes in (("float16xvscalex2", -2), ("complex64xvscalex4", -4)):
        kind = dtype(name)
        code, bits = kind.type_code, kind.bits
        assert kind.lanes == native.echo(kind).lanes == lanes and native.echo(kind) == name
        assert dtype.from_dlpack_data_type((code, bits, lanes)) == kind
        assert dtype.from_dlpack_data_type((code, bits, lanes + 2**16)).lanes == lanes
        assert dtype.from_dlpack_data_type((code, bits, 1)).with_lanes(lanes) == kind
        with pytest.raises(ValueError, match="scalable"):
            _ = kind.itemsize


def test_numbers_of_dtypes_beyond_the_abi_are_refused():
    for parts in ((2, 256, 1), (256, 16, 1), (-1, 16, 1), (2, 16, 2**16), (2, 16, -(2**15) - 1)):
        code, bits, lanes = parts
        with pytest.raises(OverflowError, match=f"code {code}, {bits} bits, {lanes} lanes"):
            dtype.from_dlpack_data_type(parts)
    with pytest.raises(TypeError):
        dtype("float16").with_lanes(4.0)


def test_device_index_is_an_int_of_32_bits(native):
    for index in (-1, 2**31 - 1, -(2**31)):
        cpu = device("cpu", index)
        assert device(str(cpu)) == cpu and native.echo(cpu) == cpu and cpu.index == index
    for index in (2**31, -(2**31) - 1):
        for arguments in (("cpu", index), (f"cpu:{index}",), (1, index)):
            with pytest.raises(OverflowError, match=f"'index': expected an int of 32 bits, got {index}"):
                device(*arguments)


def test_devices_and_dtypes_of_names_are_shared_and_cannot_change():
    assert device("cuda:1") is device("cuda:1") and dtype("int8") is dtype("int8")
    assert dtype(dtype("int8")) is dtype("int8") and type(str(dtype("int8"))) is str
    cuda = device("cuda", 1)
    for name in ("index", "type"):
        with pytest.raises(AttributeError):
            setattr(cuda, name, 2)
        with pytest.raises(AttributeError):
            delattr(cuda, name)
    assert cuda == device("cuda:1") and cuda.index == 1 and copy.deepcopy(cuda) == cuda
    with pytest.raises(TypeError):
        device("cpu", 1.0)
    assert device("cpu", True).index == 1

    class Remote(Device):
        def __device_type_name__(self):
            return "remote"

    remote = Remote("cpu", 1)
    remote.session = 3
    assert (remote.type, str(remote), repr(remote)) == ("remote", "remote:1", "device(type='remote', index=1)")


def test_devices_are_equal_by_type_and_index(native):
    class Other(Device):
        def __init__(self, text):
            super().__init__(text)

    cuda, other = device("cuda:1"), Other("cuda:1")
    assert cuda == other and other == cuda and hash(cuda) == hash(other) and not cuda != other
    assert cuda != device("cuda:0") and cuda != device("rocm:1") and not cuda == device("cuda:0")
    assert (cuda == "cuda:1") is False and cuda != (2, 1) and cuda is not None
    assert native.echo(other) == cuda and len({hash(device("cuda", i)) for i in range(100)}) == 100
    assert {cuda: 1}[other] == 1 and type(pickle.loads(pickle.dumps(other))) is Device
    with pytest.raises(TypeError):
        _ = cuda < other


def test_int_protocol_gives_an_int(native):
    class Count:
        def __init__(self, value):
            self.value = value

        def __tvm_ffi_int__(self):
            return self.value

    for value in (5.7, True, "7"):
        assert native.echo(Count(value)) == int(value) and type(native.echo(Count(value))) is int
        assert type(selfsame_ffi.Array([Count(value)])[0]) is int
    for value in (None, [1]):
        with pytest.raises(TypeError, match="int()"):
            native.echo(Count(value))


def test_wrong_devices_are_refused():
    for bad in ("nonsense", "cuda:x", "cuda:\u00b2", "cuda:", 99):
        with pytest.raises(ValueError):
            device(bad)
    with pytest.raises(TypeError):
        device("cuda", "x")
    with pytest.raises(TypeError):
        device(1.5)
    with pytest.raises(ValueError, match="contradict"):
        device("cuda:1", 2)
