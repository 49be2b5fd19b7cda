"""Tensors in pickles of protocol 5: their memory travels beside the pickle, without a copy where that is possible."""

# Requirements: C11, H1

import gc
import pickle

import pytest
import selfsame_ffi

np = pytest.importorskip("numpy")


def dumped(value):
    """(pickle, buffers) of a value, with its buffers out of band."""
    buffers = []
    return pickle.dumps(value, 5, buffer_callback=buffers.append), buffers


def address(buffer):
    return np.frombuffer(buffer, "uint8").ctypes.data


def test_memory_is_lent_and_used_in_place(native):
    tensor = selfsame_ffi.from_dlpack(np.arange(100_000, dtype="float32").reshape(10, -1))
    plain = native.Plain()
    plain.x = tensor
    data, buffers = dumped([tensor, plain, tensor])
    assert len(data) < 1000 and len(buffers) == 1  # one Tensor, one buffer
    assert address(buffers[0]) == tensor.data_ptr()
    view = memoryview(buffers[0])
    assert (view.format, view.strides, view.readonly) == ("B", (1,), False)  # as Ray needs it
    del view
    made, owner, again = pickle.loads(data, buffers=buffers)
    assert again is made and owner.x is made and made is not tensor
    assert made.data_ptr() == tensor.data_ptr() and made.shape == (10, 10_000) and made.dtype == "float32"
    received = memoryview(bytearray(buffers[0].raw()))  # as it comes from a socket
    made = pickle.loads(data, buffers=[received])[0]
    assert made.data_ptr() == address(received)
    assert (np.from_dlpack(made).ravel() == np.arange(100_000)).all()


def test_tensor_keeps_the_buffer_that_it_uses(native):
    memory = bytearray(64)
    made = selfsame_ffi._core.tensor_over((2, 64, 1), (2, 4), memory)
    native.keep(made)
    del made
    gc.collect()
    with pytest.raises(BufferError):
        memory.append(1)  # it has an export
    native.release()
    gc.collect()
    memory.append(1)


def test_buffer_keeps_the_memory_that_it_lends(native):
    tensor = selfsame_ffi._core.tensor_from_bytes((1, 8, 1), (4,), b"abcd")
    buffers = dumped(tensor)[1]
    del tensor
    gc.collect()
    assert bytes(buffers[0].raw()) == b"abcd"
    tensor = selfsame_ffi._core.tensor_from_bytes((1, 8, 1), (4,), b"efgh")
    buffers = dumped(tensor)[1]
    native.echo(tensor._move())
    gc.collect()
    assert bytes(buffers[0].raw()) == b"efgh"


@pytest.mark.parametrize("kind", ["read-only", "unaligned", "in the pickle"])
def test_memory_that_kernels_cannot_use_is_copied(kind):
    tensor = selfsame_ffi.from_dlpack(np.arange(1000, dtype="float64"))
    data, buffers = dumped(tensor)
    content = bytes(buffers[0].raw())
    received = bytearray(len(content) + 16)
    at = (1 - address(received)) % 8
    received[at : at + len(content)] = content
    given = content if kind == "read-only" else memoryview(received)[at : at + len(content)]
    if kind == "in the pickle":
        made = pickle.loads(pickle.dumps(tensor, 5))
    else:
        made = pickle.loads(data, buffers=[given])
        assert made.data_ptr() != address(given)
    assert made.data_ptr() % 64 == 0 and list(np.from_dlpack(made)) == list(range(1000))


def test_tensors_without_memory_in_one_piece_are_copied():
    array = np.arange(24, dtype="int16").reshape(4, 6)
    for part in (array[:, ::2], array.T, np.zeros((0, 3))):
        data, buffers = dumped(selfsame_ffi.from_dlpack(part))
        assert buffers == []
        assert (np.from_dlpack(pickle.loads(data)) == part).all()


class Noted(selfsame_ffi.Tensor):
    """A Tensor with attributes."""


def test_state_of_a_tensor_travels_with_it():
    tensor = selfsame_ffi.from_dlpack(np.ones(3))
    noted = Noted.__new__(Noted)
    noted.__move_handle_from__(tensor)
    noted.note = "here"
    data, buffers = dumped(noted)
    made = pickle.loads(data, buffers=buffers)
    assert type(made) is Noted and made.note == "here" and made.data_ptr() == noted.data_ptr()
