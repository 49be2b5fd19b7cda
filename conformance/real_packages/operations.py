"""The list of a package's operations, and the process that runs them on one runtime.

Each of the modules `*_operations.py` has functions marked with `@operation("name")`. Such a function makes its objects
and returns a step: a function without arguments that does the work and returns what the runtimes are compared by.

Run as a program, this is the process: `operations.py MODULE`. It reads commands from stdin and answers each with one
line of JSON: `list`, `make N`, `sample REPEATS`, `round REPEATS`, `text`, `drop`, `end`.
"""

from __future__ import annotations

import faulthandler
import hashlib
import importlib
import json
import os
import sys
import time
import traceback
from typing import Any, Callable

Step = Callable[[], Any]

operations: list[tuple[str, Callable[[], Step]]] = []


def operation(name: str) -> Callable[[Callable[[], Step]], Callable[[], Step]]:
    """Put the decorated function into the list."""

    def add(make: Callable[[], Step]) -> Callable[[], Step]:
        operations.append((name, make))
        return make

    return add


def described(result: Any) -> str:
    """Return a text that is equal for equal results."""
    if hasattr(result, "tobytes"):  # a NumPy array: every bit counts
        return f"{result.dtype} {result.shape} {hashlib.sha256(result.tobytes()).hexdigest()}"
    if isinstance(result, (list, tuple)):
        return "[" + ", ".join(described(item) for item in result) + "]"
    if isinstance(result, dict):
        return "{" + ", ".join(f"{key}: {described(result[key])}" for key in sorted(result)) + "}"
    return repr(result)


def shortened(text: str) -> str:
    """Return the text itself, or its size, digest and beginning when it is long."""
    if len(text) <= 200:
        return text
    return f"{len(text)} characters {hashlib.sha256(text.encode()).hexdigest()}: {text[:80]}"


def cpu_seconds() -> float:
    """Return the CPU time of all threads of this process, in user and in system mode."""
    return time.process_time()


class Worker:
    """Answers the commands."""

    def __init__(self) -> None:
        """Begin without an operation."""
        self.step: Step | None = None
        self.text = ""

    def result(self) -> dict[str, Any]:
        """Run the step for its result."""
        assert self.step is not None
        self.text = described(self.step())
        return {"result": shortened(self.text)}

    def make(self, index: int) -> dict[str, Any]:
        """Make an operation's objects and run its step once, for the result."""
        self.step = operations[index][1]()
        return self.result()

    def sample(self, repeats: int) -> dict[str, Any]:
        """Run the step so many times; return the CPU time of one."""
        assert self.step is not None
        step = self.step
        began = cpu_seconds()
        for _ in range(repeats):
            step()
        return {"cpu": (cpu_seconds() - began) / repeats}

    def round(self, repeats: int) -> dict[str, Any]:
        """Run the step so many times on the same objects, and once more for the result."""
        return {**self.sample(repeats), **self.result()}

    def answer(self, words: list[str]) -> dict[str, Any]:
        """Answer one command."""
        if words[0] == "list":
            return {"names": [name for name, _ in operations]}
        if words[0] == "make":
            return self.make(int(words[1]))
        if words[0] == "sample":
            return self.sample(int(words[1]))
        if words[0] == "round":
            return self.round(int(words[1]))
        if words[0] == "text":  # the whole of the last result
            return {"text": self.text}
        if words[0] == "drop":
            self.step = None
        return {"cpu": cpu_seconds()}


def main() -> None:
    """Import the operations and answer commands until `end` or the end of stdin."""
    # The packages print to stderr; the answers have a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    if os.environ.get("SELFSAME_AS_TVM_FFI"):
        import selfsame_ffi

        selfsame_ffi.install_as_tvm_ffi()
    importlib.import_module(sys.argv[1])
    worker = Worker()
    for line in sys.stdin:
        words = line.split()
        try:
            answer = worker.answer(words)
        except Exception as error:  # the driver reports it, and the other operations run
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)
        if words[0] == "end":
            break


if __name__ == "__main__":
    # The module of operations imports this file under its own name, and adds to that copy's list.
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.modules["operations"] = sys.modules["__main__"]
    main()
