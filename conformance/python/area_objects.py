"""Classes from C++ and from Python, fields, pickling, copying."""

# Requirements: A5, A13

import copy
import pickle

import tvm_ffi
import tvm_ffi.testing
from checks import case, check, equal, raises, same
from tvm_ffi import dataclasses as dc


@dc.py_class("conformance.py.Point")
class Point(dc.Object):
    x: int
    y: float = 2.5
    name: str = "point"
    tags: list[int] = dc.field(default_factory=list)


@dc.py_class("conformance.py.Point3")
class Point3(Point):
    z: int = dc.field(default=-1, kw_only=True)


@dc.py_class("conformance.py.Frozen", frozen=True, eq=True, unsafe_hash=True, order=True)
class Frozen(dc.Object):
    a: int
    b: str


@dc.py_class("conformance.py.Node")
class Node(dc.Object):
    value: int
    next: "Node | None" = None


@case
def fields() -> None:
    p = Point(1)
    equal((p.x, p.y, p.name, list(p.tags)), (1, 2.5, "point", []))
    p.x = 7
    p.name = "renamed to something longer"
    equal((p.x, p.name), (7, "renamed to something longer"))
    raises(TypeError, "", lambda: setattr(p, "x", "no int"))
    equal(p.x, 7)
    check(Point(1).tags is not Point(1).tags)


@case
def constructors() -> None:
    p = Point(1, y=0.5, name="named")
    equal((p.x, p.y, p.name), (1, 0.5, "named"))
    raises(TypeError, "missing required argument: 'x'", lambda: Point())
    raises(TypeError, "unexpected keyword argument 'q'", lambda: Point(1, q=2))
    raises(TypeError, "", lambda: Point("text"))
    equal(Point3(1, z=3).z, 3)
    equal(Point3(1).z, -1)
    raises(TypeError, "", lambda: Point3(1, 2.0, "n", [], 5))


@case
def inheritance() -> None:
    p = Point3(4)
    check(isinstance(p, Point))
    echo = tvm_ffi.get_global_func("testing.echo")
    back = echo(p)
    check(type(back) is Point3)
    same(back, p)


@case
def linked_objects() -> None:
    n = Node(1, Node(2, Node(3)))
    equal(n.next.next.value, 3)
    n.next = None
    check(n.next is None)
    holder = tvm_ffi.Array([n])
    same(holder[0], n)


@case
def frozen_and_ordered() -> None:
    a, b = Frozen(1, "a"), Frozen(1, "b")
    check(a == Frozen(1, "a"))
    check(a != b and a < b and b >= a)
    equal(hash(a), hash(Frozen(1, "a")))
    raises(AttributeError, "", lambda: setattr(a, "a", 2))


@case
def dataclass_helpers() -> None:
    equal([f.name for f in dc.fields(Point)], ["x", "y", "name", "tags"])
    p = dc.replace(Point(1), x=9)
    equal((p.x, p.y), (9, 2.5))
    equal(dc.asdict(Frozen(3, "c")), {"a": 3, "b": "c"})
    equal(dc.astuple(Frozen(3, "c")), (3, "c"))


@case
def repr_() -> None:
    equal(repr(Frozen(1, "x")), 'conformance.py.Frozen(a=1, b="x")')


@case
def copies() -> None:
    p = Point(1, tags=[1, 2])
    shallow = copy.copy(p)
    check(not shallow.same_as(p))
    same(shallow.tags, p.tags)
    deep = copy.deepcopy(p)
    equal(list(deep.tags), [1, 2])
    deep.tags.append(3)
    equal(list(p.tags), [1, 2])


@case
def cpp_classes() -> None:
    obj = tvm_ffi.testing.create_object("testing.TestObjectBase", v_i64=12, v_str="hello")
    equal(obj.v_i64, 12)
    equal(obj.add_i64(3), 15)
    derived = tvm_ffi.testing.create_object(
        "testing.TestObjectDerived", v_map=tvm_ffi.convert({"a": 1}), v_array=tvm_ffi.convert([1, 2])
    )
    equal(list(derived.v_array), [1, 2])
    equal(derived.v_i64, 10)
    raises(TypeError, "", lambda: setattr(obj, "v_i64", "text"))
    raises(TypeError, "", lambda: setattr(derived, "v_map", 1))


@case
def pickling_of_values() -> None:
    for value in [tvm_ffi.Array([1, "a", None]), tvm_ffi.Map({"k": [1, 2]})]:
        back = pickle.loads(pickle.dumps(value))
        check(tvm_ffi.structural_equal(value, back))


@case
def pickling_of_objects() -> None:
    obj = tvm_ffi.testing.create_object("testing.TestObjectBase", v_i64=3, v_str="kept")
    back = pickle.loads(pickle.dumps(obj))
    equal((back.v_i64, back.v_str), (3, "kept"))
    p = pickle.loads(pickle.dumps(Point(5, name="pickled")))
    equal((p.x, p.name), (5, "pickled"))


@case
def methods_of_python_classes() -> None:
    @dc.py_class("conformance.py.Counter")
    class Counter(dc.Object):
        n: int

        @tvm_ffi.method
        def twice(self) -> int:
            return 2 * self.n

    equal(Counter(4).twice(), 8)


@case
def moves() -> None:
    array = tvm_ffi.Array([1])
    take = tvm_ffi.convert(lambda x: len(x))
    equal(take(array._move()), 1)
    equal(array.__chandle__(), 0)


@case
def type_info() -> None:
    info = Point3.__tvm_ffi_type_info__
    equal(info.type_key, "conformance.py.Point3")
    equal([f.name for f in info.fields], ["z"])
    check("conformance.py.Point" in list(tvm_ffi.registry.get_registered_type_keys()))
