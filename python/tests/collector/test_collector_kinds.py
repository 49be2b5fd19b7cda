"""The collectors of CPython are told apart at run time; with an unknown one the package works, and says so."""

# Requirement: C9

import gc
import sys
import sysconfig
import weakref
from textwrap import dedent

import pytest
import selfsame_ffi
from exit_programs import PROLOGUE, run_code

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

# Another interpreter than the running one: the program says so before it imports the package.
PRETEND = """
import sys, types
sys.hexversion = {hexversion}
sys.implementation = types.SimpleNamespace(**{{**vars(sys.implementation), "name": {name!r}}})
"""


def collector_of(native, hexversion, name="cpython"):
    """The name of the collector that the package finds on such an interpreter."""
    code = PRETEND.format(hexversion=hexversion, name=name) + PROLOGUE + "print(selfsame_ffi.debug.report().collector)"
    return run_code(native, code).stdout.strip()


def test_the_collector_of_this_interpreter_is_known():
    expected = "generations"
    if FREE_THREADED:
        expected = "whole heap" if sys.version_info[1] == 13 else "marks first"
    elif (3, 14) <= sys.version_info[:3] < (3, 14, 5):
        expected = "increments"
    report = selfsame_ffi.debug.report()
    assert report.collector == (report - report).collector == expected
    assert "the collector of this interpreter" not in str(report)


@pytest.mark.parametrize(
    "hexversion, name, expected",
    [
        (0x030E00F0, "cpython", "increments"),
        (0x030E04F0, "cpython", "increments"),
        (0x030E05C1, "cpython", "generations"),
        (0x030F00C1, "cpython", "generations"),
        (0x030F00A3, "cpython", "None"),
        (0x031000F0, "cpython", "None"),
        (0x030E07F0, "another", "None"),
    ],
)
def test_the_release_decides(native, hexversion, name, expected):
    if FREE_THREADED:
        expected = "marks first" if expected != "None" else "None"
    assert collector_of(native, hexversion, name) == expected


def test_with_an_unknown_collector_what_one_wrapper_owns_alone_is_collected(native):
    body = """
    import weakref
    Plain = of("sst.Plain")
    gc.collect()
    alone = Plain(); alone.x = Rich(1); alone.x.me = alone; gone = weakref.ref(alone)
    shared, owner = Rich(2), Plain(); owner.x = owner.any = shared; shared.me = owner; kept = weakref.ref(shared)
    shared.note = [3]
    del alone, owner, shared
    gc.collect()
    assert gone() is None and kept().note == [3] and kept().me.x is kept()
    report = selfsame_ffi.debug.report()
    assert report.collector is None and report.unaccounted == ()
    print(" ".join(str(report).split()))
    """
    result = run_code(native, PRETEND.format(hexversion=0x031000F0, name="cpython") + PROLOGUE + dedent(body))
    unknown = "the collector of this interpreter is not known: only what one wrapper owns alone is collected"
    assert unknown in result.stdout


def test_shared_cycles_are_collected_by_collections_that_nobody_asks_for(native):
    assert gc.isenabled()

    def cycle():
        rich, owner = native.rich(1), native.Plain()
        owner.x = owner.any = rich
        rich.me = owner
        return weakref.ref(rich)

    refs = []
    for _ in range(100):
        refs += [cycle() for _ in range(2000)]
        if any(ref() is None for ref in refs):
            break
    else:
        pytest.fail("200,000 cycles, and none of them was collected")
    del refs
    gc.collect()
