"""A callback that receives a DLTensor* gets a view, which is valid during the call and raises afterwards."""

# Requirements: C8, F3

import copy
import ctypes
import gc
import pickle

import pytest
import selfsame_ffi
from numpy_releases import writes_through_dlpack
from selfsame_ffi import Tensor, from_dlpack
from selfsame_ffi.core import TensorView

np = pytest.importorskip("numpy")


@pytest.fixture
def array():
    return np.arange(6, dtype="float32").reshape(2, 3)


def test_view_says_what_a_tensor_says(native, array):
    tensor = from_dlpack(array.T)

    def look(view):
        assert type(view) is TensorView
        for name in ("shape", "strides", "dtype", "device", "ndim"):
            assert getattr(view, name) == getattr(tensor, name), name
        for name in ("numel", "data_ptr", "is_contiguous", "__dlpack_device__"):
            assert getattr(view, name)() == getattr(tensor, name)(), name
        assert [view.size(0), view.size(-1)] == [3, 2]
        with pytest.raises(IndexError):
            view.size(2)
        assert repr(view) == "<TensorView float32(3, 2)@cpu:0>"
        return 5

    assert native.lend_view(tensor, look) == 5
    look_without = native.lend_without_strides(from_dlpack(array), lambda view: [view.strides, view.is_contiguous()])
    assert list(look_without[0]) == [3, 1] and look_without[1] is True


def test_a_view_is_an_instance_of_tensor(native, array):
    """As code asks that was written for packages that pass a Tensor there."""
    kept = []

    def look(view):
        kept.append(view)
        return (
            isinstance(view, Tensor),
            isinstance(view, (int, Tensor)),
            isinstance(view, TensorView),
            isinstance(view, str),
        )

    assert list(native.lend_view(from_dlpack(array), look)) == [True, True, True, False]
    assert type(kept[0]) is TensorView and isinstance(kept[0], Tensor)
    with pytest.raises(RuntimeError, match="has returned"):
        kept[0].shape  # noqa: B018
    for use in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            use(kept[0])


@writes_through_dlpack
def test_view_shares_the_memory(native, array):
    def write(view):
        view.numpy()[1, 2] = 9
        np.from_dlpack(view)[0, 0] = 8
        assert np.array_equal(from_dlpack(view).numpy(), array)

    native.lend_view(from_dlpack(array), write)
    assert array[1, 2] == 9 and array[0, 0] == 8


def test_view_is_an_argument_of_native_functions(native, array):
    def pass_on(view):
        native.view_set(view, 1, 7)
        with pytest.raises(TypeError):
            native.takes_tensor(view)
        return native.view_at(view, 1), native.lend_view(view, lambda inner: native.view_at(inner, 2))

    assert list(native.lend_view(from_dlpack(array), pass_on)) == [7.0, 2.0]
    assert array[0, 1] == 7


USES = {
    "shape": lambda view, native: view.shape,
    "strides": lambda view, native: view.strides,
    "dtype": lambda view, native: view.dtype,
    "device": lambda view, native: view.device,
    "ndim": lambda view, native: view.ndim,
    "numel": lambda view, native: view.numel(),
    "size": lambda view, native: view.size(0),
    "data_ptr": lambda view, native: view.data_ptr(),
    "is_contiguous": lambda view, native: view.is_contiguous(),
    "numpy": lambda view, native: view.numpy(),
    "__dlpack__": lambda view, native: view.__dlpack__(),
    "__dlpack_device__": lambda view, native: view.__dlpack_device__(),
    "from_dlpack": lambda view, native: from_dlpack(view),
    "argument": lambda view, native: native.view_at(view, 0),
}


@pytest.mark.parametrize("use", USES)
def test_each_use_after_the_call_raises(native, array, use):
    kept = []
    native.lend_view(from_dlpack(array), kept.append)
    with pytest.raises(RuntimeError, match="TensorView: the call that lent the tensor has returned"):
        USES[use](kept[0], native)
    assert repr(kept[0]) == "<TensorView of a call that has returned>"


def test_view_ends_when_the_callback_fails(native, array):
    kept = []

    def fail(view):
        kept.append(view)
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        native.lend_view(from_dlpack(array), fail)
    with pytest.raises(RuntimeError, match="has returned"):
        kept[0].shape  # noqa: B018


def test_each_call_has_its_own_views(native, array):
    other = np.full(4, 2, "float32")
    kept = []

    def both(first, number, second):
        kept.append((first, second))
        assert number == 7 and first.shape == (2, 3) and second.shape == (4,)
        if len(kept) < 3:
            native.lend_views(first, second, both)
        assert first.shape == (2, 3) and second.shape == (4,)

    native.lend_views(from_dlpack(array), from_dlpack(other), both)
    assert len(kept) == 3
    for pair in kept:
        for view in pair:
            with pytest.raises(RuntimeError, match="has returned"):
                view.ndim  # noqa: B018


@pytest.mark.parametrize(
    "keep",
    [
        lambda view: view,
        lambda view: [view],
        lambda view: selfsame_ffi.Array([view]),
        lambda view: selfsame_ffi.Map({"a": view}),
        lambda view: {"a": [view]},
        selfsame_ffi.convert,
    ],
)
def test_view_cannot_be_kept_by_native_code(native, array, keep):
    with pytest.raises(TypeError, match="TensorView, which is valid during its call only"):
        native.lend_view(from_dlpack(array), keep)


def test_capsules_and_their_names(native, array):
    valid = ctypes.pythonapi.PyCapsule_IsValid
    valid.argtypes = [ctypes.py_object, ctypes.c_char_p]

    def look(view):
        assert valid(view.__dlpack__(), b"dltensor")
        assert valid(view.__dlpack__(max_version=(1, 0)), b"dltensor_versioned")
        assert valid(view.__dlpack__(dl_device=(1, 0), copy=False, stream=None), b"dltensor")
        for wrong in ({"dl_device": (2, 0)}, {"copy": True}):
            with pytest.raises(BufferError):
                view.__dlpack__(**wrong)
        for wrong in ({"max_version": 3}, {"dl_device": "cpu"}, {"other": 1}):
            with pytest.raises(TypeError):
                view.__dlpack__(**wrong)
        capsule = view.__dlpack__()
        assert np.shares_memory(from_dlpack(capsule).numpy(), array)

    native.lend_view(from_dlpack(array), look)


def test_view_has_no_constructor():
    with pytest.raises(TypeError):
        TensorView()


def test_torch_reads_a_view(native, array):
    torch = pytest.importorskip("torch")

    def look(view):
        theirs = torch.from_dlpack(view)
        theirs[1, 1] = 5
        return theirs.tolist() == array.tolist()

    assert native.lend_view(from_dlpack(array), look)
    assert native.lend_view(torch.ones(3), lambda view: view.shape == (3,)) and array[1, 1] == 5


def test_nothing_leaks(native, array):
    tensor = from_dlpack(array)
    kept = []
    native.lend_view(tensor, kept.append)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(200):
        native.lend_view(
            tensor, lambda view: len((view.shape, view.__dlpack__(), view.numpy(), native.view_at(view, 0)))
        )
    gc.collect()
    assert len(gc.get_objects()) - before < 50
