"""Structural operations, access paths and JSON graphs."""

import json
from typing import Any

from package import access_path, dataclasses, ffi, serialization, structural

Array, Map = ffi.Array, ffi.Map
AccessPath, AccessStep = access_path.AccessPath, access_path.AccessStep


@dataclasses.py_class("cases.Variable", structural_eq="var")
class Variable(ffi.Object):
    name: str


@dataclasses.py_class("cases.Lambda", structural_eq="tree")
class Lambda(ffi.Object):
    params: list[Variable] = dataclasses.field(structural_eq="def")
    body: Any = None
    note: str = dataclasses.field(default="", structural_eq="ignore")


@dataclasses.py_class("cases.Leaf", structural_eq="tree")
class Leaf(ffi.Object):
    value: int


def identity(argument="x", **options):
    variable = Variable(argument)
    return Lambda([variable], variable, **options)


def walked(root, **options):
    seen = []

    def callback(value: Leaf):
        seen.append(value.value)

    structural.structural_walk(root, callback, **options)
    return seen


def doubled(leaf: Leaf):
    return Leaf(2 * leaf.value)


def stopping(leaf: Leaf):
    return structural.VisitInterrupt(leaf.value) if leaf.value == 2 else structural.WalkResult.ADVANCE


def mismatch(a, b, **options):
    found = structural.get_first_structural_mismatch(a, b, **options)
    return None if found is None else tuple(str(path) for path in found)


LEAVES = Array([Leaf(1), Array([Leaf(2), Leaf(3)]), Map({"k": Leaf(4)})])
PATH = AccessPath.root().attr("a").array_item(2).map_item("k")

CASES = {
    "equal arrays": lambda: structural.structural_equal(Array([1, "a"]), Array([1, "a"])),
    "equal lists and arrays": lambda: structural.structural_equal([1], Array([1])),
    "different types": lambda: structural.structural_equal(1, 1.0),
    "equal leaves": lambda: structural.structural_equal(Leaf(1), Leaf(1)),
    "different leaves": lambda: structural.structural_equal(Leaf(1), Leaf(2)),
    "bound variables": lambda: structural.structural_equal(identity("x"), identity("y")),
    "free variables": lambda: structural.structural_equal(Variable("x"), Variable("x")),
    "free variables mapped": lambda: structural.structural_equal(Variable("x"), Variable("y"), map_free_vars=True),
    "ignored field": lambda: structural.structural_equal(identity(note="a"), identity(note="b")),
    "hash equal": lambda: structural.structural_hash(identity("x")) == structural.structural_hash(identity("y")),
    "hash int": lambda: structural.structural_hash(5) == structural.structural_hash(5),
    "hash differs": lambda: structural.structural_hash([1]) == structural.structural_hash([2]),
    "key": lambda: {structural.StructuralKey(Leaf(1)): 2}[structural.StructuralKey(Leaf(1))],
    "key equal": lambda: structural.StructuralKey([1]) == structural.StructuralKey([1]),
    "mismatch none": lambda: mismatch([1], [1]),
    "mismatch item": lambda: mismatch([1, [2, 3]], [1, [2, 4]]),
    "mismatch length": lambda: mismatch([1], [1, 2]),
    "mismatch key": lambda: mismatch({"a": 1}, {"b": 1}),
    "mismatch field": lambda: mismatch(Leaf(1), Leaf(2)),
    "mismatch body": lambda: mismatch(Lambda([], [Leaf(1)]), Lambda([], [Leaf(2)])),
    "walk": lambda: walked(LEAVES),
    "walk before": lambda: walked(LEAVES, order="pre"),
    "walk wrong order": lambda: walked(LEAVES, order="sideways"),
    "walk interrupt": lambda: structural.structural_walk(LEAVES, stopping).value,
    "walk no callbacks": lambda: structural.structural_walk(LEAVES, []),
    "walk wrong callback": lambda: structural.structural_walk(LEAVES, 5),
    "map doubles": lambda: structural.structural_map(LEAVES, doubled),
    "map identity": lambda: structural.structural_map(LEAVES, lambda leaf: leaf).same_as(LEAVES),
    "map nothing": lambda: structural.structural_map(LEAVES).same_as(LEAVES),
    "map of an int": lambda: structural.structural_map(5),
    "map typed": lambda: structural.structural_map(LEAVES, [(Leaf, lambda leaf: Leaf(leaf.value + 1))]),
    "map keeps the unchanged": lambda: (lambda a: structural.structural_map(Array([a, Leaf(1)]), doubled)[0] is a)(
        Array([5])
    ),
    "mutate identity": lambda: structural.structural_mutate(LEAVES).same_as(LEAVES),
    "visit": lambda: structural.structural_visit(LEAVES),
    "path": lambda: str(PATH),
    "path repr": lambda: PATH,
    "path depth": lambda: PATH.depth,
    "path steps": lambda: [(step.kind.name, step.key) for step in PATH.to_steps()],
    "path equal": lambda: PATH == AccessPath.root().attr("a").array_item(2).map_item("k"),
    "path prefix": lambda: (AccessPath.root().is_prefix_of(PATH), PATH.is_prefix_of(AccessPath.root())),
    "path root": lambda: AccessPath.root(),
    "path parent": lambda: PATH.parent,
    "path made": lambda: AccessPath(),
    "path hash": lambda: hash(PATH) == hash(AccessPath.root().attr("a").array_item(2).map_item("k")),
    "step": lambda: AccessStep.__name__,
    "json of an int": lambda: json.loads(serialization.to_json_graph_str(5))["nodes"],
    "json of an array": lambda: json.loads(serialization.to_json_graph_str(Array([1, "a"])))["nodes"],
    "json of a leaf": lambda: json.loads(serialization.to_json_graph_str(Leaf(1)))["nodes"],
    "json back": lambda: serialization.from_json_graph_str(serialization.to_json_graph_str(LEAVES)),
    "json shared": lambda: (
        lambda a: (lambda b: b[0].same_as(b[1]))(
            serialization.from_json_graph_str(serialization.to_json_graph_str(Array([a, a])))
        )
    )(Array([1])),
    "json metadata": lambda: json.loads(serialization.to_json_graph_str(5, {"v": 1}))["metadata"],
    "json wrong": lambda: serialization.from_json_graph_str("{"),
    "json wrong shape": lambda: serialization.from_json_graph_str("{}"),
    "json of a function": lambda: serialization.to_json_graph_str(ffi.convert(lambda: 1)),
    "json wrong type": lambda: serialization.from_json_graph_str(5),
}
