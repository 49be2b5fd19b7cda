"""Inspecting native objects, wrappers and their tie records."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

from . import _core  # noqa: F401
from ._debug import graph as _graph  # noqa: F401
from ._debug import snapshot as _snapshot
from ._debug.graph import Graph
from ._debug.html import _table
from ._debug.shown import in_html, shown
from ._debug.snapshot import Snapshot
from ._debug.tables import number, text_table
from ._debug.top import Server
from ._load import runtime  # noqa: F401


def tie(obj: _core.CObject) -> dict[str, Any]:
    """Return the tie between a wrapper and its native object.

    * ``state``: ``"Active"``, ``"Held"`` (the native object owns a reference to the wrapper), ``"Detached"`` (no native
      object yet) or ``"Moved"`` (the native object was moved away)
    * ``stateful``: whether the wrapper has state that outlives a drop
    * ``record``: number of the tie record, 0 without one
    * ``go_handle``: the record's Go handle id (frontend in the upper 16 bits, table entry in the others), 0 without one
    * ``strong`` and ``weak``: the native object's reference counts, with the wrapper's own reference
    * ``shares``: further strong references that the wrapper owns, because it was fetched while it lived
    * ``address``: the native object's address
    """
    return _core.tie(obj)


def live_objects() -> dict[str, int]:
    """Live native objects that came from the runtime's allocator, by type key."""
    return _core.live_objects()


def counters() -> dict[str, int]:
    """Counters of the whole process.

    * ``wrappers``: live Python wrappers
    * ``held``: those that are held by their native object
    * ``kept_blocks`` and ``kept_bytes``: memory of dead wrappers, kept for the next fetch
    * ``records``: native objects with a tie record
    * ``releases_queued`` and ``releases_waiting``: releases that were deferred so far, and those not run yet
    """
    return _core.counters()


def wrappers() -> int:
    """Number of live Python wrappers."""
    return _core.counters()["wrappers"]


RECORD_BYTES = 32
"""Size of one tie record."""
_HEAD = ("class", "natives", "bytes", "active", "held", "kept", "kept bytes")


@dataclass(frozen=True)
class Row:
    """One class in a :class:`Report`."""

    type_key: str
    natives: int
    """Live native objects from the runtime's allocator; those of other allocators are not counted."""
    native_bytes: int | None
    """Their size together, None for types whose size is not known (containers, texts, types without metadata)."""
    active: int
    """Live wrappers that may die at any time."""
    held: int
    """Live wrappers that are held: they have state, and their native object has other owners."""
    kept_blocks: int
    """Memory blocks of dead wrappers, each kept for the next fetch of its native object."""
    kept_bytes: int
    """Size of those blocks, with the collector's header."""


@dataclass(frozen=True)
class Unaccounted:
    """Native objects of one class that the cycle collector does not free for one reason, nor what they reference."""

    type_key: str
    """``?`` if the native object could not be read."""
    reason: str
    """One of the values of ``REASONS``."""
    natives: int
    owners: int
    """References to them from owners that the collector does not know: native code, fields that it cannot read."""

    def __str__(self) -> str:
        return f"{self.natives} of {self.type_key} cannot be collected in a cycle: {self.owners} {self.reason}"


REASONS = {
    "owner": "references belong to owners that are not known",
    "weak": "references of unknown owners, and native weak references",
    "call": "references of unknown owners, in use by calls under way",
    "unread": "references of unknown owners, what they own cannot be read",
    "exporter": "exporters of their memory, which may refer to them, are not known",
}
"""Why the collector does not free native objects; see docs/cycles.md."""


@dataclass(frozen=True)
class Report:
    """Live native objects, wrappers and kept blocks by class, the largest first. ``str()`` of it is a table."""

    rows: tuple[Row, ...]
    records: int
    record_bytes: int
    releases_waiting: int
    unaccounted: tuple[Unaccounted, ...] = ()
    """Native objects with unknown owners; see :func:`unaccounted`."""
    collector: str | None = None
    """Which of CPython's collectors this interpreter has: ``"generations"``, ``"increments"``, ``"whole heap"`` or
    ``"marks first"``; None for one that is not known, where only what one wrapper owns alone is collected."""

    def __getitem__(self, type_key: str) -> Row:
        for row in self.rows:
            if row.type_key == type_key:
                return row
        return Row(type_key, 0, None, 0, 0, 0, 0)

    def __sub__(self, earlier: Report) -> Report:
        """The difference to an earlier report, without the rows that have not changed."""
        rows = []
        for key in {row.type_key for row in (*self.rows, *earlier.rows)}:
            new, old = self[key], earlier[key]
            sizes = (new.native_bytes or 0) - (old.native_bytes or 0)
            row = Row(
                key,
                new.natives - old.natives,
                None if new.native_bytes is None and old.native_bytes is None else sizes,
                new.active - old.active,
                new.held - old.held,
                new.kept_blocks - old.kept_blocks,
                new.kept_bytes - old.kept_bytes,
            )
            if (row.natives, row.active, row.held, row.kept_blocks) != (0, 0, 0, 0):
                rows.append(row)
        return Report(
            _sorted(rows),
            self.records - earlier.records,
            self.record_bytes - earlier.record_bytes,
            self.releases_waiting - earlier.releases_waiting,
            tuple(group for group in self.unaccounted if group not in earlier.unaccounted),
            self.collector,
        )

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (
                row.type_key,
                *map(number, (row.natives, row.native_bytes, row.active, row.held, row.kept_blocks, row.kept_bytes)),
            )
            for row in self.rows
        ]

    def _notes(self) -> list[str]:
        notes = [shown(str(group)) for group in self.unaccounted]
        if self.collector is None:
            notes.append(
                "the collector of this interpreter is not known: only what one wrapper owns alone is collected"
            )
        totals = f"{self.records} tie records, {self.record_bytes} bytes; {self.releases_waiting} releases waiting"
        return [*notes, totals]

    def __str__(self) -> str:
        lines = [*text_table(_HEAD, self._cells()), *self._notes()]
        return "\n".join(textwrap.fill(line, 80, subsequent_indent="  ") if len(line) > 80 else line for line in lines)

    def _repr_html_(self) -> str:
        cells = [tuple(map(in_html, row)) for row in self._cells()]
        notes = "".join(f"<p>{in_html(note)}</p>" for note in self._notes())
        return _table("Native objects and wrappers", _HEAD, cells) + notes


def report() -> Report:
    """Live native objects, wrappers and kept blocks by class, with bytes.

    Take one before and one after, and subtract, to find a leak::

        before = selfsame_ffi.debug.report()
        work()
        print(selfsame_ffi.debug.report() - before)

    A wrapper counts under the type key of its class, or of the nearest base that is registered. Walks the whole tie
    table: not for hot loops.
    """
    natives = _core.live_objects()
    wrappers_of: dict[str, list[int]] = {}
    for cls, numbers in _core.wrapper_rows().items():
        row = wrappers_of.setdefault(_type_key(cls), [0, 0, 0, 0])
        for i, value in enumerate(numbers):
            row[i] += value
    rows = []
    for key in natives.keys() | wrappers_of.keys():
        count = natives.get(key, 0)
        size = _core.type_size(key)
        active, held, kept, kept_bytes = wrappers_of.get(key, (0, 0, 0, 0))
        rows.append(Row(key, count, None if size is None else count * size, active, held, kept, kept_bytes))
    numbers_now = _core.counters()
    records = numbers_now["records"]
    waiting = numbers_now["releases_waiting"]
    return Report(_sorted(rows), records, records * RECORD_BYTES, waiting, unaccounted(), _core.collector())


def unaccounted() -> tuple[Unaccounted, ...]:
    """Native objects that have or had a wrapper and whose owners are not all known, by class and reason.

    The cycle collector never frees them, nor the objects that they reference: an unknown owner may use them. A leak
    that remains after a collection begins at one of them.

    On a free-threaded interpreter this runs a collection, because only a collection stops the other threads.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for index, reason, owners in _core.unaccounted():
        info = _core.type_info(index)
        numbers = groups.setdefault(("?" if info is None else info["type_key"], reason), [0, 0])
        numbers[0] += 1
        numbers[1] += owners
    found = [Unaccounted(key, REASONS[reason], *numbers) for (key, reason), numbers in groups.items()]
    return tuple(sorted(found, key=lambda group: (-group.natives, group.type_key)))


def _sorted(rows: list[Row]) -> tuple[Row, ...]:
    return tuple(sorted(rows, key=lambda row: (-abs(row.natives), -row.kept_blocks, row.type_key)))


def _type_key(cls: type[_core.CObject]) -> str:
    index = _core.class_index(cls)
    info = None if index is None else _core.type_info(index)
    return cls.__qualname__ if info is None else info["type_key"]


def graph(*objs: _core.CObject, limit: int = 20_000, owners: bool = True, python: bool = True) -> Graph:
    """Return the native objects that ``objs`` lead to, with fields, counts, wrapper states and owners.

    ``limit``: how many native objects at most. ``owners``: also find native owners outside, and fill in ``held_by``.
    ``python``: follow wrappers to the variables and modules that refer to them. The result is data only and keeps
    nothing alive::

        print(selfsame_ffi.debug.graph(tree))         # the owners that keep it alive
        selfsame_ffi.debug.graph(tree).save("tree.html")

    A field is followed when its memory is proven to own what it refers to (docs/cycles.md); the values of other fields
    are read by their getters and shown as text. Makes no wrapper; on a free-threaded interpreter it makes one for each
    reachable native object, and finding owners outside runs a collection, because only a collection stops the other
    threads. TypeError for objects of other kinds, ValueError for a wrong limit.
    """
    return _graph.make(objs, limit, owners, python, __file__)


def objects(type_key: str) -> list[Any]:
    """Return the live wrappers of exactly one class, and those of its native objects that lost theirs and lived on.

    A native object that Python never saw is not listed. ValueError for a key that no class has.
    """
    index = _core.type_key_to_index(type_key)
    if index is None:
        raise ValueError(f"objects: expected the key of a class, got {type_key!r}")
    return _core.objects(index)


def start_tracing(frames: int = 8) -> None:
    """Note where native objects are made from now on: the Python stack (at most ``frames``) and the native one.

    Objects that any language makes through the process's allocator are noted, on any thread, until they are freed.
    An allocation takes some microseconds while tracing is on, and nothing more otherwise. For Go's own stacks build the
    Go package with ``-tags debug`` (``selfsame.LiveNatives``). ValueError for a number of frames below 1 or above 64.
    """
    _core.start_tracing(frames)


def stop_tracing() -> None:
    """Note no further objects. Those that are noted stay in snapshots until they are freed."""
    _core.stop_tracing()


def is_tracing() -> bool:
    """Say whether native objects are noted."""
    return _core.is_tracing()


def snapshot() -> Snapshot:
    """Live native objects by class, with bytes; by the place that made them, when tracing is on.

    Reads the native objects that live wrappers lead to, at most a million: not for hot loops. Call ``gc.collect()``
    first to leave out what a collection frees::

        before = selfsame_ffi.debug.snapshot()
        work()
        gc.collect()
        print(selfsame_ffi.debug.compare(before))
    """
    return _snapshot.take()


def compare(earlier: Snapshot, later: Snapshot | None = None) -> Snapshot:
    """Return the changes between two snapshots, the largest difference first. ``later``: by default, one of now."""
    return (snapshot() if later is None else later).compare(earlier)


def serve() -> Server:
    """Let ``selfsame-ffi top PID`` of the same user look at this process, until ``close()`` of the result.

    Nothing is served before this call. The view is on a Unix socket in a folder that only the user can enter, and asks
    for a token that lies beside it. Each look takes a :func:`snapshot`, on a thread of its own. PermissionError where
    the folder is not the user's own.
    """
    return Server()
