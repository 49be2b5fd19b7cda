"""A model in plain Python of native objects and wrappers, and random operations on both.

Native objects have names: numbers, kept in a native field. The model knows the owners of each object and the state of
its wrapper. Each object that the model reaches must exist with its state, its class and its address. All others must be
freed by the next collection, each finalized once.
"""

from __future__ import annotations

import copy
import gc
import os
import pickle
import random
import time
import traceback
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import pytest
import selfsame_ffi
from reachable import reachable
from waiting import PATIENCE

MAX_ALIVE = 40
OTHER_THREAD = ThreadPoolExecutor(1)  # one: to start a thread takes longer than most operations
COLLECTIONS = 1  # one collection frees all objects without an owner


class World:
    """One graph. A native object owns only objects with greater names, so reference counts alone free the graph."""

    def __init__(self, native: Any, seed: int) -> None:
        self.native = native
        self.random = random.Random(seed)
        self.dels: dict[int, int] = {}
        self.rich_class = self._rich_class()
        self.next = 0
        self.vars: dict[int, Any] = {}  # Python variables
        self.kept: list[int] = []  # names of objects that native code keeps, in order
        self.links: dict[
            int, list[int]
        ] = {}  # names of the objects that a native one owns: x, then the elements of any
        self.kinds: dict[int, str] = {}  # of the objects that the model reaches
        self.notes: dict[int, list] = {}  # state of stateful wrappers
        self.friends: dict[int, int] = {}  # attribute that refers to another wrapper
        self.ids: dict[int, int] = {}
        self.refs: dict[int, weakref.ref] = {}
        self.proxies: dict[int, Any] = {}
        self.containers: list[tuple[Any, str, list[int]]] = []
        # In half of the worlds native threads own objects for an unknown time. In the others the first collection must
        # free all garbage.
        self.late = self.random.random() < 0.5
        self.base = native.live()

    def _rich_class(self) -> type:
        dels = self.dels

        class Rich(self.native.Plain):
            __slots__ = ("__dict__", "__weakref__", "slot")

            def __del__(self) -> None:
                if self.i >= 0:  # not a copy: copies get -1
                    dels[self.i] = dels.get(self.i, 0) + 1

            def itself(self) -> Rich:
                return self

        class RicherStill(Rich):
            pass

        self.subclass = RicherStill
        for cls in (Rich, RicherStill):  # pickles refer to them by name
            cls.__module__, cls.__qualname__ = __name__, cls.__name__
            globals()[cls.__name__] = cls
        return Rich

    # ---- the model ----

    def referred(self, name: int) -> list[int]:
        return self.links[name] + ([self.friends[name]] if name in self.friends else [])

    def reachable(self) -> set[int]:
        contained = (name for _, _, names in self.containers for name in names)
        return reachable([*self.vars, *self.kept, *contained], self.referred)

    def pick(self, wanted: Callable[[int], bool] = lambda name: True) -> int | None:
        names = [name for name in self.vars if wanted(name)]
        return self.random.choice(names) if names else None

    def stateful(self, name: int) -> bool:
        return self.kinds[name] in ("rich", "subclass")

    # ---- operations ----

    def make(self) -> None:
        if len(self.kinds) >= MAX_ALIVE:
            return self.drop()
        kind = self.random.choice(["leaf", "plain", "plain", "rich", "rich", "subclass"])
        name = self.next
        self.next += 1
        if kind == "leaf":
            obj = self.native.leaf(name)
        else:
            obj = {"plain": self.native.Plain, "rich": self.rich_class, "subclass": self.subclass}[kind]()
            obj.i = name
        self.vars[name], self.kinds[name], self.links[name] = obj, kind, []
        self.ids[name] = id(obj)
        if self.stateful(name):
            obj.note = self.notes[name] = [name]
            obj.slot = name
            self.refs[name] = weakref.ref(obj)
            self.proxies[name] = weakref.proxy(obj)
        return None

    def drop(self) -> None:
        name = self.pick()
        if name is not None:
            del self.vars[name]

    def fetch(self) -> None:
        """Assign an object that a native object owns to a variable."""
        owner = self.pick(lambda name: bool(self.links[name]))
        if owner is not None:
            names, objects = self.links[owner], self.children(self.vars[owner])
            k = self.random.randrange(len(names))
            self.look(objects[k], names[k])
            self.vars[names[k]] = objects[k]

    def fetch_kept(self) -> None:
        if self.kept:
            k = self.random.randrange(len(self.kept))
            obj = self.native.kept(k)
            self.look(obj, self.kept[k])
            self.vars[self.kept[k]] = obj

    def fetch_weak(self) -> None:
        """Assign an object that Python has dropped to a variable, by a weak reference or a proxy."""
        dropped = [name for name in self.kept if name not in self.vars and self.stateful(name)]
        if dropped:
            name = self.random.choice(dropped)
            obj = self.refs[name]() if self.random.random() < 0.5 else self.proxies[name].itself()
            if name == self.kept[0]:  # before the first use of the object
                assert self.native.kept_use_count() >= 1 + self.kept.count(name)
            self.look(obj, name)
            self.vars[name] = obj

    def link(self) -> None:
        owner = self.pick(lambda name: self.kinds[name] != "leaf")
        if owner is None:
            return
        children = [name for name in self.vars if name > owner]
        self.random.shuffle(children)
        children = children[: self.random.choice([0, 1, 1, 2, 3])]
        obj = self.vars[owner]
        obj.x = self.vars[children[0]] if children else None
        obj.any = [self.vars[name] for name in children[1:]] if children[1:] else None
        self.links[owner] = children

    def keep(self) -> None:
        name = self.pick()
        if name is not None:
            self.native.keep(self.vars[name])
            self.kept.append(name)

    def release(self) -> None:
        self.native.release()
        self.kept.clear()

    def release_on_thread(self) -> None:
        self.native.release_on_thread()
        self.kept.clear()

    def drop_later(self) -> None:
        name = self.pick()
        if name is not None and self.late:
            self.native.drop_later(self.vars[name])

    def set_attribute(self) -> None:
        name = self.pick(self.stateful)
        if name is not None:
            self.notes[name].append(self.random.random())
            self.vars[name].extra = self.notes[name]

    def befriend(self) -> None:
        name, other = self.pick(self.stateful), self.pick()
        if name is not None and other is not None:
            self.vars[name].friend = self.vars[other]
            self.friends[name] = other

    def part(self) -> None:
        name = self.pick(lambda name: name in self.friends)
        if name is not None:
            del self.vars[name].friend
            del self.friends[name]

    def take_weak_reference(self) -> None:
        name = self.pick(self.stateful)
        if name is not None:
            assert self.refs[name]() is self.vars[name]
            self.refs[name] = weakref.ref(self.vars[name])

    def contain(self) -> None:
        """Put objects into a new container; lists and dicts grow and shrink later."""
        names = [name for name in self.vars if self.random.random() < 0.2]
        objects = [self.vars[name] for name in names]
        kind = self.random.choice(["Array", "List", "Map", "Dict", "Function"])
        if kind == "Function":  # a closure: a native object that owns a Python one
            container = selfsame_ffi.convert(lambda k: objects[k])
        elif kind in ("Map", "Dict"):
            container = getattr(selfsame_ffi, kind)(dict(zip(names, objects)))
        else:
            container = getattr(selfsame_ffi, kind)(objects)
        self.containers.append((container, kind, names))
        if len(self.containers) > 4:
            self.containers.pop(self.random.randrange(4))

    def mutate(self) -> None:
        name = self.pick()
        changing = [entry for entry in self.containers if entry[1] in ("List", "Dict")]
        if name is None or not changing:
            return
        container, kind, names = self.random.choice(changing)
        if kind == "List" and (not names or self.random.random() < 0.6):
            container.append(self.vars[name])
            names.append(name)
        elif kind == "List":
            k = self.random.randrange(len(names))
            popped = container.pop(k)
            self.look(popped, names.pop(k))
        elif name in names:
            del container[name]
            names.remove(name)
        else:
            container[name] = self.vars[name]
            names.append(name)

    def call_back(self) -> None:
        name = self.pick()
        if name is None:
            return
        obj = self.vars[name]
        met: list[bool] = []

        def callback(argument: Any) -> Any:
            met.append(argument is obj)
            return argument

        call = self.random.choice([self.native.apply, self.native.apply_on_thread])
        assert call(callback, obj) is obj
        assert met == [True]

    def round_trip(self) -> None:
        name = self.pick()
        if name is not None:
            assert self.native.echo(self.vars[name]) is self.vars[name]

    def raise_through(self) -> None:
        name = self.pick()
        if name is not None:
            error = KeyError(name)

            def callback(argument: Any) -> None:
                raise error

            with pytest.raises(KeyError) as caught:
                self.native.apply(callback, self.vars[name])
            assert caught.value is error
            error.__traceback__ = None
            del caught

    def move(self) -> None:
        # Not an object whose wrapper is referred to by Python objects too: their wrapper would have no handle.
        others = set(self.friends.values()).union(*(names for _, kind, names in self.containers if kind == "Function"))
        name = self.pick(lambda name: not self.stateful(name) and name not in others)
        if name is None:
            return
        obj, leaf = self.vars.pop(name), self.kinds[name] == "leaf"
        (self.native.take if leaf else self.native.take_any)(obj._move())
        # The object is moved only if the wrapper is its only owner. Garbage or a native thread may be another owner; an
        # object that the model reaches has one for certain.
        try:
            assert (obj.value if leaf else obj.i) == name and id(obj) == self.ids[name]
        except RuntimeError as error:
            assert "moved" in str(error)
            assert name not in self.reachable()

    def collect(self) -> None:
        gc.collect(self.random.choice([0, 1, 2]))

    def copies(self) -> None:
        """A pickle or a copy is a new graph of the same shape."""
        # A leaf cannot be copied, nor can its owners: its class has no constructor without arguments.
        name = self.pick(lambda name: all(self.kinds[other] != "leaf" for other in reachable([name], self.referred)))
        if name is None:
            return
        protocol = self.random.randrange(pickle.HIGHEST_PROTOCOL + 1)
        ways = [copy.deepcopy, lambda obj: pickle.loads(pickle.dumps(obj, protocol))]
        clone = self.random.choice(ways)(self.vars[name])
        self.compare_clone(clone, name, {})

    def compare_clone(self, clone: Any, name: int, seen: dict[int, Any]) -> None:
        if name in seen:
            assert clone is seen[name]  # shared in the original, so shared in the copy
            return
        seen[name] = clone
        assert name not in self.vars or clone is not self.vars[name]
        assert clone.i == name
        clone.i = -1  # its finalizer must not count as the original's
        if self.stateful(name):
            assert clone.slot == name
            assert clone.note == self.notes[name] and clone.note is not self.notes[name]
        children = self.children(clone)
        assert len(children) == len(self.links[name])
        for child, child_name in zip(children, self.links[name]):
            self.compare_clone(child, child_name, seen)
        if name in self.friends:
            self.compare_clone(clone.friend, self.friends[name], seen)

    def on_thread(self) -> None:
        """Another operation, in another Python thread."""
        names = [name for name in OPERATIONS if name not in ("on_thread", "fork")]
        OTHER_THREAD.submit(getattr(self, self.random.choice(names))).result()

    def fork(self) -> None:
        """The child has the same graph. It can drop all of it, unless threads that it does not have own a part."""
        if self.late:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # CPython warns when there are other threads
            child = os.fork()
        if child == 0:
            status = 1
            try:
                self.check()
                self.finish()
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, "a forked child disagrees with the model, see its output"

    # ---- checks ----

    def counted(self, name: int, owners: int) -> None:
        """Native code counts Python: a variable's wrapper owns its object, beside the native owners."""
        tie = selfsame_ffi.debug.tie(self.vars[name])
        assert tie["state"] == "Active"
        assert tie["strong"] >= 1 + owners, (name, self.kinds[name], tie, owners)

    def one_is_counted(self) -> None:
        name = self.pick()
        if name is not None:
            self.counted(name, self.kept.count(name))

    def all_are_counted(self, reachable: set[int]) -> None:
        """After a collection: each owner that the model reaches counts."""
        owners: dict[int, int] = {}
        owned = [self.links[name] for name in reachable]
        contained = [names for _, kind, names in self.containers if kind != "Function"]
        for names in (self.kept, *owned, *contained):
            for name in names:
                owners[name] = owners.get(name, 0) + 1
        for name in self.vars:
            self.counted(name, owners.get(name, 0))

    def children(self, obj: Any) -> list:
        if isinstance(obj, self.native.Leaf) or obj.x is None:
            return []
        return [obj.x, *(obj.any or [])]

    def look(self, obj: Any, name: int) -> None:
        """Compare a fetched wrapper with the model: class, identity, address, state."""
        kind = self.kinds[name]
        if kind == "leaf":
            assert type(obj) is self.native.Leaf and obj.value == name
        else:
            assert obj.i == name
        if name in self.vars:
            assert obj is self.vars[name]
        assert id(obj) == self.ids.setdefault(name, id(obj))
        if self.stateful(name):
            assert type(obj) is (self.rich_class if kind == "rich" else self.subclass)
            assert self.refs[name]() is obj
            assert obj.note is self.notes[name] and obj.slot == name
            assert (obj.friend is not None) == (name in self.friends) if hasattr(obj, "friend") else True
            assert name not in self.dels

    def check(self) -> None:
        """Collect garbage and compare everything that the model reaches."""
        for _ in range(COLLECTIONS):
            gc.collect()
        deadline = time.monotonic() + PATIENCE
        while self.late and self.native.live() - self.base != len(self.reachable()):
            assert time.monotonic() < deadline, "objects given to a native thread are still alive"
            time.sleep(0.001)
            gc.collect()
        reachable = self.reachable()
        assert self.native.live() - self.base == len(reachable)
        for name in list(self.kinds):
            if name not in reachable:
                self.forget(name)
        self.all_are_counted(reachable)
        for name, obj in self.vars.items():
            self.walk(obj, name)
        for k, name in enumerate(self.kept):
            self.walk(self.native.kept(k), name)
        for container, kind, names in self.containers:
            assert type(container).__name__ == kind
            assert kind == "Function" or len(container) == len(names)
            get = container if kind == "Function" else container.__getitem__
            for k, name in enumerate(names):
                key = name if kind in ("Map", "Dict") else k
                assert get(key) is get(key)
                self.walk(get(key), name)

    def walk(self, obj: Any, name: int) -> None:
        """`look` for an object and, recursively, for the objects that it owns."""
        self.look(obj, name)
        children = self.children(obj)
        assert len(children) == len(self.links[name])
        for child, child_name in zip(children, self.links[name]):
            self.walk(child, child_name)
        if name in self.friends:
            self.look(obj.friend, self.friends[name])

    def forget(self, name: int) -> None:
        if self.stateful(name):
            assert self.refs.pop(name)() is None
            assert self.dels.pop(name) == 1
        for table in (self.proxies, self.kinds, self.links, self.notes, self.friends, self.ids):
            table.pop(name, None)

    def finish(self) -> None:
        self.vars.clear()
        self.containers.clear()
        self.release()
        self.check()
        assert self.kinds == {} and self.refs == {}
        del globals()["Rich"], globals()["RicherStill"]


OPERATIONS: dict[str, float] = {
    "make": 8,
    "drop": 6,
    "fetch": 6,
    "fetch_kept": 3,
    "fetch_weak": 2,
    "link": 5,
    "keep": 3,
    "release": 1,
    "release_on_thread": 1,
    "drop_later": 2,
    "set_attribute": 2,
    "befriend": 1,
    "part": 1,
    "take_weak_reference": 1,
    "contain": 1,
    "mutate": 2,
    "call_back": 2,
    "round_trip": 2,
    "raise_through": 1,
    "move": 1,
    "collect": 1,
    "copies": 1,
    "on_thread": 2,
    "fork": 0.25,  # one takes as long as 40 others
}


def run(native: Any, seed: int, steps: int) -> None:
    """Random operations on one graph, compared with the model after every 25 of them and at the end."""
    world = World(native, seed)
    names = list(OPERATIONS)
    weights = [OPERATIONS[name] for name in names]
    for step in range(steps):
        getattr(world, world.random.choices(names, weights)[0])()
        world.one_is_counted()
        if step % 25 == 24:
            world.check()
    world.finish()
