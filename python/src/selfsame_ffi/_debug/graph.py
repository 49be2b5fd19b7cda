"""The graph of native objects behind :func:`selfsame_ffi.debug.graph`: what is reachable, and the owners of each."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import _core
from .._calls.messages import type_name
from .._load.whole_files import write_whole
from . import graph_view, python_holders
from .graph_ways import Ways, cycles
from .shown import in_html, shown

FORMAT = "selfsame.graph/1"
_TEXT = 120  # longest text of a field


@dataclass
class Node:
    """A native object in a :class:`Graph`."""

    id: int
    type_key: str
    address: int
    strong: int
    """Strong references to it, those of the graph's own making left out."""
    weak: int
    """Weak references; the strong ones together own one of them."""
    bytes: int | None
    """Its size with the memory behind it (elements, entries, a Tensor's data); None where it was not read."""
    state: str
    """``Active``, ``Held``, ``Inactive`` or ``Detached`` (docs/tie-states.md); ``None`` without a tie record; ``?``."""
    record: int = 0
    go_handle: int = 0
    """The Go handle id, 0 without a Go handle."""
    wrapper: str | None = None
    """Class of the live wrapper."""
    python: str | None = None
    """The Python object that it owns: the callable of a Function, the value of an opaque object."""
    fields: dict[str, str] = field(default_factory=dict)
    """Values that are no objects, as text."""
    root: bool = False
    outside: bool = False
    """Not reachable from the roots: an owner of a native object that is."""
    shared: bool = False
    """More than one native object of the graph owns it, or one owns it twice."""
    cycle: int = 0
    """The number of the cycle (strongly connected part) that it belongs to, 0 for none."""
    natives: int = 0
    """References from native objects of the graph."""
    unknown: int = 0
    """References from owners that are not known: variables, containers and closures of native code."""
    held_by: list[list[str]] = field(default_factory=list)
    """Paths of owners that keep it alive, each from the outermost owner to the nearest one. A long path names
    the outermost and the nearest native objects, and how many lie between them."""


@dataclass
class Edge:
    """A reference that a native object owns."""

    source: int
    target: int
    kind: str
    """``field``, ``item``, ``key``, ``value`` or ``owner`` (of an object outside, which was not read)."""
    label: str
    cycle: bool = False


@dataclass
class Graph:
    """Native objects, the references between them, and their owners. Data only: it keeps nothing alive.

    In a notebook it shows itself; ``save`` writes a picture, a page or the data, by the ending of the name.
    """

    nodes: list[Node]
    edges: list[Edge]
    truncated: int = 0
    """References to objects beyond the limit."""

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """Return the graph as dicts and lists; addresses are texts, since readers of JSON round long numbers."""
        nodes = [{**vars(node), "address": hex(node.address), "go_handle": hex(node.go_handle)} for node in self.nodes]
        edges = [dict(vars(edge)) for edge in self.edges]
        return {"format": FORMAT, "truncated": self.truncated, "nodes": nodes, "edges": edges}

    def to_json(self) -> str:
        """Return the data that ``selfsame-ffi graph`` reads."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def svg(self) -> str:
        """Return a picture: large fans folded, laid out by Graphviz where it is installed, otherwise by dagre.

        Raises RuntimeError when the package was built without its command line tool.
        """
        return graph_view.render(self.to_json(), "svg")

    def html(self) -> str:
        """One page with zoom, search, folding and a legend, which needs no network. Errors as for ``svg``."""
        return graph_view.render(self.to_json(), "html")

    def save(self, path: str | Path) -> None:
        """Write ``.svg``, ``.html`` or ``.json``. ValueError for another ending."""
        writers = {".svg": self.svg, ".html": self.html, ".json": self.to_json}
        ending = Path(path).suffix
        if ending not in writers:
            raise ValueError(f"Graph.save: expected a name that ends in .svg, .html or .json, got {str(path)!r}")
        write_whole(path, writers[ending]())

    def owners_of(self, obj: Any) -> list[list[str]]:
        """Return the paths of owners that keep ``obj`` alive. KeyError when its native object is not in the graph."""
        address = _core.tie(obj)["address"]
        for node in self.nodes:
            if node.address == address:
                return node.held_by
        raise KeyError(f"Graph.owners_of: the native object at {address:#x} is not in the graph")

    def __str__(self) -> str:
        counts = Counter(node.type_key for node in self.nodes if not node.outside)
        lines = [f"{sum(counts.values())} native objects, {len(self.edges)} references"]
        lines += [f"  {count:6} {key}" for key, count in counts.most_common(10)]
        for node in self.nodes:
            if node.root:
                lines.append(f"{node.type_key} at {node.address:#x}, {node.strong} strong references, is held by")
                lines += ["  " + " → ".join(path) for path in node.held_by] or ["  nothing that is known"]
        return "\n".join(map(shown, lines))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        try:
            return self.svg()
        except RuntimeError:
            return f"<pre>{in_html(str(self))}</pre>"


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"


def _described(value: Any) -> str:
    name = getattr(value, "__qualname__", None)
    kind = type(value)
    if name is not None:
        return f"{kind.__qualname__} {getattr(value, '__module__', '?')}.{name}"
    return type_name(value)


def _edge_text(edge: Edge) -> str:
    return {"field": f".{edge.label}", "item": f"[{edge.label}]", "value": f"[{edge.label}]"}.get(edge.kind, "")


class _Maker:
    """Makes a graph: reads the native objects, finds owners outside, then paths."""

    def __init__(self, objs: tuple[Any, ...], limit: int, caller: str) -> None:
        roots = list(objs)
        self.ignored = [objs, roots]  # references of this module alone
        self.caller = caller
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.truncated = 0
        self.by_address: dict[int, int] = {}
        self.wrappers: dict[int, Any] = {}  # from numbers of nodes; until the graph is made
        self._read(_core.native_graph(roots, limit))
        count = {_core.tie(root)["address"] for root in roots}
        for node in self.nodes:
            node.root = node.address in count

    def _read(self, rows: list[tuple[Any, ...]]) -> None:
        for number, row in enumerate(rows):
            address, index, strong, weak, record, state, go, size, fields, references, wrapper, python = row
            node = Node(number, _key(index), address, strong, weak, size, state, record, go)
            node.fields = {str(name): _text(value) for name, value in fields}
            node.python = None if python is None else _described(python)
            if wrapper is not None:
                node.wrapper = type(wrapper).__name__
                self.wrappers[number] = wrapper
            self.nodes.append(node)
            self.by_address[address] = number
            for kind, label, target in references:
                if target < 0:
                    self.truncated += 1
                else:
                    self.edges.append(Edge(number, target, kind, _text(label)))

    def add_outside(self) -> None:
        """Adds the native objects outside that own reachable ones, directly or not."""
        rows = {row[0]: row for row in _core.owners()}
        owners: dict[int, list[int]] = {}
        for address, row in rows.items():
            if address not in self.by_address:
                for child in row[5]:
                    owners.setdefault(child, []).append(address)
        pending = deque(self.by_address)
        while pending:
            child = pending.popleft()
            for address in owners.get(child, ()):
                if address not in self.by_address:
                    _, index, strong, _, flags, _, wrapper = rows[address]
                    node = Node(
                        len(self.nodes),
                        _key(index),
                        address,
                        strong,
                        1,
                        None,
                        "Active" if flags & 1 else "Held" if flags & 8 else "?",
                    )
                    node.outside = True
                    if wrapper is not None:
                        node.wrapper = type(wrapper).__name__
                        self.wrappers[node.id] = wrapper
                    self.by_address[address] = node.id
                    self.nodes.append(node)
                    pending.append(address)
                self.edges.append(Edge(self.by_address[address], self.by_address[child], "owner", ""))

    def mark(self) -> None:
        """Counts owners, and marks what is shared and what belongs to a cycle."""
        for edge in self.edges:
            self.nodes[edge.target].natives += 1
        for node in self.nodes:
            node.shared = node.natives > 1
            known = node.natives + (node.state == "Active") + (node.go_handle != 0)
            node.unknown = max(0, node.strong - known)
        for number, component in enumerate(cycles(len(self.nodes), self.edges), 1):
            for member in component:
                self.nodes[member].cycle = number
        for edge in self.edges:
            cycle = self.nodes[edge.source].cycle
            edge.cycle = cycle != 0 and cycle == self.nodes[edge.target].cycle

    def find_holders(self, python: bool) -> None:
        """Fills in ``held_by``."""
        chains: dict[int, list[str]] = {}
        if python:
            ignored = [self.wrappers, *self.ignored]
            chains = python_holders.holders(list(self.wrappers.values()), ignored, [__file__, self.caller])
        own = [self._direct(node, chains) for node in self.nodes]
        ways = Ways(len(self.nodes), self.edges, [number for number, paths in enumerate(own) if paths])
        texts: dict[int, str] = {}  # of edges, which many paths share

        def step(edge: Edge) -> str:
            if id(edge) not in texts:
                source = self.nodes[edge.source]
                texts[id(edge)] = f"{source.type_key} at {source.address:#x}{_edge_text(edge)}"
            return texts[id(edge)]

        for node in self.nodes:
            node.held_by = own[node.id][:4]
            for edge in ways.into(node.id, 3):
                start, outer, left_out, inner = ways.to(edge)
                if start is None:
                    path = ["a cycle that nothing else holds"]
                else:
                    path = [*own[start][0], *map(step, outer)]
                if left_out:
                    path.append(f"… {left_out} more …")
                node.held_by.append([*path, *map(step, inner)])

    def _direct(self, node: Node, chains: dict[int, list[str]]) -> list[list[str]]:
        paths = []
        if node.state == "Active" or (node.state == "Held" and chains.get(id(self.wrappers.get(node.id)))):
            chain = chains.get(id(self.wrappers.get(node.id)), [])
            paths.append([*chain, f"its Python wrapper ({node.wrapper or node.type_key})"])
        if node.go_handle:
            paths.append([f"Go handle {node.go_handle & 0xFFFFFFFFFFFF} of Go library {node.go_handle >> 48}"])
        if node.unknown:
            paths.append([f"{node.unknown} reference{'s' * (node.unknown > 1)} of native code"])
        return paths


def _key(index: int) -> str:
    info = _core.type_key_of(index) if index >= 0 else None
    return info or "?"


def make(objs: tuple[Any, ...], limit: int, owners: bool, python: bool, caller: str) -> Graph:
    """See :func:`selfsame_ffi.debug.graph`. ``caller``: the file of the function that calls this one."""
    if not objs:
        raise TypeError("graph: expected at least one selfsame object, got none")
    maker = _Maker(objs, limit, caller)
    if owners:
        maker.add_outside()
    maker.mark()
    if owners:
        maker.find_holders(python)
    return Graph(maker.nodes, maker.edges, maker.truncated)
