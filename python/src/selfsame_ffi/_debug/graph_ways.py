"""Ways along the references of a graph: cycles, and how owners outside reach each node.

Everything here takes time and memory that grow with the size of the graph: it is used in processes that are sick.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph import Edge

NEAREST = 8  # references that a way names, counted from its end


class Ways:
    """One shortest way to each node from nodes that something outside of the graph holds, as a forest."""

    def __init__(self, count: int, edges: Iterable[Edge], held: Iterable[int]) -> None:
        self._incoming: list[list[Edge]] = [[] for _ in range(count)]
        outgoing: list[list[Edge]] = [[] for _ in range(count)]
        for edge in edges:
            self._incoming[edge.target].append(edge)
            outgoing[edge.source].append(edge)
        self._up: list[Edge | None] = [None] * count  # the last reference of the way to a node
        self._root = [-1] * count  # where the way begins; -1: there is none
        self._depth = [0] * count
        self._first: list[Edge | None] = [None] * count  # the first reference of the way
        below: list[list[int]] = [[] for _ in range(count)]
        pending = deque(held)
        for node in pending:
            self._root[node] = node
        roots = list(pending)
        while pending:
            node = pending.popleft()
            for edge in outgoing[node]:
                child = edge.target
                if self._root[child] < 0:
                    self._up[child] = edge
                    self._root[child] = self._root[node]
                    self._depth[child] = self._depth[node] + 1
                    self._first[child] = self._first[node] or edge
                    below[node].append(child)
                    pending.append(child)
        # A node lies below another one exactly when it is entered and left between the other's entry and exit.
        self._entry, self._exit = [0] * count, [0] * count
        clock = 0
        for root in roots:
            work = [root]
            while work:
                node = work.pop()
                clock += 1
                if node < 0:
                    self._exit[~node] = clock
                else:
                    self._entry[node] = clock
                    work.append(~node)
                    work += below[node]

    def _below(self, node: int, above: int) -> bool:
        return self._entry[above] <= self._entry[node] <= self._exit[above]

    def into(self, node: int, most: int) -> Iterator[Edge]:
        """References to a node, of so many sources at most, but of none that the node itself keeps alive.

        When nothing outside holds the node, those are the references of its cycle.
        """
        seen: set[int] = set()
        up = self._up[node]
        edges = self._incoming[node] if up is None else [up, *self._incoming[node]]
        for edge in edges:
            source = edge.source
            if len(seen) == most:
                return
            if source in seen or (self._root[node] >= 0 and self._root[source] >= 0 and self._below(source, node)):
                continue
            seen.add(source)
            yield edge

    def to(self, edge: Edge) -> tuple[int | None, list[Edge], int, list[Edge]]:
        """Return the way that ends with a reference: its first node (None: a cycle that nothing holds), its first
        reference if others follow that are left out, how many are, and the nearest ones."""
        source = edge.source
        if self._root[source] < 0:
            return None, [], 0, [edge]
        nearest = [edge]
        while len(nearest) < NEAREST:
            up = self._up[nearest[-1].source]
            if up is None:
                break
            nearest.append(up)
        left_out = self._depth[source] + 1 - len(nearest)
        nearest.reverse()
        first = self._first[source]
        if left_out == 0 or first is None:
            return self._root[source], [], 0, nearest
        return self._root[source], [first], left_out - 1, nearest


def cycles(count: int, edges: list[Edge]) -> list[list[int]]:
    """Return the strongly connected parts with a cycle, by Tarjan's algorithm without recursion."""
    outgoing: list[list[int]] = [[] for _ in range(count)]
    loops = {edge.source for edge in edges if edge.source == edge.target}
    for edge in edges:
        outgoing[edge.source].append(edge.target)
    order = [0] * count  # 0: not seen
    low = [0] * count
    on_path = [False] * count
    path: list[int] = []
    found: list[list[int]] = []
    clock = 0
    for start in range(count):
        work = [] if order[start] else [(start, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                clock += 1
                order[node] = low[node] = clock
                path.append(node)
                on_path[node] = True
            for position in range(at, len(outgoing[node])):
                child = outgoing[node][position]
                if not order[child]:
                    work += [(node, position + 1), (child, 0)]
                    break
                if on_path[child]:
                    low[node] = min(low[node], order[child])
            else:
                if low[node] == order[node]:
                    component: list[int] = []
                    while not component or component[-1] != node:
                        component.append(path.pop())
                        on_path[component[-1]] = False
                    if len(component) > 1 or node in loops:
                        found.append(component)
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
    return found
