"""C13: the interpreter ends cleanly with objects in every state; sub-interpreters get an ImportError."""

import os
import subprocess
import sys
import textwrap

import pytest

PROLOGUE = """
import gc, sys, threading
import selfsame
from selfsame import Array
selfsame.load_extension(sys.argv[1])
g = selfsame.get_global_func
def of(key, **body):
    return selfsame.register_object(key)(type(key.split(".")[1], (selfsame.Object,), body))
Leaf, Node = of("sst.Leaf", __slots__=()), of("sst.Node", __slots__=())
Rich = of("sst.Rich")
"""


def run(native, body):
    code = PROLOGUE + textwrap.dedent(body)
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, str(native.path)],
        capture_output=True,
        text=True,
        timeout=120,
        env=dict(os.environ),
    )
    assert result.returncode == 0, (result.returncode, result.stdout, result.stderr)
    return result


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
        "selfsame.register_global_func('sst.py.f', lambda: Leaf(1)); g('sst.py.f')()",
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
        # The last native references go when the process tears its globals down, after the interpreter.
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
        "del sys.modules['selfsame'], sys.modules['selfsame._core']; leaf = Leaf(1)",
    ],
)
def test_exit(native, body):
    result = run(native, body)
    assert "Fatal" not in result.stderr and "Traceback" not in result.stderr


def test_native_thread_calls_python_during_exit(native):
    run(
        native,
        """
        import time
        call = g('sst.apply_on_thread')
        def forever():
            while True:
                call(lambda value: value, 1)
        threading.Thread(target=forever, daemon=True).start()
        time.sleep(0.05)
        """,
    )


SUB_INTERPRETER = """
import sys
sys.path[:] = {path!r}
try:
    import selfsame
except ImportError as error:
    print("refused:", error, flush=True)
else:
    print("imported", flush=True)
"""


def test_sub_interpreter(native):
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


def test_missing_library(tmp_path):
    env = dict(os.environ, SELFSAME_LIBRARY=str(tmp_path / "nothing.so"))
    result = subprocess.run([sys.executable, "-c", "import selfsame"], capture_output=True, text=True, env=env)
    assert result.returncode == 1 and "ImportError" in result.stderr and "nothing.so" in result.stderr


def test_library_that_is_no_runtime():
    env = dict(os.environ, SELFSAME_LIBRARY="libm.so.6")
    result = subprocess.run([sys.executable, "-c", "import selfsame"], capture_output=True, text=True, env=env)
    assert result.returncode == 1 and "ImportError" in result.stderr and "TVMFFI" in result.stderr


def test_native_threads_after_a_sub_interpreter_was_made(native):
    # From then on PyGILState_Check answers 1 on every thread, lock or no lock.
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
        time.sleep(0.1)
        assert selfsame.debug.counters()['releases_queued'] >= 52, selfsame.debug.counters()
        """,
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_forked_child(native):
    result = run(
        native,
        """
        import os, warnings
        warnings.simplefilter("ignore")
        owner = Node(Leaf(3)); rich_owner = Node(Rich(4)); rich_owner.x.note = "n"
        first = id(owner.x)
        stop = threading.Event()
        def busy():
            while not stop.is_set():
                g('sst.apply_on_thread')(lambda value: value, 1)
        thread = threading.Thread(target=busy)
        thread.start()
        pid = os.fork()
        if pid == 0:
            ok = id(owner.x) == first and owner.x.value == 3 and rich_owner.x.note == "n"
            ok = ok and g('sst.echo')(owner) is owner and Leaf(5).add(1) == 6
            os._exit(0 if ok else 1)
        status = os.waitpid(pid, 0)[1]
        stop.set()
        thread.join()
        print("child", status)
        """,
    )
    assert "child 0" in result.stdout
