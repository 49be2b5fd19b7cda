"""Tensors whose description is nonsense are refused wherever one comes in, and those without memory are not read."""

import copy
import ctypes
import pickle

import pytest
import selfsame_ffi
from described_tensors import Described
from selfsame_ffi import from_dlpack

# Requirement: F3

UNSOUND = {
    "no shape": dict(shape=None, ndim=1),
    "negative ndim": dict(ndim=-1),
    "least ndim": dict(ndim=-(2**31)),
    "negative extent": dict(shape=(-1,)),
    "least extent": dict(shape=(-(2**63),)),
    "large size": dict(shape=(2**31, 2**31), strides=None),
    "large size beside zero": dict(shape=(0, 2**62, 2), strides=None),
    "no lanes": dict(lanes=0),
    "many lanes": dict(shape=(2**46,), lanes=0xFFFF, bits=255),
    "far stride": dict(shape=(2,), strides=(2**62,)),
    "far negative stride": dict(shape=(2,), strides=(-(2**62),)),
    "least stride": dict(shape=(2,), strides=(-(2**63),)),
    "sum of strides": dict(shape=(2, 2, 2), strides=(2**60, 2**60, 1)),
    "opposite strides": dict(shape=(3, 3), strides=(2**60, -(2**60))),
    "far extent": dict(shape=(2**40,), strides=(2**30,)),
    "byte offset": dict(byte_offset=2**64 - 1),
    "byte offset and stride": dict(shape=(2,), strides=(2**60,), byte_offset=2**62 + 2**61 + 2**60),
}


@pytest.mark.parametrize("description", UNSOUND.values(), ids=UNSOUND)
def test_unsound_descriptions_are_refused(native, description):
    source = Described(**description)
    with pytest.raises(ValueError, match="TensorFromDLPack"):
        from_dlpack(source)
    with pytest.raises(ValueError, match="TensorFromDLPack"):
        native.echo(source)
    with pytest.raises(ValueError, match="TensorFromDLPack"):
        native.echo([source])


SOUND = {
    "backwards": dict(shape=(2, 2), strides=(-2, -1)),
    "one value": dict(shape=(8, 8), strides=(0, 0)),
    "unused strides": dict(shape=(1, 1), strides=(2**63 - 1, -(2**63))),
    "no elements": dict(shape=(0, 2), strides=(2**63 - 1, -(2**63)), data=None, byte_offset=2**64 - 1),
    "offset": dict(shape=(2,), byte_offset=8),
    "no dimensions": dict(shape=(), strides=()),
    "no bits": dict(bits=0),
    "half bytes": dict(code=1, bits=4),
}


@pytest.mark.parametrize("description", SOUND.values(), ids=SOUND)
def test_sound_descriptions_are_tensors(native, description):
    source = Described(**description)
    tensor = from_dlpack(source)
    assert tensor.shape == tuple(description.get("shape", (2,))) and repr(tensor)
    assert native.echo(tensor) is tensor
    del tensor  # before `source`, whose memory it describes


def test_memory_that_is_not_there_is_not_read():
    full = Described(shape=(2,), data=None, byte_offset=8)
    with pytest.raises(BufferError, match="got a Described, which has elements but no memory"):
        from_dlpack(full)
    tensor = from_dlpack(full.__dlpack__())  # of a capsule nobody knows whose it is
    for read in (memoryview, bytes):
        with pytest.raises(BufferError, match="this tensor has no memory"):
            read(tensor)
    for protocol in range(2, 6):
        with pytest.raises(TypeError, match="a tensor without memory cannot be"):
            pickle.dumps(tensor, protocol)
    with pytest.raises(TypeError, match="a tensor without memory cannot be"):
        copy.deepcopy(tensor)
    with pytest.raises(BufferError, match="Tensor.numpy: this tensor has no memory"):
        tensor.numpy()
    assert tensor.data_ptr() == 0
    with pytest.raises(BufferError, match="a tensor without memory cannot be"):
        tensor.__dlpack__(copy=True)
    source = Described(shape=(0,), data=None)
    empty = from_dlpack(source)
    assert bytes(empty) == b"" and copy.deepcopy(empty).shape == (0,)
    del tensor, empty


def test_view_without_memory_is_not_read(native):
    source = Described(shape=(2,), data=None, byte_offset=8)

    def look(view):
        with pytest.raises(BufferError, match="TensorView.numpy: this tensor has no memory"):
            view.numpy()
        return view.data_ptr()

    assert native.lend_described(ctypes.addressof(source.managed), selfsame_ffi.convert(look)) == 0


def test_views_of_nonsense_are_refused(native):
    """A callback gets no view of a DLTensor that has no sound description."""
    seen = []
    look = selfsame_ffi.convert(lambda view: seen.append((view.numel(), view.strides)))
    for description in UNSOUND.values():
        source = Described(**description)
        with pytest.raises(ValueError, match="DLTensor"):
            native.lend_described(ctypes.addressof(source.managed), look)
    source = Described(shape=(2, 3), strides=None)
    native.lend_described(ctypes.addressof(source.managed), look)
    assert seen == [(6, (3, 1))]
