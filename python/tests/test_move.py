"""_move(): the callee gets the object's own reference; a moved-from wrapper raises on every use."""

import pytest
import selfsame


def test_callee_gets_the_only_reference(native):
    leaf = native.Leaf(1)
    assert native.take(leaf._move()) == 1
    assert native.take(native.Leaf(1)._move()) == 1


def test_moved_from_wrapper(native):
    leaf = native.Leaf(1)
    alias = leaf
    native.take(leaf._move())
    for use in (
        lambda: alias.value,
        lambda: setattr(alias, "value", 3),
        lambda: alias.add(1),
        lambda: native.echo(alias),
        lambda: selfsame.Array([alias]),
        lambda: alias._move(),
        lambda: native.Node(alias),
    ):
        with pytest.raises(RuntimeError, match="moved away"):
            use()
    assert repr(alias) == "<Leaf without a native object>"
    assert selfsame.debug.tie(alias)["state"] == "Detached"
    assert alias.__chandle__() == 0 and alias.same_as(alias)


def test_not_taken_is_not_moved(native):
    leaf = native.Leaf(1)
    with pytest.raises(TypeError):
        native.take(native.Node(None)._move())
    with pytest.raises(TypeError):
        native.take(leaf._move(), 1)
    assert leaf.value == 1
    assert native.use_count(leaf) == 1
    with pytest.raises(OverflowError):
        native.count_args(leaf._move(), 2**70)
    assert leaf.value == 1
    assert native.echo(leaf) is leaf


def test_reference_is_used_once(native):
    leaf = native.Leaf(1)
    ref = leaf._move()
    assert ref.obj is leaf
    assert native.take(ref) == 1
    with pytest.raises(RuntimeError, match="moved away"):
        native.take(ref)


def test_echo_of_an_rvalue(native):
    leaf = native.Leaf(4)
    back = native.echo(leaf._move())
    assert back.value == 4
    assert native.use_count(back) == 1


def test_in_use_by_a_call(native):
    leaf = native.Leaf(1)
    with pytest.raises(RuntimeError, match="while a call uses it"):
        native.take_second(leaf, leaf._move())
    with pytest.raises(RuntimeError, match="while a call uses it"):
        native.apply(lambda value: native.take(value._move()), leaf)
    assert leaf.value == 1
    function = selfsame.convert(lambda: native.echo(function._move()))
    with pytest.raises(RuntimeError, match="while a call uses it"):
        function()
    function = None


def test_moving_a_held_wrapper(native):
    rich = native.rich(1)
    native.keep(rich)
    rich.note = 1
    assert selfsame.debug.tie(rich)["state"] == "Held"
    native.echo(rich._move())
    assert native.kept(0).value == 1
    native.release()


def test_result_and_item(native):
    assert native.apply(lambda _: native.Leaf(3)._move(), None).value == 3
    leaf = native.Leaf(5)
    array = selfsame.Array([leaf._move()])
    assert array[0].value == 5
    with pytest.raises(RuntimeError, match="moved away"):
        leaf.value  # noqa: B018


def test_moved_wrapper_can_be_made_anew(native):
    leaf = native.Leaf(1)
    native.take(leaf._move())
    leaf.__init__(2)
    assert leaf.value == 2
    assert native.echo(leaf) is leaf


def test_move_without_a_native(native):
    with pytest.raises(RuntimeError, match="not initialised"):
        native.Leaf.__new__(native.Leaf)._move()
