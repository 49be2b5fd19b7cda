"""Random graphs with cycles of every kind: reachable objects keep their state, one collection frees all others.

The objects are native objects of four classes (lean and stateful, with plain fields and with fields of the published
headers), Lists, Dicts, closures over Python objects, and opaque Python values. Any object may own any other and itself.
A model in plain Python says which objects are reachable from variables and from those that native code keeps.
"""

# Requirement: C9

import gc
import os
import random
import weakref

import pytest
import selfsame_ffi
from reachable import reachable

SEED = int(os.environ.get("SELFSAME_SEED", "0")) or random.randrange(1 << 30)
STEPS = int(os.environ.get("SELFSAME_GRAPH_STEPS", "250"))


class Holder:
    """A Python object that refers to wrappers. As an opaque value, native objects can own it."""

    def __init__(self):
        self.refs = []


class Callback(Holder):
    def __call__(self):
        return None


class Graph:
    """The objects, each with a number as its name, and the model."""

    def __init__(self, native, seed):
        self.native = native
        self.random = random.Random(seed)
        self.stateful = type("Stateful", (native.Plain,), {})
        self.header = type("Header", (native.Node,), {})
        self.variables = {}  # name -> wrapper or Holder, for objects that a variable refers to
        self.kept = []  # names, in the order of native.keep
        self.owned = {}  # name -> names of the objects that it owns
        self.counted = set()  # names of the objects that native.live() counts
        self.watched = {}  # name -> weak reference to a stateful wrapper or a Holder
        self.next = 0
        self.base = native.live()

    def add(self, obj, owned=(), counted=False, watched=False):
        name = self.next
        self.next += 1
        self.variables[name] = obj
        self.owned[name] = list(owned)
        if counted:
            self.counted.add(name)
        if watched:
            self.watched[name] = weakref.ref(obj)
        return name

    def some(self, most=3):
        """Names of up to `most` variables."""
        names = list(self.variables)
        return self.random.sample(names, min(len(names), self.random.randint(0, most)))

    def make_native(self):
        kind = self.random.randrange(4)
        obj = [self.native.Plain, self.stateful, lambda: self.native.Node(None), lambda: self.header(None)][kind]()
        name = self.add(obj, counted=True, watched=kind in (1, 3))
        obj.i = name
        if kind in (1, 3):
            obj.note = [name]

    def make_container(self):
        targets = self.some()
        values = [self.variables[t] for t in targets]
        if self.random.random() < 0.5:
            self.add(selfsame_ffi.List(values), targets)
        else:
            pad = self.random.choice([0, 0, 30])
            self.add(selfsame_ffi.Dict({k: v for k, v in enumerate(values + list(range(pad)))}), targets)

    def make_holder(self):
        targets = self.some()
        holder = self.random.choice([Holder, Callback])()
        holder.refs = [self.variables[t] for t in targets]
        self.add(holder, targets, watched=True)

    def link(self):
        """Set x and any of a native object, and friends of its wrapper if that is stateful."""
        owners = [n for n in self.variables if n in self.counted]
        if not owners:
            return
        owner = self.random.choice(owners)
        obj = self.variables[owner]
        objects = [n for n in self.some() if not isinstance(self.variables[n], Holder)][:1]
        obj.x = self.variables[objects[0]] if objects else None
        rest = self.some()
        values = [self.variables[n] for n in rest]
        obj.any = self.random.choice([list, selfsame_ffi.List, tuple])(values)
        self.owned[owner] = objects + rest + [n for n in self.owned[owner] if isinstance(n, tuple)]
        if owner in self.watched:
            friends = self.some()
            obj.friends = [self.variables[n] for n in friends]
            self.owned[owner] = objects + rest + friends

    def append(self):
        lists = [n for n in self.variables if isinstance(self.variables[n], selfsame_ffi.List)]
        if lists and self.variables:
            one, other = self.random.choice(lists), self.random.choice(list(self.variables))
            self.variables[one].append(self.variables[other])
            self.owned[one].append(other)

    def keep(self):
        if self.variables:
            name = self.random.choice(list(self.variables))
            self.native.keep(self.variables[name])
            self.kept.append(name)

    def release(self):
        self.native.release()
        self.kept.clear()

    def drop(self):
        for name in self.some(6):
            del self.variables[name]

    def reachable(self):
        return reachable([*self.variables, *self.kept], self.owned.__getitem__)

    def check_used(self):
        """Reachable objects exist and have their state."""
        used = self.reachable()
        for name, ref in self.watched.items():
            assert name not in used or ref() is not None, f"{name} is in use and was collected (seed {SEED})"
        for name in used & self.watched.keys() & self.counted:
            obj = self.watched[name]()
            assert obj.i == name and obj.note == [name]
            assert [v.i for v in getattr(obj, "friends", []) if hasattr(v, "note")] == [
                n
                for n in self.owned[name][len(self.owned[name]) - len(getattr(obj, "friends", [])) :]
                if n in self.watched and n in self.counted
            ]

    def check_gone(self):
        """All others are freed; call it after a full collection."""
        used = self.reachable()
        left = [name for name, ref in self.watched.items() if ref() is not None and name not in used]
        assert left == [], f"{left} were not collected (seed {SEED})"
        assert self.native.live() - self.base == len(used & self.counted), f"seed {SEED}"
        for name in self.owned.keys() - used:
            del self.owned[name]
            self.watched.pop(name, None)
            self.counted.discard(name)


@pytest.mark.parametrize("n", range(6))
def test_random_graph_with_cycles_is_collected_exactly(native, n):
    print("SELFSAME_SEED =", SEED)
    graph = Graph(native, SEED + n)
    actions = [graph.make_native] * 5 + [graph.make_container] * 3 + [graph.make_holder] * 2 + [graph.link] * 6
    actions += [graph.append] * 2 + [graph.drop] * 2 + [graph.keep, graph.release]
    for step in range(STEPS):
        graph.random.choice(actions)()
        if step % 7 == 0:
            gc.collect(graph.random.choice([0, 1]))
            graph.check_used()
        if step % 10 == 0:
            gc.collect()
            graph.check_used()
            graph.check_gone()
    graph.release()
    graph.variables.clear()
    gc.collect()
    graph.check_gone()
    assert not graph.owned
