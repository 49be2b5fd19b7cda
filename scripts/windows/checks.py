"""What must hold on Windows, in one process of its CPython: prints a table of what passed, failed and was skipped.

Usage: python.exe -m scripts.windows.checks SITE GEO.DLL PEER
"""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from typing import Callable

SITE, GEO, PEER = sys.argv[1:4]
sys.path.insert(0, SITE)

import selfsame_ffi as s  # noqa: E402

from scripts.tools.check_list import CHECKS, check, run_checks  # noqa: E402

SKIPPED = {
    "forks": "Windows has none",
    "copies of the library for forked children": "Windows has no fork",
    "building Go packages (selfsame-ffi build)": "the tool builds on Linux, for Windows with --target win_amd64",
    "packages of C++ sources (selfsame_ffi.cpp)": "their builder writes ELF libraries",
    "the debugging server (debug.serve)": "its sockets are of Unix",
    "C++ libraries built with MSVC": "the runtime has the C++ names of mingw, not those of MSVC",
}


def raises(kind: type[BaseException], text: str, function: Callable[..., object], *args: object) -> None:
    try:
        function(*args)
    except kind as error:
        assert text in str(error), f"expected {text!r} in {error}"
    else:
        raise AssertionError(f"expected {kind.__name__}")


def function(name: str) -> s.Function:
    found = s.get_global_func(name)
    assert found is not None
    return found


s.load_extension(GEO)


@s.register_object("geo.Point")
class Point(s.Object):
    __slots__ = ("__dict__", "__weakref__")


@check
def identity_of_what_a_container_holds() -> None:
    inner = s.List([1])
    outer = s.List([inner])
    assert outer[0] is inner and outer[0] is outer[0]


@check
def identity_survives_the_wrappers_death() -> None:
    outer = s.List([s.List([1, 2])])
    gc.collect()
    assert list(outer[0]) == [1, 2] and outer[0] is outer[0]


@check
def attributes_stay_while_native_code_holds_the_object() -> None:
    points = s.List([Point(1.0, 2.0)])
    points[0].note = "kept"
    gc.collect()
    assert points[0].note == "kept"


@check
def a_cycle_of_natives_and_python_is_collected() -> None:
    point = Point(1.0, 2.0)
    point.next = point
    gone = weakref.ref(point)
    del point
    gc.collect()
    assert gone() is None


@check
def go_methods_and_fields() -> None:
    point = Point(3.0, 4.0)
    assert point.norm() == 5.0 and point.x == 3.0
    point.x = 0.0
    assert point.norm() == 4.0


@check
def a_go_function_hands_back_the_same_object() -> None:
    near, far = Point(1.0, 0.0), Point(9.0, 9.0)
    assert function("geo.nearest")(s.Array([far, near])) is near


@check
def an_error_of_go_is_a_python_exception() -> None:
    raises(ValueError, "nearest of no points", function("geo.nearest"), s.Array([]))


@check
def a_wrong_argument_is_a_type_error() -> None:
    raises(TypeError, "", function("geo.nearest"), 5)


@check
def an_error_of_python_comes_back_through_native_code() -> None:
    def fails(_value: object) -> None:
        raise KeyError("from python")

    raises(KeyError, "from python", s.convert(fails), 1)


@check
def the_same_exception_comes_back() -> None:
    failure = ValueError("one")

    def fails() -> None:
        raise failure

    try:
        s.convert(fails)()
    except ValueError as error:
        assert error is failure


@check
def a_keyboard_interrupt_comes_through_native_code() -> None:
    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        for _ in range(1000):
            pass

    raises(KeyboardInterrupt, "", s.convert(interrupted))


@check
def callbacks_from_native_code() -> None:
    assert s.convert(lambda a, b: a + b)(2, 3) == 5


@check
def containers() -> None:
    array, words = s.Array([1, "two", 3.5, None]), s.Dict({"a": 1})
    words["b"] = array
    assert list(array) == [1, "two", 3.5, None] and words["b"] is array and len(words) == 2
    assert s.Map({"k": 1})["k"] == 1
    raises(IndexError, "", array.__getitem__, 9)
    raises(KeyError, "", words.__getitem__, "missing")


@check
def text_with_letters_of_other_scripts() -> None:
    text = "Grüße, 世界 " * 10
    assert s.Array([text])[0] == text


@check
def large_integers() -> None:
    for number in (2**31, -(2**31) - 1, 2**63 - 1, -(2**63)):
        assert s.Array([number])[0] == number


@check
def shapes() -> None:
    shape = s.Shape((2, 3))
    assert tuple(shape) == (2, 3) and s.Array([shape])[0] == (2, 3)


@check
def pickles_and_copies() -> None:
    value = s.Array([1, "x", s.Array([2])])
    assert list(pickle.loads(pickle.dumps(value))[2]) == [2]
    assert copy.deepcopy(value)[1] == "x"


@check
def json_of_the_runtime() -> None:
    assert function("ffi.json.Parse")('{"a": [1, 2]}')["a"][1] == 2
    raises(ValueError, "Expecting", function("ffi.json.Parse"), "{")


@check
def threads_share_one_wrapper() -> None:
    shared, seen, failures = s.List([s.List([7])]), [], []

    def read() -> None:
        try:
            for _ in range(500):
                seen.append(id(shared[0]))
                assert function("geo.nearest")(s.Array([Point(1.0, 1.0)])).norm() > 1
        except BaseException as error:  # noqa: BLE001  shown by the main thread
            failures.append(error)

    kept = shared[0]
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures
    assert set(seen) == {id(kept)}


@check
def objects_do_not_pile_up() -> None:
    for _ in range(3):
        gc.collect()
    before = dict(s.debug.live_objects())
    for i in range(2000):
        s.List([Point(float(i), 0.0)])[0].norm()
    s.collect()
    gc.collect()
    after = dict(s.debug.live_objects())
    assert after.get("ffi.List", 0) <= before.get("ffi.List", 0)


@check
def a_missing_library_is_named() -> None:
    raises(Exception, "nowhere.dll", s.load_module, r"Z:\nowhere.dll")


def tool(*arguments: str, status: int = 0) -> str:
    """What the installed command line tool prints."""
    program = "import selfsame_ffi_tool; selfsame_ffi_tool.main()"
    command = [sys.executable, "-c", program, *arguments]
    env = {**os.environ, "PYTHONPATH": SITE, "SELFSAME_PYTHON": sys.executable}
    done = subprocess.run(command, stdin=subprocess.PIPE, capture_output=True, text=True, env=env)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


@check
def the_tool_starts_and_reads_a_library() -> None:
    assert tool("version").startswith(f"selfsame-ffi {s.__version__}, ") and "windows/amd64" in tool("version")
    listed = tool("inspect", GEO)
    assert "class geo.Point(ffi.Object)" in listed and "function geo.nearest(" in listed, listed
    assert "no such file" in tool("inspect", "nowhere.dll", status=1)


@check
def the_tool_examines_the_machine_and_the_package() -> None:
    told = tool("doctor", "--json", GEO, status=1)  # the machine has no Go
    found = {each["check"]: each for each in json.loads(told)["findings"]}
    assert found["selfsame_ffi"]["status"] == found["library"]["status"] == "ok", told
    assert found["Go"]["status"] == "problem" and "install Go" in found["Go"]["mend"], told


@check
def the_tool_says_what_it_cannot_do_without_go() -> None:
    for command in (["new", "shop"], ["build", "."]):
        told = tool(*command, status=1)
        assert "install Go" in told or "build makes extensions for Linux only" in told, told


@check
def the_process_ends_well() -> None:
    program = f"""
import sys
sys.path.insert(0, {SITE!r})
import selfsame_ffi as s
s.load_extension({GEO!r})
kept = s.List([s.get_global_func("geo.nearest")])
print("end", len(kept))
"""
    done = subprocess.run([sys.executable, "-c", program], stdin=subprocess.PIPE, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "end 1"), (done.returncode, done.stdout, done.stderr)


@check
def the_stock_package_gives_equal_results() -> None:
    values = "[1, 'x', 2.5, None, True]"
    program = """
import sys
sys.path.insert(0, sys.argv[1])
import {module} as m
f = m.get_global_func
value = m.Array({values})
print(repr(value), f('ffi.json.Stringify')(value, None), m.Map({{'k': value}}))
print(f('ffi.StructuralHash')(value, False, False))
"""
    printed = []
    for folder, module in ((SITE, "selfsame_ffi"), (PEER, "tvm_ffi")):
        command = [sys.executable, "-c", program.format(module=module, values=values), folder]
        done = subprocess.run(command, stdin=subprocess.PIPE, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-600:]
        printed.append(done.stdout)
    assert printed[0] == printed[1], printed


def main() -> None:
    print(f"CPython {sys.version.split()[0]} on {sys.platform}, selfsame_ffi {s.__version__}")
    failed = run_checks()
    for name, reason in SKIPPED.items():
        print(f"skipped  {name}: {reason}")
    print(f"{len(CHECKS) - failed} passed, {failed} failed, {len(SKIPPED)} skipped")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
