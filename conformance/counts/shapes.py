"""The shapes: holders in Python x places in native code x what happened before x classes."""

from __future__ import annotations

from typing import Iterator, NamedTuple

import events
import families
import holders

# Where native code keeps the object; every name is one of native.cc's, or several of them.
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
}
VARIABLE, ANY, NOTHING, RICH = "a variable", "an Any", "nothing", families.RICH
BUILTIN = {name for name in families.MAKERS if name.startswith(("an ", "a ")) and "subclass" not in name}
NO_WEAK = {"`__slots__ = ()`", "`__dict__`", "slots", "declared in Python"} | BUILTIN
NO_DICT = {"`__slots__ = ()`", "slots", "declared in Python"} | BUILTIN


class Shape(NamedTuple):
    """One of each."""

    holder: str
    place: str
    event: str
    family: str

    @property
    def places(self) -> tuple[str, ...]:
        """The kinds of places in native code."""
        return PLACES[self.place]


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
    # Where nothing else holds it, Python's weak reference or cycle may leave a dead object.
    return bool(shape.places) or shape.holder not in holders.NEEDS_WEAK | holders.NEEDS_DICT


def all_events() -> list[str]:
    """The names of all events."""
    return [*events.EVENTS, *events.AROUND]


def rows() -> Iterator[Shape]:
    """The shapes in which one thing is varied at a time."""
    yield from filter(exists, (Shape(holder, ANY, NOTHING, RICH) for holder in holders.HOLDERS))
    yield from filter(exists, (Shape(VARIABLE, place, NOTHING, RICH) for place in PLACES))
    yield from filter(exists, (Shape(VARIABLE, ANY, event, RICH) for event in all_events()))
    yield from filter(exists, (Shape(VARIABLE, ANY, NOTHING, family) for family in families.MAKERS))


def all_shapes() -> Iterator[Shape]:
    """Every combination for one class, and pairs for the others."""
    for holder in holders.HOLDERS:
        for place in PLACES:
            yield from filter(exists, (Shape(holder, place, event, RICH) for event in all_events()))
    for family in families.MAKERS:
        if family == RICH:
            continue
        yield from filter(exists, (Shape(holder, ANY, NOTHING, family) for holder in holders.HOLDERS))
        yield from filter(exists, (Shape(VARIABLE, place, NOTHING, family) for place in PLACES if place != ANY))
        yield from filter(exists, (Shape(VARIABLE, ANY, event, family) for event in all_events() if event != NOTHING))
