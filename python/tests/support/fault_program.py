"""Runs one scenario many times. In each run another allocation fails: the first, the second, and so on.

Usage: fault_program.py EXTENSION FAULTS_FOLDER SCENARIO STEPS

In each run the scenario must succeed or raise MemoryError (or the exception that it raises without failures). After it,
the counts of native objects, wrappers, records and kept blocks must be what they were, and identity must hold.
"""

from __future__ import annotations

import copy
import ctypes  # noqa: F401  conversions import it on first use
import gc
import numbers  # noqa: F401
import pickle
import re
import sys
import weakref

import selfsame_ffi

EXTENSION, FAULTS, NAME, STEPS = sys.argv[1:5]
sys.path.insert(0, FAULTS)
import faults  # noqa: E402
from fault_families import family  # noqa: E402
from values import REFUSED  # noqa: E402

selfsame_ffi.load_extension(EXTENSION)


def class_of(key, **body):
    return selfsame_ffi.register_object(key)(type(key.split(".")[1], (selfsame_ffi.Object,), body))


Leaf = class_of("sst.Leaf", __slots__=())
Node = class_of("sst.Node", __slots__=())
Plain = class_of("sst.Plain", __slots__=())
Picky = class_of("sst.Picky", __slots__=())
Rich = class_of("sst.Rich", __slots__=("__dict__", "__weakref__"))
Open = class_of("sst.Open", __slots__=("__dict__", "__weakref__"))
native = {
    name: selfsame_ffi.get_global_func("sst." + name)
    for name in ("echo", "apply", "throw", "throw_with_cause", "throw_with_frames", "count_args", "keep", "kept")
    + ("release", "release_on_thread", "take", "catch_value", "live", "rich", "leaf", "apply_on_thread", "use_count")
    + ("apply_rvalue", "apply_kept", "keep_classless")
}
echo, apply, keep, kept, release = (native[name] for name in ("echo", "apply", "keep", "kept", "release"))

# These objects live through all runs, and no run may change them.
owner, rich_owner = Node(Leaf(1)), Node(Rich(1))
held, state = owner.x, [1]
rich_owner.x.note = state
rich_id = id(rich_owner.x)
owner.any = "a text on the heap"
array, items = selfsame_ffi.Array([held, "text" * 4, 5]), selfsame_ffi.List([held, 5])
table = selfsame_ffi.Dict({"key": held, held: 1})
graph = Plain()
graph.x = Plain()
graph.any = selfsame_ffi.Array([graph.x, "a text on the heap"])
open_graph = Open()
open_graph.a, open_graph.note = selfsame_ffi.List([graph, 5]), {"k": [graph]}
pickled = [graph, open_graph, selfsame_ffi.Array([graph, "text" * 4]), selfsame_ffi.Dict({"key": graph}), echo]
dumped = pickle.dumps(pickled)


def callback(value):
    return value


def failing(value):
    raise LookupError(value)


class Convertible:
    def __tvm_ffi_object__(self):
        return held


class Odd:
    pass


odd = Odd()


# ---- scenarios ----


def fetch():
    assert owner.x is held and owner.fixed is held and rich_owner.x.note is state
    assert kept_node().x.value == 7


def kept_node():
    return Node(Leaf(7))


def drop_and_fetch():
    node = Node(Leaf(2))
    first = id(node.x)
    assert id(node.x) == first
    node.x = Leaf(3)
    assert node.x.value == 3


def construct():
    Leaf(1).add(2)
    Leaf.twice(3)
    Node(Leaf(1))
    Plain().x = Leaf(2)
    Picky(1)


def construct_refused():
    Picky(0)


def uninitialised():
    Leaf.__new__(Leaf).add(1)


def arguments():
    assert (
        native["count_args"]("a longer text", b"longer bytes", [1, ["x" * 9]], (2,), odd, callback, Convertible()) == 7
    )


def many_arguments():
    assert native["count_args"](*[[1]] * 20) == 20


def arguments_refused():
    native["count_args"]([1, [REFUSED]])


def containers_converted():
    assert native["count_args"]({"k": [1, {"l": held}]}, {held: odd}, bytearray(b"x" * 20), [{}, ()]) == 4


def exceptions_converted():
    error = ValueError("text")
    error.__cause__ = KeyError("cause")
    assert native["count_args"](error, selfsame_ffi.Error("K", "m", "", selfsame_ffi.Error("L", "n"))) == 2


def calls_back():
    assert apply(callback, owner) is owner and apply(callback, "a longer text") == "a longer text"


def calls_back_on_a_thread():
    assert native["apply_on_thread"](callback, owner) is owner


def calls_back_with_new_natives():
    """Native objects without a wrapper: making the wrapper may fail before the callback is called."""
    assert native["apply_rvalue"](callback, 5).value == 5
    native["keep_classless"]("sst.ClasslessFault")
    assert native["apply_kept"](callback) is kept(0)
    release()


def calls_back_and_raises():
    apply(failing, owner)


def native_error():
    native["throw"]("ValueError", "a message")


def native_error_with_frames():
    native["throw_with_frames"]()


def native_error_with_cause():
    native["throw_with_cause"]()


def caught_error():
    error = native["catch_value"](lambda: failing(1))
    assert error.kind  # parts of the exception for which there was no memory are left out
    error.py_error()


def error_value():
    error = selfsame_ffi.Error("K", "m", '  File "f.cc", line 3, in g\n', selfsame_ffi.Error("L", "n"))
    error.update_backtrace('  File "f.cc", line 3, in g\n' * 3)
    assert (error.kind, error.cause.kind) == ("K", "L")
    error.py_error()


def arrays():
    made = selfsame_ffi.Array([Leaf(1), "text" * 4]) + [owner]
    assert made[0].value == 1 and made[-1] is owner and len(made[:]) == 3 and 5 not in made
    assert [one for one in made][1] == "text" * 4
    assert made == [made[0], "text" * 4, owner] and hash(selfsame_ffi.Array([1])) == hash(selfsame_ffi.Array([1]))
    repr(made)


def lists():
    made = selfsame_ffi.List([1])
    for value in (held, "text" * 4, [1], odd):
        made.append(value)
    made.insert(1, Leaf(5))
    made.extend([1, 2, 3])
    made[0:2] = [Leaf(6)]
    made[0] = "another text"
    del made[1:3]
    made.pop()
    made.reverse()
    made.clear()


def dicts():
    made = selfsame_ffi.Dict({"key": held})
    for k in range(12):
        made[k] = Leaf(k)
    made["key"] = "a text on the heap"
    del made[3]
    made.pop(4)
    assert {key: value for key, value in made.items()}["key"] == "a text on the heap"
    list(made.values())
    made.update({held: 1})
    assert made[held] == 1 and made.get("none") is None
    repr(made)
    made.clear()


def maps():
    made = selfsame_ffi.Map({"key": held, held: [1]})
    assert made["key"] is held and list(made)[1] is held and dict(made)[held][0] == 1


def fields():
    node = Node(None)
    node.s, node.any, node.x, node.i, node.f, node.b = "a longer string", [1], Leaf(3), 2**40, 1e300, True
    assert (node.s, node.any[0], node.x.value, node.i, node.f, node.b) == ("a longer string", 1, 3, 2**40, 1e300, True)
    node.items = [Leaf(1), "text on the heap"]
    assert node.items[0].value == 1
    repr(node)


def field_refused():
    owner.i = "text"


def stateful():
    node = Node(Rich(1))
    node.x.note = []
    node.x.ref = weakref.ref(node.x)
    assert node.x.ref() is node.x
    node.x.itself = node.x
    del node.x.itself


def stateful_kept():
    keep(Rich(1))
    kept(0).note = "kept"
    assert kept(0).note == "kept"
    release()


def released_on_a_thread():
    keep(Leaf(1))
    keep(Rich(2))
    kept(1).note = odd
    native["release_on_thread"]()


def cycle():
    rich = Rich(1)
    rich.note = rich
    plain = Plain()
    plain.any = selfsame_ffi.List([plain])
    plain.any[0].any.append(selfsame_ffi.convert(plain.__reduce__))
    del rich, plain
    gc.collect()


def moves():
    leaf = Leaf(1)
    assert native["take"](leaf._move()) == 1
    leaf = echo(Leaf(2)._move())
    assert echo(leaf._move()).value == 2
    assert native["take"](held._move()) > 1


def functions():
    function = selfsame_ffi.convert(lambda value: [value, "text on the heap"])
    assert function(held)[0] is held and echo(function) is function
    selfsame_ffi.register_global_func("sst.py.fault", function, override=True)
    assert selfsame_ffi.get_global_func("sst.py.fault") is function
    selfsame_ffi.remove_global_func("sst.py.fault")


def converts():
    selfsame_ffi.convert([1, {"a": (held,)}, b"bytes on the heap"])
    assert selfsame_ffi.convert(odd) is odd
    assert selfsame_ffi.opaque([1]).pyobject() == [1]
    selfsame_ffi.Shape((1, 2, 3))
    assert echo(selfsame_ffi.Shape((2**40, 2))) == (2**40, 2)
    assert echo(selfsame_ffi.dtype("float32")) == "float32" and echo(selfsame_ffi.device("cpu", 0)).index == 0


def shallow_copies():
    copy.copy(graph)
    copy.copy(held)
    copy.copy(open_graph)
    copy.copy(items)


def deep_copies():
    made = copy.deepcopy([graph, open_graph, array, table])
    assert made[0].any[0] is made[0].x and made[1].a[0] is made[0] and made[1].note["k"][0] is made[0]


def pickles():
    pickle.dumps(pickled)


def unpickles():
    made = pickle.loads(dumped)
    assert made[0].any[0] is made[0].x and made[1].note["k"][0] is made[0]


def debug_views():
    selfsame_ffi.debug.counters()
    selfsame_ffi.debug.tie(held)
    selfsame_ffi.debug.live_objects()
    repr(held), repr(array), repr(echo), dir(held), str(owner)


def tensors():
    made = selfsame_ffi._core.tensor_from_bytes((2, 32, 1), (2, 2), b"\0" * 16)
    assert made.shape == (2, 2) and made.dtype == "float32" and made.strides == (2, 1)
    again = selfsame_ffi.from_dlpack(made._to_dlpack())
    assert echo(again) is again and again.data_ptr() == made.data_ptr()
    copy.deepcopy(made)
    over = selfsame_ffi._core.tensor_over((2, 32, 1), (2, 2), bytearray(16))
    assert over.shape == (2, 2)
    buffers = []
    data = pickle.dumps(over, 5, buffer_callback=buffers.append)
    assert pickle.loads(data, buffers=buffers).data_ptr() == over.data_ptr()


# ---- runs ----

# The exceptions that scenarios raise when no allocation fails.
RAISES = {
    "construct_refused": ValueError,
    "uninitialised": RuntimeError,
    "arguments_refused": OverflowError,
    "calls_back_and_raises": LookupError,
    "native_error": ValueError,
    "native_error_with_frames": ValueError,
    "native_error_with_cause": ValueError,
    "field_refused": TypeError,
}


# CPython loses an exception when it has no memory for the frame of a Python function that the exception passes.
CPYTHONS_OWN = re.compile("^<function .* returned NULL without setting an exception$")


def current_counts():
    """All counts that a run must leave unchanged."""
    counters = selfsame_ffi.debug.counters()
    counters.pop("releases_queued")
    return counters, selfsame_ffi.debug.live_objects(), native["live"]()


def check(before, where):
    """Fail unless the counts are those of `before` and the objects made at the start have their identity and state."""
    now = current_counts()
    for _ in range(3):
        if now == before:
            break
        gc.collect()
        now = current_counts()
    if now != before:
        pairs = [(k, before[i].get(k, 0), v) for i in (0, 1) for k, v in now[i].items()]
        changed = [pair for pair in pairs if pair[1] != pair[2]]
        raise SystemExit(f"{where}: (name, before, after) {changed} {before[2]} {now[2]}")
    assert owner.x is held and array[0] is held and items[0] is held and table["key"] is held, where
    assert rich_owner.x.note is state and id(rich_owner.x) == rich_id, where
    assert held.value == 1 and echo(held) is held, where


def run(scenario, kind, first, count):
    """One run in which `count` allocations of `kind` fail, from number `first` on: (how many failed, description)."""
    expected = RAISES.get(NAME)
    outcome = None
    # CPython crashes when it iterates over dict.items() and has no memory for the pair: dictiter_new frees an iterator
    # that the collector does not know yet, and takes it off the collector's list. So the free list must have pairs.
    pairs = [(i, i) for i in range(100)]
    del pairs
    faults.begin(kind, first, count)
    try:
        scenario()
    except BaseException as error:
        outcome = error
    asked, failed = faults.end()
    where = f"{NAME}: {kind} allocation {first} of {asked}, {failed} failed, {outcome!r}"
    if outcome is None:
        # A scenario may succeed without the memory that it was denied.
        assert expected is None or failed > 0, where
    elif kind == "python" and isinstance(outcome, SystemError) and CPYTHONS_OWN.search(str(outcome)):
        assert failed > 0, where
    elif not isinstance(outcome, MemoryError):
        assert expected is not None and isinstance(outcome, expected), where
    else:
        assert failed > 0, where
    outcome = None
    return failed, where


def main():
    of_family = NAME.startswith("family ")
    scenario = family(NAME[7:], native, Leaf, Node, Plain) if of_family else globals()[NAME]
    for _ in range(3):
        try:
            scenario()
        except RAISES.get(NAME, ()):
            pass
    # The runtime has one preallocated error for the case that there is no memory for one. It gets its wrapper here.
    faults.begin("native", 1, 2**62)
    try:
        selfsame_ffi.Array([1])
    except MemoryError:
        pass
    faults.end()
    gc.collect()
    gc.freeze()
    before = current_counts()
    total = 0
    for kind in ("python", "native"):
        for count in (1, 2**62):  # only the first one fails; all from the first one on fail
            first = 1
            while True:
                failed, where = run(scenario, kind, first, count)
                if not failed:
                    check(before, where)
                    break
                release()
                check(before, where)
                total += 1
                # Beyond the first 150 only every seventh: they come from the same few lines.
                first += 1 if STEPS == "all" or first < 150 else 7
    print(f"{NAME}: {total} runs")


main()
