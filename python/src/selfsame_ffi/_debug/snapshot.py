"""Snapshots of live native objects, behind :func:`selfsame_ffi.debug.snapshot`."""

from __future__ import annotations

import gc
import sys
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from .. import _core
from .html import _table
from .shown import in_html, shown
from .tables import number, shortened, text_table

_MOST = 1_000_000  # native objects whose memory a snapshot reads
FORMAT = "selfsame.snapshot/1"


@dataclass(frozen=True)
class ClassCount:
    """Live native objects of one class."""

    type_key: str
    count: int
    """Those from the runtime's allocator, whichever language made them. Of another allocator's, those that have a
    wrapper or a kept block."""
    bytes: int | None
    """Their size, with elements, entries and the data of Tensors as far as Python reaches them; None: not known."""


@dataclass(frozen=True)
class Trace:
    """Live native objects of one class that were made at one place, while tracing was on."""

    type_key: str
    count: int
    bytes: int
    """Size of the objects, without memory that they own elsewhere."""
    python: tuple[str, ...]
    """The Python stack, the innermost call first; empty for an object that a native thread made."""
    native: tuple[str, ...]
    """The stack in C, C++ and Go, as far as the machine's unwinder follows it."""

    def __str__(self) -> str:
        where = self.python or self.native
        lines = [f"{self.count:+,} {self.type_key}, {self.bytes:+,} bytes, made at"]
        return "\n".join([*lines, *("  " + shortened(line, 78) for line in where[:6])])


@dataclass(frozen=True)
class Snapshot:
    """Live native objects, or with ``compare`` the difference between two snapshots. ``str`` of it has 80 columns."""

    classes: tuple[ClassCount, ...]
    traces: tuple[Trace, ...] = ()
    totals: dict[str, int] = field(default_factory=dict)
    """``wrappers``, ``held`` and ``kept_blocks`` of Python, ``go_handles``, ``records``, and ``NAME_bytes`` for each
    collector of another language: the native memory that its objects keep, an estimate."""
    difference: bool = False

    def compare(self, earlier: Snapshot) -> Snapshot:
        """Return the changes since ``earlier``, the largest first; types that have not changed are left out."""
        old = {row.type_key: row for row in earlier.classes}
        new = {row.type_key: row for row in self.classes}
        none = ClassCount("", 0, 0)
        classes = []
        for key in new.keys() | old.keys():
            a, b = new.get(key, none), old.get(key, none)
            # Unknown on one side: nothing of the class was within reach then.
            size = None if a.bytes is None and b.bytes is None else (a.bytes or 0) - (b.bytes or 0)
            if a.count != b.count or size:
                classes.append(ClassCount(key, a.count - b.count, size))
        places = {(one.type_key, one.python, one.native): one for one in earlier.traces}
        traces = []
        for one in self.traces:
            before = places.pop((one.type_key, one.python, one.native), None)
            count, size = (
                (one.count, one.bytes) if before is None else (one.count - before.count, one.bytes - before.bytes)
            )
            if count:
                traces.append(Trace(one.type_key, count, size, one.python, one.native))
        traces += [Trace(one.type_key, -one.count, -one.bytes, one.python, one.native) for one in places.values()]
        totals = {name: value - earlier.totals.get(name, 0) for name, value in self.totals.items()}
        return Snapshot(_by_size(classes), _by_size(traces), {n: v for n, v in totals.items() if v}, True)

    def to_dict(self) -> dict[str, Any]:
        """Return the snapshot as dicts and lists."""
        return {"format": FORMAT, **asdict(self)}

    def _rows(self, key: Callable[[str], str]) -> list[tuple[str, str, str]]:
        sign = self.difference
        return [(key(row.type_key), number(row.count, sign), number(row.bytes, sign)) for row in self.classes]

    def __str__(self) -> str:
        lines = text_table(("class", "natives", "bytes"), self._rows(str))
        if self.totals:
            said = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in self.totals.items())
            lines.extend(textwrap.wrap(said, 80))
        return "\n".join(map(shown, "\n".join(lines + [str(one) for one in self.traces[:10]]).split("\n")))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        title = "Native objects: difference" if self.difference else "Native objects"
        parts = [_table(title, ("class", "natives", "bytes"), self._rows(in_html))]
        if self.traces:
            rows = [
                (in_html(one.type_key), number(one.count), "<br>".join(map(in_html, one.python or one.native)))
                for one in self.traces[:50]
            ]
            parts.append(_table("Made at", ("class", "natives", "stack"), rows))
        return "\n".join(parts)


def _by_size(rows: list[Any]) -> tuple[Any, ...]:
    return tuple(sorted(rows, key=lambda row: (-abs(row.bytes or 0), -abs(row.count), row.type_key)))


def _measured() -> dict[str, tuple[int, int]]:
    """Count and bytes of the native objects that live wrappers lead to, by class."""
    sums: dict[str, tuple[int, int]] = {}
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return sums  # a walk would make a wrapper for each of them
    wrappers = [obj for obj in gc.get_objects() if isinstance(obj, _core.CObject) and obj.__chandle__()]
    for row in _core.native_graph(wrappers, _MOST):
        key = _core.type_key_of(row[1]) or "?"
        count, size = sums.get(key, (0, 0))
        sums[key] = (count + 1, size + row[7])
    return sums


def _traces() -> tuple[Trace, ...]:
    groups: dict[tuple[Any, ...], list[int]] = {}
    for index, size, python, native in _core.traced():
        sums = groups.setdefault((index, python, native), [0, 0])
        sums[0] += 1
        sums[1] += size
    traces = []
    for (index, python, native), (count, size) in groups.items():
        places = tuple(f"{file}:{line} in {name}" for file, line, name in python)
        traces.append(Trace(_core.type_key_of(index) or "?", count, size, places, native))
    return _by_size(traces)


def take() -> Snapshot:
    """See :func:`selfsame_ffi.debug.snapshot`."""
    measured = _measured()
    counts = dict(_core.live_objects())
    for cls, (active, held, kept, _) in _core.wrapper_rows().items():
        index = _core.class_index(cls)
        key = None if index is None else _core.type_key_of(index)
        if key is not None:
            counts[key] = max(counts.get(key, 0), active + held + kept)
    classes = []
    for key, count in counts.items():
        size = _core.type_size(key)
        seen, measured_bytes = measured.get(key, (0, 0))
        if size is not None and seen < count:
            measured_bytes += size * (count - seen)
        known = bool(seen) or size is not None
        classes.append(ClassCount(key, count, measured_bytes if known else None))
    counters = _core.counters()
    totals = {name: counters[name] for name in ("wrappers", "held", "kept_blocks", "records")}
    totals["go_handles"] = _core.go_handles()
    for name, kept_bytes in _core.collectors():
        if kept_bytes is not None:
            totals[f"{name}_bytes"] = totals.get(f"{name}_bytes", 0) + kept_bytes
    return Snapshot(_by_size(classes), _traces(), totals)
