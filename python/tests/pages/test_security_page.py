"""docs/security.md: each bound that the page states holds, and each row of its table has a test here."""

# Requirement: G5

import io
import json
import pickle
import re

import pytest
import selfsame_ffi
from repository import ROOT, tracked_files
from selfsame_ffi import _core, debug, structural
from selfsame_ffi._debug import graph_ways as _graph_ways
from selfsame_ffi._debug import top as _top

PAGE = (ROOT / "docs" / "security.md").read_text()
DEPTH = 262_144
TOOL = ROOT / "cmd" / "selfsame-ffi"


def bounds():
    table = PAGE.split("## What is bounded", 1)[1].split("## Files", 1)[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {row[0]: row[1] for row in rows[1:]}


def source(path):
    return (ROOT / path).read_text()


def nested(levels):
    value = selfsame_ffi.List([])
    for _ in range(levels - 1):
        value = selfsame_ffi.List([value])
    return value


def chain(levels):
    nodes = [{"type": "ffi.Array", "data": []}, *({"type": "ffi.Array", "data": [i]} for i in range(levels - 1))]
    return json.dumps({"root_index": levels - 1, "nodes": nodes})


def from_graph(text):
    return selfsame_ffi.get_global_func("ffi.FromJSONGraphString")(text)


def depth_of_json():
    parse = selfsame_ffi.get_global_func("ffi.json.Parse")
    levels = 500_000
    value = parse("[" * levels + "]" * levels)
    assert len(value) == 1
    with pytest.raises(ValueError, match="Expecting value"):
        parse("[" * levels)


def depth_of_walks():
    assert str(DEPTH) in bounds()[WALKS].replace(",", "")
    with pytest.raises(ValueError, match=rf"FromJSONGraph: maximum depth \({DEPTH}\) exceeded"):
        from_graph(chain(DEPTH + 2))
    deep, same = nested(DEPTH + 2), nested(DEPTH + 2)
    for walk in (
        repr,
        hash_of := structural.structural_hash,
        lambda value: structural.structural_equal(value, same),
        lambda value: value == same,
        selfsame_ffi.get_global_func("ffi.RecursiveHash"),
    ):
        with pytest.raises(ValueError, match=rf"maximum depth \({DEPTH}\) exceeded"):
            walk(deep)
    assert hash_of(nested(1000)) == hash_of(nested(1000))


def cycles_and_numbers():
    for root, nodes in (
        (5, []),
        (-1, []),
        (0, [{"type": "ffi.Array", "data": [0]}]),
        (0, [{"type": "ffi.Array", "data": [7]}]),
    ):
        with pytest.raises(ValueError, match="Invalid JSON Object Graph"):
            from_graph(json.dumps({"root_index": root, "nodes": nodes}))


def shared(levels):
    value = selfsame_ffi.Array([1])
    for _ in range(levels):
        value = selfsame_ffi.Array([value, value])
    return value


def time_of_equality():
    one, same = shared(100), shared(100)
    assert one == same and hash(one) == hash(same)
    assert structural.structural_equal(one, same)
    assert structural.structural_hash(one) == structural.structural_hash(same)


def length_of_repr():
    text = repr(shared(100))
    assert len(text) < (1 << 20) + 10_000 and "..." in text


def nodes_of_a_graph():
    assert debug.graph.__kwdefaults__["limit"] == int(
        re.search(r"\d[\d,]*", bounds()["`debug.graph`"])[0].replace(",", "")
    )
    graph = debug.graph(nested(50), limit=10)
    assert len([node for node in graph if not node.outside]) == 10 and graph.truncated == 1


def owners_of_a_graph():
    assert f"the {_graph_ways.NEAREST} nearest" in bounds()["path of owners in `debug.graph`"]
    [path] = debug.graph(nested(100)).nodes[99].held_by
    assert len([step for step in path if step.startswith("ffi.List at")]) == 1 + _graph_ways.NEAREST


def shape_of_a_tensor():
    for shape in ((2**40, 2**40), (2**62, 4), (-1,)):
        with pytest.raises((ValueError, OverflowError)):
            _core.tensor_from_bytes((2, 32, 1), shape, b"")


def constant(path, text):
    return lambda: source(path).index(text)


WALKS = "depth of a JSON graph, of a repr, of structural and recursive equality and hash"

# Rows whose behaviour a test elsewhere shows have the constant of the source here, which the page repeats.
ROWS = {
    "depth of JSON": depth_of_json,
    WALKS: depth_of_walks,
    "cycles and numbers of nodes in a JSON graph": cycles_and_numbers,
    "time of equality and hash": time_of_equality,
    "length of a repr": length_of_repr,
    "`debug.graph`": nodes_of_a_graph,
    "path of owners in `debug.graph`": owners_of_a_graph,
    # python/tests/tensors/test_described_tensors.py
    "shape, strides and byte offset of a DLPack tensor": shape_of_a_tensor,
    # python/tests/debug/test_debug_serve.py
    "request to a live view": lambda: bounds()["request to a live view"].index(f"{_top._LIMIT:,}"),
    "clients of a live view that are answered at once": lambda: int(
        bounds()["clients of a live view that are answered at once"]
    )
    == _top._CLIENTS
    or pytest.fail("the page has another number"),
    "answer that `selfsame-ffi top` reads": constant("cmd/selfsame-ffi/top.go", "const most = 64 << 20"),
    # cmd/selfsame-ffi/internal/graphview/graphview_test.go
    "depth of a graph file": constant(
        "cmd/selfsame-ffi/internal/graphview/graphview_test.go", 'strings.Repeat("[", 100_000)'
    ),
    # cmd/selfsame-ffi/internal/graphview/graphview_test.go
    "nodes in a page of a graph": constant(
        "cmd/selfsame-ffi/internal/graphview/scene.js", "PAGE = { nodes: 400, references: 150 };"
    ),
    "nodes in a picture": constant(
        "cmd/selfsame-ffi/internal/graphview/scene.js", "STILL = { nodes: 200, references: 50 };"
    ),
    "references between the nodes, besides those that led to them": constant(
        "cmd/selfsame-ffi/internal/graphview/scene.js", "PAGE = { nodes: 400, references: 150 };"
    ),
    # cmd/selfsame-ffi/top_test.go
    "time for which `selfsame-ffi top` waits for an answer": constant(
        "cmd/selfsame-ffi/top.go", "topPatience = 10 * time.Second"
    ),
    "size of a library that `selfsame-ffi` unpacks from a wheel": constant(
        "cmd/selfsame-ffi/internal/library/library.go", "const maxUnpacked = 1 << 31"
    ),
    # cmd/selfsame-ffi/internal/gosource/hostile_test.go
    "texts of constants that name functions in Go source": constant(
        "cmd/selfsame-ffi/internal/gosource/names.go", "maxOperands = 1000\n\tmaxText     = 1 << 16"
    ),
    # cmd/selfsame-ffi/internal/probe/probe_test.go
    "time that a library may take to load in `selfsame-ffi`": constant(
        "cmd/selfsame-ffi/internal/probe/child.go", "Patience = time.Minute"
    ),
}


def test_each_bound_of_the_page_has_a_test():
    assert list(bounds()) == list(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_the_bound_holds(native, row):
    ROWS[row]()


def test_the_unpickler_of_the_page_reads_data_alone(native):
    [block] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    scope = {}
    exec(block, scope)  # the page's own code
    value = selfsame_ffi.Dict({"a": selfsame_ffi.List([1, selfsame_ffi.Array(["x"])])})
    assert scope["DataOnly"](io.BytesIO(pickle.dumps(value))).load()["a"][1][0] == "x"
    for function in (print, eval):
        with pytest.raises(pickle.UnpicklingError, match="is not data"):
            scope["DataOnly"](io.BytesIO(pickle.dumps(function))).load()
    found = selfsame_ffi.get_global_func("ffi.ModuleLoadFromFile")
    with pytest.raises(pickle.UnpicklingError, match="selfsame_ffi._copying.function is not data"):
        scope["DataOnly"](io.BytesIO(pickle.dumps(found))).load()


def test_files_of_the_page_exist():
    for path in re.findall(r"\]\(\.\./([^)]+)\)", PAGE):
        assert (ROOT / path).is_file(), path


#: What opens or dials a socket in Python, Go and C, and the name of TVM's function that does.
SOCKETS = re.compile(
    r"\b(?:socket\.socket|socket\.create_|socketpair|asyncio\.(?:open_|start_)|http\.server|urllib\.request|http\.client)"
    r"|\bnet\.(?:Listen|Dial|FileConn)|\bnet\.Dialer|\bnet/http\"|\bhttp\.(?:Listen|Get|Post|Client)|crypto/tls"
    r"|^\s*(?:\w+ = )?(?:socket|connect|bind|listen)\(|\"rpc\.Connect\"",
    re.MULTILINE,
)
PRODUCT = ("abi", "cmd", "internal", "python/src", "tvm")


def test_the_page_names_each_socket():
    named = set(re.findall(r"\]\(\.\./([^)]+)\) \|$", PAGE.split("### Sockets", 1)[1].split("## ", 1)[0], re.MULTILINE))
    found = set()
    for path in tracked_files():
        room = path.startswith(tuple(f"{room}/" for room in PRODUCT)) or "/" not in path
        code = path.endswith((".py", ".go", ".c", ".h")) and not path.endswith("_test.go")
        if room and code and "testdata/" not in path and SOCKETS.search(source(path)):
            found.add(path)
    assert found == named
