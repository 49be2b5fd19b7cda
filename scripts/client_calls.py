"""Generated calls of a native library: the functions that a Go package has types for, called in Go and in Python.

Usage: client_calls.py plan PACKAGE PLAN LIBRARY...     chooses arguments, in processes that a call may end
       client_calls.py run PLAN LIBRARY...              makes the calls of a plan, and prints a line for each
       client_calls.py program PLAN NAME                prints a Go program that does the same, with the package NAME

PACKAGE is the folder of a package that `selfsame-ffi bind --go` wrote; its funcs say which types they take. An argument
is a simple value, or what another function of the plan has returned. A line has the function's name, and the result as
JSON of its whole structure, or the error. scripts/clients.py compares the lines. Runs with apache-tvm-ffi, without the
packages. Calls that end the process, that hang, or that Python refuses by itself are in no plan.
"""

from __future__ import annotations

import json
import os
import re
import resource
import select
import signal
import sys
from pathlib import Path
from typing import Any

import tvm_ffi

#: What a call of a plan is: a function's name, its Go func, the type of that one's result, and the arguments.
Call = tuple[str, str, str, list[list[Any]]]
FUNC = re.compile(
    r"^// (?:\w+) calls the global function `([^`]+)`\.\n(?://.*\n)*func (\w+)\((.*)\) (error|\((.*), error\)) \{$",
    re.MULTILINE,
)
REQUIRED = re.compile(r"^var call(\w+) = .*\.Required\((.*)\)$", re.MULTILINE)
STRUCT = re.compile(r"^type (\w+) struct ?\{ ?(\w+(?:\.\w+)?) ?\}", re.MULTILINE)
#: Values of simple types, as Python's and as Go source; value_of makes those of ffi's own types.
SIMPLE: dict[str, tuple[Any, str]] = {
    "int64": (3, "int64(3)"),
    "float64": (1.5, "1.5"),
    "bool": (True, "true"),
    "string": ("a", '"a"'),
    "any": (3, "any(3)"),
    "selfsame.DataType": (None, "selfsame.DataTypeOf[int32]()"),
    "selfsame.Device": (None, "selfsame.CPU"),
    "*selfsame.Array[int64]": ([2, 3], "array[int64](2, 3)"),
    "*selfsame.Array[string]": (["a", "b"], 'array("a", "b")'),
    "*selfsame.Map[string, any]": (None, "nil"),
}
#: Functions that wait for others, or change what later calls do.
LEFT_OUT = re.compile(r"rpc|server|sleep|socket|exit|thread|signal|random|rand|time|dump|Stats", re.IGNORECASE)
#: What a call may take: seconds of processor time, and seconds when it waits, which is more on a busy machine.
PROCESSOR, WAITING = 2, 10
HEAD = """package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"

	"example.org/client/NAME"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func array[E any](elems ...E) *selfsame.Array[E] { return must(selfsame.NewArray(elems)) }

var results = map[string]any{}

// made is an object that a call before has made, as one of a class.
func made[T any](name string, class *gen.Declared[T]) *T { return class.Cast(results[name].(selfsame.AnyHandle)) }

// call makes a call and prints its line.
func call(name string, f func() (any, error)) {
	value, err := f()
	line := []any{name}
	var failure *selfsame.Error
	switch {
	case errors.As(err, &failure):
		line = append(line, failure.Kind, failure.Message)
	case err != nil:
		line = append(line, "GoError", err.Error())
	default:
		results[name] = value
		text, err := selfsame.CallAs[string](store, value, nil)
		if err != nil {
			text = "no JSON"
		}
		line = append(line, text)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	must(0, encoder.Encode(line))
}

var store *selfsame.Function

func main() {
	runtime.LockOSThread() // some functions keep what they do for their thread
	if err := NAME.Load(os.Args[1], os.Args[2:]...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	store = must(selfsame.GetFunc("ffi.ToJSONGraphString"))
"""


class Package:
    """The funcs and classes of a Go package."""

    def __init__(self, folder: Path) -> None:
        text = "\n".join(file.read_text() for file in sorted(folder.glob("*.go")))
        self.funcs: dict[str, tuple[str, list[str], str]] = {}
        for name, func, params, _, result in FUNC.findall(text):
            self.funcs[name] = (func, types_of(params), result)
        self.required = {func: re.findall(r'"(\w*)"', names) for func, names in REQUIRED.findall(text)}
        self.parents = dict(STRUCT.findall(text))

    def is_a(self, name: str, ancestor: str) -> bool:
        """Whether a class is another one or derives from it."""
        while name != ancestor and name in self.parents:
            name = self.parents[name]
        return name == ancestor


def types_of(params: str) -> list[str]:
    """Return the types of a list of parameters."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(params + ","):
        depth += (c in "[(") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(params[start:i].strip())
            start = i + 1
    return [part.split(" ", 1)[1] for part in parts if part]


def argument(package: Package, go: str, pool: dict[str, str], missing: bool) -> list[Any] | None:
    """Return an argument for a parameter: its Go type and the name of the call that made it; None when there is none.

    pool has the Go class of what each call has returned. With missing, a handle is None when no call has made one.
    """
    if go in SIMPLE:
        return [go]
    if go.startswith("selfsame.Optional["):
        return [go, None]
    if re.fullmatch(r"\*\w+Options", go) and go[1:] not in package.parents:
        return None  # Python would pass each of them
    array = re.fullmatch(r"\*selfsame\.Array\[\*(\w+)\]", go)
    handle = re.fullmatch(r"\*(\w+)", go)
    found = array or handle
    if found is not None and found[1] in package.parents:
        for name, cls in pool.items():
            if package.is_a(cls, found[1]):
                return [go, name]
    return [go, None] if missing and (handle or go == "selfsame.Native") else None


def value_of(arg: list[Any], results: dict[str, Any]) -> Any:
    """Return the Python value of an argument."""
    go = arg[0]
    if go == "selfsame.DataType":
        return tvm_ffi.dtype("int32")
    if go == "selfsame.Device":
        return tvm_ffi.device("cpu", 0)
    if go in SIMPLE:
        return SIMPLE[go][0]
    if arg[1] is None:
        return None
    return [results[arg[1]]] if go.startswith("*selfsame.Array") else results[arg[1]]


def source_of(package_name: str, arg: list[Any]) -> str:
    """Return the Go source of an argument."""
    go = arg[0]
    if go in SIMPLE:
        return SIMPLE[go][1]
    if arg[1] is None:
        return go + "{}" if go.startswith("selfsame.Optional") else "nil"
    name = re.sub(r"\W", "", go.replace("selfsame.Array", ""))
    object_ = f"made({json.dumps(arg[1])}, {package_name}.{name}Class)"
    return f"array({object_})" if go.startswith("*selfsame.Array") else object_


def outcome(name: str, args: list[list[Any]], results: dict[str, Any]) -> tuple[list[Any], Any]:
    """Make a call; return its line, and its result. The line is empty when Python itself refuses argument or result."""
    try:
        value = tvm_ffi.get_global_func(name)(*[value_of(arg, results) for arg in args])
    except Exception as error:
        native = getattr(error, "__tvm_ffi_error__", None)
        return [name, native.kind, native.message] if native is not None else [], None
    try:
        text = str(tvm_ffi.get_global_func("ffi.ToJSONGraphString")(value, None))
    except Exception:
        text = "no JSON"
    return [name, text], value


def tried(name: str, args: list[list[Any]], results: dict[str, Any]) -> list[Any] | None:
    """Make a call in a process of its own, and return its line; None when the call ended the process, [] when it
    hangs or Python refuses it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        for number in (signal.SIGSEGV, signal.SIGABRT):
            signal.signal(number, signal.SIG_DFL)  # nobody reads a backtrace
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR + 1))
        os.dup2(os.open(os.devnull, os.O_RDWR), 2)
        try:
            os.write(writer, json.dumps(outcome(name, args, results)[0])[:60000].encode())
        finally:
            os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], WAITING)
    data = os.read(reader, 65536) if ready else b""
    os.close(reader)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    hangs = not ready or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    try:
        return [] if hangs else list(json.loads(data))
    except ValueError:
        return None


def plan(package: Package) -> list[Call]:
    """Return the calls that end, in an order in which each has its arguments. They are made here too."""
    calls: list[Call] = []
    pool: dict[str, str] = {}
    results: dict[str, Any] = {}
    left = {name: func for name, func in package.funcs.items() if not LEFT_OUT.search(name)}
    for missing, errors in ((False, False), (False, False), (True, False), (False, False), (True, True)):
        for name, (func, types, result) in list(left.items()):
            given_always = [bool(one) for one in package.required.get(func, [])] + [False] * len(types)
            args = [argument(package, go, pool, missing and not always) for go, always in zip(types, given_always)]
            given = [arg for arg in args if arg is not None]
            line = tried(name, given, results) if len(given) == len(args) else None
            if line is None or (len(line) > 2 and not errors):
                continue
            del left[name]
            if not line:
                continue
            calls.append((name, func, result, given))
            results[name] = outcome(name, given, results)[1]
            if result.startswith("*") and result[1:] in package.parents and results[name] is not None:
                pool[name] = result[1:]
    return calls


def program(calls: list[list[Any]], name: str) -> str:
    """Return the Go program of a plan."""
    lines = [HEAD.replace("NAME", name)]
    for function, func, result, args in calls:
        call = f"{name}.{func}({', '.join(source_of(name, arg) for arg in args)})"
        body = f"return {call}" if result else f"return nil, {call}"
        lines.append(f"\tcall({json.dumps(function)}, func() (any, error) {{ {body} }})\n")
    text = "".join(lines) + "}\n"
    return re.sub(r"selfsame\.Optional\[\*(\w+)\]\{\}", rf"selfsame.Optional[*{name}.\1]{{}}", text)


def main() -> int:
    """Do what the module's documentation says."""
    what, *words = sys.argv[1:]
    if what == "program":
        print(program(json.loads(Path(words[0]).read_text()), words[1]), end="")
        return 0
    folder = Path(words.pop(0)) if what == "plan" else Path()
    file = Path(words.pop(0))
    modules = [tvm_ffi.load_module(library) for library in words]
    if what == "plan":
        file.write_text(json.dumps(plan(Package(folder))))
    else:
        results: dict[str, Any] = {}
        for name, _, _, args in json.loads(file.read_text()):
            line, results[name] = outcome(name, args, results)
            print(json.dumps(line, ensure_ascii=False, separators=(",", ":")), flush=True)
    sys.stdout.flush()
    os._exit(len(modules) - len(words))  # the libraries' own exit is not what is tested


if __name__ == "__main__":
    sys.exit(main())
