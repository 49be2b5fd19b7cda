"""Tensors whose values are not what lies in their memory are refused, by every way in."""

# Requirements: A8, F3

import pytest
import selfsame_ffi
from exchange_tables import Counted
from selfsame_ffi import Array, from_dlpack

np = pytest.importorskip("numpy")


def refused(native, value, match):
    for way in (from_dlpack, native.echo, lambda v: native.echo([v]), lambda v: Array([v]), native.takes_tensor):
        with pytest.raises(BufferError, match=match):
            way(value)


class Lazy:
    """What PyTorch's tensors have: methods that tell the marks."""

    conj = neg = False

    def is_conj(self):
        return self.conj

    def is_neg(self):
        return self.neg


class Exported(Lazy):
    """Such a class without the C exchange."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def exchanged(array):
    """An object of such a class with the C exchange."""
    counted = Counted()
    for name in ("conj", "neg", "is_conj", "is_neg"):
        setattr(counted.cls, name, vars(Lazy)[name])
    return counted(array)


@pytest.mark.parametrize("make", [Exported, exchanged])
def test_lazy_marks_are_refused(native, make):
    whole = np.array([[1 + 2j, 3 - 4j]], "complex64")
    value = make(whole)
    assert from_dlpack(value).numpy().tolist() == whole.tolist()
    type(value).conj = True
    refused(native, value, r"lazy conjugate bit; pass the result of its method resolve_conj\(\)")
    type(value).conj = False
    part = make(whole.imag)  # every second number, as PyTorch's view
    assert from_dlpack(part).numpy().tolist() == [[2, -4]]
    arrays = [whole.imag, whole.imag[0, 0:1].reshape(())]
    if make is exchanged or "max_version" in (np.ndarray.__dlpack__.__doc__ or ""):
        arrays.append(whole.imag[:, :1])  # earlier releases of NumPy leave the strides of a single element out
    for array in arrays:
        part = make(array)
        type(part).neg = True
        refused(native, part, "lazy negative bit")
        type(part).neg = False
        from_dlpack(part)


def test_arrays_with_masked_values_are_refused(native):
    values = np.array([1, 2, 3])
    refused(native, np.ma.array(values, mask=[0, 1, 0]), r"got a MaskedArray with masked values; .* filled\(value\)")
    other = values.view(type("WithMask", (np.ndarray,), {"mask": values}))
    for unmasked in (np.ma.array(values), np.ma.array(values, mask=[0, 0, 0]), other):
        assert from_dlpack(unmasked).numpy().tolist() == [1, 2, 3]
    assert from_dlpack(np.ma.array(values, mask=[0, 1, 0]).filled(9)).numpy().tolist() == [1, 9, 3]


def test_an_error_of_the_question_is_raised(native):
    class Asks(Exported):
        def is_conj(self):
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        native.echo(Asks(np.zeros(2, "complex64")))


def test_the_message_names_the_argument(native):
    class Asks(Exported):
        conj = True

    with pytest.raises(BufferError, match="argument 1.*lazy conjugate"):
        native.echo(Asks(np.zeros(2, "complex64")))
    with pytest.raises(BufferError, match="item 1.*lazy conjugate"):
        Array([1, Asks(np.zeros(2, "complex64"))])
    assert selfsame_ffi.convert(len)("ab") == 2
