"""Go values in fields of objects, and the funcs that run when an object's last reference is gone."""

# Requirement: D9

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading

import pytest
import selfsame_ffi

pytestmark = pytest.mark.usefixtures("collected")


def lines(folder):
    return (folder / "lock").read_text().splitlines()


def test_reopened_folder_does_not_hang(goclasses, tmp_path):
    """The bleve case: the index is closed by OnDrop, whatever thread the next one waits on."""
    for i in range(3):
        index = goclasses.Index(str(tmp_path))
        index.add(f"line {i}")
        del index
        gc.collect()
    selfsame_ffi.collect()
    assert lines(tmp_path) == [line for i in range(3) for line in (f"line {i}", "closed")]


def test_collect_waits_for_on_drop(goclasses, tmp_path):
    indices = [goclasses.Index(str(tmp_path / str(i))) for i in range(4)]
    del indices
    selfsame_ffi.collect()
    assert all(lines(tmp_path / str(i)) == ["closed"] for i in range(4))


def test_on_drop_may_call_python(goclasses, tmp_path):
    """It runs on another thread, while the thread that dropped the object holds the GIL or waits in collect()."""
    threads = []

    def tell():
        threads.append(threading.get_ident())
        return False

    index = goclasses.Index(str(tmp_path))
    index.on_drop(tell)
    del index
    selfsame_ffi.collect()
    assert len(threads) == 1 and threads[0] != threading.get_ident()
    assert lines(tmp_path) == ["closed"]


def test_on_drop_waits_for_every_language(goclasses, tmp_path):
    index = goclasses.Index(str(tmp_path))
    array = selfsame_ffi.convert([index])
    del index
    selfsame_ffi.collect()
    assert lines(tmp_path) == []
    again = array[0]
    del array
    selfsame_ffi.collect()
    assert lines(tmp_path) == []
    again.add("still open")
    del again
    selfsame_ffi.collect()
    assert lines(tmp_path) == ["still open", "closed"]


def test_cycles_run_on_drop(goclasses, tmp_path):
    class Owner(goclasses.Index):
        pass

    index = Owner(str(tmp_path))
    index.itself = index
    del index
    selfsame_ffi.collect()
    assert lines(tmp_path) == ["closed"]


def test_failed_constructor_runs_no_on_drop(goclasses, tmp_path, capfd):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        goclasses.Index(str(tmp_path / "file" / "folder"))
    selfsame_ffi.collect()
    assert capfd.readouterr().err == ""


EXIT = """
import sys
sys.path.insert(0, sys.argv[1])
import goclasses
index = goclasses.Index(sys.argv[2] + "/module")
class Owner(goclasses.Index): pass
cycle = Owner(sys.argv[2] + "/cycle")
cycle.itself = cycle
def last():
    other = goclasses.Index(sys.argv[2] + "/dropped")
last()
stuck = goclasses.Index(sys.argv[2] + "/stuck")
if len(sys.argv) > 3:
    stuck.hang()
"""


def run(program, *args, **env):
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, args)],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, **env},
    )


def test_exit_waits_for_on_drop(go_packages, tmp_path):
    result = run(EXIT, go_packages, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    for name in ("module", "cycle", "dropped", "stuck"):
        assert lines(tmp_path / name) == ["closed"], name


def test_exit_waits_for_a_bounded_time(go_packages, tmp_path):
    result = run(EXIT, go_packages, tmp_path, "stuck", SELFSAME_DROP_TIMEOUT="0.5")
    assert result.returncode == 0
    assert result.stderr.endswith(
        "selfsame: 1 funcs of OnDrop have not returned 0.5 seconds after the end of the program\n"
    )
    assert lines(tmp_path / "module") == ["closed"] and lines(tmp_path / "stuck") == []


def test_value_is_opaque_in_python(goclasses, tmp_path):
    bag = goclasses.Bag("b")
    assert bag.put("x") == 1 and bag.put("x") == 1 and bag.put("y") == 2 and bag.count("x") == 2
    assert repr(bag.words) == "<Go value of type map[string]int>" and bag.words is bag.words
    assert repr(bag) == 'goclasses.Bag(name="b", words=<Go value of type map[string]int>)'
    with pytest.raises(AttributeError):
        bag.words = {}
    words = bag.words
    del bag
    selfsame_ffi.collect()
    assert repr(words) == "<Go value of type map[string]int>"


def test_copies_share_the_value(goclasses):
    bag = goclasses.Bag("b")
    for copied in (copy.copy(bag), copy.deepcopy(bag), copy.deepcopy([bag])[0]):
        bag.put("x")
        assert copied is not bag and copied.count("x") == bag.count("x")


def test_objects_with_on_drop_are_not_copied(goclasses, tmp_path):
    index = goclasses.Index(str(tmp_path))
    for make in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="goclasses.Index: objects cannot be copied, because the class has OnDrop"):
            make(index)


def test_objects_with_a_value_are_not_pickled(goclasses):
    bag = goclasses.Bag("b")
    message = (
        r"goclasses.Bag: objects cannot be pickled or written as JSON: field `Words` holds a Go value "
        r"\(map\[string\]int\); "
        r"give the class selfsame.JSON, or tag the field `ffi:\"transient\"`"
    )
    with pytest.raises(TypeError, match=message):
        pickle.dumps(bag)
    with pytest.raises(TypeError, match=message):
        selfsame_ffi.serialization.to_json_graph_str(bag)
    with pytest.raises(TypeError, match="a Go value of type"):
        pickle.dumps(bag.words)

    class Derived(goclasses.Bag):
        pass

    with pytest.raises(TypeError, match=message):
        pickle.dumps(Derived("d"))
