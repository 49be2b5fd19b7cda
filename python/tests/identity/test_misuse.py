"""Misuse is refused with an exception and changes nothing."""

# Requirements: C15, I9

import contextlib
import gc

import pytest
import selfsame_ffi
from misuse import uses


def test_second_init_is_refused(native):
    leaf = native.Leaf(1)
    with pytest.raises(TypeError, match="initialised already"):
        leaf.__init__(2)
    assert leaf.value == 1
    assert native.owners(leaf) == 1


def test_setstate_is_refused(native):
    leaf = native.Leaf(1)
    for one in (leaf, native.rich(1), native.echo, selfsame_ffi.Array([1]), selfsame_ffi.Error("K", "m")):
        count = native.owners(one)
        for state in ({}, {"handle": None}, None, (None, None), "{}"):
            with pytest.raises(TypeError, match="__setstate__"):
                one.__setstate__(state)
        assert native.owners(one) == count
    assert leaf.value == 1 and native.echo(leaf) is leaf


def test_constructor_that_raises_leaves_nothing(native):
    before = native.live()
    for _ in range(3):
        with pytest.raises(ValueError, match="mode 0"):
            native.Picky(0)
    assert native.live() == before
    raw = native.Picky.__new__(native.Picky)
    with pytest.raises(ValueError):
        raw.__init__(0)
    raw.__init__(1)  # a second attempt is allowed
    assert native.echo(raw) is raw


def test_wrong_constructor_arguments_are_refused(native):
    for args in ((), ("text",), (1, 2), (2**70,)):
        with pytest.raises((TypeError, OverflowError)):
            native.Leaf(*args)
    with pytest.raises(TypeError, match="keyword"):
        native.Leaf(v=1)
    with pytest.raises(TypeError):
        native.Leaf.__init__(3)
    with pytest.raises(TypeError):
        native.Leaf.__init__()


def test_constructor_of_another_class_is_refused(native):
    raw = native.Node.__new__(native.Node)
    with pytest.raises(TypeError, match="sst.Leaf"):
        native.Leaf.__init__(raw, 1)
    sub = native.SubLeaf.__new__(native.SubLeaf)
    with pytest.raises(TypeError):
        native.Leaf.__init__(sub, 1)  # would make a Leaf under a SubLeaf wrapper


def test_new_may_return_something_else(native):
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


def test_new_may_make_other_objects(native):
    class Busy(native.Leaf):
        __slots__ = ()

        def __new__(cls, value):
            native.Node(native.Leaf(1)).x.value  # noqa: B018
            return super().__new__(cls)

    owner = native.Node(Busy(7))
    first = id(owner.x)
    Busy(8)
    assert id(owner.x) == first and type(owner.x) is Busy and owner.x.value == 7


def test_init_that_raises_frees_the_native(native):
    class Half(native.Leaf):
        def __init__(self, value):
            super().__init__(value)
            raise KeyError("after")

    before = native.live()
    with pytest.raises(KeyError):
        Half(1)
    assert native.live() == before


def test_use_without_init_is_refused(native):
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


def test_uninitialised_function_is_refused():
    raw = selfsame_ffi.Function.__new__(selfsame_ffi.Function)
    with pytest.raises(RuntimeError, match="not initialised"):
        raw()
    with pytest.raises(TypeError, match="no constructor"):
        selfsame_ffi.Function()
    with pytest.raises(TypeError, match="no constructor"):
        selfsame_ffi.Object()
    with pytest.raises(RuntimeError):
        selfsame_ffi.register_global_func("sst.never", raw)


def test_second_registration_with_another_layout_is_refused(native):
    class Same(selfsame_ffi.Object):
        __slots__ = ()

    class Bigger(selfsame_ffi.Object):
        __slots__ = ("more",)

    class WithWeakref(selfsame_ffi.Object):
        __slots__ = ("__weakref__",)

    for cls in (Bigger, WithWeakref):
        with pytest.raises(ValueError, match="layout"):
            selfsame_ffi.register_object("sst.Leaf")(cls)
    assert type(native.leaf(1)) is native.Leaf
    selfsame_ffi.register_object("sst.Leaf")(Same)
    try:
        assert type(native.leaf(1)) is Same
        assert native.leaf(3).add(1) == 4
    finally:
        selfsame_ffi.register_object("sst.Leaf")(native.Leaf)
    assert type(native.leaf(1)) is native.Leaf


def test_register_object_refuses_wrong_keys_and_classes(native):
    with pytest.raises(ValueError, match="no native type"):
        selfsame_ffi.register_object("sst.NoSuchType")
        selfsame_ffi.register_object("sst.NoSuchType")(native.Leaf)
    with pytest.raises(TypeError, match="subclass"):

        @selfsame_ffi.register_object("sst.Picky")
        class NotAnObject:
            pass

    with pytest.raises(TypeError):
        selfsame_ffi.register_object(3)


def test_same_as_compares_natives(native):
    leaf = native.Leaf(1)
    assert leaf.same_as(leaf) and leaf.is_(leaf)
    assert not leaf.same_as(native.Leaf(1)) and not leaf.same_as(3)
    assert leaf.id_ == leaf.__chandle__() != 0
    assert leaf == leaf and leaf != native.Leaf(1)
    assert {leaf: 1}[native.echo(leaf)] == 1


# ---- classes ----


def test_a_class_of_another_native_type_or_layout_cannot_be_assigned(native):
    class Stateful(native.Leaf):
        __slots__ = ("__dict__",)

    leaf = native.Leaf(1)
    for one in (leaf, native.rich(1), native.echo, selfsame_ffi.List([1])):
        for use in (
            lambda: setattr(one, "__class__", Stateful),  # noqa: B023
            lambda: object.__setattr__(one, "__class__", native.Node),  # noqa: B023
            lambda: delattr(one, "__class__"),  # noqa: B023
            lambda: setattr(one, "__class__", 3),  # noqa: B023
            lambda: setattr(one, "__class__", int),  # noqa: B023
        ):
            with pytest.raises(TypeError, match="__class__|__setattr__"):
                use()
    assert type(leaf) is leaf.__class__ is native.Leaf and isinstance(leaf, native.Leaf)
    one = None


def test_a_class_of_the_same_native_type_and_layout_can_be_assigned(native):
    """As a module does that is loaded again. The object keeps its state and identity."""

    class Loaded(native.Plain):
        __slots__ = ("__dict__", "__weakref__")

        def says(self):
            return "old"

    class Again(native.Plain):
        __slots__ = ("__dict__", "__weakref__")

        def says(self):
            return "new"

        def __del__(self):
            ended.append(self.note)

    ended = []
    one = Loaded()
    one.note = "kept"
    native.keep(one)
    one.__class__ = Again
    assert type(one) is Again and one.says() == "new" and one.note == "kept"
    del one
    assert native.kept(0).note == "kept" and type(native.kept(0)) is Again
    native.release()
    assert ended == ["kept"]

    class Base(native.Plain):  # without an instance until then
        __slots__ = ("__dict__", "__weakref__")

    class Derived(Base):
        __slots__ = ()

    other = Derived()
    other.__class__ = Base
    assert type(other) is Base

    class Lean(native.Leaf):
        __slots__ = ()

    leaf = native.Leaf(1)
    native.keep(leaf)
    leaf.__class__ = Lean
    del leaf
    assert native.kept(0).value == 1
    native.release()


def test_class_changed_past_the_refusal_does_no_harm(native):
    class Lean(native.Leaf):
        __slots__ = ()

    class WithDel(native.Leaf):
        __slots__ = ()
        ended = 0

        def __del__(self):
            type(self).ended += 1

    WithDel(0)
    set_class = vars(object)["__class__"].__set__
    for there, back in ((WithDel, Lean), (Lean, WithDel)):
        for shared in (False, True):
            made = back(1)
            if shared:
                native.keep(made)
            with contextlib.suppress(TypeError):  # CPython refuses classes whose deallocs differ
                set_class(made, there)
            assert made.value == 1
            del made
            gc.collect()
            if shared:
                assert native.kept(0).value == 1
                native.release()
    gc.collect()


def test_class_of_another_family_is_refused(native):
    for family in (selfsame_ffi.Function, selfsame_ffi.Error, selfsame_ffi.List, selfsame_ffi.Tensor):

        class Wrong(family):
            pass

        with pytest.raises(TypeError, match=r"cannot wrap objects of 'sst\.Leaf'"):
            selfsame_ffi.register_object("sst.Leaf")(Wrong)
        del Wrong
    assert type(native.leaf(1)) is native.Leaf
    gc.collect()


def test_second_key_for_a_class_is_refused(native):
    with pytest.raises(ValueError, match="another type"):
        selfsame_ffi.register_object("sst.Node")(native.Leaf)
    assert type(native.leaf(1)) is native.Leaf and type(native.Node(None)) is native.Node
    assert native.Leaf.__tvm_ffi_type_index__ == native.leaf(1).__tvm_ffi_type_index__


def test_class_of_two_families_checks_its_native(native):
    class Both(native.Leaf, selfsame_ffi.Error):
        __slots__ = ()

    both = Both(3)
    assert both.value == 3
    for use in (lambda: both.kind, lambda: both.cause, lambda: both.py_error(), lambda: both.update_backtrace("")):
        with pytest.raises(TypeError, match="does not hold an Error"):
            use()

    class Callable(native.Leaf, selfsame_ffi.Function):
        __slots__ = ()

    called = Callable(4)
    for use in (lambda: called(), lambda: selfsame_ffi.Function.__call__(called), lambda: called(1, 2)):
        with pytest.raises(TypeError, match="does not hold a Function"):
            use()
    with pytest.raises(TypeError, match="Function"):
        selfsame_ffi.register_global_func("sst.py.never", called)
    with pytest.raises(TypeError, match="Function"):
        selfsame_ffi._core.Method(called, "m", "sst.Leaf")(native.leaf(1))

    class Row(native.Leaf, selfsame_ffi.List):
        __slots__ = ()

    row = Row(5)
    for use in (lambda: len(row), lambda: row[0], lambda: row.append(1), lambda: list(row)):
        with pytest.raises(TypeError, match="does not hold"):
            use()
    assert row.value == 5


def test_incompatible_bases_are_refused(native):
    with pytest.raises(TypeError, match="conflict"):
        type("Both", (native.Leaf, int), {})
    with pytest.raises(TypeError):
        type("Slots", (native.Leaf,), {"__slots__": ("__dict__", "__dict__")})

    class One(native.Leaf):
        __slots__ = ("one",)

    class Two(native.Leaf):
        __slots__ = ("two",)

    with pytest.raises(TypeError, match="conflict"):
        type("Both", (One, Two), {})


def test_wrong_type_index_of_a_class_is_refused(native):
    class Odd(native.Leaf):
        __slots__ = ()

    for index in (10**30, -1, "text", None, True, 1.5, 2**31, 2**63):
        Odd.__tvm_ffi_type_index__ = index
        with pytest.raises(TypeError):
            Odd(1)
    del Odd.__tvm_ffi_type_index__
    assert Odd(1).value == 1


# ---- unbound methods, descriptors ----


def test_methods_refuse_objects_of_other_types(native):
    leaf, node = native.Leaf(1), native.Node(None)
    for use in (
        lambda: native.Leaf.add(node, 1),
        lambda: native.Leaf.add(3, 1),
        lambda: native.Leaf.add(),
        lambda: native.Leaf.add(None, 1),
        lambda: vars(native.Leaf)["value"].__get__(node, None),
        lambda: vars(native.Leaf)["value"].__set__(node, 1),
        lambda: vars(native.Leaf)["value"].__set__("text", 1),
        lambda: vars(native.Leaf)["value"].__delete__(node),
        lambda: selfsame_ffi.List.append(leaf, 1),
        lambda: selfsame_ffi.List.append(selfsame_ffi.Array([1]), 1),
        lambda: selfsame_ffi.Dict.__setitem__(selfsame_ffi.Map(), 1, 2),
        lambda: selfsame_ffi.Error.py_error(leaf),
        lambda: selfsame_ffi.Function.__call__(leaf),
        lambda: selfsame_ffi.CObject._move(3),
        lambda: selfsame_ffi.CObject.__chandle__("text"),
        lambda: selfsame_ffi.CObject.__setstate__(leaf, {}),
        lambda: selfsame_ffi._core.Field(),
        lambda: selfsame_ffi._core.Method(),
        lambda: selfsame_ffi._core.Method(leaf, "m", "sst.Leaf"),
        lambda: selfsame_ffi._core.Method(native.echo, 3, "sst.Leaf"),
        lambda: selfsame_ffi._core.ObjectRValueRef(),
        lambda: type(iter(selfsame_ffi.Array([1])))(),
    ):
        with pytest.raises(TypeError):
            use()
    assert leaf.value == 1 and node.x is None


def test_attributes_of_classes_cannot_be_changed(native):
    leaf = native.Leaf(1)
    for name in ("value", "__chandle__", "_move", "add", "__tvm_ffi_type_index__", "nothing"):
        with pytest.raises((AttributeError, TypeError)):
            delattr(leaf, name)
    for name in ("__chandle__", "add", "nothing", "__tvm_ffi_type_index__"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(leaf, name, 1)
    for cls in (selfsame_ffi.CObject, selfsame_ffi.Function, selfsame_ffi.Error):
        for use in (lambda: setattr(cls, "x", 1), lambda: delattr(cls, "_move")):  # noqa: B023
            with pytest.raises((AttributeError, TypeError)):
                use()
    assert leaf.value == 1


def test_every_use_of_an_uninitialised_object_is_refused(native):
    families = (
        native.Leaf,
        native.Rich,
        selfsame_ffi.Function,
        selfsame_ffi.Error,
        selfsame_ffi.Array,
        selfsame_ffi.List,
        selfsame_ffi.Map,
    )
    families += (
        selfsame_ffi.Dict,
        selfsame_ffi.Tensor,
        selfsame_ffi.Module,
        selfsame_ffi.OpaquePyObject,
        selfsame_ffi.Object,
    )
    for cls in families:
        raw = cls.__new__(cls)
        for name, use in uses(raw):
            try:
                use(raw)
            except (RuntimeError, TypeError, ValueError, AttributeError, KeyError, IndexError, BufferError) as error:
                assert "not initialised" in str(error) or not isinstance(error, RuntimeError), (cls, name)
        assert raw.__chandle__() == 0
        with pytest.raises(RuntimeError, match="not initialised"):
            native.echo(raw)


def test_core_functions_check_their_arguments(native):
    core, leaf = selfsame_ffi._core, native.Leaf(1)
    raw = native.Leaf.__new__(native.Leaf)
    index = native.Leaf.__tvm_ffi_type_index__
    field = vars(native.Leaf)["value"]
    for use in (
        lambda: core.native_type(3),
        lambda: core.native_type(raw),
        lambda: core.clone(3),
        lambda: core.clone(raw),
        lambda: core.blank(index, native.Node),
        lambda: core.blank(index, int),
        lambda: core.blank(-5, native.Leaf),
        lambda: core.blank(index, native.Leaf),  # it has no constructor without arguments
        lambda: core.rewrap(native.Node, leaf),
        lambda: core.rewrap(native.Leaf, raw),
        lambda: core.rewrap(native.Leaf, 3),
        lambda: core.restore_field(field, 3, 1),
        lambda: core.restore_field(field, native.Node(None), 1),
        lambda: core.restore_field(3, leaf, 1),
        lambda: core.restore_field(field, leaf, "text"),
        lambda: core.tensor_bytes(leaf),
        lambda: core.register_class(10**6, native.Leaf),
        lambda: core.register_class(index, int),
        lambda: core.class_of(10**9),
        lambda: core.set_error_tables(1, 2),
        lambda: core.function_from_callable(3),
    ):
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            use()
    shared = native.Node(leaf)
    with pytest.raises(ValueError, match="other owners"):
        core.rewrap(native.Leaf, leaf)
    count = native.owners(leaf)  # not in an assertion, which would have a second result of shared.x
    assert leaf.value == 1 and shared.x is leaf and count == 3
    assert core.can_make_blank(index) is False and core.can_make_blank(-1) is False
