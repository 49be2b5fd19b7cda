"""Array, List, Map, Dict, Shape, String, Bytes."""

# Requirement: A7

import tvm_ffi
from checks import case, check, equal, raises, same


@case
def array() -> None:
    a = tvm_ffi.Array([1, "two", 3.0, None])
    equal(len(a), 4)
    equal(list(a), [1, "two", 3.0, None])
    equal(a[-1], None)
    equal(list(a[1:3]), ["two", 3.0])
    check("two" in a)
    raises(IndexError, "", lambda: a[4])
    equal(list(a + tvm_ffi.Array([5])), [1, "two", 3.0, None, 5])
    nested = tvm_ffi.convert([[1, 2], [3]])
    equal(nested[0][1], 2)


@case
def list_() -> None:
    items = tvm_ffi.List([1, 2])
    items.append("three")
    items.insert(0, 0)
    items.extend([4.5, None])
    equal(list(items), [0, 1, 2, "three", 4.5, None])
    equal(items.pop(), None)
    equal(items.pop(0), 0)
    items[0] = "one"
    del items[1]
    equal(list(items), ["one", "three", 4.5])
    items.reverse()
    equal(list(items), [4.5, "three", "one"])
    items[0:2] = ["a", "b", "c"]
    equal(list(items), ["a", "b", "c", "one"])
    items.clear()
    equal(len(items), 0)
    raises(IndexError, "", lambda: items.pop())


@case
def map_() -> None:
    m = tvm_ffi.Map({"a": 1, 2: "b", 3.5: [1]})
    equal(len(m), 3)
    equal(m["a"], 1)
    equal(m[2], "b")
    check("a" in m and "z" not in m)
    equal(list(m.keys()), ["a", 2, 3.5])
    equal(m.get("z", "none"), "none")
    raises(KeyError, "", lambda: m["z"])
    large = tvm_ffi.Map({i: str(i) for i in range(1000)})
    equal([large[i] for i in (0, 500, 999)], ["0", "500", "999"])
    equal(list(large), list(range(1000)))


@case
def dict_() -> None:
    d = tvm_ffi.Dict({"a": 1})
    for i in range(200):
        d[f"key {i}"] = i
    equal(len(d), 201)
    del d["a"]
    equal(d.pop("key 7"), 7)
    check("key 7" not in d)
    d.update({"new": [1, 2]})
    equal(list(d["new"]), [1, 2])
    equal(sum(v for k, v in d.items() if k != "new"), sum(range(200)) - 7)
    d.clear()
    equal(dict(d), {})


@case
def shared_between_wrappers() -> None:
    d = tvm_ffi.Dict({})
    holder = tvm_ffi.Array([d])
    holder[0]["x"] = 1
    equal(d["x"], 1)
    same(holder[0], d)


@case
def shape() -> None:
    s = tvm_ffi.Shape((1, 2, 3))
    equal(tuple(s), (1, 2, 3))
    equal(tvm_ffi.convert(lambda x: x)(s), (1, 2, 3))


@case
def strings() -> None:
    s = tvm_ffi.core.String("a string of some length")
    equal(s, "a string of some length")
    check(isinstance(s, str))
    equal(tvm_ffi.convert(lambda x: x)("\u00e9\U0001f600 unicode text"), "\u00e9\U0001f600 unicode text")
    equal(tvm_ffi.convert(lambda x: x)(b"\x00\xff" * 10), b"\x00\xff" * 10)


@case
def conversions() -> None:
    equal(type(tvm_ffi.convert([1])).__name__, "Array")
    equal(type(tvm_ffi.convert({"a": 1})).__name__, "Map")
    equal(list(tvm_ffi.convert((1, 2))), [1, 2])


@case
def repr_() -> None:
    equal(repr(tvm_ffi.Array([1, "a"])), '(1, "a")')
    equal(repr(tvm_ffi.Map({"k": 1.5})), '{"k": 1.5}')
    equal(repr(tvm_ffi.List([True, None])), "[True, None]")


@case
def hash_and_equality() -> None:
    a = tvm_ffi.Array([1, 2])
    check(a == a)
    equal(len({a, a}), 1)
