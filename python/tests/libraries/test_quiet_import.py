"""An import leaves the process as a C extension would: signals, limits, and what children inherit."""

# Requirements: C17, I6

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

WATCH = """
import os, resource, signal, subprocess, sys, threading

def status(path="/proc/self/status"):
    lines = dict(line.split(":", 1) for line in open(path).read().splitlines())
    return {name: lines[name].strip() for name in ("SigBlk", "SigIgn", "ShdPnd", "Umask", "NoNewPrivs", "Cpus_allowed")}

def child():
    "What a child sees that inherits everything."
    shown = "grep -E 'Sig(Blk|Ign)|Umask' /proc/self/status; ulimit -a; env | sort; ls /proc/self/fd; pwd"
    return subprocess.run(["sh", "-c", shown], restore_signals=False, capture_output=True, text=True, check=True).stdout

def seen():
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    limits = {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    return status(), child(), handlers, limits, dict(os.environ), os.getcwd(), mask

soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard - 2, 256), hard))
before = seen()
"""
SAME = """
after = seen()
assert after == before, [pair for pair in zip(before, after) if pair[0] != pair[1]]
"""
RUNTIME = "import selfsame_ffi; selfsame_ffi.Array([1]); selfsame_ffi.structural_equal([1], [1])\n"
PACKAGE = "import goclasses; goclasses.collect_beside_loop()\n"


def run(go_packages, body, **environment):
    """The program, which must end by itself."""
    path = os.pathsep.join([str(go_packages), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", body],
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.parametrize("load", [RUNTIME, PACKAGE], ids=["runtime", "package"])
def test_process_and_its_children_are_as_before_the_import(go_packages, load):
    run(go_packages, WATCH + load + SAME)


@pytest.mark.parametrize("load", [RUNTIME, PACKAGE], ids=["runtime", "package"])
def test_signal_that_python_blocks_after_the_import_waits_for_it(go_packages, load):
    body = """
        import os, signal
        names = "KILL STOP SEGV BUS FPE ILL ABRT TRAP PROF URG"
        everything = signal.valid_signals() - {getattr(signal, "SIG" + name) for name in names.split()}
        signal.pthread_sigmask(signal.SIG_BLOCK, everything)
        for _ in range(20):
            for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGWINCH, signal.SIGRTMIN + 3):
                os.kill(os.getpid(), number)
                assert number in signal.sigpending(), number
                assert signal.sigwait([number]) == number
        """
    run(go_packages, load + "\n".join(line[8:] for line in body.splitlines()))


def test_programs_that_go_starts_have_the_signals_of_the_host(go_packages):
    program = (
        WATCH
        + """
import signatures
assert "SigBlk:\\t0000000000000000" in signatures.output("cat", ["/proc/self/status"])
"""
        + SAME
    )
    run(go_packages, program)


def test_programs_that_callbacks_on_goroutines_start_have_the_signals_of_the_host(go_packages):
    run(
        go_packages,
        WATCH
        + """
import goclasses
assert goclasses.call_on_goroutine(child) == before[1]
mask = goclasses.call_on_goroutine(lambda: str(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
assert mask == "set()", mask
""",
    )


@pytest.mark.parametrize("when", ["before", "after", "twice", "captured", "never", "switched off"])
def test_fault_that_go_recovers_stays_an_exception(go_packages, when):
    """Whenever faulthandler is switched on, which pytest and absl do after other imports."""
    enable = {"before": "faulthandler.enable()", "switched off": "faulthandler.enable()"}.get(when, "")
    later = {
        "after": "faulthandler.enable()",
        "twice": "faulthandler.enable(); faulthandler.disable(); faulthandler.enable()",
        "captured": "enable()",
        "switched off": "faulthandler.disable()",
    }.get(when, "")
    out = run(
        go_packages,
        f"""
import faulthandler
from faulthandler import enable
{enable}
import goclasses
{later}
for _ in range(3):
    try:
        goclasses.fault()
    except RuntimeError as error:
        assert "nil pointer" in str(error)
        print("raised")
""",
    )
    assert out == "raised\n" * 3


@pytest.mark.parametrize("is_on", [True, False])
def test_fault_outside_of_go_is_faulthandlers(go_packages, is_on):
    path = os.pathsep.join([str(go_packages), *filter(None, [os.environ.get("PYTHONPATH")])])
    body = f"""
import ctypes, faulthandler, goclasses
faulthandler.enable()
if not {is_on}: faulthandler.disable()
def crash(): ctypes.string_at(0)
crash()
"""
    done = subprocess.run(
        [sys.executable, "-c", body],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == -11
    assert ("in crash" in done.stderr and "Segmentation fault" in done.stderr) == is_on


def test_collections_interrupt_loops_in_each_of_two_packages(go_packages):
    """Of two Go runtimes the one that is loaded first would have its interrupts taken away."""
    for first, second in (("goclasses", "signatures"), ("signatures", "goclasses")):
        run(
            go_packages,
            f"""
import {first}
import {second}
for _ in range(10):
    {first}.collect_beside_loop()
    {second}.collect_beside_loop()
""",
        )


@pytest.mark.parametrize("order", ["before", "after"])
def test_handler_of_sigurg_gets_what_is_not_gos(go_packages, order):
    lines = ["import goclasses", "signal.signal(signal.SIGURG, lambda number, frame: count.append(number))"]
    run(
        go_packages,
        "\n".join(
            [
                "import os, signal, threading",
                "count = []",
                *(lines if order == "after" else lines[::-1]),
                "for _ in range(10): goclasses.collect_beside_loop()",
                "assert count == [], count",
                "os.kill(os.getpid(), signal.SIGURG)",
                "assert len(count) == 1, count",
                "signal.raise_signal(signal.SIGURG)",
                "assert len(count) == 2, count",
                "for _ in range(10): goclasses.collect_beside_loop()",
                "assert len(count) == 2, count",
            ]
        ),
    )


def test_go_runs_on_as_many_processors_as_python_has_set_before_the_import(go_packages):
    for number in (1, 3):
        body = f"import os; os.environ['GOMAXPROCS'] = '{number}'; import goclasses; print(goclasses.procs())"
        assert run(go_packages, body) == f"{number}\n"
    assert run(go_packages, "import goclasses; print(goclasses.procs())", GOMAXPROCS="2") == "2\n"


@pytest.mark.parametrize("given, percent", [("", 100), ("100", 100), ("37", 37), ("0", 0), ("off", -1)])
def test_go_collects_as_the_program_says_after_the_import(go_packages, given, percent):
    """It collects less often while the classes are registered."""
    assert run(go_packages, "import goclasses; print(goclasses.percent())", GOGC=given) == f"{percent}\n"
