"""Structural equality, hash, keys, mismatches, walks; access paths; JSON graphs; deep copy."""

# Requirements: A11, A12, A13

import tvm_ffi
from checks import case, check, equal, raises
from tvm_ffi import dataclasses as dc
from tvm_ffi import serialization
from tvm_ffi.access_path import AccessPath


@dc.py_class("conformance.py.Leaf", structural_eq="tree")
class Leaf(dc.Object):
    name: str
    weight: int = 0


@dc.py_class("conformance.py.Pair", structural_eq="tree")
class Pair(dc.Object):
    left: dc.Object
    right: dc.Object


def tree(weight: int) -> Pair:
    return Pair(Leaf("a", 1), Pair(Leaf("b", 2), Leaf("c", weight)))


@case
def equality() -> None:
    check(tvm_ffi.structural_equal(tree(3), tree(3)))
    check(not tvm_ffi.structural_equal(tree(3), tree(4)))
    check(tvm_ffi.structural_equal([1, {"a": 2}], [1, {"a": 2}]))
    check(not tvm_ffi.structural_equal([1, 2], [1, 2, 3]))
    check(not tvm_ffi.structural_equal(1, True))
    check(tvm_ffi.structural_equal("the same text", "the same text"))


@case
def hashes() -> None:
    equal(tvm_ffi.structural_hash(tree(3)), tvm_ffi.structural_hash(tree(3)))
    check(tvm_ffi.structural_hash(tree(3)) != tvm_ffi.structural_hash(tree(4)))
    equal(tvm_ffi.structural_hash([1, "a"]), tvm_ffi.structural_hash([1, "a"]))


@case
def keys() -> None:
    table = {tvm_ffi.StructuralKey(tree(3)): "three", tvm_ffi.StructuralKey(tree(4)): "four"}
    equal(table[tvm_ffi.StructuralKey(tree(3))], "three")
    equal(len(table), 2)
    m = tvm_ffi.Map({tvm_ffi.StructuralKey(tree(1)): 1})
    equal(m[tvm_ffi.StructuralKey(tree(1))], 1)


@case
def first_mismatch() -> None:
    check(tvm_ffi.get_first_structural_mismatch(tree(3), tree(3)) is None)
    left, right = tvm_ffi.get_first_structural_mismatch(tree(3), tree(4))
    want = AccessPath.root().attr("right").attr("right").attr("weight")
    equal(left, want)
    equal(right, want)
    left, right = tvm_ffi.get_first_structural_mismatch([1, 2], [1, 3])
    equal(left, AccessPath.root().array_item(1))
    left, right = tvm_ffi.get_first_structural_mismatch({"a": 1}, {"a": 2})
    equal(left, AccessPath.root().map_item("a"))


@case
def access_paths() -> None:
    path = AccessPath.root().attr("x").array_item(2).map_item("k")
    equal([step.kind.name if hasattr(step.kind, "name") else int(step.kind) for step in path.to_steps()].__len__(), 3)
    check(AccessPath.root().attr("x").is_prefix_of(path))
    check(not path.is_prefix_of(AccessPath.root()))
    equal(repr(path), '<root>.x[2]["k"]')


@case
def walking() -> None:
    names = []

    def see(leaf: Leaf) -> None:
        names.append(leaf.name)

    tvm_ffi.structural_walk(tree(3), [(Leaf, see)])
    equal(names, ["a", "b", "c"])


@case
def graphs() -> None:
    for value in [1, "text", [1, [2, "three"]], {"a": [1.5, None, True]}, tree(5)]:
        text = serialization.to_json_graph_str(value)
        check(tvm_ffi.structural_equal(serialization.from_json_graph_str(text), tvm_ffi.convert(value)))


@case
def graphs_keep_sharing() -> None:
    leaf = Leaf("shared", 1)
    back = serialization.from_json_graph_str(serialization.to_json_graph_str(Pair(leaf, leaf)))
    check(back.left.same_as(back.right))
    raises(Exception, "", lambda: serialization.from_json_graph_str('{"nodes": 3}'))
    raises(Exception, "", lambda: serialization.from_json_graph_str("not json"))


@case
def json() -> None:
    parse, write = tvm_ffi.get_global_func("ffi.json.Parse"), tvm_ffi.get_global_func("ffi.json.Stringify")
    value = parse('{"a": [1, 2.5, "x\\u00e9", null, true], "b": {}}')
    equal(list(value["a"]), [1, 2.5, "x\u00e9", None, True])
    equal(write(value, None), '{"a":[1,2.5,"x\u00e9",null,true],"b":{}}')
    equal(write(parse("[1,2]"), 2), "[\n  1,\n  2\n]")
    raises(ValueError, "", lambda: parse("[1,"))


@case
def repr_and_order() -> None:
    less, same_ = tvm_ffi.get_global_func("ffi.RecursiveLt"), tvm_ffi.get_global_func("ffi.RecursiveEq")
    check(less([1, 2], [1, 3]))
    check(not less([1, 2], [1, 2]))
    check(same_({"a": [1]}, {"a": [1]}))
    equal(tvm_ffi.get_global_func("ffi.ReprPrint")(tree(1)).count("conformance.py.Leaf"), 3)
