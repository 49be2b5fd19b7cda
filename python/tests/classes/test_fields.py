"""Fields and methods: every kind of storage, conversion on assignment, refusals."""

# Requirement: A5

import inspect

import pytest
import selfsame_ffi


# Functions, not fixtures: pytest would keep a fixture's object alive until after the check of `balanced`.
def make_node(native):
    return native.Node(native.Leaf(1))


def make_plain(native):
    return native.Plain()


@pytest.mark.parametrize("make", [make_node, make_plain])
def test_plain_fields_hold_values(native, make):
    obj = make(native)
    obj.i = -(2**63)
    assert obj.i == -(2**63)
    obj.f = 2.5
    assert obj.f == 2.5
    obj.f = 3
    assert obj.f == 3.0 and type(obj.f) is float
    obj.b = True
    assert obj.b is True
    obj.b = False
    assert obj.b is False


def test_string_field_holds_any_text(native):
    node = make_node(native)
    for text in ("", "short", "a text longer than seven", "é\0x"):
        node.s = text
        assert node.s == text


def test_object_field_holds_an_object_or_none(native):
    node = make_node(native)
    plain = make_plain(native)
    leaf = native.Leaf(5)
    for obj in (node, plain):
        obj.x = leaf
        assert obj.x is leaf
        obj.x = None
        assert obj.x is None
    assert native.owners(leaf) == 1


def test_any_field_holds_every_kind(native):
    node = make_node(native)
    plain = make_plain(native)
    for obj in (node, plain):
        for value in (None, 1, 2.5, "t", "a longer text", b"bytes that are long", True):
            obj.any = value
            assert obj.any == value
        leaf = native.Leaf(5)
        obj.any = leaf
        assert obj.any is leaf
        obj.any = [leaf, 1]
        assert obj.any[0] is leaf
        obj.any = None
        assert native.owners(leaf) == 1


def test_array_field_holds_an_array(native):
    node = make_node(native)
    node.items = [1, "two"]
    assert node.items == [1, "two"]
    assert isinstance(node.items, selfsame_ffi.Array)
    with pytest.raises(TypeError):
        node.items = 3
    assert node.items == [1, "two"]


def test_read_only_field_cannot_be_set(native):
    node = make_node(native)
    with pytest.raises(AttributeError, match=r"^sst\.Node\.fixed_int: .*read-only"):
        node.fixed_int = 3
    assert node.fixed_int == 7


def test_field_cannot_be_deleted(native):
    node = make_node(native)
    with pytest.raises(AttributeError, match=r"^sst\.Node\.i: .*cannot be deleted"):
        del node.i


def test_wrong_types_are_refused(native):
    node = make_node(native)
    plain = make_plain(native)
    with pytest.raises(TypeError, match="sst.Node.i"):
        node.i = "text"
    with pytest.raises(TypeError, match="sst.Node.i"):
        node.i = 2**63
    with pytest.raises(TypeError, match="sst.Plain.x"):
        plain.x = 3
    with pytest.raises(TypeError, match="sst.Plain.f"):
        plain.f = "text"
    assert (node.i, plain.x, plain.f) == (0, None, 0.0)


def test_unknown_attribute_is_refused(native):
    node = make_node(native)
    with pytest.raises(AttributeError):
        node.nothing  # noqa: B018
    with pytest.raises(AttributeError):
        node.nothing = 1


def test_object_of_another_class_is_refused(native):
    field = vars(native.Node)["i"]
    with pytest.raises(TypeError, match=r"^sst\.Node\.i: expected a 'sst\.Node' object, got Leaf$"):
        field.__get__(native.Leaf(1), None)
    with pytest.raises(TypeError, match=r"^sst\.Node\.i: expected a 'sst\.Node' object, got int$"):
        field.__get__(3, None)
    with pytest.raises(TypeError):
        field.__set__(native.Leaf(1), 3)


def test_object_whose_class_was_changed_is_refused(native):
    class Wrong(native.Node):
        __slots__ = ()

    class Right(native.Leaf):
        __slots__ = ()

    right = Right(1)
    set_class = vars(object)["__class__"].__set__  # the wrapper refuses a class of another native type
    set_class(right, Wrong)
    with pytest.raises(TypeError, match=r"^sst\.Node\.x: expected a 'sst\.Node' object, got Wrong$"):
        right.x  # noqa: B018
    set_class(right, Right)
    assert right.value == 1


def test_use_before_init_is_refused(native):
    raw = native.Node.__new__(native.Node)
    for name in ("i", "x", "s"):
        with pytest.raises(RuntimeError, match="not initialised"):
            getattr(raw, name)
    with pytest.raises(RuntimeError, match="not initialised"):
        raw.i = 3


def test_fields_and_methods_are_inherited(native):
    leaf = native.SubLeaf(3, "l")
    assert leaf.value == 3
    leaf.value = 4
    assert leaf.value == 4
    assert leaf.add(2) == 6


def test_field_describes_itself(native):
    field = native.Leaf.value
    assert (field.name, field.doc, field.type_key, field.frozen) == ("value", "the leaf's value", "sst.Leaf", False)
    assert "type_schema" in field.metadata
    assert native.Node.fixed.frozen
    assert repr(field) == "<field 'value' of 'sst.Leaf'>"
    with pytest.raises(AttributeError):
        field.default  # noqa: B018


def test_methods_check_object_and_arguments(native):
    leaf = native.Leaf(3)
    assert leaf.add(4) == 7
    assert native.Leaf.add(leaf, 4) == 7
    assert native.Leaf.twice(4) == 8
    assert leaf.twice(4) == 8
    assert native.Leaf.add.__doc__ == "Value plus n."
    bound = leaf.add
    assert bound(1) == 4
    with pytest.raises(TypeError):
        native.Leaf.add(3)
    with pytest.raises(TypeError):
        native.Leaf.add()
    with pytest.raises(TypeError):
        leaf.add("text")
    with pytest.raises(TypeError):
        leaf.add(1, 2)
    with pytest.raises(TypeError, match="keyword"):
        leaf.add(n=1)
    with pytest.raises(TypeError):
        native.Leaf.add(native.Node(None), 3)


def test_method_with_names_takes_keywords(native):
    add = native.Leaf.add
    named = selfsame_ffi._core.Method(add.function, "add", "sst.Leaf", None, "", ("n",))
    leaf = native.Leaf(1)
    assert named(leaf, n=2) == 3
    assert named(leaf, 2) == 3
    for args, kwargs in (((), {}), ((1,), {"n": 2}), ((), {"m": 2}), ((1, 2), {"n": 3})):
        with pytest.raises(TypeError):
            named(leaf, *args, **kwargs)
    assert str(inspect.signature(named)) == "(self, /, n)"
    assert str(inspect.signature(native.Leaf.add)) == "(self, /, *args)"
    assert str(inspect.signature(native.Leaf.twice)) == "(*args)"
    del named


def test_repr_shows_the_fields(native):
    assert repr(native.Leaf(3)) == "sst.Leaf(value=3)"
    node = native.Node(None)
    node.any = node
    assert "any=..." in repr(node)
    node.any = None
    assert repr(native.Leaf.__new__(native.Leaf)) == "<Leaf object, not initialised>"


def test_refusal_names_the_field_once(native):
    node, leaf = native.Node(None), native.Leaf(1)
    for owner, name, value in ((node, "i", "text"), (node, "i", 2**70), (leaf, "value", "text"), (node, "x", 3)):
        with pytest.raises((TypeError, OverflowError)) as caught:
            setattr(owner, name, value)
        assert str(caught.value).count(f"sst.{type(owner).__name__}.{name}") == 1
