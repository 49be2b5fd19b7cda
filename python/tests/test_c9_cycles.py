"""C9: cycles through natives that one wrapper owns alone are collected.

Followed are plain fields, elements of Arrays, closures, errors and opaque values.
"""

import gc
import weakref

import pytest
import selfsame


class Target:
    """Something of Python's that can be watched."""

    def __call__(self):
        return None


def collected(ref):
    gc.collect()
    return ref() is None


def test_function_and_its_callable():
    target = Target()
    target.function = selfsame.convert(target)
    ref = weakref.ref(target)
    del target
    assert collected(ref)


@pytest.mark.parametrize("how", ["x", "any", "array", "deep"])
def test_wrapper_field_closure_callable_wrapper(native, how):
    target = Target()
    owner = native.Plain()
    target.owner = owner
    if how == "x":
        owner.x = selfsame.convert(target)
    elif how == "any":
        owner.any = target
    elif how == "array":
        owner.any = [1, "text", [target]]
    else:
        inner = native.Plain()
        inner.any = [target]
        owner.x = inner
        del inner
    ref = weakref.ref(target)
    gc.collect()
    assert ref() is target
    del owner, target
    assert collected(ref)


def test_opaque_value(native):
    class Thing:
        pass

    thing = Thing()
    thing.owner = native.Plain()
    thing.owner.any = [thing]
    ref = weakref.ref(thing)
    del thing
    assert collected(ref)


def test_not_collected_while_native_code_owns_it(native):
    target = Target()
    owner = native.Plain()
    target.owner = owner
    owner.any = target
    native.keep(owner)
    ref = weakref.ref(target)
    del owner, target
    gc.collect()
    assert ref() is not None
    assert ref().owner is native.kept(0)
    native.release()
    assert collected(ref)


def test_not_collected_while_python_owns_it(native):
    target = Target()
    owner = native.Plain()
    target.owner = owner
    owner.any = target
    ref = weakref.ref(target)
    del target
    gc.collect()
    assert ref() is not None and ref().owner is owner
    del owner
    assert collected(ref)


def test_stateful_owner(native):
    rich = type("RichPlain", (native.Plain,), {})()
    rich.me = rich
    rich.any = (lambda owner: lambda: owner)(rich)
    ref = weakref.ref(rich)
    del rich
    assert collected(ref)


def test_not_followed_while_there_is_a_native_weak_reference(native):
    # Another thread might promote it and change the native while the collector reads.
    target = Target()
    owner = native.Plain()
    target.owner = owner
    owner.any = target
    native.weak_set(owner)
    ref = weakref.ref(target)
    del owner, target
    gc.collect()
    assert ref() is not None
    native.weak_clear()
    assert collected(ref)
