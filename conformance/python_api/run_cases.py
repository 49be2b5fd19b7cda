"""Runs the cases of a group on the package that the environment variable PACKAGE names, and prints the outcomes.

usage: run_cases.py GROUP FIRST     each line is JSON: [number, name, outcome], with null as the outcome at its begin
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import warnings

# Names and numbers that differ from run to run, or that only name the package.
CHANGES = (
    (re.compile(r"\b(tvm_ffi|selfsame_ffi)(\.(core|_core|container|_tensor|_dtype|_device|_text|_classes))?\b"), "ffi"),
    (re.compile(r"0x[0-9a-fA-F]+"), "0x"),
    (re.compile(r"\b(__main__|cases_\w+)\."), ""),
)


def normal(text: str) -> str:
    for pattern, replacement in CHANGES:
        text = pattern.sub(replacement, text)
    return text


def outcome(case) -> str:
    """``type: repr`` of a result, ``!type: message`` of an exception."""
    try:
        value = case()
        return normal(f"{type(value).__name__}: {value!r}")
    except BaseException as error:
        return normal(f"!{type(error).__name__}: {str(error).strip()}")


def main() -> None:
    warnings.simplefilter("ignore")
    cases = importlib.import_module("cases_" + sys.argv[1]).CASES
    for number, (name, case) in enumerate(cases.items()):
        if number >= int(sys.argv[2]):
            print(json.dumps([number, name, None]), flush=True)
            print(json.dumps([number, name, outcome(case)]), flush=True)


if __name__ == "__main__":
    main()
