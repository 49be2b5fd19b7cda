"""Calls of every global function, with each sample value as each argument."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

from sample_values import SUITABLE, VALUES, integer, string

from abi import Library

# Functions that take addresses as integers, or change the results of later calls.
LEFT_OUT = ("ffi.FunctionFromExternC", "ffi.MakeFieldSetter", "ffi.FunctionRemoveGlobal", "ffi.GetRegisteredTypeKeys",
            "ffi.FunctionListGlobalNamesFunctor", "ffi.ModuleGlobals")  # fmt: skip
# Functions with any number of arguments.
PACKED = ("ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Shape", "ffi.SystemLib", "ffi.MakeObjectFromPackedArgs")
# These change the reflection data of a type: they get only type indices that no type has.
REGISTER = ("ffi._RegisterFFIInit", "ffi._PyClassRegisterTypeAttrColumns")

# Functions of two values, which are called with every pair of sample values.
CROSSED = ("ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch")

Call = tuple[str, tuple[str, ...]]


def parameters(lib: Library, name: str) -> list[str] | None:
    """Return the key in SUITABLE of each parameter of a function; None if it takes any number of arguments."""
    metadata = json.loads(lib.text_of(lib.call("ffi.GetGlobalFuncMetadata", string(name.encode())(lib))))
    schema = json.loads(metadata["type_schema"]) if "type_schema" in metadata else {}
    if "named_args" in schema:
        arguments = schema["named_args"]["params"]
    elif "args" in schema:
        arguments = schema["args"][1:]
    else:
        return None
    names = []
    for argument in arguments:
        inner = json.dumps(argument)
        if argument["type"] == "ffi.Array" and '"Tuple"' in inner:
            names.append("triples" if '"bool"' in inner else "pairs")
        else:
            names.append(argument["type"])
    return names


def global_names(lib: Library) -> list[str]:
    lister = lib.call("ffi.FunctionListGlobalNamesFunctor")
    count = lib.call(lister.bits, integer(-1)(lib)).bits
    return sorted(lib.text_of(lib.call(lister.bits, integer(i)(lib))).decode() for i in range(count))


def arguments_of(name: str, parameters: list[str] | None) -> Iterator[tuple[str, ...]]:
    every = list(VALUES)
    if name in REGISTER:
        yield from ((), ("-1",), ("-1", "100"), ("raw a", "100"), ("int64.max", "100"), ("100", "0"))
        return
    if parameters is None:
        yield ()
        few = ["1", "raw a", "str", "None", "Array(1, 2)", "1.5", "True", "big", "missing"]
        yield from ((v,) for v in every)
        yield from itertools.product(few, every)
        yield from itertools.product(every, few)
        yield from (("raw a", v, "1") for v in every)
        yield from (("1", "2", v, "raw a") for v in every)
        return
    suitable = [SUITABLE.get(p, ["None"]) for p in parameters]
    yield from itertools.product(*suitable)
    for position in range(len(parameters)):
        for others in itertools.islice(
            itertools.product(*(s[:2] for s in suitable[:position] + suitable[position + 1 :])), 6
        ):
            for value in every:
                yield others[:position] + (value,) + others[position:]
    if name in CROSSED:
        yield from (pair + tuple(s[0] for s in suitable[2:]) for pair in itertools.product(every, every))
    first = tuple(s[0] for s in suitable)
    if first:
        yield first[:-1]
    yield first + ("1",)


def every_call(lib: Library) -> Iterator[Call]:
    for name in global_names(lib):
        if name.startswith(LEFT_OUT) or not name.startswith("ffi."):
            continue
        known = None if name in PACKED else parameters(lib, name)
        seen = set()
        for arguments in arguments_of(name, known):
            if arguments not in seen:
                seen.add(arguments)
                yield name, arguments
