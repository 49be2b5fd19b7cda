"""The shapes: holders in Python x places in native code x what happened before x classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable, NamedTuple

import events
import events_inside  # noqa: F401  (more events)
import families
import holders
import holders_running  # noqa: F401  (more holders)
import holders_stored  # noqa: F401

# Where native code keeps the object; every name is one of counts.cc's, or several of them.
PLACES: dict[str, tuple[str, ...]] = {
    "nowhere": (),
    "a reference": ("reference",),
    "an Any": ("Any",),
    "two Anys": ("Any", "Any"),
    "an Array": ("Array",),
    "a List": ("List",),
    "a Map": ("Map",),
    "a Dict": ("Dict",),
    "a field": ("field",),
    "a native closure": ("closure",),
    "a native thread": ("thread",),
    "a List in a field in an Array": ("deep",),
    "a List, a Map and a field": ("List", "Map", "field"),
    "an Optional": ("Optional",),
    "a Variant": ("Variant",),
    "a Tuple": ("Tuple",),
    "a Map's key": ("key",),
    "two references": ("shared",),
}
# These are combined in pairs.
PAIRED_PLACES = {"an Optional", "a Variant", "a Tuple", "a Map's key", "two references"}
# Where Go code keeps it: kinds of places of the package gocounts. Each is compared with an Any of C++.
GO_PLACES: dict[str, tuple[str, ...]] = {
    "a Go variable": ("variable",),
    "a Go slice": ("slice",),
    "a Go map": ("map",),
    "a goroutine": ("goroutine",),
    "a List that Go holds": ("List",),
    "a field of a Go object": ("field",),
}
# Where Rust code does, in a place that Rust counts itself: kinds of places of counts.rs.
RUST_PLACES: dict[str, tuple[str, ...]] = {
    "a Rust Any": ("Any",),
    "a Rust ObjectRef": ("ObjectRef",),
    "a Rust Vec": ("Vec",),
    "a Rust HashMap": ("HashMap",),
    "a Rust Arc with a Mutex": ("Arc",),
    "a Rust thread": ("thread",),
    "an Array that Rust holds": ("Array",),
    "a field of a Rust object": ("field",),
}
VARIABLE, ANY, NOTHING, RICH = "a variable", "an Any", "nothing", families.RICH
HELD_NATIVELY = "a callback's argument, held natively"
BUILTIN = {name for name in families.MAKERS if name.startswith(("an ", "a ")) and "subclass" not in name}
NO_WEAK = {"`__slots__ = ()`", "`__dict__`", "slots", "declared in Python"} | BUILTIN
NO_DICT = {"`__slots__ = ()`", "slots", "declared in Python"} | BUILTIN
# They run a loop, and so cannot be made in a task.
RUNS_LOOP = {"a task's frame", "a task's result", "an asyncio queue"}
# Without `_move` there.
NO_MOVE = {"a Shape", "a native Function", "a Function of a Python function", "a Tensor", "an Error"}


class Shape(NamedTuple):
    """One of each."""

    holder: str
    place: str
    event: str
    family: str

    @property
    def places(self) -> tuple[str, ...]:
        """The kinds of places in native code."""
        return {**PLACES, **GO_PLACES, **RUST_PLACES}[self.place]

    @property
    def is_foreign(self) -> bool:
        """Whether the places are those of Go or Rust."""
        return self.place not in PLACES


def exists(shape: Shape) -> bool:
    """Whether the parts of a shape go together."""
    if shape.event in events.NEEDS_NATIVE and not shape.places:
        return False
    if shape.event in events.NEEDS_BOX and (shape.family in BUILTIN or shape.family == "declared in Python"):
        return False
    if shape.family in NO_WEAK and shape.holder in holders.NEEDS_WEAK:
        return False
    if shape.family in NO_DICT and shape.holder in holders.NEEDS_DICT:
        return False
    if shape.event == "in a task" and shape.holder in RUNS_LOOP:
        return False
    if shape.event == "in a profiler" and shape.holder == "a trace function's frame":
        return False  # no trace function runs there
    if shape.event == HELD_NATIVELY and shape.place in PAIRED_PLACES:
        return False  # these places are empty while native code works with what they hold
    if shape.holder == "a bound method" and (shape.family in BUILTIN or shape.family == "declared in Python"):
        return False
    if shape.family in NO_MOVE and "moved" in shape.event or shape.family == "a Shape" and shape.event == "compared":
        return False
    # Where nothing else holds it, Python's weak reference or cycle may leave a dead object.
    held = bool(shape.places) and shape.event not in events.GIVES_COPY
    return held or shape.holder not in holders.NEEDS_WEAK | holders.NEEDS_DICT


def all_events() -> list[str]:
    """The names of all events."""
    return [*events.EVENTS, *events.AROUND]


def rows() -> Iterator[Shape]:
    """The shapes in which one thing is varied at a time."""
    yield from filter(exists, (Shape(holder, ANY, NOTHING, RICH) for holder in holders.HOLDERS))
    yield from filter(exists, (Shape(VARIABLE, place, NOTHING, RICH) for place in PLACES))
    yield from filter(exists, (Shape(VARIABLE, ANY, event, RICH) for event in all_events()))
    yield from filter(exists, (Shape(VARIABLE, ANY, NOTHING, family) for family in families.MAKERS))
    fetched = "while two other fetches of it live"
    yield from filter(exists, (Shape(VARIABLE, ANY, fetched, family) for family in families.MAKERS if family != RICH))


def in_pairs(shape: Shape) -> bool:
    """Whether a part of the shape has its usual value, or none is one of those that are combined in pairs only."""
    if shape.place in PAIRED_PLACES:
        return shape.event == NOTHING or shape.holder == VARIABLE
    if shape.holder in holders.EVERYWHERE and shape.event in events.EVERYWHERE:
        return True
    return shape.place == ANY or shape.event == NOTHING or shape.holder == VARIABLE


def all_shapes() -> Iterator[Shape]:
    """Every combination for one class, and pairs for the others."""
    for holder in holders.HOLDERS:
        for place in PLACES:
            wanted = (Shape(holder, place, event, RICH) for event in all_events())
            yield from filter(exists, filter(in_pairs, wanted))
    for family in families.MAKERS:
        if family == RICH:
            continue
        yield from filter(exists, (Shape(holder, ANY, NOTHING, family) for holder in holders.HOLDERS))
        yield from filter(exists, (Shape(VARIABLE, place, NOTHING, family) for place in PLACES if place != ANY))
        yield from filter(exists, (Shape(VARIABLE, ANY, event, family) for event in all_events() if event != NOTHING))


def go_shapes() -> Iterator[Shape]:
    """Pairs with each place in Go."""
    # C++ must hold it. Go has one handle of an object, so that a Go func's argument adds nothing to Go's variable. In a
    # forked child Go begins without variables.
    left_out = {
        HELD_NATIVELY,
        "a callback's argument that the caller has given",
        "dropped in a forked child",
    }
    return foreign_shapes(GO_PLACES, left_out)


def rust_shapes() -> Iterator[Shape]:
    """Pairs with each place in Rust."""
    return foreign_shapes(RUST_PLACES, {HELD_NATIVELY})  # C++ must hold it


def foreign_shapes(places: dict[str, tuple[str, ...]], left_out: set[str]) -> Iterator[Shape]:
    """Pairs with each of the places, without some events."""
    for place in places:
        yield from filter(exists, (Shape(holder, place, NOTHING, RICH) for holder in holders.HOLDERS))
        chosen = [event for event in all_events() if event not in left_out | {NOTHING}]
        yield from filter(exists, (Shape(VARIABLE, place, event, RICH) for event in chosen))
        yield from filter(
            exists, (Shape(VARIABLE, place, NOTHING, family) for family in families.MAKERS if family != RICH)
        )


SETS: dict[str, Callable[[], Iterator[Shape]]] = {"rows": rows, "all": all_shapes, "go": go_shapes, "rust": rust_shapes}
