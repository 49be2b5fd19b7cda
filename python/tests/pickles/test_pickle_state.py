"""The Python state of pickled and copied objects; shallow copies."""

# Requirement: C11

import copy

import pytest
import selfsame_ffi
from round_trips import pickled

# ---- Python state ----


def test_state_is_copied(native, again, classes):
    tagged = classes.Tagged()
    tagged.a, tagged.tag, tagged.note, tagged.itself = 1, ["tag"], {"k": tagged}, tagged
    tagged.extra = tagged.tag
    tagged.set_hidden("deep")
    made = again(tagged)
    assert type(made) is classes.Tagged and made.a == 1
    assert made.tag == ["tag"] and made.extra is made.tag and made.tag is not tagged.tag
    assert made.note["k"] is made and made.itself is made and made.hidden() == "deep"
    for one in (tagged, made):
        del one.note, one.itself


def test_state_of_an_object_inside_natives_is_copied(native, again, classes):
    tagged = classes.Tagged()
    tagged.note = "kept"
    outer = native.Plain()
    outer.x = tagged
    made = again(outer)
    assert type(made.x) is classes.Tagged and made.x.note == "kept"


def test_lean_subclass_is_copied(native, again, classes):
    lean = classes.Lean()
    lean.i = 3
    made = again(lean)
    assert type(made) is classes.Lean and made.i == 3


def test_getstate_of_the_class_is_used(native, again, classes):
    opened = classes.OwnState()
    opened.kept, opened.dropped = [1], 2
    made = again(opened)
    assert made.kept == [1] and made.restored and not hasattr(made, "dropped")


def test_reduce_of_the_class_is_used(native, again, classes):
    own = classes.OwnReduce(5)
    own.note = "x"
    one, two = again([own, own])
    assert one is two and type(one) is classes.OwnReduce and one.value == 5 and one.note == "x"


def test_array_with_state_is_copied(native, again, classes):
    row = classes.Row([1, 2])
    row.note = [row]
    made = again(row)
    assert type(made) is classes.Row and list(made) == [1, 2] and made.note[0] is made
    shallow = copy.copy(row)
    assert type(shallow) is classes.Row and shallow is not row and shallow.note is row.note
    del row.note, made.note, shallow.note


def test_json_hooks_of_a_class_are_used(native):
    value = native.AsJson(21)
    assert pickled(value).value == 21
    assert copy.copy(value).value == 21


# ---- shallow copies ----


def test_shallow_copy_shares_the_children(native):
    child = native.Plain()
    plain = native.Plain()
    plain.x, plain.i = child, 3
    made = copy.copy(plain)
    assert type(made) is native.Plain and made is not plain
    assert made.x is child and made.i == 3
    made.i = 4
    assert plain.i == 3


def test_copy_needs_no_constructor(native):
    leaf, other = native.Leaf(1), native.Leaf(2)
    assert copy.copy(leaf).value == 1 and copy.copy(leaf) is not leaf
    node = native.Node(leaf)
    node.any, node.items = leaf, [leaf, other]
    made = copy.deepcopy(node)
    assert made.x is made.fixed is made.any is made.items[0] and made.x is not leaf
    assert made.x.value == 1 and made.items[1].value == 2 and made.items[1] is not other


def test_shallow_copy_shares_the_state(native, classes):
    tagged = classes.Tagged()
    tagged.a, tagged.note, tagged.tag = 1, [], ["t"]
    made = copy.copy(tagged)
    assert type(made) is classes.Tagged and made.a == 1
    assert made.note is tagged.note and made.tag is tagged.tag


def test_shallow_copy_of_an_array_is_the_array(native):
    array = selfsame_ffi.Array([1, [2]])
    assert copy.copy(array) is array
    assert copy.deepcopy(array) is not array


def test_deepcopy_uses_the_memo(native):
    plain, array = native.Plain(), selfsame_ffi.Array([1])
    memo = {}
    first = copy.deepcopy(plain, memo)
    assert copy.deepcopy(plain, memo) is first
    assert copy.deepcopy([plain], memo)[0] is first
    given = native.Plain()
    plain.x, plain.any = given, array
    memo = {id(given): given}  # "do not copy this one"
    assert copy.deepcopy(plain, memo).x is given


def test_replace_changes_a_copy(native):
    frozen = native.frozen(1, None)
    made = frozen.__replace__(value=2)
    assert (made.value, frozen.value) == (2, 1) and type(made) is native.Frozen
    with pytest.raises(TypeError, match="nothing"):
        frozen.__replace__(nothing=1)
    if hasattr(copy, "replace"):
        assert copy.replace(frozen, value=3).value == 3
