"""A forked child works as its parent does: objects, counts, and, with a Go runtime of its own, all of the runtime.

SELFSAME_FORKS is the number of forks of the test under load (default 25; `make forks` sets 1,000).
"""

# Requirement: C14

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import warnings

import fork_areas
import pytest
import selfsame_ffi
from repository import SUPPORT

cloudpickle = pytest.importorskip("cloudpickle")
process_tasks = pytest.importorskip("process_tasks")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
METHODS = [method for method in ("fork", "spawn", "forkserver") if method in multiprocessing.get_all_start_methods()]


@pytest.fixture(autouse=True)
def quiet():
    """Without the warning of CPython that a process with threads forks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def in_child(body) -> str:
    """Call `body` in a forked child; the text that it returns, or its error."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            text = body()
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    assert os.waitpid(pid, 0)[1] == 0
    return text


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="the sanitizer's own thread registry may be locked by another thread at the fork (GCC before 13)",
)
def test_no_child_hangs_after_a_fork_under_load(native):
    forks = os.environ.get("SELFSAME_FORKS", "25")
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(SUPPORT / "fork_load.py"), str(native.path), forks],
        capture_output=True,
        text=True,
        timeout=3000,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{forks} forks, 0 hung, 0 failed" in result.stdout


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="with the GIL no object has a lock")
@pytest.mark.parametrize("of", ["elements", "attributes"])
def test_child_uses_an_object_that_threads_of_the_parent_waited_for(native, of):
    shared, stop, owner = selfsame_ffi.List(range(100_000)), threading.Event(), native.Rich(1)
    vars(owner).update({f"a{n}": n for n in range(100_000)})
    use = (lambda: len(shared[1:])) if of == "elements" else lambda: len(vars(owner).copy()) - 1

    def read():
        while not stop.is_set():
            assert use() == 99_999

    def body():
        signal.alarm(60)
        return str(use())

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    try:
        assert [in_child(body) for _ in range(5)] == ["99999"] * 5
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_child_sees_the_parents_objects(native):
    owner, rich = native.Node(native.Leaf(3)), native.Rich(4)
    rich.note = [1]
    first = id(owner.x)

    def body():
        assert id(owner.x) == first and owner.x.value == 3 and rich.note == [1]
        owner.x.value = 9
        rich.note.append(2)
        return f"{owner.x.value} {rich.note} {selfsame_ffi.debug.tie(owner)['strong']}"

    assert in_child(body) == f"9 [1, 2] {selfsame_ffi.debug.tie(owner)['strong']}"
    assert owner.x.value == 3 and rich.note == [1]  # the child changed its copy


def test_child_has_the_same_counters(native):
    owner = native.Node(native.Leaf(3))
    owner.x  # noqa: B018  its block is kept
    before = selfsame_ffi.debug.counters()
    assert in_child(lambda: repr(selfsame_ffi.debug.counters())) == repr(before)


def test_queued_releases_run_in_parent_and_child(native):
    """A fork copies the queue of deferred releases, so each process runs them for itself."""

    class Payload:
        died = 0

        def __del__(self):
            Payload.died += 1

    for _ in range(5):
        native.storm_add(Payload())
    release = native.storm
    before, release.release_gil = release.release_gil, False
    try:
        release(2)
    finally:
        release.release_gil = before

    def body():
        waiting = selfsame_ffi.debug.counters()["releases_waiting"]
        return f"{waiting} {Payload.died}"

    assert in_child(body) == "0 5"
    assert selfsame_ffi.debug.counters()["releases_waiting"] == 0 and Payload.died == 5


@pytest.fixture(scope="module")
def used(native):
    """The first use of an area makes objects that stay: the wrappers of builtin functions."""
    fork_areas.use_all(fork_areas.Made())


@pytest.mark.parametrize("area", fork_areas.AREAS)
def test_area_works_in_a_child(native, used, area):
    """Each area alone in a fresh child, where it makes the first call that needs Go."""
    made = fork_areas.Made()
    assert in_child(lambda: str(fork_areas.AREAS[area](made))) == "None"
    fork_areas.AREAS[area](made)


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="about the ninth generation hangs under the sanitizer: not understood",
)
def test_forty_generations_work(native, used):
    """A child of a child, and so on: each loads a copy of its own."""
    fork_areas.in_grandchild(fork_areas.Made(), 40)


def test_child_of_a_child_keeps_identity(native):
    leaf = native.Leaf(6)
    assert in_child(lambda: in_child(lambda: str(native.echo(leaf) is leaf and leaf.value))) == "6"


def test_fork_works_after_a_second_import():
    """Handlers of fork, exit and the cycle collector are installed once for each process."""
    program = """
import gc, os, sys
import selfsame_ffi
kept = selfsame_ffi.Array([selfsame_ffi.float32, selfsame_ffi.device("cpu")])
seen = list(kept)
for name in [name for name in sys.modules if name.partition(".")[0] == "selfsame_ffi"]:
    del sys.modules[name]
import selfsame_ffi
assert sum("collection" in repr(callback) for callback in gc.callbacks) == 1
assert type(kept[0]) is selfsame_ffi.dtype and type(kept[1]) is selfsame_ffi.Device
echo = selfsame_ffi.convert(lambda value: value)
assert type(echo(selfsame_ffi.float32)) is selfsame_ffi.dtype
pid = os.fork()
if pid == 0:
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
print("done")
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800)
    assert result.stdout == "done\n", result.stdout + result.stderr


def test_fork_on_another_thread_works(native):
    import threading

    leaf = native.Leaf(2)
    texts = []

    def body():
        return str(native.apply_on_thread(lambda value: value.value, leaf))

    thread = threading.Thread(target=lambda: texts.append(in_child(body)))
    thread.start()
    thread.join()
    assert texts == ["2"]


def test_child_runs_exit_handlers(native):
    """A child that exits with sys.exit runs its exit handlers, and ends with the status."""
    owner = native.Node(native.rich(1))
    owner.x.note = owner
    pid = os.fork()
    if pid == 0:
        try:
            code = "import sys; sys.exit(7)"
            exec(code)
        except SystemExit:
            import atexit

            atexit._run_exitfuncs()
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    owner.x.note = None


@pytest.mark.parametrize("method", METHODS)
def test_multiprocessing_pool_works(native, method):
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(process_tasks.make_and_use, range(6)) == [value + 1 for value in range(6)]
        texts = pool.map(process_tasks.needs_go, range(2))
    assert texts == ["ran"] * 2


@pytest.mark.parametrize("method", METHODS)
def test_process_pool_executor_works(native, method):
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        futures = [pool.submit(process_tasks.make_and_use, value) for value in range(4)]
        assert [future.result(timeout=1800) for future in futures] == [1, 2, 3, 4]


@pytest.mark.parametrize("method", METHODS)
def test_objects_travel_between_processes(native, method):
    """Pickled to the worker and back: one object stays one object on each side."""
    shared = selfsame_ffi.List([selfsame_ffi.List([1, "two"]), 3])
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        same, inner_same, back = pool.apply(process_tasks.shared_twice, ([shared, shared],))
    assert same and inner_same
    assert back[0] is back[1] and back[0] == shared and back[0] is not shared


def test_cloudpickled_function_travels_with_its_objects(native):
    """As task schedulers do it: a local function and the objects of its closure are pickled by value."""
    context = multiprocessing.get_context("spawn")
    shared = selfsame_ffi.List([1, 2])

    def task(extra):
        shared.append(extra)
        return shared, shared, len(shared)

    payload = cloudpickle.dumps((task, (selfsame_ffi.List([5]),)))
    with context.Pool(1) as pool:
        answer = pool.apply(process_tasks.run_cloudpickled, (payload,))
    first, second, length = cloudpickle.loads(answer)
    assert length == 3 and first is second
    assert list(first)[:2] == [1, 2] and list(first[2]) == [5]
    assert len(shared) == 2  # the worker changed a copy
