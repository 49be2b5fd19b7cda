"""Random operations of several threads on the same objects, and what each thread may rely on all the same.

Native containers own the objects of a world for its whole time, so no wrapper may lose its state, its address or its
weak references. Each thread has attributes of its own on each of them, which nobody else writes, so it knows their
values exactly. The objects in `places` are replaced all the time; each says in a native field what its attribute is.
"""

from __future__ import annotations

import copy
import gc
import os
import random
import threading
import warnings
import weakref
from typing import Any

import selfsame_ffi
from waiting import PATIENCE

OBJECTS = 6
PLACES = 3


class Shared:
    """The objects of one world, and what holds of them at any time."""

    def __init__(self, native: Any) -> None:
        class Rich(native.Plain):
            __slots__ = ("__dict__", "__weakref__", "slot")

        self.rich = Rich
        self.array = selfsame_ffi.Array([self.make(number) for number in range(OBJECTS)])
        self.ids = [id(self.array[number]) for number in range(OBJECTS)]
        self.list = selfsame_ffi.List([self.make(place) for place in range(PLACES)])
        self.dict = selfsame_ffi.Dict({place: self.make(place) for place in range(PLACES)})
        self.root = self.make(0)
        self.root.x = self.make(0)
        self.same = selfsame_ffi.convert(lambda value: value)
        self.died: list[Any] = []  # what the callbacks of weak references were called with

    def make(self, number: int) -> Any:
        made = self.rich()
        made.i = made.k = made.slot = number
        return made

    def check(self, number: int, obj: Any) -> None:
        assert id(obj) == self.ids[number] and obj is self.array[number], f"{number} has another wrapper"
        assert obj.i == number and obj.k == number and obj.slot == number, f"{number} has lost its state"


class Worker:
    """What one thread does, and what it knows."""

    def __init__(self, shared: Shared, number: int, seed: int) -> None:
        self.shared = shared
        self.mine = f"of_{number}"
        self.random = random.Random(seed)
        self.known: list[Any] = [None] * OBJECTS
        self.refs: list[Any] = [None] * OBJECTS
        self.serial = 0
        self.operations = [
            *[self.fetch, self.attribute, self.weak, self.kept_weak, self.replace, self.look] * 8,
            *[self.call, self.own, self.copy, self.scalar] * 4,
            *[self.cycle] * 2,
            self.collect,
        ]

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.random.choice(self.operations)()
        for number in range(OBJECTS):
            self.check_known(number, self.shared.array[number])

    def pick(self) -> int:
        return self.random.randrange(OBJECTS)

    def check_known(self, number: int, obj: Any) -> None:
        assert getattr(obj, self.mine, None) == self.known[number], f"{number} has lost {self.mine}"

    def fetch(self) -> None:
        number = self.pick()
        first, second = self.shared.array[number], self.shared.array[number]
        assert first is second
        self.shared.check(number, first)
        self.check_known(number, second)

    def attribute(self) -> None:
        number = self.pick()
        obj = self.shared.array[number]
        self.check_known(number, obj)
        if self.random.random() < 0.3 and self.known[number] is not None:
            self.known[number] = None
            delattr(obj, self.mine)
        else:
            self.known[number] = self.random.random()
            setattr(obj, self.mine, self.known[number])

    def weak(self) -> None:
        """A weak reference to an object that nothing in Python may refer to, and a strong one made from it."""
        number = self.pick()
        ref = weakref.ref(self.shared.array[number], self.shared.died.append)
        obj = ref()  # None while another thread drops the wrapper
        if obj is not None:
            self.shared.check(number, obj)
        self.refs[number] = ref

    def kept_weak(self) -> None:
        number = self.pick()
        if self.refs[number] is not None:
            obj = self.refs[number]()
            if obj is not None:
                self.check_known(number, obj)
            obj = self.shared.array[number]
            assert self.refs[number]() is obj, f"a weak reference to {number} has ended"

    def replace(self) -> None:
        self.serial += 1
        made = self.shared.make(self.serial)
        place = self.random.randrange(PLACES)
        kind = self.random.randrange(3)
        if kind == 0:
            self.shared.list[place] = made
        elif kind == 1:
            self.shared.dict[place] = made
        else:
            self.shared.root.x = made

    def look(self) -> None:
        place = self.random.randrange(PLACES)
        for obj in (self.shared.list[place], self.shared.dict[place], self.shared.root.x):
            assert obj.k == obj.i and obj.slot == obj.i, "a replaced object has lost its state"

    def call(self) -> None:
        number = self.pick()
        obj = self.shared.array[number]
        assert self.shared.same(obj) is obj
        self.shared.check(number, self.shared.same([obj])[0])

    def own(self) -> None:
        """Give the object one more native owner for a moment."""
        number = self.pick()
        owner = selfsame_ffi.List([self.shared.array[number]])
        self.shared.check(number, owner[0])
        del owner[0]

    def copy(self) -> None:
        number = self.pick()
        made = copy.copy(self.shared.array[number])
        assert made.k == number and made.i == number and made is not self.shared.array[number]

    def scalar(self) -> None:
        self.shared.root.f = 1.5
        assert self.shared.root.f == 1.5

    def cycle(self) -> None:
        first, second = self.shared.make(1), self.shared.make(2)
        first.x, second.friend, first.friend = second, first, self.shared.array[self.pick()]

    def collect(self) -> None:
        gc.collect()

    def fork(self) -> None:
        """In the child everything is as this thread knows it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # fork with several threads
            pid = os.fork()
        if pid == 0:
            status = 1
            try:
                for number in range(OBJECTS):
                    obj = self.shared.array[number]
                    self.shared.check(number, obj)
                    self.check_known(number, obj)
                    obj.child = obj
                self.look()
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(pid, 0)[1] == 0, "the child found another state"


def run(native: Any, seed: int, threads: int, steps: int, forks: int) -> None:
    """Run a world; raise the first error of a thread."""
    print(f"SELFSAME_MODEL_SEED={seed}")
    shared = Shared(native)
    errors: list[BaseException] = []
    workers = [Worker(shared, number, seed + number) for number in range(threads)]

    def work(worker: Worker) -> None:
        try:
            worker.run(steps)
        except BaseException as error:  # a failed assertion too
            errors.append(error)

    started = [threading.Thread(target=work, args=(worker,), daemon=True) for worker in workers]
    for thread in started:
        thread.start()
    forking = Worker(shared, threads, seed + threads)
    for _ in range(forks):
        forking.run(20)
        forking.fork()
    for thread in started:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "a thread hangs"
    if errors:
        raise errors[0]
    for number in range(OBJECTS):
        shared.check(number, shared.array[number])
    assert shared.died == []
