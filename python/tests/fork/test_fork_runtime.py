"""The Go runtime of a forked child: signals, threads that end, forks in callbacks, and where no copy can be loaded.

Each test runs a program of its own, because it changes signal handlers or the library's file.
"""

# Requirement: C14

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import selfsame_ffi
from repository import SUPPORT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
SANITIZED = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer handles signals")

PREFIX = f"""
import ctypes, faulthandler, os, resource, signal, sys, threading, time, warnings
sys.path.insert(0, {str(SUPPORT)!r})
warnings.simplefilter("ignore")
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
import fork_areas, selfsame_ffi
from selfsame_ffi import get_global_func as g

made = fork_areas.Made()
fork_areas.json(made)

def in_child(body):
    "Runs body in a child: its exit status, negative for a signal."
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        try:
            body()
        except BaseException as error:
            os.write(2, repr(error).encode())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


# CPython's faulthandler writes this; an emulator of the processor may write less.
FAULT = "Fatal Python error: Segmentation fault"


def run(program: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", PREFIX + program], capture_output=True, text=True, timeout=1800, **options
    )


@SANITIZED
@pytest.mark.parametrize("handler", ["faulthandler.enable()", "pass", "faulthandler.enable(); faulthandler.disable()"])
@pytest.mark.parametrize("before", ["pass", "fork_areas.json(made)"])
def test_segmentation_fault_ends_the_child(handler, before):
    """In C code, in a child with and without a Go of its own; the parent's Go does not handle it."""
    done = run(f"""
def body():
    {handler}
    {before}
    ctypes.string_at(1)
def nested():
    os._exit(-in_child(body))
print(in_child(body), in_child(nested))
""")
    assert done.stdout == f"{-signal.SIGSEGV} {int(signal.SIGSEGV)}\n", done.stdout + done.stderr
    assert "goroutine" not in done.stderr
    assert (FAULT in done.stderr) == handler.endswith("enable()")


@SANITIZED
def test_faulthandler_of_the_parent_works_in_the_child():
    done = run("""
faulthandler.enable()
print(in_child(lambda: ctypes.string_at(1)))
""")
    assert done.stdout == f"{-signal.SIGSEGV}\n" and FAULT in done.stderr, done.stdout + done.stderr


def test_signals_reach_python_in_the_child():
    """KeyboardInterrupt, a profiling timer, and the signal with which Go interrupts its own threads."""
    done = run("""
ticks = []
signal.signal(signal.SIGPROF, lambda number, frame: ticks.append(number))
def body():
    os.kill(os.getpid(), signal.SIGURG)
    fork_areas.use_all(made)
    os.kill(os.getpid(), signal.SIGURG)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    end = time.process_time() + 0.3
    while time.process_time() < end or len(ticks) < 10:
        fork_areas.json(made)
    signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        while True:
            fork_areas.equality(made)
    except KeyboardInterrupt:
        fork_areas.in_grandchild(made)
        os._exit(42)
print(in_child(body), len(ticks))
""")
    assert done.stdout == "42 0\n", done.stdout + done.stderr


def test_thread_that_called_go_ends_in_the_child():
    """The end of such a thread would call the Go of the parent."""
    done = run("""
def outlive(forking):
    "Ends the process when the thread that forked has ended."
    while "Z (zombie)" not in open(f"/proc/self/task/{forking}/status").read():
        time.sleep(0.001)
    os._exit(7)
def work():
    fork_areas.json(made)
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        fork_areas.equality(made)
        threading.Thread(target=outlive, args=(threading.get_native_id(),)).start()
        return
    statuses.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
statuses = []
for _ in range(10):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
print(set(statuses))
""")
    assert done.stdout == "{7}\n", done.stdout + done.stderr


def test_fork_inside_of_a_callback():
    """The child may use everything inside of the callback; returning to the parent's Go ends it with a message."""
    done = run("""
from selfsame_ffi.dataclasses import py_class

@py_class("test_fork.Printed")
class Printed(selfsame_ffi.Object):
    x: int

    def __ffi_repr__(self, printer) -> str:  # ReprPrint, which is in Go, calls it
        callback(self.x)
        return "printed"

def uses(value):
    statuses.append(in_child(lambda: fork_areas.use_all(made)))

def returns(value):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        fork_areas.equality(made)
    else:
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

for callback in (uses, returns):
    statuses = []
    text = g("ffi.ReprPrint")(Printed(1))
    print(callback.__name__, text, set(statuses))
""")
    assert done.stdout == "uses printed {0}\nreturns printed {255}\n", done.stdout + done.stderr
    assert "must end with exec or _exit" in done.stderr


def test_child_keeps_what_the_parent_replaced():
    """Builtin functions that the user replaced or removed stay so; those of classes made in the parent work."""
    done = run("""
selfsame_ffi.register_global_func("ffi.json.Stringify", lambda *args: "mine", override=True)
selfsame_ffi.remove_global_func("ffi.json.Parse")
names = g("ffi.FunctionListGlobalNamesFunctor")()
before, keys = selfsame_ffi.list_global_func_names(), selfsame_ffi.get_registered_type_keys()
def body():
    assert g("ffi.json.Stringify")(1) == "mine" and g("ffi.json.Parse", allow_missing=True) is None
    assert selfsame_ffi.list_global_func_names() == before
    assert selfsame_ffi.get_registered_type_keys() == keys
    assert g("ffi.RecursiveEq")(made.tree, made.same)
    assert names(-1) == len(before)
    again = g("ffi.FunctionListGlobalNamesFunctor")()
    assert again(-1) == len(before)
def nested():
    body()
    assert in_child(body) == 0
print(in_child(nested))
""")
    assert done.stdout == "0\n", done.stdout + done.stderr


@pytest.mark.parametrize("change", ["removed", "replaced", "installed again"])
def test_library_file_that_changed(tmp_path, change):
    shutil.copytree(Path(selfsame_ffi.__file__).parent, tmp_path / "selfsame_ffi")
    done = run(
        f"""
with open("/proc/self/maps") as file:
    (library,) = set(line.split()[-1] for line in file if {str(tmp_path)!r} in line and "/lib/lib" in line)
with open(library, "rb") as file:
    content = file.read()
os.unlink(library)
if {change!r} != "removed":
    if {change!r} == "replaced":
        content = content.replace(b"GNU\\0", b"GNU\\0other", 1)[:len(content)]
    with open(library, "wb") as file:
        file.write(content)
def body():
    made.listed[0]
    fork_areas.json(made)
print(in_child(body))
""",
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    )
    if change == "installed again":
        assert done.stdout == "0\n", done.stdout + done.stderr
    else:
        assert done.stdout == "1\n", done.stdout + done.stderr
        reason = "cannot open" if change == "removed" else "was replaced since"
        assert reason in done.stderr and "forkserver" in done.stderr, done.stderr


FORBID = """
#define _GNU_SOURCE
#include <errno.h>
int memfd_create(const char* name, unsigned flags) { (void)name, (void)flags; errno = EPERM; return -1; }
"""


@SANITIZED
def test_without_memfd_create(tmp_path):
    """The copy is a file in a temporary folder, which is gone again."""
    source, forbidding, folder = tmp_path / "forbid.c", tmp_path / "forbid.so", tmp_path / "temporary"
    source.write_text(FORBID)
    folder.mkdir()
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", forbidding, source], check=True)
    done = run(
        "print(in_child(lambda: fork_areas.in_grandchild(made, 2)), in_child(lambda: fork_areas.use_all(made)))\n"
        "print([line for line in open('/proc/self/maps') if 'temporary' in line])",
        env={**os.environ, "LD_PRELOAD": str(forbidding), "TMPDIR": str(folder)},
    )
    assert done.stdout == "0 0\n[]\n", done.stdout + done.stderr
    assert list(folder.iterdir()) == []
