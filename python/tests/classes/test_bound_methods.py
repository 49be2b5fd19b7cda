"""Methods bound to their objects behave as Python's bound methods, and have forms for many calls and for asyncio."""

# Requirement: A5

import asyncio
import copy
import gc
import inspect
import pickle
import pydoc
import types
import weakref

import pytest
import selfsame_ffi
import selfsame_ffi.testing


def test_a_bound_method_calls_with_its_object(native):
    leaf = native.Leaf(3)
    bound = leaf.add
    assert bound(4) == 7
    assert bound.__self__ is leaf and bound.__func__ is native.Leaf.add
    assert bound.__call__(4) == 7
    assert list(map(bound, [1, 2])) == [4, 5]  # map lends no place before the arguments
    with pytest.raises(TypeError, match="add"):
        bound()
    with pytest.raises(TypeError, match="add"):
        bound(*range(20))
    with pytest.raises(TypeError, match="keyword"):
        bound(**{f"k{i}": i for i in range(20)})


def test_a_bound_method_is_a_bound_method_for_python_code(native):
    bound = native.Leaf(3).add
    assert isinstance(bound, types.MethodType) and inspect.ismethod(bound) and inspect.isroutine(bound)
    assert bound.__name__ == "add" and bound.__doc__ == "Value plus n." and bound.__qualname__ == "sst.Leaf.add"
    assert repr(bound).startswith("<bound method sst.Leaf.add of ")
    assert "self" not in inspect.signature(bound).parameters
    assert "Value plus n." in pydoc.render_doc(bound)
    assert not hasattr(bound, "absent")
    with pytest.raises(AttributeError):
        bound.extra = 1


def test_bound_methods_compare_as_those_of_python(native):
    leaf, other = native.Leaf(3), native.Leaf(3)
    assert leaf.add == leaf.add and hash(leaf.add) == hash(leaf.add)
    assert leaf.add != other.add and leaf.add != native.Leaf.add
    assert {leaf.add: 1}[leaf.add] == 1
    with pytest.raises(TypeError):
        leaf.add < leaf.add  # noqa: B015


def test_the_type_of_a_bound_method_makes_bound_methods(native):
    leaf = native.Leaf(3)
    kind = type(leaf.add)
    assert kind(native.Leaf.add, leaf) == leaf.add
    assert type(kind(len, [1])) is types.MethodType and kind(len, [1])() == 1
    for args, kwargs in (
        ((), {}),
        ((native.Leaf.add,), {}),
        ((native.Leaf.add, None), {}),
        ((1, leaf), {}),
        ((), {"a": 1}),
    ):
        with pytest.raises(TypeError):
            kind(*args, **kwargs)


def test_a_weak_bound_method_lives_as_long_as_the_object(native):
    class Open(native.Leaf):
        pass

    leaf = Open(3)
    weak = weakref.WeakMethod(leaf.add)
    assert weak()(1) == 4
    plain = weakref.ref(leaf.add)
    assert plain() is None
    del leaf
    assert weak() is None


def test_bound_methods_are_copied_and_pickled_with_their_object():
    method = selfsame_ffi.testing.TestIntPair(3, 4).sum
    assert copy.copy(method) == method
    assert copy.deepcopy(method)() == 7
    assert pickle.loads(pickle.dumps(method))() == 7


def test_a_bound_method_in_a_cycle_is_collected(native):
    class Open(native.Leaf):
        pass

    leaf = Open(3)
    leaf.own = leaf.add
    gone = weakref.ref(leaf)
    del leaf
    gc.collect()
    assert gone() is None


def test_many_calls_of_a_bound_method_are_calls_with_its_object(native):
    leaf = native.Leaf(3)
    assert leaf.add.map([1, 2]) == [4, 5]
    assert leaf.add.map(range(100), parallel=True) == [3 + i for i in range(100)]
    assert list(leaf.add.imap(iter([1, 2]))) == [4, 5]
    assert native.Leaf.add.map([leaf, leaf], [1, 2]) == [4, 5]

    async def main():
        return await leaf.add.aio(4), await native.Leaf.add.aio(leaf, 5)

    assert asyncio.run(main()) == (7, 8)


def test_a_bound_method_is_a_callback(native):
    leaf = native.Leaf(3)
    function = selfsame_ffi.convert(leaf.add)
    assert function(4) == 7
