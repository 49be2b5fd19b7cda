"""Runs the cases of a part on one library and prints the outcome of each as a JSON line [number, case, outcome].

usage: run_cases.py LIBRARY PART FIRST

PART is facts, calls, json or input, FIRST the number of the case to begin with.

A line with the outcome null is printed before each case. A case may end the process: compare.py then starts a new
process with the next case.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Callable

from c_function_calls import every_case
from global_function_calls import every_call
from json_texts import every_text
from registry_facts import every_fact
from sample_values import VALUES

from abi import Library, Raised

MUTABLE = ("ffi.List ", "ffi.Dict ")


def call(lib: Library, name: str, arguments: tuple[str, ...]) -> str:
    args = [VALUES[a](lib) for a in arguments]
    try:
        outcome = lib.describe(lib.call(name, *args))
    except Raised as error:
        outcome = f"raises {error}"
    after = [lib.describe(a) for a in args]
    changed = [a for a in after if a.startswith(MUTABLE)]
    return outcome + (f"; then {changed}" if changed else "")


Case = tuple[str, Callable[[], str]]


def facts(lib: Library) -> Iterator[Case]:
    for name, fact in every_fact(lib):
        yield name, lambda fact=fact: fact


def calls(lib: Library) -> Iterator[Case]:
    for name, arguments in every_call(lib):
        yield f"{name}({', '.join(arguments)})", lambda n=name, a=arguments: call(lib, n, a)


PARTS = {"facts": facts, "calls": calls, "json": every_text, "input": every_case}


def main() -> int:
    lib, part, first = Library(sys.argv[1]), PARTS[sys.argv[2]], int(sys.argv[3])
    for number, (name, run) in enumerate(part(lib)):
        if number < first:
            continue
        print(json.dumps([number, name, None]), flush=True)  # begun
        print(json.dumps([number, name, run()]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
