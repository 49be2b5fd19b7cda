"""Random graphs of native objects and wrappers: reachable objects keep their state, all others are freed.

A model in plain Python knows the owners of each object. After every few changes and a collection, every object that the
model reaches is fetched from its native owners and must have its state.
"""

# Requirements: C7, C8

import gc
import random
import weakref

import pytest
from reachable import reachable


class Model:
    """The objects, each with a number as its name, and their owners."""

    def __init__(self, native, seed, attributes):
        self.native = native
        self.random = random.Random(seed)
        self.attributes = attributes  # whether wrappers refer to each other in attributes, cycles included
        self.cls = type("Tracked", (native.Plain,), {})
        self.held = {}  # name -> wrapper, for objects that a variable refers to
        self.kept = []  # names, in the order of native.keep
        self.owned = {}  # name -> names, always greater ones, of the objects that its native object owns
        self.refs = {}  # name -> name of the object that an attribute of its wrapper refers to
        self.alive = {}  # name -> weak reference to its wrapper, for stateful ones
        self.next = 0

    def referred(self, name):
        return self.owned[name] + ([self.refs[name]] if name in self.refs else [])

    def make(self):
        stateful = self.random.random() < 0.7
        obj = self.cls() if stateful else self.native.Plain()
        name = obj.i = self.next
        self.next += 1
        self.held[name] = obj
        self.owned[name] = []
        if stateful:
            obj.note = [name]
            self.alive[name] = weakref.ref(obj)

    def link(self):
        """Set the fields of a native object that owns nothing yet."""
        parents = [name for name in self.held if not self.owned[name]]
        if not parents:
            return
        parent = self.random.choice(parents)
        children = [name for name in self.held if name > parent]
        self.random.shuffle(children)
        children = children[: self.random.choice([1, 1, 2, 3])]
        if not children:
            return
        self.held[parent].x = self.held[children[0]]
        if children[1:]:
            self.held[parent].any = [self.held[child] for child in children[1:]]
        self.owned[parent] = children

    def refer(self):
        stateful = [name for name in self.held if name in self.alive]
        if self.attributes and stateful:
            one, other = self.random.choice(stateful), self.random.choice(list(self.held))
            self.held[one].friend = self.held[other]
            self.refs[one] = other

    def keep(self):
        if self.held:
            name = self.random.choice(list(self.held))
            self.native.keep(self.held[name])
            self.kept.append(name)

    def release(self):
        if self.random.random() < 0.3:
            self.native.release()
            self.kept.clear()

    def drop(self):
        if self.held:
            del self.held[self.random.choice(list(self.held))]

    def unlink(self):
        parents = [name for name in self.held if self.owned[name]]
        if parents:
            parent = self.random.choice(parents)
            self.held[parent].x = None
            self.held[parent].any = None
            self.owned[parent] = []

    def check(self):
        for name in reachable([*self.held, *self.kept], self.referred):
            assert name not in self.alive or self.alive[name]() is not None, f"{name} is in use and was collected"
        for i, name in enumerate(self.kept):
            self.look(self.native.kept(i), name)
        for name, obj in self.held.items():
            self.look(obj, name)

    def look(self, obj, name):
        """Compare a fetched wrapper, and those of the objects that it owns, with the model."""
        assert obj.i == name
        if name in self.alive:
            assert obj is self.alive[name]()
            assert obj.note == [name]
        if name in self.refs:
            assert obj.friend.i == self.refs[name]
        children = [] if obj.x is None else [obj.x, *(obj.any or [])]
        assert [child.i for child in children] == self.owned[name]
        for child in children:
            self.look(child, child.i)

    def finish(self):
        for ref in self.alive.values():
            if ref() is not None:
                ref().__dict__.clear()
        self.native.release()
        self.held.clear()


@pytest.mark.parametrize("attributes", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_random_graph_keeps_state_in_use(native, seed, attributes):
    model = Model(native, seed, attributes)
    actions = [model.make] * 4 + [model.link] * 4 + [model.drop] * 3
    actions += [model.refer, model.keep, model.release, model.unlink]
    for step in range(300):
        model.random.choice(actions)()
        if step % 10 == 0:
            gc.collect(model.random.choice([0, 1, 2, 2]))
            model.check()
    model.check()
    model.finish()
    gc.collect()
    assert [name for name, ref in model.alive.items() if ref() is not None] == []
