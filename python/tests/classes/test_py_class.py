"""Objects of a class declared in Python: construction, fields, copies, cycles, and native code that sets fields."""

import copy
import gc
import pickle
from typing import Optional

import pytest
import selfsame_ffi
from selfsame_ffi import Object
from selfsame_ffi.dataclasses import asdict, astuple, field, py_class


@py_class("test_py_class.Node")
class Node(Object):
    name: str
    next: Optional["Node"] = None
    items: list[int] = field(default_factory=list)
    weight: float = 1.0


def test_construction_converts():
    inner = Node("inner", weight=2)
    node = Node("outer", next=inner, items=(1, True))
    assert node.next is inner and list(node.items) == [1, 1] and node.weight == 1.0
    assert type(inner.weight) is float
    assert Node.__tvm_ffi_type_info__.type_key == "test_py_class.Node"


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Node(), "missing required argument: 'name'"),
        (lambda: Node(1), "field 'name':\n  expected str, got int"),
        (lambda: Node("a", items=[1, "x"]), r"field 'items':\n  element \[1\]: expected int, got str"),
        (lambda: Node("a", other=1), "unexpected keyword argument 'other'"),
        (lambda: Node("a", name="b"), "multiple values for argument 'name'"),
        (lambda: Node("a", None, [], 1.0, 5), r"takes at most 4 positional argument\(s\), but 5 were given"),
    ],
)
def test_wrong_arguments(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_setting_a_field():
    node = Node("a")
    node.weight = 3
    assert type(node.weight) is float and node.weight == 3.0
    node.next = node.next
    with pytest.raises(TypeError, match="weight: expected float, got str"):
        node.weight = "heavy"
    with pytest.raises(TypeError, match="expected test_py_class.Node, got list"):
        node.next = [1]
    assert node.weight == 3.0


def test_copies_and_pickles():
    node = Node("a", items=[1, 2])
    assert copy.copy(node).items is node.items
    assert list(copy.deepcopy(node).items) == [1, 2] and copy.deepcopy(node).items is not node.items
    again = pickle.loads(pickle.dumps(node))
    assert type(again) is Node and again.name == "a" and list(again.items) == [1, 2]
    assert asdict(node) == {"name": "a", "next": None, "items": [1, 2], "weight": 1.0}
    assert astuple(node) == ("a", None, [1, 2], 1.0)


def test_cycle_is_collected():  # Requirement: C11
    before = selfsame_ffi._core.live_objects().get("test_py_class.Node", 0)
    first = Node("a")
    first.next = Node("b", next=first)
    del first
    gc.collect()
    gc.collect()
    assert selfsame_ffi._core.live_objects().get("test_py_class.Node", 0) == before


def test_failed_construction_leaves_nothing():
    before = selfsame_ffi._core.live_objects().get("test_py_class.Node", 0)
    inner = Node("inner")
    for _ in range(10):
        with pytest.raises(TypeError):
            Node("a", inner, [1, None])
    assert selfsame_ffi._core.live_objects().get("test_py_class.Node", 0) == before + 1


def test_native_code_sets_a_typed_field():
    node = Node("a")
    make = selfsame_ffi.get_global_func("ffi.MakeObjectFromPackedArgs", allow_missing=True)
    assert make is not None
    made = make("test_py_class.Node", "name", "x", "next", node, "items", [1], "weight", 2)
    assert made.next is node and type(made.weight) is float and isinstance(made.items, selfsame_ffi.List)
    with pytest.raises(TypeError, match="expected str, got int"):
        make("test_py_class.Node", "name", 1, "next", None, "items", [], "weight", 2.0)


def test_a_class_with_the_name_of_the_expected_type_is_told_apart():
    namesake = type("str", (), {"__module__": "elsewhere"})
    with pytest.raises(TypeError, match=r"expected str, got elsewhere\.str"):
        Node(namesake())


def test_second_init_is_refused():  # Requirement: C15
    node = Node("a")
    for again in (lambda: node.__init__("b"), lambda: node.__init__(), lambda: selfsame_ffi.Object.__init__(node)):
        with pytest.raises(TypeError, match="already"):
            again()
    assert node.name == "a"
