"""One thread moves a native object away while others use its wrapper."""

# Requirements: C10, C12

import copy

import pytest
import selfsame_ffi
from racing import fast_switches, run  # noqa: F401


def test_other_threads_see_a_whole_object_or_an_error(native):
    """A use either sees the object or raises the moved-from error."""
    for _ in range(60):
        leaf = native.Leaf(5)

        def use(i, leaf=leaf):
            try:
                if i == 0:
                    native.take(leaf._move())
                else:
                    assert leaf.value == 5
                    assert native.echo(leaf) is leaf
            except RuntimeError as error:
                assert "moved" in str(error)

        run(4, use)


def shows(thing, word):
    """Whether the repr contains `word`. The repr of a moved-from wrapper does not raise, it says so."""
    text = repr(thing)
    return word in text or "moved away" in text


class Race:
    """Two threads that use an object while a third one moves it away."""

    def __init__(self, native):
        self.native = native

    def run(self, make, uses, rounds=30):
        """Race on `rounds` new objects. Each use must return a true value or raise the moved-from error."""
        for _ in range(rounds):
            thing = make()

            def body(i, thing=thing):
                try:
                    if i == 0:
                        self.native.take_any(thing._move())
                        return
                    for use in uses:
                        assert use(thing), use
                except RuntimeError as error:
                    assert "moved" in str(error), error

            run(3, body)


def test_sequence_may_be_moved_while_others_read_it(native):
    leaf = native.Leaf(5)
    other = selfsame_ffi.List([1, leaf, "a text on the heap"])
    uses = [
        lambda s: len(s) == 3,
        lambda s: s[1] is leaf and s[-2] is leaf,
        lambda s: s[:] == [1, leaf, "a text on the heap"],
        lambda s: list(s) == [1, leaf, "a text on the heap"],
        lambda s: 1 in s and leaf in s and "a text on the heap" in s and 2 not in s,
        lambda s: type(s) is selfsame_ffi.Array or s == other,
        lambda s: shows(s, "text"),
        lambda s: iter(s).__length_hint__() == 3 and len(s + [4]) == 4,
        lambda s: selfsame_ffi.debug.tie(s)["state"] in ("Active", "Moved"),
    ]
    for family in (selfsame_ffi.Array, selfsame_ffi.List):
        Race(native).run(lambda family=family: family([1, leaf, "a text on the heap"]), uses)


def test_list_may_be_moved_while_another_thread_changes_it(native):
    leaf = native.Leaf(5)

    def change(made):
        made.append(leaf)
        made.insert(1, "a text on the heap")
        made[0] = leaf
        made[0:1] = [leaf, 2]
        made.extend([1, 2, 3])
        made[::2] = [leaf] * len(made[::2])
        made.reverse()
        made.pop()
        del made[0], made[::3]
        made.clear()
        return True

    # Only one thread changes it: the result of two would depend on their order.
    for _ in range(60):
        made = selfsame_ffi.List([leaf] * 3)

        def body(i, made=made):
            try:
                native.take_any(made._move()) if i else change(made)
            except RuntimeError as error:
                assert "moved" in str(error), error

        run(2, body)


def test_mapping_may_be_moved_while_others_read_it(native):
    leaf = native.Leaf(5)
    content = {"key": leaf, 1: 2, "another": "a text on the heap"}
    uses = [
        lambda m: len(m) == 3,
        lambda m: m["key"] is leaf and m[1] == 2,
        lambda m: "key" in m and "none" not in m,
        lambda m: m.get("none", 7) == 7,
        lambda m: dict(m.items()) == content,
        lambda m: set(m) == set(content) and len(list(m.values())) == 3,
        lambda m: shows(m, "key"),
        lambda m: m == type(m)(content),
    ]
    for family in (selfsame_ffi.Map, selfsame_ffi.Dict):
        Race(native).run(lambda family=family: family(content), uses)


def test_error_may_be_moved_while_others_read_it(native):
    cause = selfsame_ffi.Error("ValueError", "cause")
    uses = [
        lambda e: e.kind == "KeyError" and e.message == "a message on the heap",
        lambda e: e.backtrace.startswith('  File "f.py"'),
        lambda e: e.update_backtrace('  File "f.py", line 2, in g\n') is None,
        lambda e: e.cause is cause,
        lambda e: isinstance(e.py_error(), KeyError),
        lambda e: shows(e, "message"),
        lambda e: selfsame_ffi.Error("E", "m", "", e).cause is e,
    ]
    # The cause is not moved: exceptions of all threads refer to it.
    Race(native).run(
        lambda: selfsame_ffi.Error("KeyError", "a message on the heap", '  File "f.py", line 1, in f\n', cause), uses
    )


def test_tensor_may_be_moved_while_others_read_it(native):
    numpy = pytest.importorskip("numpy")
    source = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    uses = [
        lambda t: t.shape == (2, 3) and t.strides == (3, 1) and t.ndim == 2,
        lambda t: str(t.dtype) == "float32" and t.device.type == "cpu",
        lambda t: t.numel() == 6 and t.size(-1) == 3,
        lambda t: t.data_ptr() != 0 and t.is_contiguous(),
        lambda t: t.__dlpack_device__() == (1, 0),
        lambda t: numpy.from_dlpack(t)[1, 2] == 5,
        lambda t: selfsame_ffi.from_dlpack(t) is t,
    ]
    Race(native).run(lambda: selfsame_ffi.from_dlpack(source), uses)


def test_objects_may_be_moved_while_others_use_fields_and_calls(native):
    leaf = native.Leaf(5)

    def node():
        made = native.Node(leaf)
        made.any = "a text on the heap"
        return made

    def put(owner):
        owner.x = leaf
        return True

    uses = [
        lambda o: o.x is leaf and o.any == "a text on the heap",
        put,
        lambda o: native.echo(o) is o,
        lambda o: shows(o, "Node") and o.same_as(o),
        lambda o: copy.copy(o).x is leaf,
    ]
    Race(native).run(node, uses)
    Race(native).run(
        lambda: selfsame_ffi.convert(lambda value: value), [lambda f: f(leaf) is leaf, lambda f: f(1) == 1]
    )
