"""selfsame_ffi.debug.graph: which native objects are reachable, and which owners keep them alive."""

# Requirement: G5

import gc
import json
import sys
import threading
import time

import origins
import pytest
import selfsame_ffi
from selfsame_ffi import debug
from waiting import wait_until

GIL = getattr(sys, "_is_gil_enabled", lambda: True)()


def node_of(graph, obj):
    address = debug.tie(obj)["address"]
    [node] = [node for node in graph if node.address == address]
    return node


def labels(graph, source):
    return sorted((edge.kind, edge.label) for edge in graph.edges if edge.source == source)


def test_nodes_have_class_fields_counts_and_state(native):
    leaf, rich = native.leaf(7), native.rich(2)
    native.keep(rich)
    graph = debug.graph(selfsame_ffi.List([leaf, rich, 5]))
    top, seven, held = graph.nodes[0], node_of(graph, leaf), node_of(graph, rich)
    assert (top.type_key, top.root, top.fields["2"], top.fields["len()"]) == ("ffi.List", True, "5", "3")
    assert labels(graph, 0) == [("item", "0"), ("item", "1")]
    assert (seven.type_key, seven.fields, seven.state, seven.strong, seven.weak) == (
        "sst.Leaf",
        {"value": "7"},
        "Active",
        2,
        1,
    )
    assert (held.state, held.wrapper, held.strong, held.unknown) == ("Active", "Rich", 3, 1)
    assert seven.unknown == 0
    native.release()


def test_graph_leaves_counts_and_states_as_they_were(native):
    leaf, rich = native.leaf(1), native.rich(1)
    holder = selfsame_ffi.Dict({"a": leaf, "b": rich, "c": [leaf, leaf]})
    before = [debug.tie(obj) for obj in (leaf, rich, holder)], debug.counters()
    graph = debug.graph(holder)
    assert len(graph) == 4
    if GIL:
        assert ([debug.tie(obj) for obj in (leaf, rich, holder)], debug.counters()) == before


def test_shared_references_and_cycles_are_marked(native):
    leaf = native.leaf(1)
    ring = selfsame_ffi.List([leaf, leaf])
    ring.append(selfsame_ffi.Dict({"back": ring}))
    graph = debug.graph(ring)
    assert node_of(graph, leaf).shared and not node_of(graph, leaf).cycle
    assert [node.type_key for node in graph if node.cycle] == ["ffi.List", "ffi.Dict"]
    assert sorted(edge.label for edge in graph.edges if edge.cycle) == ["2", "back"]
    ring.clear()


def test_functions_and_opaque_values_name_their_python_object(native):
    def callback():
        return None

    graph = debug.graph(selfsame_ffi.Array([selfsame_ffi.convert(callback)]))
    assert [node.python for node in graph] == [None, f"function {__name__}.{callback.__qualname__}"]


def test_tensors_count_their_data(native):
    numpy = pytest.importorskip("numpy")
    tensor = selfsame_ffi.from_dlpack(numpy.zeros((1000, 3), "float32"))
    [node] = debug.graph(tensor)
    assert node.bytes > 12000 and node.fields["shape"] == "(1000, 3)" and "float32" in node.fields["dtype"]


KEPT: list = []


def test_path_of_a_module_variable_is_found(native):
    global KEPT  # a new list: gc.get_referrers does not look at those that gc.freeze() has put away
    leaf = native.leaf(1)
    KEPT = [selfsame_ffi.Array([leaf])]
    graph = debug.graph(leaf)
    paths = [" → ".join(path) for path in graph.owners_of(leaf)]
    assert f"variable leaf of {sys._getframe().f_code.co_name}()" in paths[0]
    assert any(p.startswith(f"module {__name__}.KEPT → ") for p in paths[1:]), paths
    outside = [node for node in graph if node.outside]
    assert [node.type_key for node in outside] == ["ffi.Array"]
    KEPT = []


def test_an_owner_of_an_owner_is_found(native):
    leaf = native.leaf(1)
    inner = selfsame_ffi.Array([leaf])
    outer = selfsame_ffi.Dict({"inner": inner})
    graph = debug.graph(leaf)
    outside = [(node.type_key, node.wrapper) for node in graph if node.outside]
    assert outside == [("ffi.Array", "Array"), ("ffi.Dict", "Dict")]
    assert sorted((edge.source, edge.target, edge.kind) for edge in graph.edges) == [(1, 0, "owner"), (2, 1, "owner")]
    assert len(outer) == 1


def test_an_owner_without_a_wrapper_is_found(native):
    leaf = native.leaf(1)
    native.keep(selfsame_ffi.Array([leaf]))
    gc.collect()
    [owner] = [node for node in debug.graph(leaf) if node.outside]
    assert (owner.type_key, owner.state, owner.wrapper, owner.unknown) == ("ffi.Array", "?", None, 1)
    native.release()


def test_owners_are_found_while_the_collector_is_disabled_and_it_stays_so(native):
    leaf = native.leaf(1)
    holder = selfsame_ffi.Array([leaf])
    gc.disable()
    try:
        graph = debug.graph(leaf)
        assert not gc.isenabled()
    finally:
        gc.enable()
    assert [node.type_key for node in graph if node.outside] == ["ffi.Array"]
    assert len(holder) == 1


def test_owners_are_found_while_other_threads_make_and_drop_objects(native):
    class Stateful(native.Plain):
        __slots__ = ("__dict__", "__weakref__")

    leaf = native.leaf(1)
    holder = selfsame_ffi.Array([leaf])
    box = selfsame_ffi.List([holder])
    before = native.live()
    found, errors = [], []
    ended = threading.Event()

    def make_and_drop():
        while not ended.is_set():
            plain = Stateful()
            plain.any = selfsame_ffi.List([plain, native.leaf(2), box[0]])  # only a collection frees it
            selfsame_ffi.List([native.leaf(3), selfsame_ffi.Array([plain])])
            time.sleep(0.001)

    def ask():
        for _ in range(5):
            graph = debug.graph(leaf, python=False)
            found.append([(node.type_key, node.wrapper) for node in graph if node.address == address])

    def run(body):
        try:
            body()
        except BaseException as error:
            errors.append(error)

    address = debug.tie(holder)["address"]
    makers = [threading.Thread(target=run, args=(make_and_drop,)) for _ in range(2)]
    asking = [threading.Thread(target=run, args=(ask,)) for _ in range(3)]
    for thread in makers + asking:
        thread.start()
    for thread in asking:
        thread.join()
    ended.set()
    for thread in makers:
        thread.join()
    assert errors == []
    assert found == [[("ffi.Array", "Array")]] * 15
    wait_until(lambda: gc.collect() >= 0 and native.live() == before, "natives are left")


def test_references_of_native_code_are_counted(native):
    leaf = native.leaf(1)
    native.keep(leaf)
    native.keep(leaf)
    paths = debug.graph(leaf).owners_of(leaf)
    assert ["2 references of native code"] in paths
    native.release()


def test_garbage_in_a_native_cycle_says_so(native):
    ring = selfsame_ffi.List([])
    ring.append(selfsame_ffi.List([ring]))
    inner = debug.graph(ring).nodes[1]
    assert inner.held_by[0][-1].startswith("ffi.List at") and "[0]" in inner.held_by[0][-1]
    ring.clear()


def test_limit_truncates(native):
    graph = debug.graph(selfsame_ffi.Array([native.leaf(i) for i in range(50)]), limit=10)
    assert len([node for node in graph if not node.outside]) == 10 and graph.truncated == 41


def test_objects_lists_natives_that_lost_their_wrapper(native):
    native.keep(native.leaf(41))
    gc.collect()
    assert [leaf.value for leaf in debug.objects("sst.Leaf")] == [41]
    native.release()
    assert debug.objects("sst.Leaf") == []


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: debug.graph(), TypeError, "graph: expected at least one selfsame object, got none"),
        (lambda: debug.graph(1), TypeError, "graph: expected selfsame objects, got int"),
        (lambda: debug.graph(selfsame_ffi.Array([]), limit=0), ValueError, "expected a limit from 1 to"),
        (lambda: debug.objects("no.Class"), ValueError, "objects: expected the key of a class, got 'no.Class'"),
        (lambda: debug.graph(selfsame_ffi.Array([])).save("x.png"), ValueError, r"ends in .svg, .html or .json"),
    ],
)
def test_wrong_arguments_are_refused(native, call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_data_is_json(native, tmp_path):
    graph = debug.graph(selfsame_ffi.Map({"k": native.leaf(1)}))
    graph.save(tmp_path / "graph.json")
    data = json.loads((tmp_path / "graph.json").read_text())
    assert data["format"] == "selfsame.graph/1" and len(data["nodes"]) == 2
    assert data["nodes"][0]["address"].startswith("0x") and data == graph.to_dict()


def test_missing_tool_is_an_error_and_a_notebook_shows_text(native, monkeypatch):
    monkeypatch.setattr("selfsame_ffi._debug.graph_view.tool", lambda: None)
    graph = debug.graph(selfsame_ffi.Array([]))
    with pytest.raises(RuntimeError, match="built without the command line tool"):
        graph.svg()
    assert graph._repr_html_().startswith("<pre>1 native objects")


def test_pictures_and_pages_are_made_by_the_tool(native, monkeypatch, tmp_path):
    try:
        monkeypatch.setenv("SELFSAME_TOOL", str(origins.tool()))
    except origins.Unavailable as reason:
        pytest.skip(str(reason))
    graph = debug.graph(selfsame_ffi.Array([native.leaf(i) for i in range(100)]))
    assert graph.svg().startswith("<svg ") and "more" in graph._repr_html_()
    graph.save(tmp_path / "graph.html")
    assert "</html>" in (tmp_path / "graph.html").read_text()
