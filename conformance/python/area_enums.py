"""Enums: one object per member, also after it passed through native code."""

# Requirement: A14

import tvm_ffi
from checks import case, check, equal
from tvm_ffi.dataclasses import IntEnum, StrEnum, entry


class Level(IntEnum, type_key="conformance.py.Level"):
    low = entry(value=1)
    high = entry(value=10)


class Mode(StrEnum, type_key="conformance.py.Mode"):
    read = entry(value="r")
    write = entry(value="w")


@case
def members() -> None:
    equal(Level.low.value, 1)
    equal(Mode.write.value, "w")
    check(Level.get("high").same_as(Level.high))
    equal(len(list(Level.all_entries())), 2)


@case
def across() -> None:
    echo = tvm_ffi.get_global_func("testing.echo")
    check(echo(Level.low).same_as(Level.low))
    check(tvm_ffi.Array([Mode.read])[0].same_as(Mode.read))
