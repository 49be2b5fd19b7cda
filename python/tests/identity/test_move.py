"""_move() hands the object over; a moved-from wrapper raises a clear error on every use and never crashes."""

# Requirement: C10

import copy
import gc
import pickle
import weakref

import pytest
import selfsame_ffi
from misuse import uses
from values import REFUSED


def test_callee_gets_the_only_reference(native):
    leaf = native.Leaf(1)
    assert native.take(leaf._move()) == 1
    assert native.take(native.Leaf(1)._move()) == 1


def test_moved_from_wrapper_refuses_every_use(native):
    leaf = native.Leaf(1)
    alias = leaf
    native.take(leaf._move())
    for use in (
        lambda: alias.value,
        lambda: setattr(alias, "value", 3),
        lambda: alias.add(1),
        lambda: native.Leaf.add(alias, 1),
        lambda: native.echo(alias),
        lambda: selfsame_ffi.Array([alias]),
        lambda: native.keep([1, [alias]]),
        lambda: alias._move(),
        lambda: native.Node(alias),
        lambda: copy.copy(alias),
        lambda: copy.deepcopy([alias]),
        lambda: pickle.dumps(alias),
        lambda: selfsame_ffi.convert([alias]),
    ):
        with pytest.raises(RuntimeError, match="moved away"):
            use()
    assert repr(alias) == "<Leaf object, moved away>"
    assert selfsame_ffi.debug.tie(alias)["state"] == "Moved"
    assert alias.__chandle__() == 0 and alias.same_as(alias)


def test_equality_and_hash_survive_a_move(native):
    leaf, other = native.Leaf(1), native.Leaf(2)
    before = hash(leaf)
    table = {leaf: "here"}
    native.take(leaf._move())
    native.take(other._move())
    assert leaf == leaf and leaf != other and not leaf.same_as(other)
    assert hash(leaf) == before
    assert table.pop(leaf) == "here"  # so it can be removed from a dict


def moved(native):
    """One moved-from wrapper of each family."""
    function = selfsame_ffi.convert(lambda: 1)
    array = selfsame_ffi.Array([1, native.Leaf(2)])
    error = selfsame_ffi.Error("ValueError", "text")
    leaf, rich = native.Leaf(1), native.rich(1)
    containers = [
        selfsame_ffi.List([1, native.Leaf(2)]),
        selfsame_ffi.Map({1: native.Leaf(2)}),
        selfsame_ffi.Dict({1: 2}),
    ]
    every = [leaf, rich, function, array, error, *containers]
    for one in every:
        native.echo(one._move())
        assert one.__chandle__() == 0
    return every


def test_every_attribute_of_a_moved_from_wrapper_is_safe(native):
    native.keep(None)  # every use must return or raise, not crash
    for one in moved(native):
        for name, use in uses(one):
            try:
                use(one)
            except (RuntimeError, TypeError, ValueError, AttributeError, KeyError, IndexError) as error:
                assert "moved away" in str(error) or not isinstance(error, RuntimeError), name
        assert one.__chandle__() == 0
    native.release()


def test_moved_from_wrappers_refuse_the_operations_of_their_family(native):
    leaf, rich, function, array, error, items, fixed, table = moved(native)
    for use in (
        lambda: function(),
        lambda: selfsame_ffi.register_global_func("sst.never", function),
        lambda: len(array),
        lambda: array[0],
        lambda: array[:],
        lambda: list(array),
        lambda: 1 in array,
        lambda: array == [1],
        lambda: hash(array),
        lambda: array + [1],
        lambda: len(items),
        lambda: items[0],
        lambda: items.append(1),
        lambda: items.insert(0, 1),
        lambda: items.pop(),
        lambda: items.clear(),
        lambda: items.reverse(),
        lambda: items.__setitem__(0, 1),
        lambda: items.__setitem__(slice(0, 1), [2]),
        lambda: items.__delitem__(0),
        lambda: list(items),
        lambda: items == [1],
        lambda: fixed[1],
        lambda: dict(fixed),
        lambda: fixed.get(1),
        lambda: 1 in fixed,
        lambda: list(fixed.items()),
        lambda: table.__setitem__(1, 2),
        lambda: table.__delitem__(1),
        lambda: table.pop(1),
        lambda: table.clear(),
        lambda: table.update({1: 2}),
        lambda: list(table.values()),
        lambda: error.kind,
        lambda: error.message,
        lambda: error.backtrace,
        lambda: error.cause,
        lambda: error.py_error(),
        lambda: error.update_backtrace(""),
        lambda: selfsame_ffi.Error("K", "m", "", error),
        lambda: rich.value,
    ):
        with pytest.raises(RuntimeError, match="moved away"):
            use()
    rich.note = 1  # the state in Python is still usable
    assert rich.note == 1
    assert isinstance(leaf, native.Leaf) and type(leaf) is native.Leaf


def test_object_that_is_not_taken_is_not_moved(native):
    leaf = native.Leaf(1)
    with pytest.raises(TypeError):
        native.take(native.Node(None)._move())
    with pytest.raises(TypeError):
        native.take(leaf._move(), 1)
    assert leaf.value == 1
    assert native.owners(leaf) == 1
    with pytest.raises(OverflowError):
        native.count_args(leaf._move(), REFUSED)
    assert leaf.value == 1
    assert native.echo(leaf) is leaf


def test_callee_that_takes_and_fails_owns_the_object(native):
    leaf = native.Leaf(1)
    before = native.live()
    with pytest.raises(ValueError, match="after taking"):
        native.take_and_throw(leaf._move())
    assert native.live() == before - 1  # the callee owned it, and released it
    with pytest.raises(RuntimeError, match="moved away"):
        leaf.value  # noqa: B018


def test_object_taken_for_a_failing_callback_is_gone(native):
    def refuses(value):
        raise LookupError("no")

    leaf = native.Leaf(1)
    before = native.live()
    with pytest.raises(LookupError):
        native.apply(refuses, leaf._move())
    assert native.live() == before - 1
    with pytest.raises(RuntimeError, match="moved away"):
        leaf.value  # noqa: B018


def test_rvalue_is_used_once(native):
    leaf = native.Leaf(1)
    ref = leaf._move()
    assert ref.obj is leaf
    assert native.take(ref) == 1
    with pytest.raises(RuntimeError, match="moved away"):
        native.take(ref)
    twice = native.Leaf(2)
    ref = twice._move()
    with pytest.raises(RuntimeError, match="moved away"):
        native.count_args(ref, ref)
    assert twice.value == 2 and native.owners(twice) == 1


def test_unused_rvalue_moves_nothing(native):
    leaf = native.Leaf(1)
    ref = leaf._move()
    assert leaf.value == 1
    del ref
    assert leaf.value == 1 and native.owners(leaf) == 1
    with pytest.raises(TypeError):
        type(leaf._move())()
    for refuses in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="ObjectRValueRef"):
            refuses(leaf._move())


def test_moved_object_gets_a_new_wrapper(native):
    leaf = native.Leaf(4)
    back = native.echo(leaf._move())
    assert back is not leaf and back.value == 4
    assert native.owners(back) == 1
    with pytest.raises(RuntimeError, match="moved away"):
        leaf.value  # noqa: B018


# An object with other owners, or in use by a call, is not moved: the callee gets one more reference.


def test_object_with_another_owner_is_shared(native):
    owner = native.Node(native.Leaf(1))
    leaf = owner.x
    first = id(leaf)
    assert native.take(leaf._move()) == 4  # x and fixed of the Node, the wrapper, the callee
    assert leaf.value == 1 and owner.x is leaf and id(owner.x) == first
    assert native.owners(leaf) == 3


def test_object_that_was_fetched_again_is_shared(native):
    # f(x) is x, and both names are meant to stay usable: the published package has a wrapper for each.
    leaf = native.Leaf(1)
    again = native.echo(leaf)
    assert native.take(again._move()) == 2
    assert leaf is again and leaf.value == 1 and native.owners(leaf) == 1
    owner = native.Node(None)
    owner.any = native.Leaf(2)
    first = owner.any
    second = owner.any
    owner.any = None
    assert native.take(second._move()) == 2
    assert first.value == 2 and native.owners(first) == 1


def test_stateful_object_that_was_fetched_again_is_shared(native):
    class Noted(native.Leaf):
        pass

    noted = Noted(3)
    noted.note = "here"
    again = native.echo(noted)
    assert native.take(again._move()) == 2  # the wrapper owns a reference during the call, as in the published package
    assert noted.value == 3 and noted.note == "here" and native.owners(noted) == 1
    assert selfsame_ffi.debug.tie(noted)["state"] == "Active"


def test_method_that_moves_its_object_leaves_the_caller_its_own(native):
    # As TVM's with_attr is written: a function that "copies" returns its argument.
    def changed(leaf):
        copied = native.echo(leaf)
        return native.take(copied._move())

    leaf = native.Leaf(1)
    assert changed(leaf) == 2 and leaf.value == 1
    assert changed(native.Leaf(2)) == 2


def test_object_that_was_fetched_again_is_moved_by_its_only_name(native):
    # The calls are not in an assertion, which would have a second reference.
    counted = native.take(native.echo(native.Leaf(1))._move())
    assert counted == 1
    leaf = native.Leaf(2)
    native.echo(leaf)
    counted = native.take(leaf._move())
    assert counted == 1
    with pytest.raises(RuntimeError, match="moved away"):
        leaf.value  # noqa: B018


def test_object_in_use_by_a_call_is_shared(native):
    leaf = native.Leaf(1)
    assert native.take_second(leaf, leaf._move()) == 1
    assert native.apply(lambda value: native.take(value._move()), leaf) == 3  # the wrapper, the caller, the callee
    assert native.apply(lambda value: value._move(), leaf) is leaf
    assert leaf.value == 1 and native.owners(leaf) == 1
    function = selfsame_ffi.convert(lambda: native.echo(function._move()))
    assert function() is function
    assert native.owners(function) == 1
    function = None


def test_wrapper_that_native_code_owns_too_keeps_its_state(native):
    rich = native.rich(1)
    native.keep(rich)
    rich.note = ref = weakref.ref(rich)
    assert selfsame_ffi.debug.tie(rich)["strong"] == 2
    assert native.echo(rich._move()) is rich
    del rich
    gc.collect()
    assert native.kept(0).note is ref and ref() is native.kept(0)
    native.release()


def test_stateful_wrapper_counts_when_the_callee_keeps_its_object(native):
    rich = native.rich(1)
    rich.note = "here"
    native.apply(lambda value: native.keep(value._move()), rich)
    assert native.owners(rich) == 2
    del rich
    gc.collect()
    assert native.kept(0).note == "here"
    native.release()


def test_weak_reference_follows_the_wrapper(native):
    rich = native.rich(1)
    ref = weakref.ref(rich)
    native.take_any(rich._move())
    assert ref() is rich
    with pytest.raises(RuntimeError, match="moved away"):
        ref().value  # noqa: B018
    del rich
    assert ref() is None
    with pytest.raises(TypeError, match="weak reference"):
        weakref.ref(native.Leaf(1))


def test_del_of_a_moved_wrapper_runs_once(native):
    ends = []

    class Loud(native.Leaf):
        def __del__(self):
            ends.append(self.__chandle__())

    loud = Loud(1)
    native.take(loud._move())
    assert ends == []
    del loud
    gc.collect()
    assert ends == [0]


def test_moved_object_loses_its_python_subclass(native):
    class Sub(native.Leaf):
        __slots__ = ()

    sub = Sub(7)
    back = native.echo(sub._move())
    assert type(sub) is Sub and type(back) is native.Leaf and back.value == 7


def test_callback_may_take_an_rvalue(native):
    seen = []
    assert native.apply_rvalue(lambda leaf: seen.append(native.owners(leaf)) or leaf.value, 6) == 6
    assert seen == [1]
    assert native.apply_rvalue(lambda leaf: leaf._move(), 6).value == 6


def test_results_items_and_fields_take_rvalues(native):
    assert native.apply(lambda _: native.Leaf(3)._move(), None).value == 3
    leaf = native.Leaf(5)
    array = selfsame_ffi.Array([leaf._move()])
    assert array[0].value == 5
    with pytest.raises(RuntimeError, match="moved away"):
        leaf.value  # noqa: B018
    owner = native.Node(None)
    leaf = native.Leaf(6)
    owner.any = leaf._move()
    assert owner.any.value == 6 and owner.any is not leaf


def test_moved_from_wrapper_can_be_initialised_again(native):
    leaf = native.Leaf(1)
    native.take(leaf._move())
    leaf.__init__(2)
    assert leaf.value == 2
    assert native.echo(leaf) is leaf


def test_move_before_init_is_refused(native):
    with pytest.raises(RuntimeError, match="not initialised"):
        native.Leaf.__new__(native.Leaf)._move()


class Mover:
    """An index whose conversion to an int moves the container away."""

    def __init__(self, native, thing):
        self.native, self.thing = native, thing

    def __index__(self):
        if self.thing.__chandle__():
            self.native.take_any(self.thing._move())
        return 0


def test_move_during_an_operation_is_noticed(native):
    for use in (lambda array, i: array[i], lambda array, i: array[i:], lambda array, i: array[: Mover.__index__(i)]):
        array = selfsame_ffi.Array([native.Leaf(1)] * 3)
        with pytest.raises(RuntimeError, match="moved away"):
            use(array, Mover(native, array))

    class Eq:
        def __eq__(self, other):
            if array.__chandle__():
                native.take_any(array._move())
            return False

    array = selfsame_ffi.Array([native.Leaf(1)] * 3)
    with pytest.raises(RuntimeError, match="moved away"):
        Eq() in array  # noqa: B015
    for family in (selfsame_ffi.Array, selfsame_ffi.List):
        array = family([1, 2, 3])
        with pytest.raises(RuntimeError, match="moved away"):
            for _ in array:
                native.take_any(array._move())
    for family in (selfsame_ffi.Map, selfsame_ffi.Dict):
        for view in (lambda table: table, lambda table: table.items(), lambda table: table.values()):
            table = family({1: 2, 3: 4})
            with pytest.raises(RuntimeError, match="moved away"):
                for _ in view(table):
                    native.take_any(table._move())


def test_move_while_a_field_is_set_is_noticed(native):
    leaf = native.Leaf(1)

    class Value:
        def __tvm_ffi_object__(self):
            native.take(leaf._move())
            return native.Leaf(2)

    with pytest.raises(RuntimeError, match="moved away"):
        leaf.value = Value()


def test_object_is_shared_while_a_field_is_read(native):
    odd = native.Odd()
    live = native.live()
    native.on_read(lambda: native.take_any(odd._move()))
    try:
        assert odd.watched == 7  # shared, not moved: the getter uses the object
    finally:
        native.on_read(None)
    assert odd.watched == 7 and native.live() == live


def test_many_moves_balance(native):
    for k in range(300):
        leaf = native.Leaf(k)
        leaf = native.echo(leaf._move())
        array = selfsame_ffi.Array([leaf._move(), native.Leaf(k)._move()])
        assert [item.value for item in native.echo(array._move())] == [k, k]
