"""Random values of Python go to native code in every way and come back: ``make fuzz FUZZERS=py-values``.

Usage: fuzz_values.py SECONDS [SEED]

A value comes back equal, with the same objects in it, or is refused with a message. Nothing is left over in the end.
"""

from __future__ import annotations

import copy
import gc
import json
import math
import pickle
import random
import sys
import time
from typing import Any

import numpy
import selfsame_ffi
from selfsame_ffi import Array, Dict, List, Map

TEXTS = ("", "1234567", "12345678", "é" * 4, "\0", "nul \0 inside", "\U0001f600", "\ud800", "\u202e", "a" * 70_000)
INTS = (0, 1, -1, 2**31, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 2**200, -(2**200))
FLOATS = (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308)
REFUSALS = (TypeError, ValueError, OverflowError, RecursionError, KeyError)


class Thing:
    """An object of Python's own."""


def scalar(source: random.Random) -> Any:
    kind = source.randrange(12)
    if kind == 0:
        return source.choice((None, True, False))
    if kind == 1:
        return source.choice(INTS)
    if kind == 2:
        return source.getrandbits(source.randrange(1, 300)) - (1 << 62)
    if kind == 3:
        return source.choice(FLOATS)
    if kind == 4:
        return source.uniform(-1e9, 1e9)
    if kind == 5:
        return source.choice(TEXTS)
    if kind == 6:
        return "".join(chr(source.choice((65, 0x7F, 0xE9, 0x20AC, 0x1F600))) for _ in range(source.randrange(12)))
    if kind == 7:
        return source.randbytes(source.randrange(20))
    if kind == 8:
        return numpy.int32(source.getrandbits(31))
    if kind == 9:
        return numpy.float64(source.random())
    if kind == 10:
        return numpy.bool_(source.getrandbits(1))
    return Thing()


def value(source: random.Random, depth: int = 0) -> Any:
    kind = source.randrange(8 if depth < 5 else 5)
    if kind < 5:
        return scalar(source)
    items = [value(source, depth + 1) for _ in range(source.randrange(4))]
    if kind == 5:
        return source.choice((list, tuple, Array, List))(items) if _all_cross(items) else items
    if kind == 6:
        return {source.choice(("", "key", "a longer key")) + str(i): item for i, item in enumerate(items)}
    return {i: item for i, item in enumerate(items)}


def _all_cross(items: list) -> bool:
    try:
        List(items)
    except REFUSALS:
        return False
    return True


def plain(item: Any) -> Any:
    """The value with list and dict in the place of containers, and Python's own scalars."""
    if isinstance(item, (list, tuple, Array, List)):
        return [plain(element) for element in item]
    if isinstance(item, (dict, Map, Dict)):
        return {key: plain(element) for key, element in item.items()}
    if isinstance(item, numpy.generic):
        return plain(item.item())
    if isinstance(item, float):
        return repr(item)  # NaN and -0.0 are told apart
    if isinstance(item, str):
        return "".join(item)
    return bytes(item) if isinstance(item, bytes) else item


def through_json(item: Any) -> Any:
    return selfsame_ffi.get_global_func("ffi.json.Parse")(json.dumps(item))


def is_data(item: Any) -> bool:
    """Whether a value is one of JSON."""
    if isinstance(item, list):
        return all(map(is_data, item))
    if isinstance(item, dict):
        return all(isinstance(key, str) and is_data(element) for key, element in item.items())
    if isinstance(item, str):
        return "\ud800" not in item
    if isinstance(item, int):
        return isinstance(item, bool) or -(2**63) <= item < 2**63
    return item is None


WAYS = {
    "call": lambda echo, item: echo(item),
    "keyword of a list": lambda echo, item: echo([item])[0],
    "element of a List": lambda echo, item: List([item])[0],
    "value of a Dict": lambda echo, item: Dict({"k": item})["k"],
    "result of a callback": lambda echo, item: echo(lambda: item)(),
    "copy": lambda echo, item: copy.deepcopy(List([item]))[0],
    "pickle": lambda echo, item: pickle.loads(pickle.dumps(List([item])))[0],
}


def has_things(item: Any) -> bool:
    if isinstance(item, list):
        return any(map(has_things, item))
    if isinstance(item, dict):
        return any(map(has_things, item.values()))
    return isinstance(item, Thing)


def check(source: random.Random) -> None:
    item = value(source)
    before = plain(item)
    echo = selfsame_ffi.convert(lambda argument: argument)
    for name, way in WAYS.items():
        if name in ("copy", "pickle") and has_things(before):
            continue  # other objects by their nature
        try:
            got = plain(way(echo, item))
        except REFUSALS as error:
            if not str(error):
                raise AssertionError(f"{name}: refused without a message: {item!r}") from error
            continue
        if got != before:
            raise AssertionError(f"{name}: {before!r} came back as {got!r}")
    if is_data(before) and (got := plain(through_json(before))) != before:
        raise AssertionError(f"JSON: {before!r} came back as {got!r}")


def live() -> int:
    gc.collect()
    return sum(selfsame_ffi.debug.live_objects().values())


def main(seconds: float, seed: int) -> int:
    """Run until the time is over. Returns how many values went through."""
    source = random.Random(seed)
    for _ in range(50):
        check(source)
    before, end, count = live(), time.monotonic() + seconds, 0
    while time.monotonic() < end or count == 0:
        check(source)
        count += 1
    if (now := live()) != before:
        raise AssertionError(f"{now - before} objects are left over")
    return count


if __name__ == "__main__":
    chosen = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    print(f"seed {chosen}", flush=True)
    print(f"{main(float(sys.argv[1]), chosen)} values")
