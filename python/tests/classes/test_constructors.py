"""A constructor or __new__ that misbehaves is refused with an exception, and nothing changes."""

# Requirement: C15

import abc

import pytest
import selfsame_ffi


def test_abstract_class_is_not_instantiated(native):
    for base, args in ((native.Leaf, (1,)), (selfsame_ffi.List, ([1],)), (selfsame_ffi.Dict, ()), (native.Plain, ())):

        class Abstract(base, metaclass=abc.ABCMeta if type(base) is type else type(base)):
            if type(base) is type:
                __slots__ = ()

            @abc.abstractmethod
            def first(self): ...

            @abc.abstractmethod
            def second(self): ...

        class Concrete(Abstract):
            __slots__ = ()

            def first(self):
                return 1

            second = first

        for use in (lambda cls=Abstract, args=args: cls(*args), lambda cls=Abstract: cls.__new__(cls)):
            with pytest.raises(TypeError, match=r"abstract class Abstract .*\bfirst\b.*second"):
                use()
        made = Concrete(*args)
        assert made.first() == 1 and type(made) is Concrete
        made = None


def test_abstract_methods_need_no_metaclass(native):
    class Abstract(native.Leaf):
        __slots__ = ()
        plain = 1

        @abc.abstractmethod
        def first(self): ...

        @property
        @abc.abstractmethod
        def second(self): ...

    class Half(Abstract):
        __slots__ = ()

        def first(self):
            return 1

    class Concrete(Half):
        __slots__ = ()
        second = 2

    assert type(Abstract) is type
    assert Abstract.__abstractmethods__ == {"first", "second"} and Half.__abstractmethods__ == {"second"}
    for cls in (Abstract, Half):
        with pytest.raises(TypeError, match=f"abstract class {cls.__name__} .*second"):
            cls(1)
    made = Concrete(1)
    assert (made.first(), made.second) == (1, 2)
    with pytest.raises(AttributeError):
        Concrete.__abstractmethods__  # noqa: B018


def test_an_attribute_whose_mark_raises_ends_the_class(native):
    class Value:
        @property
        def __isabstractmethod__(self):
            raise ZeroDivisionError("mark")

    with pytest.raises(ZeroDivisionError, match="mark"):

        class Bad(native.Leaf):
            __slots__ = ()
            value = Value()


def test_abstract_class_wraps_the_objects_that_exist(native):
    class Late(native.Leaf):
        __slots__ = ()

    native.keep(Late(3))
    Late.__abstractmethods__ = frozenset({"first"})
    with pytest.raises(TypeError, match="first"):
        Late(4)
    assert type(native.kept(0)) is Late
    native.release()


def test_init_of_a_live_object_changes_no_count(native):
    leaf = native.Leaf(1)
    owner = native.Node(leaf)
    for use in (
        lambda: leaf.__init__(2),
        lambda: native.Leaf.__init__(leaf, 2),
        lambda: selfsame_ffi.Object.__init__(leaf),
        lambda: native.echo.__init__(),
    ):
        with pytest.raises(TypeError):
            use()
        assert native.owners(leaf) == 3
    assert leaf.value == 1 and owner.x is leaf


def test_containers_are_initialised_once(native):
    child = native.Leaf(1)
    for made, second in (
        (selfsame_ffi.Array([child]), [2]),
        (selfsame_ffi.List([child]), [2]),
        (selfsame_ffi.Map({1: child}), {2: 3}),
        (selfsame_ffi.Dict({1: child}), {2: 3}),
        (selfsame_ffi.Error("K", "m"), None),
    ):
        before = selfsame_ffi.debug.live_objects()
        with pytest.raises(TypeError, match="already"):
            made.__init__(*(("L", "n") if second is None else (second,)))
        assert selfsame_ffi.debug.live_objects() == before
    made = None
    assert native.owners(child) == 1


def test_init_inside_init_is_refused(native):
    class Again(native.Plain):
        __slots__ = ()

        def __init__(self):
            super().__init__()
            with pytest.raises(TypeError, match="already"):
                super().__init__()
            with pytest.raises(TypeError, match="already"):
                self.__init__()

    made = Again()
    assert native.owners(made) == 1 and native.echo(made) is made


def test_init_is_refused_when_its_arguments_made_the_object(native):
    class Value:
        def __tvm_ffi_object__(self):
            raw.__init__(native.Leaf(7))
            return native.Leaf(8)

    raw = native.Node.__new__(native.Node)
    before = native.live()
    with pytest.raises(TypeError, match="already"):
        raw.__init__(Value())  # the conversion of its argument initialises the object
    assert raw.x.value == 7 and native.owners(raw) == 1
    assert native.live() == before + 2


def test_init_may_be_tried_again_after_it_raised(native):
    class Stubborn(native.Leaf):
        tries = 0

        def __init__(self, value):
            type(self).tries += 1
            if self.tries < 3:
                raise KeyError(value)
            super().__init__(value)

    made = Stubborn.__new__(Stubborn)
    for _ in range(2):
        with pytest.raises(KeyError):
            made.__init__(5)
        with pytest.raises(RuntimeError, match="not initialised"):
            made.value  # noqa: B018
    made.__init__(5)
    assert made.value == 5


def test_new_that_returns_a_live_object_is_refused(native):
    class Single(native.Leaf):
        __slots__ = ()
        one = None

        def __new__(cls, value):
            cls.one = cls.one or super().__new__(cls)
            return cls.one

    first = Single(1)
    with pytest.raises(TypeError, match="already"):
        Single(2)
    assert first.value == 1 and native.owners(first) == 1
    Single.one = None


def test_new_of_other_classes_is_refused(native):
    for use in (
        lambda: object.__new__(native.Leaf),
        lambda: selfsame_ffi.Object.__new__(int),
        lambda: native.Leaf.__new__(3),
        lambda: native.Leaf.__new__(),
        lambda: int.__new__(native.Leaf, 3),
    ):
        with pytest.raises(TypeError):
            use()


def test_constructor_result_with_a_wrapper_is_refused(native):
    leaf = native.Leaf(1)
    function = selfsame_ffi.convert(lambda: leaf)
    init = selfsame_ffi._core.Constructor(
        function, "__init__", "sst.Leaf", None, "", None, native.Leaf.__tvm_ffi_type_index__
    )
    raw = native.Leaf.__new__(native.Leaf)
    with pytest.raises(TypeError, match="another Python wrapper"):
        init(raw)
    assert native.owners(leaf) == 1 and native.echo(leaf) is leaf and raw.__chandle__() == 0
    wrong = selfsame_ffi._core.Constructor(
        selfsame_ffi.convert(lambda: native.Node(None)),
        "__init__",
        "sst.Leaf",
        None,
        "",
        None,
        native.Leaf.__tvm_ffi_type_index__,
    )
    for returned, match in (
        (wrong, r"^sst\.Leaf\.__init__: expected a 'sst\.Leaf' object"),
        (init, "another Python wrapper"),
    ):
        with pytest.raises(TypeError, match=match):
            returned(raw)
    function = init = wrong = returned = None


def test_handle_given_by_hand_is_checked(native):
    class Made(native.Leaf):
        __slots__ = ("__dict__",)

        def __init__(self, value):
            self.__init_handle_by_constructor__(native.leaf, value)

    made = Made(5)
    assert made.value == 5 and native.echo(made) is made
    assert native.owners(made) == 1
    taken = Made.__new__(Made)
    for use, match in (
        (lambda: made.__init_handle_by_constructor__(native.leaf, 6), "initialised already"),
        (lambda: made.__init__(6), "initialised already"),
        (lambda: made.__move_handle_from__(native.Leaf(6)), "initialised already"),
        (lambda: made.__move_handle_from__(made), "initialised already"),
        (lambda: taken.__init_handle_by_constructor__(), "expected a Function"),
        (lambda: taken.__init_handle_by_constructor__(made, 1), "expected a Function"),
        (lambda: taken.__init_handle_by_constructor__(native.add_one, 1), "expected an object"),
        (lambda: taken.__init_handle_by_constructor__(native.echo, None), "expected an object"),
        (
            lambda: taken.__init_handle_by_constructor__(native.echo, "a text on the heap"),
            "cannot have a native object",
        ),
        (
            lambda: taken.__init_handle_by_constructor__(native.rich, 1),
            "cannot have a native object of type 'sst.Rich'",
        ),
        (lambda: taken.__init_handle_by_constructor__(native.leaf, "text"), "sst.leaf|int"),
        (lambda: taken.__init_handle_by_constructor__(native.echo, made), "another Python wrapper"),
        (lambda: taken.__move_handle_from__(3), "argument 'other': expected a CObject"),
        (lambda: taken.__move_handle_from__(native.rich(1)), "cannot have a native object of type 'sst.Rich'"),
        (lambda: native.Rich.__new__(native.Rich).__move_handle_from__(native.leaf(1)), "cannot have"),
    ):
        with pytest.raises(TypeError, match=match):
            use()
    assert made.value == 5 and native.owners(made) == 1 and taken.__chandle__() == 0
    owner = native.Node(native.Leaf(7))
    with pytest.raises(RuntimeError, match="other owners"):
        taken.__move_handle_from__(owner.x)
    with pytest.raises(RuntimeError, match="not initialised"):
        taken.__move_handle_from__(native.Leaf.__new__(native.Leaf))
    given = native.Leaf(8)
    taken.__move_handle_from__(given)
    assert taken.value == 8 and native.echo(taken) is taken
    assert native.owners(taken) == 1
    with pytest.raises(RuntimeError, match="moved away"):
        given.value  # noqa: B018
    with pytest.raises(RuntimeError, match="moved away"):
        native.Leaf.__new__(native.Leaf).__move_handle_from__(given)


def test_constructor_that_returns_a_kept_object_gives_its_wrapper(native):
    # Requirement: C1
    kept = {}
    ran = []
    item = selfsame_ffi.get_global_func("ffi.ArrayGetItem")

    class Interned(native.Leaf):
        __slots__ = ("__dict__",)

        def __init__(self, value):
            if value not in kept:
                kept[value] = selfsame_ffi.Array([native.leaf(value)])
            self.__init_handle_by_constructor__(item, kept[value], 0)
            ran.append(value)

    first = Interned(1)
    first.note = "kept"
    again = Interned(1)
    assert again is first and again.note == "kept" and again.value == 1
    assert Interned(value=1) is first and Interned(*[1]) is first and ran == [1]
    assert Interned(2) is not first and ran == [1, 2]

    class Derived(Interned):
        __slots__ = ()

    with pytest.raises(TypeError, match="another Python wrapper") as caught:
        Derived(1)
    assert caught.value.wrapper is first and type(caught.value.made_for) is Derived
    assert caught.value.made_for.__chandle__() == 0
    caught = None
    assert native.owners(first) == 2  # the array's and the wrapper's
    fresh = Derived(3)
    assert Derived(3) is fresh

    class Counted(type):
        def __call__(cls, *args):
            return super().__call__(*args)

    class Called(native.Leaf, metaclass=Counted):
        __slots__ = ()

        def __init__(self):
            self.__init_handle_by_constructor__(item, kept[1], 0)

    with pytest.raises(TypeError, match="another Python wrapper"):
        Called()


def test_another_object_of_the_class_is_not_returned_for_a_failed_constructor(native):
    class Nested(native.Leaf):
        __slots__ = ()

        def __init__(self, other):
            raise selfsame_ffi._core.WrappedAlready("not this one")

    with pytest.raises(TypeError, match="not this one"):
        Nested(native.leaf(1))


def test_init_subclass_passes_keywords_on(native):
    class Noted(native.Leaf):
        __slots__ = ()

        def __init_subclass__(cls, note=None, **kwargs):
            super().__init_subclass__(**kwargs)
            cls.note = note

    class Derived(Noted, note=3):
        __slots__ = ()

    assert Derived.note == 3
    with pytest.raises(TypeError):

        class Wrong(native.Leaf, note=3):
            __slots__ = ()
