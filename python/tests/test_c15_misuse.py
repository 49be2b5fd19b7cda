"""C15: misuse is refused with an exception and changes nothing."""

import pytest
import selfsame


def test_init_twice(native):
    leaf = native.Leaf(1)
    with pytest.raises(TypeError, match="initialised already"):
        leaf.__init__(2)
    assert leaf.value == 1
    assert native.use_count(leaf) == 1


def test_setstate(native):
    leaf = native.Leaf(1)
    for one in (leaf, native.rich(1), native.echo, selfsame.Array([1]), selfsame.Error("K", "m")):
        count = native.use_count(one)
        for state in ({}, {"handle": None}, None, (None, None), "{}"):
            with pytest.raises(TypeError, match="__setstate__"):
                one.__setstate__(state)
        assert native.use_count(one) == count
    assert leaf.value == 1 and native.echo(leaf) is leaf


def test_constructor_that_raises(native):
    before = native.live()
    for _ in range(3):
        with pytest.raises(ValueError, match="mode 0"):
            native.Picky(0)
    assert native.live() == before
    raw = native.Picky.__new__(native.Picky)
    with pytest.raises(ValueError):
        raw.__init__(0)
    raw.__init__(1)  # it may be tried again
    assert native.echo(raw) is raw


def test_constructor_with_wrong_arguments(native):
    for args in ((), ("text",), (1, 2), (2**70,)):
        with pytest.raises((TypeError, OverflowError)):
            native.Leaf(*args)
    with pytest.raises(TypeError, match="keyword"):
        native.Leaf(v=1)
    with pytest.raises(TypeError):
        native.Leaf.__init__(3)
    with pytest.raises(TypeError):
        native.Leaf.__init__()


def test_constructor_of_another_class(native):
    raw = native.Node.__new__(native.Node)
    with pytest.raises(TypeError, match="sst.Leaf"):
        native.Leaf.__init__(raw, 1)
    sub = native.SubLeaf.__new__(native.SubLeaf)
    with pytest.raises(TypeError):
        native.Leaf.__init__(sub, 1)  # would make a Leaf under a SubLeaf wrapper


def test_new_that_returns_something_else(native):
    class Odd(native.Leaf):
        __slots__ = ()

        def __new__(cls, *args):
            return 42

    assert Odd(1) == 42

    class Other(native.Leaf):
        __slots__ = ()

        def __new__(cls, *args):
            return native.Leaf(99)

    assert Other(1).value == 99
    # Fetching does not call __new__ at all.
    native.keep(native.Leaf(5))
    assert native.kept(0).value == 5
    native.release()


def test_new_that_makes_other_objects_on_the_way(native):
    class Busy(native.Leaf):
        __slots__ = ()

        def __new__(cls, value):
            native.Node(native.Leaf(1)).x.value  # noqa: B018
            return super().__new__(cls)

    owner = native.Node(Busy(7))
    first = id(owner.x)
    Busy(8)
    assert id(owner.x) == first and type(owner.x) is Busy and owner.x.value == 7


def test_init_that_raises_after_the_native_was_made(native):
    class Half(native.Leaf):
        def __init__(self, value):
            super().__init__(value)
            raise KeyError("after")

    before = native.live()
    with pytest.raises(KeyError):
        Half(1)
    assert native.live() == before


def test_init_never_called(native):
    class Lazy(native.Leaf):
        def __init__(self, value):
            pass

    lazy = Lazy(1)
    for use in (lambda: lazy.value, lambda: lazy.add(1), lambda: native.echo(lazy), lambda: native.echo([lazy])):
        with pytest.raises(RuntimeError, match="not initialised"):
            use()
    assert not lazy.same_as(native.Leaf(1))
    assert lazy.same_as(lazy)
    assert lazy.__chandle__() == 0


def test_unbound_function():
    raw = selfsame.Function.__new__(selfsame.Function)
    with pytest.raises(RuntimeError, match="not initialised"):
        raw()
    with pytest.raises(TypeError, match="no constructor"):
        selfsame.Function()
    with pytest.raises(TypeError, match="no constructor"):
        selfsame.Object()
    with pytest.raises(RuntimeError):
        selfsame.register_global_func("sst.never", raw)


def test_key_registered_twice(native):
    class Same(selfsame.Object):
        __slots__ = ()

    class Bigger(selfsame.Object):
        __slots__ = ("more",)

    class WithWeakref(selfsame.Object):
        __slots__ = ("__weakref__",)

    for cls in (Bigger, WithWeakref):
        with pytest.raises(ValueError, match="layout"):
            selfsame.register_object("sst.Leaf")(cls)
    assert type(native.leaf(1)) is native.Leaf
    selfsame.register_object("sst.Leaf")(Same)
    try:
        assert type(native.leaf(1)) is Same
        assert native.leaf(3).add(1) == 4
    finally:
        selfsame.register_object("sst.Leaf")(native.Leaf)
    assert type(native.leaf(1)) is native.Leaf


def test_register_object_refuses(native):
    with pytest.raises(ValueError, match="no native type"):
        selfsame.register_object("sst.NoSuchType")
        selfsame.register_object("sst.NoSuchType")(native.Leaf)
    with pytest.raises(TypeError, match="subclass"):

        @selfsame.register_object("sst.Picky")
        class NotAnObject:
            pass

    with pytest.raises(TypeError):
        selfsame.register_object(3)


def test_same_as(native):
    leaf = native.Leaf(1)
    assert leaf.same_as(leaf) and leaf.is_(leaf)
    assert not leaf.same_as(native.Leaf(1)) and not leaf.same_as(3)
    assert leaf.id_() == leaf.__chandle__() != 0
    assert leaf == leaf and leaf != native.Leaf(1)
    assert {leaf: 1}[native.echo(leaf)] == 1
