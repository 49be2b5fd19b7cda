"""Every allocation of a scenario fails in turn: the answer is MemoryError, nothing crashes, nothing leaks."""

import os
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("_testcapi")

PROGRAM = """
import gc, sys
import _testcapi
import selfsame
selfsame.load_extension(sys.argv[1])
g = selfsame.get_global_func
def of(key, **body):
    return selfsame.register_object(key)(type(key.split(".")[1], (selfsame.Object,), body))
Leaf, Node, Rich = of("sst.Leaf", __slots__=()), of("sst.Node", __slots__=()), of("sst.Rich")
echo, apply, throw, count, keep, kept, release = (
    g("sst." + name) for name in ("echo", "apply", "throw", "count_args", "keep", "kept", "release")
)
live = g("sst.live")
import numbers, ctypes  # what conversions import on first use
echo(object()); echo(ctypes.c_void_p(1))
callback = lambda value: value
raises = lambda value: 1 // 0
owner = Node(Leaf(1)); owner.x
rich_owner = Node(Rich(1)); rich_owner.x.note = 1
array = selfsame.Array([Leaf(1), "text", 5])

def scenario():
{scenario}

def numbers_now():
    gc.collect()
    counters = selfsame.debug.counters()
    counters.pop("releases_queued")
    return counters, selfsame.debug.live_objects(), live()

try:
    scenario()
except Exception:
    pass
before = numbers_now()
finished = 0
for start in range(1, 400):
    _testcapi.set_nomemory(start, start + 1)
    try:
        scenario()
        done = True
    except MemoryError:
        done = False
    except Exception as error:
        # A failure of ours may be reported by native code, or hit CPython's own error path.
        done = {expected}
    finally:
        _testcapi.remove_mem_hooks()
    finished = finished + 1 if done else 0
    if finished > 30:
        break
release()
after = numbers_now()
assert after == before, [(k, before[0][k], v) for k, v in after[0].items() if before[0][k] != v] + [
    before[1:], after[1:]]
print("ended at", start)
"""

SCENARIOS = {
    "fetch": ("owner.x.value; rich_owner.x.note", "False"),
    "first fetch": ("leaf = Leaf(2)\nnode = Node(leaf)\ndel leaf\nnode.x.value", "False"),
    "arguments": ("count('a longer text', b'longer bytes', [1, ['x' * 9]], (2,), object(), callback)", "False"),
    "many arguments": ("count(*[[1]] * 20)", "False"),
    "callback": ("apply(callback, owner)", "False"),
    "callback that raises": ("apply(raises, owner)", "isinstance(error, ZeroDivisionError)"),
    "native error": ("throw('ValueError', 'a message')", "isinstance(error, ValueError)"),
    "array": (
        "selfsame.Array([Leaf(1), 'text' * 4]) + [owner]; array[0]; array[:]; list(array); 5 in array",
        "False",
    ),
    "fields": ("owner.s = 'a longer string'; owner.s; owner.any = [1]; owner.any; owner.any = None", "False"),
    "error value": ("error = selfsame.Error('K', 'm'); error.kind; error.py_error()", "False"),
    "stateful": ("node = Node(Rich(1)); node.x.note = []; del node", "False"),
    "method": ("Leaf(1).add(2); Leaf.twice(3)", "False"),
    "kept": ("keep(Rich(1)); kept(0).note = 1; release()", "False"),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_memory(native, name):
    scenario, expected = SCENARIOS[name]
    program = PROGRAM.format(scenario=textwrap.indent(scenario, "    "), expected=expected)
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program, str(native.path)],
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ),
    )
    assert result.returncode == 0, (result.returncode, result.stdout, result.stderr[-3000:])
