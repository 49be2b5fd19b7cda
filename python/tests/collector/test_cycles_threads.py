"""Several threads make, change and drop graphs with cycles while another one collects."""

# Requirements: C9, C12

import gc
import random
import threading
import weakref

import selfsame_ffi
from waiting import wait_until


def test_cycles_of_many_threads_are_finalized_once(native):
    class Stateful(native.Plain):
        __slots__ = ("__dict__", "__weakref__")

        def __del__(self):
            dead.append(None)

    before = native.live()
    dead = []
    made = [0] * 4
    shared = selfsame_ffi.List([])  # connects the graphs of the threads
    errors = []
    busy = threading.Semaphore(0)
    seed = random.randrange(1 << 30)
    print("seed", seed)

    def graph(i, rng):
        objects = [rng.choice((Stateful, native.Plain))() for _ in range(rng.randrange(2, 12))]
        made[i] += sum(type(one) is Stateful for one in objects)
        for one in objects:
            one.x = rng.choice(objects)
            kind = rng.randrange(4)
            if kind == 0:
                one.any = selfsame_ffi.List(rng.choices(objects, k=3))
            elif kind == 1:
                one.any = selfsame_ffi.Dict({k: rng.choice(objects) for k in range(3)})
            elif kind == 2:
                other = rng.choice(objects)
                one.any = lambda other=other: other
        return objects

    def work(i):
        rng = random.Random(seed + i)
        for _ in range(120):
            objects = graph(i, rng)
            kind = rng.randrange(20)
            if kind < 6:
                shared.append(rng.choice(objects))
            elif kind < 12:
                try:
                    assert shared.pop().x is not None
                except IndexError:
                    pass
            elif kind < 14:
                native.drop_later(rng.choice(objects))
            elif kind == 14:
                selfsame_ffi.debug.unaccounted()
            elif kind == 15:
                gc.get_referents(*objects)
            # No collection freed an object in use.
            assert all(one.x.x.x is not None for one in objects)

    def body(i):
        try:
            work(i)
        except BaseException as error:
            errors.append(error)
        finally:
            busy.release()

    threads = [threading.Thread(target=body, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for _ in threads:
        while not busy.acquire(blocking=False):
            gc.collect()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    shared.clear()
    # Everything is freed when the native threads of drop_later have ended, and each finalizer has run once.
    wait_until(lambda: gc.collect() >= 0 and native.live() == before, "natives in cycles are left")
    assert len(dead) == sum(made)


def test_a_collection_leaves_what_another_thread_drops_to_its_native_owner(native):
    """Without the GIL a collector counts the drop itself, and frees what it does not find in use.

    The wrapper belongs to this thread, which waits, so the other thread's drop is counted in the collection.
    """

    class Stateful(native.Plain):
        __slots__ = ("__dict__", "__weakref__")

    variables = [Stateful()]
    owner = selfsame_ffi.List(variables)
    variables[0].note = note = []
    weak, identity = weakref.ref(variables[0]), id(variables[0])

    def drop():
        variables.clear()
        gc.collect()

    thread = threading.Thread(target=drop)
    thread.start()
    thread.join()
    fetched = owner[0]
    assert fetched is weak() and id(fetched) == identity and fetched.note is note
    owner.clear()
    del fetched
    assert weak() is None, "the collection's reference was not dropped"
