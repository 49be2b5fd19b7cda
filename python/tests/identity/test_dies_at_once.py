"""What no cycle holds dies with its last reference, while the collector is off: the rows of docs/tie-states.md."""

# Requirement: C8

import gc
import subprocess
import sys
import threading
import weakref

import pytest
import selfsame_ffi
from waiting import wait_until

pytestmark = pytest.mark.usefixtures("no_collector")


def state(obj):
    return selfsame_ffi.debug.tie(obj)["state"]


def settled():
    """Run deferred releases. No collection."""
    selfsame_ffi.debug.counters()


def test_object_that_only_python_refers_to(native):
    before = native.live()
    lean, rich = native.Leaf(1), native.rich(2)
    rich.note = [1]
    ref = weakref.ref(rich)
    del lean, rich
    assert native.live() == before and ref() is None


def test_lean_wrapper_is_kept_until_its_native_object_dies(native):
    before, kept = native.live(), selfsame_ffi.debug.counters()["kept_blocks"]
    owner = native.Node(native.Leaf(1))
    assert selfsame_ffi.debug.counters()["kept_blocks"] == kept + 1
    del owner
    assert native.live() == before and selfsame_ffi.debug.counters()["kept_blocks"] == kept


def stateful_owner(native, value):
    owner = native.StatefulPlain()
    owner.any = value
    owner.note = [1]
    return owner


OWNERS = {
    "field": lambda native, value: native.Node(value),
    "Array": lambda native, value: selfsame_ffi.Array([value]),
    "List": lambda native, value: selfsame_ffi.List([value]),
    "Map": lambda native, value: selfsame_ffi.Map({"k": value}),
    "Dict": lambda native, value: selfsame_ffi.Dict({"k": value}),
    "deep": lambda native, value: selfsame_ffi.convert([{"k": [native.Node(value)]}]),
    "stateful owner": stateful_owner,
}


@pytest.mark.parametrize("owner", OWNERS)
def test_stateful_wrapper_that_a_native_object_owns(native, owner):
    before = native.live()
    value = native.rich(1)
    value.note = [1]
    ref = weakref.ref(value)
    holder = OWNERS[owner](native, value)
    assert state(value) == "Active"
    held = selfsame_ffi.debug.counters()["held"]
    del value
    assert selfsame_ffi.debug.counters()["held"] == held + 1 and ref() is not None
    del holder
    assert ref() is None and native.live() == before


def test_stateful_wrapper_that_a_closure_owns(native):
    """A native Function whose callable is a Python one, which owns the object."""
    value = native.rich(1)
    ref = weakref.ref(value)
    function = selfsame_ffi.convert(lambda value=value: value)
    other = selfsame_ffi.List([function])
    del value, function
    assert other[0]() is ref()
    del other
    assert ref() is None


@pytest.mark.parametrize("by", ["variable", "weak reference"])
def test_wrapper_that_python_uses_when_the_owner_dies(native, by):
    before = native.live()
    holder = native.Node(native.rich(7))
    ref = weakref.ref(holder.x)
    holder.x.note = [1]
    value = holder.x if by == "variable" else ref()
    assert state(value) == "Active" and selfsame_ffi.debug.tie(value)["strong"] == 3  # a Node owns its object twice
    del holder
    assert selfsame_ffi.debug.tie(value)["strong"] == 1 and value.note == [1] and value.value == 7
    assert native.echo(value) is value
    del value
    assert ref() is None and native.live() == before


@pytest.mark.parametrize("depth", [5, 30_000])
def test_chain_of_stateful_objects(native, depth):
    before = native.live()
    root = native.rich(0)
    for _ in range(depth):
        root = selfsame_ffi.List([stateful_owner(native, root)])
    del root
    assert native.live() == before


def test_long_chain_takes_no_stack():
    program = """
import gc, threading
import selfsame_ffi
gc.disable()
class Rich(selfsame_ffi.List):
    pass
def work():
    chain = None
    for _ in range(200_000):
        chain = Rich([chain])
        chain.note = 1
    del chain
threading.stack_size(256 << 10)
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert selfsame_ffi.debug.live_objects().get("ffi.List", 0) == 0
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800)
    assert result.returncode == 0, result.stderr


ARGUMENTS = {
    "itself": lambda echo, value: echo(value) is value,
    "list": lambda echo, value: echo([value])[0] is value,
    "tuple": lambda echo, value: echo((value, 1))[0] is value,
    "dict": lambda echo, value: echo({"k": value})["k"] is value,
    "nested": lambda echo, value: echo([{"k": (value,)}])[0]["k"][0] is value,
    "native list": lambda echo, value: echo(selfsame_ffi.List([value]))[0] is value,
    "callback": lambda echo, value: echo(lambda x: x)(value) is value,
    "result of a callback": lambda echo, value: echo(lambda: [value])()[0] is value,
}


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("lean", [False, True])
def test_argument_that_the_callee_does_not_keep(native, argument, lean):
    before = native.live()
    value = native.Leaf(1) if lean else native.rich(1)
    if not lean:
        value.note = [1]
        ref = weakref.ref(value)
    assert ARGUMENTS[argument](native.echo, value)
    del value
    assert native.live() == before and (lean or ref() is None)


def test_object_in_an_exception(native):
    before = native.live()

    def fail(value):
        raise ValueError(value)

    value = native.rich(1)
    ref = weakref.ref(value)
    try:
        selfsame_ffi.convert(fail)(value)
    except ValueError as error:
        assert error.args[0] is value
        error.__traceback__ = None
    del value
    assert ref() is None and native.live() == before


def test_object_whose_last_owner_is_released_without_the_gil(native):
    before = native.live()
    value = native.rich(1)
    value.note = [1]
    ref = weakref.ref(value)
    native.keep(value)
    del value
    assert ref() is not None
    native.release()  # releases the GIL
    settled()
    assert ref() is None and native.live() == before


def test_object_whose_last_owner_is_released_by_a_native_thread(native):
    before = native.live()
    refs = []
    for i in range(20):
        value = native.rich(i)
        value.note = [1]
        refs.append(weakref.ref(value))
        native.drop_later(value)
        del value
    wait_until(lambda: not any(ref() for ref in refs), "native threads do not let go")
    assert native.live() == before


def test_cycle_waits_for_the_collector(native):
    before = native.live()
    value = native.rich(1)
    value.owner = native.Node(value)
    ref = weakref.ref(value)
    del value
    assert ref() is not None
    gc.collect()
    assert ref() is None and native.live() == before


def test_weak_reference_is_used_while_native_threads_drop_the_last_owner(native):
    """Python code that owns the wrapper alone gets a reference to the native object, or waits for one."""
    before = native.live()
    stop = threading.Event()
    refs = []

    def use():
        while not stop.is_set():
            for ref in refs[-5:]:
                value = ref()
                if value is not None:
                    assert native.echo(value) is value and value.note == value.value

    thread = threading.Thread(target=use)
    thread.start()
    try:
        for i in range(300):
            value = native.rich(i)
            value.note = i
            refs.append(weakref.ref(value))
            native.drop_later(value)
            del value
    finally:
        stop.set()
        thread.join()
    wait_until(lambda: not any(ref() for ref in refs), "native threads do not let go")
    assert native.live() == before
