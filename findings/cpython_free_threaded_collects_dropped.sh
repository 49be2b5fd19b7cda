#!/bin/sh
# On free-threaded CPython a collection on any thread ends objects that wait for the thread that made them, and counts them.
#
# Versions: CPython 3.14.7 free-threaded, beside 3.14
#
# Expected: an object without a cycle is no business of the collector. One whose last reference was dropped by another thread
# than the one that made it waits for that thread, and a collection elsewhere leaves it.
#
# Seen: gc.collect() of any thread runs its __del__, there and then, and clears its weak references; it is one more among the
# objects that gc.collect() says it has collected. If __del__ gives the object a new life, it stays. With the GIL there is
# nothing to collect.
. "$(dirname "$0")/parts/begin.sh"
cat >test.py <<'P'
import gc
import sys
import threading
import weakref

from seen import end, seen, wait_until_main_sleeps

free = not sys._is_gil_enabled()
ran_on, kept, looked = [], [], {}


class Thing:
    revived = False

    def __del__(self):
        ran_on.append(threading.current_thread().name)
        if self.revived:
            kept.append(self)


def dropped_elsewhere(thing):
    """Drops the last reference on another thread, which collects then, and tells what was seen there."""
    box, waiting, done = [thing], [], threading.Lock()
    done.acquire()
    reference = weakref.ref(thing)
    del thing
    ran_on.clear()

    def drop():
        gc.collect()
        while not waiting:
            pass
        wait_until_main_sleeps()
        box.clear()
        looked["dead when dropped"] = reference() is None
        looked["collected"] = gc.collect()
        looked["dead when collected"] = reference() is None
        looked["ran on"] = list(ran_on)
        done.release()

    thread = threading.Thread(target=drop, name="other")
    thread.start()
    waiting.append(True)
    done.acquire()  # in C, asleep: the thread that made the object does not run Python code
    thread.join()


gc.disable()
dropped_elsewhere(Thing())
seen("dead when dropped", looked["dead when dropped"], not free)
seen("an object without a cycle is collected", looked["collected"] > 0, free)
seen("dead when collected, __del__ ran on", (looked["dead when collected"], looked["ran on"]), (True, ["other"]))
thing = Thing()
thing.revived = True
box = [thing]
del thing
dropped_elsewhere(box.pop())
seen("revived in the collection", (len(kept), type(kept[0]) is Thing, looked["ran on"]), (1, True, ["other"]))
end()
P
on_each "3.14 3.14t"
