"""The interpreter ends cleanly with objects in every state; a sub-interpreter gets an ImportError."""

# Requirement: C13

import os
import subprocess
import sys
import textwrap

import pytest
from exit_programs import PROLOGUE, run_code
from repository import SYSTEM_LIBRARY


def run(native, body, status=0):
    """Run a program that begins with PROLOGUE; it must exit with `status`."""
    return run_code(native, PROLOGUE + textwrap.dedent(body), status)


@pytest.mark.parametrize(
    "body",
    [
        "leaf = Leaf(1)",
        "owner = Node(Leaf(1)); owner.x",
        "g('sst.keep')(Leaf(1)); g('sst.kept')(0)",
        "g('sst.keep')(Rich(1)); g('sst.kept')(0).note = [1]",
        "owner = Node(Rich(1)); owner.x.me = owner",
        "g('sst.keep')(lambda: 1); f = g('sst.kept')(0)",
        "g('sst.keep')(object())",
        "selfsame_ffi.register_global_func('sst.py.f', lambda: Leaf(1)); g('sst.py.f')()",
        "a = Array([Leaf(1), [Rich(1)]]); a[0]; a[1][0]",
        "raw = Leaf.__new__(Leaf)",
        "sys.keep = (Leaf(1), Node(Leaf(1)).x, Rich(2))",
        """
        class Loud(Leaf):
            def __del__(self):
                print("bye", self.value)
        loud = Loud(7)
        g('sst.keep')(Loud(8))
        """,
        """
        leaf = Leaf(1)
        leaf_cycle = Rich(1); leaf_cycle.me = leaf_cycle
        del leaf_cycle
        """,
        """
        try:
            g('sst.throw_with_cause')()
        except ValueError as error:
            kept = error
        """,
        """
        # Destructors of C++ globals drop the last native references, after interpreter shutdown.
        for i in range(10):
            g('sst.keep')(Leaf(i)); g('sst.kept')(i)
        g('sst.keep')(lambda: 1); g('sst.keep')(object()); g('sst.keep')(Rich(1))
        """,
        """
        import atexit
        atexit.register(lambda: g('sst.release_on_thread')())
        g('sst.keep')(Leaf(1)); g('sst.keep')(print); g('sst.keep')(object())
        """,
        """
        g('sst.keep')(Leaf(1))
        for i in range(20):
            g('sst.drop_later')(Leaf(i))
        """,
        """
        def forever():
            while True:
                Node(Leaf(1)).x
        threading.Thread(target=forever, daemon=True).start()
        """,
        "del sys.modules['selfsame_ffi'], sys.modules['selfsame_ffi._core']; leaf = Leaf(1)",
    ],
)
def test_exit_with_live_objects_is_clean(native, body):
    result = run(native, body)
    assert "Fatal" not in result.stderr and "Traceback" not in result.stderr


def test_native_thread_may_call_python_during_exit(native):
    run(
        native,
        """
        call, called = g('sst.apply_on_thread'), threading.Event()
        def forever():
            while True:
                call(lambda value: called.set(), 1)
        threading.Thread(target=forever, daemon=True).start()
        assert called.wait(300)
        """,
    )


SUB_INTERPRETER = """
import sys
sys.path[:] = {path!r}
try:
    import selfsame_ffi
except ImportError as error:
    print("refused:", error, flush=True)
else:
    print("imported", flush=True)
"""


def test_sub_interpreter_is_refused(native):
    body = f"""
    try:
        import _xxsubinterpreters as subs
    except ImportError:
        import _interpreters as subs
    code = {SUB_INTERPRETER!r}.format(path=sys.path)
    made = 0
    for args, kwargs in (((), {{}}), ((), {{"isolated": False}}), (("legacy",), {{}})):
        try:
            sub = subs.create(*args, **kwargs)
        except (TypeError, ValueError):
            continue  # this version has no such kind
        made += 1
        subs.run_string(sub, code)
        subs.destroy(sub)
    print("made", made)
    """
    result = run(native, body)
    assert "refused:" in result.stdout and "imported\n" not in result.stdout
    assert "made 0" not in result.stdout


def test_missing_library_is_an_import_error(tmp_path):
    env = dict(os.environ, SELFSAME_LIBRARY=str(tmp_path / "nothing.so"))
    result = subprocess.run([sys.executable, "-c", "import selfsame_ffi"], capture_output=True, text=True, env=env)
    assert result.returncode == 1 and "ImportError" in result.stderr and "nothing.so" in result.stderr


def test_library_without_the_runtime_is_an_import_error():
    env = dict(os.environ, SELFSAME_LIBRARY=SYSTEM_LIBRARY)
    result = subprocess.run([sys.executable, "-c", "import selfsame_ffi"], capture_output=True, text=True, env=env)
    assert result.returncode == 1 and "ImportError" in result.stderr and "TVMFFI" in result.stderr


def test_native_threads_work_after_a_sub_interpreter(native):
    # Once there was a sub-interpreter, PyGILState_Check returns 1 on every thread, attached or not.
    run(
        native,
        """
        import time
        try:
            import _xxsubinterpreters as subs
        except ImportError:
            import _interpreters as subs
        subs.destroy(subs.create())
        keep, kept = g('sst.keep'), g('sst.kept')
        for i in range(50):
            keep(Leaf(i)); kept(i)
        keep(lambda: 1); keep(object())
        g('sst.release_on_thread')()
        assert g('sst.apply_on_thread')(lambda value: value + 1, 1) == 2
        for i in range(50):
            g('sst.drop_later')(Leaf(i))
        end = time.monotonic() + 1800
        while selfsame_ffi.debug.counters()['releases_queued'] < 52:
            assert time.monotonic() < end, selfsame_ffi.debug.counters()
            time.sleep(0.001)
        """,
    )


def test_objects_work_in_exit_handlers_after_the_core_shut_down(native):
    """A handler that was given to `atexit` before the import runs after the core has shut down.

    Objects still work in it, but a callback on a native thread raises, and nothing is kept for a later fetch.
    """
    before = """
        import atexit

        @atexit.register
        def last():
            assert leaf.value == 1 and owner.x is owner.x and owner.x.value == 2
            assert g("sst.echo")(leaf) is leaf
            fresh = Leaf(9)
            assert fresh.add(1) == 10
            g("sst.keep")(fresh)
            g("sst.storm_add")(object())
            g("sst.storm")(2)
            try:
                g("sst.apply_on_thread")(lambda value: value, 1)
            except RuntimeError as error:
                assert "shutting down" in str(error)
            else:
                raise AssertionError("a callback on a native thread ran")
            print("last")
        """
    after = """
        @atexit.register
        def first():
            assert g("sst.apply_on_thread")(lambda value: value + 1, 1) == 2
            print("first")

        leaf = Leaf(1); owner = Node(Leaf(2))
        """
    result = run_code(native, textwrap.dedent(before) + PROLOGUE + textwrap.dedent(after))
    assert result.stdout.split() == ["first", "last"], result.stdout + result.stderr
    assert "Traceback" not in result.stderr


def test_a_daemon_thread_whose_callback_is_refused_prints_nothing(native):
    """A thread that calls Python through native code when the interpreter shuts down waits for the process to end."""
    result = run(
        native,
        """
        import threading

        calls, called = [], threading.Event()

        def call(x):
            calls.append(x)
            if len(calls) >= 10:
                called.set()

        def loop():
            while True:
                g("sst.apply")(call, 1)

        for _ in range(3):
            threading.Thread(target=loop, daemon=True).start()
        called.wait()
        """,
    )
    assert "Exception in thread" not in result.stderr, result.stderr


def test_uncaught_exception_ends_the_process_with_1(native):
    """An uncaught exception ends the process with status 1, and nothing crashes."""
    result = run(
        native,
        """
        g('sst.keep')(Rich(1)); g('sst.kept')(0).note = "n"
        g('sst.throw')("ValueError", "the end")
        """,
        status=1,
    )
    assert "ValueError: the end" in result.stderr and "Fatal" not in result.stderr


def test_exception_in_an_exit_handler_is_printed(native):
    result = run(
        native,
        """
        import atexit
        leaf = Leaf(1)
        atexit.register(lambda: g('sst.throw')("ValueError", "too late"))
        """,
    )
    assert "ValueError: too late" in result.stderr and "Fatal" not in result.stderr


@pytest.mark.parametrize("status", [0, 3])
def test_os_exit_with_running_threads_is_clean(native, status):
    """os._exit runs no handlers and no destructors."""
    result = run(
        native,
        f"""
        import os
        g('sst.keep')(Leaf(1)); g('sst.keep')(lambda: 1); g('sst.keep')(object())
        def forever():
            while True:
                g('sst.drop_later')(Node(Rich(1)).x)
        threading.Thread(target=forever, daemon=True).start()
        os._exit({status})
        """,
        status=status,
    )
    assert "Fatal" not in result.stderr and "Traceback" not in result.stderr


def test_sys_exit_in_a_callback_ends_the_process(native):
    result = run(
        native,
        """
        thread = threading.Thread(target=lambda: sys.exit("only this thread"))
        thread.start(); thread.join()
        try:
            g('sst.apply')(lambda value: sys.exit(4), Leaf(1))
        except SystemExit as error:
            print("code", error.code)
            raise
        """,
        status=4,
    )
    assert "code 4" in result.stdout and "Fatal" not in result.stderr


def test_exit_with_moved_and_uninitialised_wrappers_is_clean(native):
    run(
        native,
        """
        moved = Leaf(1); g('sst.take')(moved._move())
        raw = Leaf.__new__(Leaf)
        half = moved_ref = Leaf(2)._move()
        try:
            raw.value
        except RuntimeError as error:
            kept = error
        """,
    )


def test_finalizers_run_while_the_interpreter_ends(native):
    """Finalizers and callbacks of weak references run while CPython clears its modules."""
    result = run(
        native,
        """
        import weakref
        class Last(Rich):
            def __del__(self):
                print("gone", self.value, flush=True)
        one = Last(1)
        ref = weakref.ref(one, lambda _: print("ref", flush=True))
        cycle = Last(3); cycle.me = cycle
        """,
    )
    assert "gone 1" in result.stdout and "Fatal" not in result.stderr
