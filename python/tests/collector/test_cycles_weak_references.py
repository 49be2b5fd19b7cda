"""Wrappers whose native object has native weak references: native code may take an owner again at any time."""

# Requirement: C9

import gc
import weakref

import pytest


@pytest.mark.parametrize("state", ["alone", "leads to itself"])
def test_object_with_a_native_weak_reference_dies_when_only_its_hold_is_left(native, state):
    rich = native.StatefulPlain()
    rich.tag = rich if state == "leads to itself" else 1
    ref = weakref.ref(rich)
    native.keep(rich)
    native.weak_set(rich)
    del rich
    gc.collect()
    assert ref() is native.kept(0) and ref().tag is not None
    native.release()  # native code does not tell Python of it
    gc.collect()
    alive = ref() is not None
    native.weak_clear()
    assert not alive


def test_finalizer_sees_a_weak_reference_promoted_during_the_collection(native):
    """An owner that comes up when the wrapper has been found dead keeps the wrapper and its state."""
    saved = []

    class Rescuer:
        def __init__(self, rich):
            self.rich = rich

        def __del__(self):
            saved.append(native.weak_get())

    rich = native.StatefulPlain()
    rich.tag = Rescuer(rich)
    native.keep(rich)
    native.weak_set(rich)
    del rich
    native.release()
    gc.collect()
    native.weak_clear()
    [rich] = saved
    assert type(rich) is native.StatefulPlain and isinstance(rich.tag, Rescuer)
    del rich.tag
    saved.clear()


@pytest.mark.parametrize("weak", [True, False])
def test_references_to_what_native_code_took_without_a_crossing_stay(native, weak):
    """A full collection finds it in use: weak references to it stay, and nothing behind it is finalized."""
    finalized = []

    class Member:
        def __del__(self):
            finalized.append(self)

    rich = native.StatefulPlain()
    rich.tag = [rich, Member()]
    ref, member = weakref.ref(rich), weakref.ref(rich.tag[1])
    native.weak_set(rich)
    native.weak_keep()
    if not weak:
        native.weak_clear()
    del rich
    gc.collect()
    assert ref() is native.kept(0) and ref().tag[0] is ref() and member() is ref().tag[1] and not finalized
    native.release()
    native.weak_clear()
    gc.collect()
    assert ref() is None and len(finalized) == 1
    finalized.clear()
    assert member() is None
