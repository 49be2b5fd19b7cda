"""Which native types another language can hold by value: those whose registered fields account for every byte.

The fields of a type fill the bytes from the end of its parent to its own end, and only alignment may leave gaps. All
else - a member that was not registered, a table of virtual functions, a field in the parent's padding - makes the type
opaque, and then every type below it. An opaque type is nothing wrong: its fields are read through the C interface.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Callable, NamedTuple

from .._load.whole_files import write_whole
from .utils import NamedTypeSchema, ObjectInfo

#: No object is aligned less: the header begins with a 64-bit count.
OBJECT_HEADER_ALIGNMENT = 8


def align_up(value: int, alignment: int) -> int:
    """Return the next multiple of `alignment`."""
    return -(-value // alignment) * alignment


@dataclasses.dataclass(frozen=True)
class ByteRange:
    """The bytes of an object from `start` to before `end`."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"[{self.start}, {self.end})"

    def to_json_obj(self) -> list[int]:
        """As JSON data."""
        return [self.start, self.end]


@dataclasses.dataclass(frozen=True)
class FieldBytes:
    """Where a field lies."""

    name: str
    offset: int
    size: int
    alignment: int

    @property
    def end(self) -> int:
        """The first byte behind the field."""
        return self.offset + self.size

    def to_json_obj(self) -> dict[str, Any]:
        """As JSON data."""
        return dataclasses.asdict(self)


@dataclasses.dataclass
class Verdict:
    """The known layout of a type's bytes.

    `reason` is None for a complete type, and `detail` says it in words. For an opaque type it is ``parent-opaque``,
    ``field-overlap``, ``uncovered-bytes``, ``by-directive``, or one of these:

    * ``layout-unknown``: no size or no place of a field is registered
    * ``unrenderable-field``: the target language has no type for a field
    * ``no-mirror``: the target's runtime owns the type

    `own_bytes` is what the own fields must fill, `uncovered` what they do not, `padding` what alignment
    explains.
    """

    type_key: str
    verdict: str
    reason: str | None
    detail: str
    parent_type_key: str | None
    ancestors: list[str]
    total_size: int | None
    is_final: bool | None
    alignment: int | None = None
    own_bytes: ByteRange | None = None
    fields: list[FieldBytes] = dataclasses.field(default_factory=list)
    uncovered: list[ByteRange] = dataclasses.field(default_factory=list)
    padding: list[ByteRange] = dataclasses.field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether the fields account for every byte."""
        return self.verdict == "complete"

    def to_json_obj(self) -> dict[str, Any]:
        """Return the entry in the report."""
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "detail": self.detail,
            "parent": self.parent_type_key,
            "ancestors": list(self.ancestors),
            "total_size": self.total_size,
            "is_final": self.is_final,
            "own_bytes": self.own_bytes and self.own_bytes.to_json_obj(),
            "fields": [field.to_json_obj() for field in self.fields],
            "uncovered": [gap.to_json_obj() for gap in self.uncovered],
            "padding": [gap.to_json_obj() for gap in self.padding],
        }


class _Rules(NamedTuple):
    """The additions of a target language."""

    forced_opaque: AbstractSet[str]
    unmirrored: AbstractSet[str]
    field_renderable: Callable[[NamedTypeSchema], bool] | None


class _Opaque(Exception):
    """Reason and detail of an opaque type."""


def classify(
    infos: Mapping[str, ObjectInfo],
    *,
    forced_opaque: AbstractSet[str] = frozenset(),
    unmirrored: AbstractSet[str] = frozenset(),
    field_renderable: Callable[[NamedTypeSchema], bool] | None = None,
) -> dict[str, Verdict]:
    """Return the verdicts of types. KeyError when an ancestor is not among them.

    `forced_opaque` are types that the target must not hold by value although it could; `unmirrored` types that its
    runtime owns; `field_renderable` tells whether the target has a type for a field.
    """
    rules = _Rules(forced_opaque, unmirrored, field_renderable)
    verdicts: dict[str, Verdict] = {}
    for key in infos:
        line = [key]
        while True:
            if line[-1] not in infos:
                raise KeyError(f"{line[-1]!r}, an ancestor of {key!r}, is not among the types to classify")
            above = infos[line[-1]].parent_type_key
            if line[-1] in verdicts or above is None:
                break
            line.append(above)
        for of_line in reversed(line):
            if of_line not in verdicts:
                info = infos[of_line]
                verdicts[of_line] = _judge(info, verdicts.get(info.parent_type_key or ""), rules)
    return verdicts


def _judge(info: ObjectInfo, parent: Verdict | None, rules: _Rules) -> Verdict:
    assert info.type_key is not None
    made = Verdict(
        info.type_key,
        "opaque",
        None,
        "",
        info.parent_type_key,
        list(info.ancestors),
        info.total_size,
        info.is_final,
    )
    try:
        if info.type_key in rules.unmirrored:
            raise _Opaque("no-mirror", "its bytes are owned by the target's runtime and never mirrored")
        _measure(made, info, parent)
        _obey(info, rules)
    except _Opaque as opaque:
        made.reason, made.detail = opaque.args
        return made
    made.verdict = "complete"
    if parent is None:
        made.detail = f"object header [0, {info.total_size}): owned by the C ABI"
    else:
        gaps = ", ".join(map(str, made.padding))
        made.detail = f"reflected fields fill {made.own_bytes} exactly" + (
            f" (alignment padding {gaps})" if gaps else ""
        )
    return made


def _measure(made: Verdict, info: ObjectInfo, parent: Verdict | None) -> None:
    """Compare the fields with the bytes that they must fill. Raises _Opaque."""
    if info.total_size is None:
        raise _Opaque("layout-unknown", "no metadata of its own: total_size is unknown")
    places = []
    for field in info.fields:
        if field.offset is None or field.size is None or field.alignment is None:
            raise _Opaque("layout-unknown", f"field {field.name!r} carries no native layout facts")
        places.append(FieldBytes(field.name, field.offset, field.size, field.alignment))
    made.fields = sorted(places, key=lambda place: place.offset)
    if parent is None:
        made.alignment, made.own_bytes = OBJECT_HEADER_ALIGNMENT, ByteRange(info.total_size, info.total_size)
        return
    if not parent.is_complete:
        raise _Opaque("parent-opaque", f"parent {parent.type_key!r} is opaque ({parent.reason})")
    assert parent.total_size is not None and parent.alignment is not None
    made.own_bytes = ByteRange(parent.total_size, info.total_size)
    made.alignment = max(parent.alignment, *(place.alignment for place in places), 1)
    overlaps = _fill(made, made.own_bytes, made.alignment)
    if overlaps:
        raise _Opaque("field-overlap", overlaps[0])
    if made.uncovered:
        gaps = ", ".join(map(str, made.uncovered))
        raise _Opaque("uncovered-bytes", f"bytes {gaps} of {made.own_bytes} are not accounted for by reflected fields")


def _fill(made: Verdict, own: ByteRange, alignment: int) -> list[str]:
    """Lay the fields into the own bytes: notes the gaps, and gives what overlaps."""
    overlaps = []
    filled = own.start
    for place in made.fields:
        if place.offset < filled:
            overlaps.append(f"field {place.name!r} at [{place.offset}, {place.end}) starts before byte {filled}")
        else:
            _note_gap(made, filled, place.offset, place.alignment)
        filled = max(filled, place.end)
    if filled > own.end:
        overlaps.append(f"fields extend to byte {filled}, past total_size {own.end}")
    else:
        _note_gap(made, filled, own.end, alignment)
    return overlaps


def _note_gap(made: Verdict, start: int, end: int, alignment: int) -> None:
    if start < end:
        explained = align_up(start, alignment) == end
        (made.padding if explained else made.uncovered).append(ByteRange(start, end))


def _obey(info: ObjectInfo, rules: _Rules) -> None:
    """Apply what the target language adds. Raises _Opaque."""
    for field in info.fields if rules.field_renderable is not None else ():
        if not rules.field_renderable(field):  # type: ignore[misc]
            raise _Opaque("unrenderable-field", f"field {field.name!r} ({field.repr()}) has no native mirror")
    if info.type_key in rules.forced_opaque:
        raise _Opaque("by-directive", "vetoed by directive although the layout is reproducible")


def coverage_report(verdicts: Mapping[str, Verdict]) -> dict[str, Any]:
    """Return the verdicts as JSON data, by type key in order."""
    return {key: verdicts[key].to_json_obj() for key in sorted(verdicts)}


def write_coverage_report(path: Path, verdicts: Mapping[str, Verdict]) -> None:
    """Write the report to a file."""
    write_whole(path, json.dumps(coverage_report(verdicts), indent=2) + "\n")
