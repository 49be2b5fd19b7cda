"""One rule for every wrapper family, from the first fetch on.

The rule: ``a.x is a.x``, ``f(x) is x``, the same id after all references were dropped and the object was fetched again,
the state of a stateful class. The families: objects of any class, Array, List, Map, Dict, Function, Error, Tensor,
Module, Shape, opaque values, and objects converted from Python.
"""

# Requirement: C4

from __future__ import annotations

import gc
import weakref

import families
import pytest
import selfsame_ffi


@pytest.fixture(scope="module")
def make_any(native):
    return families.makers(native)


@pytest.fixture(autouse=True)
def nothing_kept(make_any, native):
    """Native code keeps nothing after a test that failed, so that the next test can pass."""
    yield
    native.release()


@pytest.fixture
def make(request, make_any):
    """Makes a new native object of the family and returns its wrapper."""
    return make_any[request.param]


def every_family(*more):
    return pytest.mark.parametrize("make", [*families.FAMILIES, *more], indirect=True)


@every_family("Shape")
def test_object_comes_back_as_itself(make, native):
    thing = make()
    if isinstance(thing, selfsame_ffi.OpaquePyObject):
        assert native.echo(thing) is thing.pyobject()  # native code returns the Python value, not the wrapper
        return
    assert native.echo(thing) is thing and native.echo_packed(thing) is thing
    assert native.apply(lambda value: value, thing) is thing
    assert native.apply_on_thread(lambda value: value, thing) is thing
    seen = []
    native.apply8(lambda *args: seen.extend(args), selfsame_ffi.Array([thing] * 8))
    assert len(seen) == 8 and all(value is thing for value in seen)
    assert selfsame_ffi.convert(thing) is thing


@every_family("Shape")
def test_object_comes_back_from_containers_and_fields(make, native):
    thing = make()
    if isinstance(thing, selfsame_ffi.OpaquePyObject):
        thing = thing.pyobject()
        holder = selfsame_ffi.List([selfsame_ffi.opaque(thing)])
        assert holder[0] is thing and selfsame_ffi.Dict({"k": holder})["k"][0] is thing
        return
    assert selfsame_ffi.Array([thing])[0] is thing
    items = selfsame_ffi.List()
    items.append(thing)
    assert items[0] is thing and list(items)[0] is thing and items.pop() is thing
    mapping = selfsame_ffi.Dict({"k": thing})
    assert mapping["k"] is thing and list(mapping.values())[0] is thing and dict(mapping.items())["k"] is thing
    assert selfsame_ffi.Map({"k": thing})["k"] is thing and selfsame_ffi.Map([("k", [thing])])["k"][0] is thing
    node, plain = native.Node(None), native.Plain()
    node.any = plain.any = thing
    assert node.any is node.any is plain.any is thing


@every_family()
def test_refetched_object_has_the_same_id(make, native):
    thing = make()
    if isinstance(thing, selfsame_ffi.OpaquePyObject):
        value = object()
        native.keep(value)
        gone = id(value)
        del value
        gc.collect()
        assert id(native.kept(0)) == gone  # native code alone kept it alive
        native.release()
        return
    first, cls = id(thing), type(thing)
    native.keep(thing)
    del thing
    noise = [make() for _ in range(20)]  # would take the address if it were free
    for _ in range(5):
        gc.collect()
        assert id(native.kept(0)) == first and type(native.kept(0)) is cls
        assert native.kept(0) is native.kept(0)
    assert first not in {id(other) for other in noise}
    native.release()


@every_family()
def test_two_natives_are_two_objects(make, native):
    one, other = make(), make()
    assert one is not other and not one.same_as(other) and one.same_as(one)
    assert selfsame_ffi.Array([one, other])[0] is not selfsame_ffi.Array([one, other])[1]


@every_family("Shape")
def test_native_thread_may_release_the_last_reference(make, native):
    thing = make()
    native.keep(thing)
    del thing
    assert native.kept(0) is not None
    native.release_on_thread()


@every_family("Shape")
def test_object_kept_by_native_code_has_one_wrapper(make, native):
    """Every fetch gives the same wrapper."""
    native.keep(make())
    held = native.kept(0)
    assert native.kept(0) is held
    assert native.echo(held) is held or isinstance(held, list)  # the list that is the value of an opaque object
    del held
    native.release()


def mine(family, native):
    """A new object of a Python subclass of the family's class, made by its constructor."""
    declared = {"object": native.Leaf, "py_class": families.Declared, "c_class": selfsame_ffi.StructuralKey}
    base = declared.get(family) or getattr(selfsame_ffi, family)
    return families.CONSTRUCTED[family](type("Mine", (base,), {}))


@pytest.mark.parametrize("family", families.CONSTRUCTED)
def test_state_of_a_subclass_survives(family, native):
    thing = mine(family, native)
    thing.note = ["mine"]
    ref, cls = weakref.ref(thing), type(thing)
    native.keep(thing)
    del thing
    for _ in range(3):
        gc.collect()
        again = native.kept(0)
        assert again is ref() and again.note == ["mine"] and type(again) is cls
        del again
    native.release()
    gc.collect()
    assert ref() is None


@pytest.mark.parametrize("family", families.CONSTRUCTED)
def test_second_init_is_refused(family, native):
    arguments = {
        "object": (2,),
        "py_class": (2,),
        "c_class": ("b",),
        "Array": ([2],),
        "List": ([2],),
        "Map": ({"b": 2},),
        "Dict": ({"b": 2},),
        "Error": ("K", "m"),
    }
    thing = mine(family, native)
    native.keep(thing)
    handle = thing.__chandle__()
    with pytest.raises(TypeError, match="already"):
        thing.__init__(*arguments[family])
    assert thing.__chandle__() == handle and native.kept(0) is thing
    native.release()


def test_converted_values_are_tied_from_the_start(native):
    values = [[1], (1,), {"a": [1]}, lambda: 1, ValueError("x")]
    for value in values:
        converted = selfsame_ffi.convert(value)
        assert native.echo(converted) is converted and selfsame_ffi.convert(converted) is converted
        assert selfsame_ffi.debug.tie(converted)["state"] == "Active"


def test_nested_converted_values_have_identity(native):
    outer = native.echo([[1], {"k": [2]}, len])
    assert outer[0] is outer[0] and outer[1] is outer[1] and outer[1]["k"] is outer[1]["k"] and outer[2] is outer[2]


class Thing:
    """A Python class that has no native form."""


# Requirement: A10
def test_opaque_values_of_every_kind_have_identity(native):
    for value in (Thing(), {1, 2}, range(3), 1j, memoryview(b"x"), frozenset()):
        assert native.echo(value) is value and selfsame_ffi.Array([value])[0] is value
        assert selfsame_ffi.Dict({"k": value})["k"] is value
        seen = []
        native.apply(lambda v, seen=seen: seen.append(v), value)
        assert seen[0] is value


# Requirement: A10
def test_opaque_value_lives_as_long_as_its_native(native):
    thing = Thing()
    gone = weakref.ref(thing)
    native.keep([thing])
    del thing
    gc.collect()
    assert native.kept(0)[0] is gone()
    native.release_on_thread()
    selfsame_ffi.debug.counters()
    gc.collect()
    assert gone() is None


# Requirement: A10
def test_opaque_wrapper_stands_for_its_value(native):
    value = [1, 2]
    wrapper = selfsame_ffi.opaque(value)
    assert type(wrapper) is selfsame_ffi.OpaquePyObject and wrapper.pyobject() is value
    assert native.type_index_of(wrapper) == 74 and native.echo(wrapper) is value  # not converted to an Array
    with pytest.raises(TypeError, match="opaque"):
        selfsame_ffi.OpaquePyObject()
    with pytest.raises(RuntimeError, match="not initialised"):
        selfsame_ffi.OpaquePyObject.__new__(selfsame_ffi.OpaquePyObject).pyobject()


def test_error_and_its_cause_have_identity(native):
    error = selfsame_ffi.Error("ValueError", "effect", "", selfsame_ffi.Error("KeyError", "cause"))
    assert error.cause is error.cause and native.echo(error).cause is error.cause
    caught = native.catch_value(lambda: native.throw("OSError", "text"))
    assert native.echo(caught) is caught and caught.kind == "OSError"
    try:
        native.throw("ValueError", "text")
    except ValueError as raised:
        tied = raised.__tvm_ffi_error__
        assert native.echo(tied) is tied
        del tied


def test_opaque_values_print_as_themselves():
    class Broken:
        def __repr__(self):
            raise LookupError("no text today")

    class Loop:
        def __repr__(self):
            return f"Loop of {self.around}"

    assert str(selfsame_ffi.convert([{1}, {"a": Ellipsis}])) == '({1}, {"a": Ellipsis})'
    with pytest.raises(LookupError, match="no text today"):
        repr(selfsame_ffi.Array([Broken()]))
    loop = Loop()
    loop.around = selfsame_ffi.List([loop])
    with pytest.raises(RecursionError):
        str(loop)
    loop.around = None
