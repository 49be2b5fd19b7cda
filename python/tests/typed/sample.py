# ruff: noqa: B018, F821
# What type checkers say of programs that use the package. It is not run: scripts/check_types.py has mypy and pyright
# read it, and compares. `# reveals: T` after reveal_type is the type, as both must tell it; `# error: PATTERN` says
# that both must find an error in the line, whose text fits the pattern.

from typing import Any, Optional

import selfsame_ffi as ffi
from selfsame_ffi import access_path, dataclasses, structural
from selfsame_ffi.dataclasses import c_class, entry, field, py_class

# ---- containers ----

numbers = ffi.Array([1, 2, 3])
reveal_type(numbers)  # reveals: Array[int]
reveal_type(numbers[0])  # reveals: int
reveal_type(numbers[0:2])  # reveals: list[int]
reveal_type([each for each in numbers])  # reveals: list[int]
reveal_type(numbers + ["a"])  # reveals: Array[int | str]
reveal_type(len(numbers))  # reveals: int
reveal_type(numbers.index(2))  # reveals: int
numbers.append(4)  # error: append
numbers[0] = 5  # error: setitem|indexed assignment
numbers["a"]  # error: getitem

words: ffi.List[str] = ffi.List(["a"])
words.append("b")
words.append(5)  # error: append
words[0] = 5  # error: setitem
reveal_type(words.pop())  # reveals: str
reveal_type(words[0])  # reveals: str
reveal_type(words[::2])  # reveals: list[str]

table = ffi.Map({"a": 1})
reveal_type(table)  # reveals: Map[str, int]
reveal_type(table["a"])  # reveals: int
reveal_type(table.get("b"))  # reveals: int | None
reveal_type(table.get("b", default=1.5))  # reveals: int | float
reveal_type([key for key in table])  # reveals: list[str]
reveal_type([(key, value) for key, value in table.items()])  # reveals: list[tuple[str, int]]
table[5]  # error: getitem|index type
table["b"] = 2  # error: setitem|indexed assignment

counts = ffi.Dict[str, int]()
counts["a"] = 1
counts["a"] = "b"  # error: setitem|in assignment
reveal_type(counts.pop("a"))  # reveals: int
pairs: list[tuple[str, float]] = [("a", 1.5)]
reveal_type(ffi.Map(pairs))  # reveals: Map[str, float]
nested = ffi.Array([ffi.Array([1])])
reveal_type(nested[0][0])  # reveals: int


def total(values: ffi.Array[float]) -> float:
    return sum(values)


total(numbers)
total(ffi.Array(["a"]))  # error: float


# ---- classes ----


@py_class("typed.Point")
class Point(ffi.Object):
    x: int
    y: float = 1.5
    tags: list[str] = field(default_factory=list)
    near: "Optional[Point]" = None


point = Point(1, tags=["a"])
reveal_type(point.x)  # reveals: int
reveal_type(point.y)  # reveals: float
reveal_type(point.near)  # reveals: Point | None
Point()  # error: argument
Point("a")  # error: argument
Point(1, z=2)  # error: z
point.x = "a"  # error: assign
point.unknown  # error: unknown
reveal_type(dataclasses.replace(point, x=2))  # reveals: Point
reveal_type(dataclasses.asdict(point))  # reveals: dict[str, Any]


@py_class(frozen=True, eq=True, kw_only=True)
class Frozen(ffi.Object):
    value: Any = None
    number: int = 0


frozen = Frozen(number=1)
frozen.number = 2  # error: number
Frozen(1)  # error: argument
reveal_type(frozen.value)  # reveals: Any


@c_class("typed.Native")
class Native(Point):
    extra: str = ""


reveal_type(Native(1, extra="a").extra)  # reveals: str
Native(1, extra=5)  # error: argument


class Color(dataclasses.Enum, type_key="typed.Color"):
    red = entry()


reveal_type(Color.def_attr("code"))  # reveals: EnumAttrMap

# ---- functions, errors, values ----

function = ffi.get_global_func("testing.echo")
reveal_type(function)  # reveals: Function
reveal_type(function(1))  # reveals: Any
reveal_type(ffi.get_global_func("testing.echo", allow_missing=True))  # reveals: Function | None
ffi.get_global_func(5)  # error: "str"|overload


@ffi.register_global_func("typed.twice")
def twice(number: int) -> int:
    return 2 * number


reveal_type(ffi.convert_func(twice))  # reveals: Function
reveal_type(ffi.device("cpu"))  # reveals: Device
reveal_type(ffi.device("cpu").index)  # reveals: int
reveal_type(ffi.dtype("int32").bits)  # reveals: int
reveal_type(ffi.Shape((1, 2))[0])  # reveals: int
reveal_type(ffi.system_lib())  # reveals: Module
reveal_type(ffi.Error("ValueError", "text").kind)  # reveals: str
reveal_type(point.same_as(point))  # reveals: bool
reveal_type(ffi.from_dlpack(point).shape)  # reveals: tuple[int, ...]
reveal_type(structural.structural_equal(1, 2))  # reveals: bool
reveal_type(structural.structural_hash(1))  # reveals: int
reveal_type(access_path.AccessPath.root().attr("a").depth)  # reveals: int
reveal_type(ffi.LIB)  # reveals: CDLL
ffi.no_such_name  # error: no_such_name
