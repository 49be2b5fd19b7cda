"""What pickles from outside cannot do: the helpers that pickles name make data, and call nothing."""

# Requirements: C11, I9

import copy
import io
import pickle

import pytest
import selfsame_ffi
from selfsame_ffi import _copying

SAFE = ("blank", "fill", "set_state", "sequence", "mapping", "tensor", "error", "graph", "opaque")


class DataOnly(pickle.Unpickler):
    """The unpickler of docs/security.md: it finds the helpers for data, and no class."""

    def find_class(self, module, name):
        if module == "selfsame_ffi._copying" and name in SAFE:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


class Reduced:
    def __init__(self, *reduced):
        self.reduced = reduced

    def __reduce__(self):
        return self.reduced


def loaded(*reduced):
    return DataOnly(io.BytesIO(pickle.dumps(Reduced(*reduced)))).load()


@pytest.fixture
def called():
    calls = []
    selfsame_ffi.register_global_func("test.pickle.called", lambda *args: calls.append(args), override=True)
    yield calls
    selfsame_ffi.remove_global_func("test.pickle.called")


@pytest.mark.parametrize("helper", [_copying.sequence, _copying.mapping, _copying.blank])
@pytest.mark.parametrize(
    "key", ["test.pickle.called", "ffi.ModuleLoadFromFile", "ffi.Module", "ffi.Function", "ffi.Object", "no.such", ""]
)
def test_helpers_call_no_function_by_its_name(native, called, helper, key):
    arguments = (key, None) if helper is _copying.blank else (key, None, ["/nowhere.so"])
    with pytest.raises((ValueError, TypeError)):
        loaded(helper, arguments)
    assert called == []


@pytest.mark.parametrize(
    ("helper", "key"), [(_copying.sequence, "ffi.Map"), (_copying.mapping, "ffi.Array"), (_copying.sequence, 5)]
)
def test_each_helper_makes_its_own_containers(native, helper, key):
    with pytest.raises(ValueError, match=r"argument 'key': expected ffi.\w+ or ffi.\w+, got"):
        helper(key, None, [])


@pytest.mark.parametrize("cls", [int, type, dict, selfsame_ffi.Map])
def test_the_class_must_be_one_of_the_native_type(native, cls):
    with pytest.raises(TypeError):
        _copying.sequence("ffi.Array", cls, [])
    with pytest.raises(TypeError):
        _copying.error(cls, "ValueError", "", "", None)


@pytest.mark.parametrize("cls", [len, "Array", 5, print])
def test_a_callable_is_no_class(native, cls):
    with pytest.raises(TypeError):
        _copying.sequence("ffi.Array", cls, [])


def test_a_type_that_cannot_be_pickled_cannot_be_unpickled(native):
    with pytest.raises(TypeError, match="ffi.Tensor: objects of this type are not made from fields"):
        loaded(_copying.blank, ("ffi.Tensor", None))


@pytest.mark.parametrize("state", [({"value": 5}, None), (None, ({"a": 1}, None))])
def test_state_is_set_on_objects_alone(native, state):
    for target in (_copying.sequence, selfsame_ffi, type, object()):
        with pytest.raises(TypeError):
            _copying.fill(target, state)
        with pytest.raises(TypeError):
            _copying.set_state(target, state)


def test_functions_of_the_process_keep_their_state(native, called):
    found = selfsame_ffi.get_global_func("test.pickle.called")
    for change in (lambda: _copying.fill(found, (None, ({"a": 1}, {}))), lambda: _copying.set_state(found, {"a": 1})):
        with pytest.raises(TypeError, match="a pickle cannot set the state of this object"):
            change()


def test_slots_of_a_state_are_slots_of_the_class(native):
    leaf = native.leaf(1)
    with pytest.raises(ValueError, match="the state has a slot '__class__', which the class does not have"):
        _copying.fill(leaf, (None, (None, {"__class__": selfsame_ffi.Array})))
    with pytest.raises(ValueError, match="the state has a slot 'value'"):
        _copying.fill(leaf, (None, (None, {"value": 7})))
    assert leaf.value == 1


@pytest.mark.parametrize(
    ("dtype", "shape", "data"),
    [
        ("float32", (4,), b""),
        ("float32", (-1,), b"abcd"),
        ("float32", (2**62, 4), b"abcd"),
        ("float32", (2**63,), b"abcd"),
        ("float32", (2**32, 2**32), b""),
        ("no type", (1,), b"abcd"),
        ("float32", (1,), "text"),
        ("float32", ("1",), b"abcd"),
        ("float32", (1,) * 100_000, b"abc"),
        (5, (1,), b"abcd"),
    ],
)
def test_tensors_have_the_memory_that_their_shape_says(native, dtype, shape, data):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        loaded(_copying.tensor, (None, dtype, shape, data))


def test_tensors_of_addresses_are_copied_and_not_pickled():
    """A pickle that made one would choose the addresses that native code then reads."""
    made = _copying.tensor_of(None, (3, 64, 1), (1,), bytes(8))
    assert str(copy.deepcopy(made).dtype) == "handle"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="pickle: expected a Tensor of numbers, got elements of the type handle"):
            pickle.dumps(made, protocol)
    for dtype in ("handle", made.dtype):
        with pytest.raises(TypeError, match="tensor: expected a Tensor of numbers"):
            _copying.tensor(None, dtype, (1,), b"A" * 8)


def test_what_the_helpers_make_is_read(native):
    plain = native.Plain()
    plain.x = selfsame_ffi.List([3])
    value = selfsame_ffi.Dict({"a": selfsame_ffi.List([1, selfsame_ffi.Array([2.5, "x"])]), "b": plain})
    read = DataOnly(io.BytesIO(pickle.dumps(value))).load()
    assert read["a"][1][1] == "x" and read["b"].x[0] == 3
