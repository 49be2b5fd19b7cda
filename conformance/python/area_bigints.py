"""Integers that do not fit into 64 bits."""

# Requirement: A3

import tvm_ffi
from checks import case, check, equal, raises

EDGES = [1 << 63, -(1 << 63) - 1, 1 << 64, -(1 << 64), (1 << 127) - 1, -(1 << 127), 3**500, -(7**400)]


def function(name: str):
    return tvm_ffi.get_global_func(name)


@case
def through_functions() -> None:
    echo = tvm_ffi.convert(lambda x: x)
    for n in [*EDGES, 0, -1, (1 << 63) - 1, -(1 << 63)]:
        equal(echo(n), n)
        equal(tvm_ffi.convert([n])[0], n)
    add = tvm_ffi.convert(lambda a, b: a + b)
    equal(add(1 << 63, -1), (1 << 63) - 1)


@case
def printed() -> None:
    for n in EDGES:
        equal(function("ffi.ReprPrint")(n), str(n))


@case
def keys() -> None:
    m = tvm_ffi.Map({n: i for i, n in enumerate(EDGES)})
    for i, n in enumerate(EDGES):
        equal(m[n], i)
    check(1 << 200 not in m)
    d = tvm_ffi.Dict({1 << 70: 1})
    d[1 << 70] = 2
    equal((len(d), d[1 << 70]), (1, 2))


@case
def compared() -> None:
    ordered = sorted([*EDGES, 5, -5])
    names = ["Eq", "Lt", "Le", "Gt", "Ge"]
    eq, lt, le, gt, ge = [function(f"ffi.Recursive{name}") for name in names]
    for a in ordered:
        for b in ordered:
            equal((eq(a, b), lt(a, b), le(a, b), gt(a, b), ge(a, b)), (a == b, a < b, a <= b, a > b, a >= b))
    raises(TypeError, "Cannot compare values of different types", lambda: lt(1.5, 1 << 70))
    for n in EDGES:
        equal(function("ffi.RecursiveHash")(n), function("ffi.RecursiveHash")(n + 1 - 1))
        check(tvm_ffi.structural_equal(n, n + 1 - 1) and not tvm_ffi.structural_equal(n, n + 1))
        equal(tvm_ffi.structural_hash([n]), tvm_ffi.structural_hash([n + 1 - 1]))


@case
def saved() -> None:
    for n in EDGES:
        text = function("ffi.ToJSONGraphString")([n, "x"], None)
        check(str(n) in text)
        equal(function("ffi.FromJSONGraphString")(text)[0], n)
        equal(function("ffi.DeepCopy")([n])[0], n)
