"""What Python takes out of a native owner is released at once, with its state, also while the collector is off."""

# Requirement: C8

import weakref

import pytest
import selfsame_ffi

pytestmark = pytest.mark.usefixtures("no_collector")


def gone_after(native, put, take, wrap=lambda value: value):
    """Whether a stateful object that `put` stores is free when `take` has run."""
    value = native.StatefulPlain()
    value.payload = bytearray(10)
    ref = weakref.ref(value)
    put(wrap(value))
    del value
    assert ref() is not None
    take()
    return ref() is None


def in_array(value):
    return selfsame_ffi.Array([1, value])


def deep(native):
    def wrap(value):
        owner = native.Plain()
        owner.any = [[value]]
        return owner

    return wrap


@pytest.fixture(params=["itself", "array", "deep"])
def wrap(request, native):
    """The value itself, or a native object without state that owns it alone."""
    return {"itself": lambda value: value, "array": in_array, "deep": deep(native)}[request.param]


@pytest.mark.parametrize("new", [None, "object"])
def test_old_value_of_a_field(native, wrap, new):
    owner = native.Plain()
    replace = native.Plain() if new else None
    assert gone_after(native, lambda v: setattr(owner, "any", v), lambda: setattr(owner, "any", replace), wrap)
    assert owner.any is replace
    owner.any = None


def test_old_value_of_an_object_field(native):
    owner = native.Plain()
    inner = native.Plain()
    assert gone_after(native, lambda v: setattr(owner, "x", v), lambda: setattr(owner, "x", inner), deep(native))
    assert gone_after(native, lambda v: setattr(owner, "x", v), lambda: setattr(owner, "x", None))


def test_old_value_that_has_another_owner_stays(native):
    owner, other = native.Plain(), native.Plain()
    value = native.StatefulPlain()
    value.payload = 5
    owner.any = other.any = value
    del value
    owner.any = None
    assert other.any.payload == 5
    owner.any = other.any
    owner.any = owner.any
    assert owner.any.payload == 5
    other.any = None
    assert owner.any.payload == 5
    ref = weakref.ref(owner.any)
    owner.any = 1
    assert ref() is None


def test_refused_value_leaves_the_old_one(native):
    owner = native.Plain()
    value = native.StatefulPlain()
    value.payload = 5
    owner.x = value
    ref = weakref.ref(value)
    del value
    with pytest.raises(TypeError):
        owner.x = "no object"
    assert owner.x.payload == 5
    owner.x = None
    assert ref() is None


@pytest.mark.parametrize(
    "take",
    [
        lambda d: d.__setitem__("k", None),
        lambda d: d.__delitem__("k"),
        lambda d: d.pop("k"),
        lambda d: d.popitem(),
        lambda d: d.clear(),
        lambda d: d.update(k=2),
    ],
    ids=["set", "del", "pop", "popitem", "clear", "update"],
)
def test_value_of_a_dict(native, wrap, take):
    dict_ = selfsame_ffi.Dict({})
    assert gone_after(native, lambda v: dict_.__setitem__("k", v), lambda: take(dict_), wrap)


def test_large_dict_is_cleared(native):
    dict_ = selfsame_ffi.Dict({i: i for i in range(100)})
    refs = []
    for i in range(0, 100, 3):
        value = native.StatefulPlain()
        value.number = i
        refs.append(weakref.ref(value))
        dict_[i] = value
    dict_[value] = 1
    del value
    assert all(ref() is not None for ref in refs)
    dict_.clear()
    assert len(dict_) == 0 and not any(ref() for ref in refs)


def test_key_of_a_dict(native):
    dict_ = selfsame_ffi.Dict({})
    box = []

    def put(value):
        box.append(weakref.ref(value))
        dict_[value] = 1

    assert gone_after(native, put, lambda: dict_.__delitem__(box[0]()))
    assert gone_after(native, put, lambda: dict_.pop(box[1]()))


def test_missing_key_changes_nothing(native):
    dict_ = selfsame_ffi.Dict({"k": native.StatefulPlain()})
    dict_["k"].note = 1
    for use in (lambda: dict_.__delitem__("l"), lambda: dict_.pop("l"), lambda: dict_[b"x" * 20]):
        with pytest.raises(KeyError):
            use()
    dict_["l"] = 2
    assert dict_["k"].note == 1 and len(dict_) == 2
    dict_.clear()


@pytest.mark.parametrize(
    "take",
    [
        lambda values: values.__setitem__(0, None),
        lambda values: values.__delitem__(0),
        lambda values: values.pop(0),
        lambda values: values.clear(),
        lambda values: values.__setitem__(slice(0, 1), []),
        lambda values: values.__delitem__(slice(0, None, 2)),
    ],
    ids=["set", "del", "pop", "clear", "slice", "step"],
)
def test_element_of_a_list(native, wrap, take):
    values = selfsame_ffi.List([1, 2])
    assert gone_after(native, lambda v: values.insert(0, v), lambda: take(values), wrap)


def test_finalizer_runs_once_and_at_once(native):
    dropped = []

    class Last(native.Plain):
        def __del__(self):
            dropped.append(self.note)

    owner, dict_ = native.Plain(), selfsame_ffi.Dict({})
    for i in range(3):
        owner.any = Last()
        owner.any.note = i
        dict_["k"] = owner.any
        owner.any = None
        assert dropped == list(range(i))  # the Dict owns it
        dict_["k"] = None
        assert dropped == list(range(i + 1))
