"""Classes declared in Python: py_class, fields, options, enums."""

import copy
import pickle
from typing import Any, Callable, ClassVar, Optional, Union

from package import core, dataclasses, ffi

field, py_class = dataclasses.field, dataclasses.py_class
Object = ffi.Object


@py_class("cases.Point")
class Point(Object):
    x: int
    y: float = 1.5
    name: str = field(default="p", repr=False)


@py_class("cases.Derived", eq=True, order=True, unsafe_hash=True)
class Derived(Point):
    z: int = 0
    more: list[int] = field(default_factory=list, compare=False)


@py_class("cases.Frozen", frozen=True, eq=True)
class Frozen(Object):
    value: Any
    other: Optional[int] = None


@py_class("cases.Keywords", kw_only=True)
class Keywords(Object):
    a: int
    b: int = 2


@py_class("cases.Typed")
class Typed(Object):
    number: int = 0
    real: float = 0.0
    flag: bool = False
    text: str = ""
    raw: bytes = b""
    maybe: Optional[int] = None
    either: Union[int, str] = 0
    items: list[int] = field(default_factory=list)
    pair: tuple[int, str] = field(default_factory=lambda: (1, "a"))
    table: dict[str, int] = field(default_factory=dict)
    call: Optional[Callable] = None
    dtype: Optional[ffi.dtype] = None
    device: Optional[ffi.Device] = None
    point: Optional[Point] = None
    anything: Any = None


@py_class("cases.Tree")
class Tree(Object):
    value: int
    children: list["Tree"] = field(default_factory=list)
    shared: ClassVar[int] = 5


@py_class("cases.Post")
class Post(Object):
    a: int
    total: int = field(init=False, default=0)

    def __post_init__(self):
        self.total = self.a + 1


@py_class("cases.Own")
class Own(Object):
    a: int

    def __init__(self, text):
        self.__ffi_init__(len(text))

    def double(self):
        return 2 * self.a

    def __repr__(self):
        return f"Own<{self.a}>"


class Color(dataclasses.Enum, type_key="cases.Color"):
    red = dataclasses.entry()
    blue = dataclasses.entry()


class Size(dataclasses.IntEnum, type_key="cases.Size"):
    small = dataclasses.entry(value=1)
    large = dataclasses.entry(value=10)


class Mode(dataclasses.StrEnum, type_key="cases.Mode"):
    read = dataclasses.entry(value="r")


def setting(name, value):
    def run():
        made = Typed()
        setattr(made, name, value)
        found = getattr(made, name)
        return type(found).__name__, found

    return run


def described(cls):
    return [(f.name, f.init, f.repr, f.compare, f.kw_only) for f in dataclasses.fields(cls)]


def declare(**body):
    body.setdefault("__annotations__", {"a": "int"})
    return py_class(f"cases.Declared{len(body)}{sorted(body)}")(type("Declared", (Object,), body))


def schema_of(hint):
    return core.TypeSchema.from_annotation(hint)


def info(cls):
    found = cls.__tvm_ffi_type_info__
    return found.type_key, [f.name for f in found.fields], found.parent_type_info.type_key


SETTERS = {("number", value): value for value in (5, True, 2**63 - 1, 1.0, "5", None)} | {
    ("real", value): value for value in (1, 1.5, True, "1")
}
WRONG = [
    ("flag", 1), ("flag", 0), ("flag", "x"), ("flag", None), ("text", "long enough to be on the heap"), ("text", 5),
    ("text", b"x"), ("raw", b"abc"), ("raw", "abc"), ("maybe", None), ("maybe", 5), ("maybe", "x"), ("either", 1),
    ("either", "x"), ("either", 1.5), ("items", [1, 2]), ("items", (1, 2)), ("items", [1, "x"]), ("items", 5),
    ("items", None), ("pair", (1, "b")), ("pair", (1, 2)), ("pair", (1,)), ("table", {"a": 1}), ("table", {"a": "b"}),
    ("table", {1: 1}), ("table", []), ("call", 5), ("dtype", "int32"), ("dtype", 5), ("device", ffi.device("cpu")),
    ("device", "nowhere"), ("point", 5), ("point", None), ("anything", [1, {"a": (2,)}]), ("anything", 2.5),
]  # fmt: skip

CASES = {f"set {name} to {value!r}": setting(name, value) for name, value in [*SETTERS, *WRONG]}
CASES |= {
    "repr": lambda: Point(1),
    "repr derived": lambda: Derived(1, more=[1]),
    "repr nested": lambda: Frozen(Point(1), 2),
    "repr own": lambda: Own("abc"),
    "repr tree": lambda: Tree(1, [Tree(2)]),
    "repr typed": lambda: Typed(),
    "construct positional": lambda: (lambda p: (p.x, p.y, p.name))(Point(1, 2, "n")),
    "construct keywords": lambda: (lambda p: (p.x, p.y, p.name))(Point(name="n", x=1)),
    "construct nothing": lambda: Point(),
    "construct too many": lambda: Point(1, 2, "n", 4),
    "construct unknown": lambda: Point(1, z=2),
    "construct twice": lambda: Point(1, x=2),
    "construct wrong": lambda: Point("a"),
    "construct wrong nested": lambda: Tree(1, [5]),
    "keyword only by position": lambda: Keywords(1),
    "keyword only": lambda: Keywords(a=1).b,
    "post init": lambda: Post(4).total,
    "post init argument": lambda: Post(4, total=1),
    "own init": lambda: Own("abcd").double(),
    "default factory is fresh": lambda: Tree(1).children is not Tree(1).children,
    "set wrong": lambda: setattr(Point(1), "x", "a"),
    "set unknown": lambda: setattr(Tree(1), "value", None),
    "get unknown": lambda: Point(1).unknown,
    "delete": lambda: delattr(Point(1), "x"),
    "frozen set": lambda: setattr(Frozen(1), "value", 2),
    "frozen unknown": lambda: setattr(Frozen(1), "unknown", 2),
    "equal": lambda: (Frozen(1) == Frozen(1), Frozen(1) == Frozen(2), Frozen(1) != Frozen(1), Frozen(1) == 1),
    "equal by identity": lambda: (Point(1) == Point(1), (lambda p: p == p)(Point(1))),  # noqa: PLR0124
    "order": lambda: (Derived(1) < Derived(2), Derived(1) <= Derived(1), Derived(2) > Derived(1)),
    "order missing": lambda: Point(1) < Point(2),
    "order other": lambda: Derived(1) < 5,
    "hash": lambda: hash(Derived(1)) == hash(Derived(1, more=[1])),
    "copy": lambda: copy.copy(Point(1, 2, "n")),
    "deepcopy": lambda: copy.deepcopy(Tree(1, [Tree(2)])),
    "pickle": lambda: pickle.loads(pickle.dumps(Derived(3, more=[1]))),
    "replace": lambda: dataclasses.replace(Point(1), x=5),
    "replace unknown": lambda: dataclasses.replace(Point(1), unknown=5),
    "asdict": lambda: dataclasses.asdict(Tree(1, [Tree(2)])),
    "astuple": lambda: dataclasses.astuple(Tree(1, [Tree(2)])),
    "asdict not a dataclass": lambda: dataclasses.asdict(5),
    "fields": lambda: described(Derived),
    "fields of an instance": lambda: described(Frozen(1)),
    "fields not a dataclass": lambda: dataclasses.fields(5),
    "is_dataclass": lambda: (dataclasses.is_dataclass(Point), dataclasses.is_dataclass(5)),
    "match_args": lambda: (Point.__match_args__, Keywords.__match_args__),
    "class variable": lambda: Tree.shared,
    "type info": lambda: info(Derived),
    "type info of a container": lambda: info(ffi.Array),
    "isinstance": lambda: (isinstance(Derived(1), Point), issubclass(Derived, Object)),
    "native sees the class": lambda: type(ffi.Array([Point(1)])[0]) is Point,
    "field set by descriptor": lambda: (lambda f: (Frozen.value.set(f, 5), f.value))(Frozen(1)),
    "signature": lambda: str(__import__("inspect").signature(Point.__init__)),
    "mutable default": lambda: declare(a=[], __annotations__={"a": "list[int]"}).__name__,
    "field both defaults": lambda: field(default=1, default_factory=int),
    "no default after default": lambda: declare(a=1, __annotations__={"a": "int", "b": "int"}),
    "wrong default": lambda: declare(a="text")(),
    "unknown annotation": lambda: declare(__annotations__={"a": "NoSuchName"})(1),
    "not an object": lambda: py_class("cases.NotObject")(type("NotObject", (), {})),
    "enum repr": lambda: (Color.red, Size.small, Mode.read),
    "enum members": lambda: list(Color.all_entries()),
    "enum get": lambda: Color.get(1) is Color.blue,
    "enum get missing": lambda: Color.get(9),
    "enum values": lambda: (Size.large.value, Mode.read.value),
    "enum equal": lambda: (Size.large == 10, Mode.read == "r", Color.red == Color.red, Color.red == 0),  # noqa: PLR0124
    "enum hash": lambda: hash(Color.red) == hash(Color.red),
    "enum pickle": lambda: pickle.loads(pickle.dumps(Color.red)) is Color.red,
    "enum copy": lambda: copy.copy(Size.small),
    "enum set": lambda: setattr(Size.small, "value", 5),
    "enum in an array": lambda: ffi.Array([Color.red])[0] is Color.red,
    "schema text": lambda: str(schema_of(Optional[dict[str, list[int]]])),
    "schema union": lambda: str(schema_of(Union[int, str, None])),
    "schema check": lambda: schema_of(list[int]).check_value([1, 2]),
    "schema check wrong": lambda: schema_of(list[int]).check_value([1, "a"]),
    "schema check deep": lambda: schema_of(dict[str, list[int]]).check_value({"k": [1, None]}),
    "schema convert": lambda: core._to_py_class_value(schema_of(list[float]).convert([1, 2.5])),
    "schema convert wrong": lambda: schema_of(Optional[int]).convert("x"),
    "schema convert nested": lambda: core._to_py_class_value(schema_of(tuple[int, ...]).convert((1, 2))),
    "schema json": lambda: core.TypeSchema.from_json_str('{"type":"Array","args":[{"type":"int"}]}'),
    "schema json wrong": lambda: core.TypeSchema.from_json_str("[]"),
}
