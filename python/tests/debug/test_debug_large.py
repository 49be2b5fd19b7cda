"""selfsame_ffi.debug in sick processes: its work and its output grow with the number of native objects, not faster."""

# Requirements: G5, I11

import gc
import sys

import pytest
import selfsame_ffi
from selfsame_ffi import debug
from selfsame_ffi._debug import python_holders as _graph_python
from selfsame_ffi._debug.graph_ways import NEAREST


def chain(size):
    last = selfsame_ffi.List([])
    for _ in range(size - 1):
        last = selfsame_ffi.List([last])
    return last, None


def cycle(size):
    first = last = selfsame_ffi.List([])
    for _ in range(size - 1):
        last = selfsame_ffi.List([last])
    first.append(last)
    return last, first


def star(size):
    return selfsame_ffi.List([selfsame_ffi.List([]) for _ in range(size - 1)]), None


def star_with_a_hub(size):
    hub = selfsame_ffi.List([])
    return selfsame_ffi.List([selfsame_ffi.List([hub]) for _ in range(size - 2)]), hub


def held_by_a_list(size):
    inner = [selfsame_ffi.List([]) for _ in range(size - 1)]
    return selfsame_ffi.List(inner), inner


def held_by_a_dict(size):
    inner = {number: selfsame_ffi.List([]) for number in range(size - 1)}
    return selfsame_ffi.List(list(inner.values())), inner


def held_and_chained(size):
    inner = [selfsame_ffi.List([])]
    for _ in range(size - 1):
        inner.append(selfsame_ffi.List([inner[-1]]))
    return inner[-1], inner


SHAPES = [chain, cycle, star, star_with_a_hub, held_by_a_list, held_by_a_dict, held_and_chained]


def lines_run(call):
    """How many lines of the package's Python files a call runs."""
    count = 0

    def trace(frame, event, _argument):
        nonlocal count
        if "selfsame_ffi" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_the_work_doubles_with_the_graph(native, shape):
    small, _keep_small = shape(400)
    large, _keep_large = shape(800)
    debug.graph(small)  # what runs once
    gc.collect()
    for call in (debug.graph, lambda root: debug.graph(root, python=False), lambda root: str(debug.graph(root))):
        once, twice = lines_run(lambda call=call: call(small)), lines_run(lambda call=call: call(large))
        assert twice < 2.3 * once, (once, twice)
    for call in (debug.report, debug.snapshot, debug.unaccounted):
        assert lines_run(call) < 1_000_000
    _keep_small = _keep_large = None
    small.clear()
    large.clear()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_output_doubles_with_the_graph(native, shape):
    sizes = []
    for size in (400, 800):
        root, _keep = shape(size)
        graph = debug.graph(root)
        assert len(graph) == size
        assert max(len(path) for node in graph for path in node.held_by) <= NEAREST + 3 + _graph_python.DEPTH
        sizes.append(len(graph.to_json()))
        root.clear()
    assert sizes[1] < 2.2 * sizes[0]


def test_references_of_many_wrappers_are_found_in_one_pass(native, monkeypatch):
    asked = []
    get_referrers = gc.get_referrers
    monkeypatch.setattr(gc, "get_referrers", lambda *things: asked.append(len(things)) or get_referrers(*things))
    root, inner = held_by_a_list(500)
    graph = debug.graph(root)
    paths = graph.owners_of(inner[300])
    assert any(len(path) > 1 and path[-2].endswith("[300]") for path in paths), paths
    assert max(asked, default=0) <= _graph_python.FEW


def test_long_paths_name_their_ends(native):
    root, _ = chain(100)
    graph = debug.graph(root)
    [path] = graph.nodes[99].held_by
    assert path[0] == "variable root of test_long_paths_name_their_ends(), line " + path[0].split()[-1]
    named = [step for step in path if step.startswith("ffi.List at")]
    assert named[0] == f"ffi.List at {graph.nodes[0].address:#x}[0]"
    assert named[-1] == f"ffi.List at {graph.nodes[98].address:#x}[0]"
    assert len(named) == 1 + NEAREST and f"… {99 - 1 - NEAREST} more …" in path


def test_a_reference_from_below_is_no_owner(native):
    inner = selfsame_ffi.List([])
    outer = selfsame_ffi.List([inner])
    inner.append(selfsame_ffi.List([inner]))
    address = debug.tie(inner)["address"]
    first = inner
    del inner
    graph = debug.graph(outer)
    [node] = [node for node in graph if node.address == address]
    assert all("nothing else holds" not in step for path in node.held_by for step in path)
    first.clear()


def test_long_keys_are_cut(native):
    leaf = native.leaf(1)
    holder = {"k" * 10_000: leaf}
    assert all(len(step) < 300 for path in debug.graph(leaf).owners_of(leaf) for step in path)
    assert holder


def test_a_key_that_cannot_be_shown_is_not_asked(native):
    class Key:
        def __repr__(self):
            raise AssertionError("the report ran code of a key")

    outer = selfsame_ffi.List([native.leaf(1)])
    holder = [{Key(): outer[0]}]
    steps = [step for node in debug.graph(outer) for path in node.held_by for step in path]
    assert any("[a " in step and step.endswith("Key]") for step in steps), steps
    assert holder
